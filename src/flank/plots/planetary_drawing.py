"""A planetary gearbox drawn to scale, with the tooth forces on its planets."""

from __future__ import annotations

import math

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from flank import units
from flank.analyses.result import Result
from flank.io.shown import quantity_text
from flank.machines.planetary.gearbox import PlanetaryGearbox
from flank.machines.planetary.layout import CARRIER, FIRST_PLANET, RING, SUN
from flank.machines.planetary.masses import RIM
from flank.plots.force_arrows import Arrows, draw_arrows
from flank.plots.gear_outlines import draw_gear, draw_ring
from flank.plots.outlines import MILLIMETRE, dotted_circle
from flank.plots.style import Picture

LONGEST_ARROW = 0.45
"""Length of the largest force over the centre distance."""


def planetary_picture(result: Result, machine: PlanetaryGearbox) -> Picture:
    """All gears in the ideal pose of the crank angle, and what acts on every planet."""
    angle = units.parse(result.settings["crank_angle"], "rad")
    pose = machine.ideal_pose(angle)
    forces = result["mesh_load"].values
    largest = quantity_text(float(np.abs(forces).max()), "N", "kN")
    picture = Picture(
        6.4,
        5.9,
        "The gearbox to scale. Arrows are the normal tooth forces on the planets, along the lines "
        f"of action at the pitch points; the longest is {largest}. The held member is the "
        f"{machine.spec.operation.held}.",
    )
    axes = picture.add_axes((0.10, 0.085, 0.87, 0.895))
    _draw_gears(axes, machine, pose)
    arrows = mesh_arrows(machine, pose, forces)
    draw_arrows(axes, arrows, None, MILLIMETRE)
    reach = 1.02 * max(_outer_radius(machine), np.abs(arrows.tail).max()) * MILLIMETRE
    axes.set_xlim(-reach, reach)
    axes.set_ylim(-reach, reach)
    axes.set_aspect("equal")
    axes.grid(visible=False)
    axes.set_xlabel("x (mm)")
    axes.set_ylabel("y (mm)")
    return picture


def mesh_arrows(machine: PlanetaryGearbox, pose: NDArray, forces: NDArray) -> Arrows:
    """Forces on the planets with their tips at the pitch points, in the order of the meshes.

    With c the direction of the planet, t across it and s the flank, the sun pushes a planet along
    sin α c + s cos α t, and the ring along -sin α c - s cos α t.
    """
    tips, ways = [], []
    gears = machine.layout.gears
    for kind, pair, sign in (("sun", gears.sun_planet, 1.0), ("ring", gears.planet_ring, -1.0)):
        radius = pair.working_radii[0] if sign > 0 else pair.working_radii[1]
        sine, cosine = math.sin(pair.working_angle), math.cos(pair.working_angle)
        for planet, row in enumerate(machine.mesh_rows[kind]):
            x, y, _ = pose[FIRST_PLANET + planet]
            outward = np.array([x, y]) / math.hypot(x, y)
            across = np.array([-outward[1], outward[0]])
            flank = math.copysign(1.0, forces[row])
            push = sign * (sine * outward + flank * cosine * across)
            tips.append(radius * outward)
            ways.append(abs(forces[row]) * push)
    longest = LONGEST_ARROW * machine.spec.carrier_radius / (np.abs(forces).max() or 1.0)
    tip = np.array(tips)
    return Arrows(tip, tip - longest * np.array(ways), np.full(len(tip), np.nan))


def _draw_gears(axes: Axes, machine: PlanetaryGearbox, pose: NDArray) -> None:
    spec, layout, gears = machine.spec, machine.layout, machine.layout.gears
    teeth = [0.0, 0.0, layout.ring_tooth_angle, 0.0, *layout.planet_tooth_angles]
    stands = pose + np.outer(teeth, (0.0, 0.0, 1.0))
    draw_ring(axes, gears.planet_ring.second, stands[RING], _outer_radius(machine))
    draw_gear(axes, gears.sun_planet.first, stands[SUN], spec.sun.bore_radius or 0.0)
    for own in stands[FIRST_PLANET:]:
        draw_gear(axes, gears.planet_ring.first, own, spec.planets.bore_radius or 0.0)
    dotted_circle(axes, pose[CARRIER, :2], spec.carrier_radius, above=True)


def _outer_radius(machine: PlanetaryGearbox) -> float:
    ring = machine.layout.gears.planet_ring.second
    return machine.spec.ring.outer_radius or ring.root_radius + RIM * ring.normal_module
