"""Each geometry finding appears on the wrong side of its limit and not on the right one."""

import math

import pytest

from flank.geometry.cycloid import Cycloid
from flank.geometry.findings import (
    LARGEST_PRELOAD,
    LARGEST_SHORTENING,
    check_clearance,
    check_cycloid,
    check_pin_ring,
)

JUST = 1e-9


def codes(findings):
    return [(f.code, f.severity) for f in findings]


def with_shortening(k1, pin_radius=1e-3):
    return Cycloid(40, 64e-3, pin_radius, k1 * 64e-3 / 40)


def test_reference_sets_have_no_findings(profile):
    assert codes(check_cycloid(profile)) == []
    assert codes(check_pin_ring(profile.pins, profile.pin_circle_radius, profile.pin_radius)) == []


def test_undercut(profile):
    limit = profile.minimum_convex_radius
    for radius, expected in (
        (limit * (1 - JUST), []),
        (limit * (1 + JUST), [("undercut", "error")]),
    ):
        cut = Cycloid(profile.pins, profile.pin_circle_radius, radius, profile.eccentricity)
        assert codes(check_cycloid(cut)) == expected


def test_undercut_counts_the_equidistant_modification(sets):
    a = sets["A"]
    room = a.minimum_convex_radius - a.pin_radius
    for equidistant, expected in ((room - 1e-9, []), (room + 1e-9, [("undercut", "error")])):
        cut = Cycloid(40, 64e-3, 3e-3, 1.3e-3, equidistant=equidistant)
        found = list(check_cycloid(cut))
        assert codes(found) == expected
    assert found[0].value == cut.offset
    assert found[0].limit == pytest.approx(4.6117e-3, abs=5e-8)
    assert "4.612 mm" in found[0].message
    assert "4.612 mm" in found[0].remedy


def test_eccentricity():
    """K1 = 0.95 warns, K1 = 1 is an error and hides the rest, which would be meaningless."""
    assert codes(check_cycloid(with_shortening(LARGEST_SHORTENING - JUST))) == []
    warned = list(check_cycloid(with_shortening(LARGEST_SHORTENING + JUST)))
    assert codes(warned) == [("eccentricity-large", "warning")]
    assert warned[0].value == pytest.approx(LARGEST_SHORTENING)
    assert codes(check_cycloid(with_shortening(1 - 1e-6))) == [
        ("eccentricity-large", "warning"),
        ("undercut", "error"),
    ]
    for k1 in (1.0 + JUST, 1.5):
        assert codes(check_cycloid(with_shortening(k1))) == [("eccentricity-too-large", "error")]


def test_pins_overlap(profile):
    """Neighbours touch at r = R sin(π/z_p)."""
    limit = profile.pin_circle_radius * math.sin(math.pi / profile.pins)
    args = profile.pins, profile.pin_circle_radius
    assert codes(check_pin_ring(*args, limit * (1 - JUST))) == []
    found = list(check_pin_ring(*args, limit * (1 + JUST)))
    assert codes(found) == [("pins-overlap", "error")]
    assert found[0].limit == limit


def test_negative_clearance():
    """A hair of interference is preload (warning); above 1 % of the pin's radius an error."""
    radius = 3e-3
    limit = -LARGEST_PRELOAD * radius
    assert codes(check_clearance(0.0, radius)) == []
    assert codes(check_clearance(5e-6, radius)) == []
    warned = list(check_clearance(-1e-12, radius))
    assert codes(warned) == [("negative-clearance", "warning")]
    assert warned[0].limit == 0.0
    assert codes(check_clearance(limit * (1 - JUST), radius)) == [("negative-clearance", "warning")]
    refused = list(check_clearance(limit * (1 + JUST), radius))
    assert codes(refused) == [("negative-clearance", "error")]
    assert refused[0].limit == limit
    assert "30 um" in refused[0].message
