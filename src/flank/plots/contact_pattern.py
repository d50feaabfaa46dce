"""Pictures of flanks that roll without load: pattern and ease-off on the flank, motion curves."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.ticker import MaxNLocator

from flank.analyses.result import Result
from flank.plots.style import (
    ACCENT,
    COLOURS,
    INK,
    MAIN,
    QUIET,
    SECOND,
    WIDE,
    Picture,
    add_colour_bar,
    label,
    legend_beside,
    shown,
    white_to_dark,
)

FILL = "#c9dcee"


def draw(result: Result) -> dict[str, Picture]:
    pictures = {"contact-pattern": _pattern(result), "motion-curves": _motion(result)}
    if "moved_separation" in result.data:
        pictures["misalignments"] = _misalignments(result)
    return pictures


def flank_frame(axes: Axes, ends: tuple[str, str] | None = ("toe", "heel")) -> None:
    """The rectangle of a flank with the names of its borders, none for small pictures."""
    axes.set_xlim(-5, 105)
    axes.set_ylim(-10, 110)
    axes.grid(visible=False)
    axes.plot([0, 100, 100, 0, 0], [0, 0, 100, 100, 0], color=INK, linewidth=0.9)
    for side in ("left", "bottom"):
        axes.spines[side].set_visible(False)
    axes.set_xticks([])
    axes.set_yticks([])
    if ends is not None:
        style: Any = {"ha": "center", "va": "center", "fontsize": 8, "color": QUIET}
        places = ((-3, 50), (103, 50), (50, -6), (50, 106))
        for (x, y), name in zip(places, (*ends, "root", "tip"), strict=True):
            axes.text(x, y, name, rotation=90 * (y == 50), clip_on=False, **style)


def _pattern(result: Result) -> Picture:
    data = result.data
    picture = Picture(
        WIDE,
        3.1,
        "The wheel's flank from toe to heel. Left: blue is what compound marks, darker where "
        "flanks come closer; the path of contact (orange, red where an edge touches) and lines of "
        "contact at some positions. Right: ease-off, what the wheel's flank lacks of the one that "
        "the pinion would generate.",
    )
    left, right = picture.panels(1, 2)[0]
    flank_frame(left)
    separation, compound = shown(data["separation"]), _compound(result)
    face, height = shown(data["face"]), shown(data["height"])
    depth = np.where(np.isfinite(separation), compound - separation, -compound)
    if (depth > 0).any():
        levels = np.linspace(0, compound, 6)
        left.contourf(face, height, depth, levels, colors=_blues(5), extend="max")
        left.contour(face, height, depth, [0], colors=MAIN, linewidths=0.8)
    for ends in zip(shown(data["line_face"]), shown(data["line_height"]), strict=True):
        left.plot(*ends, color=INK, linewidth=0.6)
    path_face, path_height = shown(data["path_face"]), shown(data["path_height"])
    edge = data["on_edge"].values > 0
    left.plot(path_face[~edge], path_height[~edge], ".", color=SECOND, markersize=3)
    left.plot(path_face[edge], path_height[edge], ".", color=ACCENT, markersize=3)
    left.set_title(f"Pattern of {compound:.3g} um compound on the wheel".replace("um", "µm"))
    flank_frame(right, None)
    image = _ease_off(right, result)
    right.set_title("Ease-off")
    add_colour_bar(picture, image, label(data["ease_off"], "Ease-off"), [right])
    return picture


def _ease_off(axes: Axes, result: Result) -> ScalarMappable:
    data = result.data
    relief = shown(data["ease_off"])
    face, height = shown(data["ease_face"]), shown(data["ease_height"])
    low, high = float(np.nanmin(relief)), float(np.nanmax(relief))
    levels = MaxNLocator(12).tick_values(min(low, 0.0), max(high, 1e-3))
    image = axes.contourf(face, height, relief, levels, cmap=white_to_dark())
    lines = axes.contour(face, height, relief, levels[2:-1:2], colors=INK, linewidths=0.4)
    axes.clabel(lines, fontsize=6.5, fmt="%g")
    return image


def _blues(count: int) -> list[tuple[float, ...]]:
    return [white_to_dark()(0.2 + 0.55 * k / count) for k in range(count)]


def _compound(result: Result) -> float:
    """In µm."""
    from flank import units

    return 1e6 * units.parse(result.settings["compound"], "m")


def _motion(result: Result) -> Picture:
    data = result.data
    picture = Picture(
        WIDE,
        3.0,
        "Transmission error over two pitches of the pinion, positive the way the wheel is pushed: "
        "of single pairs of teeth (thin), and what all of them leave; red where an edge touches.",
    )
    axes = picture.panel()
    angle, error = shown(data["angle"]), shown(data["transmission_error"])
    span, pitch = max(float(np.ptp(error)), 1e-3), len(angle) * float(angle[1] - angle[0])
    pairs = data["pair"].values
    long = np.concatenate([angle + k * pitch for k in pairs])
    curve = shown(data["pair_error"]).ravel()
    for k, colour in zip(pairs[1:-1], COLOURS, strict=False):
        axes.plot(long - k * pitch, curve, color=colour, linewidth=0.9)
    wide = np.concatenate([angle + k * pitch for k in (-1, 0, 1)])
    every, edge = np.tile(error, 3), np.tile(data["on_edge"].values > 0, 3)
    axes.plot(wide, every, color=INK, linewidth=1.8, label="all teeth")
    if edge.any():
        on_edge = np.where(edge, every, np.nan)
        axes.plot(wide, on_edge, color=ACCENT, linewidth=1.8, label="on an edge")
    axes.set_ylim(float(error.min()) - 0.8 * span, float(error.max()) + 0.25 * span)
    axes.set_xlim(angle[0] - 0.5 * pitch, angle[-1] + 0.5 * pitch)
    axes.set_xlabel(label(data["angle"]))
    axes.set_ylabel(label(data["transmission_error"]))
    legend_beside(axes)
    return picture


def _misalignments(result: Result) -> Picture:
    data = result.data
    names = [str(name) for name in data["mounting"].values]
    columns = (len(names) - 1) // 2
    picture = Picture(
        WIDE,
        3.4,
        "Patterns on the wheel under misalignments, toe left and heel right, the pattern as "
        "mounted as an outline: E along the offset, P and G along the axes of pinion and wheel "
        "away from the crossing point, Σ of the shaft angle.",
    )
    panels = picture.panels(2, columns)
    face, height = shown(data["face"]), shown(data["height"])
    separation, compound = shown(data["moved_separation"]), _compound(result)
    depth = compound - np.where(np.isfinite(separation), separation, 2 * compound)
    for k, name in enumerate(names[1:]):
        axes = panels[k % 2, k // 2]
        flank_frame(axes, None)
        axes.set_title(name)
        if (depth[k + 1] > 0).any():
            axes.contourf(face, height, depth[k + 1], [0, 2 * compound], colors=[FILL])
            axes.contour(face, height, depth[k + 1], [0], colors=MAIN, linewidths=0.8)
        if (depth[0] > 0).any():
            axes.contour(face, height, depth[0], [0], colors=QUIET, linewidths=0.7)
    return picture
