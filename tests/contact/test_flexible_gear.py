"""Modes of a gear as coordinates, and as a mesh sees them: against points of the rolling mesh, the
direct influence of one mesh on another, and the mesh without modes."""

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from flank.contact.flexible_gear import amplitudes, gear_modes, lowest_modes, mesh_shapes
from flank.contact.gear_loading import elastic_loading
from flank.contact.load_distribution import SOLVED, distribute_total, load_work
from flank.dynamics.rolling_structure import BodyMode
from flank.elasticity.finite_elements.influence import FlankGrid, flank_influence
from flank.elasticity.finite_elements.sector_mesh import GearBody
from flank.elasticity.material import STEEL
from flank.geometry.gear import Gear
from flank.geometry.gear_pair import GearPair

BOTH = (STEEL, STEEL)
LOAD, BEDDING, WIDTH = 4e3, 5e9, 12e-3
ANGLE = math.radians(20)

pytestmark = pytest.mark.usefixtures("coarse_elements")


@cache
def pairs(internal):
    """A gear in an external mate, or in a ring with a thin rim that stands in a bedding."""
    first = Gear(21, 2e-3, ANGLE, held_radius=8e-3)
    if internal:
        ring = Gear(60, 2e-3, ANGLE, internal=True, held_radius=66e-3)
        return GearPair(first, ring, face_width=WIDTH)
    return GearPair(first, Gear(30, 2e-3, ANGLE, held_radius=12e-3), face_width=WIDTH)


@cache
def loading(internal):
    supports = (None, BEDDING if internal else None)
    return elastic_loading(pairs(internal), BOTH, 1, supports=supports)


@cache
def modes(internal, count=12):
    gear = pairs(internal).second
    return gear_modes(gear, STEEL, None, WIDTH, 1, count, 0.01, BEDDING if internal else None)


def test_modes_come_in_threes_and_pairs_stay_together():
    for count, full in ((1, 3), (6, 6), (11, 12)):
        chosen = modes(False, count)
        assert len(chosen.number) == full
        waves = chosen.harmonic
        assert np.sum(chosen.imaginary) == np.sum(waves > 0) / 2
        assert np.all(np.diff(chosen.frequency[chosen.imaginary == 0]) >= 0)
    number, _ = lowest_modes(chosen.modes, chosen.modes.amplitude, 5)
    assert len(number) <= 5


@pytest.mark.parametrize("internal", [False, True])
def test_masses_of_modes_are_part_of_the_gear(internal):
    """Bessel: what all modes together take is less than there is, and most of it with many."""
    many = modes(internal, 60)
    shares = np.sum(many.coupling**2, axis=0)
    whole = np.array([many.modes.mass, many.modes.mass, many.modes.polar_inertia])
    assert np.all(shares < whole)
    assert np.all(shares > 0.6 * whole)
    assert shares[0] == pytest.approx(shares[1], rel=1e-9)


@pytest.mark.parametrize("internal", [False, True])
def test_amplitudes_are_the_mean_of_the_points_of_a_rolling_mesh(internal):
    """At one position; the angle of the mesh stands for the numbers of teeth."""
    mesh, gear = loading(internal), modes(internal)
    pair, position = mesh.pair, 0.3 * mesh.pair.base_pitch
    numbers, points = mesh.system(position)
    work = load_work(len(points.gap))
    assert distribute_total(points, len(points.gap), LOAD, math.nan, work)[0] == SOLVED
    rolls = np.clip(mesh.rolls(position, numbers), *pair.path)
    at = amplitudes(mesh, True, gear, LOAD, np.array([position]))[0]
    wheel = pair.second
    # where tooth 0 stands, seen from the mesh, as its roll length has it
    middle = pair.second_roll(pair.path[0] + position)
    ahead = middle / wheel.base_radius - wheel.sign * wheel.base_half_angle - pair.working_angle
    for number, imaginary in zip(gear.number, gear.imaginary, strict=True):
        point = BodyMode(gear.modes, int(number), 1, bool(imaginary)).approaches(mesh)
        mean = np.sum(point(numbers, rolls).ravel() * work.force) / LOAD
        turned = at[number] * np.exp(-1j * wheel.sign * gear.modes.harmonic[number] * ahead)
        expected = turned.imag if imaginary else turned.real
        assert mean == pytest.approx(expected, abs=1e-9 * np.abs(at).max())


@pytest.mark.parametrize("internal", [False, True])
def test_modes_and_what_is_left_are_the_whole_mesh(internal):
    """Under any load the approach of the mesh without modes, c F of it theirs."""
    mesh = loading(internal)
    shapes = mesh_shapes(mesh, True, modes(internal), LOAD)
    less = replace(mesh, modal=shapes.static_share)
    for position in np.linspace(0, mesh.pair.base_pitch, 5):
        for load in (0.1 * LOAD, LOAD, 2 * LOAD):
            both = []
            for system in (mesh, less):
                _, points = system.system(float(position))
                count, work = len(points.gap), load_work(len(points.gap))
                status, approach, _, _ = distribute_total(points, count, load, math.nan, work)
                assert status == SOLVED
                both.append(approach)
            assert both[1] + shapes.static_share * load == pytest.approx(both[0], rel=1e-8)
    assert shapes.static_share * LOAD > 0.1 * both[0]


def test_a_mesh_moves_another_as_the_whole_ring_does(coarse_elements):
    """Between teeth far apart, influence numbers of all teeth against the sum of modes: the more
    of them, the closer; in shares of what a tooth gives under its own load."""
    mesh, ring = loading(True), pairs(True).second
    body = GearBody(WIDTH, ring.held_radius)
    plain = replace(ring, held_radius=None)
    grid = FlankGrid(face=1, teeth=None)
    direct = flank_influence(plain, body, STEEL, grid, coarse_elements, BEDDING)
    middle = direct.compliance[:, len(direct.roll) // 2, len(direct.roll) // 2]
    own = middle[direct.neighbours == 0][0]
    off = []
    for count in (12, 24, 60):
        gear = modes(True, count)
        shape = mesh_shapes(mesh, True, gear, LOAD)
        waves = np.where(gear.harmonic > 0, 0.5, 1.0)
        give = waves * np.abs(shape.forward) ** 2 / gear.frequency**2
        apart = np.arange(10, 31)
        summed = np.cos(2 * math.pi / 60 * np.outer(apart, gear.harmonic)) @ give
        exact = np.array([middle[direct.neighbours == -k][0] for k in apart])
        off.append(np.abs(summed - exact).max() / own)
    assert off[0] > off[1] > off[2]
    assert off[1] < 0.04
    assert off[2] < 0.01
    assert np.abs(exact).max() > 0.05 * own


def test_the_other_flank_is_the_gear_turned_over():
    """|a| is the same on both flanks; torsion has the opposite sign there, and pairs turn round."""
    shape = mesh_shapes(loading(False), True, modes(False), LOAD)
    assert np.abs(shape.forward) == pytest.approx(np.abs(shape.backward))
    torsion = np.flatnonzero(np.abs(shape.gear.coupling[:, 2]) > 0)[0]
    assert shape.backward[torsion] == pytest.approx(-shape.forward[torsion])
