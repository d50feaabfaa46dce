"""What a polyline packs: vertex curvature, boxes, and sectors that miss no block."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flank.geometry.curve import equal_arc_length_parameters, equal_arc_length_points, evaluate
from flank.geometry.cycloid import Cycloid
from flank.geometry.polyline import (
    BLOCK,
    BOX_FIELDS,
    SECTOR_FIELDS,
    SECTORS,
    VERTEX_FIELDS,
    Polyline,
    vertex_curvature,
)

PROFILE = Cycloid(14, 34e-3, 3.5e-3, 1.5e-3)


@pytest.mark.parametrize("clockwise", [False, True])
def test_curvature_of_points_on_a_circle_is_exact(clockwise):
    """Three points of a circle of radius 3 give ±1/3, however uneven their spacing."""
    angles = np.sort(np.random.default_rng(0).uniform(0, 2 * math.pi, 23))
    points = 3 * np.column_stack((np.cos(angles), np.sin(angles)))
    if clockwise:
        points = points[::-1]
    np.testing.assert_allclose(vertex_curvature(points), (-1 if clockwise else 1) / 3, rtol=1e-9)


def test_curvature_of_a_straight_run_is_zero():
    square = np.array([[0, 0], [1, 0], [2, 0], [2, 1], [2, 2], [1, 2], [0, 2], [0, 1]], dtype=float)
    np.testing.assert_array_equal(vertex_curvature(square)[[1, 3, 5, 7]], 0.0)
    assert np.all(vertex_curvature(square)[[0, 2, 4, 6]] > 0)


def test_curvature_converges_at_second_order():
    errors = []
    for count in (1300, 2600):
        t = equal_arc_length_parameters(PROFILE, count)
        exact = evaluate(PROFILE, t)
        errors.append(np.abs(vertex_curvature(exact[:, :2]) - exact[:, 5]).max())
    assert errors[0] / errors[1] == pytest.approx(4, rel=0.1)


def dense(block):
    """Points along the segments of a block."""
    share = np.linspace(0.0, 1.0, 41)[:, None]
    return np.concatenate([a + share * (b - a) for a, b in itertools.pairwise(block)])


def shapes():
    angle = np.linspace(0, 2 * math.pi, 203)[:-1]
    spiral = np.exp(angle / 3)
    offset = np.column_stack((0.3 + np.cos(angle), 2.2 + np.sin(angle)))
    star = (1 + 0.5 * np.cos(9 * angle))[:, None] * np.column_stack((np.cos(angle), np.sin(angle)))
    return {
        "cycloid": equal_arc_length_points(PROFILE, 13 * 50),
        "not a multiple of the block": equal_arc_length_points(PROFILE, 13 * 50 + 5),
        "one block": np.column_stack((np.cos(angle[::20]), np.sin(angle[::20]))),
        "star": star,
        "origin outside": offset,
        "spiral": spiral[:, None] * np.column_stack((np.cos(angle), np.sin(angle))),
    }


@pytest.fixture(params=shapes())
def polyline(request):
    return Polyline(shapes()[request.param])


def test_blocks_hold_every_segment_once(polyline):
    pieces = [b[:-1] for b in polyline.blocks()]
    np.testing.assert_array_equal(np.concatenate(pieces), polyline.points)
    assert all(len(piece) <= BLOCK for piece in pieces)
    ends = np.array([b[-1] for b in polyline.blocks()])
    starts = np.array([b[0] for b in polyline.blocks()])
    np.testing.assert_array_equal(ends, np.roll(starts, -1, axis=0))


def test_boxes_hold_their_segments(polyline):
    for (x0, x1, y0, y1), block in zip(polyline.boxes(), polyline.blocks(), strict=True):
        assert (block[:, 0].min(), block[:, 0].max()) == (x0, x1)
        assert (block[:, 1].min(), block[:, 1].max()) == (y0, y1)


def test_sectors_name_every_block_that_passes_through_them(polyline):
    """Each point of each segment is found from its own polar angle."""
    count = len(polyline.blocks())
    sectors = polyline.sectors()
    for index, block in enumerate(polyline.blocks()):
        points = dense(block)
        angle = np.arctan2(points[:, 1], points[:, 0]) * SECTORS / (2 * math.pi)
        inside = np.abs(angle - np.round(angle)) > 1e-9  # on a border either side will do
        for first, length in sectors[np.floor(angle[inside]).astype(int) % SECTORS]:
            assert (index - first) % count < length


def test_packed_row_has_all_parts(polyline):
    count, blocks = len(polyline.points), len(polyline.blocks())
    packed = polyline.packed()
    assert len(packed) == VERTEX_FIELDS * count + BOX_FIELDS * blocks + SECTOR_FIELDS * SECTORS
    vertices = packed[: VERTEX_FIELDS * count].reshape(-1, VERTEX_FIELDS)
    np.testing.assert_array_equal(vertices[:, :2], polyline.points)
    np.testing.assert_array_equal(vertices[:, 2], vertex_curvature(polyline.points))


@settings(max_examples=50, deadline=None)
@given(st.integers(3, 70), st.floats(0, 2 * math.pi), st.floats(-0.9, 0.9), st.floats(-0.4, 0.4))
def test_every_block_is_in_some_sector(count, turn, dx, dy):
    angle = turn + 2 * math.pi * np.arange(count) / count
    polyline = Polyline(np.column_stack((np.cos(angle) + dx, np.sin(angle) + dy)))
    blocks = len(polyline.blocks())
    named = np.zeros(blocks, dtype=bool)
    for first, length in polyline.sectors().astype(int):
        assert 0 <= length <= blocks
        named[(first + np.arange(length)) % blocks] = True
    assert named.all()
