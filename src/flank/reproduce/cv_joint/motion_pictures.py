"""Figs. 13 and 14: the ball in its track, and the inner race along its axis."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from flank.io.shown import factor
from flank.plots.style import MAIN, SECOND, WIDE, Picture, angle_ticks, styled
from flank.reproduce.cv_joint.friction_pictures import FIRST
from flank.reproduce.cv_joint.turning import DRIVEN, Turned

RED, BLUE, GREEN = "#b3261e", "#1f5a94", "#5b9a68"
AXES = {"x": RED, "y": BLUE, "z": GREEN}
CARDAN = {"α": RED, "β": BLUE, "γ": GREEN}
PANELS = (
    ("ball_place", "Place", "mm"),
    ("ball_velocity", "Velocity", "mm/s"),
    ("ball_spin", "Angular velocity", "rad/s"),
    ("ball_cardan", "Cardan angles", "deg"),
)
SHOWN_ORDERS = 36


def ball_picture(turn: Turned) -> Picture:
    """Fig. 13."""
    with styled():
        picture = Picture(
            WIDE,
            5.8,
            "A ball in its track of the inner race over one turn with a friction of 0.03 (Fig. 13 "
            "of the paper): x to the bottom of the track, y across it, z along it. Places x and y "
            "are drawn a hundred times as large; Cardan angles begin at zero.",
        )
        for number, (name, title, unit) in enumerate(PANELS if turn.complete else ()):
            left, bottom = 0.08 + 0.495 * (number % 2), 0.58 - 0.49 * (number // 2)
            axes = picture.add_axes((left, bottom, 0.40, 0.355))
            quantity = turn.curves[name]
            values = turn.values(name)[:, FIRST, DRIVEN] * factor(quantity.unit, unit)
            names = CARDAN if name == "ball_cardan" else AXES
            for axis, (text, colour) in enumerate(names.items()):
                larger = 100.0 if name == "ball_place" and axis < 2 else 1.0
                label = text if larger == 1.0 else f"{text} x 100"
                axes.plot(
                    np.degrees(turn.angle), larger * values[:, axis], color=colour, label=label
                )
            axes.set_title(f"({'abcd'[number]}) {title}")
            axes.set_ylabel(f"{title} ({'°' if unit == 'deg' else unit})")
            axes.set_xlabel("Angle of the turn (°)" if number > 1 else "")
            angle_ticks(axes, 0.0, 360.0)
            axes.legend(loc="best", ncols=3, handlelength=1.2, columnspacing=1.0)
    return picture


def axial_picture(turns: Mapping[str, Turned], ball: Turned) -> Picture:
    """Fig. 14: `turns` with the inner race free to slide."""
    with styled():
        picture = Picture(
            WIDE,
            6.0,
            "The inner race free to slide, with a friction of 0.03 (Fig. 14 of the paper). Above: "
            "the ball along its track beside the inner race along its axis. Below: the inner race "
            "alone, and its orders. Odd multiples of four appear, even ones do not.",
        )
        top = picture.add_axes((0.075, 0.60, 0.90, 0.355))
        left = picture.add_axes((0.075, 0.085, 0.41, 0.39))
        right = picture.add_axes((0.575, 0.085, 0.40, 0.39))
        if ball.complete:
            stroke = ball.values("ball_place")[:, FIRST, DRIVEN, 2] * 1e3
            top.plot(np.degrees(ball.angle), stroke, color=GREEN, label="ball along its track")
        for number, ((name, turn), colour) in enumerate(
            zip(turns.items(), (MAIN, SECOND), strict=False)
        ):
            if not turn.complete:
                continue
            angle, place = np.degrees(turn.angle), turn.values("axial_place")
            top.plot(angle, place * 1e3, color=colour, label=f"inner race, {name}")
            left.plot(angle, place * 1e6, color=colour, label=name)
            orders, amplitudes = turn.amplitudes("axial_place")
            shown = (orders > 0) & (orders <= SHOWN_ORDERS)
            right.vlines(orders[shown] + 0.4 * (number - 0.5), 1e-5, amplitudes[shown] * 1e6,
                         color=colour, linewidth=2.2, label=name)  # fmt: skip
        for axes in (top, left):
            axes.set_xlabel("Angle of the turn (°)")
            angle_ticks(axes, 0.0, 360.0)
        top.set_ylabel("Place (mm)")
        if ball.complete:
            top.legend(loc="upper center", ncols=3)
        left.set_ylabel("Inner race (µm)")
        left.margins(y=0.2)
        if left.get_lines():
            left.legend(loc="upper right", ncols=2)
        right.set_yscale("log")
        right.set_ylim(1e-4, 40.0)
        right.set_xlim(0.0, SHOWN_ORDERS)
        right.set_xticks(range(0, SHOWN_ORDERS + 1, 4))
        right.set_xlabel("Order of the turn")
        right.set_ylabel("Amplitude (µm)")
    return picture
