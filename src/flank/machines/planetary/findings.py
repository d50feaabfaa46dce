"""What the geometry says against a planetary gearbox."""

from collections.abc import Iterator

from flank.geometry.findings import Finding
from flank.geometry.gear_pair import GearPair
from flank.geometry.pair_checks import Names, check_gears
from flank.geometry.planetary import PlanetarySet
from flank.geometry.planetary_checks import (
    PLANET_RING,
    SUN_PLANET,
    check_meshes,
    check_set,
)
from flank.machines.planetary.spec import PlanetaryGearboxSpec

KEYS = {
    "not-coaxial": "centre_distance",
    "planets-collide": "planets.count",
    "no-assembly": "planets.angles",
}
"""Of the spec, by the findings about the set."""


def findings_of(spec: PlanetaryGearboxSpec) -> Iterator[tuple[str, Finding]]:
    """Of both gear pairs, and whether sun, planets and ring go together; with the blocks of the
    spec, or the key, that they are about."""
    try:
        gears = planetary_set(spec)
        _ = gears.sun_planet.working_angle, gears.planet_ring.working_angle
    except ValueError:  # a pair without a line of action: its own findings say why
        distance = spec.centre_distance or 0.0
        for first, second, names in (
            (spec.sun_gear, spec.planet_gear, SUN_PLANET),
            (spec.planet_gear, spec.ring_gear, PLANET_RING),
        ):
            for finding in check_gears(first, second, distance, names=names):
                yield _blocks(names), finding
        return
    for names, finding in check_meshes(gears):
        yield _blocks(names), finding
    for finding in check_set(gears):
        yield KEYS[finding.code], finding


def _blocks(names: Names) -> str:
    """Those of the spec that two gears have, whose pair is named as in sentences."""
    return ", ".join("planets" if name == "planet" else name for name in names)


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
