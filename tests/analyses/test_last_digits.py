"""Figures that do not hang on last digits, where an equilibrium is hard to find."""

import numpy as np
import pytest
from trembling import trembling

import flank
from flank.machines.registry import machine_from_mapping

DRAWS = 4


def test_backlash_of_needles_that_roll_through_their_clearance():
    """Unloading ends on the branch it came by, not on one that eased friction leads to."""
    machine = flank.preset("rv-paper", {"errors.turning_arm_clearance": "40 um"})
    exact = machine.spec.to_mapping(units=False)
    draw = np.random.default_rng(1)
    found = [
        flank.run(machine_from_mapping(trembling(exact, draw)), "hysteresis", points_per_stage=15)
        for _ in range(DRAWS)
    ]
    backlash = np.array([one["backlash"] for one in found])
    assert backlash == pytest.approx(np.full(DRAWS, backlash[0]), rel=1e-4)
    for one in found:
        unloading = one["loop_stage"].values == 1
        assert np.all(np.diff(one["loop_angle"].values[unloading]) <= 0)


def test_modes_keep_their_sign():
    machine = flank.preset("cycloidal-drive")
    exact = machine.spec.to_mapping(units=False)
    draw = np.random.default_rng(2)
    first, *others = (
        flank.run(machine_from_mapping(trembling(exact, draw)), "natural-frequencies")
        for _ in range(DRAWS)
    )
    shapes = first["mode_shape"].values
    for other in others:
        assert np.abs(other["mode_shape"].values - shapes).max() < 1e-4 * np.abs(shapes).max()


def test_a_disc_on_a_grid_that_touches_its_circles():
    """The sizing rule's round numbers put points of the plate's grid onto the edges of holes."""
    machine = flank.preset("rv-320")
    exact = machine.spec.to_mapping(units=False)
    draw = np.random.default_rng(3)
    found = [
        flank.run(machine_from_mapping(trembling(exact, draw)), "load-distribution")["wind_up"]
        for _ in range(DRAWS)
    ]
    assert found == pytest.approx([found[0]] * DRAWS, rel=1e-7)
