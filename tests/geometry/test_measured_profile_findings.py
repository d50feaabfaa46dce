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
        (POINTS * 1e3, "points-in-other-units"),
        (POINTS / 0.0254, "points-in-other-units"),
        (POINTS * 1.2, "far-from-nominal"),
        (POINTS[:2000], "points-out-of-order"),
        (np.random.default_rng(1).permutation(POINTS), "points-out-of-order"),
        (POINTS[::80], "few-points"),
        (POINTS + np.array([0.5e-3, 0.0]), "far-from-nominal"),
        (POINTS[[*range(1000), 1001, 1000, *range(1002, 4000)]], "points-turn-back"),
        (np.delete(POINTS, range(1000, 1004), axis=0), "points-missing"),
        (np.delete(POINTS, range(1000, 1040), axis=0), "points-missing"),
    ],
    ids=[
        "millimetres",
        "inches",
        "too large",
        "half",
        "shuffled",
        "too few",
        "off centre",
        "two exchanged",
        "four missing",
        "forty missing",
    ],
)
def test_what_cannot_be_the_profile(points, code):
    assert codes(points) == [code]


def test_a_gap_is_doubtful_and_a_wide_one_impossible():
    """Four points of a hundred a lobe can be bridged; forty cannot."""
    for missing, severity in ((4, "warning"), (40, "error")):
        (finding,) = check_measured(np.delete(POINTS, range(99, 99 + missing), axis=0), NOMINAL)
        assert finding.severity == severity
        assert finding.message.startswith(f"behind point 99 of {4000 - missing}, counted")
        assert finding.value == pytest.approx((missing + 1) * 0.1e-3, rel=0.2)
