"""The computations of the study, each done once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from flank.analyses.joint_turns import JointTurnsSettings
from flank.machines.cv_joint.joint import CvJoint
from flank.reproduce.cv_joint.joints import PAPERS, Stiffness, friction_changes, joint
from flank.reproduce.cv_joint.paths import CagePath, ForcePath, cage_path, force_path
from flank.reproduce.cv_joint.turning import Ramp, Turned, ramped, turned

STRAIGHT = {"operation.deflection": 0}
LARGEST_DEFLECTION = 8.0
LARGEST_TORQUE = 2500.0


@dataclass(frozen=True)
class Fineness:
    """How finely the study is computed; the defaults are those of the published tables."""

    frictions: tuple[float, ...] = tuple(k / 100 for k in range(11))
    points_per_turn: int = 90  # kept; figures are from eight times as many
    path_points: int = 41
    steps_per_turn: int = 2000
    most_turns: int = 8  # until one repeats


FINE = Fineness()
COARSE = Fineness((0.0, 0.03, 0.05, 0.1), 20, 9, steps_per_turn=500, most_turns=2)


class Workshop:
    """Computes what is asked once, and says how much of `expected` computations is done."""

    def __init__(self, fineness: Fineness, expected: int, progress: Any = None) -> None:
        self.fineness = fineness
        self.complete = True
        self._expected, self._progress = expected, progress
        self._done: dict[Hashable, Any] = {}

    @property
    def count(self) -> int:
        """Computations done."""
        return len(self._done)

    def cage_path(self, stiffness: Stiffness, torque: float) -> CagePath:
        """Deflections from zero; the load case's stands among the points."""
        points = np.radians(np.linspace(0.0, LARGEST_DEFLECTION, self.fineness.path_points))
        machine = joint(stiffness)
        return self._once(("cage", stiffness, torque), lambda: cage_path(machine, torque, points))

    def force_path(self, stiffness: Stiffness, clearance: float, sense: int) -> ForcePath:
        """Torques from near zero, with `clearance` in m on either side of a ball in its window."""
        whole = np.linspace(0.0, LARGEST_TORQUE, 2 * self.fineness.path_points - 1)
        torques = np.union1d(whole[1:], TORQUES)
        machine = joint(stiffness, STRAIGHT | {"cage.window_clearance": 2 * clearance})
        key = ("force", stiffness, clearance, sense)
        return self._once(key, lambda: force_path(machine, torques, sense))

    def turn(
        self, stiffness: Stiffness, friction: float, changes: Mapping[str, Any] | None = None
    ) -> Turned:
        """The load case with one coefficient of friction, changed."""
        return self._turn(stiffness, {**friction_changes(friction), **(changes or {})})

    def turn_as_preset(self, stiffness: Stiffness) -> Turned:
        """The load case with the preset's friction, static above sliding."""
        return self._turn(stiffness, {})

    def ramp(self, stiffness: Stiffness, friction: float) -> Ramp:
        """The deflection raised within the first turn."""
        period = 2 * np.pi / joint(stiffness).speed
        rise = {"operation.ramp": {"start": 0.0, "duration": period}}
        machine = joint(stiffness, {**friction_changes(friction), **rise})
        points, step = 4 * self.fineness.points_per_turn, period / self.fineness.steps_per_turn
        return self._once(("ramp", stiffness, friction), lambda: ramped(machine, points, step))

    def _turn(self, stiffness: Stiffness, changes: Mapping[str, Any]) -> Turned:
        machine: CvJoint = joint(stiffness, changes)
        key = ("turn", stiffness, repr(sorted(changes.items())))
        return self._once(key, lambda: turned(machine, self._settings(machine)))

    def _settings(self, machine: CvJoint) -> JointTurnsSettings:
        return JointTurnsSettings(
            points_per_turn=self.fineness.points_per_turn,
            step=2 * np.pi / machine.speed / self.fineness.steps_per_turn,
            most_turns=self.fineness.most_turns,
        )

    def _once(self, key: Hashable, compute: Callable[[], Any]) -> Any:
        if key not in self._done:
            self._done[key] = compute()
            self.complete &= self._done[key].complete
            if self._progress is not None:
                self._progress(min(len(self._done) / self._expected, 1.0))
        return self._done[key]


TORQUES = (50.0, 100.0, 200.0, 300.0, 500.0, 1000.0, 1500.0, 2000.0, 2500.0)
"""N·m of the table of forces."""

NOMINAL = PAPERS
"""What figures show where they show one joint."""
