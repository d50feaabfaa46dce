"""Impact test: the swings of a known signal, and of one mass on a known spring."""

import math

import numpy as np
import pytest

import flank
from flank.analyses.impact_test import largest_swing, swings_in

RIGID = {"input_shaft": None}


def swing(frequency, damping, time):
    """|s| = 2π f."""
    s = 2 * math.pi * frequency
    return np.exp(-damping * s * time) * np.sin(s * math.sqrt(1 - damping**2) * time)


def test_two_swings_are_told_apart():
    time = np.arange(160) * 2e-5
    samples = 3e-6 * swing(2700, 0.08, time) + 1e-6 * swing(900, 0.02, time)
    found = sorted(swings_in(samples, 2e-5))
    assert [one.frequency for one in found] == pytest.approx([900, 2700], rel=1e-6)
    assert [one.damping_ratio for one in found] == pytest.approx([0.02, 0.08], rel=1e-5)
    assert [one.amplitude for one in found] == pytest.approx([1e-6, 3e-6], rel=1e-5)
    assert largest_swing(samples, 2e-5, 1000.0).frequency == pytest.approx(900)
    assert math.isnan(largest_swing(samples, 2e-5, 100.0).frequency)


def test_one_mass_on_a_spring_swings_as_it_must():
    spring = {"model": "spring", "stiffness": "3e8 N/m"}
    machine = flank.preset("spur-bruzzone", RIGID | {"mesh": spring})
    result = flank.run(machine, "impact-test", positions=3)
    expected = math.sqrt(3e8 / machine.mesh_mass) / (2 * math.pi)
    assert result["frequency"].values == pytest.approx(expected, rel=1e-3)
    assert result["damping_ratio"].values == pytest.approx(0.08, rel=2e-3)


def test_frequency_and_damping_follow_the_pairs_in_contact():
    """ζ = c/(2 √(k m)) and f ∝ √k: their product stays."""
    machine = flank.preset("spur-bruzzone")
    result = flank.run(machine, "impact-test", positions=12)
    frequency, damping = result["frequency"].values, result["damping_ratio"].values
    product = machine.damped.damping / (4 * math.pi * machine.mesh_mass)
    assert frequency * damping == pytest.approx(product, rel=0.02)
    assert frequency.max() > 1.15 * frequency.min()
    assert result["mean_frequency"] == pytest.approx(2700, rel=0.02)
    assert result["response"].values.shape[0] == 12


def test_elastic_shafts_are_not_taken_for_teeth():
    result = flank.run(flank.preset("gear-pair"), "impact-test", positions=2)
    assert 5000 < result["mean_frequency"] < 7000
    assert 0.04 < result["mean_damping"] < 0.1
