"""Stiffness of a mesh over the position of contact: a table of one pair, and pairs sharing a load.

One pair of teeth at the roll length ρ of the first gear, under the load F' per face width:

    δ = e(ρ) + F' [a_1(ρ) + a_2(ρ_2) + P(ρ) - Q ln F'],

e the separation (tip relief, and beyond the path the way to the edge of a tip), a the teeth, the
rest their contact. All pairs twist the same bodies, so a part c of the compliance
acts on the total load. A table linearises the rest at the mean load F'/ε_α of a pair: with ρ_i one
base pitch apart, F = Σ k(ρ_i)(δ - c F - e_i) over the pairs i that touch. The mesh over one base
pitch is solved without linearising,

    δ = c F'_total + e_i + F'_i [...]   for every pair in contact,   Σ F'_i = F'_total,

slice by slice across the face: helical teeth meet tan β_b z later, crowned ones stand back.
"""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from flank.arrays import Floats
from flank.elasticity.line_contact import line_approach, line_load
from flank.elasticity.material import Material
from flank.elasticity.tooth import ToothTable, tooth_pair_hertz, tooth_tables
from flank.elasticity.tooth_curvature import relative_curvature
from flank.elasticity.tooth_foundation import Foundation
from flank.geometry.gear_pair import GearPair
from flank.geometry.pair_gap import separation, steps_beyond
from flank.geometry.roots import zero_between

Materials = tuple[Material, Material]

STEPS = 128
"""Steps of a table in a base pitch."""


@dataclass(frozen=True, eq=False)
class PairTable:
    """One pair of teeth at uniform roll lengths of the first gear, whole face width."""

    start: float
    step: float
    stiffness: Floats  # N/m, of the teeth and their contact
    separation: Floats  # m
    common: float  # m/N, of the bodies under all pairs together

    @property
    def rolls(self) -> Floats:
        return self.start + self.step * np.arange(len(self.stiffness), dtype=float)


@dataclass(frozen=True, eq=False)
class MeshCurve:
    """A mesh over one base pitch under a constant load.

    `stiffness` is load over deflection from first touch; `shares` is the load of each pair over
    the whole, in the order of falling roll length of the first gear.
    """

    positions: Floats  # roll length of the first gear past the start of the path, m
    stiffness: Floats  # N/m², per face width
    deflection: Floats  # m, approach of the gears along the line of action
    shares: Floats

    @property
    def mean(self) -> float:
        return float(np.mean(self.stiffness))


def pair_compliance(
    pair: GearPair,
    materials: Materials,
    rolls: Floats,
    load_per_width: float,
    foundation: Foundation = "round-body",
) -> Floats:
    """Deflection × face width / force in m²/N of one pair under a load (secant).

    Past the ends of the path teeth bend as there, and the edge of a tip gives way more.
    """
    tables = tooth_tables(pair, materials, 0.0, foundation)
    structure, contact, slope = _laws(pair, materials, rolls, tables)
    return line_approach(load_per_width, structure + contact, slope) / load_per_width


def _laws(
    pair: GearPair, materials: Materials, rolls: Floats, tables: tuple[ToothTable, ToothTable]
) -> tuple[Floats, Floats, float]:
    """a_1 + a_2, P and Q at roll lengths of the first gear."""
    inside = np.clip(rolls, *pair.path)
    structure = tables[0].at(inside) + tables[1].at(pair.second_roll(inside))
    constant, slope = tooth_pair_hertz(pair, materials)
    curvature = relative_curvature(pair, materials, rolls)
    return structure, constant + slope * np.log(curvature), slope


@lru_cache(maxsize=128)
def pair_table(
    pair: GearPair,
    materials: Materials,
    load_per_width: float,
    foundation: Foundation = "round-body",
) -> PairTable:
    """Stiffness and separation of one pair of teeth, for the load of the whole mesh."""
    if not (pair.face_width > 0 and load_per_width > 0):
        raise ValueError(
            f"a face width of {pair.face_width:.4g} m under {load_per_width:.4g} N/m is given; "
            "both must be positive, or the teeth have no stiffness"
        )
    start, end = pair.path
    load = load_per_width / max(pair.contact_ratio, 1.0)
    step = pair.base_pitch / STEPS
    common = sum(table.common for table in tooth_tables(pair, materials, 0.0, foundation))
    before, after = steps_beyond(pair, step)
    steps = np.arange(-before, int((end - start) / step) + after + 1, dtype=float)
    rolls = start + step * steps
    compliance = pair_compliance(pair, materials, rolls, load, foundation)
    apart = np.array([separation(pair, roll) for roll in rolls])
    stiffness = pair.face_width / compliance
    for array in (stiffness, apart):
        array.flags.writeable = False
    return PairTable(float(rolls[0]), step, stiffness, apart, common / pair.face_width)


@lru_cache(maxsize=32)
def mesh_stiffness(
    pair: GearPair,
    materials: Materials,
    load_per_width: float,
    slices: int = 1,
    positions: int = 64,
    foundation: Foundation = "round-body",
) -> MeshCurve:
    """The mesh over one base pitch, pairs and slices sharing the load at equal deflection."""
    tables = tooth_tables(pair, materials, 0.0, foundation)
    common = load_per_width * (tables[0].common + tables[1].common)
    table = pair_table(pair, materials, load_per_width, foundation)
    across = (np.arange(slices) + 0.5) / slices - 0.5
    lag = across * pair.face_width * math.tan(pair.first.base_helix_angle)
    relief = (pair.first.crowning + pair.second.crowning) * (2 * across) ** 2
    pitch, start = pair.base_pitch, pair.path[0]
    highest = float(table.rolls[-1] + np.max(lag))
    pairs = int((highest - table.start + np.max(lag)) / pitch) + 2
    places = pitch * (np.arange(positions) + 0.5) / positions
    stiffness, deflection = np.empty(positions), np.empty(positions)
    shares = np.empty((positions, pairs))
    for n, place in enumerate(places):
        first = start + place + pitch * math.ceil((highest - start - place) / pitch)
        rolls = (first - pitch * np.arange(pairs))[:, None] + lag[None, :]
        apart = np.interp(rolls, table.rolls, table.separation, 1.0, 1.0) + relief[None, :]
        structure, contact, slope = _laws(pair, materials, rolls, tables)
        past, forces = _share(apart, structure + contact, slope, load_per_width)
        deflection[n] = np.min(apart) + past + common
        stiffness[n] = load_per_width / (past + common)
        shares[n] = forces.sum(axis=1) / forces.sum()
    used = shares.max(axis=0) > 0
    return MeshCurve(places, stiffness, deflection, shares[:, used])


def mean_stiffness(
    pair: GearPair,
    materials: Materials,
    load_per_width: float,
    slices: int = 1,
    foundation: Foundation = "round-body",
) -> float:
    """Mean of the mesh over one base pitch, in N/m for the whole face."""
    curve = mesh_stiffness(pair, materials, load_per_width, slices, foundation=foundation)
    return curve.mean * pair.face_width


def _share(apart: Floats, constant: Floats, slope: float, load: float) -> tuple[float, Floats]:
    """Deflection past the first touch, and loads of all slices of all pairs.

    Their mean over the face is `load`. Twice that on the slice that touches first, alone, is too
    much, whatever the others do.
    """
    slices: int = apart.shape[1]
    later = apart - np.min(apart)  # zero where the first touch is, so that small loads count

    def missing(deflection: float) -> float:
        return float(line_load(deflection - later, constant, slope).sum()) / slices - load

    alone = constant.flat[np.argmin(later)]
    high = float(line_approach(2 * load * slices, alone, slope))
    deflection = zero_between(missing, 0.0, high)
    return deflection, line_load(deflection - later, constant, slope)
