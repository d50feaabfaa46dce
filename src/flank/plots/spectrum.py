"""The orders of a transmission error, the machine's own and the largest ones named."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from flank.analyses.result import Result
from flank.plots.style import FAINT, MAIN, QUIET, WIDE, Picture, label, shown

LARGEST_ORDERS = 5
SHOWN_SHARE = 0.02
"""Orders above the last one with this share of the largest amplitude are not shown."""

MOST_TIMES = 9
"""Multiples of a named order beyond this are told by their number alone."""

PLAIN = ("input", "output")
"""Orders whose multiples say nothing: every number is one."""

LETTER = 0.0078
"""Width of a letter of a name, as a share of the picture's."""

LINE = 0.08
"""Height of a name, as a share of the axis."""


def spectrum_picture(result: Result) -> Picture:
    """Amplitudes over the order of the input turn."""
    amplitude = result["amplitude"]
    orders, values = amplitude["order"].values, shown(amplitude)
    named = named_lines(result)
    picture = Picture(
        WIDE,
        3.1,
        "Orders of the transmission error per turn of the input. Above: the orders of the "
        "machine's parts. At the bars: the largest orders.",
    )
    axes = picture.add_axes((0.085, 0.15, 0.90, 0.72))
    highest = 2.2 * max(named.values(), default=0.0)
    last = max(orders[values >= SHOWN_SHARE * values.max()].max() * 1.08, highest, 8.0)
    last = min(last, orders[-1])
    inside = (orders <= last) & (orders > 0)
    axes.vlines(orders[inside], 0.0, values[inside], color=MAIN, linewidth=1.8)
    axes.axhline(0.0, color=QUIET, linewidth=0.7)
    if orders[1] < 0.5 * min(1.0, last):
        axes.set_xscale("log")
        axes.set_xlim(0.7 * orders[1], last * 1.1)
        axes.xaxis.set_major_formatter("{x:g}")
    else:
        axes.set_xlim(0.0, last)
    axes.set_ylim(0.0, values.max() * 1.18)
    _mark_named(axes, named)
    _name_largest(axes, orders[inside], values[inside], named)
    axes.grid(visible=False, axis="x")
    axes.set_xlabel(label(amplitude["order"]))
    axes.set_ylabel(label(amplitude, "Amplitude"))
    return picture


def named_lines(result: Result) -> dict[str, float]:
    """The machine's own orders by name, each at its line of the spectrum."""
    names = result["named_order"].values
    return dict(zip(names.tolist(), result["named_order_line"].values.tolist(), strict=True))


def order_name(order: float, named: dict[str, float]) -> str:
    """The order's number, and what it is a multiple of, the highest if several."""
    text = f"{order:.4g}"
    for part, own in sorted(named.items(), key=lambda item: -item[1]):
        times = round(order / own)
        if times < 1 or abs(order / own - times) > 1e-6:
            continue
        if times == 1:
            return f"{text} ({part})"
        if times <= MOST_TIMES and part not in PLAIN:
            return f"{text} ({times} × {part})"
    return text


def _mark_named(axes: Axes, named: dict[str, float]) -> None:
    """A faint line and a name above the picture for each named order."""
    for order in named.values():
        axes.axvline(order, color=FAINT, linewidth=1.0, zorder=0.5)
    for text, place in _names(axes, named):
        axes.annotate(
            text,
            (place, 1.0),
            (0, 3),
            xycoords="axes fraction",
            textcoords="offset points",
            ha="center",
            color=QUIET,
            fontsize=8.5,
        )


def _names(axes: Axes, named: dict[str, float]) -> list[tuple[str, float]]:
    """Names and the places of their middles; where they would run into each other they join."""
    found: list[tuple[str, float]] = []
    for name, order in named.items():
        text, place = name, max(_place(axes, order), 0.5 * LETTER * len(name))
        if found and place - found[-1][1] < 0.5 * LETTER * (len(text) + len(found[-1][0]) + 2):
            before, start = found.pop()
            text = f"{before}, {name}"
            place = max(start, 0.5 * LETTER * len(text))
        found.append((text, place))
    return found


def _place(axes: Axes, order: float) -> float:
    """Where an order stands between the ends of its axis, 0 to 1."""
    return float(axes.transAxes.inverted().transform(axes.transData.transform((order, 0.0)))[0])


def _name_largest(axes: Axes, orders: NDArray, values: NDArray, named: dict[str, float]) -> None:
    """Names at the largest peaks; one that would run into a larger one's is left out."""
    padded = np.concatenate(([0.0], values, [0.0]))
    peaks = np.flatnonzero((values > padded[:-2]) & (values >= padded[2:]))
    peaks = peaks[values[peaks] > 2 * SHOWN_SHARE * values.max()]
    taken: list[tuple[float, float, int]] = []
    for k in peaks[np.argsort(values[peaks])[::-1][:LARGEST_ORDERS]]:
        text = order_name(orders[k], named)
        place, height = _place(axes, orders[k]), float(values[k] / axes.get_ylim()[1])
        if any(
            abs(place - x) < 0.5 * LETTER * (len(text) + letters) and abs(height - y) < LINE
            for x, y, letters in taken
        ):
            continue
        taken.append((place, height, len(text)))
        axes.annotate(
            text,
            (orders[k], values[k]),
            (0, 4),
            textcoords="offset points",
            ha="center",
        )
