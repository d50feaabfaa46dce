"""What must hold between the parts of a planetary gearbox before anything is computed.

Whether its gears can be cut, put together and run is a finding of the geometry.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from flank.machines.problems import mm

if TYPE_CHECKING:
    from flank.machines.planetary.spec import PlanetaryGearboxSpec

FEWEST_CENTRING = 3
"""Planets needed to centre a member that floats."""


def problems_of(spec: PlanetaryGearboxSpec) -> Iterator[str]:
    """Every sentence about the gearbox as a whole."""
    yield from spec.material_problems(("sun", "planets", "ring", "carrier"))
    yield from _ring(spec)
    yield from _unused(spec)
    yield from _floating(spec)
    yield from _masses(spec)
    yield from spec.error_problems()


def _ring(spec: PlanetaryGearboxSpec) -> Iterator[str]:
    ring, sun, planet = spec.ring.teeth, spec.sun.teeth, spec.planets.teeth
    if ring <= max(sun, planet):
        yield (
            f"ring.teeth is {ring}; a sun with {sun} and planets with {planet} teeth inside it "
            f"need about {sun + 2 * planet}"
        )


def _unused(spec: PlanetaryGearboxSpec) -> Iterator[str]:
    for key, mate in (("sun_mesh", spec.sun), ("ring_mesh", spec.ring)):
        crowned = mate.crowning > 0 or spec.planets.crowning > 0
        varies = crowned or spec.rack.helix_angle > 0
        yield from getattr(spec, key).too_few_slices(key, varies)
    if spec.rigid_sharing == "first" and not spec.redundant:
        yield (
            "rigid_sharing does nothing where the meshes themselves say who carries what; remove "
            "it, or make both meshes and the planets' supports rigid"
        )


def _floating(spec: PlanetaryGearboxSpec) -> Iterator[str]:
    floating = [
        name
        for name in ("sun", "ring", "carrier")
        if getattr(spec, name).support.kind == "floating"
    ]
    if floating and spec.planets.count < FEWEST_CENTRING:
        yield (
            f"{floating[0]}.support.kind: {spec.planets.count} planets do not centre a floating "
            f"member; use at least {FEWEST_CENTRING}, or a bearing"
        )
    if floating and spec.redundant:
        yield (
            f"{floating[0]}.support.kind: rigid meshes of {spec.planets.count} planets do not "
            "centre a floating member; use a bearing, or soft meshes"
        )
    if len(floating) == 3:
        yield "carrier.support.kind: sun, ring and carrier all float; hold one of them"


def _masses(spec: PlanetaryGearboxSpec) -> Iterator[str]:
    for name in ("sun", "planets"):
        wheel = getattr(spec, name)
        gear = wheel.gear(spec.rack)
        if wheel.bore_radius is not None and wheel.bore_radius >= gear.root_radius:
            yield (
                f"{name}.bore_radius is {mm(wheel.bore_radius)}; it must be less than the root "
                f"radius of {mm(gear.root_radius)}"
            )
    root, outer = spec.ring_gear.root_radius, spec.ring.outer_radius
    if outer is not None and outer <= root:
        yield (f"ring.outer_radius is {mm(outer)}; it must exceed the root radius of {mm(root)}")
