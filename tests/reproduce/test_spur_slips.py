"""Equations as the paper prints them, against what they should give."""

import math

import numpy as np
import pytest

from flank.analyses.rolling_dwell import Dwelled
from flank.reproduce.spur.motions import between_orders, beyond, coming_force, entry_peak
from flank.reproduce.spur.slips import (
    printed_impact_momentum,
    printed_newmark_energy,
    printed_step,
)


def test_a_printed_step_is_right_where_the_speed_changes_and_nothing_where_it_hardly_does():
    angle = 2 * math.pi / (50 * 115)
    speed, rate = 100.0, 1e4
    exact = 2 * angle / (speed + math.sqrt(speed**2 + 2 * angle * rate))
    assert printed_step(speed, rate) == pytest.approx(exact, rel=1e-9)
    assert printed_step(speed, 1e-10) == 0.0


def test_printed_impacts_keep_momentum_for_equal_gears_only():
    assert printed_impact_momentum(1.0, 0.56) == pytest.approx(1.0)
    assert abs(printed_impact_momentum(2.0, 0.56) - 1) > 0.5


def test_a_printed_step_of_newmark_makes_energy():
    assert printed_newmark_energy() > 1e6


@pytest.fixture
def two_orders():
    """Four cycles of 40 steps: orders 1 and 6, and a quarter of order 5/4."""
    phase = 2 * np.pi * np.arange(160) / 40
    record = np.zeros((4, 40, 5))
    error = np.sin(phase) + 0.1 * np.sin(6 * phase) + 0.25 * np.sin(1.25 * phase)
    record[:, :, 0] = 1e-6 * error.reshape(4, 40)
    return Dwelled(record, pairs=2, across=1)


def test_orders_beyond_the_fourth_and_between_whole_ones(two_orders):
    assert beyond(two_orders, 4) == pytest.approx(0.1)
    assert between_orders(two_orders) == pytest.approx(0.25)


def test_teeth_that_come_into_contact(two_orders):
    """In the second slot one comes at a quarter of each cycle with 3 N and falls to 1 N; the first
    slot takes it over at the end of the cycle."""
    record = two_orders.record.copy()
    record[:, 10:12, 4] = 3.0
    record[:, 12:-1, 4] = 1.0
    record[:, :, 3] = 1.0
    dwell = Dwelled(record, pairs=2, across=1)
    assert entry_peak(dwell) == pytest.approx(3.0)
    assert coming_force(dwell) == pytest.approx(3.0)
