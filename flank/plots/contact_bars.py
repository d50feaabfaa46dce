"""Force and pressure of every contact as bars, a column for each kind of contact."""

from __future__ import annotations

import numpy as np
import xarray
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from flank.analyses.result import Result
from flank.plots.style import DISC_COLOURS, WIDE, Picture, label, shown

LEFT, RIGHT, GAP = 0.08, 0.985, 0.055
SMALLEST_SHARE = 0.26


def force_names(result: Result) -> list[str]:
    """The variables that hold the force of one kind of contact, in the result's order."""
    return [
        str(name)
        for name, variable in result.dataset.data_vars.items()
        if str(name).endswith("_force") and variable.ndim > 0
    ]


def bars_picture(result: Result) -> Picture:
    """One column for each kind of contact: forces above, pressures below."""
    names = force_names(result)
    two_discs = result.dataset.sizes.get("disc", 1) > 1
    caption = "Force and Hertz pressure of every contact by its number" + (
        ", the two discs side by side." if two_discs else "."
    )
    picture = Picture(WIDE, 4.2, caption)
    for place, (left, width) in enumerate(_columns(result, names)):
        name = names[place].removesuffix("_force")
        for row, field in enumerate(("force", "pressure")):
            if f"{name}_{field}" in result.dataset:
                axes = picture.add_axes((left, 0.575 - 0.455 * row, width, 0.365))
                variable = result[f"{name}_{field}"]
                _bars(axes, variable)
                if place == 0:
                    axes.set_ylabel(label(variable, field.capitalize()))
                if row == 0:
                    axes.set_title(_heading(variable))
                else:
                    axes.set_xlabel(f"{variable.dims[-1]} number".capitalize())
                if row == place == 0 and two_discs:
                    axes.legend(loc="lower right", bbox_to_anchor=(1.0, 0.99), ncols=2)
    return picture


def _columns(result: Result, names: list[str]) -> list[tuple[float, float]]:
    """Left edge and width of every column, by the number of contacts but never too narrow."""
    counts = np.array([result[name].shape[-1] for name in names], dtype=float)
    shares = np.maximum(counts / counts.sum(), SMALLEST_SHARE)
    widths = shares / shares.sum() * (RIGHT - LEFT - GAP * (len(names) - 1))
    lefts = LEFT + np.concatenate(([0.0], np.cumsum(widths[:-1] + GAP)))
    return list(zip(lefts.tolist(), widths.tolist(), strict=True))


def _heading(variable: xarray.DataArray) -> str:
    """'Force on output rollers' without the force: 'Output rollers'."""
    return str(variable.attrs["long_name"]).split(" on ", 1)[-1].capitalize()


def _bars(axes: Axes, variable: xarray.DataArray) -> None:
    values = np.atleast_2d(shown(variable))
    numbers = np.arange(values.shape[-1])
    width = 0.8 / len(values)
    for disc, heights in enumerate(values):
        offset = (disc - (len(values) - 1) / 2) * width
        name = ("First disc", "Second disc")[disc]
        loaded = heights > 0.0  # a bar of no height still costs as much as one that is seen
        places = numbers[loaded] + offset
        axes.bar(places, heights[loaded], width, color=DISC_COLOURS[disc], label=name)
    axes.set_ylim(bottom=0.0)
    axes.set_xlim(-0.7, len(numbers) - 0.3)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=10, steps=[1, 2, 5, 10]))
    axes.grid(visible=False, axis="x")
