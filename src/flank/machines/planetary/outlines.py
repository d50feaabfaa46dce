"""The outlines of a planetary gearbox: its gears, and the lines along which their teeth push."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from flank.machines.outlines import (
    Outline,
    circle,
    gear_outlines,
    line_of_action,
    ring_outlines,
)
from flank.machines.planetary.layout import CARRIER, FIRST_PLANET, RING, SUN
from flank.machines.planetary.masses import RIM

if TYPE_CHECKING:
    from flank.machines.planetary.gearbox import PlanetaryGearbox


def gearbox_outlines(machine: PlanetaryGearbox) -> list[Outline]:
    """Ring, sun, planets, the circle of the planets, lines of action."""
    spec, layout, gears = machine.spec, machine.layout, machine.layout.gears
    ring, sun, planet = gears.planet_ring.second, gears.sun_planet.first, gears.planet_ring.first
    outer = spec.ring.outer_radius or ring.root_radius + RIM * ring.normal_module
    bore = spec.planets.bore_radius or 0.0
    planets = [
        part
        for n, angle in enumerate(layout.planet_tooth_angles)
        for part in gear_outlines(f"planet {n + 1}", FIRST_PLANET + n, planet, angle, bore)
    ]
    circles = Outline("circle of planets", CARRIER, circle(spec.carrier_radius), "pitch circle")
    return [
        *ring_outlines("ring", RING, ring, layout.ring_tooth_angle, outer, "body"),
        *gear_outlines("sun", SUN, sun, bore=spec.sun.bore_radius or 0.0),
        *planets,
        circles,
        *_lines_of_action(machine),
    ]


def _lines_of_action(machine: PlanetaryGearbox) -> Iterator[Outline]:
    """On the carrier, where the pitch points stand still.

    With c the direction of the planet, t across it and s the flank, the sun pushes a planet along
    sin α c + s cos α t, and the ring along -sin α c - s cos α t.
    """
    gears = machine.layout.gears
    for n, psi in enumerate(machine.spec.planet_angles):
        outward = np.array([math.cos(psi), math.sin(psi)])
        across = np.array([-outward[1], outward[0]])
        for mesh, pair, sign in (
            (f"sun/planet {n + 1}", gears.sun_planet, 1.0),
            (f"planet {n + 1}/ring", gears.planet_ring, -1.0),
        ):
            radius = pair.working_radii[0] if sign > 0 else pair.working_radii[1]
            sine = math.sin(pair.working_angle) * outward
            cosine = math.cos(pair.working_angle) * across
            ways = sign * (sine + cosine), sign * (sine - cosine)
            yield line_of_action(mesh, CARRIER, radius * outward, *ways)
