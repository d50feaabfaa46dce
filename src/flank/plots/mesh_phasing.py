"""The picture of mesh phasing: phases of the planets, and what is left of harmonics."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from flank.analyses.result import Result
from flank.plots.style import MAIN, QUIET, SECOND, WIDE, Picture, label, shown, styled


def draw(result: Result) -> dict[str, Picture]:
    """Phases to the left, sums over the planets to the right."""
    if "sun_phase" not in result.dataset:
        return {}
    with styled():
        return {"mesh-phasing": _picture(result)}


def _picture(result: Result) -> Picture:
    picture = Picture(
        WIDE,
        3.4,
        "Left: how far each planet's meshes are ahead of the first planet's, in pitches. Right: "
        "what is left of a harmonic of the mesh frequency when the planets' meshes add up, as a "
        "torque on the central members and as a force on them.",
    )
    left = picture.add_axes((0.07, 0.15, 0.33, 0.74))
    right = picture.add_axes((0.49, 0.15, 0.49, 0.74))
    planets = result["planet"].values
    for shift, name, colour, text in (
        (-0.19, "sun_phase", MAIN, "sun mesh"),
        (0.19, "ring_phase", SECOND, "ring mesh"),
    ):
        if name not in result.dataset:  # of planets that mesh with the sun alone
            continue
        left.bar(planets + shift, result[name].values, 0.36, color=colour, label=text)
    left.set_ylim(0.0, 1.0)
    left.set_xticks(planets)
    left.set_xlabel("Planet")
    left.set_ylabel("Phase (pitches)")
    left.set_title("Phases")
    _above(left)
    harmonics = result["harmonic"].values
    for shift, name, colour, text in (
        (-0.19, "torque_share", MAIN, "torque"),
        (0.19, "force_share", SECOND, "force"),
    ):
        values = shown(result[name])
        right.bar(
            harmonics + shift, np.where(values > 1e-6, values, 0.0), 0.36, color=colour, label=text
        )
    if "excited_family" in result.dataset:
        for harmonic, family in zip(harmonics, result["excited_family"].values, strict=True):
            right.text(harmonic, 103, str(family)[:5] + ".", ha="center", color=QUIET, fontsize=7.5)
    right.set_ylim(0.0, 112.0)
    right.set_xticks(harmonics)
    right.set_xlabel(label(result["harmonic"]) + " of the mesh frequency")
    right.set_ylabel("Left of the sum (%)")
    right.set_title("What the planets' sum leaves")
    _above(right)
    return picture


def _above(axes: Axes) -> None:
    """The legend above the axes, to the right of the title."""
    axes.legend(loc="lower right", bbox_to_anchor=(1.0, 0.99), ncols=2, handlelength=1.0)
