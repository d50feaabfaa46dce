"""What follows from the paper's data without integrating anything."""

import math
from typing import NamedTuple

from flank.geometry.willis import ToothNumbers
from flank.machines.planetary.gearbox import PlanetaryGearbox
from flank.reproduce.planetary.gearboxes import PRESET, gearbox, planets
from flank.reproduce.planetary.swings import DURATION, PULSE, TORQUE


class Ratios(NamedTuple):
    """Speeds of planets and sun over the carrier's, the ring held."""

    planet: float
    sun: float


def willis(teeth: ToothNumbers) -> Ratios:
    """(ω_p - ω_c) z_p = -ω_c z_r, (ω_s - ω_c) z_s = ω_c z_r."""
    return Ratios(1 - teeth.ring / teeth.planet, 1 + teeth.ring / teeth.sun)


def as_printed(teeth: ToothNumbers) -> Ratios:
    """Where the deflection of Eq. 9, read with its plus sign for planet and ring, stays zero."""
    planet = 1 + teeth.ring / teeth.planet
    return Ratios(planet, 1 - teeth.planet / teeth.sun * (planet - 1))


def rigid_angle(count: int, ratios: Ratios | None = None) -> float:
    """Final carrier angle in degrees, T t₁ (t₂ - t₁/2)/I_eff for a torque until t₁.

    I_eff = I_c + N (m_p a² + I_p i_p²) + I_s i_s², i the speeds over the carrier's.
    """
    machine = gearbox(PRESET, planets(count))
    found = ratios or willis(machine.kinematics.teeth)
    masses, radius = machine.masses, machine.spec.carrier_radius
    mass, inertia = masses.planet
    total = masses.carrier[1] + count * (mass * radius**2 + inertia * found.planet**2)
    total += masses.sun[1] * found.sun**2
    return math.degrees(TORQUE * PULSE * (DURATION - 0.5 * PULSE) / total)


class MeshFrequencies(NamedTuple):
    """Hz of the sun's and the ring's meshes."""

    sun: float
    ring: float


def mesh_frequencies(machine: PlanetaryGearbox) -> MeshFrequencies:
    """Of both meshes, by angles against the carrier."""
    each = machine.orders["mesh"] * abs(machine.input_speed) / (2 * math.pi)
    return MeshFrequencies(each, each)


def frequencies_by_equation_13(machine: PlanetaryGearbox) -> MeshFrequencies:
    """From θ̄_1 = (θ_1 - r_b2/r_b1 θ_2)/2 with the angles themselves, as Eq. 13 is printed."""
    teeth = machine.kinematics.teeth
    turns = willis(teeth)
    sun = 0.5 * (turns.sun - teeth.planet / teeth.sun * turns.planet)
    planet = 0.5 * turns.planet  # the ring stands still
    speed = abs(machine.input_speed) / (2 * math.pi)
    return MeshFrequencies(abs(sun) * teeth.sun * speed, abs(planet) * teeth.planet * speed)


def steady_acceleration(force: float, count: int) -> float:
    """rad/s² of a sun on which `count` planets push with this tangential force, nothing else."""
    machine = gearbox(PRESET, planets(count))
    radius = machine.layout.gears.sun_planet.working_radii[0]
    return count * force * radius / machine.masses.sun[1]


def reflected_inertia(printed: float) -> float:
    """kg·m² at the generator that the sun feels as `printed`, through 81/20 and 72/29."""
    return printed / (81 / 20 * 72 / 29) ** 2
