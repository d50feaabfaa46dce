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
from flank.machines.cv_joint.spec import CvJointSpec

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
