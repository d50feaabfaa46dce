"""Figs. 11 and 12: secondary torque over friction, and track forces over the turn."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes

from flank.plots.style import ACCENT, FAINT, INK, MAIN, QUIET, SECOND, WIDE, Picture, styled
from flank.reproduce.cv_joint.friction import Regression, bounds
from flank.reproduce.cv_joint.joints import PAPERS, Stiffness
from flank.reproduce.cv_joint.published import FRICTION, SECONDARY_SHARE, TORQUE
from flank.reproduce.cv_joint.turning import DRIVEN, DRIVING, Turned

GREEN = "#5b9a68"
TurnsOverFriction = Mapping[float, Turned]

FIRST = 0
"""The ball shown: in the plane of the shafts, on the side to which they lean, where a turn
begins."""


def secondary_picture(
    turns: Mapping[Stiffness, TurnsOverFriction], fits: Mapping[str, Regression]
) -> Picture:
    """Fig. 11."""
    with styled():
        picture = Picture(
            WIDE,
            4.3,
            "Mean secondary torque in the plane of the shafts at 2000 N·m and 2° over the "
            "coefficient of friction (Fig. 11 of the paper), on the driven (inner) and the driving "
            "(outer) race. Grey: T tan(β/2) ± 2μT/(π sin α), which it reaches if all balls slide "
            "along their tracks. The parabolas are fitted to the driven race, as the paper does. "
            "Cross: the paper's 'approximately 3 %'.",
        )
        for number, (stiffness, own) in enumerate(turns.items()):
            axes = picture.add_axes((0.075 + 0.50 * number, 0.12, 0.40, 0.78))
            frictions = np.array(list(own))
            low, high = np.array([bounds(mu) for mu in frictions]).T
            axes.fill_between(frictions, low, high, color=FAINT, alpha=0.5, linewidth=0)
            for race, colour, name in ((DRIVEN, MAIN, "driven"), (DRIVING, SECOND, "driving")):
                torque = [each.secondary(race) for each in own.values()]
                axes.plot(frictions, torque, "o", color=colour, markersize=4, label=name)
            if stiffness == PAPERS:
                _parabolas(axes, frictions, fits)
            share = SECONDARY_SHARE * TORQUE
            axes.plot(FRICTION, share, "x", color=INK, markersize=7, label="paper", zorder=5)
            axes.axhline(0.0, color=QUIET, linewidth=0.6)
            axes.set_title(f"({'ab'[number]}) Contact stiffness {stiffness.name}")
            axes.set_xlabel("Coefficient of friction")
            axes.set_ylabel("Secondary torque (N·m)")
            axes.set_xlim(0.0, frictions[-1] * 1.02)
            axes.legend(loc="upper left")
    return picture


def _parabolas(axes: Axes, frictions, fits: Mapping[str, Regression]) -> None:
    fine = np.linspace(0.0, frictions[-1], 101)
    for (name, fit), colour in zip(fits.items(), (ACCENT, GREEN), strict=True):
        axes.plot(fine, fit.at(fine), color=colour, linewidth=1.0, label=f"parabola, {name}")


def track_force_picture(turns: TurnsOverFriction, force: float) -> Picture:
    """Fig. 12; forces are divided by `force`, Eq. 23."""
    with styled():
        picture = Picture(
            WIDE,
            3.9,
            "Forces of the flanks of one inner track over the turn, divided by Eq. 23, for several "
            "coefficients of friction (Fig. 12 of the paper): loaded flank (lines) and the one "
            "opposite (dashes). At 0° the ball is in the plane of the shafts, on the side to which "
            "the inner axis leans; the joint turns towards positive angles.",
        )
        axes = picture.add_axes((0.075, 0.13, 0.90, 0.80))
        for (friction, turn), colour in zip(turns.items(), (ACCENT, MAIN, GREEN), strict=False):
            if not turn.complete:
                continue
            angle, forces = centred(turn, turn.values("track_force")[:, FIRST, DRIVEN])
            name = f"μ = {friction:g}"
            axes.plot(angle, forces[:, turn.loaded] / force, color=colour, label=name)
            axes.plot(angle, forces[:, 1 - turn.loaded] / force, color=colour, linestyle="--")
        axes.axhline(1.0, color=QUIET, linewidth=0.8, linestyle=":")
        axes.set_xlabel("Angle of the turn (°)")
        axes.set_ylabel("Force over Eq. 23")
        axes.set_xlim(-180.0, 180.0)
        axes.set_xticks(np.arange(-180, 181, 30))
        axes.set_ylim(bottom=0.0)
        if any(turn.complete for turn in turns.values()):
            axes.legend(loc="upper right", ncols=3)
    return picture


def centred(turn: Turned, values):
    """Degrees from -180 to 180 and a periodic curve over them."""
    count = len(turn.angle) - 1
    order = np.r_[count // 2 : count, 0 : count // 2 + 1]
    angle = np.degrees(turn.angle[order])
    angle[: count - count // 2] -= 360.0
    return angle, values[order]
