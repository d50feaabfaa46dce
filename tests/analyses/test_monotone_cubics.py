"""Integrals by cubics through points: SciPy's, of order four where a curve is smooth, of order two
through a corner; and the work of a loop that is known in closed form."""

import math

import numpy as np
import pytest
from scipy.interpolate import PchipInterpolator

from flank.analyses.loop import CORNERS, Loop
from flank.analyses.monotone_cubics import integral


def test_it_is_that_of_scipys_interpolant():
    generator = np.random.default_rng(16)
    for count in (2, 3, 4, 30):
        place = np.sort(generator.uniform(-1.0, 3.0, count))
        rows = generator.normal(size=(4, count))
        rows[0] = np.sort(rows[0])
        rows[1, : count // 2] = 0.7  # level, then turning
        for row, found in zip(rows, integral(place, rows), strict=True):
            if count == 2:
                known = np.trapezoid(row, place)
            else:
                known = PchipInterpolator(place, row).integrate(place[0], place[-1])
            assert found == pytest.approx(known, abs=1e-14)
            assert found == integral(place, row)  # whatever other rows there are


def error(curve, known, count):
    place = np.linspace(0.1, 2.0, count)
    return abs(float(integral(place, curve(place))) - known)


def test_its_orders():
    known = math.exp(2.0) - math.exp(0.1)
    errors = [error(np.exp, known, count) for count in (33, 65, 129)]
    assert np.log2(np.divide(errors[:-1], errors[1:])) == pytest.approx(4.0, abs=0.15)

    def bent(x):
        return x + np.maximum(x - 1.11, 0.0)

    known = 0.5 * (2.0**2 - 0.1**2) + 0.5 * 0.89**2
    errors = [max(error(bent, known, n) for n in range(count, count + 9)) for count in (40, 160)]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(4.0, abs=0.8)  # 4 times the points


def test_points_that_coincide_are_one():
    place, value = np.linspace(0.0, 3.0, 7), np.array([0.0, 0.5, 0.7, 1.5, 4.0, 4.1, 4.2])
    twice = np.insert(place, 3, place[3] * (1 - 2e-16)), np.insert(value, 3, value[3] + 1e-9)
    assert integral(*twice) == pytest.approx(integral(place, value), rel=1e-9)


def given_way(force):
    """Of two spheres that are pressed together and rubbed (Mindlin and Deresiewicz 1953), the force
    in units of what would slide, to the first power."""
    return 1.0 - (1.0 - force) ** (2 / 3)


def mindlin_loop(points, peak=0.8):
    time = np.linspace(0.0, 5.0, 5 * points + 1)
    force = np.interp(time, np.arange(6), np.array(CORNERS) * peak)
    most, stage = given_way(peak), np.clip(np.ceil(time - 1e-9).astype(int) - 1, 0, 4)
    first = given_way(np.maximum(force, 0.0))
    down = most - 2.0 * given_way(0.5 * (peak - force))
    up = -most + 2.0 * given_way(0.5 * (peak + force))
    way = np.select([stage == 0, stage <= 2], [first, down], up)
    return Loop(force, way, stage, rated_torque=peak)


def test_the_work_of_a_loop_that_is_known():
    peak = 0.8
    under = 2.0 * peak - 1.2 * (1.0 - (1.0 - peak) ** (5 / 3))  # of given_way(s/2) up to 2 peak
    known = 4.0 * (peak * given_way(peak) - under)
    errors, by_chords = [], []
    for points in (10, 20, 40):
        loop = mindlin_loop(points, peak)
        part = loop.closed_part()
        chords = abs(np.trapezoid(loop.torque[part], loop.angle[part]))
        errors.append(abs(loop.area() / known - 1.0))
        by_chords.append(abs(chords / known - 1.0))
    assert np.log2(np.divide(by_chords[:-1], by_chords[1:])) == pytest.approx(2.0, abs=0.05)
    assert min(np.log2(np.divide(errors[:-1], errors[1:]))) > 3.5
    assert errors[0] < 0.05 * by_chords[0]
