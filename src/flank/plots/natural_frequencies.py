"""The picture of natural frequencies: how high they are, and which bodies move."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from flank.analyses.result import Result
from flank.arrays import Floats
from flank.io.shown import number_text
from flank.plots.mode_motions import mode_motions
from flank.plots.style import (
    ACCENT,
    BODY,
    COLOURS,
    FAINT,
    INK,
    MAIN,
    QUIET,
    WIDE,
    Picture,
    label,
    shown,
)

MOST_MODES = 16
"""Modes in the picture; all are in the table."""

MOST_BODIES = 6
"""Bodies with a colour of their own, those with most energy."""

WIDE_RANGE = 30.0
"""Ratio of the highest to the lowest frequency above which the axis is logarithmic."""

ROOM, FAMILY_ROOM = 1.28, 1.75
"""End of the axis over the highest frequency, so that its text has room."""

WIDE_ROOM = 0.85
"""The same on a logarithmic axis, in decades for a room of one."""

HEAD, ROW = 1.6, 0.32
LEAST_HEIGHT = 2.6

NAMED_FROM = 22.0
"""Percent of the kinetic energy from which a body's name stands in its bar."""

NEARLY_ALL = 0.95
"""Of a bar of several bodies: what one body must have of it to give it its name alone."""


def draw(result: Result) -> dict[str, Picture]:
    """Frequencies to the left, shares of the kinetic energy to the right."""
    if result.data.sizes.get("mode", 0) == 0:
        return {}
    return {"natural-frequencies": _picture(result), **mode_motions(result)}


def _picture(result: Result) -> Picture:
    count = min(result.data.sizes["mode"], MOST_MODES)
    left_out = result.data.sizes["mode"] - count
    picture = Picture(
        WIDE,
        max(HEAD + ROW * count, LEAST_HEIGHT),
        "Natural frequencies for vibrations so small that no contact opens or closes, and which "
        "bodies hold the kinetic energy of each mode."
        + (f" The {left_out} highest modes of the table are not drawn." if left_out else ""),
    )
    left, right = picture.panels(1, 2, width_ratios=(0.43, 0.57))[0]
    _frequencies(left, result, count)
    _energies(right, result, count)
    for axes in (left, right):
        axes.set_yticks(np.arange(count), result.data["mode"].values[:count])
        axes.set_ylim(count - 0.4, -0.6)
        axes.tick_params(axis="y", length=0)
        axes.grid(visible=False, axis="y")
    left.set_ylabel("Mode")
    if left_out:
        left.set_title(f"Frequency, the {count} lowest of {count + left_out}")
    picture.legend(loc="outside lower right", ncols=4, handlelength=1.0, columnspacing=1.2)
    return picture


def _frequencies(axes: Axes, result: Result, count: int) -> None:
    values = shown(result.data["frequency"])[:count]
    unstable = result.data["eigenvalue"].values[:count] < 0
    swinging = values[~unstable]
    room = FAMILY_ROOM if "family" in result.data else ROOM
    if len(swinging) and swinging.max() > WIDE_RANGE * swinging.min():
        axes.set_xscale("log")
        axes.set_xlim(0.5 * swinging.min(), 10 ** (WIDE_ROOM * room) * swinging.max())
        start = axes.get_xlim()[0]
    else:
        axes.set_xlim(0.0, room * max(swinging.max(initial=0.0), 1.0))
        start = 0.0
    axes.barh(np.arange(count), np.where(unstable, start, values), 0.62, color=MAIN)
    for mode, value in enumerate(values):
        text = "unstable" if unstable[mode] else f"{number_text(float(value))} Hz"
        if "family" in result.data:
            text += f", {result.data['family'].values[mode]}"
        colour = ACCENT if unstable[mode] else "black"
        place = (max(float(value), start), mode)
        axes.annotate(
            text, place, (4, 0), textcoords="offset points", va="center", color=colour, fontsize=8.5
        )
    axes.set_xlabel(label(result.data["frequency"]))
    if axes.get_xscale() == "linear":
        axes.locator_params(axis="x", nbins=5)
    axes.set_title("Frequency")


def _energies(axes: Axes, result: Result, count: int) -> None:
    shares = shown(result.data["energy_share"])[:count]
    names = [str(name) for name in result.data["body"].values]
    leading = _leading(shares)
    done = np.zeros(count)
    for body, colour in zip(leading, COLOURS, strict=False):
        _stack(axes, shares[:, body], done, colour, names[body], [names[body]] * count)
        done = done + shares[:, body]
    if done.min() < 99.5:
        others = np.delete(shares, leading, axis=1)
        main = [str(name) for name in np.delete(names, leading)[others.argmax(axis=1)]]
        _stack(axes, 100.0 - done, done, BODY, "other bodies", _mostly(main, others, 100.0 - done))
    axes.set_xlim(0.0, 100.0)
    axes.set_xlabel(label(result.data["energy_share"]))
    axes.set_title("Who moves")


def _mostly(main: Sequence[str], others: Floats, together: Floats) -> list[str]:
    """Names for bars of several bodies: that of the one which has nearly all, or most of it."""
    part = others.max(axis=1) / np.maximum(together, 1e-12)
    return [
        name if share > NEARLY_ALL else f"mostly {name}" if share > 0.5 else ""
        for name, share in zip(main, part.tolist(), strict=True)
    ]


def _leading(shares: Floats) -> list[int]:
    """Bodies with most energy in all modes together, in the machine's own order."""
    total = shares.sum(axis=0)
    largest = np.argsort(-total, kind="stable")[:MOST_BODIES]
    return sorted(int(body) for body in largest if total[body] > 0.5)


def _stack(
    axes: Axes, widths: Floats, start: Floats, colour: str, title: str, names: Sequence[str]
) -> None:
    """Bars of one colour, with the name of the body that moves inside the long ones."""
    edge, ink = (QUIET, INK) if colour == BODY else (FAINT, "white")
    rows = np.arange(len(widths))
    axes.barh(rows, widths, 0.62, start, color=colour, edgecolor=edge, linewidth=0.4, label=title)
    for mode in np.flatnonzero(widths >= NAMED_FROM).tolist():
        place = float(start[mode] + 0.5 * widths[mode])
        axes.text(place, mode, names[mode], color=ink, fontsize=8, ha="center", va="center")
