"""Modes on the flank grid: against influence numbers, the inertia of the gear, and each other."""

import math

import numpy as np
import pytest
from element_gears import ANGLE, COARSE, SMALL, SMALL_BODY

from flank.elasticity.finite_elements.cyclic import (
    Centre,
    cyclic_gear,
    harmonic_modes,
    rigid_motions,
    whole_matrices,
)
from flank.elasticity.finite_elements.flank_modes import flank_modes
from flank.elasticity.finite_elements.influence import (
    FlankGrid,
    flank_forces,
    flank_influence,
    tooth_compliances,
)
from flank.elasticity.finite_elements.sector_mesh import GearBody, MeshDensity, sector_mesh
from flank.elasticity.material import STEEL
from flank.geometry.gear import Gear
from flank.geometry.tooth_outline import enclosed_area, enclosed_polar_moment

GRID = FlankGrid(3, 1, 1)
HELICAL = Gear(9, 2e-3, ANGLE, 0.5, helix_angle=0.3)


@pytest.mark.parametrize("gear", [SMALL, HELICAL])
def test_all_modes_together_are_the_static_answer(gear):
    """Σ a a*/ω² over all modes of all harmonics, both of each pair, is the compliance between
    teeth. Few modes leave a remainder that more of them diminish; it is smooth, so that on
    neighbours, where nothing is indented, little is left."""
    body = GearBody(4e-3, 3e-3)
    mesh = sector_mesh(gear, body, COARSE)
    sector = cyclic_gear(mesh, STEEL)
    rolls = np.linspace(mesh.roll_knots[0], mesh.roll_knots[-1], 3)
    points = sector.loads(flank_forces(gear, mesh, rolls, 1))
    _, between = tooth_compliances(sector, points, 3)

    def summed(count):
        found = flank_modes(gear, body, STEEL, gear.teeth // 2, count, grid=GRID, density=COARSE)
        return [
            np.einsum(
                "mi,mj,m->ij",
                found.on_tooth(k),
                found.amplitude.conj(),
                (2 * math.pi * found.frequency) ** -2.0,
            ).real
            for k in (0, 1, 2)
        ]

    few, many = summed(5), summed(60)
    for k in (1, 2):
        off = [np.max(np.abs(part[k] - between[k])) / np.max(between[0]) for part in (few, many)]
        assert off[1] < 0.003
        assert off[1] < 0.5 * off[0]
    assert np.all(np.diag(few[0]) < np.diag(many[0]))
    assert np.all(np.diag(many[0]) < np.diag(between[0]))


def test_inertia_of_the_rigid_gear():
    density = MeshDensity(tooth=4, flank=4, fillet=2, space=2, layers=1)
    found = flank_modes(SMALL, SMALL_BODY, STEEL, 0, 1, grid=GRID, density=density)
    bore, width = SMALL_BODY.held_radius, SMALL_BODY.face_width
    area = enclosed_area(SMALL) - math.pi * bore**2
    polar = enclosed_polar_moment(SMALL) - 0.5 * math.pi * bore**4
    assert found.mass == pytest.approx(STEEL.density * width * area, rel=1e-4)
    assert found.polar_inertia == pytest.approx(STEEL.density * width * polar, rel=1e-4)
    transverse = 0.5 * found.polar_inertia + found.mass * width**2 / 12
    assert found.transverse_inertia == pytest.approx(transverse, rel=1e-3)


def test_participating_masses_add_up_to_what_is_not_at_the_bore():
    """Σ|p|² over all modes tends to the inertia of what moves; few modes have most of it."""
    found = flank_modes(SMALL, SMALL_BODY, STEEL, 1, 40, grid=GRID, density=COARSE)
    around = found.participation[found.harmonic == 0]
    across = found.participation[found.harmonic == 1]
    for total, part in (
        (found.mass, around[:, 0]),
        (found.polar_inertia, around[:, 1]),
        (found.mass, across[:, 0]),
        (found.transverse_inertia, across[:, 1]),
    ):
        assert 0.7 * total < np.sum(np.abs(part) ** 2) < total


def test_participation_is_the_mass_between_a_mode_and_a_moving_centre():
    """Against all sectors at once, for the motion along x and along y, of both modes of a pair."""
    mesh = sector_mesh(SMALL, SMALL_BODY, COARSE)
    sector, everything = cyclic_gear(mesh, STEEL), cyclic_gear(mesh, STEEL, support=0.0)
    found = flank_modes(SMALL, SMALL_BODY, STEEL, 1, 2, grid=GRID, density=COARSE)
    shape = harmonic_modes(sector, 1, 2).shapes[:, 1]
    mass = whole_matrices(everything)[1]
    turns = 2 * np.pi / 9 * np.arange(9)
    whole_shape = np.exp(1j * turns)[:, None] * shape
    places = np.tile(sector.positions, (9, 1))
    places[:, 1] += np.repeat(turns, len(sector.positions))
    motions = rigid_motions(places).reshape(-1, 6)
    for column, k in ((0, 0), (3, 1)):
        p = found.participation[3, k]
        for tau, motion in ((1, motions[:, column]), (-1j, motions[:, column + 1])):
            driven = [part.ravel() @ mass @ motion for part in (whole_shape.real, whole_shape.imag)]
            expected = [(p * tau).real, -(p * tau).imag]
            np.testing.assert_allclose(driven, expected, atol=1e-9 * abs(p) + 1e-15)


def test_free_rotation_leaves_out_the_rigid_motion():
    """Elastic modes then turn the bore against the rim, and have no angular momentum."""
    held = flank_modes(SMALL, SMALL_BODY, STEEL, 1, 3, grid=GRID, density=COARSE)
    loose = flank_modes(
        SMALL, SMALL_BODY, STEEL, 1, 3, Centre(rotation=True), grid=GRID, density=COARSE
    )
    sector = cyclic_gear(sector_mesh(SMALL, SMALL_BODY, COARSE), STEEL)
    all_of_them = harmonic_modes(sector, 0, 4, Centre(rotation=True)).frequencies
    np.testing.assert_allclose(loose.frequency[:3], all_of_them[1:], rtol=1e-9)
    np.testing.assert_allclose(loose.frequency[3:], held.frequency[3:], rtol=1e-9)
    assert np.all(loose.participation[:3, 1] == 0)
    assert np.max(np.abs(loose.centre[:3, 1])) > 0
    assert np.all(held.centre == 0)


def test_the_grid_is_that_of_the_influence_numbers():
    modes = flank_modes(HELICAL, SMALL_BODY, STEEL, 0, 1, grid=GRID, density=COARSE)
    numbers = flank_influence(HELICAL, SMALL_BODY, STEEL, GRID, COARSE)
    np.testing.assert_array_equal(modes.roll, numbers.roll)
    np.testing.assert_array_equal(modes.face, numbers.face)
    assert modes.lever == numbers.lever
    assert modes.amplitude.shape == (1, len(numbers.roll) * len(numbers.face))


@pytest.mark.parametrize(
    ("harmonics", "count", "sentence"),
    [
        (5, 2, "has harmonics 0 to 4, not 5"),
        (1, 0, "at least one mode"),
        (1, 9999, "modes asked of"),
    ],
)
def test_modes_beyond_the_gear_are_refused(harmonics, count, sentence):
    with pytest.raises(ValueError, match=sentence):
        flank_modes(SMALL, SMALL_BODY, STEEL, harmonics, count, grid=GRID, density=COARSE)


def test_a_gear_that_nothing_holds_is_refused():
    with pytest.raises(ValueError, match="does not hold the gear"):
        flank_modes(SMALL, SMALL_BODY, STEEL, 0, 1, grid=GRID, density=COARSE, support=0.0)
