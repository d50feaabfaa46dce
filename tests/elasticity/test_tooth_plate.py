"""Slices that hang together: sums, symmetry, and a cantilever plate."""

import numpy as np
import pytest
from loaded_flanks import TOOTH_LENGTH, VIRTUAL

from flank.elasticity.material import STEEL
from flank.elasticity.tooth_plate import ToothPlate


@pytest.mark.parametrize("gear", VIRTUAL, ids=["pinion", "gear"])
def test_a_uniform_load_bends_each_slice_by_itself(gear):
    plate, u = ToothPlate(gear, STEEL, TOOTH_LENGTH), np.linspace(-1, 1, 801)
    numbers = plate.influence(u, np.zeros(801), 0)
    deflection = np.trapezoid(numbers, 0.5 * TOOTH_LENGTH * u, axis=1)
    expected = plate.slices(np.zeros(1))[0] + plate.common
    np.testing.assert_allclose(deflection, expected, rtol=2e-4)


def test_numbers_are_symmetric_without_negative_directions():
    plate = ToothPlate(VIRTUAL[0], STEEL, TOOTH_LENGTH)
    u, v = np.random.default_rng(0).uniform(-1, 1, (2, 60))
    numbers = plate.influence(u, v, 0)
    np.testing.assert_allclose(numbers, numbers.T, rtol=1e-12)
    assert np.linalg.eigvalsh(numbers).min() > 0
    neighbour = plate.influence(u, v, 1)
    assert neighbour.min() >= 0
    assert neighbour.max() < numbers.max()


def test_a_force_far_from_both_ends_is_felt_as_on_an_endless_plate():
    """q/2λ where it acts, fading by e over the coupling length."""
    plate = ToothPlate(VIRTUAL[0], STEEL, 20 * TOOTH_LENGTH)
    reach = plate.coupling_length
    u = np.array([0.0, 2 * reach / plate.length])
    numbers = plate.influence(u, np.zeros(2), 0)
    whole = plate.slices(np.zeros(1))[0] + plate.common
    assert numbers[0, 0] == pytest.approx(whole / (2 * reach), rel=1e-6)
    assert numbers[1, 0] == pytest.approx(numbers[0, 0] / np.e, rel=1e-6)


def test_the_tip_gives_way_most_and_the_depth_lies_in_the_tooth():
    plate = ToothPlate(VIRTUAL[0], STEEL, TOOTH_LENGTH)
    assert np.all(np.diff(plate.slices(np.linspace(-1, 1, 9))) > 0)
    assert 0.5 * VIRTUAL[0].normal_module < plate.depth < 1.5 * VIRTUAL[0].normal_module


@pytest.mark.parametrize("gear", VIRTUAL, ids=["pinion", "gear"])
def test_teeth_are_less_deep_towards_the_tip(gear):
    plate = ToothPlate(gear, STEEL, TOOTH_LENGTH)
    v = np.linspace(-1, 1.2, 12)
    depth = plate.depth_at(np.zeros(12), v)
    assert np.all(np.diff(depth[:-1]) < 0)
    assert depth[-1] == depth[-2]  # past the edge as on it
    assert plate.depth == pytest.approx(np.interp(0.0, v, depth), rel=0.01)
