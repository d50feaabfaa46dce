"""Static solves that several figures read: one place of the input, several torques."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from flank.dynamics.functions import constant, table
from flank.dynamics.run import DEFAULT_STATICS, StaticSettings, solve_statics
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


AS_DRAWN = StaticSettings(maximum_iterations=120)
"""A machine without drawn errors is in equilibrium within some dozens of steps or, as a rule, not
at all; a check of one that is nowhere in equilibrium should not take long to say so."""


@dataclass(frozen=True)
class Branch:
    """Equilibria of a machine, one after the other, whose input is held at `angle`."""

    assembly: Assembly
    path: AnyTrajectory
    near: float
    """Of the output, in rad: which turn is meant where a rotation is known up to whole ones."""

    @property
    def known(self) -> bool:
        return self.path.complete

    @cached_property
    def angles(self) -> Floats:
        """Of the output, in rad."""
        return np.asarray(self.path.angle(self.assembly.output_shaft, near=self.near))


@dataclass(frozen=True)
class Held:
    """Equilibria under several torques of the output, one after the other, the input held at
    `angle`; torques against the input's positive sense are positive, friction is left out."""

    machine: Reducer
    torques: tuple[float, ...]
    angle: float = 0.0

    @cached_property
    def _assembly(self) -> Assembly:
        sense = -math.copysign(1.0, self.machine.ratio)
        points = [(float(k), sense * torque) for k, torque in enumerate(self.torques)]
        drive = Drive.of_ends(constant(self.angle), table(points))
        return self.machine.assemble(drive).frictionless()

    def branch(self, first: int, end: int) -> Branch:
        """Under some of the torques, from the unloaded machine."""
        pose: Any = self.machine.ideal_pose(self.angle)
        times = np.arange(first, end, dtype=float)
        drawn = bool(getattr(self.machine, "extra", None))
        settings = DEFAULT_STATICS if drawn else AS_DRAWN
        path = solve_statics(self._assembly.model, pose, times, settings=settings)
        return Branch(self._assembly, path, self.angle / self.machine.ratio)

    @cached_property
    def _whole(self) -> Branch:
        return self.branch(0, len(self.torques))

    @property
    def known(self) -> bool:
        return self._whole.known

    @property
    def path(self) -> AnyTrajectory:
        return self._whole.path

    def group(self, name: str) -> ContactGroup:
        return self._assembly.groups[name]


@dataclass(frozen=True)
class LoadLine:
    """The output's angle over its torque, the input held at zero, friction left out: the mean of
    both branches of a loop. The machine is put together once for both."""

    machine: Reducer

    @cached_property
    def _held(self) -> Held:
        rated = self.machine.rated_torque
        shares = (*SHARES, *(-share for share in SHARES[:2]))
        return Held(self.machine, tuple(share * rated for share in shares))

    @cached_property
    def _forward(self) -> Branch:
        return self._held.branch(0, len(SHARES))

    @cached_property
    def _backward(self) -> Branch:
        return self._held.branch(len(SHARES), len(SHARES) + 2)

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
