"""Pictures of planets: how they share a load, over the way and over an error, and how their meshes
are phased."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from flank.analyses.result import Result
from flank.arrays import Floats
from flank.plots.style import (
    ACCENT,
    COLOURS,
    MAIN,
    QUIET,
    SECOND,
    WIDE,
    Picture,
    angle_ticks,
    label,
    legend_above,
    legend_beside,
    shown,
    widen,
)

PHASE_MARKS: dict[str, dict[str, Any]] = {
    "sun": {"marker": "o", "markersize": 5, "color": MAIN},
    "ring": {"marker": "s", "markersize": 9, "color": SECOND, "fillstyle": "none"},
}
"""One inside the other where both meshes of a planet are in phase."""


def draw(result: Result) -> dict[str, Picture]:
    """What the result has of: load-sharing, sharing-by-error, mesh-phasing."""
    data = result.data
    pictures: dict[str, Picture] = {}
    if data.sizes.get("crank_angle", 0) > 1:
        pictures["load-sharing"] = _over_angle(result)
    if data.sizes.get("error", 0) > 1:
        pictures["sharing-by-error"] = _over_error(result)
    if "sun_phase" in data:
        pictures["mesh-phasing"] = _phasing(result)
    return pictures


def _planets(result: Result) -> Iterator[tuple[int, str, str]]:
    """Number, name and colour of every planet."""
    for planet in range(result.data.sizes["planet"]):
        yield planet, f"planet {planet + 1}", COLOURS[planet % len(COLOURS)]


def _over_angle(result: Result) -> Picture:
    picture = Picture(
        WIDE,
        4.6,
        "Tangential load of every planet pin over the input angle, as a share of the mean, and the "
        "normal forces of its meshes.",
    )
    top, below = picture.panels(2, 1)[:, 0]
    angle = shown(result.data["crank_angle"])
    share = result.data["share"]
    meshes = {"sun": "-"} | ({"ring": "--"} if "ring_force" in result.data else {})
    for planet, name, colour in _planets(result):
        top.plot(angle, shown(share)[:, planet], color=colour, label=name)
        for mesh, style in meshes.items():
            forces = shown(result.data[f"{mesh}_force"])
            below.plot(angle, forces[:, planet], color=colour, linestyle=style)
    for mesh, style in meshes.items():
        below.plot([], [], color=QUIET, linestyle=style, label=f"{mesh} mesh")
    top.set_ylabel(label(share, "Share"))
    below.set_ylabel(label(result.data["sun_force"], "Normal force"))
    below.set_xlabel(label(result.data["crank_angle"]))
    for axes in (top, below):
        axes.set_xlim(angle[0], angle[-1])
        axes.margins(y=0.15)
        widen(axes, 0.02)
        legend_beside(axes)
    if angle[-1] - angle[0] > 30:
        angle_ticks(below, angle[0], angle[-1])
    return picture


def _over_error(result: Result) -> Picture:
    picture = Picture(
        WIDE,
        3.4,
        "Mean share of every planet over one error of the machine, and the mesh load factor: the "
        "largest share anywhere on the way.",
    )
    axes = picture.panel()
    error = shown(result.data["error"])
    share = result.data["share_by_error"]
    for planet, name, colour in _planets(result):
        axes.plot(error, shown(share)[:, planet], color=colour, label=name)
    factor = 100 * result.data["factor_by_error"].values
    axes.plot(error, factor, color=ACCENT, linestyle=(0, (4, 3)), label="$K_γ$")
    axes.set_xlim(error[0], error[-1])
    axes.set_xlabel(label(result.data["error"]))
    axes.set_ylabel(label(share, "Share"))
    legend_beside(axes)
    return picture


def _phasing(result: Result) -> Picture:
    picture = Picture(
        WIDE,
        3.4,
        "Left: how far each planet's meshes are ahead of the first planet's, in pitches. Right: "
        "what is left of a harmonic of the mesh frequency when the planets' meshes add up, as a "
        "torque on the central members and as a force on them.",
    )
    left, right = picture.panels(1, 2, width_ratios=(0.4, 0.6))[0]
    planets, harmonics = result.data["planet"].values, result.data["harmonic"].values
    mates = [mate for mate in ("sun", "ring") if f"{mate}_phase" in result.data]
    for mate in mates:
        phase = result.data[f"{mate}_phase"].values
        left.plot(
            planets, phase, label=f"{mate} mesh", clip_on=False, linestyle="", **PHASE_MARKS[mate]
        )
    legend_above(left)
    left.set_xticks(planets)
    left.set_xlim(planets[0] - 0.5, planets[-1] + 0.5)
    left.set_ylim(0.0, 1.0)
    left.set_xlabel("Planet")
    left.set_ylabel("Phase (pitches)")
    left.set_title("Phases")
    shares = {name: shown(result.data[f"{name}_share"]) for name in ("torque", "force")}
    _two_bars(right, harmonics, shares)
    if "excited_family" in result.data:
        for harmonic, family in zip(harmonics, result.data["excited_family"].values, strict=True):
            right.text(harmonic, 103, str(family)[:5] + ".", ha="center", color=QUIET, fontsize=7.5)
    right.set_ylim(0.0, 112.0)
    right.set_xlabel(label(result.data["harmonic"]) + " of the mesh frequency")
    right.set_ylabel("Left of the sum (%)")
    right.set_title("What the planets' sum leaves")
    return picture


def _two_bars(axes: Axes, places: Floats, values: dict[str, Floats]) -> None:
    """Two bars side by side at every place, named above."""
    for shift, colour, name in zip((-0.19, 0.19), (MAIN, SECOND), values, strict=True):
        heights = np.where(values[name] > 1e-6, values[name], 0.0)
        axes.bar(places + shift, heights, 0.36, color=colour, label=name)
    axes.set_xticks(places)
    legend_above(axes)
