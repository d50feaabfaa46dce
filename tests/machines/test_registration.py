"""Points of an outline are found to lie where they were put."""

import math

import numpy as np
import pytest

from flank.geometry.curve import equal_arc_length_parameters, equal_arc_length_points, evaluate
from flank.geometry.cycloid import Cycloid
from flank.geometry.gear import Gear
from flank.geometry.tooth_outline import gear_outline
from flank.machines.measured.registration import (
    Placement,
    best_fit,
    circle_centre,
    counted_waves,
    feet,
    from_cycloid,
    from_gear,
    start_of,
)

FLANK = Cycloid(40, 64e-3, 3e-3, 1.3e-3, 5e-6, 5e-6)
ROWS = evaluate(FLANK, equal_arc_length_parameters(FLANK, 2000))
OUTWARD = np.column_stack((ROWS[:, 3], -ROWS[:, 2]))
GEAR = Gear(38, 2e-3, np.radians(20), addendum=0.7, edge_radius=0.04e-3)
OUTLINE = np.column_stack(gear_outline(GEAR, 12))[:-1]
ALL = (True, True, True)

PARTS = {
    "flank": (ROWS[:, :2], from_cycloid(FLANK), 39, False),
    "gear": (OUTLINE, from_gear(GEAR), 38, True),
}


def put(points, angle, x, y):
    seen = points @ [1, 1j] * np.exp(1j * angle) + complex(x, y)
    return np.column_stack((seen.real, seen.imag))


def off_by(found, angle, waves):
    pitch = 2 * math.pi / waves
    return (found - angle + pitch / 2) % pitch - pitch / 2


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize(
    ("angle", "x", "y"), [(0.02, 50e-6, -20e-6), (2.0, 0.35, 0.22), (-1.0, 0.0, 0.0)]
)
def test_angle_and_centre_are_found_whatever_the_order(part, angle, x, y):
    """To 1e-9 rad and a picometre; the start is that of the points alone."""
    points, distance_of, waves, crest = PARTS[part]
    points = np.random.default_rng(1).permutation(put(points, angle, x, y))
    fit = best_fit(points, distance_of, start_of(points, waves, crest), ALL)
    assert abs(off_by(fit.placement.angle, angle, waves)) < 1e-9
    np.testing.assert_allclose(fit.placement[1:], (x, y), rtol=0, atol=1e-12)
    assert fit.rms < 1e-14


def test_noise_scatters_the_fit_by_the_bound_of_cramer_and_rao():
    """100 files with 1 µm of noise; standard deviations of samples are within 20 % (2.8 sigma)."""
    scatter, sigma = np.random.default_rng(3), 1e-6
    found, told = [], []
    for _ in range(100):
        points = ROWS[:, :2] + scatter.normal(0, sigma, (len(ROWS), 1)) * OUTWARD
        points = put(points, 0.02, 50e-6, 0.0)
        fit = best_fit(points, from_cycloid(FLANK), start_of(points, 39, False), ALL)
        found.append([fit.placement.angle - 0.02, fit.placement.x - 50e-6, fit.placement.y])
        told.append(fit.standard_errors)
    arm = ROWS[:, 0] * OUTWARD[:, 1] - ROWS[:, 1] * OUTWARD[:, 0]
    gradient = np.column_stack((arm, OUTWARD))
    bound = sigma * np.sqrt(np.diag(np.linalg.inv(gradient.T @ gradient)))
    np.testing.assert_allclose(np.std(found, axis=0), bound, rtol=0.2)
    assert np.all(np.abs(np.mean(found, axis=0)) < 4 * bound / 10)
    np.testing.assert_allclose(np.mean(told, axis=0), bound, rtol=0.01)


def test_wear_and_waves_are_left_where_they_are():
    """What no turn and no shift can take away: a mean, and waves of the order 5."""
    around = np.arctan2(ROWS[:, 1], ROWS[:, 0])
    off = -4e-6 + 2e-6 * np.cos(5 * around)
    points = put(ROWS[:, :2] + off[:, None] * OUTWARD, 0.3, 1e-3, 2e-3)
    fit = best_fit(points, from_cycloid(FLANK), start_of(points, 39, False), ALL)
    assert fit.mean == pytest.approx(-4e-6, rel=1e-3)
    assert fit.largest == pytest.approx(-6e-6, rel=1e-2)
    np.testing.assert_allclose(fit.distances.distance, off, rtol=0, atol=0.03e-6)


def test_a_centre_that_is_kept_keeps_its_run_out():
    points = put(ROWS[:, :2], 0.02, 8e-6, 0.0)
    start = start_of(points, 39, False, centred=True)
    fit = best_fit(points, from_cycloid(FLANK), start, (True, False, False))
    assert fit.placement[1:] == (0.0, 0.0)
    assert fit.placement.angle == pytest.approx(0.02, abs=1e-6)
    assert fit.rms == pytest.approx(8e-6 * np.sqrt(np.mean(OUTWARD[:, 0] ** 2)), rel=0.01)


def test_feet_are_exact():
    t = np.linspace(0.1, 6.0, 97)
    rows = evaluate(FLANK, t)
    points = rows[:, :2] + 20e-6 * np.column_stack((rows[:, 3], -rows[:, 2]))
    np.testing.assert_allclose(feet(points, FLANK)[0], t, rtol=0, atol=1e-12)


def test_the_circle_of_points_on_a_circle_is_that_circle():
    angle = np.array([0.0, 0.4, 0.5, 2.0, 4.0])
    points = np.column_stack((5 + np.cos(angle), -3 + np.sin(angle)))
    np.testing.assert_allclose(circle_centre(points), (5, -3), rtol=1e-12)


def test_lobes_and_teeth_are_counted():
    points = equal_arc_length_points(Cycloid(42, 64e-3, 3e-3, 1.3e-3), 3000)
    assert counted_waves(put(points, 0.3, 0.1, 0.2), 100) == 41
    assert counted_waves(OUTLINE, 100) == 38


def test_a_placement_and_its_inverse():
    points = put(ROWS[:5, :2], 0.7, 1.0, -2.0)
    seen = Placement(0.7, 1.0, -2.0).in_outline(points)
    np.testing.assert_allclose(seen, ROWS[:5, :2], rtol=0, atol=1e-15)
