"""The picture of a torque-angle loop and of what is read off it."""

import numpy as np
from matplotlib.axes import Axes

from flank import units
from flank.analyses.loop import FIT_FROM, FIT_TO, LOST_MOTION_SHARE, Loop
from flank.analyses.result import Result
from flank.io.shown import factor
from flank.plots.measured_curves import draw_measured_loop, loop_residual
from flank.plots.style import (
    ACCENT,
    MAIN,
    QUIET,
    SECOND,
    WIDE,
    Picture,
    figure_text,
    label,
    shown,
)

ZOOM = 3.0
"""The zoom reaches to this many times the torque of the lost motion."""
SMALLEST_ARROW = 0.05
"""A backlash below this share of the zoom's height is written but not drawn."""


def draw(result: Result) -> dict[str, Picture]:
    """The loop, and beside it a zoom about zero torque."""
    if "loop_angle" not in result.data or result.data.sizes["point"] < 2:
        return {}
    return {"hysteresis": _loop_picture(result), **loop_residual(result)}


def _loop_picture(result: Result) -> Picture:
    torque, angle = result.data["loop_torque"], result.data["loop_angle"]
    complete = "backlash" in result.data
    picture = Picture(
        WIDE,
        4.0,
        "Angle of the output over the torque on it, input locked. "
        + (
            "Left: the loop with the fit of the torsional stiffness. Right: the same near zero "
            f"torque, with backlash at zero and lost motion at ±{LOST_MOTION_SHARE:.0%} of the "
            "rated torque."
            if complete
            else "The loop ends where the computation ended."
        ),
    )
    panels = picture.panels(1, 2)[0]
    full, zoom = panels
    for axes in panels:
        axes.axhline(0.0, color=QUIET, linewidth=0.6)
        axes.axvline(0.0, color=QUIET, linewidth=0.6)
        axes.plot(shown(torque), shown(angle), color=MAIN)
        draw_measured_loop(axes, result, legend=axes is full)
        axes.set_xlabel(label(torque))
        axes.set_ylabel(label(angle))
    loop = _loop(result)
    full.set_title("Whole loop")
    zoom.set_title("Near zero torque")
    _zoom_in(zoom, loop)
    if complete:
        _draw_fit(full, loop, result)
        _mark_play(zoom, loop, result)
    return picture


def _loop(result: Result) -> Loop:
    return Loop(
        torque=result.data["loop_torque"].values,
        angle=result.data["loop_angle"].values,
        stage=result.data["loop_stage"].values,
        rated_torque=units.parse(result.spec["rated_torque"], "N*m"),
        fit_from=units.parse(result.settings.get("fit_from", FIT_FROM), ""),
        fit_to=units.parse(result.settings.get("fit_to", FIT_TO), ""),
    )


def _zoom_in(axes: Axes, loop: Loop) -> None:
    """Limits that show the loop's crossing of zero torque."""
    reach = min(ZOOM * LOST_MOTION_SHARE * loop.rated_torque, float(np.abs(loop.torque).max()))
    if reach <= 0.0:
        return
    near = np.abs(loop.torque) <= reach * 1.2
    top = float(np.abs(loop.angle[near]).max()) * factor("rad", "arcmin") * 1.15
    axes.set_xlim(-reach, reach)
    if top > 0.0:
        axes.set_ylim(-top, top)


def _draw_fit(axes: Axes, loop: Loop, result: Result) -> None:
    """The straight lines whose mean slope is K_T, drawn over the part that was fitted."""
    if loop.fit is None:
        return
    for sign in (1.0, -1.0):
        torque = sign * loop.fit
        slope, offset = np.polyfit(torque, loop.middle(torque), 1)
        ends = np.array([0.0, torque[-1]])
        angle = (slope * ends + offset) * factor("rad", "arcmin")
        axes.plot(ends, angle, color=SECOND, linewidth=1.0, linestyle=(0, (4, 2)))
    size = figure_text(result, "torsional_stiffness")
    sides = [
        f"{name} {figure_text(result, figure)}"
        for name, figure in (("$K_{T+}$", "positive_stiffness"), ("$K_{T-}$", "negative_stiffness"))
        if figure in result.data
    ]
    over = f"{figure_text(result, 'fit_begin')} to {figure_text(result, 'fit_end')}"
    lines = [f"Torsional stiffness {size}", f"fitted from {over}", *sides]
    for place, line in enumerate(reversed(lines)):
        _note(axes, 0.05 + 0.06 * place, line, SECOND)


def _mark_play(axes: Axes, loop: Loop, result: Result) -> None:
    """Backlash and lost motion as heights with their ends; a small loop has no lost motion."""
    to_arcmin = factor("rad", "arcmin")
    if "lost_motion" in result.data:
        at = LOST_MOTION_SHARE * loop.rated_torque
        right = float(loop.middle(at)[0]) * to_arcmin
        left = float(loop.middle(-at)[0]) * to_arcmin
        axes.plot([at, -at], [right, left], "o", color=SECOND, markersize=4)
        _height(axes, -0.62 * axes.get_xlim()[1], left, right, -at, at, SECOND)
    low, high = loop.at(3, 0.0) * to_arcmin, loop.at(1, 0.0) * to_arcmin
    if abs(high - low) > SMALLEST_ARROW * axes.get_ylim()[1]:
        _height(axes, 0.0, low, high, 0.0, 0.0, ACCENT)
    for name, colour, y in (("lost_motion", SECOND, 0.12), ("backlash", ACCENT, 0.05)):
        if name in result.data:
            title = result.data[name].attrs["long_name"]
            _note(axes, y, f"{title} {figure_text(result, name)}", colour)


def _note(axes: Axes, height: float, text: str, colour: str) -> None:
    """A line in the lower right quarter, which a loop never enters."""
    at = axes.transAxes
    axes.text(0.98, height, text, color=colour, transform=at, ha="right", fontsize="small")


def _height(
    axes: Axes, x: float, low: float, high: float, low_from: float, high_from: float, colour: str
) -> None:
    """A double arrow from `low` to `high` at x, with thin lines to where they were read."""
    for level, start in ((low, low_from), (high, high_from)):
        if start != x:
            axes.plot([start, x], [level, level], color=colour, linewidth=0.7, linestyle=":")
    arrow = {"arrowstyle": "<->", "color": colour, "linewidth": 1.0, "shrinkA": 0, "shrinkB": 0}
    axes.annotate("", (x, low), (x, high), arrowprops=arrow)
