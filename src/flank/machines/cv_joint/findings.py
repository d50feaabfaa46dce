"""What the geometry says against a ball joint."""

from __future__ import annotations

from collections.abc import Iterator

from flank.geometry.ball_joint_checks import (
    JointRoom,
    check_crossing,
    check_meeting,
    check_room,
)
from flank.geometry.findings import Finding
from flank.machines.cv_joint.closed_forms import track_force
from flank.machines.cv_joint.contacts import JointContacts
from flank.machines.cv_joint.spec import CvJointSpec

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
