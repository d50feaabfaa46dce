"""The orders of a transmission error, the largest ones named."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes

from flank.analyses.result import Result
from flank.plots.style import MAIN, QUIET, WIDE, Picture, label, shown

NAMED_ORDERS = 5
SHOWN_SHARE = 0.02
"""Orders above the last one with this share of the largest amplitude are not shown."""


def spectrum_picture(result: Result) -> Picture:
    """Amplitudes over the order of the input turn."""
    amplitude = result["amplitude"]
    orders, values = amplitude["order"].values, shown(amplitude)
    counts = _counts(result.spec)
    pins = counts.get("pins", 0)
    picture = Picture(
        WIDE,
        2.8,
        "Orders of the transmission error per turn of the input; the largest ones are named."
        + (f" The {pins} pins pass once a turn each: order {pins} and its multiples." * bool(pins)),
    )
    axes = picture.add_axes((0.085, 0.17, 0.90, 0.78))
    last = max(orders[values >= SHOWN_SHARE * values.max()].max() * 1.08, 2.2 * pins, 8.0)
    inside = (orders <= last) & (orders > 0)
    axes.vlines(orders[inside], 0.0, values[inside], color=MAIN, linewidth=1.8)
    axes.axhline(0.0, color=QUIET, linewidth=0.7)
    _name_orders(axes, orders, values, counts)
    axes.set_xlim(0.0, last)
    axes.set_ylim(0.0, values.max() * 1.18)
    axes.grid(visible=False, axis="x")
    axes.set_xlabel(label(amplitude["order"]))
    axes.set_ylabel(label(amplitude, "Amplitude"))
    return picture


def _counts(spec: dict[str, Any]) -> dict[str, int]:
    """How many pins and output rollers pass in a turn, as far as the spec has them."""
    pins = spec.get("pins", {}).get("count")
    rollers = spec.get("output", {}).get("rollers", {}).get("count")
    found = {"pins": pins, "rollers": rollers}
    return {name: int(count) for name, count in found.items() if count}


def _order_name(order: float, counts: dict[str, int]) -> str:
    """The order's number, and what it is a multiple of."""
    name = f"{order:.4g}"
    for part, count in counts.items():
        times = order / count
        if times == 1.0:
            return f"{name} ({part})"
        if times > 1.0 and times == round(times):
            return f"{name} ({times:.0f} × {part})"
    return name


def _name_orders(
    axes: Axes, orders: np.ndarray, values: np.ndarray, counts: dict[str, int]
) -> None:
    """Names at the largest peaks."""
    padded = np.concatenate(([0.0], values, [0.0]))
    peaks = np.flatnonzero((values > padded[:-2]) & (values >= padded[2:]))
    peaks = peaks[values[peaks] > 2 * SHOWN_SHARE * values.max()]
    for k in peaks[np.argsort(values[peaks])[::-1][:NAMED_ORDERS]]:
        axes.annotate(
            _order_name(orders[k], counts),
            (orders[k], values[k]),
            (0, 4),
            textcoords="offset points",
            ha="center",
        )
