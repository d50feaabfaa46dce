"""Static solves that several figures read: one place of the input, several torques."""

from __future__ import annotations

import math
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
    from flank.machines.base import ContactGroup, Reducer

PLAY_SHARE = 1e-3
"""Of the rated torque: what presses the parts where backlash is read, and hardly bends them."""

LOST_MOTION_SHARE = 0.03
"""Of the rated torque, where catalogues read lost motion (analyses/loop.py)."""

SHARES = (PLAY_SHARE, LOST_MOTION_SHARE, 0.5, 1.0)
"""Of the rated torque: where one side of the load line is solved for."""


@dataclass(frozen=True)
class Held:
    """Equilibria under several torques of the output, one after the other, the input held at
    `angle`; torques against the input's positive sense are positive, friction is left out."""

    machine: Reducer
    torques: tuple[float, ...]
    angle: float = 0.0

    @cached_property
    def _solved(self) -> tuple[Assembly, AnyTrajectory]:
        sense = -math.copysign(1.0, self.machine.ratio)
        points = [(float(k), sense * torque) for k, torque in enumerate(self.torques)]
        drive = Drive.of_ends(constant(self.angle), table(points))
        assembly = self.machine.assemble(drive).frictionless()
        times = np.arange(len(self.torques), dtype=float)
        pose: Any = self.machine.ideal_pose(self.angle)
        return assembly, solve_statics(assembly.model, pose, times)

    @property
    def known(self) -> bool:
        return self._solved[1].complete

    @property
    def path(self) -> AnyTrajectory:
        return self._solved[1]

    def group(self, name: str) -> ContactGroup:
        return self._solved[0].groups[name]

    @cached_property
    def angles(self) -> Floats:
        """Of the output, in rad."""
        assembly, path = self._solved
        near = self.angle / self.machine.ratio
        return np.asarray(path.angle(assembly.output_shaft, near=near))


@dataclass(frozen=True)
class LoadLine:
    """The output's angle over its torque, the input held at zero, friction left out: the mean of
    both branches of a loop."""

    machine: Reducer

    @cached_property
    def _forward(self) -> Held:
        rated = self.machine.rated_torque
        return Held(self.machine, tuple(share * rated for share in SHARES))

    @cached_property
    def _backward(self) -> Held:
        rated = self.machine.rated_torque
        return Held(self.machine, tuple(-share * rated for share in SHARES[:2]))

    def _between(self, number: int) -> float:
        """Angle between both signs of a small torque, in rad."""
        if not (self._forward.known and self._backward.known):
            return math.nan
        return abs(float(self._forward.angles[number] - self._backward.angles[number]))

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
        if not self._forward.known:
            return math.nan
        half, whole = self._forward.angles[2:4]
        return 0.5 * self.machine.rated_torque / abs(float(whole - half))
