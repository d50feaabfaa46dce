"""A ball in its groove touches both flanks at the contact angle, in arcs and in an ellipse."""

import numpy as np
import pytest
from spatial_contact import BALL, field

from flank.contact.spatial import (
    Place,
    PowerLaw,
    SpatialSurface,
    Sphere,
    ball_in_arc,
    ball_in_ellipse,
)

LAW = SpatialSurface(PowerLaw(3e10))
SIDES = (1.0, -1.0)


def arch(conformity, angle, clearance, side):
    """One flank of a gothic arch about the ball's nominal place."""
    radius = conformity * BALL
    away = radius - BALL - clearance
    centre = -away * np.array([np.cos(angle), side * np.sin(angle)])
    return ball_in_arc(
        Place(0, (0, 0, 0), np.eye(3)), centre, radius, side, Sphere(1, BALL), LAW
    ), np.zeros(3)


def elliptic(conformity, angle, clearance, side):
    """One flank of an ellipse with the given radius of curvature where the ball touches."""
    normal = BALL + clearance
    root = np.sqrt(conformity * BALL / normal)
    eccentric = np.arccos(np.cos(angle) * root)
    ratio = np.tan(angle) / np.tan(eccentric)
    b = normal * ratio / root
    a = ratio * b
    centre = np.array([(a**2 - b**2) * np.cos(eccentric) / a, 0.0, 0.0])
    return ball_in_ellipse(
        Place(0, (0, 0, 0), np.eye(3)), (a, b), side, Sphere(1, BALL), LAW
    ), centre


@pytest.mark.parametrize("section", [arch, elliptic])
@pytest.mark.parametrize("conformity", [1.01, 1.05, 1.1])
@pytest.mark.parametrize("degrees", [40.0, 45.0])
@pytest.mark.parametrize("clearance", [0.0, 1e-5])
def test_ball_touches_both_flanks_at_the_contact_angle(section, conformity, degrees, clearance):
    angle = np.radians(degrees)
    for side in SIDES:
        row, centre = section(conformity, angle, clearance, side)
        gap, normal, hessian = field(row, centre)
        assert gap == pytest.approx(clearance, abs=1e-15)
        expected = -np.array([np.cos(angle), side * np.sin(angle), 0.0])
        np.testing.assert_allclose(normal, expected, atol=1e-10)
        bend = np.trace(hessian)
        assert -1.0 / bend == pytest.approx(conformity * BALL - BALL - clearance, rel=1e-9)


def test_curvature_of_the_ellipse_where_it_is_touched():
    """From three near points of the section itself."""
    row, centre = elliptic(1.05, np.radians(45.0), 0.0, 1.0)
    normal = field(row, centre)[1]
    a, b = row["semi_axes"]
    foot = centre[:2] - BALL * normal[:2]
    middle = np.arctan2(foot[1] / b, foot[0] / a)
    step = 1e-3
    before, here, after = (
        np.array([a * np.cos(t), b * np.sin(t)]) for t in (middle - step, middle, middle + step)
    )
    sides = [np.linalg.norm(v) for v in (here - before, after - here, after - before)]
    u, v = here - before, after - before
    radius = np.prod(sides) / (2 * abs(u[0] * v[1] - u[1] * v[0]))
    np.testing.assert_allclose(foot, here, atol=1e-12)
    assert radius == pytest.approx(1.05 * BALL, rel=1e-5)


@pytest.mark.parametrize("section", [arch, elliptic])
def test_ball_that_moves_to_one_flank_leaves_the_other(section):
    gaps = {}
    for side in SIDES:
        row, centre = section(1.02, np.radians(45.0), 0.0, side)
        gaps[side] = field(row, centre + np.array([0.0, 1e-5, 0.0]))[0]
    assert gaps[1.0] == pytest.approx(-1e-5 * np.sin(np.radians(45.0)), rel=0.03)
    assert gaps[-1.0] == pytest.approx(1e-5 * np.sin(np.radians(45.0)), rel=0.03)


@pytest.mark.parametrize("section", [arch, elliptic])
def test_flanks_are_mirror_images(section):
    for shift in ((2e-5, 3e-5), (-1e-4, -2e-5), (5e-4, -9e-4)):
        found = []
        for side in SIDES:
            row, centre = section(1.02, np.radians(42.0), 5e-6, side)
            gap, normal, _ = field(row, centre + np.array([shift[0], side * shift[1], 0.0]))
            found.append((gap, normal[0], side * normal[1]))
        np.testing.assert_allclose(found[0], found[1], rtol=1e-12)


def depths_on_the_way_into_a_flank(section):
    """Depths in the flank y > 0 and in the other, along the nominal normal of the first."""
    angle = np.radians(45.0)
    rows = [section(1.02, angle, 0.0, side) for side in SIDES]
    into = np.array([np.cos(angle), np.sin(angle), 0.0])
    way = np.linspace(0.0, 2e-4, 2001)
    return np.array([[-field(row, centre + s * into)[0] for row, centre in rows] for s in way])


def test_counter_flank_of_an_arch_is_touched_until_far_beyond_any_load():
    loaded, counter = depths_on_the_way_into_a_flank(arch).T
    np.testing.assert_allclose(loaded, np.linspace(0.0, 2e-4, 2001), atol=1e-12)
    near = loaded < 4e-5
    expected = loaded[near] ** 2 / (2 * 0.02 * BALL)
    np.testing.assert_allclose(counter[near], expected, rtol=0.03, atol=1e-12)
    lost = loaded[1:][counter[1:] <= 0][0]
    assert 1.65e-4 < lost < 1.75e-4


def test_counter_flank_of_an_ellipse_is_lost_where_the_contacts_merge():
    """The limit told in the theory page; before it depths are continuous."""
    loaded, counter = depths_on_the_way_into_a_flank(elliptic).T
    lost = 1 + np.flatnonzero(counter[1:] <= 0)[0]
    assert loaded[lost] == pytest.approx(31e-6, abs=0.5e-6)
    assert counter[lost - 1] == pytest.approx(3.8e-6, abs=0.1e-6)
    assert (np.diff(counter[1:lost]) > 0).all()
    assert not (counter[lost:] > 0).any()


@pytest.mark.parametrize(("section", "room"), [(arch, 50e-6), (elliptic, 14e-6)])
def test_room_under_the_ball(section, room):
    row, centre = section(1.02, np.radians(45.0), 0.0, 1.0)
    if section is arch:
        bottom = row["centre"][0] + np.sqrt(row["radius"] ** 2 - row["centre"][1] ** 2)
    else:
        bottom = row["semi_axes"][0]
    assert bottom - centre[0] - BALL == pytest.approx(room, abs=1e-6)
