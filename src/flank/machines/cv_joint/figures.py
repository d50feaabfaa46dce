"""What the spec of a ball joint tells before anything is run: masses, closed forms, findings.

Masses and moments of inertia are given by hand or follow from the dimensions. A race is a ring less
its tracks, each the part of a cylinder of the ball's radius about the pitch circle that lies in the
ring, along the axis; the cage is a ring less its windows, blocks of its wall. All are taken as
symmetric about axis and mid-plane.

Closed forms, as Marter, Daniel, Duvigneau and Woschke 2020 give them.

    F_0 = 2 T / (m PCD sin α_ca)                                     (23), of one loaded flank
    F_c = 2 F_0 (sin α_ca tan α ∓ cos α_ca tan β)                    (24), of one ball on its window
    T_2 = T tan(δ/2)                                                 (25), at each shaft

with the skew α and the inclination β. (23) and (24) are of first order in them and hold for the
straight joint; of (24) the minus holds for a positive torque and the plus for a reversed one.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from flank.geometry.ball_joint_checks import (
    JointRoom,
    check_axis_offset,
    check_crossing,
    check_room,
)
from flank.geometry.findings import Finding
from flank.machines.cv_joint.contacts import JointContacts
from flank.machines.cv_joint.parts import CageSpec, RaceSpec
from flank.machines.cv_joint.spec import CvJointSpec
from flank.texts import mm, um

QUADRATURE = 64
"""Points of the integral over the radius of a track, which then has no error to speak of."""

LARGEST_DEPTH = 0.1
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


def joint_findings(spec: CvJointSpec) -> Iterator[Finding]:
    joint, operation = spec.geometry, spec.operation
    deflection, plunge = operation.largest_deflection, operation.plunge.farthest
    crossing = list(check_crossing(joint, deflection))
    yield from crossing
    if any(finding.severity == "error" for finding in crossing):
        return  # where axes are parallel, balls have no place to check
    yield from check_axis_offset(joint, deflection, plunge)
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
        f"a cage guided on the inner race with {um(guide.clearance, 4)} of clearance does "
        f"not let it plunge by {mm(plunge.farthest, 3)}",
        plunge.farthest,
        2 * guide.clearance,
        "m",
        "leave out the inner guide, or plunge by less than twice its clearance",
    )


def _check_stiffness(spec: CvJointSpec) -> Iterator[Finding]:
    """δ = (F_0/K)^(2/3) of a ball in its softer track; most often a unit is wrong."""
    contacts, limit = JointContacts(spec), LARGEST_DEPTH * spec.ball_radius
    stiffness = min(map(contacts.stiffness, (contacts.outer_track, contacts.inner_track)))
    depth = (track_force(spec, spec.operation.torque) / stiffness) ** (2 / 3)
    if depth <= limit:
        return
    yield Finding(
        "balls-sink-in",
        "error",
        f"a torque of {spec.operation.torque:.4g} N*m presses balls {mm(depth, 3)} into "
        f"tracks of {stiffness:.3g} N/m^1.5, more than the {mm(limit, 3)} that a contact "
        "law covers",
        depth,
        limit,
        "m",
        "use less torque, or check the unit of contact.stiffness or of the Young's modulus",
    )


class MassMoments(NamedTuple):
    """Mass in kg and moments of inertia about the axis and across it, in kg·m²."""

    mass: float
    axial: float
    transverse: float

    @property
    def inertia(self) -> tuple[float, float, float]:
        """About x, y and z, the axis."""
        return self.transverse, self.transverse, self.axial


class JointMasses(NamedTuple):
    """Of one part of each kind."""

    outer: MassMoments
    inner: MassMoments
    cage: MassMoments
    ball: MassMoments


def joint_masses(spec: CvJointSpec) -> JointMasses:
    return JointMasses(
        _as_given(spec.outer, _race(spec, spec.outer)),
        _as_given(spec.inner, _race(spec, spec.inner)),
        _as_given(spec.cage, _cage(spec)),
        _ball(spec),
    )


def track_moments(
    pitch_radius: float, ball_radius: float, inside: float, outside: float
) -> tuple[float, float]:
    """Area in m² and its polar moment about the axis in m⁴ of a circle of the ball's radius R,
    centred at the pitch radius d, between two radii.

    At the radius r it covers the angle 2 acos((r² + d² - R²)/(2 r d)).
    """
    low, high = max(inside, pitch_radius - ball_radius), min(outside, pitch_radius + ball_radius)
    if low >= high:
        return 0.0, 0.0
    # r = middle - half cos ψ makes the roots at the ends of the circle smooth; midpoint rule in ψ.
    psi = (np.arange(QUADRATURE) + 0.5) * math.pi / QUADRATURE
    r = 0.5 * (high + low) - 0.5 * (high - low) * np.cos(psi)
    weight = 0.5 * (high - low) * np.sin(psi) * math.pi / QUADRATURE
    cosine = (r**2 + pitch_radius**2 - ball_radius**2) / (2 * r * pitch_radius)
    angle = 2 * np.arccos(np.clip(cosine, -1.0, 1.0))
    return float(np.sum(weight * angle * r)), float(np.sum(weight * angle * r**3))


def _race(spec: CvJointSpec, race: RaceSpec) -> MassMoments:
    inside, outside = 0.5 * race.bore_diameter, 0.5 * race.outer_diameter
    track, track_polar = track_moments(spec.pitch_radius, spec.ball_radius, inside, outside)
    area = math.pi * (outside**2 - inside**2) - spec.balls.count * track
    polar = 0.5 * math.pi * (outside**4 - inside**4) - spec.balls.count * track_polar
    return _extruded(area, polar, race.width, spec.material(race.material).density)


def _cage(spec: CvJointSpec) -> MassMoments:
    cage = spec.cage
    density = spec.material(cage.material).density
    inside, outside = 0.5 * cage.inner_diameter, 0.5 * cage.outer_diameter
    area, polar = math.pi * (outside**2 - inside**2), 0.5 * math.pi * (outside**4 - inside**4)
    # A window takes its length at the middle of the wall: a share of the ring.
    share = spec.balls.count * cage.window_length / (math.pi * (outside + inside))
    ring = _extruded(area, polar, cage.width, density)
    cut = _extruded(share * area, share * polar, 2 * spec.window_half_width, density)
    return MassMoments(*(solid - hole for solid, hole in zip(ring, cut, strict=True)))


def _extruded(area: float, polar: float, width: float, density: float) -> MassMoments:
    """A section of evenly spread area along the axis: J_x = J_z/2 + m w²/12."""
    mass, axial = density * area * width, density * polar * width
    return MassMoments(mass, axial, 0.5 * axial + mass * width**2 / 12)


def _ball(spec: CvJointSpec) -> MassMoments:
    radius = spec.ball_radius
    density = spec.material(spec.balls.material).density
    mass = spec.balls.mass or density * 4 / 3 * math.pi * radius**3
    moment = 0.4 * mass * radius**2
    return MassMoments(mass, moment, moment)


def _as_given(part: RaceSpec | CageSpec, drawn: MassMoments) -> MassMoments:
    """What the spec gives by hand, the rest as drawn; moments in the ratio of what is given."""
    mass = part.mass or drawn.mass
    axial = part.inertia or drawn.axial * mass / drawn.mass
    return MassMoments(mass, axial, drawn.transverse * axial / drawn.axial)
