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
