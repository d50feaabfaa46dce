"""Nonsense is refused in a sentence; what is described lands in the table."""

import numpy as np
import pytest

from flank.contact import spatial as describe
from flank.contact.spatial import FIELDS, Place, PowerLaw, SpatialSurface, Sphere, StickFriction
from flank.contact.spatial.kinds.simple import PLANE
from flank.contact.spatial.kinds.tracks import ARC

LAW = SpatialSurface(PowerLaw(3e10))
O3 = (0.0, 0.0, 0.0)
BALL = Sphere(1, 0.01)
TRACK = Place(0, O3, np.eye(3))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: StickFriction(0.05, 0.03, 0.1, 1e-3), "static friction the smaller"),
        (lambda: StickFriction(-0.01, 0.03, 0.1, 1e-3), "neither may be negative"),
        (lambda: StickFriction(0.03, 0.05, 0.1, 0.0), "must be positive; try"),
        (lambda: SpatialSurface(PowerLaw(0.0)), "stiffness of 0 must be positive"),
        (lambda: SpatialSurface(PowerLaw(1e10, exponent=0.5)), "1.5 for Hertz"),
        (lambda: SpatialSurface(PowerLaw(1e10), damping=-1.0), "must not be negative"),
        (lambda: describe.sphere_on_plane(0, O3, O3, BALL, LAW), "is no direction"),
        (lambda: describe.sphere_on_plane(1, O3, (0, 0, 1), BALL, LAW), "cannot touch itself"),
        (
            lambda: describe.sphere_on_plane(0, O3, (0, 0, 1), Sphere(1, 0.0), LAW),
            "positive radius",
        ),
        (
            lambda: describe.sphere_in_cylinder(0, O3, (0, 0, 1), 0.01, Sphere(1, 0.02), LAW),
            "not fit",
        ),
        (
            lambda: describe.sphere_in_sphere(Sphere(0, 0.01), BALL, LAW),
            "does not fit",
        ),
        (
            lambda: describe.sphere_on_sphere(Sphere(0, 0.0), BALL, LAW),
            "positive radius",
        ),
        (
            lambda: describe.ball_in_arc(TRACK, (0, 0), 0.02, 2, BALL, LAW),
            "side is 1",
        ),
        (
            lambda: describe.ball_in_arc(TRACK, (0, 0.03), 0.02, 1, BALL, LAW),
            "does not reach the bottom",
        ),
        (
            lambda: describe.ball_in_arc(
                Place(0, O3, np.ones((3, 3))),
                (0, 0),
                0.02,
                1,
                BALL,
                LAW,
            ),
            "perpendicular to each other",
        ),
        (
            lambda: describe.ball_in_ellipse(TRACK, (0.02, 0.01), 1, Sphere(1, 0.015), LAW),
            "does not fit in an elliptic track",
        ),
    ],
)
def test_refusals(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_plane_faces_its_normal():
    normal = np.array([1.0, -2.0, 2.0]) / 3.0
    row = describe.sphere_on_plane(0, (1, 2, 3), 5 * normal, Sphere(1, 0.01, (0, 0, 1e-3)), LAW)
    assert row["field"] == FIELDS.number(PLANE)
    np.testing.assert_allclose(row["frame"][0], normal, atol=1e-15)
    np.testing.assert_allclose(np.linalg.det(row["frame"]), 1.0)
    np.testing.assert_array_equal(row["arm"], (0, 0, 1e-3))


def test_cylinder_is_a_whole_arc_along_its_axis():
    row = describe.sphere_in_cylinder(0, O3, (0, 3, 0), 0.02, BALL, LAW)
    assert row["field"] == FIELDS.number(ARC)
    assert row["side"] == 0
    np.testing.assert_allclose(row["frame"][2], (0, 1, 0))


def test_without_friction_there_is_no_drilling():
    row = describe.sphere_in_sphere(
        Sphere(0, 0.02),
        BALL,
        SpatialSurface(PowerLaw(1e10), drilling_length=1e-4),
    )
    assert row["static_friction"] == row["drilling_length"] == 0
