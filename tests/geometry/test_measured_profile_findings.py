"""A file of points that cannot be the profile is found out before anything is computed."""

import numpy as np
import pytest

from flank.geometry.curve import equal_arc_length_points
from flank.geometry.cycloid import Cycloid
from flank.geometry.findings import check_measured

NOMINAL = Cycloid(40, 64e-3, 3e-3, 1.3e-3, 5e-6, 5e-6)
POINTS = equal_arc_length_points(NOMINAL, 4000)


def codes(points):
    return [finding.code for finding in check_measured(points, NOMINAL)]


def test_good_points_with_micrometres_of_noise():
    noise = np.random.default_rng(1).normal(0, 2e-6, POINTS.shape)
    assert codes(POINTS + noise) == []


@pytest.mark.parametrize(
    ("points", "code"),
    [
        (POINTS * 1e3, "far-from-nominal"),
        (POINTS[:2000], "points-out-of-order"),
        (np.random.default_rng(1).permutation(POINTS), "points-out-of-order"),
        (POINTS[::80], "few-points"),
        (POINTS + np.array([0.5e-3, 0.0]), "far-from-nominal"),
    ],
    ids=["millimetres", "half", "shuffled", "too few", "off centre"],
)
def test_what_cannot_be_the_profile(points, code):
    assert codes(points) == [code]
