"""A ball joint as a model of spatial bodies.

Bodies: outer race, inner race, the housing of the inner race's shaft, cage, and the balls, which
are leaves. The outer race turns on ground, the housing leans about y and does not turn, the inner
race turns and slides in it. Cage and balls are held by contacts alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flank.arrays import Floats
from flank.contact.spatial import (
    SpatialSurface,
    ball_in_arc,
    ball_in_ellipse,
    sphere_in_cylinder,
    sphere_in_sphere,
    sphere_on_plane,
)
from flank.dynamics.spatial.builder import SpatialBuilder
from flank.dynamics.tables import GROUND
from flank.elasticity.elliptic_contact import peak_pressure
from flank.geometry.track_section import TrackSection
from flank.machines.base import PointPressure
from flank.machines.cv_joint.assembly import INNER, OUTER, JointAssembly, JointDrive
from flank.machines.cv_joint.motion import pose_under
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


def assemble_joint(joint: CvJoint, drive: JointDrive) -> JointAssembly:
    """The model, built straight; its start is the rigid joint at time zero."""
    b = SpatialBuilder(length_scale=joint.spec.pitch_radius)
    outer, inner, housing, cage = _bodies(joint, b)
    angles, torques = drive.angles.get, drive.torques.get
    b.revolute(GROUND, outer, AXIS)
    shafts = {"outer": b.shaft(outer, AXIS, GROUND, angles("outer"), torques("outer"))}
    b.revolute(GROUND, housing, LEANING)
    b.rotation(GROUND, housing, drive.deflection, LEANING)
    b.cylindrical(housing, inner, AXIS)
    sliding = -1
    if drive.plunge is not None:
        sliding = b.along(housing, inner, AXIS, drive.plunge)
    shafts["inner"] = b.shaft(inner, AXIS, housing, angles("inner"), torques("inner"))
    ball = joint.masses.ball
    balls = [
        b.body(f"ball {k + 1}", ball.mass, ball.inertia, origin, leaf=True)
        for k, origin in enumerate(joint.geometry.origins)
    ]
    _add_tracks(joint, b, (outer, inner), balls)
    _add_windows(joint, b, cage, balls)
    _add_guides(joint, b, (outer, inner, cage))
    return JointAssembly.of(
        b,
        pose_under(joint, drive, 0.0),
        shafts,
        "outer",
        "inner",
        track_origin=np.stack([joint.track_origins(race) for race in (OUTER, INNER)], axis=1),
        track_frame=np.stack([joint.track_frames(race) for race in (OUTER, INNER)], axis=1),
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


def _add_tracks(
    joint: CvJoint, b: SpatialBuilder, races: tuple[int, int], balls: list[int]
) -> None:
    contacts = joint.contacts
    designed = (contacts.outer_track, contacts.inner_track)
    units = np.array([peak_pressure(contact, 1.0) for contact in designed])
    sizes = {"race": len(races), "ball": len(balls), "flank": len(FLANKS)}
    add = _gothic_flank if joint.spec.tracks.section == "gothic-arch" else _elliptical_flank
    with b.part("track", "tracks", sizes, PointPressure(units[:, None, None])):
        for race, body in enumerate(races):
            clearance = joint.errors[f"{RACES[race]}_track_clearance"]
            origins, frames = joint.track_origins(race), joint.track_frames(race)
            for k, radius in enumerate(joint.ball_radii.tolist()):
                law = contacts.law(contacts.in_track(RACES[race], radius))
                section = joint.spec.section_with(float(clearance[k]))
                for side in FLANKS:
                    ball, place = balls[k], (origins[k], frames[k])
                    b.contact(add(section, body, ball, *place, side, radius, law))


def _gothic_flank(
    section: TrackSection,
    race: int,
    ball: int,
    origin: Floats,
    frame: Floats,
    side: int,
    radius: float,
    law: SpatialSurface,
) -> np.void:
    centre = section.arc_centre(side)
    return ball_in_arc(race, ball, origin, frame, centre, section.radius, side, radius, law)


def _elliptical_flank(
    section: TrackSection,
    race: int,
    ball: int,
    origin: Floats,
    frame: Floats,
    side: int,
    radius: float,
    law: SpatialSurface,
) -> np.void:
    a, b, offset = section.ellipse
    middle = origin - offset * frame[0]
    return ball_in_ellipse(race, ball, middle, frame, (a, b), side, radius, law)


def _add_windows(joint: CvJoint, b: SpatialBuilder, cage: int, balls: list[int]) -> None:
    """Contacts with the planes of the windows."""
    spec, contacts, errors = joint.spec, joint.contacts, joint.errors
    middles = spec.cage.window_offset + errors["window_offset"]
    halves = spec.window_half_width + 0.5 * errors["window_width"]
    pressure = PointPressure(np.array(peak_pressure(contacts.window, 1.0)))
    with b.part("window", "cage windows", {"ball": len(balls), "side": len(SIDES)}, pressure):
        for k, place in enumerate(joint.geometry.origins):
            radius = float(joint.ball_radii[k])
            law = contacts.law(contacts.on_window(radius))
            for side in SIDES:
                origin = place + (middles[k] + side * halves[k]) * np.array(AXIS)
                normal = (0.0, 0.0, -float(side))
                b.contact(sphere_on_plane(cage, balls[k], origin, normal, radius, law))


def _add_guides(joint: CvJoint, b: SpatialBuilder, bodies: tuple[int, int, int]) -> None:
    """Contacts of the cage's spherical faces, where it has them."""
    outer, inner, cage = bodies
    contacts, errors, centre = joint.contacts, joint.errors, np.zeros(3)
    with b.part("guide", "guides of the cage", {"guide": -1}):
        if guide := joint.spec.cage.outer_guide:
            bore = guide.radius + guide.clearance + float(errors["outer_guide_clearance"])
            law = contacts.law(contacts.outer_guide(guide.radius, bore))
            b.contact(sphere_in_cylinder(outer, cage, centre, AXIS, bore, guide.radius, law))
        if guide := joint.spec.cage.inner_guide:
            bore = guide.radius + guide.clearance + float(errors["inner_guide_clearance"])
            law = contacts.law(contacts.inner_guide(guide.radius, bore))
            b.contact(sphere_in_sphere(cage, inner, centre, bore, guide.radius, law))
