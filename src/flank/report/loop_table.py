"""The table of a torque-angle loop: twist over torque on both branches."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from flank.analyses.loop import LOST_MOTION_SHARE, Loop
from flank.io.shown import factor, unit_text
from flank.io.tables import Column, Table, table

if TYPE_CHECKING:
    from flank.analyses.result import Result

SHARES = (1.0, 0.75, 0.5, 0.25, 0.1, LOST_MOTION_SHARE, 0.0)
"""Of the peak torque, with either sign; where lost motion is read if the peak is the rated one."""

FALLING, RISING = (1, 2), (4, 3)
"""Stages of the branches at positive and at negative torque."""

DIGITS = 4


def loop_tables(result: Result) -> list[Table]:
    """The table of a loop that was walked to its end; nothing of other results."""
    if result.analysis != "hysteresis" or not result.complete:
        return []
    torque, angle = result.data["loop_torque"], result.data["loop_angle"]
    loop = Loop(torque.values, angle.values, result.data["loop_stage"].values, float("nan"))
    torques = np.max(loop.torque) * np.array([*SHARES, *(-share for share in SHARES[-2::-1])])
    falling, rising = (_branch(loop, torques, stages) for stages in (FALLING, RISING))
    scale = factor(angle.attrs["units"], angle.attrs["shown_unit"])
    twists = scale * np.array([falling, rising, falling - rising])
    shown_torques = torques * factor(torque.attrs["units"], torque.attrs["shown_unit"])
    unit = unit_text(angle.attrs["shown_unit"])
    torque_unit = unit_text(torque.attrs["shown_unit"])
    torque_form = _form(LOST_MOTION_SHARE * shown_torques[0], DIGITS - 1)
    twist_form = _form(np.abs(twists).max(), DIGITS)
    headings = ("Twist, torque falling", "Twist, torque rising", "Width of the loop")
    columns = [
        Column(f"Output torque, {torque_unit}", shown_torques, torque_form),
        *(
            Column(f"{name}, {unit}", twist, twist_form)
            for name, twist in zip(headings, twists, strict=True)
        ),
    ]
    return [table("Twist over torque", columns)]


def _branch(
    loop: Loop, torques: NDArray[np.float64], stages: tuple[int, int]
) -> NDArray[np.float64]:
    return np.array([loop.at(stages[0] if t >= 0 else stages[1], t) for t in torques])


def _form(value: float, digits: int) -> str:
    """With which a value has as many digits, the same for all rows of a column."""
    decimals = max(digits - 1 - math.floor(math.log10(value)), 0) if value > 0 else 0
    return f".{decimals}f"
