"""Figures that follow from the spec of a ball joint, to be looked over before anything is run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from flank.geometry.ball_joint_checks import LIMITS, deflection_limit, parallel_deflection
from flank.machines.base import Derived
from flank.machines.cv_joint.closed_forms import (
    cage_force,
    secondary_torque,
    stroke,
    track_force,
)
from flank.machines.cv_joint.contact_spec import STIFFNESS_UNIT
from flank.machines.cv_joint.findings import joint_room

if TYPE_CHECKING:
    from flank.machines.cv_joint.joint import CvJoint


def derived_figures(joint: CvJoint) -> list[Derived]:
    return [*_masses(joint), *_contacts(joint), *_forces(joint), *_limits(joint)]


def _masses(joint: CvJoint) -> Iterator[Derived]:
    names = ("outer race", "inner race", "cage", "ball")
    for name, part in zip(names, joint.masses, strict=True):
        yield Derived(f"mass of the {name}", part.mass, "kg", "g")
    for name, part in zip(names, joint.masses, strict=True):
        yield Derived(f"moment of inertia of the {name}", part.axial, "kg*m^2", "kg*m^2")


def _contacts(joint: CvJoint) -> Iterator[Derived]:
    contacts = joint.contacts
    pairs = (
        ("outer track", contacts.outer_track),
        ("inner track", contacts.inner_track),
        ("window", contacts.window),
    )
    for name, contact in pairs:
        stiffness = contacts.stiffness(contact)
        yield Derived(f"contact stiffness, {name}", stiffness, STIFFNESS_UNIT, STIFFNESS_UNIT)


def _forces(joint: CvJoint) -> Iterator[Derived]:
    """Closed forms at the operating point, without friction."""
    spec, torque = joint.spec, joint.torque
    yield Derived("force of a loaded flank (Eq. 23)", track_force(spec, torque), "N", "N")
    yield Derived("force of cage and ball (Eq. 24)", cage_force(spec, torque), "N", "N")
    yield Derived("force of cage and ball, torque reversed", cage_force(spec, -torque), "N", "N")
    secondary = secondary_torque(torque, joint.deflection)
    yield Derived("secondary torque, T tan(β/2)", secondary, "N*m", "N*m")
    end_to_end = 2 * stroke(spec.pitch_radius, joint.deflection)
    yield Derived("stroke of a ball, peak to peak", end_to_end, "m", "mm")


def _limits(joint: CvJoint) -> Iterator[Derived]:
    """Deflections up to which the balls have room; those beyond 60 deg are left out."""
    room, plunge = joint_room(joint.spec), joint.spec.operation.plunge.farthest
    for name in LIMITS:
        limit = deflection_limit(joint.geometry, room, name, plunge)
        if limit is not None:
            yield Derived(f"deflection limit, {name}", limit, "rad", "deg")
    if joint.geometry.mirrored:
        parallel = parallel_deflection(joint.geometry)
        yield Derived("deflection where tracks turn parallel", parallel, "rad", "deg")
