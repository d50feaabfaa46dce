"""Maps of a joint over torque, angle, friction and what else: a panel for each figure."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from flank.analyses.labelled import LabelledArray, LabelledArrays
from flank.analyses.result import Result
from flank.io.shown import quantity_text
from flank.plots.style import MAIN, QUIET, WIDE, Picture, label, shown

PANELS = (
    "mean_track_force",
    "peak_track_force",
    "peak_window_force",
    "peak_pressure",
    "secondary_torque_inner",
    "largest_cage_deviation",
    "axial_force_order",
    "axial_place_range",
    "loss",
    "efficiency",
)
"""Figures that have a panel, where the map has them."""

COLUMNS = 3
ROW = 2.1
"""Inches of a row of panels."""

SHORT = {
    "mean_track_force": "Mean track force",
    "peak_track_force": "Largest track force",
    "peak_window_force": "Largest cage force",
    "peak_pressure": "Largest Hertz pressure",
    "secondary_torque_inner": "Secondary torque, inner race",
    "largest_cage_deviation": "Cage from the middle",
    "loss": "Power lost",
}


def draw(result: Result) -> dict[str, Picture]:
    """The map and, where three things vary or more, another at the last values of the others."""
    data = result.data
    if not any(name in data for name in PANELS):
        return {}
    varied = [name for name in data["outcome"].dims if data.sizes[name] > 1]
    pictures = {"joint-map": _picture(result, varied, 0)}
    if len(varied) > 2:
        pictures["joint-map-last"] = _picture(result, varied, -1)
    return pictures


def _picture(result: Result, varied: list[str], place: int) -> Picture:
    data = result.data
    fixed = [name for name in data["outcome"].dims if name not in varied[:2]]
    at = dict.fromkeys(fixed, place)
    panels = [name for name in PANELS if name in data]
    if "axial_place_range" in panels:  # of a free race; its force follows from the motion
        panels.remove("axial_force_order")
    chosen = {name: data[name].isel(**at) for name in panels}
    rows = -(-len(chosen) // COLUMNS)
    where = ", ".join(_text(data[name].isel(**{name: place})) for name in fixed)
    caption = f"Figures of the joint at {where}. {_missing(data)}".strip()
    picture = Picture(WIDE, 0.3 + ROW * rows, caption)
    grid = picture.panels(rows, COLUMNS).ravel()
    for axes, values in zip(grid, chosen.values(), strict=False):
        _panel(picture, axes, values, varied[:2])
        axes.set_title(label(values, SHORT.get(values.name)))
    for axes in grid[len(chosen) :]:
        axes.remove()
    return picture


def _panel(picture: Picture, axes: Axes, values: LabelledArray, over: list[str]) -> None:
    """A map over two things, a line over one."""
    if len(over) < 2:
        name = over[0] if over else "torque"
        across = np.atleast_1d(shown(values[name]))
        axes.plot(across, np.atleast_1d(shown(values)), "o-", color=MAIN, markersize=3.5)
        axes.set_xlabel(label(values[name]))
        return
    right, up = over
    grid = shown(values).T if values.dims == (right, up) else shown(values)
    mesh = axes.pcolormesh(
        shown(values[right]), shown(values[up]), grid, shading="nearest", cmap="viridis"
    )
    bar = picture.colorbar(mesh, ax=axes, fraction=0.08, pad=0.03)
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=7.5)
    axes.set_facecolor("#f3f3f3")
    axes.grid(visible=False)
    axes.set_xlabel(label(values[right]), labelpad=1.0)
    axes.set_ylabel(label(values[up], {"angle": "Angle"}.get(up)), labelpad=1.0)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(nbins=5))
    failed = np.argwhere(~np.isfinite(grid))
    axes.plot(shown(values[right])[failed[:, 1]], shown(values[up])[failed[:, 0]], "x", color=QUIET)


def _text(value: LabelledArray) -> str:
    names = {"torque": "a torque", "angle": "an angle", "friction": "a sliding friction"}
    kind = names.get(value.name) or f"'{value.attrs['long_name'].lower()}'"
    if not value.attrs["shown_unit"]:
        return f"{kind} of {float(value):.4g}"
    amount = quantity_text(float(value), value.attrs["units"], value.attrs["shown_unit"])
    return f"{kind} of {amount}"


def _missing(data: LabelledArrays) -> str:
    failed = int((data["outcome"].values != "Completed.").sum())
    return "Crosses are points that failed." if failed else ""
