"""The picture of a joint's resonances: orders over the speed, and the frequencies they meet."""

import textwrap

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from flank.analyses.result import Result
from flank.arrays import Floats
from flank.plots.style import ACCENT, INK, MAIN, SECOND, WIDE, Picture, label, shown

REACH = 2.5
"""Largest speed drawn, over that of the operating point."""

ROOM = 1.15
"""Highest frequency drawn, over what must be seen."""

LINE = 22
"""Letters of a name in one line in the right margin."""


def draw(result: Result) -> dict[str, Picture]:
    """Frequencies over the speed."""
    if "order" not in result.data:
        return {}
    data = result.data
    frequency, driveline = shown(data["frequency"]), ~np.isfinite(data["axial_share"].values)
    highest = _highest(shown(data["excitation"]).max(), frequency, driveline)
    above = int(np.sum(frequency > highest))
    picture = Picture(
        WIDE,
        4.4,
        "Orders of the joint's axial force over the speed, with the natural frequencies of the "
        "joint (lines) and of the driveline (dashes); circles are critical speeds, the vertical "
        "line is the operating point."
        + (f" {above} natural frequencies of the table lie higher." if above > 1 else "")
        + (" One natural frequency of the table lies higher." if above == 1 else ""),
    )
    axes = picture.panels(1, 1)[0, 0]
    speed = float(shown(data["speed"]))
    last = REACH * speed
    for order, excited in zip(data["order"].values, shown(data["excitation"]), strict=True):
        axes.plot([0, last], [0, excited * last / speed], color=MAIN, linewidth=1.1)
        _name_order(axes, float(order), float(excited) / speed, last, highest)
    names = data["source"].values
    critical = shown(data["critical_speed"])
    for k, value in enumerate(frequency):
        axes.axhline(value, color=SECOND, linestyle="--" if driveline[k] else "-", linewidth=1.1)
        if value < highest:
            text = textwrap.fill(str(names[k]), LINE)
            axes.text(1.01, value, text, transform=axes.get_yaxis_transform(), va="center")
        axes.plot(critical[k], np.full(critical.shape[1], value), "o", color=ACCENT, markersize=4)
    axes.axvline(speed, color=INK, linewidth=0.9)
    axes.set_xlim(0.0, last)
    axes.set_ylim(0.0, highest)
    axes.set_xlabel(label(data["speed"], "Speed"))
    axes.set_ylabel(label(data["frequency"], "Frequency"))
    return {"joint-resonance": picture}


def _highest(excited: float, frequency: Floats, driveline: NDArray[np.bool_]) -> float:
    """Frequency up to which is drawn: above the orders, and the lowest of joint and driveline."""
    lowest = [float(f.min()) for f in (frequency[~driveline], frequency[driveline]) if len(f)]
    return ROOM * max(float(excited), *lowest)


def _name_order(axes: Axes, order: float, slope: float, last: float, highest: float) -> None:
    """Beside its line, where that leaves the picture."""
    right = min(last, highest / slope)
    place = (0.94 * right, 0.94 * slope * right)
    axes.annotate(f"{order:g}", place, (-10, 2), textcoords="offset points", color=MAIN)
