"""A loaded mesh as one function of position and depth: the energy that its teeth store.

All that happens between two gears follows from U(x, δ), x the position along the line of action
with the period of a base pitch, δ > 0 how far perfect involutes would be pressed into each other:
the force is ∂U/∂δ, and a load that moves along the teeth is pushed by -∂U/∂x. Forces are solved for
(`load_distribution`) at a grid of positions and depths and put together as

    F(x, δ) = Σ_ab F_ab β_a(x) N_b(δ),      U = ∫ F dδ,

with cubic B-splines β in x, periodic, and quadratic ones N in δ, whose knots are spaced with the
root of δ and begin where the first of all teeth touches. The weights are the forces at the splines'
own places (Schoenberg's variation-diminishing splines): forces are never pulls and rise with δ as
the solved ones do, which a spline through them would not promise. Kept are the weights of U, a
cubic spline in δ. Beyond the deepest δ the force goes on straight.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from flank.arrays import Floats
from flank.contact.gear_loading import GearLoading
from flank.contact.load_distribution import SOLVED, LoadPoints, distribute, load_work
from flank.geometry.pair_gap import LARGEST_DEFLECTION
from flank.geometry.uniform_table import floor_index
from flank.kernel import kernel

POSITIONS, CELLS = 256, 128
"""Of a map: positions in a base pitch, cells of depth."""


@dataclass(frozen=True, eq=False)
class MeshMap:
    """Weights of the splines of U in J, (position, cell + 3); `start` is the roll length of the
    first gear at the first position, depths count from `touch`."""

    energy: Floats
    start: float
    touch: float
    deepest: float

    @property
    def positions(self) -> int:
        return len(self.energy)

    @property
    def cells(self) -> int:
        return int(self.energy.shape[1]) - 3


def mesh_map(loading: GearLoading, positions: int = POSITIONS, cells: int = CELLS) -> MeshMap:
    """The map of a mesh, down to the depth that teeth are looked at in any mesh model."""
    pair = loading.pair
    places = pair.base_pitch * np.arange(positions) / positions
    systems = [loading.system(float(place))[1] for place in places]
    touch = float(min(points.gap.min() for points in systems))
    deepest = LARGEST_DEFLECTION * pair.first.normal_module
    knots = deepest * (np.clip(np.arange(-2, cells + 3), 0, cells) / cells) ** 2
    depths = touch + 0.5 * (knots[1:-2] + knots[2:-1])  # where the splines of the force belong
    widths = (knots[3:] - knots[:-3]) / 3
    energy = np.zeros((positions, cells + 3))
    for row, points in zip(energy, systems, strict=True):
        row[1:] = np.cumsum(widths * _forces(points, depths))
    energy.flags.writeable = False
    return MeshMap(energy, pair.path[0], touch, deepest)


def _forces(points: LoadPoints, depths: Floats) -> Floats:
    """Total forces at rising depths."""
    count = len(points.gap)
    work, forces = load_work(count), np.empty(len(depths))
    for k, depth in enumerate(depths):
        status, forces[k], _, _ = distribute(points, count, float(depth), work)
        if status != SOLVED:
            raise ValueError(
                f"no load distribution was found at a depth of {1e6 * depth:.4g} um; check the "
                "influence numbers, which must be symmetric without negative directions"
            )
    return forces


@kernel(internal=True)
def map_energy(pair, data, roll, depth):
    """U, ∂U/∂δ, ∂²U/∂δ², ∂U/∂x, ∂²U/∂x∂δ, ∂²U/∂x² at a roll length and a depth beyond touch."""
    count = pair.map_positions
    cells = pair.map_depths
    step = pair.base_pitch / count
    place = (roll - pair.map_start) / step
    before = floor_index(place)
    t = place - before
    s = 1.0 - t
    values = (s * s * s / 6.0, _hump(t), _hump(s), t * t * t / 6.0)
    slopes = (-0.5 * s * s, t * (1.5 * t - 2.0), s * (2.0 - 1.5 * s), 0.5 * t * t)
    bends = (s, 3.0 * t - 2.0, 3.0 * s - 2.0, t)
    inside = min(depth, pair.map_deepest)
    row = min(int(cells * math.sqrt(inside / pair.map_deepest)), cells - 1)
    number = before - 1
    v0 = v1 = v2 = v3 = 0.0
    d0 = d1 = d2 = d3 = 0.0
    b0 = b1 = b2 = b3 = 0.0
    for k in range(4):
        at = pair.map_table + (number + k) % count * (cells + 3) + row
        u0, u1, u2, u3 = data[at], data[at + 1], data[at + 2], data[at + 3]
        weight = values[k]
        v0 += weight * u0
        v1 += weight * u1
        v2 += weight * u2
        v3 += weight * u3
        weight = slopes[k]
        d0 += weight * u0
        d1 += weight * u1
        d2 += weight * u2
        d3 += weight * u3
        weight = bends[k]
        b0 += weight * u0
        b1 += weight * u1
        b2 += weight * u2
        b3 += weight * u3
    cell = _cell(row, cells, pair.map_deepest, inside)
    past = depth - inside
    energy, force, stiffness = _spline(cell, past, v0, v1, v2, v3)
    by_place, force_by_place, _stiffness_by_place = _spline(cell, past, d0, d1, d2, d3)
    by_place_twice, _force_by_place_twice, _last = _spline(cell, past, b0, b1, b2, b3)
    return (
        energy,
        force,
        stiffness,
        by_place / step,
        force_by_place / step,
        by_place_twice / (step * step),
    )


@kernel(internal=True)
def _hump(t):
    """The uniform cubic B-spline between its middle, t = 0, and the next knot."""
    return (4.0 + t * t * (3.0 * t - 6.0)) / 6.0


class _Cell(NamedTuple):
    """Between two knots: where a depth is in the spans of the splines, and one over these."""

    a: float  # of three cells, ending with this one, in the middle, beginning with it
    b: float
    c: float
    one_a: float
    one_b: float
    one_c: float
    d: float  # of two cells
    e: float
    one_d: float
    one_e: float
    t: float  # of this cell


@kernel(internal=True)
def _knot(number, cells, deepest):
    share = min(max(number, 0), cells) / cells
    return deepest * share * share


@kernel(internal=True)
def _cell(row, cells, deepest, depth):
    k0 = _knot(row - 2, cells, deepest)
    k1 = _knot(row - 1, cells, deepest)
    k2 = _knot(row, cells, deepest)
    k3 = _knot(row + 1, cells, deepest)
    k4 = _knot(row + 2, cells, deepest)
    k5 = _knot(row + 3, cells, deepest)
    one_a = 1.0 / (k3 - k0)
    one_b = 1.0 / (k4 - k1)
    one_c = 1.0 / (k5 - k2)
    one_d = 1.0 / (k3 - k1)
    one_e = 1.0 / (k4 - k2)
    return _Cell(
        (depth - k0) * one_a,
        (depth - k1) * one_b,
        (depth - k2) * one_c,
        one_a,
        one_b,
        one_c,
        (depth - k1) * one_d,
        (depth - k2) * one_e,
        one_d,
        one_e,
        (depth - k2) / (k3 - k2),
    )


@kernel(internal=True)
def _spline(cell, past, c0, c1, c2, c3):
    """Value, slope and second derivative of a cubic spline (de Boor); straight slope `past` its
    end."""
    s0 = 3.0 * (c1 - c0) * cell.one_a
    s1 = 3.0 * (c2 - c1) * cell.one_b
    s2 = 3.0 * (c3 - c2) * cell.one_c
    bend = 2.0 * (s1 - s0) * cell.one_d
    bend += cell.t * (2.0 * (s2 - s1) * cell.one_e - bend)
    slope = s0 + (s1 - s0) * cell.d
    slope += cell.t * (s1 + (s2 - s1) * cell.e - slope)
    p0 = c0 + (c1 - c0) * cell.a
    p1 = c1 + (c2 - c1) * cell.b
    p2 = c2 + (c3 - c2) * cell.c
    value = p0 + (p1 - p0) * cell.d
    value += cell.t * (p1 + (p2 - p1) * cell.e - value)
    return value + past * (slope + 0.5 * past * bend), slope + past * bend, bend
