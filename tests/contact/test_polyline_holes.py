"""A circle in a hole whose wall is a polyline: it lies in corners, and yet comes to rest."""

import math

import numpy as np
import pytest

from flank.contact import Disc, Surface, circle_in_hole, circle_on_curve
from flank.dynamics.builder import ModelBuilder
from flank.dynamics.functions import constant
from flank.dynamics.run import solve_statics
from flank.dynamics.tables import GROUND
from flank.elasticity.line_contact import Cylinder
from flank.elasticity.material import STEEL
from flank.geometry.polyline import Polyline
from flank.machines.contact_laws import pair_law
from flank.machines.contact_spec import ContactSpec

BORE, CLEARANCE, LOAD = 20e-3, 20e-6, 1000.0
"""A crank pin in the bore of a disc (arXiv 2604.02387, Table 2)."""


def wall(count, radius=BORE, squeezed=1.0):
    angle = -2 * math.pi * np.arange(count) / count
    return Polyline(radius * np.column_stack((np.cos(angle), squeezed * np.sin(angle))))


def rest(segments, direction):
    """Where a crank pin comes to rest under a load in its bore, round without `segments`."""
    pin = BORE - CLEARANCE
    law = pair_law(ContactSpec(), Cylinder(BORE, STEEL), Cylinder(pin, STEEL), 12e-3)
    builder = ModelBuilder(BORE)
    body = builder.body("pin", 1.0, 1e-4)
    builder.torsion_spring(GROUND, body, 1e3)
    circle, surface = Disc(body, 0.0, 0.0, pin), Surface(law)
    if segments:
        shape = wall(segments)
        curve = builder.curve(shape)
        builder.contact(circle_on_curve(GROUND, curve, shape, circle, surface))
    else:
        builder.contact(circle_in_hole(Disc(GROUND, 0.0, 0.0, BORE), circle, surface))
    builder.force(body, (math.cos(direction), math.sin(direction)), constant(LOAD))
    run = solve_statics(builder.build(), np.zeros((2, 3)), np.array([0.0]))
    assert run.complete
    return run.position[-1, body, :2]


@pytest.mark.parametrize("direction", [0.3, 1.0, math.pi / 2, 2 * math.pi / 200, math.pi / 200])
def test_a_crank_pin_comes_to_rest_wherever_it_is_pressed(direction):
    """At a vertex, at the middle of a segment and anywhere: as in the circle inside the chords,
    at the round bore's place less R (1 - cos π/n)."""
    less = BORE * (1 - math.cos(math.pi / 200))
    along = np.array([math.cos(direction), math.sin(direction)])
    expected = rest(0, direction) - less * along
    np.testing.assert_allclose(rest(200, direction), expected, rtol=0, atol=1e-12)


def test_it_tends_to_the_round_bore_at_second_order():
    exact = rest(0, 0.3)
    errors = [np.hypot(*(rest(count, 0.3) - exact)) for count in (200, 800, 3200)]
    orders = np.log2(np.array(errors[:-1]) / errors[1:]) / 2
    np.testing.assert_allclose(orders, 2.0, atol=0.01)
    assert errors[-1] < 0.01e-6


def test_normals_are_the_gradient_and_turn_as_the_level_curvature_says(find):
    """On an uneven wall, on arcs and between them, by differences."""
    oval = wall(40, BORE, 0.8)
    rng = np.random.default_rng(2)
    angle, size = rng.uniform(0, 2 * math.pi, 300), rng.uniform(0.3, 0.95, 300)
    points = BORE * size[:, None] * np.column_stack((np.cos(angle), 0.8 * np.sin(angle)))
    found, h = find(oval, points, 1e-3), 1e-8
    aside = np.column_stack((-found[:, 2], found[:, 1]))
    there, back = find(oval, points + h * aside, 1e-3), find(oval, points - h * aside, 1e-3)
    ahead, behind = (find(oval, points + s * h * found[:, 1:3], 1e-3) for s in (1, -1))
    np.testing.assert_allclose(np.hypot(found[:, 1], found[:, 2]), 1.0, rtol=1e-14)
    smooth = np.abs(there[:, 5] - back[:, 5]) < 0.4  # not across the middle of the hole
    assert smooth.sum() > 250
    np.testing.assert_allclose((ahead - behind)[smooth, 0] / (2 * h), 1.0, atol=1e-6)
    np.testing.assert_allclose((there - back)[smooth, 0] / (2 * h), 0.0, atol=1e-6)
    turned = np.sum((there - back)[:, 1:3] * aside, axis=1) / (2 * h)
    ends = np.abs(turned - found[:, 3]) > 1e-4 * np.abs(found[:, 3]) + 1e-3  # of an arc, nearly
    assert ends[smooth].mean() < 0.01


def test_rounding_stays_within_the_height_of_the_chords(find):
    """Of the wall with corners as they are, which the same points as an outline have."""
    hole = wall(60)
    corners = Polyline(hole.points[::-1].copy())
    rng = np.random.default_rng(3)
    angle = rng.uniform(0, 2 * math.pi, 500)
    points = 0.9 * BORE * np.column_stack((np.cos(angle), np.sin(angle)))
    sharp = -find(corners, points, 0.01)[:, 0] - 0.01
    rounded = find(hole, points, 0.01)[:, 0] + 0.01
    assert np.all(rounded <= sharp + 1e-15)
    assert np.max(sharp - rounded) < BORE * (1 - math.cos(math.pi / 60))


def test_corners_of_a_part_stay(find):
    """A square hole keeps its corners: a circle touches its walls where they are."""
    square = Polyline(np.array([[1.0, -1.0], [-1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]]))
    gap, nx, ny, level_curvature = find(square, [[0.6, 0.5]], 0.2)[0, :4]
    assert (gap, nx, ny, level_curvature) == pytest.approx((0.2, -1.0, 0.0, 0.0), abs=1e-15)
    assert not np.any(square.rounded())
