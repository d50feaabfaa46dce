"""The joint in time: turns in the periodic state, and the ramp of Fig. 7."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from flank.analyses.joint_kinematics import cage_stand
from flank.analyses.joint_quantities import Quantities
from flank.analyses.joint_turns import (
    SHORTEST,
    SPECTRAL_RADIUS,
    JointTurnsSettings,
    joint_curves,
    joint_figures,
    turn,
)
from flank.analyses.orders import spectrum
from flank.dynamics.functions import constant
from flank.dynamics.spatial.run import SpatialDynamicSettings, solve_dynamics, solve_statics
from flank.machines.cv_joint.assembly import INNER, OUTER
from flank.machines.cv_joint.joint import CvJoint
from flank.reproduce.cv_joint.paths import CagePath

PLANE = 0
"""Secondary torque in the plane of the shafts, where the frictionless one lies."""

TURNS_OF_A_RAMP = 2
"""One while the deflection grows, one at rest."""

ERROR = 1e-8
"""m: of positions in a step of the ramp."""


@dataclass(frozen=True)
class Turned:
    """One turn in the periodic state: angles in rad, curves and figures of `joint-turns`."""

    angle: NDArray
    curves: Quantities
    figures: Quantities
    change: float
    complete: bool

    def values(self, name: str) -> NDArray:
        """A curve over the angle."""
        return np.asarray(self.curves[name].values)

    def figure(self, name: str) -> float:
        return float(np.asarray(self.figures[name].values)) if self.complete else math.nan

    def secondary(self, race: int) -> float:
        """Mean secondary torque of a race in the plane of the shafts, N·m, positive as without
        friction."""
        if not self.complete:
            return math.nan
        return -float(self.values("secondary_torque")[:-1, race, PLANE].mean())

    @property
    def loaded(self) -> int:
        """The flank that carries the torque."""
        return int(self.values("track_force")[:-1].mean(axis=(0, 1, 2)).argmax())

    def amplitudes(self, name: str) -> tuple[NDArray, NDArray]:
        """Orders of a curve and their amplitudes."""
        return spectrum(self.values(name)[:-1], 1.0)


DRIVING, DRIVEN = OUTER, INNER


def turned(joint: CvJoint, settings: JointTurnsSettings) -> Turned:
    """The joint turned until a turn repeats."""
    seen = turn(joint, settings)
    complete = seen.trajectory.complete
    curves = joint_curves(joint, seen, "dynamic")
    figures = joint_figures(joint, seen, curves, "dynamic") if complete else {}
    return Turned(seen.angles, curves, figures, seen.change, complete)


@dataclass(frozen=True)
class Ramp:
    """The cage while the deflection grows in time, times in s."""

    time: NDArray
    path: CagePath

    @property
    def complete(self) -> bool:
        return self.path.complete


def ramped(joint: CvJoint, points: int, step: float) -> Ramp:
    """From the straight joint, its deflection by the ramp of the spec, which lasts one turn;
    `points` are those of a turn and `step` the longest one in s."""
    period = 2 * math.pi / joint.speed
    drive = joint.drive()
    still = replace(drive, angles={"outer": constant(0.0)}, deflection=constant(0.0))
    held = joint.assemble(still)
    rest = solve_statics(held.spatial, held.start, np.zeros(1))
    assembly = joint.assemble(drive)
    pose = replace(rest.last, velocity=assembly.start.velocity)
    settings = SpatialDynamicSettings(
        step, spectral_radius=SPECTRAL_RADIUS, error_tolerance=ERROR, shortest_step=SHORTEST * step
    )
    found = solve_dynamics(
        assembly.spatial, pose, TURNS_OF_A_RAMP * period, settings, TURNS_OF_A_RAMP * points
    )
    stand = cage_stand(assembly, found)
    return Ramp(found.time, CagePath(stand.deflection, stand.angle, found.complete))
