"""Where everything is: body numbers, poses, directions of teeth, pin positions.

Bodies are sun, ring, carrier and the planets, in this order. At angle zero the sun has a tooth on
the x axis and planet n stands at ψ_n. Its teeth stand centred in the spaces of the sun where

    z_s (C_s - ψ) + z_p (C_p - ψ - π) = π   (mod 2π),

and those of the ring in its spaces where z_p (C_p - ψ) - z_r (C_r - ψ) = π (mod 2π), C the
direction of a tooth. With all planets the latter asks (z_s + z_r) ψ_n to be whole turns.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from flank.machines.error_kinds import Values
from flank.machines.planetary.kinematics import Angles, Willis
from flank.machines.planetary.parts import MEMBERS, Member
from flank.machines.planetary.spec import PlanetaryGearboxSpec

SUN, RING, CARRIER, FIRST_PLANET = 1, 2, 3, 4
"""Body numbers."""

Point = tuple[float, float]


@dataclass(frozen=True)
class Layout:
    """Places of a checked spec."""

    spec: PlanetaryGearboxSpec

    @cached_property
    def willis(self) -> Willis:
        spec = self.spec
        return Willis(spec.sun.teeth, spec.planets.teeth, spec.ring.teeth, held=spec.operation.held)

    @property
    def planets(self) -> range:
        """Body numbers of the planets."""
        return range(FIRST_PLANET, FIRST_PLANET + self.spec.planets.count)

    @staticmethod
    def body_of(member: Member) -> int:
        return 1 + MEMBERS.index(member)

    @cached_property
    def carrier_radius(self) -> float:
        return self.spec.carrier_radius

    @cached_property
    def planet_tooth_angles(self) -> tuple[float, ...]:
        """Direction of a tooth on every planet's body at angle zero; the sun has one at zero."""
        z_s, z_p = self.spec.sun.teeth, self.spec.planets.teeth
        return tuple(psi + math.pi + (math.pi + z_s * psi) / z_p for psi in self.spec.planet_angles)

    @cached_property
    def ring_tooth_angle(self) -> float:
        """Direction of a tooth on the ring's body, which fits the first planet."""
        first = self.spec.planet_angles[0]
        z_p, z_r = self.spec.planets.teeth, self.spec.ring.teeth
        return first + (z_p * (self.planet_tooth_angles[0] - first) - math.pi) / z_r

    def pin(self, planet: int, errors: Values) -> Point:
        """Of planet number `planet` on the carrier's body, with its position errors."""
        psi = self.spec.planet_angles[planet]
        radius = self.carrier_radius + errors["pin_radial"][planet]
        along = errors["pin_tangential"][planet]
        c, s = math.cos(psi), math.sin(psi)
        return float(radius * c - along * s), float(radius * s + along * c)

    def pose(self, member: Member, angle: float) -> NDArray:
        """All bodies, ground first, of the ideal gearbox with one member at `angle`."""
        return self.pose_at(self.willis.angles(member, angle))

    def pose_at(self, angles: Angles) -> NDArray:
        rows = [(0.0, 0.0, 0.0), (0.0, 0.0, angles.sun), (0.0, 0.0, angles.ring)]
        rows.append((0.0, 0.0, angles.carrier))
        for psi in self.spec.planet_angles:
            direction = angles.carrier + psi
            x, y = (self.carrier_radius * f(direction) for f in (math.cos, math.sin))
            rows.append((x, y, angles.planet))
        return np.array(rows)
