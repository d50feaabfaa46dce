"""Published gear sets: distances, angles, contact ratios, and which of them can be built."""

import math
from dataclasses import replace

import pytest

from flank.geometry.gear import Gear
from flank.geometry.gear_pair import GearPair
from flank.geometry.pair_checks import check_pair, tip_margin, tip_overlap_number

ALPHA = math.radians(20)


def gear(teeth, module, shift=0.0, internal=False, **more):
    return Gear(teeth, module * 1e-3, ALPHA, shift, internal, **more)


def few_teeth(first, second, module, shift, addendum, clearance):
    """The ring's shift has the sign opposite to ISO 21771, and its tips follow the distance."""
    heights = {"addendum": addendum, "dedendum": addendum + clearance}
    pinion = gear(first, module, **heights)
    ring = gear(second, module, -shift, True, **heights)
    angle = GearPair(pinion, ring).tight_angle
    longer = shift - 0.5 * (second - first) * (math.cos(ALPHA) / math.cos(angle) - 1)
    return GearPair(pinion, replace(ring, tip_shortening=-longer))


FEW_TEETH = [
    # gears, α' (deg), e (mm), contact ratio, G_s, margin along the tip circle (mm)
    ((60, 62, 4.0, 0.25, 0.64, 0.5), 36.808, 4.6947, 1.205, 0.010, 0.020),
    ((98, 100, 2.5, 0.2, 0.64, 0.5), 34.807, 2.8611, 1.222, -0.129, -0.160),
    ((38, 40, 2.0, 0.0, 1.0, 0.25), 20.0, 2.0, 2.22, -4.9, None),
    ((38, 40, 2.0, 0.6, 0.7, 0.25), 46.03, 2.7071, 1.203, 0.716, None),
]


@pytest.mark.parametrize(("gears", "angle", "distance", "ratio", "number", "margin"), FEW_TEETH)
def test_few_teeth_sets(gears, angle, distance, ratio, number, margin):
    pair = few_teeth(*gears)
    assert math.degrees(pair.working_angle) == pytest.approx(angle, abs=0.006)
    assert pair.centre_distance * 1e3 == pytest.approx(distance, abs=6e-5)
    assert pair.contact_ratio == pytest.approx(ratio, abs=5e-3)
    assert tip_overlap_number(pair) == pytest.approx(number, abs=0.05 if number < -1 else 6e-4)
    if margin is not None:
        assert tip_margin(pair) * 1e3 == pytest.approx(margin, abs=6e-4)
    errors = {f.code for f in check_pair(pair) if f.severity == "error"}
    assert ("tip-interference" in errors) == (number < 0)
    assert bool(errors) == (number < 0)


def planetary_500_kw():
    sun = gear(20, 10, 0.582).with_tip_radius(114.815e-3)
    planet = gear(35, 10, 0.419).with_tip_radius(188.185e-3)
    ring = gear(91, 10, -0.840, True).with_tip_radius(454.40e-3)
    return GearPair(sun, planet), GearPair(planet, ring)


def test_500_kw_stage():
    inner, outer = planetary_500_kw()
    assert inner.centre_distance * 1e3 == pytest.approx(284.005, abs=1e-3)
    assert outer.centre_distance * 1e3 == pytest.approx(284.004, abs=1e-3)
    assert math.degrees(inner.working_angle) == pytest.approx(24.509, abs=5e-4)
    assert math.degrees(outer.working_angle) == pytest.approx(22.113, abs=5e-4)
    assert inner.contact_ratio == pytest.approx(1.343, abs=5e-4)
    assert outer.contact_ratio == pytest.approx(1.509, abs=5e-4)
    assert [x * 1e3 for x in inner.path] == pytest.approx([26.32, 65.97], abs=6e-3)
    # A tip radius is printed to 0.01 mm, which is up to 0.03 mm of the ring's roll length.
    assert [x * 1e3 for x in outer.path] == pytest.approx([46.96, 91.49], abs=15e-3)
    assert inner.base_pitch * 1e3 == pytest.approx(29.52, abs=2e-3)
    roots = [g.root_radius * 1e3 for g in (inner.first, inner.second, outer.second)]
    assert roots == pytest.approx([93.32, 166.69, 475.90], abs=1e-3)
    for pair in (inner, outer):
        assert not list(check_pair(pair))


NREL_5_MW = [
    # module, tooth numbers, shifts, helix, distances (mm)
    (45, (19, 17, 56), (0.617, 0.802, -0.501), 0, (862.996, 862.991)),
    (21, (18, 36, 93), (0.389, 0.504, 0.117), 0, (584.002, 584.000)),
    (14, (24, 95), (0.480, 0.669), 10, (860.999,)),
]


@pytest.mark.parametrize(("module", "teeth", "shifts", "helix", "distances"), NREL_5_MW)
def test_nrel_5_mw_stages(module, teeth, shifts, helix, distances):
    gears = [
        gear(z, module, x, internal=k == 2, helix_angle=math.radians(helix))
        for k, (z, x) in enumerate(zip(teeth, shifts, strict=True))
    ]
    for k, distance in enumerate(distances):
        pair = GearPair(gears[k], gears[k + 1])
        assert pair.centre_distance * 1e3 == pytest.approx(distance, abs=1e-3)
        assert not [f for f in check_pair(pair) if f.severity == "error"]


def test_backlash_of_a_wider_distance():
    """Near the tight distance backlash opens by 2 sin α_w along the line of action."""
    inner, outer = planetary_500_kw()
    for pair, sense in ((inner, 1), (outer, -1)):
        wide = replace(pair, centre_distance=pair.centre_distance + sense * 1e-7)
        slope = wide.normal_backlash / 1e-7
        assert slope == pytest.approx(2 * math.sin(pair.working_angle), rel=1e-5)
