"""The picture of measured parts: what flanks and pins deviate from their nominal ones."""

import math

import numpy as np
from matplotlib.axes import Axes
from matplotlib.projections.polar import PolarAxes

from flank.analyses.measured_parts import OFF
from flank.analyses.result import Result
from flank.plots.style import (
    COLOURS,
    MAIN,
    QUIET,
    SECOND,
    WIDE,
    Picture,
    angle_ticks,
    label,
    legend_above,
    shown,
)

ROUND_SHARE = 0.3
"""Of the radius of the round picture, that the nominal flank's circle leaves for deviations."""


def draw(result: Result) -> dict[str, Picture]:
    """Deviations of flanks over the angle and around the disc, and errors of pins below."""
    flanks = "point_deviation" in result.data
    pins = [name for name in (f"measured_{kind}" for kind in OFF) if name in result.data]
    if not flanks and not pins:
        return {}
    rows = len(result.data["measured_disc"].values) if flanks else 0
    captions = []
    if flanks:
        largest = float(np.abs(shown(result.data["point_deviation"])).max())
        captions.append(
            "What measured flanks deviate from the nominal ones along their normals, positive "
            "where they stand out: over the angle around the disc from the middle of its bore, "
            f"and around it, drawn {_magnified(largest)}."
        )
    if pins:
        captions.append("Below: errors of the measured pins by number." if flanks else "")
        captions[-1] = captions[-1] or "Errors of the measured pins by number."
    picture = Picture(WIDE, 2.6 * rows + 2.6 * bool(pins), " ".join(captions))
    picture.lay_out()
    grid = picture.add_gridspec(rows + bool(pins), 2, width_ratios=(2.6, 1))
    for row in range(rows):
        along = picture.add_subplot(grid[row, 0])
        around = picture.add_subplot(grid[row, 1], projection="polar")
        assert isinstance(around, PolarAxes)
        _draw_flank(along, around, result, row)
    if pins:
        _draw_pins(picture.add_subplot(grid[rows, :]), result, pins)
    return {"measured-parts": picture}


def _magnified(largest: float) -> str:
    return f"so that {largest:.3g} µm reach a third of the way to the rim"


def _draw_flank(along: Axes, around: PolarAxes, result: Result, row: int) -> None:
    number = int(result.data["measured_disc"].values[row])
    chosen = result.data["point_disc"].values == number
    angle, off = (shown(result.data[f"point_{name}"])[chosen] for name in ("angle", "deviation"))
    along.axhline(0.0, color=QUIET, linewidth=0.8)
    along.plot(angle, off, ".", color=MAIN, markersize=2.0)
    mean = float(shown(result.data["flank_deviation_mean"])[row])
    dashes = (0, (4, 2))
    along.axhline(mean, color=SECOND, linewidth=1.0, linestyle=dashes, label=f"mean {mean:.2f} µm")
    along.set_title(f"Disc {number}")
    along.set_xlabel(label(result.data["point_angle"]))
    along.set_ylabel(label(result.data["point_deviation"], "Deviation"))
    angle_ticks(along, 0.0, 360.0)
    legend_above(along)
    reach = max(float(np.abs(shown(result.data["point_deviation"])).max()), 1e-9)
    turns = np.linspace(0.0, 2 * math.pi, 361)
    around.plot(turns, np.ones(len(turns)), color=QUIET, linewidth=0.8)
    radius = 1.0 + ROUND_SHARE * off / reach
    around.plot(np.radians(angle), radius, ".", color=MAIN, markersize=1.2)
    around.set_ylim(0.0, 1.0 + 1.1 * ROUND_SHARE)
    around.set_yticks([])
    around.set_xticks(np.radians([0, 90, 180, 270]), ["0°", "90°", "180°", "270°"])
    around.grid(visible=False)
    around.spines["polar"].set_visible(False)


def _draw_pins(axes: Axes, result: Result, names: list[str]) -> None:
    numbers = result.data["measured_pin"].values
    wide = 0.8 / len(names)
    for k, (name, colour) in enumerate(zip(names, COLOURS, strict=False)):
        off = result.data[name]
        place = numbers + (k - (len(names) - 1) / 2) * wide
        axes.bar(place, shown(off), wide, color=colour, label=str(off.attrs["long_name"]))
    axes.axhline(0.0, color=QUIET, linewidth=0.8)
    axes.set_xlim(0.4, numbers[-1] + 0.6)
    axes.set_xlabel("Pin")
    axes.set_ylabel(label(result.data[names[0]], "Error"))
    axes.set_title("Pins")
    axes.grid(visible=False, axis="x")
    legend_above(axes, len(names))
