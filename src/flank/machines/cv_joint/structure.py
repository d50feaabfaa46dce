"""A ball joint as a model of spatial bodies.

Bodies: outer race, inner race, the housing of the inner race's shaft, cage, and the balls, which
are leaves. The outer race turns on ground, the housing leans about y and does not turn, the inner
race turns and slides in it. Cage and balls are held by contacts alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from flank.contact.spatial import (
    ball_in_arc,
    ball_in_ellipse,
    sphere_in_cylinder,
    sphere_in_sphere,
    sphere_on_plane,
)
from flank.dynamics.spatial.builder import SpatialBuilder
from flank.dynamics.tables import GROUND
from flank.machines.cv_joint.assembly import INNER, OUTER, JointAssembly, JointDrive
from flank.machines.cv_joint.ideal import ideal_pose

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
    frames = np.stack([joint.geometry.frames(race) for race in (OUTER, INNER)], axis=1)
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
        track_origin=np.repeat(joint.geometry.origins[:, None], 2, axis=1),
        track_frame=frames,
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
) -> NDArray:
    """(ball, race, flank) contacts."""
    rows = np.zeros((len(balls), 2, 2), dtype=np.int64)
    contacts = (joint.contacts.outer_track, joint.contacts.inner_track)
    for race, (body, contact) in enumerate(zip(races, contacts, strict=True)):
        law = joint.contacts.law(contact, friction)
        for k, frame in enumerate(joint.geometry.frames(race)):
            for flank, side in enumerate(FLANKS):
                rows[k, race, flank] = b.contact(
                    _track(joint, body, balls[k], joint.geometry.origins[k], frame, side, law)
                )
    return rows


def _track(joint: CvJoint, race, ball, origin, frame, side, law) -> np.void:
    """One flank of one track."""
    section, radius = joint.spec.section, joint.spec.ball_radius
    if joint.spec.tracks.section == "gothic-arch":
        centre = section.arc_centre(side)
        return ball_in_arc(race, ball, origin, frame, centre, section.radius, side, radius, law)
    a, b, offset = section.ellipse
    middle = origin - offset * frame[0]
    return ball_in_ellipse(race, ball, middle, frame, (a, b), side, radius, law)


def _windows(
    joint: CvJoint, b: SpatialBuilder, cage: int, balls: list[int], friction: bool
) -> NDArray:
    """(ball, side) contacts with the planes of the windows."""
    spec = joint.spec
    law = joint.contacts.law(joint.contacts.window, friction)
    rows = np.zeros((len(balls), 2), dtype=np.int64)
    for k, place in enumerate(joint.geometry.origins):
        for number, side in enumerate(SIDES):
            height = spec.cage.window_offset + side * spec.window_half_width
            origin, normal = place + height * np.array(AXIS), (0.0, 0.0, -float(side))
            rows[k, number] = b.contact(
                sphere_on_plane(cage, balls[k], origin, normal, spec.ball_radius, law)
            )
    return rows


def _guides(
    joint: CvJoint, b: SpatialBuilder, bodies: tuple[int, int, int], friction: bool
) -> tuple[int, ...]:
    """Contacts of the cage's spherical faces, where it has them."""
    outer, inner, cage = bodies
    contacts, centre = joint.contacts, np.zeros(3)
    found = []
    if guide := joint.spec.cage.outer_guide:
        law = contacts.law(contacts.outer_guide(guide), friction)
        bore = guide.radius + guide.clearance
        row = sphere_in_cylinder(outer, cage, centre, AXIS, bore, guide.radius, law)
        found.append(b.contact(row))
    if guide := joint.spec.cage.inner_guide:
        law = contacts.law(contacts.inner_guide(guide), friction)
        bore = guide.radius + guide.clearance
        row = sphere_in_sphere(cage, inner, centre, bore, guide.radius, law)
        found.append(b.contact(row))
    return tuple(found)
