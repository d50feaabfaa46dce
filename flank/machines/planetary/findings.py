"""What the geometry says against a planetary gearbox."""

from collections.abc import Iterator

from flank.geometry.findings import Finding
from flank.geometry.gear_pair import GearPair
from flank.geometry.pair_checks import check_gears
from flank.geometry.planetary import PlanetarySet
from flank.geometry.planetary_checks import check_planetary
from flank.machines.planetary.spec import PlanetaryGearboxSpec


def findings_of(spec: PlanetaryGearboxSpec) -> Iterator[Finding]:
    """Of both gear pairs, and whether sun, planets and ring go together."""
    try:
        gears = planetary_set(spec)
        _ = gears.sun_planet.working_angle, gears.planet_ring.working_angle
    except ValueError:  # a pair without a line of action: its own findings say why
        distance = spec.centre_distance or 0.0
        yield from check_gears(spec.sun_gear, spec.planet_gear, distance, names=("sun", "planet"))
        yield from check_gears(spec.planet_gear, spec.ring_gear, distance, names=("planet", "ring"))
        return
    yield from check_planetary(gears)


def planetary_set(spec: PlanetaryGearboxSpec) -> PlanetarySet:
    """The gears at the carrier's radius; where it is not given, each pair where it is tight."""
    sun, planet, ring = spec.sun_gear, spec.planet_gear, spec.ring_gear
    distance = spec.centre_distance or 0.0
    inner = min(spec.sun.face_width, spec.planets.face_width)
    outer = min(spec.planets.face_width, spec.ring.face_width)
    return PlanetarySet(
        GearPair(sun, planet, distance, inner),
        GearPair(planet, ring, distance, outer),
        spec.planet_angles,
    )
