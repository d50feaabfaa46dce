"""One sector for the whole gear: against all sectors at once, and against closed forms."""

import math

import numpy as np
import pytest
from element_gears import (
    ANGLE,
    COARSE,
    SMALL,
    SMALL_BODY,
)

from flank.elasticity.finite_elements.cyclic import (
    HELD,
    Centre,
    cyclic_gear,
    harmonic_modes,
    harmonic_motions,
    lowest_modes,
    static_response,
    whole_matrices,
)
from flank.elasticity.finite_elements.factorization import factorized
from flank.elasticity.finite_elements.sector_mesh import GearBody, sector_mesh
from flank.elasticity.material import STEEL
from flank.geometry.gear import Gear

FREE = Centre(axial=True, rotation=True, lateral=True, tilt=True)
RING = Gear(24, 2e-3, ANGLE, -0.7, True)
HELICAL = Gear(9, 2e-3, ANGLE, 0.5, helix_angle=0.3)
GEARS = {
    "external": (SMALL, SMALL_BODY, None),
    "helical with web and hub": (
        HELICAL,
        GearBody(6e-3, 2e-3, 1e-3, 2e-3, 3.5e-3, 8e-3),
        None,
    ),
    "ring in its housing": (RING, GearBody(6e-3, 31e-3), 1e12),
}


def gear_of(name):
    shape, body, support = GEARS[name]
    return cyclic_gear(sector_mesh(shape, body, COARSE), STEEL, support)


@pytest.mark.parametrize("name", GEARS)
@pytest.mark.parametrize("centre", [HELD, Centre(rotation=True), FREE])
def test_frequencies_of_sectors_are_those_of_the_whole_gear(name, centre):
    gear = gear_of(name)
    found = []
    for n in range(gear.teeth // 2 + 1):
        frequencies = harmonic_modes(gear, n, 4, centre).frequencies
        found += [*frequencies, *(frequencies if 0 < 2 * n < gear.teeth else ())]
    stiffness, mass, _ = whole_matrices(gear, centre)
    values, _ = lowest_modes(stiffness, mass, 16)
    expected = np.sqrt(np.maximum(np.sort(values), 0)) / (2 * math.pi)
    np.testing.assert_allclose(np.sort(found)[:14], expected[:14], rtol=1e-8, atol=5.0)


@pytest.mark.parametrize("name", GEARS)
def test_answer_to_loads_on_some_teeth_is_that_of_the_whole_gear(name):
    gear = gear_of(name)
    loads = np.zeros((gear.teeth, gear.size))
    random = np.random.default_rng(5)
    for tooth in (0, 1, 4):
        loads[tooth, random.integers(0, gear.size, 6)] = random.standard_normal(6)
    stiffness, _, basis = whole_matrices(gear)
    exact = basis @ factorized(stiffness)(basis.T @ loads.ravel())
    found = static_response(gear, loads).ravel()
    np.testing.assert_allclose(found, exact, atol=1e-8 * np.max(np.abs(exact)))


def test_free_rigid_motions_have_no_frequency_and_the_mass_of_the_gear():
    gear = cyclic_gear(sector_mesh(SMALL, SMALL_BODY, COARSE), STEEL)
    around = harmonic_modes(gear, 0, 3, Centre(rotation=True, axial=True))
    across = harmonic_modes(gear, 1, 3, Centre(lateral=True, tilt=True))
    lowest = harmonic_modes(gear, 0, 1).frequencies[0]
    assert np.all(np.append(around.frequencies[:2], across.frequencies[:2]) < 1e-3 * lowest)
    assert min(around.frequencies[2], across.frequencies[2]) > 0.5 * lowest
    assert np.linalg.matrix_rank(np.abs(around.centre[:, :2])) == 2


@pytest.mark.parametrize("n", [0, 1, 3])
def test_modes_have_unit_mass_over_the_whole_gear(n):
    gear = cyclic_gear(sector_mesh(SMALL, SMALL_BODY, COARSE), STEEL)
    modes = harmonic_modes(gear, n, 2)
    turns = np.exp(2j * np.pi * n / gear.teeth * np.arange(gear.teeth))
    _, mass, basis = whole_matrices(gear)
    for shape in modes.shapes.T:
        moved = basis.T @ (turns[:, None] * shape).real.ravel()
        assert moved @ mass @ moved == pytest.approx(1.0, rel=1e-10)


def test_motions_of_the_centre_node_by_harmonic():
    places = np.array([[2.0, 0.3, 0.5], [2.0, 1.1, -0.5]])
    assert harmonic_motions(places, 0, HELD).shape == (6, 0)
    assert harmonic_motions(places, 2, FREE).shape == (6, 0)
    turned = harmonic_motions(places + np.array([0, 0.4, 0]), 1, FREE)
    np.testing.assert_allclose(turned, harmonic_motions(places, 1, FREE) * np.exp(0.4j))


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda gear: harmonic_modes(gear, 5, 2), "has harmonics 0 to 4, not 5"),
        (lambda gear: harmonic_modes(gear, 0, 10**6), "modes asked of a sector with"),
    ],
)
def test_modes_beyond_the_model_are_refused(call, sentence):
    gear = cyclic_gear(sector_mesh(SMALL, SMALL_BODY, COARSE), STEEL)
    with pytest.raises(ValueError, match=sentence):
        call(gear)
