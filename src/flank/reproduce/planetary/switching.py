"""Where on the base circle the teeth of each mesh touch, and how stiff the mesh is there (Fig. 12).

The paper's arc length s_1 on the base circle of the first gear is the roll length of the contact.
Between s_min and s_max - p_b two pairs of teeth carry, from there to s_min + p_b one.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.optimize import bisect

from flank.arrays import Floats
from flank.elasticity.mesh_stiffness import mesh_stiffness
from flank.geometry.gear import Gear, involute
from flank.geometry.gear_pair import GearPair
from flank.machines.meshed_pair import MeshedPair
from flank.reproduce.planetary.computing import PRESET, STAGE, STAGE_SPEED, gearbox


@dataclass(frozen=True)
class MeshContact:
    """Arc length (m) and stiffness (N/m) of one mesh over time, with the ends of its path."""

    name: str
    arc: Floats
    stiffness: Floats
    path: tuple[float, float]
    base_pitch: float


def mesh_contacts(time: Floats) -> dict[str, MeshContact]:
    """Of all meshes of the stage at the paper's speed, by name."""
    machine = gearbox(STAGE, {})
    gears, flank = machine.layout.gears, machine.sun_flank
    turned = machine.kinematics.angles("carrier", 1.0)
    sun = (turned.sun - turned.carrier) * STAGE_SPEED * time  # seen from the carrier
    contacts = {}
    for n, direction in enumerate(gears.directions):
        planet = [gears.loaded_planet_angle(n, angle, flank) for angle in sun]
        rolls = {
            f"sun/planet {n + 1}": [gears.sun_planet.roll(flank, a, direction) for a in sun],
            f"planet {n + 1}/ring": [gears.planet_ring.roll(-flank, a, direction) for a in planet],
        }
        pairs = machine.sun_pair(n), machine.ring_pair(n)
        for (name, roll), meshed in zip(rolls.items(), pairs, strict=True):
            contacts[name] = _mesh_contact(name, meshed, np.array(roll))
    return contacts


def _mesh_contact(name: str, meshed: MeshedPair, roll: Floats) -> MeshContact:
    pair = meshed.pair
    start, pitch = pair.path[0], pair.base_pitch
    past = np.mod(roll - start, pitch)
    curve = mesh_stiffness(pair, meshed.materials, meshed.load / pair.face_width)
    stiffness = np.interp(past, curve.positions, curve.stiffness, period=pitch) * pair.face_width
    return MeshContact(name, start + past, stiffness, pair.path, pitch)


class Offset(NamedTuple):
    """Arc length at zero angle by the paper and by geometry, m, and pitches between the two.

    The paper does not say whether a tooth or a space points at the other gear then; both are tried.
    """

    gears: str
    equation: int
    paper: float
    geometry: float
    tooth: float
    space: float


def offsets() -> list[Offset]:
    """Eqs. 17 to 20 against where the flanks touch."""
    plain, stage = (gearbox(name, {}).layout.gears for name in (PRESET, STAGE))
    return [
        _offset("20/40, x = 0", 17, plain.sun_planet, _without_shift(plain.sun_planet, -1)),
        _offset("20/40, x = 0", 19, plain.sun_planet, _with_shift(plain.sun_planet)),
        _offset("40/100, x = 0", 18, plain.planet_ring, _without_shift(plain.planet_ring, 1)),
        _offset("40/100, x = 0", 20, plain.planet_ring, _with_shift(plain.planet_ring)),
        _offset("20/35, shifted", 19, stage.sun_planet, _with_shift(stage.sun_planet)),
        _offset("35/91, shifted", 20, stage.planet_ring, _with_shift(stage.planet_ring)),
    ]


def _without_shift(pair: GearPair, sign: int) -> float:
    """Δθ of Eqs. 17 (sign -1) and 18 (sign +1)."""
    gear = pair.first
    value = sign * math.pi / (2 * gear.teeth) + involute(pair.working_angle)
    return value + math.atan(pair.path[0] / gear.base_radius)


def _with_shift(pair: GearPair) -> float:
    """Δθ of Eqs. 19 and 20."""
    gear, angle = pair.first, pair.working_angle
    value = (math.pi / 2 - 2 * gear.profile_shift * math.tan(angle)) / gear.teeth
    arc = pair.path[0] / gear.base_radius
    return value - involute(angle) + arc - math.atan(arc)


def _offset(gears: str, equation: int, pair: GearPair, delta: float) -> Offset:
    pitch, radius = pair.base_pitch, pair.first.base_radius
    paper = pair.path[0] + (radius * delta) % pitch
    touched = touching_arc(pair.first, pair.working_angle)
    geometry = pair.path[0] + (touched - pair.path[0]) % pitch
    tooth = math.remainder((paper - geometry) / pitch, 1.0)
    return Offset(gears, equation, paper, geometry, tooth, math.remainder(tooth - 0.5, 1.0))


def touching_arc(gear: Gear, working_angle: float, angle: float = 0.0) -> float:
    """Arc length where the flank meets the line of action, by bisection on its outline.

    The tooth, centred at `angle` from the line of centres, has the thickness m (π/2 + 2 x tan α_0)
    at the reference circle; a point of its flank at the radius r stands at
    h(r) = s/(2 r_0) + inv α_0 - inv α(r) from its middle, and on the line of action where
    r cos(angle + h(r) + α_w) = r_b.
    """
    base, reference = gear.base_radius, gear.reference_radius
    rack = gear.pressure_angle
    thick = math.pi / 2 + 2 * gear.profile_shift * math.tan(rack)
    middle = thick * gear.normal_module / (2 * reference) + involute(rack)

    def beside(roll: float) -> float:
        """How far the flank is past the line of action, in rad."""
        pressure = math.atan(roll / base)
        return angle + middle - involute(pressure) + working_angle - pressure

    return float(bisect(beside, 0.0, 4 * reference, xtol=1e-15))


def phases(count: int) -> Floats:
    """Of the sun meshes of the gearbox of Table 1, which has no profile shift, in pitches."""
    return gearbox(PRESET, {"planets.count": count}).mesh_phases().sun
