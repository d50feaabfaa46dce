"""Force and pressure of every contact: bars, a column for each kind, and maps of bearings."""

from __future__ import annotations

import numpy as np
import xarray
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from flank.analyses.result import Result
from flank.plots.bearing_maps import add_colour_bar, by_bearing, draw_map, is_of_bearings
from flank.plots.style import DISC_COLOURS, DISC_NAMES, WIDE, Picture, label, shown

LEFT, RIGHT, GAP = 0.08, 0.985, 0.055
SMALLEST_SHARE = 0.26

BARS_RIGHT, MAPS_LEFT, MAPS_RIGHT = 0.48, 0.60, 0.9
"""Where bars end and maps stand in a picture that has both."""

MAPS_ALONE = 0.14
"""Where maps begin in a picture without bars: teeth that are no contacts."""


def force_names(result: Result) -> list[str]:
    """The variables that hold the force of one kind of contact, in the result's order."""
    return [
        str(name)
        for name, variable in result.dataset.data_vars.items()
        if str(name).endswith("_force") and variable.ndim > 0
    ]


def bars_picture(result: Result) -> Picture:
    """One column for each kind of contact, forces above, pressures below; maps of bearings.

    Teeth of a first stage are left out: their forces stand in the table of meshes.
    """
    names = force_names(result)
    maps = [name for name in names if is_of_bearings(result[name])]
    bars = [name for name in names if name not in maps and "planet" not in result[name].dims]
    discs = result.dataset.sizes.get("disc", 1)
    caption = "Force and Hertz pressure of every contact by its number"
    caption += ", the discs side by side." if discs > 1 else "."
    if not bars:
        caption = "The force of every roller, a row for each bearing."
    elif maps:
        caption += " Right: the force of every roller, a row for each bearing."
    picture = Picture(WIDE, 4.2, caption)
    right = BARS_RIGHT if maps else RIGHT
    for place, (left, width) in enumerate(_columns(result, bars, right) if bars else ()):
        _column(picture, result, bars[place], (left, width), first=place == 0)
    if discs > 1 and bars:
        picture.axes[0].legend(loc="lower right", bbox_to_anchor=(1.0, 0.99), ncols=discs)
    _add_maps(picture, result, maps, MAPS_LEFT if bars else MAPS_ALONE)
    return picture


def _column(
    picture: Picture, result: Result, force: str, place: tuple[float, float], first: bool
) -> None:
    """Forces of one kind of contact above its pressures."""
    (left, width), name = place, force.removesuffix("_force")
    for row, field in enumerate(("force", "pressure")):
        if f"{name}_{field}" not in result.dataset:
            continue
        axes = picture.add_axes((left, 0.575 - 0.455 * row, width, 0.365))
        variable = result[f"{name}_{field}"]
        _bars(axes, variable)
        if first:
            axes.set_ylabel(label(variable, field.capitalize()))
        if row == 0:
            axes.set_title(_heading(variable))
        else:
            axes.set_xlabel(_counted(variable))


def _add_maps(picture: Picture, result: Result, names: list[str], left: float) -> None:
    """Maps of bearings one above the other, all in one scale of colours."""
    forces = [by_bearing(result[name]) for name in names]
    if not forces:
        return
    top = max(float(shown(force).max()) for force in forces) or 1.0
    height = 0.86 / len(forces)
    for row, force in enumerate(forces):
        bottom = 0.12 + height * (len(forces) - 1 - row)
        place = (left, bottom, MAPS_RIGHT - left, height - 0.11)
        axes = picture.add_axes(place)
        image = draw_map(axes, force, top)
        axes.set_title(_heading(force))
    axes.set_xlabel("Roller number")
    add_colour_bar(picture, image, label(forces[0], "Force"), (0.92, 0.12, 0.014, 0.75))


def _columns(result: Result, names: list[str], right: float) -> list[tuple[float, float]]:
    """Left edge and width of every column, by the number of contacts but never too narrow."""
    counts = np.array([result[name].shape[-1] for name in names], dtype=float)
    shares = np.maximum(counts / counts.sum(), SMALLEST_SHARE)
    widths = shares / shares.sum() * (right - LEFT - GAP * (len(names) - 1))
    lefts = LEFT + np.concatenate(([0.0], np.cumsum(widths[:-1] + GAP)))
    return list(zip(lefts.tolist(), widths.tolist(), strict=True))


def _counted(variable: xarray.DataArray) -> str:
    """What the numbers under the bars count; slots of both flanks follow each other."""
    text = f"{variable.dims[-1]} number".capitalize()
    if "flank" in variable.dims:
        text += f", the second flank from {variable.shape[-1]}"
    return text


def _heading(variable: xarray.DataArray) -> str:
    """'Force on output rollers' without the force: 'Output rollers'."""
    return str(variable.attrs["long_name"]).split(" on ", 1)[-1].capitalize()


def _bars(axes: Axes, variable: xarray.DataArray) -> None:
    """Discs, or races of a joint, side by side; what else is numbered goes on in one row."""
    values = shown(variable)
    beside = variable.ndim > 1 and variable.shape[0] <= len(DISC_COLOURS)
    values = values.reshape(len(values) if beside else 1, -1)
    numbers = np.arange(values.shape[-1])
    width = 0.8 / len(values)
    for disc, heights in enumerate(values):
        offset = (disc - (len(values) - 1) / 2) * width
        loaded = heights > 0.0  # a bar of no height still costs as much as one that is seen
        places = numbers[loaded] + offset
        axes.bar(places, heights[loaded], width, color=DISC_COLOURS[disc], label=DISC_NAMES[disc])
    axes.set_ylim(bottom=0.0)
    axes.set_xlim(-0.7, len(numbers) - 0.3)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=10, steps=[1, 2, 5, 10]))
    axes.grid(visible=False, axis="x")
