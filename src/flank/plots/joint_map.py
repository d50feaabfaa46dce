"""Maps of a joint over torque, angle and friction: a panel for each figure."""

import numpy as np
import xarray
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

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
    """The map and, where three things vary, another at the last value of the third."""
    data = result.dataset
    if not any(name in data for name in PANELS):
        return {}
    varied = [name for name in ("torque", "angle", "friction") if data.sizes[name] > 1]
    pictures = {"joint-map": _picture(result, varied, 0)}
    if len(varied) == 3:
        pictures["joint-map-last"] = _picture(result, varied, -1)
    return pictures


def _picture(result: Result, varied: list[str], place: int) -> Picture:
    data = result.dataset
    fixed = [name for name in ("torque", "angle", "friction") if name not in varied[:2]]
    chosen = data.isel({name: place for name in fixed})
    names = [name for name in PANELS if name in data]
    rows = -(-len(names) // COLUMNS)
    where = ", ".join(_text(data[name][place]) for name in fixed)
    caption = f"Figures of the joint at {where}. {_missing(data)}".strip()
    picture = Picture(WIDE, 0.3 + ROW * rows, caption)
    panels = picture.panels(rows, COLUMNS).ravel()
    for axes, name in zip(panels, names, strict=False):
        _panel(picture, axes, chosen[name], varied[:2])
        axes.set_title(_title(chosen[name]))
    for axes in panels[len(names) :]:
        axes.remove()
    return picture


def _panel(picture: Picture, axes: Axes, values: xarray.DataArray, over: list[str]) -> None:
    """A map over two things, a line over one."""
    if len(over) < 2:
        name = over[0] if over else "torque"
        across = values if over else values.expand_dims(name)
        axes.plot(shown(across[name]), shown(across), "o-", color=MAIN, markersize=3.5)
        axes.set_xlabel(label(across[name]))
        return
    right, up = over
    grid = values.transpose(up, right)
    mesh = axes.pcolormesh(
        shown(values[right]), shown(values[up]), shown(grid), shading="nearest", cmap="viridis"
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
    failed = np.argwhere(~np.isfinite(grid.values))
    axes.plot(shown(values[right])[failed[:, 1]], shown(values[up])[failed[:, 0]], "x", color=QUIET)


def _title(values: xarray.DataArray) -> str:
    return label(values, SHORT.get(str(values.name)))


def _text(value: xarray.DataArray) -> str:
    if not value.attrs["shown_unit"]:
        return f"a sliding friction of {float(value):.4g}"
    kind = {"torque": "a torque", "angle": "an angle"}[str(value.name)]
    amount = quantity_text(float(value), value.attrs["units"], value.attrs["shown_unit"])
    return f"{kind} of {amount}"


def _missing(data: xarray.Dataset) -> str:
    failed = int((data["outcome"] != "Completed.").sum())
    return "Crosses are points that failed." if failed else ""
