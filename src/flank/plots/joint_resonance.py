"""The picture of a joint's resonances: orders over the speed, and the frequencies they meet."""

import numpy as np
from matplotlib.axes import Axes

from flank.analyses.result import Result
from flank.plots.style import ACCENT, INK, MAIN, SECOND, WIDE, Picture, label, shown

REACH = 2.5
"""Largest speed drawn, over that of the operating point."""

LONGEST_NAME = 34


def draw(result: Result) -> dict[str, Picture]:
    """Frequencies over the speed."""
    if "order" not in result.data:
        return {}
    data = result.data
    picture = Picture(
        WIDE,
        4.4,
        "Orders of the joint's axial force over the speed, with the natural frequencies of the "
        "joint (lines) and of the driveline (dashes); circles are critical speeds, the vertical "
        "line is the operating point.",
    )
    axes = picture.panels(1, 1)[0, 0]
    speed, frequency = float(shown(data["speed"])), shown(data["frequency"])
    last = REACH * speed
    highest = 1.15 * max(float(shown(data["excitation"]).max()), float(frequency.min()))
    for order, excited in zip(data["order"].values, shown(data["excitation"]), strict=True):
        axes.plot([0, last], [0, excited * last / speed], color=MAIN, linewidth=1.1)
        _name_order(axes, float(order), float(excited) / speed, last, highest)
    names = data["source"].values
    critical = shown(data["critical_speed"])
    for k, value in enumerate(frequency):
        driveline = not np.isfinite(data["axial_share"].values[k])
        axes.axhline(value, color=SECOND, linestyle="--" if driveline else "-", linewidth=1.1)
        if value < highest:
            text = str(names[k])
            text = text if len(text) <= LONGEST_NAME else text[: LONGEST_NAME - 1] + "…"
            axes.annotate(text, (last, value), (-4, 3), textcoords="offset points", ha="right")
        axes.plot(critical[k], np.full(critical.shape[1], value), "o", color=ACCENT, markersize=4)
    axes.axvline(speed, color=INK, linewidth=0.9)
    axes.set_xlim(0.0, last)
    axes.set_ylim(0.0, highest)
    axes.set_xlabel(label(data["speed"], "Speed"))
    axes.set_ylabel(label(data["frequency"], "Frequency"))
    return {"joint-resonance": picture}


def _name_order(axes: Axes, order: float, slope: float, last: float, highest: float) -> None:
    """Beside its line, where that leaves the picture."""
    right = min(last, highest / slope)
    place = (0.94 * right, 0.94 * slope * right)
    axes.annotate(f"{order:g}", place, (-10, 2), textcoords="offset points", color=MAIN)
