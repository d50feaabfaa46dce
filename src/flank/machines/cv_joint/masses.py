"""Masses and moments of inertia of a ball joint, by hand or from its dimensions.

A race is a ring less its tracks, each the part of a cylinder of the ball's radius about the pitch
circle that lies in the ring, along the axis; the cage is a ring less its windows, blocks of its
wall. All are taken as symmetric about axis and mid-plane.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from flank.machines.cv_joint.parts import CageSpec, RaceSpec
    from flank.machines.cv_joint.spec import CvJointSpec

QUADRATURE = 64
"""Points of the integral over the radius of a track, which then has no error to speak of."""


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
        _given(spec.outer, _race(spec, spec.outer)),
        _given(spec.inner, _race(spec, spec.inner)),
        _given(spec.cage, _cage(spec)),
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
    return _along(area, polar, race.width, spec.material(race.material).density)


def _cage(spec: CvJointSpec) -> MassMoments:
    cage = spec.cage
    density = spec.material(cage.material).density
    inside, outside = 0.5 * cage.inner_diameter, 0.5 * cage.outer_diameter
    area, polar = math.pi * (outside**2 - inside**2), 0.5 * math.pi * (outside**4 - inside**4)
    # A window takes its length at the middle of the wall: a share of the ring.
    share = spec.balls.count * cage.window_length / (math.pi * (outside + inside))
    ring = _along(area, polar, cage.width, density)
    cut = _along(share * area, share * polar, 2 * spec.window_half_width, density)
    return MassMoments(*(whole - hole for whole, hole in zip(ring, cut, strict=True)))


def _along(area: float, polar: float, width: float, density: float) -> MassMoments:
    """A section of evenly spread area along the axis: J_x = J_z/2 + m w²/12."""
    mass, axial = density * area * width, density * polar * width
    return MassMoments(mass, axial, 0.5 * axial + mass * width**2 / 12)


def _ball(spec: CvJointSpec) -> MassMoments:
    radius = spec.ball_radius
    density = spec.material(spec.balls.material).density
    mass = spec.balls.mass or density * 4 / 3 * math.pi * radius**3
    moment = 0.4 * mass * radius**2
    return MassMoments(mass, moment, moment)


def _given(part: RaceSpec | CageSpec, drawn: MassMoments) -> MassMoments:
    """What the spec gives by hand, the rest as drawn; moments in the ratio of what is given."""
    mass = part.mass or drawn.mass
    axial = part.inertia or drawn.axial * mass / drawn.mass
    return MassMoments(mass, axial, drawn.transverse * axial / drawn.axial)
