"""The outline of a tooth: smooth joints, the trochoid as an envelope, areas, refused shapes."""

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from flank.geometry.gear import Gear
from flank.geometry.tooth_outline import (
    enclosed_area,
    enclosed_polar_moment,
    form_radius,
    gear_outline,
    half_outline,
    half_thickness,
    tooth_points,
)

ANGLE = math.radians(20)
SUN = Gear(20, 10e-3, ANGLE, 0.582, edge_radius=0.2e-3)
WHEEL = Gear(40, 1e-3, ANGLE, helix_angle=0.4, edge_radius=0.02e-3)
RING = Gear(91, 10e-3, ANGLE, -0.84, True, edge_radius=0.2e-3)
NARROW_RING = Gear(62, 4e-3, ANGLE, 0.25, True, edge_radius=0.1e-3, fillet_radius=0.2)
UNDERCUT = Gear(10, 1e-3, ANGLE, edge_radius=0.02e-3)


def joints(gear):
    """Distance and angle between the ends of neighbouring pieces."""
    pieces = half_outline(gear)[:5]
    for before, after in pairwise(pieces):
        end, start = np.array(before.end), np.array(after.start)
        gap = abs(before.point(end) - after.point(start))
        leaving = before.slope(end) * np.sign(before.end - before.start)
        entering = after.slope(start) * np.sign(after.end - after.start)
        yield gap, abs(np.angle(leaving / entering)) if abs(leaving * entering) > 0 else 0.0


@pytest.mark.parametrize("gear", [SUN, WHEEL, RING, NARROW_RING])
def test_pieces_join_without_a_step_or_a_corner(gear):
    for gap, corner in joints(gear):
        assert gap < 1e-13
        assert corner < 1e-12
    assert not half_outline(gear).undercut


def test_undercut_flank_begins_at_a_corner_above_the_base_circle():
    corners = [corner for _, corner in joints(UNDERCUT)]
    assert all(gap < 1e-15 for gap, _ in joints(UNDERCUT))
    assert corners[1] > 0.1
    assert max(corners[0], *corners[2:]) < 1e-12
    assert form_radius(UNDERCUT) > UNDERCUT.base_radius
    assert half_outline(UNDERCUT).undercut


def rack_distance(gear, point, shift):
    """From a point of the turned gear to the rack at `shift`: a wedge grown by the rounding."""
    module = gear.normal_module
    turned = point * np.exp(1j * shift / gear.reference_radius)
    height, along = turned.real - gear.reference_radius, turned.imag - shift
    half = gear.reference_radius * gear.half_angle(gear.reference_radius)
    rounding = gear.fillet_radius * module
    tip = (gear.profile_shift - gear.dedendum) * module + rounding
    corner = half + rounding / math.cos(ANGLE) - tip * math.tan(ANGLE)
    x, y = along - corner, height - tip
    off_flank = -(x * math.cos(ANGLE) + y * math.sin(ANGLE))
    if off_flank <= 0 and y >= 0:
        return max(off_flank, -y) - rounding
    beside_flank = y * math.cos(ANGLE) - x * math.sin(ANGLE) >= 0
    if off_flank > 0 and beside_flank:
        return off_flank - rounding
    if y < 0 <= x:
        return -y - rounding
    return math.hypot(x, y) - rounding


@pytest.mark.parametrize("gear", [replace(SUN, profile_shift=0.1), replace(UNDERCUT, teeth=12)])
def test_fillet_is_the_envelope_of_all_positions_of_the_rack(gear):
    """Every point of fillet and flank is touched by the rack once and cut by it never."""
    outline = half_outline(gear)
    shifts = np.linspace(-4, 4, 1601) * gear.normal_module
    for piece in (outline.fillet, outline.flank):
        for point in piece.point(piece.spread(15)):
            distances = [rack_distance(gear, point, shift) for shift in shifts]
            best = int(np.argmin(distances))
            found = minimize_scalar(
                lambda shift, point=point: rack_distance(gear, point, shift),
                bounds=(shifts[max(best - 1, 0)], shifts[min(best + 1, len(shifts) - 1)]),
                method="bounded",
                options={"xatol": 1e-12},
            )
            assert found.fun == pytest.approx(0.0, abs=1e-8 * gear.normal_module)


def test_ring_fillet_has_the_radius_asked_for_or_as_much_as_fits():
    assert half_outline(NARROW_RING).fillet.numbers[2] == pytest.approx(0.8e-3)
    full = half_outline(RING)
    assert full.fillet.numbers[2] < 0.38 * RING.normal_module
    assert full.root.start == pytest.approx(full.root.end, abs=1e-12)


@pytest.mark.parametrize("gear", [SUN, RING, UNDERCUT])
def test_area_and_polar_moment_of_the_drawn_outline(gear):
    x, y = gear_outline(gear, 300)
    spokes = x[:-1] * y[1:] - y[:-1] * x[1:]
    assert enclosed_area(gear) == pytest.approx(0.5 * np.sum(spokes), rel=1e-5)
    square = (x**2 + y**2)[:-1] + (x**2 + y**2)[1:] + x[:-1] * x[1:] + y[:-1] * y[1:]
    assert enclosed_polar_moment(gear) == pytest.approx(np.sum(spokes * square) / 12, rel=1e-5)
    assert np.min(np.hypot(x, y)) == pytest.approx(min(gear.root_radius, gear.tip_radius), rel=1e-6)


def test_half_thickness_on_the_flank_is_the_involute():
    radius = SUN.reference_radius
    angle = SUN.half_angle(radius)
    found = half_thickness(SUN, np.array([radius * math.cos(angle)]))
    assert found[0] == pytest.approx(radius * math.sin(angle), rel=1e-5)
    assert np.all(np.diff(tooth_points(SUN).real) > 0)


def test_shapes_that_cannot_be_cut_are_refused():
    with pytest.raises(ValueError, match="run to a point"):
        half_outline(Gear(10, 1e-3, ANGLE, 1.2))
    with pytest.raises(ValueError, match="rack's teeth run to a point"):
        half_outline(Gear(30, 1e-3, ANGLE, dedendum=2.4))
    with pytest.raises(ValueError, match="spaces of the ring"):
        half_outline(Gear(40, 1e-3, ANGLE, 2.0, True, dedendum=3.0))
