"""What the spec of a ball joint tells before anything is run: closed forms, findings, figures.

Closed forms of a ball joint, as Marter, Daniel, Duvigneau and Woschke 2020 give them.

    F_0 = 2 T / (m PCD sin α_ca)                                     (23), of one loaded flank
    F_c = 2 F_0 (sin α_ca tan α ∓ cos α_ca tan β)                    (24), of one ball on its window
    T_2 = T tan(δ/2)                                                 (25), at each shaft

with the skew α and the inclination β. (23) and (24) are of first order in them and hold for the
straight joint; of (24) the minus holds for a positive torque and the plus for a reversed one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from flank.geometry.ball_joint_checks import (
    LIMITS,
    JointRoom,
    check_crossing,
    check_meeting,
    check_room,
    deflection_limit,
    parallel_deflection,
)
from flank.geometry.findings import Finding
from flank.machines.base import Derived
from flank.machines.cv_joint.conditions import STIFFNESS_UNIT
from flank.machines.cv_joint.contacts import JointContacts
from flank.machines.cv_joint.spec import CvJointSpec

if TYPE_CHECKING:
    from flank.machines.cv_joint.joint import CvJoint

DEEPEST = 0.1
"""Over the ball's radius: pressed in by more, no contact law holds."""

KEYS = {
    "tracks-do-not-cross": "outer.skew",
    "tracks-nearly-parallel": "operation.deflection",
    "axes-miss": "operation.plunge",
    "short-outer-tracks": "tracks.length",
    "short-inner-tracks": "tracks.length",
    "balls-collide": "balls.diameter",
    "short-windows": "cage.window_length",
    "thin-cage": "cage.inner_diameter",
    "guide-holds-plunge": "cage.inner_guide",
    "balls-sink-in": "operation.torque",
}
"""Of the spec, by finding; the rest are about the deflection."""


def track_force(spec: CvJointSpec, torque: float) -> float:
    """F_0 in N, Eq. (23)."""
    arm = spec.balls.count * spec.pitch_circle_diameter * math.sin(spec.tracks.contact_angle)
    return 2 * abs(torque) / arm


def cage_force(spec: CvJointSpec, torque: float) -> float:
    """Force in N between one ball and its window, Eq. (24), half from each race's track."""
    angle = spec.tracks.contact_angle
    joint, sense = spec.geometry, -math.copysign(1.0, torque)
    push = sum(
        math.sin(angle) * math.tan(race.skew) + sense * math.cos(angle) * math.tan(race.inclination)
        for race in (joint.outer, joint.inner)
    )
    return abs(track_force(spec, torque) * push)


def secondary_torque(torque: float, deflection: float) -> float:
    """T_2 in N·m, Eq. (25): across the shaft, in the plane of both, without friction."""
    return abs(torque) * math.tan(0.5 * deflection)


def stroke(pitch_radius: float, deflection: float) -> float:
    """Amplitude in m of a ball along tracks parallel to the axis: PCD/2 tan(δ/2)."""
    return pitch_radius * math.tan(0.5 * deflection)


def findings_of(spec: CvJointSpec) -> Iterator[tuple[str, Finding]]:
    """Findings with the keys of the spec that they are about."""
    for finding in _findings(spec):
        yield KEYS.get(finding.code, "operation.deflection"), finding


def _findings(spec: CvJointSpec) -> Iterator[Finding]:
    joint, operation = spec.geometry, spec.operation
    deflection, plunge = operation.largest_deflection, operation.plunge.farthest
    crossing = list(check_crossing(joint, deflection))
    yield from crossing
    if any(finding.severity == "error" for finding in crossing):
        return  # where axes are parallel, balls have no place to check
    yield from check_meeting(joint, deflection, plunge)
    yield from check_room(joint, joint_room(spec), deflection, plunge)
    yield from _check_guide(spec)
    yield from _check_stiffness(spec)


def joint_room(spec: CvJointSpec) -> JointRoom:
    """Room for the balls."""
    cage, length = spec.cage, spec.tracks.length
    return JointRoom(
        spec.ball_radius,
        length or spec.outer.width,
        length or spec.inner.width,
        0.5 * cage.inner_diameter,
        0.5 * cage.outer_diameter,
        cage.window_length,
    )


def _check_guide(spec: CvJointSpec) -> Iterator[Finding]:
    """The cage goes half as far as the inner race, whose sphere it must not leave."""
    guide, plunge = spec.cage.inner_guide, spec.operation.plunge
    if guide is None or plunge.farthest <= 2 * guide.clearance:
        return
    yield Finding(
        "guide-holds-plunge",
        "error",
        f"a cage guided on the inner race with {guide.clearance * 1e6:.4g} um of clearance does "
        f"not let it plunge by {plunge.farthest * 1e3:.3g} mm",
        plunge.farthest,
        2 * guide.clearance,
        "m",
        "leave out the inner guide, or plunge by less than twice its clearance",
    )


def _check_stiffness(spec: CvJointSpec) -> Iterator[Finding]:
    """δ = (F_0/K)^(2/3) of a ball in its softer track; most often a unit is wrong."""
    contacts, limit = JointContacts(spec), DEEPEST * spec.ball_radius
    stiffness = min(map(contacts.stiffness, (contacts.outer_track, contacts.inner_track)))
    depth = (track_force(spec, spec.operation.torque) / stiffness) ** (2 / 3)
    if depth <= limit:
        return
    yield Finding(
        "balls-sink-in",
        "error",
        f"a torque of {spec.operation.torque:.4g} N*m presses balls {depth * 1e3:.3g} mm into "
        f"tracks of {stiffness:.3g} N/m^1.5, more than the {limit * 1e3:.3g} mm that a contact "
        "law covers",
        depth,
        limit,
        "m",
        "use less torque, or check the unit of contact.stiffness or of the Young's modulus",
    )


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
