"""The Campbell diagram: natural frequencies and lines of orders over the speed."""

import numpy as np
from matplotlib.axes import Axes

from flank.analyses.result import Result
from flank.arrays import Floats
from flank.plots.mode_motions import mode_motions
from flank.plots.style import ACCENT, COLOURS, INK, MAIN, QUIET, WIDE, Picture, label, shown

ROOM = 1.12
"""Highest frequency drawn, over what must be seen."""

APART = 0.032
"""Least distance of two names in the right margin, over the height."""

FAMILY_COLOURS = {"rotational": MAIN, "translational": COLOURS[1], "planet": COLOURS[2]}
"""Of modes whose family is known; others are drawn as the first."""

MOST_CRITICAL = 400
"""Marks of crossings."""


def draw(result: Result) -> dict[str, Picture]:
    """Frequencies over the speed with the orders, and the modes as parts move."""
    if result.data.sizes.get("mode", 0) == 0 or "line_order" not in result.data:
        return {}
    return {"campbell": _diagram(result), **mode_motions(result)}


def _diagram(result: Result) -> Picture:
    data = result.data
    top, above = _highest(result)
    picture = Picture(
        WIDE,
        5.4,
        "Natural frequencies (level or curved lines, coloured by family where there are families) "
        "and what the machine's orders excite (lines through the origin; dotted: what turns). Full "
        "circles are critical speeds, empty ones crossings that excite nothing; the vertical line "
        "is the working speed, the band the margin wanted."
        + _why_level(result)
        + (f" {above} frequencies of the table lie higher." if above else ""),
    )
    axes = picture.panel()
    _modes(axes, result, top)
    _orders(axes, result, top)
    for name, face, edge in (("ruled_out", "white", QUIET), ("critical", ACCENT, ACCENT)):
        if f"{name}_speed" in data:
            speeds = shown(data[f"{name}_speed"])[:MOST_CRITICAL]
            found = shown(data[f"{name}_frequency"])[:MOST_CRITICAL]
            axes.plot(speeds, found, "o", markersize=4, markerfacecolor=face, color=edge)
    working, last = (float(shown(data[name])) for name in ("speed", "last_speed"))
    if 0 < working <= last:
        wanted = float(data["margin_wanted"])
        axes.axvline(working, color=INK, linewidth=0.9)
        axes.axvspan(working * (1 - wanted), working * (1 + wanted), color=INK, alpha=0.06, lw=0)
    axes.set_xlim(0.0, last)
    axes.set_ylim(0.0, top)
    axes.set_xlabel(label(data["swept_speed"]))
    axes.set_ylabel(label(data["swept_frequency"]))
    return picture


def _why_level(result: Result) -> str:
    if len(result.data["swept_speed"].values) > 2:
        return (
            " Frequencies follow the torque over the speed; gyroscopic forces of turning bodies "
            "are not in them."
        )
    return (
        " Frequencies are level: the torque does not depend on the speed, and gyroscopic forces of "
        "turning bodies are not in them."
    )


def _highest(result: Result) -> tuple[float, int]:
    """Frequency up to which is drawn: what the orders reach, the lowest mode at least and the
    highest at most; and how many modes lie higher."""
    data = result.data
    frequencies = shown(data["swept_frequency"])
    last = float(shown(data["last_speed"]))
    reached = last / 60 * float(data["line_order"].values.max())
    lowest, highest = float(np.nanmin(frequencies)), float(np.nanmax(frequencies))
    top = ROOM * min(max(reached, lowest), highest)
    return top, int(np.sum(np.nan_to_num(frequencies, nan=np.inf).min(axis=0) > top))


def _modes(axes: Axes, result: Result, top: float) -> None:
    data = result.data
    speeds, frequencies = shown(data["swept_speed"]), shown(data["swept_frequency"])
    families = data["family"].values if "family" in data else np.full(frequencies.shape[1], "")
    seen = dict.fromkeys(name for name in families.tolist() if name in FAMILY_COLOURS)
    names: dict[float, str] = {}
    for mode in range(frequencies.shape[1]):
        colour = FAMILY_COLOURS.get(str(families[mode]), MAIN)
        axes.plot(speeds, frequencies[:, mode], color=colour, linewidth=1.3)
        known = frequencies[:, mode][np.isfinite(frequencies[:, mode])]
        if len(known) and known[-1] < top:
            near = next((f for f in names if abs(f - known[-1]) < APART * top), None)
            number = str(data["mode"].values[mode])
            if near is None:
                names[float(known[-1])] = number
            else:
                names[near] += f", {number}"
    for frequency, text in names.items():
        place = axes.get_yaxis_transform()
        axes.text(1.008, frequency, _shortened(text), transform=place, va="center", fontsize=8)
    axes.text(1.008, 1.01, "Mode", transform=axes.transAxes, fontsize=8, color=QUIET)
    for name in seen:
        axes.plot([], [], color=FAMILY_COLOURS[name], label=f"{name} modes")
    if seen:
        axes.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=len(seen))


def _shortened(text: str) -> str:
    """Of many numbers the first and the last."""
    numbers = text.split(", ")
    return text if len(numbers) <= 3 else f"{numbers[0]} to {numbers[-1]}"


def _orders(axes: Axes, result: Result, top: float) -> None:
    data = result.data
    last = float(shown(data["last_speed"]))
    named: list[Floats] = []
    for k, name in enumerate(data["line"].values.tolist()):
        slope = float(data["line_order"].values[k]) / 60
        turns = str(data["line_cause"].values[k]).startswith("turns")
        style = (0, (1, 2)) if turns else "-"
        axes.plot([0, last], [0, slope * last], color=QUIET, linewidth=0.9, linestyle=style)
        right = min(last, top / slope)
        place = np.array([0.97 * right / last, 0.97 * slope * right / top])
        if slope * last < 0.02 * top or any(np.hypot(*(place - other)) < 0.05 for other in named):
            continue
        named.append(place)
        axes.annotate(
            name,
            (0.97 * right, 0.97 * slope * right),
            (-4, 3),
            textcoords="offset points",
            ha="right",
            color=QUIET,
            fontsize=8,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8, "alpha": 0.8},
        )
