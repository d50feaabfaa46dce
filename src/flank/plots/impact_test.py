"""Pictures of an impact test: frequency and damping over the mesh cycle, and the responses."""

import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize

from flank.analyses.result import Result
from flank.plots.style import MAIN, SECOND, WIDE, Picture, add_colour_bar, label, shown, widen

SHOWN = 5
"""Responses that are drawn, evenly spread over the mesh cycle, besides the slowest and fastest."""


def draw(result: Result) -> dict[str, Picture]:
    """The course over the mesh cycle, and how the teeth swing."""
    if "frequency" not in result.dataset:
        return {}
    return {"impact-test": _course(result), "impact-responses": _responses(result)}


def _course(result: Result) -> Picture:
    picture = Picture(
        WIDE,
        4.6,
        "Natural frequency and damping ratio of the first mesh's vibration after a pulse, at fixed "
        "positions in the mesh cycle. Dotted: the means.",
    )
    rows = picture.panels(2, 1, sharex=True)[:, 0]
    position = result["position"].values
    for axes, name, colour in zip(
        rows, ("frequency", "damping_ratio"), (MAIN, SECOND), strict=True
    ):
        values = shown(result[name])
        axes.plot(position, values, color=colour, marker="o", markersize=3.0)
        axes.axhline(float(values.mean()), color=colour, linestyle=":", linewidth=0.9)
        axes.set_ylabel(label(result[name]))
        widen(axes, 0.05)
    rows[-1].set_xlim(0.0, 1.0)
    rows[-1].set_xlabel(label(result["position"]))
    return picture


def _responses(result: Result) -> Picture:
    picture = Picture(
        WIDE,
        3.4,
        "Transmission error of the first mesh after the pulse, against the loaded machine at rest, "
        "at some positions in the mesh cycle.",
    )
    axes = picture.panel()
    count = result.dataset.sizes["position"]
    time, response = shown(result["time"]), shown(result["response"])
    colours = ScalarMappable(Normalize(0.0, 1.0), "viridis")
    frequency = result["frequency"].values
    some = {int(k) for k in np.linspace(0, count - 1, SHOWN)}
    for k in sorted(some | {int(np.nanargmin(frequency)), int(np.nanargmax(frequency))}):
        colour = colours.to_rgba(result["position"].values[k])
        axes.plot(time, response[k], color=colour, linewidth=1.0)
    axes.set_xlim(time[0], time[-1])
    axes.set_xlabel(label(result["time"]))
    axes.set_ylabel(label(result["response"], "Error of the mesh"))
    add_colour_bar(picture, colours, "Position", axes)
    return picture
