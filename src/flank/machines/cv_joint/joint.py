"""The plunging constant-velocity ball joint: balls in straight crossed tracks, held by a cage."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from flank.arrays import Floats
from flank.dynamics.functions import Function, constant, harmonic, linear, rise
from flank.dynamics.spatial.builder import SpatialBuilder
from flank.dynamics.trajectory import SpatialPose
from flank.geometry.ball_joint import BallJoint
from flank.geometry.ball_joint_checks import LIMITS, deflection_limit, parallel_deflection
from flank.geometry.findings import Finding
from flank.machines.base import Derived, Drive
from flank.machines.cv_joint.assembly import INNER, OUTER, JointAssembly, JointDrive
from flank.machines.cv_joint.contacts import JointContacts
from flank.machines.cv_joint.figures import (
    KEYS,
    JointMasses,
    cage_force,
    joint_findings,
    joint_masses,
    joint_room,
    secondary_torque,
    stroke,
    track_force,
)
from flank.machines.cv_joint.model import JointModel, RigidMotion
from flank.machines.cv_joint.parts import STIFFNESS_UNIT
from flank.machines.cv_joint.spec import RACES, CvJointSpec
from flank.machines.machine import SpecifiedMachine
from flank.machines.orders import Orders
from flank.machines.outlines import FEWEST_POINTS, Kind, Outline, circle, track_section

DIRECTIONS, ANGLES = ("radial", "tangential"), ("skew", "inclination")
"""Errors of a track's place and direction."""

OUTER_RACE, INNER_RACE, CAGE, FIRST_BALL = 1, 2, 4, 5
"""Body numbers; the third is the housing."""

SIDE, FRONT = "side", "front"
"""Views: across both shafts, and along the outer race's axis."""

SHAFT = 0.62
"""Length of a drawn shaft over the outer diameter, from the joint's centre."""

TRACK = 1.2
"""Half the length of a drawn track over the ball's radius."""


@dataclass(frozen=True, repr=False)
class CvJoint(SpecifiedMachine):
    """A checked spec, made into models on demand; `extra` errors come on top of the spec's."""

    derived_heading: ClassVar[str] = "What follows from the spec:"
    ratio: ClassVar[float] = 1.0
    """The inner race turns as the outer does, on average."""

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

    def at(
        self,
        torque: float,
        deflection: float,
        friction: float,
        others: Mapping[str, float] | None = None,
    ) -> "CvJoint":
        """The same joint at another operating point, with another sliding friction, to which static
        friction keeps its ratio, and with other numbers of its spec."""
        changes = {"operation.torque": torque, "operation.deflection": deflection, **(others or {})}
        if friction == 0:
            return self._changed(changes | {"contact.friction": None})
        static = self.spec.contact.friction.static
        if static is not None and "contact.friction.static" not in changes:
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
    def ball_radii(self) -> Floats:
        """(ball,) with their errors."""
        return self.spec.ball_radius + 0.5 * self.errors["ball_diameter"]

    def track_origins(self, race: int) -> Floats:
        """(ball, 3) on the axes of the race's tracks with their errors, in the race's axes."""
        geometry, name = self.geometry, RACES[race]
        radial, tangential = (self.errors[f"{name}_track_{direction}"] for direction in DIRECTIONS)
        shift = radial[:, None] * geometry.radial + tangential[:, None] * geometry.tangential
        return geometry.origins + shift

    def track_frames(self, race: int) -> Floats:
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
        for finding in joint_findings(self.spec):
            yield KEYS.get(finding.code, "operation.deflection"), finding

    def derived(self) -> Sequence[Derived]:
        """Masses, stiffnesses, closed-form forces and limits."""
        return [
            *self._derived_masses(),
            *self._derived_stiffness(),
            *self._derived_forces(),
            *self._derived_limits(),
        ]

    def _derived_masses(self) -> Iterator[Derived]:
        names = ("outer race", "inner race", "cage", "ball")
        for name, part in zip(names, self.masses, strict=True):
            yield Derived(f"mass of the {name}", part.mass, "kg", "g")
        for name, part in zip(names, self.masses, strict=True):
            yield Derived(f"moment of inertia of the {name}", part.axial, "kg*m^2", "kg*m^2")

    def _derived_stiffness(self) -> Iterator[Derived]:
        contacts = self.contacts
        for name in ("outer track", "inner track", "window"):
            stiffness = contacts.stiffness(getattr(contacts, name.replace(" ", "_")))
            yield Derived(f"contact stiffness, {name}", stiffness, STIFFNESS_UNIT, STIFFNESS_UNIT)

    def _derived_forces(self) -> Iterator[Derived]:
        """Closed forms at the operating point, without friction."""
        spec, torque = self.spec, self.torque
        forces = {
            "force of a loaded flank (Eq. 23)": track_force(spec, torque),
            "force of cage and ball (Eq. 24)": cage_force(spec, torque),
            "force of cage and ball, torque reversed": cage_force(spec, -torque),
        }
        yield from (Derived(name, force, "N", "N") for name, force in forces.items())
        secondary = secondary_torque(torque, self.deflection)
        yield Derived("secondary torque, T tan(β/2)", secondary, "N*m", "N*m")
        end_to_end = 2 * stroke(spec.pitch_radius, self.deflection)
        yield Derived("stroke of a ball, peak to peak", end_to_end, "m", "mm")

    def _derived_limits(self) -> Iterator[Derived]:
        """Deflections up to which the balls have room; those beyond 60 deg are left out."""
        room, plunge = joint_room(self.spec), self.spec.operation.plunge.farthest
        for name in LIMITS:
            limit = deflection_limit(self.geometry, room, name, plunge)
            if limit is not None:
                yield Derived(f"deflection limit, {name}", limit, "rad", "deg")
        if self.geometry.mirrored:
            parallel = parallel_deflection(self.geometry)
            yield Derived("deflection where tracks turn parallel", parallel, "rad", "deg")

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
        builder = SpatialBuilder(length_scale=self.spec.pitch_radius)
        return JointModel(self, builder).assemble(self._bent(drive))

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
        return RigidMotion(self).pose_under(drive, time)

    def outlines(self) -> list[Outline]:
        """From the parts behind to those in front."""
        spec = self.spec
        circles = {
            "outer diameter": 0.5 * spec.outer.outer_diameter,
            "pitch circle": spec.pitch_radius,
        }
        return [
            *_guides(circles),
            *self._cut_outlines(),
            *self._ball_outlines(),
            *self._track_outlines(OUTER, OUTER_RACE, "outer"),
            *self._track_outlines(INNER, INNER_RACE, "inner"),
            _shaft("outer shaft", OUTER_RACE, -SHAFT * spec.outer.outer_diameter),
            _shaft("inner shaft", INNER_RACE, SHAFT * spec.outer.outer_diameter),
        ]

    def _cut_outlines(self) -> Iterator[Outline]:
        """Meridians of races and cage."""
        outer, inner, cage = self.spec.outer, self.spec.inner, self.spec.cage
        races = (("outer race", OUTER_RACE, outer), ("inner race", INNER_RACE, inner))
        for name, body, race in races:
            diameters = (race.bore_diameter, race.outer_diameter)
            yield _meridian(name, body, diameters, race.width, "race")
        yield _meridian(
            "cage", CAGE, (cage.inner_diameter, cage.outer_diameter), cage.width, "cage"
        )

    def _ball_outlines(self) -> Iterator[Outline]:
        angle = np.linspace(-0.5 * np.pi, 0.5 * np.pi, FEWEST_POINTS + 1)
        half = np.column_stack((np.cos(angle), np.zeros_like(angle), np.sin(angle)))
        for k in range(self.geometry.balls):
            points = self.spec.ball_radius * half
            yield Outline(f"ball {k + 1}", FIRST_BALL + k, points, "ball", revolved=True)

    def _track_outlines(self, race: int, body: int, word: str) -> Iterator[Outline]:
        """Axes of a race's tracks, and where balls may touch across them."""
        radius = self.spec.ball_radius
        kind: Kind = "outer track" if race == OUTER else "inner track"
        pairs = zip(self.geometry.origins, self.geometry.frames(race), strict=True)
        for k, (origin, frame) in enumerate(pairs):
            name = f"{word} track {k + 1}"
            ends = origin + TRACK * radius * np.array([-frame[2], frame[2]])
            yield Outline(name, body, ends, kind, closed=False, layer=SIDE)
            yield track_section(name, body, origin, frame, radius)

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


def _guides(circles: dict[str, float]) -> Iterator[Outline]:
    for name, radius in circles.items():
        flat = circle(radius)
        points = np.column_stack((flat, np.zeros(len(flat))))
        yield Outline(name, OUTER_RACE, points, "guide", layer=FRONT)


def _meridian(
    name: str, body: int, diameters: tuple[float, float], width: float, kind: Kind
) -> Outline:
    """Of a ring about the axis."""
    inside, outside = diameters
    corners = [[inside, 0, -width], [outside, 0, -width], [outside, 0, width], [inside, 0, width]]
    return Outline(name, body, 0.5 * np.array(corners), kind, layer=SIDE, revolved=True)


def _shaft(name: Kind, body: int, length: float) -> Outline:
    points: Floats = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, length]])
    return Outline(name, body, points, name, closed=False, layer=SIDE)
