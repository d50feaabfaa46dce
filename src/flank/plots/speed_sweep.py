"""Pictures of a speed sweep: vibration, mesh forces and contact loss over the speed."""

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from flank.analyses.labelled import LabelledArray
from flank.analyses.result import Result
from flank.arrays import Floats
from flank.plots.style import MAIN, SECOND, WIDE, Picture, label, shown, widen

COLOURS = {"up": MAIN, "down": SECOND}
MARKS = {"up": "^", "down": "v"}

LEGEND_ROOM = 1.25
"""Height of the first panel over that of its curves."""

LEAST_LOSS = 1.0
"""Percent of the time that the axis of the contact loss spans at least."""


def draw(result: Result) -> dict[str, Picture]:
    """The three courses one above the other."""
    if "error_rms" not in result.data:
        return {}
    return {"speed-sweep": _picture(result)}


def _picture(result: Result) -> Picture:
    picture = Picture(
        WIDE,
        6.0,
        "Dynamic transmission error, the largest mesh force over the mean, and the share of time "
        "in which the teeth of a mesh do not touch (worst mesh), over the input speed.",
    )
    rows = picture.panels(3, 1)[:, 0]
    speed = shown(result.data["speed"])
    largest, mean = result.data["force_largest"], result.data["force_mean"]
    factor = (largest.values / mean.values).max(axis=largest.dims.index("mesh"))
    loss = 100 * result.data["contact_loss"].max("mesh").values
    _lines(rows[0], speed, result.data["error_rms"], shown(result.data["error_rms"]))
    _lines(rows[1], speed, result.data["error_rms"], factor)
    _lines(rows[2], speed, result.data["error_rms"], loss)
    rows[0].set_ylabel(label(result.data["error_rms"], "Error, rms"))
    rows[1].set_ylabel("Largest / mean force")
    rows[2].set_ylabel("Without contact (%)")
    rows[2].set_xlabel(label(result.data["speed"]))
    rows[0].set_ylim(0.0, LEGEND_ROOM * rows[0].get_ylim()[1])
    rows[0].legend(loc="upper right", ncols=2)
    widen(rows[1], 0.02)
    rows[2].set_ylim(0.0, max(rows[2].get_ylim()[1], LEAST_LOSS))
    for axes in rows:
        axes.set_xlim(speed[0], speed[-1])
    _frequencies(rows[0], result)
    return picture


def _lines(axes: Axes, speed: Floats, like: LabelledArray, values: Floats) -> None:
    for name, row in zip(like["direction"].values, values, strict=True):
        axes.plot(
            speed, row, color=COLOURS[str(name)], marker=MARKS[str(name)], markersize=3.0,
            linewidth=0.9, label=str(name),
        )  # fmt: skip


def _frequencies(axes: Axes, result: Result) -> None:
    """The mesh frequency above the speeds."""
    ratio = float(result.data["mesh_frequency"].values[-1] / shown(result.data["speed"])[-1])

    def frequency(speed: ArrayLike) -> Floats:
        return np.asarray(speed, dtype=float) * ratio

    def rotation(hertz: ArrayLike) -> Floats:
        return np.asarray(hertz, dtype=float) / ratio

    above = axes.secondary_xaxis("top", functions=(frequency, rotation))
    above.set_xlabel(label(result.data["mesh_frequency"]))
