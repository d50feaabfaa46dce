"""What a joint does to its shafts: secondary torque, cage angle, axial force, losses."""

from __future__ import annotations

import math

import numpy as np
from matplotlib.axes import Axes

from flank.analyses.result import Result
from flank.plots.joint_forces import over_the_turn
from flank.plots.style import (
    INK,
    MAIN,
    QUIET,
    SECOND,
    WIDE,
    Picture,
    label,
    shown,
    widen,
)

COLOURS = {"outer": MAIN, "inner": SECOND}
SHOWN_SHARE = 1e-3
"""Orders above the last with this share of the largest amplitude are not shown."""


def torque_picture(result: Result) -> Picture:
    """Secondary torques of both races, and the cage against half the angle of the shafts."""
    picture = Picture(
        WIDE,
        4.8,
        "Above: the torque of the balls square to each race's axis, in the plane of the shafts "
        "(line) and normal to it (dashed); grey is T tan(β/2), which the frictionless joint has in "
        "the plane. Below: the cage's angle to the outer race, and half the angle of the shafts.",
    )
    top = picture.add_axes((0.085, 0.49, 0.88, 0.48))
    below = picture.add_axes((0.085, 0.11, 0.88, 0.31))
    angle, torque = shown(result["angle"]), result["secondary_torque"]
    for k, (race, colour) in enumerate(COLOURS.items()):
        values = shown(torque)[:, k]
        top.plot(angle, values[:, 0], color=colour, label=f"on the {race} race, in the plane")
        top.plot(angle, values[:, 1], color=colour, linestyle="--", label="normal to it")
    for line in _ideal(result):
        top.axhline(line, color=QUIET, linewidth=0.9, linestyle=":", label="T tan(β/2)")
    low, high = top.get_ylim()
    top.set_ylim(low, high + 0.22 * (high - low))
    top.legend(loc="upper right", ncols=5, columnspacing=1.2)
    top.set_ylabel(label(torque, "Secondary torque"))
    cage, deflection = shown(result["cage_angle"]), shown(result["deflection"])
    below.plot(angle, cage, color=MAIN, label="cage")
    below.plot(angle, 0.5 * deflection, color=QUIET, linestyle=":", label="half of the shafts")
    widen(below, 0.05)
    low, high = below.get_ylim()
    below.set_ylim(low, high + 0.25 * (high - low))
    below.legend(loc="upper right", ncols=2)
    below.set_ylabel(label(result["cage_angle"], "Angle"))
    over_the_turn(top, result, last=False)
    over_the_turn(below, result, last=True)
    return picture


def _ideal(result: Result) -> tuple[float, ...]:
    """T tan(β/2) on either side of zero, nearest to what races have in the plane."""
    torque = float(np.abs(result["shaft_torque"]).mean())
    size = torque * math.tan(0.5 * float(result["deflection"].mean()))
    signs = np.sign(result["secondary_torque"].mean("angle").values[:, 0])
    return tuple(sorted({float(sign) * size for sign in signs if sign}))


def axial_picture(result: Result) -> Picture:
    """Axial force on the inner race, its motion where it is free, and their orders."""
    free = "axial_place_amplitude" in result.dataset
    pairs = [("axial_force", "axial_force_amplitude")]
    if free:
        pairs.append(("axial_place", "axial_place_amplitude"))
    height = 0.5 + 2.2 * len(pairs)
    picture = Picture(
        WIDE,
        height,
        "The inner race along its axis, over the turn and as amplitudes of its orders. Without "
        "friction only odd multiples of half the number of balls would be there. Balls that slip "
        "push harder between the points drawn; peak to peak in the summary has it.",
    )
    tall = (1.0 - 0.5 / height) / len(pairs)
    for row, (course, amplitude) in enumerate(pairs):
        bottom = 0.5 / height + tall * (len(pairs) - 1 - row) + 0.02
        left = picture.add_axes((0.085, bottom, 0.40, tall - 0.3 / height))
        right = picture.add_axes((0.575, bottom, 0.39, tall - 0.3 / height))
        left.plot(shown(result["angle"]), shown(result[course]), color=MAIN)
        left.set_ylabel(label(result[course], "Force" if row == 0 else "Place"))
        over_the_turn(left, result, last=row == len(pairs) - 1)
        _orders(right, result, amplitude)
        if row == len(pairs) - 1:
            right.set_xlabel("Order of the turn")
    return picture


def _orders(axes: Axes, result: Result, name: str) -> None:
    amplitude = result[name]
    orders, values = amplitude["order"].values, shown(amplitude)
    main = result["ball"].size // 2
    seen = orders[values > SHOWN_SHARE * values.max()]
    last = min(max(seen.max(initial=0.0), 7 * main) + 1, orders[-1], 16 * main)
    axes.vlines(orders, 0.0, values, color=MAIN, linewidth=1.8)
    axes.set_xlim(0.0, last)
    axes.set_ylim(bottom=0.0)
    axes.set_xticks(np.arange(0, last, main * math.ceil(last / main / 9)))
    axes.set_ylabel(label(amplitude, "Amplitude"))
    axes.grid(visible=False, axis="x")


def energy_picture(result: Result) -> Picture:
    """Work that friction takes over the turn, and where the energy of the turns went."""
    picture = Picture(
        WIDE,
        3.0,
        "Left: what friction has taken at all contacts together since the turns began; steps are "
        "balls that slip. Right: the energies of the turns as shares of what goes through the "
        "joint, on a logarithmic scale; what the integration lost should be far below friction.",
    )
    left = picture.add_axes((0.085, 0.17, 0.40, 0.76))
    right = picture.add_axes((0.72, 0.17, 0.255, 0.76))
    work = result["friction_work"]
    left.plot(shown(result["angle"]), shown(work), color=MAIN)
    left.set_ylim(bottom=0.0)
    left.set_ylabel(label(work, "Work of friction"))
    over_the_turn(left, result, last=True)
    _shares(right, result)
    return picture


def _shares(axes: Axes, result: Result) -> None:
    names = [str(name) for name in result["energy"].values]
    shares = 100 * np.abs(result["energy_share"].values)
    least = 1e-12
    axes.barh(range(len(names)), np.maximum(shares, least), color=MAIN, height=0.6, left=least)
    axes.set_xscale("log")
    axes.set_xlim(1e-10, 300)
    axes.set_yticks(range(len(names)), [name.replace(" and ", "\nand ") for name in names])
    axes.invert_yaxis()
    axes.set_xlabel("Share (%)")
    axes.grid(visible=False, axis="y")
    axes.tick_params(axis="y", length=0, colors=INK)
