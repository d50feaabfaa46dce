"""The plunging constant-velocity ball joint: balls in straight crossed tracks, held by a cage."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flank.dynamics.functions import Function, constant, harmonic, linear, rise
from flank.dynamics.trajectory import SpatialPose
from flank.geometry.ball_joint import BallJoint
from flank.geometry.findings import Finding
from flank.machines.base import Derived, Drive
from flank.machines.cv_joint.assembly import JointAssembly, JointDrive
from flank.machines.cv_joint.contacts import JointContacts
from flank.machines.cv_joint.figures import derived_figures, findings_of
from flank.machines.cv_joint.masses import JointMasses, joint_masses
from flank.machines.cv_joint.motion import pose_under
from flank.machines.cv_joint.outlines import joint_outlines
from flank.machines.cv_joint.spec import RACES, CvJointSpec
from flank.machines.cv_joint.structure import assemble_joint
from flank.machines.machine import SpecifiedMachine
from flank.machines.orders import Orders
from flank.machines.outlines import Outline

WAYS, ANGLES = ("radial", "tangential"), ("skew", "inclination")
"""Errors of a track's place and direction."""


@dataclass(frozen=True, repr=False)
class CvJoint(SpecifiedMachine):
    """A checked spec, made into models on demand; `extra` errors come on top of the spec's."""

    spec: CvJointSpec

    @property
    def torque(self) -> float:
        """T of the operating point in N·m, from the outer to the inner race."""
        return self.spec.operation.torque

    @property
    def speed(self) -> float:
        """Ω of the outer race in rad/s."""
        return self.spec.operation.speed

    @property
    def deflection(self) -> float:
        """δ between the axes in rad, after the ramp if there is one."""
        return self.spec.operation.deflection

    @property
    def friction(self) -> float:
        """μ_r of all contacts."""
        return self.spec.contact.friction.sliding

    def at(self, torque: float, deflection: float, friction: float) -> "CvJoint":
        """The same joint at another operating point, with another sliding friction; static
        friction keeps its ratio to it."""
        changes = {"operation.torque": torque, "operation.deflection": deflection}
        if friction == 0:
            return self._changed(changes | {"contact.friction": None})
        static = self.spec.contact.friction.static
        if static is not None:
            ratio = static / self.friction if self.friction else 1.0
            changes["contact.friction.static"] = ratio * friction
        return self._changed(changes | {"contact.friction.sliding": friction})

    def _changed(self, changes: Mapping[str, Any]) -> "CvJoint":
        """Checked like any other, then given the errors on top."""
        changed = CvJoint(self.spec.with_changes(changes))
        return replace(changed, extra=self.extra) if self.extra else changed

    @cached_property
    def geometry(self) -> BallJoint:
        return self.spec.geometry

    @cached_property
    def ball_radii(self) -> NDArray[np.float64]:
        """(ball,) with their errors."""
        return self.spec.ball_radius + 0.5 * self.errors["ball_diameter"]

    def track_origins(self, race: int) -> NDArray[np.float64]:
        """(ball, 3) on the axes of the race's tracks with their errors, in the race's axes."""
        geometry, name = self.geometry, RACES[race]
        radial, tangential = (self.errors[f"{name}_track_{way}"] for way in WAYS)
        moved = radial[:, None] * geometry.radial + tangential[:, None] * geometry.tangential
        return geometry.origins + moved

    def track_frames(self, race: int) -> NDArray[np.float64]:
        """(ball, 3, 3) as BallJoint.frames has them, with the errors of the tracks."""
        skew, inclination = (self.errors[f"{RACES[race]}_track_{angle}"] for angle in ANGLES)
        return self.geometry.frames(race, skew, inclination)

    @cached_property
    def masses(self) -> JointMasses:
        return joint_masses(self.spec)

    @cached_property
    def contacts(self) -> JointContacts:
        """Hertz contacts and laws of force."""
        return JointContacts(self.spec)

    def keyed_findings(self) -> Iterable[tuple[str, Finding]]:
        return findings_of(self.spec)

    @property
    def derived_heading(self) -> str:
        return "What follows from the spec:"

    def derived(self) -> Sequence[Derived]:
        """Masses, stiffnesses, closed-form forces and limits."""
        return derived_figures(self)

    @property
    def ratio(self) -> float:
        """The inner race turns as the outer does, on average."""
        return 1.0

    @property
    def load_torque(self) -> float:
        """On the inner race, about its own axis."""
        return -self.torque

    @property
    def input_speed(self) -> float:
        return self.speed

    @property
    def orders(self) -> Orders:
        """No teeth or pins pass: balls stay in their tracks."""
        orders = {"input": 1.0, "output": 1.0, "ball": float(self.spec.balls.count)}
        return Orders(orders, {})

    def drive(self) -> JointDrive:
        """What moves and loads the joint at its operating point, ramp and plunge included."""
        return JointDrive(
            {"outer": linear(self.speed)},
            {"inner": constant(-self.torque)},
            in_time=True,
            deflection=self._leaning(),
            plunge=self._plunge(),
        )

    def assemble(self, drive: Drive) -> JointAssembly:
        """The joint under a drive of its shafts 'outer' and 'inner'."""
        return assemble_joint(self, self._bent(drive))

    def _bent(self, drive: Drive) -> JointDrive:
        """A drive of the shafts alone is one at the deflection of the operating point; where time
        is none, the inner race stays where its plunge begins."""
        drive = drive.named(("outer", "inner"), "outer", "inner")
        if isinstance(drive, JointDrive):
            return drive
        at = constant(self.spec.operation.plunge.at)
        return JointDrive(
            drive.angles,
            drive.torques,
            drive.in_time,
            deflection=constant(self.deflection),
            plunge=self._plunge() if drive.in_time else at,
        )

    def ideal_pose(self, input_angle: float) -> SpatialPose:
        """The rigid joint without clearance at the operating point, its balls rolling as they do
        at an input speed of 1 rad/s."""
        drive = Drive.of_ends(linear(1.0), constant(self.load_torque))
        return self.pose_under(self._bent(drive), input_angle)

    def pose_under(self, drive: JointDrive, time: float) -> SpatialPose:
        """Pose and motion of the rigid joint under a drive, a guess for the loaded one."""
        return pose_under(self, drive, time)

    def outlines(self) -> list[Outline]:
        return joint_outlines(self)

    def _leaning(self) -> Function:
        ramp = self.spec.operation.ramp
        if ramp is None:
            return constant(self.deflection)
        return rise(self.deflection, ramp.duration, ramp.start)

    def _plunge(self) -> Function | None:
        plunge = self.spec.operation.plunge
        if plunge.kind == "free":
            return None
        if plunge.kind == "held":
            return constant(plunge.at)
        return harmonic(plunge.amplitude or 0.0, plunge.frequency or 0.0, plunge.at)
