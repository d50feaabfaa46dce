"""dκ/ds of smooth curves is the derivative of their curvature by arc length."""

import numpy as np
import pytest

from flank.geometry.curve import curvature_slope, curve_point, pack_curves
from flank.geometry.cycloid import Cycloid
from flank.geometry.spline import ClosedSpline
from flank.kernel import kernel

PROFILE = Cycloid(40, 0.05, 0.0015, 0.0008, equidistant=2e-5, radial=-1e-5)


@kernel
def slope_of(curve, data, u):
    return curvature_slope(curve, data, u)


def oval():
    angles = np.linspace(0.0, 2 * np.pi, 60, endpoint=False)
    return ClosedSpline(np.column_stack((0.03 * np.cos(angles), 0.02 * np.sin(angles))))


@pytest.mark.parametrize("shape", [PROFILE, oval()], ids=["cycloid", "spline"])
def test_it_is_the_derivative_of_the_curvature(shape):
    table = pack_curves([shape])
    curve = table.rows[0]
    step = 1e-5 * curve["period"] / 400
    largest, worst = 0.0, 0.0
    for u in curve["period"] * (np.arange(37) + 0.31) / 37:
        *_, speed, _ = curve_point(curve, table.data, u)
        ahead = curve_point(curve, table.data, u + step)[-1]
        behind = curve_point(curve, table.data, u - step)[-1]
        expected = (ahead - behind) / (2 * step * speed)
        largest = max(largest, abs(expected))
        worst = max(worst, abs(slope_of(curve, table.data, u) - expected))
    assert worst < 1e-5 * largest


def test_a_circle_has_none():
    from flank.geometry.curve import Circle

    table = pack_curves([Circle(0.02)])
    assert slope_of(table.rows[0], table.data, 0.3) == 0.0
