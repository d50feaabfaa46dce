"""A ball joint as a model of spatial bodies, and how its bodies move where it is rigid.

Bodies: outer race, inner race, the housing of the inner race's shaft, cage, and the balls, which
are leaves. The outer race turns on ground, the housing leans about y and does not turn, the inner
race turns and slides in it, on its axis, on springs across it, or free sideways. Cage and balls are
held by contacts alone.

In the rigid joint without clearance the cage halves the angle between the races and turns with
them. Balls turn as nearly rolling as they can: each touches one flank of its outer and one of its
inner track, at the directions u from its centre. Of its angular velocity ω

    Σ |v + R ω x u - v_race|² + r² ((ω - ω_race) · u)²

is least over both contacts, sliding and drilling with the arm r at which drilling friction acts:
the contacts lie nearly opposite each other, so that sliding alone leaves the spin about their line
open.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from flank.arrays import Floats
from flank.contact.spatial import (
    Place,
    SpatialSurface,
    Sphere,
    ball_in_arc,
    ball_in_ellipse,
    sphere_in_cylinder,
    sphere_in_sphere,
    sphere_on_plane,
)
from flank.dynamics.functions import constant
from flank.dynamics.packing import value_at
from flank.dynamics.spatial.builder import SpatialBuilder
from flank.dynamics.spatial.quaternions import quaternion_of
from flank.dynamics.tables import GROUND
from flank.dynamics.trajectory import SpatialPose
from flank.elasticity.elliptic_contact import peak_pressure
from flank.geometry.ball_joint import INNER, OUTER
from flank.geometry.rotations import about_y, about_z
from flank.geometry.track_section import TrackSection
from flank.machines.base import PointPressure
from flank.machines.cv_joint.assembly import JointAssembly, JointDrive
from flank.machines.cv_joint.figures import track_force
from flank.machines.cv_joint.spec import RACES

if TYPE_CHECKING:
    from flank.machines.cv_joint.joint import CvJoint

ORIGIN, AXIS = np.zeros(3), np.array([0.0, 0.0, 1.0])
LEANING = np.array([0.0, 1.0, 0.0])
"""About which the housing leans: the inner axis goes to +x."""

FLANKS = (1, -1)
SIDES = (1, -1)
"""Of a track and of a window, as ordered in a JointAssembly."""

HOUSING = (1.0, (1e-3, 1e-3, 1e-3))
"""kg, kg·m²: its motion is prescribed, so they enter nothing but the torque that leans it."""

SMALLEST_ARM = 0.01
"""Of drilling, over the ball's radius: where nothing presses, spin still follows the races."""


@dataclass(frozen=True)
class JointModel:
    """Puts a joint into a model, built straight."""

    joint: CvJoint
    builder: SpatialBuilder

    def assemble(self, drive: JointDrive) -> JointAssembly:
        """The start is the rigid joint at time zero."""
        b, joint = self.builder, self.joint
        outer, inner, housing, cage = self._add_core()
        angles, torques = drive.angles.get, drive.torques.get
        b.revolute(GROUND, outer, AXIS)
        shafts = {"outer": b.shaft(outer, AXIS, GROUND, angles("outer"), torques("outer"))}
        b.revolute(GROUND, housing, LEANING)
        b.rotation(GROUND, housing, drive.deflection, LEANING)
        self._guide(housing, inner)
        sliding = -1 if drive.plunge is None else b.along(housing, inner, AXIS, drive.plunge)
        shafts["inner"] = b.shaft(inner, AXIS, housing, angles("inner"), torques("inner"))
        ball = joint.masses.ball
        balls = [
            b.body(f"ball {k + 1}", ball.mass, ball.inertia, origin, leaf=True)
            for k, origin in enumerate(joint.geometry.origins)
        ]
        self._add_tracks((outer, inner), balls)
        self._add_windows(cage, balls)
        self._add_guides((outer, inner, cage))
        return JointAssembly.of(
            b,
            joint.pose_under(drive, 0.0),
            shafts,
            "outer",
            "inner",
            track_origin=np.stack([joint.track_origins(race) for race in (OUTER, INNER)], axis=1),
            track_frame=np.stack([joint.track_frames(race) for race in (OUTER, INNER)], axis=1),
            plunge=sliding,
            guided=joint.spec.operation.guidance.kind == "rigid",
        )

    def _guide(self, housing: int, inner: int) -> None:
        """The inner race in its housing: along the shaft's direction in any case."""
        guidance = self.joint.spec.operation.guidance
        if guidance.kind == "rigid":
            self.builder.cylindrical(housing, inner, AXIS)
            return
        self.builder.parallel(housing, inner, AXIS)
        if guidance.kind == "elastic":
            across = np.array([1.0, 1.0, 0.0])
            stiffness, damping = guidance.stiffness or 0.0, guidance.damping or 0.0
            self.builder.bushing(
                housing, inner, stiffness=stiffness * across, damping=damping * across
            )

    def _add_core(self) -> tuple[int, int, int, int]:
        """Core bodies; the shaft's mass slides along with a free inner race, whose axis keeps its
        direction, so that it may sit in its centre."""
        masses = self.joint.masses
        shaft = self.joint.spec.operation.plunge.shaft_mass or 0.0
        return (
            self.builder.body("outer race", masses.outer.mass, masses.outer.inertia),
            self.builder.body("inner race", masses.inner.mass + shaft, masses.inner.inertia),
            self.builder.body("housing", *HOUSING),
            self.builder.body("cage", masses.cage.mass, masses.cage.inertia),
        )

    def _add_tracks(self, races: tuple[int, int], balls: list[int]) -> None:
        joint, contacts = self.joint, self.joint.contacts
        designed = (contacts.outer_track, contacts.inner_track)
        units = np.array([peak_pressure(contact, 1.0) for contact in designed])
        sizes = {"race": len(races), "ball": len(balls), "flank": len(FLANKS)}
        with self.builder.part("track", "tracks", sizes, PointPressure(units[:, None, None])):
            for race, body in enumerate(races):
                clearance = joint.errors[f"{RACES[race]}_track_clearance"]
                origins, frames = joint.track_origins(race), joint.track_frames(race)
                for k, radius in enumerate(joint.ball_radii.tolist()):
                    law = contacts.law(contacts.in_track(RACES[race], radius))
                    section = joint.spec.section_with(float(clearance[k]))
                    track, ball = Place(body, origins[k], frames[k]), Sphere(balls[k], radius)
                    for side in FLANKS:
                        self._add_flank(section, track, side, ball, law)

    def _add_flank(
        self, section: TrackSection, track: Place, side: int, ball: Sphere, law: SpatialSurface
    ) -> None:
        """One side of a track."""
        if self.joint.spec.tracks.section == "gothic-arch":
            row = ball_in_arc(track, section.arc_centre(side), section.radius, side, ball, law)
        else:
            a, b, offset = section.ellipse
            middle = np.asarray(track.origin) - offset * np.asarray(track.frame)[0]
            row = ball_in_ellipse(replace(track, origin=middle), (a, b), side, ball, law)
        self.builder.contact(row)

    def _add_windows(self, cage: int, balls: list[int]) -> None:
        """Contacts with the planes of the windows."""
        spec, contacts, errors = self.joint.spec, self.joint.contacts, self.joint.errors
        middles = spec.cage.window_offset + errors["window_offset"]
        halves = spec.window_half_width + 0.5 * errors["window_width"]
        pressure = PointPressure(np.array(peak_pressure(contacts.window, 1.0)))
        with self.builder.part(
            "window", "cage windows", {"ball": len(balls), "side": len(SIDES)}, pressure
        ):
            for k, place in enumerate(self.joint.geometry.origins):
                radius = float(self.joint.ball_radii[k])
                law = contacts.law(contacts.on_window(radius))
                for side in SIDES:
                    origin = place + (middles[k] + side * halves[k]) * AXIS
                    normal = (0.0, 0.0, -float(side))
                    self.builder.contact(
                        sphere_on_plane(cage, origin, normal, Sphere(balls[k], radius), law)
                    )

    def _add_guides(self, bodies: tuple[int, int, int]) -> None:
        """Contacts of the cage's spherical faces, where it has them."""
        outer, inner, cage = bodies
        contacts, errors = self.joint.contacts, self.joint.errors
        with self.builder.part("guide", "guides of the cage", {"guide": -1}):
            if guide := self.joint.spec.cage.outer_guide:
                bore = guide.radius + guide.clearance + float(errors["outer_guide_clearance"])
                law = contacts.law(contacts.outer_guide(guide.radius, bore))
                face = Sphere(cage, guide.radius)
                self.builder.contact(sphere_in_cylinder(outer, ORIGIN, AXIS, bore, face, law))
            if guide := self.joint.spec.cage.inner_guide:
                bore = guide.radius + guide.clearance + float(errors["inner_guide_clearance"])
                law = contacts.law(contacts.inner_guide(guide.radius, bore))
                face = Sphere(inner, guide.radius)
                self.builder.contact(sphere_in_sphere(Sphere(cage, bore), face, law))


class Placed(NamedTuple):
    """One body: position, rotation matrix, velocity (3), angular velocity (3)."""

    position: Floats
    matrix: Floats
    velocity: Floats
    spin: Floats


@dataclass(frozen=True)
class RigidMotion:
    """Where the bodies of a rigid joint without clearance stand and how they move."""

    joint: CvJoint

    def pose_under(self, drive: JointDrive, time: float) -> SpatialPose:
        """Ground, outer race, inner race, housing, cage, balls; a free inner race where it begins,
        a free outer race at the angle zero."""
        begins, still = constant(self.joint.spec.operation.plunge.at), constant(0.0)
        given = (drive.angles.get("outer", still), drive.deflection, drive.plunge or begins)
        place, rate = zip(*(value_at(function, time) for function in given), strict=True)
        centre = np.zeros(3)
        ground = Placed(centre, np.eye(3), centre, centre)
        turning = rate[0] * AXIS
        outer = Placed(centre, about_z(place[0]), centre, turning)
        inner = _leaning(place, rate, 1.0)
        housing = Placed(centre, about_y(place[1]), centre, rate[1] * LEANING)
        cage = _leaning(place, rate, 0.5)
        centres = self.joint.geometry.places(*place).centre
        velocities = self.joint.geometry.velocities(place, rate)
        torque = -value_at(drive.torques.get("inner", still), time)[0]
        spins = self._rolling_spins((outer, inner), centres, velocities, torque)
        core = (ground, outer, inner, housing, cage)
        rotations = [quaternion_of(body.matrix) for body in core]
        return SpatialPose(
            position=np.vstack([*(body.position for body in core), centres]),
            rotation=np.array([*rotations, *[rotations[-1]] * len(centres)]),  # balls as the cage
            velocity=np.hstack(
                [
                    np.vstack([*(body.velocity for body in core), velocities]),
                    np.vstack([*(body.spin for body in core), spins]),
                ]
            ),
        )

    def _rolling_spins(
        self,
        races: tuple[Placed, Placed],
        centres: Floats,
        velocities: Floats,
        torque: float,
    ) -> Floats:
        """(ball, 3) angular velocities in space; `torque` says which flanks carry."""
        directions = [
            self._contact_directions(race, torque) @ placed.matrix.T
            for race, placed in zip((OUTER, INNER), races, strict=True)
        ]
        radius, arm = self.joint.spec.ball_radius, self._drilling_arm(torque)
        spins = np.zeros_like(centres)
        for k, (centre, velocity) in enumerate(zip(centres, velocities, strict=True)):
            rows, right = [], []
            for placed, towards in zip(races, directions, strict=True):
                u = towards[k]
                point = centre + radius * u - placed.position
                rows += [-radius * _cross_matrix(u), arm * u[None]]
                right += [placed.velocity + np.cross(placed.spin, point) - velocity]
                right += [arm * np.atleast_1d(placed.spin @ u)]
            spins[k] = np.linalg.lstsq(np.vstack(rows), np.concatenate(right), rcond=None)[0]
        return spins

    def _contact_directions(self, race: int, torque: float) -> Floats:
        """(ball, 3) from the centres to the contacts that carry a torque, in the race's axes: of
        both races at the contact angle from the bottom, where y has the other sign than the
        torque."""
        angle, side = self.joint.spec.tracks.contact_angle, -math.copysign(1.0, torque)
        frames = self.joint.geometry.frames(race)
        return math.cos(angle) * frames[:, 0] + side * math.sin(angle) * frames[:, 1]

    def _drilling_arm(self, torque: float) -> float:
        length = self.joint.contacts.hertz_arm(self.joint.contacts.outer_track)
        arm: float = length * track_force(self.joint.spec, torque) ** (1 / 3)
        return max(arm, SMALLEST_ARM * self.joint.spec.ball_radius)


def _leaning(place: tuple[float, ...], rate: tuple[float, ...], share: float) -> Placed:
    """A body that leans by a share of the deflection and has gone that share of the plunge along
    the inner axis."""
    (rotation, deflection, plunge), (speed, lean_rate, slide_rate) = place, rate
    axis, sideways = about_y(deflection)[:, 2], about_y(deflection)[:, 0]
    leaning = about_y(share * deflection)
    return Placed(
        share * plunge * axis,
        leaning @ about_z(rotation),
        share * (slide_rate * axis + plunge * lean_rate * sideways),
        share * lean_rate * LEANING + speed * leaning[:, 2],
    )


def _cross_matrix(v: Floats) -> Floats:
    return np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])
