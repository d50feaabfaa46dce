"""Where everything is: body numbers, poses, directions of teeth, pin positions; families of modes.

Bodies are sun, ring, carrier and the planets, in this order. At angle zero the sun has a tooth on
the x axis, planet n stands at ψ_n, and all teeth are centred in the spaces they mesh with.

Turning is Willis' (geometry/willis.py). Without losses the torques on the central members are in
the ratio T_s : T_r : T_c = z_s : z_r : -(z_s + z_r).

Modes of a gearbox with evenly spaced planets fall into families (Lin and Parker 1999). Seen from
the carrier, the radial, tangential and turning motions of the planets are discrete Fourier series
around it. Their mean goes with the turning of the central members (rotational modes), the first
harmonic with their shifting (translational modes, in pairs), and the others with nothing: planet
modes, each N - 3 times. Of an elastic ring n waves look to the planets like n mod N of them, so its
modes join these families (Wu and Parker 2008), but for those whose waves leave all meshes at
rest: n a multiple of N/2, and of its two modes the one that planets do not touch.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from flank.arrays import Floats, Integers
from flank.geometry.gear_pair import GearPair
from flank.geometry.planetary import PlanetarySet
from flank.geometry.willis import MEMBERS, Member, ToothNumbers, ratio, speeds
from flank.machines.error_kinds import Values
from flank.machines.planetary.spec import PlanetaryGearboxSpec
from flank.machines.round_parts import Point, carried, polar

SUN, RING, CARRIER, FIRST_PLANET = 1, 2, 3, 4
"""Body numbers."""

ROTATIONAL, TRANSLATIONAL, PLANET, MIXED = "rotational", "translational", "planet", "mixed"
PURELY_RING = "ring"

CLEAR = 0.9
"""Share of the kinetic energy from which a mode belongs to a family."""

ALONE = 1e-4
"""Share that other bodies may have of a mode of the ring alone: loads that its slope turns move
them by some 1e-5, teeth by 1e-3 and more."""


class Angles(NamedTuple):
    """Of sun, ring, carrier and every planet."""

    sun: float
    ring: float
    carrier: float
    planet: float

    def of(self, member: Member) -> float:
        return float(getattr(self, member))


@dataclass(frozen=True)
class Kinematics:
    """Tooth numbers, and which member is held."""

    teeth: ToothNumbers
    held: Member

    def angles(self, member: Member, angle: float) -> Angles:
        """All angles where one member stands at `angle` and the held one at zero."""
        return Angles(*map(float, speeds(self.teeth, {self.held: 0.0, member: float(angle)})))

    def ratio(self, driver: Member, driven: Member) -> float:
        """θ_in / θ_out."""
        return float(ratio(self.teeth, driver, driven))

    def torques(self, member: Member, torque: float) -> dict[Member, float]:
        """On all central members in equilibrium, one of them known."""
        sun, ring = self.teeth.sun, self.teeth.ring
        shares: dict[Member, float] = {"sun": sun, "ring": ring, "carrier": -(sun + ring)}
        return {name: torque * share / shares[member] for name, share in shares.items()}


def planetary_set(spec: PlanetaryGearboxSpec, distance: float) -> PlanetarySet:
    """The gears with the planets at `distance`; with zero each pair where it is tight."""
    sun, planet, ring = spec.sun_gear, spec.planet_gear, spec.ring_gear
    inner = min(spec.sun.face_width, spec.planets.face_width)
    outer = min(spec.planets.face_width, spec.ring.face_width)
    return PlanetarySet(
        GearPair(sun, planet, distance, inner),
        GearPair(planet, ring, distance, outer),
        spec.planet_angles,
    )


@dataclass(frozen=True)
class Layout:
    """Places of a checked spec."""

    spec: PlanetaryGearboxSpec

    @cached_property
    def kinematics(self) -> Kinematics:
        return Kinematics(self.gears.teeth, self.spec.operation.held)

    @cached_property
    def gears(self) -> PlanetarySet:
        """Sun, planets and ring as designed, all at the carrier's radius."""
        return planetary_set(self.spec, self.spec.carrier_radius)

    @property
    def planets(self) -> range:
        """Body numbers of the planets."""
        return range(FIRST_PLANET, FIRST_PLANET + self.spec.planets.count)

    @staticmethod
    def body_of(member: Member) -> int:
        return 1 + MEMBERS.index(member)

    @cached_property
    def planet_tooth_angles(self) -> tuple[float, ...]:
        """Direction of a tooth on every planet's body at angle zero; the sun has one at zero."""
        gears, ring = self.gears, self.ring_tooth_angle
        return tuple(
            gears.planet_tooth_angle(n, 0.0, ring).tooth_angle for n in range(gears.planets)
        )

    @cached_property
    def ring_tooth_angle(self) -> float:
        """Direction of a tooth on the ring's body, which fits the first planet."""
        return self.gears.ring_tooth_angle()

    def pin(self, planet: int, errors: Values) -> Point:
        """Of planet number `planet` on the carrier's body, with its position errors."""
        psi = self.spec.planet_angles[planet]
        radius = self.spec.carrier_radius + float(errors["pin_radial"][planet])
        return carried((0.0, 0.0, psi), (radius, float(errors["pin_tangential"][planet])))

    def pose(self, member: Member, angle: float) -> Floats:
        """All bodies, ground first, of the ideal gearbox with one member at `angle`."""
        angles = self.kinematics.angles(member, angle)
        rows = [(0.0, 0.0, 0.0), (0.0, 0.0, angles.sun), (0.0, 0.0, angles.ring)]
        rows.append((0.0, 0.0, angles.carrier))
        for psi in self.spec.planet_angles:
            rows.append((*polar(self.spec.carrier_radius, angles.carrier + psi), angles.planet))
        return np.array(rows)


def family_shares(
    weighed: Floats, pose: Floats, count: int, harmonics: Sequence[int] | Integers = ()
) -> Floats:
    """Shares (mode, family) of the kinetic energy, in the order of the names above.

    `weighed` (mode, body, 3) are mode shapes times the roots of the masses, ground first: behind
    `count` planets those of a ring's modes, which have so many waves, its `harmonics`.
    """
    last = FIRST_PLANET + count
    central = weighed[:, 1:FIRST_PLANET]
    planets = weighed[:, FIRST_PLANET:last]
    directions = np.arctan2(pose[FIRST_PLANET:last, 1], pose[FIRST_PLANET:last, 0])
    cosine, sine = np.cos(directions), np.sin(directions)
    x, y, turn = np.moveaxis(planets, -1, 0)
    local = np.stack((cosine * x + sine * y, cosine * y - sine * x, turn), axis=-1)
    lines = np.sum(np.abs(np.fft.fft(local, axis=1)) ** 2, axis=2) / count
    shares = np.zeros((len(weighed), 3))
    shares[:, 0] = np.sum(central[:, :, 2] ** 2, axis=1) + lines[:, 0]
    shares[:, 1] = np.sum(central[:, :, :2] ** 2, axis=(1, 2))
    shares[:, 1] += sum(lines[:, k] for k in {1, count - 1} if 0 < k < count)
    shares[:, 2] = lines[:, 2 : count - 1].sum(axis=1)
    waves = np.asarray(harmonics, dtype=int) % count
    family = np.where(waves == 0, 0, np.where((waves == 1) | (waves == count - 1), 1, 2))
    of_ring = weighed[:, last:].reshape(len(weighed), 3 * (weighed.shape[1] - last)) ** 2
    for number in range(3):
        shares[:, number] += of_ring[:, family == number].sum(axis=1)
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def family_names(
    weighed: Floats, pose: Floats, count: int, harmonics: Sequence[int] | Integers = ()
) -> list[str]:
    """The family of each mode; 'mixed' where none has most of the energy."""
    shares = family_shares(weighed, pose, count, harmonics)
    bodies = np.sum(weighed[:, : FIRST_PLANET + count] ** 2, axis=(1, 2))
    alone = bodies <= ALONE * np.sum(weighed**2, axis=(1, 2))
    names = (ROTATIONAL, TRANSLATIONAL, PLANET)
    families = [names[int(np.argmax(s))] if s.max() >= CLEAR else MIXED for s in shares]
    return [PURELY_RING if own else name for own, name in zip(alone, families, strict=True)]
