"""Several curves in one table: each row finds its own data and its own samples."""

import math

import numpy as np
import pytest

from flank.geometry.curve import (
    Circle,
    curve_point,
    equal_arc_length_points,
    evaluate,
    pack_curves,
    period,
)
from flank.geometry.cycloid import Cycloid
from flank.geometry.polyline import VERTEX_FIELDS, Polyline
from flank.geometry.spline import ClosedSpline

PROFILE = Cycloid(14, 34e-3, 3.5e-3, 1.5e-3)
SHAPES = [
    ClosedSpline(equal_arc_length_points(PROFILE, 130)),
    Circle(0.02, hole=True),
    Polyline(equal_arc_length_points(PROFILE, 260)),
    PROFILE,
    ClosedSpline(equal_arc_length_points(PROFILE, 65)),
]


@pytest.fixture(scope="module")
def table():
    return pack_curves(SHAPES)


@pytest.mark.parametrize("index", [0, 1, 3, 4])
def test_rows_evaluate_as_the_shape_alone(table, index):
    for share in (0.0, 0.123, 0.77):
        u = share * period(SHAPES[index])
        got = curve_point(table.rows[index], table.data, u)
        np.testing.assert_array_equal(got, evaluate(SHAPES[index], [u])[0])


@pytest.mark.parametrize("index", range(len(SHAPES)))
def test_samples_lie_on_the_curve(table, index):
    row = table.rows[index]
    samples = table.data[row["sample_start"] :][: 3 * row["sample_count"]].reshape(-1, 3)
    shape = SHAPES[index]
    if isinstance(shape, Polyline):
        np.testing.assert_array_equal(samples[:, 1:], shape.points)
    else:
        np.testing.assert_array_equal(samples[:, 1:], evaluate(shape, samples[:, 0])[:, :2])
    chords = np.hypot(*(samples[:, 1:] - np.roll(samples[:, 1:], 1, axis=0)).T)
    assert row["sample_spacing"] == pytest.approx(chords.max(), rel=1e-15)
    assert np.all(np.diff(samples[:, 0]) > 0)
    assert samples[-1, 0] < row["period"]


def test_polyline_row_points_at_its_vertices(table):
    row = table.rows[2]
    vertices = table.data[row["data_start"] :][: VERTEX_FIELDS * row["count"]].reshape(-1, 4)
    np.testing.assert_array_equal(vertices[:, :2], SHAPES[2].points)
    assert row["period"] == row["count"] == 260


def test_a_lobe_is_resolved(table):
    """48 samples a lobe, and none farther apart than a quarter of the pin's radius."""
    assert table.rows[3]["sample_count"] == 48 * PROFILE.lobes
    assert table.rows[3]["sample_spacing"] < 0.25 * PROFILE.pin_radius


def test_a_model_without_curves_has_one_empty_row():
    table = pack_curves([])
    assert len(table.rows) == 1
    assert len(table.data) == 1
    assert math.isfinite(table.data[0])
