"""How sun, planets and ring fit together: assembly, neighbours, mesh phases, modes excited; and
whether they do, as findings.

Centres of the planets stand on the carrier at the directions ψ_n from the axis. Teeth count from
the line of centres in pitches; a planet is in mesh, centred in its backlash, where a tooth of one
gear faces a space of the other:

    [Z_s (C_s - ψ) + Z_p (C_p - ψ - π)] / 2π = 1/2,   [Z_p (C_p - ψ) - Z_r (C_r - ψ)] / 2π = 1/2

modulo one, C the direction of any tooth. Both hold at every ψ_n if (Z_s + Z_r) ψ_n / 2π is whole.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal, NamedTuple

from flank.geometry.findings import Finding, error
from flank.geometry.gear_pair import GearPair
from flank.geometry.pair_checks import Names, check_pair
from flank.geometry.willis import ToothNumbers
from flank.texts import mm

TURN = 2 * math.pi
Modes = Literal["rotational", "translational", "planet"]
Phasing = Literal["in phase", "counter phase", "sequential"]

SUN_PLANET, PLANET_RING = ("sun", "planet"), ("planet", "ring")

COAXIAL = 1e-3
"""How far the centre distances of the two meshes may differ, in normal modules."""

MISMATCH = 1e-6
"""What counts as fitting without backlash, in normal modules along the line of action."""


class PlanetFit(NamedTuple):
    """Where a planet's tooth stands, and how far that is from the middle of its backlash.

    `mismatch` is what the two meshes disagree by, `interference` what of it backlash does not take
    up, both along the lines of action in m. The planet assembles where `interference` is zero.
    """

    tooth_angle: float
    mismatch: float
    interference: float


@dataclass(frozen=True)
class PlanetarySet:
    """A sun, planets and a ring as two gear pairs, and the planets' directions on the carrier."""

    sun_planet: GearPair
    planet_ring: GearPair
    directions: tuple[float, ...]

    @cached_property
    def teeth(self) -> ToothNumbers:
        return ToothNumbers(
            self.sun_planet.first.teeth, self.planet_ring.first.teeth, self.planet_ring.second.teeth
        )

    @property
    def planets(self) -> int:
        return len(self.directions)

    def ring_tooth_angle(self, sun: float = 0.0, planet: int = 0) -> float:
        """Direction of a tooth of the ring such that this planet fits, without mismatch."""
        teeth, direction = self.teeth, self.directions[planet]
        return direction + (math.pi * teeth.planet - teeth.sun * (sun - direction)) / teeth.ring

    def planet_tooth_angle(self, planet: int, sun: float, ring: float) -> PlanetFit:
        """Direction of a planet's tooth between teeth of the sun and the ring that stand so.

        A mismatch is shared such that both meshes are equally far off the middle of their backlash,
        as a part of it; without backlash each takes half.
        """
        teeth, direction = self.teeth, self.directions[planet]
        pitch = TURN / teeth.planet
        in_sun = direction + math.pi + 0.5 * pitch - teeth.sun * (sun - direction) / teeth.planet
        in_ring = direction + 0.5 * pitch + teeth.ring * (ring - direction) / teeth.planet
        apart = math.remainder(in_ring - in_sun, pitch)
        plays = [max(pair.normal_backlash, 0.0) for pair in (self.sun_planet, self.planet_ring)]
        room = sum(plays)
        share = plays[0] / room if room else 0.5
        mismatch = apart * self.planet_ring.first.base_radius
        interference = max(abs(mismatch) - 0.5 * room, 0.0)
        return PlanetFit(in_sun + share * apart, mismatch, interference)

    def loaded_planet_angle(self, planet: int, sun: float, flank: int = 1) -> float:
        """Direction of the planet's tooth that the sun's tooth at `sun` touches on this flank."""
        pair, direction = self.sun_planet, self.directions[planet]
        # The gap falls by r_b per angle of the planet's tooth and flank.
        open_by = pair.gap(flank, sun, direction + math.pi, direction)
        return direction + math.pi + flank * open_by / pair.second.base_radius

    def mesh_positions(self, planet: int, sun: float, flank: int = 1) -> tuple[float, float]:
        """Where contact stands in the sun's and the ring's mesh of a planet, in base pitches.

        From the pitch point, in [0, 1), along the travel of contact when the sun turns towards
        `flank` (+1: counter-clockwise, seen from the carrier): zero when a pair touches at the
        pitch point. The planet touches the sun on one flank and the ring on the other. The ring
        stands wherever its teeth are touched.
        """
        direction = self.directions[planet]
        turned = self.loaded_planet_angle(planet, sun, flank)
        return (
            _position(self.sun_planet, self.sun_planet.roll(flank, sun, direction)),
            _position(self.planet_ring, self.planet_ring.roll(-flank, turned, direction)),
        )

    def mesh_phase_shift(self, flank: int = 1) -> float:
        """γ_sr: by what part of a mesh cycle the ring's mesh of a planet is ahead of the sun's.

        The same for every planet and position, as each planet turns both meshes alike.
        """
        sun, ring = self.mesh_positions(0, 0.0, flank)
        return (ring - sun) % 1.0

    def sun_mesh_phases(self) -> tuple[float, ...]:
        """Z_s ψ_n / 2π modulo one: part of a mesh cycle by which planet n is behind at the sun.

        For a sun that turns counter-clockwise against the carrier.
        """
        return tuple(self.teeth.sun * angle / TURN % 1.0 for angle in self.directions)

    def ring_mesh_phases(self) -> tuple[float, ...]:
        """Z_r ψ_n / 2π modulo one: part of a mesh cycle by which planet n is ahead at the ring."""
        return tuple(self.teeth.ring * angle / TURN % 1.0 for angle in self.directions)


def _position(pair: GearPair, roll: float) -> float:
    pitch_point = pair.first.base_radius * math.tan(pair.working_angle)
    return (roll - pitch_point) / pair.base_pitch % 1.0


def equal_directions(planets: int) -> tuple[float, ...]:
    """2π n/N from the x axis."""
    return tuple(TURN * n / planets for n in range(planets))


def assembles(teeth: ToothNumbers, planets: int) -> bool:
    """Whether planets fit at equal distances: (Z_s + Z_r)/N is whole."""
    return (teeth.sun + teeth.ring) % planets == 0


def least_mesh_angle(teeth: ToothNumbers) -> float:
    """2π/(Z_s + Z_r): planets fit at whole multiples of it and nowhere else."""
    return TURN / (teeth.sun + teeth.ring)


def nearest_directions(teeth: ToothNumbers, wanted: tuple[float, ...]) -> tuple[float, ...]:
    """Directions next to the wanted ones at which planets fit, the first one kept."""
    step = least_mesh_angle(teeth)
    return tuple(wanted[0] + step * round((angle - wanted[0]) / step) for angle in wanted)


def neighbour_gap(directions: tuple[float, ...], centre_distance: float, tip: float) -> float:
    """Least distance between the tip circles of neighbouring planets; infinite for one planet."""
    if len(directions) < 2:
        return math.inf
    around = sorted(angle % TURN for angle in directions)
    steps = [b - a for a, b in zip(around, [*around[1:], around[0] + TURN], strict=True)]
    closest = min(min(step, TURN - step) for step in steps)
    return 2 * centre_distance * math.sin(0.5 * closest) - 2 * tip


def phase_step(teeth: ToothNumbers, planets: int) -> Fraction:
    """Z_s/N modulo one, between neighbours at equal distances."""
    return Fraction(teeth.sun % planets, planets)


def phasing(teeth: ToothNumbers, planets: int) -> Phasing:
    """How neighbours at equal distances follow each other through a mesh cycle."""
    step = phase_step(teeth, planets)
    if step == 0:
        return "in phase"
    return "counter phase" if step == Fraction(1, 2) else "sequential"


def excited_modes(teeth: ToothNumbers, planets: int, harmonic: int = 1) -> Modes | None:
    """Modes that a harmonic l of the mesh frequency excites with equal planets, by l Z_s mod N.

    Forces on sun, ring and carrier add up to a moment only (0), to a force only (1, N - 1), or to
    nothing, and then move planets only (Parker, J. Sound Vib. 236 (2000) 561-573). None with fewer
    than three planets, whose modes are not so ordered.
    """
    if planets < 3:
        return None
    remainder = harmonic * teeth.sun % planets
    if remainder == 0:
        return "rotational"
    return "translational" if remainder in (1, planets - 1) else "planet"


def check_planetary(gears: PlanetarySet) -> Iterator[Finding]:
    """Findings of both gear pairs, then of the set."""
    yield from (finding for _, finding in check_meshes(gears))
    yield from check_set(gears)


def check_meshes(gears: PlanetarySet) -> Iterator[tuple[Names, Finding]]:
    """Findings of both gear pairs, with the names of the pair."""
    reported = set()
    for pair, names in ((gears.sun_planet, SUN_PLANET), (gears.planet_ring, PLANET_RING)):
        for finding in check_pair(pair, names):
            if (finding.code, finding.message) not in reported:  # those of the planet come twice
                reported.add((finding.code, finding.message))
                yield names, finding


def check_set(gears: PlanetarySet) -> Iterator[Finding]:
    """Whether both pairs and all planets go together."""
    yield from check_coaxial(gears)
    yield from check_neighbours(gears)
    yield from check_assembly(gears)


def check_coaxial(gears: PlanetarySet) -> Iterator[Finding]:
    """Whether one carrier radius suits both meshes."""
    inner, outer = gears.sun_planet.centre_distance, gears.planet_ring.centre_distance
    limit = COAXIAL * gears.sun_planet.first.normal_module
    if abs(inner - outer) > limit:
        yield error(
            "not-coaxial",
            (inner - outer, limit, "m"),
            f"sun and planet mesh at {mm(inner, 6)}, planet and ring at {mm(outer, 6)}",
            "change a profile shift or give one centre distance for both meshes",
        )


def check_neighbours(gears: PlanetarySet) -> Iterator[Finding]:
    """Whether the tips of neighbouring planets stay apart."""
    tip = gears.planet_ring.first.tip_radius
    gap = neighbour_gap(gears.directions, gears.sun_planet.centre_distance, tip)
    if gap <= 0:
        yield error(
            "planets-collide",
            (gap, 0.0, "m"),
            f"tip circles of neighbouring planets overlap by {mm(-gap, 4)}",
            "use fewer planets, planets with fewer teeth, or space them evenly",
        )


def check_assembly(gears: PlanetarySet) -> Iterator[Finding]:
    """Whether every planet's teeth find spaces in the sun and the ring at once."""
    ring = gears.ring_tooth_angle()
    fits = [gears.planet_tooth_angle(n, 0.0, ring) for n in range(gears.planets)]
    worst = max(range(gears.planets), key=lambda n: fits[n].interference)
    limit = MISMATCH * gears.sun_planet.first.normal_module
    if fits[worst].interference <= limit:
        return
    yield error(
        "no-assembly",
        (fits[worst].interference, 0.0, "m"),
        f"planet {worst + 1} of {gears.planets} does not fit: its teeth are "
        f"{mm(fits[worst].interference, 3)} too far from the spaces of sun and ring",
        _assembly_remedy(gears),
    )


def _assembly_remedy(gears: PlanetarySet) -> str:
    total, count = gears.teeth.sun + gears.teeth.ring, gears.planets
    step = math.degrees(least_mesh_angle(gears.teeth))
    wanted = nearest_directions(gears.teeth, gears.directions)
    angles = ", ".join(f"{math.degrees(angle) % 360:.4f}" for angle in wanted)
    spaced = f"place the planets at whole multiples of {step:.5g} deg, here at {angles} deg"
    even = equal_directions(count)
    deviations = (
        abs(a - b - gears.directions[0]) for a, b in zip(gears.directions, even, strict=True)
    )
    if total % count == 0 or max(deviations) > 1e-6:
        return spaced
    return (
        f"choose tooth numbers of sun and ring whose sum, now {total}, is a multiple of {count}, "
        f"or {spaced}"
    )
