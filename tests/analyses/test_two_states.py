"""Bands with two states and their jumps, of curves whose jumps are known."""

import numpy as np
import pytest

from flank.analyses.two_states import band_values, find_bands

PARTED = np.ones(30, dtype=bool)

SPEED = np.arange(10.0, 40.0)


def curves():
    """A falling sweep that stays up from 29 down to 18, a rising one that jumps up after 28."""
    low = 1.0 + 0.02 * (SPEED - 10)
    high = 3.0 + 0.1 * (29 - SPEED)
    up = np.where(SPEED <= 28, low, high)
    down = np.where(SPEED >= 18, high, low)
    return up, down


def test_band_and_jumps_are_where_they_were_put():
    (band,) = find_bands(*curves(), PARTED)
    assert (SPEED[band.first], SPEED[band.last]) == (18, 28)
    assert (SPEED[band.up], SPEED[band.down]) == (28, 17)
    values = band_values(SPEED, *curves(), PARTED, teeth=2 * np.pi)
    assert values["band_count"] == 1
    assert values["jump_up"] == pytest.approx([28.5])
    assert values["jump_down"] == pytest.approx([17.5])
    assert values["band_ratio"] == pytest.approx([4.1 / 1.16])


def test_a_lag_of_two_speeds_is_no_band():
    up = np.where(SPEED < 20, 1.0, 2.0)
    down = np.where(SPEED < 22, 1.0, 2.0)
    assert find_bands(up, down, PARTED) == []
    assert band_values(SPEED, up, down, PARTED, 1.0) == {"band_count": 0}


def test_speeds_that_are_not_known_are_no_states():
    up, down = curves()
    up[15] = np.nan  # at the speed of 25
    assert [(SPEED[b.first], SPEED[b.last]) for b in find_bands(up, down, PARTED)] == [
        (18, 24),
        (26, 28),
    ]


def test_scale_changes_nothing():
    up, down = curves()
    assert find_bands(1e-6 * up, 1e-6 * down, PARTED)[0][:4] == find_bands(up, down, PARTED)[0][:4]


def test_without_parted_teeth_there_is_no_second_state():
    assert find_bands(*curves(), ~PARTED) == []
