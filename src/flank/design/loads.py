"""Static solves that several figures read: one place of the input, several torques."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from flank.dynamics.functions import constant, table
from flank.dynamics.run import solve_statics
from flank.machines.base import Assembly, Drive

if TYPE_CHECKING:
    from flank.arrays import Floats
    from flank.dynamics.trajectory import AnyTrajectory
    from flank.machines.base import Reducer

PLAY_SHARE = 1e-3
"""Of the rated torque: what presses the parts where backlash is read, and hardly bends them."""

LOST_MOTION_SHARE = 0.03
"""Of the rated torque, where catalogues read lost motion (analyses/loop.py)."""

SHARES = (PLAY_SHARE, LOST_MOTION_SHARE, 0.5, 1.0)
"""Of the rated torque: where one side of the load line is solved for, before the peak torque."""


@dataclass(frozen=True)
class LoadLine:
    """The output's angle over its torque, the input held at `angle`, friction left out: the mean
    of both branches of a loop."""

    machine: Reducer
    peak_torque: float
    angle: float = 0.0

    @cached_property
    def _forward(self) -> tuple[Assembly, AnyTrajectory]:
        rated = self.machine.rated_torque
        return self._solve([*(share * rated for share in SHARES), self.peak_torque])

    @cached_property
    def _backward(self) -> tuple[Assembly, AnyTrajectory]:
        rated = self.machine.rated_torque
        return self._solve([-share * rated for share in SHARES[:2]])

    def _solve(self, torques: Sequence[float]) -> tuple[Assembly, AnyTrajectory]:
        """Torques against the input's positive sense are positive."""
        sense = -math.copysign(1.0, self.machine.ratio)
        points = [(float(k), sense * torque) for k, torque in enumerate(torques)]
        drive = Drive.of_ends(constant(self.angle), table(points))
        assembly = self.machine.assemble(drive).frictionless()
        times = np.arange(len(torques), dtype=float)
        pose: Any = self.machine.ideal_pose(self.angle)
        return assembly, solve_statics(assembly.model, pose, times)

    def _angles(self, solved: tuple[Assembly, AnyTrajectory]) -> Floats:
        assembly, path = solved
        near = self.angle / self.machine.ratio
        return np.asarray(path.angle(assembly.output_shaft, near=near))

    @property
    def known(self) -> bool:
        return self._forward[1].complete and self._backward[1].complete

    @property
    def assembly(self) -> Assembly:
        return self._forward[0]

    @property
    def path(self) -> AnyTrajectory:
        """At the shares of the rated torque, and at the peak torque in the end."""
        return self._forward[1]

    def _between(self, number: int) -> float:
        """Angle between both signs of a small torque, in rad."""
        if not self.known:
            return math.nan
        return abs(
            float(self._angles(self._forward)[number] - self._angles(self._backward)[number])
        )

    @property
    def backlash(self) -> float:
        """In rad, under a torque that hardly bends anything."""
        return self._between(0)

    @property
    def lost_motion(self) -> float:
        """In rad, between ±3 % of the rated torque."""
        return self._between(1)

    @property
    def stiffness(self) -> float:
        """Secant between half of the rated torque and all of it, in N·m/rad."""
        if not self._forward[1].complete:
            return math.nan
        half, whole = self._angles(self._forward)[2:4]
        return 0.5 * self.machine.rated_torque / abs(float(whole - half))
