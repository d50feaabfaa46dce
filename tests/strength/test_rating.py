"""Flanks and roots rated by ISO 6336, beside worked examples of others."""

import math
import sys
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "validation"))
from strength_examples import (
    BOTH,
    PRINTED,
    open_program,
    sized_pinion,
    technical_report,
)

from flank.strength import flank_pressure, tooth_root
from flank.strength.materials import strength_of

WITHIN = 0.02
"""Asked of safety factors against worked examples."""


def test_technical_report_flank_safety():
    """ISO/TR 6336-30:2017, example 1: S_H of both gears, K_V, K_Hα and all Z from geometry and
    duty."""
    rating = technical_report()
    assert rating.flank_safeties == pytest.approx(PRINTED["S_H"], rel=2e-4)
    assert rating.dynamic_factor == pytest.approx(PRINTED["K_V"], abs=5e-4)
    assert rating.transverse_factors == (1.0, 1.0)
    assert rating.root_face_factor == pytest.approx(PRINTED["K_Fb"], rel=1e-3)
    assert rating.nominal_pressure == pytest.approx(PRINTED["sigma_H0"] * 1e6, rel=2e-4)
    assert rating.flank_pressures[0] == pytest.approx(PRINTED["sigma_H"] * 1e6, rel=2e-4)
    strengths = [rating.flank_strength(gear) / 1e6 for gear in (0, 1)]
    assert strengths == pytest.approx(PRINTED["sigma_HG"], rel=2e-5)


def test_textbook_flank_sized_to_its_limit():
    """Pu and Ji, example 10-1: at d1 = 65.396 mm, K 1.3 and 99.48 N·m the wheel's 522.5 N/mm² are
    just reached, without Z_ε and with Z_H rounded to 2.5."""
    pair = sized_pinion(65.396e-3 / 24)
    force = 1.3 * 99.48 / pair.first.reference_radius
    stress = flank_pressure.nominal_pressure(pair, BOTH, force)
    stress /= math.sqrt(flank_pressure.contact_ratio_factor(pair.contact_ratio, 0.0))
    assert 522.5e6 / stress == pytest.approx(1.0, rel=WITHIN)
    assert 522.5e6 / stress * flank_pressure.zone_factor(pair) / 2.5 == pytest.approx(1.0, rel=2e-3)


def test_textbook_root_sized_to_its_safety():
    """Pu and Ji, example 10-1: a module of 2.05 mm at K 1.512 gives S_F = 1.4 of 0.88·380 N/mm² on
    the wheel, which is the weaker one, the load at the tip and without Y_ε; the pinion's 0.85·500
    N/mm² are less used by 0.01379/0.01644."""
    pair = sized_pinion(2.05e-3)
    force = 1.512 * 99.48 / pair.first.reference_radius
    per_area = force / (pair.face_width * 2.05e-3)
    wheel, pinion = (tooth_root.load_at_tip(gear) for gear in (pair.second, pair.first))
    safety = 0.88 * 380e6 / (per_area * wheel.form * wheel.correction)
    assert safety == pytest.approx(1.4 * (2.05 / 2.0477) ** 3, rel=WITHIN)
    other = 0.85 * 500e6 / (per_area * pinion.form * pinion.correction)
    assert safety / other == pytest.approx(0.01379 / 0.01644, rel=WITHIN)


def test_open_program_safeties():
    """din3990, example 1, with its K factors and strengths: S_H under endurance, S_F with Y_ε and
    the load at the tip."""
    pair = open_program()
    force = 55e3 / (980 * 2 * math.pi / 60) / pair.first.reference_radius
    assert force == pytest.approx(14103.4187, rel=1e-6)
    pinion_flank = math.sqrt(1.75 * 1.0278576 * 1.1064273) * 1.0055470
    stress = flank_pressure.nominal_pressure(pair, BOTH, force) * pinion_flank
    assert 1500e6 / stress == pytest.approx(1.2079361, rel=1e-4)
    expected = {0: 1.9120087, 1: 1.8787027}
    loads = {0: 1.0278576 * 1.0864854, 1: 1.0360454 * 1.0866056}
    for number, gear in enumerate((pair.first, pair.second)):
        load = tooth_root.load_at_tip(gear)
        stress = force / (pair.face_width * 4e-3) * load.form * load.correction
        stress *= tooth_root.root_contact_ratio_factor(pair) * 1.75 * loads[number]
        assert 860e6 / stress == pytest.approx(expected[number], rel=2e-4)


def test_lighter_is_safer_and_what_is_known_replaces_the_norm():
    """Flank safety falls with the root of the load, root safety with the load itself."""
    rating = technical_report()
    known = replace(rating.known, dynamic=1.0, transverse=1.0)
    fixed = replace(rating, known=known)
    twice = replace(fixed, duty=replace(fixed.duty, force=2 * fixed.duty.force))
    assert twice.flank_safeties[0] * math.sqrt(2) == pytest.approx(fixed.flank_safeties[0])
    assert twice.root_safeties[1] * 2 == pytest.approx(fixed.root_safeties[1])
    assert replace(fixed, known=replace(known, dynamic=1.44)).flank_safeties[0] * 1.2 == (
        pytest.approx(fixed.flank_safeties[0])
    )


def test_life_is_what_the_safety_is_short_of():
    """At the cycles of static strength the case-hardened flank bears 1.6 times its limit, all film
    factors one."""
    rating = technical_report()
    assert rating.flank_strength(0, 1e4) == pytest.approx(1.6 * 1500e6)
    ends = [rating.flank_strength(0, 5e7 * step) for step in (1 - 1e-9, 1 + 1e-9)]
    assert ends[0] == pytest.approx(ends[1])
    lives = [rating.root_strength(1, cycles) for cycles in (1e3, 1e4, 1e5, 3e6, 1e8, 1e10, 1e12)]
    assert lives == sorted(lives, reverse=True)
    assert lives[-1] == lives[-2]


def test_reversed_teeth_bear_seven_tenths():
    rating = technical_report()
    idler = replace(rating, reversed_load=(True, False))
    assert idler.root_safeties[0] == pytest.approx(0.7 * rating.root_safeties[0])
    assert idler.root_safeties[1] == rating.root_safeties[1]


@pytest.mark.parametrize(
    ("name", "hardness", "flank", "root"),
    [("V-alloy-MQ", 300, 766.9, 314.5), ("Eh-MQ", None, 1500, 425), ("GG-MQ", 200, 338.6, 59.2)],
)
def test_strengths_by_hardness(name, hardness, flank, root):
    """A x + B of ISO 6336-5 by hand."""
    strength = strength_of(name, hardness)
    assert (strength.flank / 1e6, strength.root / 1e6) == pytest.approx((flank, root))


def test_unknown_strengths_are_refused_with_what_is_known():
    with pytest.raises(ValueError, match="known are St-MQ"):
        strength_of("steel")
    with pytest.raises(ValueError, match="from 200 to 360 HBW, not at 600"):
        strength_of("V-alloy-MQ", 600)
