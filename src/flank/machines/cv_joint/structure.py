"""A ball joint as a model of spatial bodies.

Bodies: outer race, inner race, the housing of the inner race's shaft, cage, and the balls, which
are leaves. The outer race turns on ground, the housing leans about y and does not turn, the inner
race turns and slides in it. Cage and balls are held by contacts alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from flank.contact.spatial.describe import (
    SpatialLaw,
    ball_in_arc,
    ball_in_ellipse,
    sphere_in_cylinder,
    sphere_in_sphere,
    sphere_on_plane,
)
from flank.dynamics.spatial.builder import SpatialBuilder
from flank.dynamics.tables import GROUND
from flank.geometry.track_section import TrackSection
from flank.machines.cv_joint.assembly import INNER, OUTER, JointAssembly, JointDrive
from flank.machines.cv_joint.ideal import ideal_pose
from flank.machines.cv_joint.spec import RACES

if TYPE_CHECKING:
    from flank.machines.cv_joint.joint import CvJoint

AXIS = (0.0, 0.0, 1.0)
LEANING = (0.0, 1.0, 0.0)
"""About which the housing leans: the inner axis goes to +x."""

FLANKS = (1, -1)
SIDES = (1, -1)
"""Of a track and of a window, as ordered in a JointAssembly."""

HOUSING = (1.0, (1e-3, 1e-3, 1e-3))
"""kg, kg·m²: its motion is prescribed, so they enter nothing but the torque that leans it."""


def assemble_joint(joint: CvJoint, drive: JointDrive, friction: bool) -> JointAssembly:
    """The model, built straight; its start is the rigid joint at time zero."""
    b = SpatialBuilder(length_scale=joint.spec.pitch_radius)
    outer, inner, housing, cage = _bodies(joint, b)
    b.revolute(GROUND, outer, AXIS)
    turning = b.rotation(GROUND, outer, drive.rotation, AXIS)
    b.revolute(GROUND, housing, LEANING)
    b.rotation(GROUND, housing, drive.deflection, LEANING)
    b.cylindrical(housing, inner, AXIS)
    sliding = -1
    if drive.plunge is not None:
        sliding = b.along(housing, inner, AXIS, drive.plunge)
    b.torque(inner, (0.0, 0.0, -1.0), drive.torque, reference=housing)
    ball = joint.masses.ball
    balls = [
        b.body(f"ball {k + 1}", ball.mass, ball.inertia, origin, leaf=True)
        for k, origin in enumerate(joint.geometry.origins)
    ]
    tracks = _tracks(joint, b, (outer, inner), balls, friction)
    windows = _windows(joint, b, cage, balls, friction)
    guides = _guides(joint, b, (outer, inner, cage), friction)
    races = (OUTER, INNER)
    names = tuple(b.names)
    return JointAssembly(
        model=b.build(),
        start=ideal_pose(joint, drive, 0.0),
        body_names=names,
        outer=outer,
        inner=inner,
        cage=cage,
        housing=housing,
        balls=np.array(balls),
        tracks=tracks,
        windows=windows,
        guides=guides,
        track_origin=np.stack([joint.track_origins(race) for race in races], axis=1),
        track_frame=np.stack([joint.track_frames(race) for race in races], axis=1),
        drive=turning,
        plunge=sliding,
    )


def _bodies(joint: CvJoint, b: SpatialBuilder) -> tuple[int, int, int, int]:
    """Core bodies; the shaft's mass slides along with a free inner race, which the housing guides
    sideways, so that it may sit in its centre."""
    masses = joint.masses
    shaft = joint.spec.operation.plunge.shaft_mass or 0.0
    return (
        b.body("outer race", masses.outer.mass, masses.outer.inertia),
        b.body("inner race", masses.inner.mass + shaft, masses.inner.inertia),
        b.body("housing", *HOUSING),
        b.body("cage", masses.cage.mass, masses.cage.inertia),
    )


def _tracks(
    joint: CvJoint, b: SpatialBuilder, races: tuple[int, int], balls: list[int], friction: bool
) -> NDArray[np.int64]:
    """(ball, race, flank) contacts."""
    rows = np.zeros((len(balls), 2, 2), dtype=np.int64)
    for race, body in enumerate(races):
        clearance = joint.errors[f"{RACES[race]}_track_clearance"]
        origins, frames = joint.track_origins(race), joint.track_frames(race)
        for k, radius in enumerate(joint.ball_radii.tolist()):
            law = joint.contacts.law(joint.contacts.in_track(RACES[race], radius), friction)
            section = joint.spec.section_with(float(clearance[k]))
            gothic = joint.spec.tracks.section == "gothic-arch"
            for flank, side in enumerate(FLANKS):
                add = _gothic_flank if gothic else _elliptical_flank
                row = add(section, body, balls[k], origins[k], frames[k], side, radius, law)
                rows[k, race, flank] = b.contact(row)
    return rows


def _gothic_flank(
    section: TrackSection,
    race: int,
    ball: int,
    origin: NDArray[np.float64],
    frame: NDArray[np.float64],
    side: int,
    radius: float,
    law: SpatialLaw,
) -> np.void:
    centre = section.arc_centre(side)
    return ball_in_arc(race, ball, origin, frame, centre, section.radius, side, radius, law)


def _elliptical_flank(
    section: TrackSection,
    race: int,
    ball: int,
    origin: NDArray[np.float64],
    frame: NDArray[np.float64],
    side: int,
    radius: float,
    law: SpatialLaw,
) -> np.void:
    a, b, offset = section.ellipse
    middle = origin - offset * frame[0]
    return ball_in_ellipse(race, ball, middle, frame, (a, b), side, radius, law)


def _windows(
    joint: CvJoint, b: SpatialBuilder, cage: int, balls: list[int], friction: bool
) -> NDArray[np.int64]:
    """(ball, side) contacts with the planes of the windows."""
    spec, contacts, errors = joint.spec, joint.contacts, joint.errors
    rows = np.zeros((len(balls), 2), dtype=np.int64)
    middles = spec.cage.window_offset + errors["window_offset"]
    halves = spec.window_half_width + 0.5 * errors["window_width"]
    for k, place in enumerate(joint.geometry.origins):
        radius = float(joint.ball_radii[k])
        law = contacts.law(contacts.on_window(radius), friction)
        for number, side in enumerate(SIDES):
            height = middles[k] + side * halves[k]
            origin, normal = place + height * np.array(AXIS), (0.0, 0.0, -float(side))
            row = sphere_on_plane(cage, balls[k], origin, normal, radius, law)
            rows[k, number] = b.contact(row)
    return rows


def _guides(
    joint: CvJoint, b: SpatialBuilder, bodies: tuple[int, int, int], friction: bool
) -> tuple[int, ...]:
    """Contacts of the cage's spherical faces, where it has them."""
    outer, inner, cage = bodies
    contacts, errors, centre = joint.contacts, joint.errors, np.zeros(3)
    rows = []
    if guide := joint.spec.cage.outer_guide:
        bore = guide.radius + guide.clearance + float(errors["outer_guide_clearance"])
        law = contacts.law(contacts.outer_guide(guide.radius, bore), friction)
        rows.append(sphere_in_cylinder(outer, cage, centre, AXIS, bore, guide.radius, law))
    if guide := joint.spec.cage.inner_guide:
        bore = guide.radius + guide.clearance + float(errors["inner_guide_clearance"])
        law = contacts.law(contacts.inner_guide(guide.radius, bore), friction)
        rows.append(sphere_in_sphere(cage, inner, centre, bore, guide.radius, law))
    return tuple(b.contact(row) for row in rows)
