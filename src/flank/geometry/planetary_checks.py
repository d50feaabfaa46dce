"""Whether sun, planets and ring go together, as findings."""

import math
from collections.abc import Iterator

from flank.geometry.findings import Finding
from flank.geometry.pair_checks import Names, check_pair
from flank.geometry.planetary import (
    PlanetarySet,
    equal_directions,
    least_mesh_angle,
    nearest_directions,
    neighbour_gap,
)

SUN_PLANET, PLANET_RING = ("sun", "planet"), ("planet", "ring")

COAXIAL = 1e-3
"""How far the centre distances of the two meshes may differ, in normal modules."""

MISMATCH = 1e-6
"""What counts as fitting without backlash, in normal modules along the line of action."""


def check_planetary(gears: PlanetarySet) -> Iterator[Finding]:
    """Findings of both gear pairs, then of the set."""
    yield from (finding for _, finding in check_meshes(gears))
    yield from check_set(gears)


def check_meshes(gears: PlanetarySet) -> Iterator[tuple[Names, Finding]]:
    """Findings of both gear pairs, with the names of the pair."""
    seen = set()
    for pair, names in ((gears.sun_planet, SUN_PLANET), (gears.planet_ring, PLANET_RING)):
        for finding in check_pair(pair, names):
            if (finding.code, finding.message) not in seen:  # those of the planet come twice
                seen.add((finding.code, finding.message))
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
        yield Finding(
            "not-coaxial",
            "error",
            f"sun and planet mesh at {inner * 1e3:.6g} mm, planet and ring at {outer * 1e3:.6g} mm",
            inner - outer,
            limit,
            "m",
            "change a profile shift or give one centre distance for both meshes",
        )


def check_neighbours(gears: PlanetarySet) -> Iterator[Finding]:
    """Whether the tips of neighbouring planets stay apart."""
    tip = gears.planet_ring.first.tip_radius
    gap = neighbour_gap(gears.directions, gears.sun_planet.centre_distance, tip)
    if gap <= 0:
        yield Finding(
            "planets-collide",
            "error",
            f"tip circles of neighbouring planets overlap by {-gap * 1e3:.4g} mm",
            gap,
            0.0,
            "m",
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
    yield Finding(
        "no-assembly",
        "error",
        f"planet {worst + 1} of {gears.planets} does not fit: its teeth are "
        f"{fits[worst].interference * 1e3:.3g} mm too far from the spaces of sun and ring",
        fits[worst].interference,
        0.0,
        "m",
        _assembly_remedy(gears),
    )


def _assembly_remedy(gears: PlanetarySet) -> str:
    total, count = gears.teeth.sun + gears.teeth.ring, gears.planets
    step = math.degrees(least_mesh_angle(gears.teeth))
    wanted = nearest_directions(gears.teeth, gears.directions)
    angles = ", ".join(f"{math.degrees(angle) % 360:.4f}" for angle in wanted)
    spaced = f"place the planets at whole multiples of {step:.5g} deg, here at {angles} deg"
    even = equal_directions(count)
    away = (abs(a - b - gears.directions[0]) for a, b in zip(gears.directions, even, strict=True))
    if total % count == 0 or max(away) > 1e-6:
        return spaced
    return (
        f"choose tooth numbers of sun and ring whose sum, now {total}, is a multiple of {count}, "
        f"or {spaced}"
    )
