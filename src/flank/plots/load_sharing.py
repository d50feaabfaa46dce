"""Pictures of load sharing: over the way, and over an error."""

from __future__ import annotations

from flank.analyses.result import Result
from flank.plots.style import ACCENT, QUIET, WIDE, Picture, angle_ticks, label, shown, styled, widen
from flank.plots.time_response import COLOURS


def draw(result: Result) -> dict[str, Picture]:
    """What the result has of: load-sharing, sharing-by-error."""
    data = result.dataset
    pictures: dict[str, Picture] = {}
    with styled():
        if data.sizes.get("crank_angle", 0) > 1:
            pictures["load-sharing"] = _over_angle(result)
        if data.sizes.get("error", 0) > 1:
            pictures["sharing-by-error"] = _over_error(result)
    return pictures


def _over_angle(result: Result) -> Picture:
    picture = Picture(
        WIDE,
        4.6,
        "Tangential load of every planet pin over the input angle, as a share of the mean, and the "
        "normal forces of its meshes.",
    )
    top = picture.add_axes((0.085, 0.59, 0.78, 0.35))
    below = picture.add_axes((0.085, 0.11, 0.78, 0.37))
    angle = shown(result["crank_angle"])
    share = result["share"]
    meshes = {"sun": "-"} | ({"ring": "--"} if "ring_force" in result.dataset else {})
    for planet, colour in zip(range(result.dataset.sizes["planet"]), COLOURS * 4, strict=False):
        name = f"planet {planet + 1}"
        top.plot(angle, shown(share)[:, planet], color=colour, label=name)
        for mesh, style in meshes.items():
            forces = shown(result[f"{mesh}_force"])
            below.plot(angle, forces[:, planet], color=colour, linestyle=style)
    for mesh, style in meshes.items():
        below.plot([], [], color=QUIET, linestyle=style, label=f"{mesh} mesh")
    top.set_ylabel(label(share, "Share"))
    below.set_ylabel(label(result["sun_force"], "Normal force"))
    below.set_xlabel(label(result["crank_angle"]))
    for axes in (top, below):
        axes.set_xlim(angle[0], angle[-1])
        axes.margins(y=0.15)
        widen(axes, 0.02)
        axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1.02), borderaxespad=0.0)
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
    axes = picture.add_axes((0.085, 0.15, 0.78, 0.79))
    error = shown(result["error"])
    share = result["share_by_error"]
    for planet, colour in zip(range(result.dataset.sizes["planet"]), COLOURS * 4, strict=False):
        axes.plot(error, shown(share)[:, planet], color=colour, label=f"planet {planet + 1}")
    factor = 100 * result["factor_by_error"].values
    axes.plot(error, factor, color=ACCENT, linestyle=(0, (4, 3)), label="$K_γ$")
    axes.set_xlim(error[0], error[-1])
    axes.set_xlabel(label(result["error"]))
    axes.set_ylabel(label(share, "Share"))
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1.02), borderaxespad=0.0)
    return picture
