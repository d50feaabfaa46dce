"""A stiffness of one's own over the path: linear, periodic or pair by pair, steps refused or
spread."""

import numpy as np
import pytest

from flank.elasticity.stiffness_curve import StiffnessCurve

PITCH = 0.03


def test_a_curve_of_a_mesh_is_linear_and_comes_again_after_a_pitch():
    curve = StiffnessCurve("mesh", ((0.02, 4e9), (0.035, 3e9)), PITCH)
    assert curve.at(np.array([0.02, 0.0275, 0.035, 0.0425, 0.05])) == pytest.approx(
        [4e9, 3.5e9, 3e9, 3.5e9, 4e9]
    )
    assert curve.at(np.array([0.0275 - 5 * PITCH])) == pytest.approx([3.5e9])
    table = curve.table()
    assert table.step * (len(table.stiffness) - 1) == pytest.approx(PITCH, rel=1e-12)
    assert np.interp(0.0341, table.rolls, table.stiffness) == pytest.approx(3.06e9, rel=1e-6)
    assert curve.mean == pytest.approx(3.5e9, rel=1e-6)


def test_a_curve_of_a_pair_gives_its_mesh_the_sum_of_all_pairs():
    points = ((0.02, 0.0), (0.025, 2e9), (0.055, 2e9), (0.06, 0.0))
    curve = StiffnessCurve("pair", points, PITCH)
    assert not curve.steps
    assert curve.mean == pytest.approx(2e9 * 0.035 / PITCH, rel=1e-5)  # corners between nodes
    assert np.all(curve.at(np.array([0.0199, 0.0601])) == 0.0)


def test_a_step_is_refused_or_spread():
    stepping = ((0.02, 4e9), (0.03, 4e9), (0.03, 3e9), (0.045, 3e9))
    with pytest.raises(ValueError, match=r"steps from 4e\+09 to 3e\+09 N/m at the roll length 30 "):
        StiffnessCurve("mesh", stepping, PITCH)
    curve = StiffnessCurve("mesh", stepping, PITCH, step_width=1e-3)
    places = np.array([0.0295, 0.02975, 0.03, 0.03025, 0.0305])
    smooth = 4e9 - 1e9 * (3 * 0.25**2 - 2 * 0.25**3)
    assert curve.at(places) == pytest.approx([4e9, smooth, 3.5e9, 7e9 - smooth, 3e9])
    slope = np.diff(curve.table().stiffness) / curve.table().step
    assert np.abs(slope).max() == pytest.approx(1.5 * 1e9 / 1e-3, rel=0.02)


@pytest.mark.parametrize(
    ("of", "points", "width", "sentence"),
    [
        ("mesh", ((0.0, 1e9), (0.04, 1e9)), None, "so give those of one pitch"),
        ("pair", ((0.0, 1e9), (0.02, 1e9)), None, "less than the base pitch"),
        ("pair", ((0.0, 1e9), (0.04, 1e9)), None, "steps from 0 to 1e\\+09"),
        ("mesh", ((0.0, 1e9), (0.03, 2e9)), None, "steps from 2e\\+09 to 1e\\+09"),
        ("mesh", ((0.0, 1e9), (1e-6, 2e9), (0.01, 2e9)), None, "steps from 1e\\+09"),
        ("mesh", ((0.0, 1e9), (0.0, 2e9), (0.01, 2e9), (0.01, 1e9)), 0.02, "10 mm apart"),
        ("mesh", ((0.0, 0.0), (0.01, 1e9)), None, "carries nothing there"),
        ("mesh", ((0.01, 1e9), (0.0, 1e9)), None, "needs two or more"),
        ("mesh", ((0.0, 1e9), (0.01, 1e9), (0.005, 1e9), (0.02, 1e9)), None, "must rise"),
        ("pair", ((0.0, 0.0), (0.04, 0.0)), None, "nowhere above zero"),
    ],
)
def test_curves_that_are_none_are_refused(of, points, width, sentence):
    with pytest.raises(ValueError, match=sentence):
        StiffnessCurve(of, points, PITCH, width)
