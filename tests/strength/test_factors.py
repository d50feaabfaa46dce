"""Zone, contact ratio and load factors: closed forms, limits, worked example."""

import math
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "validation"))
from strength_examples import ANGLE, BOTH, PRINTED, technical_report

from flank.elasticity.iso_6336 import mean_stiffness, single_stiffness
from flank.elasticity.material import STEEL
from flank.geometry.gear import Gear
from flank.geometry.gear_pair import GearPair
from flank.strength import flank_pressure, load_factors
from flank.strength.flank_pressure import transverse_contact_ratio
from flank.strength.load_factors import Deviations
from flank.strength.materials import strength_of


def spur(first, second, width=0.02, **options):
    return GearPair(
        Gear(first, 2e-3, ANGLE),
        Gear(second, 2e-3, ANGLE, internal=options.pop("internal", False)),
        face_width=width,
    )


def test_technical_report_factors():
    """ISO/TR 6336-30:2017, example 1."""
    rating = technical_report()
    pair, strength = rating.pair, rating.strengths[0].flank
    share = flank_pressure.contact_ratio_factor(transverse_contact_ratio(pair), 1.08)
    ours = {
        "Z_H": flank_pressure.zone_factor(pair),
        "Z_E": flank_pressure.elasticity_factor(BOTH) / 1e3,
        "Z_eps": math.sqrt(share),
        "Z_beta": flank_pressure.helix_factor(pair),
        "Z_L": flank_pressure.lubricant_factor(strength, 320e-6),
        "Z_V": flank_pressure.speed_factor(strength, rating.speed),
        "Z_R": flank_pressure.roughness_factor(pair, strength, 6e-6),
    }
    for name, value in ours.items():
        assert value == pytest.approx(PRINTED[name], rel=5e-4), name
    assert rating.single_contact_factors == (1.0, 1.0)
    assert single_stiffness(pair, BOTH) / 1e9 == pytest.approx(PRINTED["c'"], rel=2e-3)
    assert mean_stiffness(pair, BOTH) / 1e9 == pytest.approx(PRINTED["c_ga"], rel=2e-3)


def test_zone_factor_of_unshifted_spur_gears():
    """Z_H = √(4/sin 2α) = 2.4946 at 20°; Z_E = √(0.175 E) of steel."""
    assert flank_pressure.zone_factor(spur(20, 40)) == pytest.approx(
        math.sqrt(4 / math.sin(2 * ANGLE))
    )
    assert flank_pressure.elasticity_factor(BOTH) == pytest.approx(
        math.sqrt(STEEL.youngs_modulus / (2 * math.pi * 0.91))
    )


@pytest.mark.parametrize("internal", [False, True])
def test_pressure_at_the_pitch_point_is_hertz(internal):
    """Without Z_ε, σ_H0 of spur gears is Hertz's line contact with the radii of both involutes
    there."""
    pair = spur(20, 70, internal=internal)
    force = 1000.0
    normal = force * pair.first.reference_radius / pair.first.base_radius / pair.face_width
    modulus = 206e9 / (2 * 0.91)
    hertz = math.sqrt(normal * modulus / (math.pi * flank_pressure.relative_radius(pair)))
    ours = flank_pressure.nominal_pressure(pair, BOTH, force)
    share = flank_pressure.contact_ratio_factor(transverse_contact_ratio(pair), 0.0)
    assert ours / math.sqrt(share) == pytest.approx(hertz)


def test_contact_ratio_factor_ends():
    """One at ε_α = 1, 1/√ε_α with ε_β ≥ 1, a line between."""
    assert flank_pressure.contact_ratio_factor(1.0, 0.0) == 1.0
    assert flank_pressure.contact_ratio_factor(1.6, 1.3) == pytest.approx(1 / 1.6)
    halfway = flank_pressure.contact_ratio_factor(1.6, 0.5)
    assert halfway == pytest.approx(0.5 * (0.8 + 1 / 1.6))


def test_single_contact_is_worse_than_the_pitch_point_of_small_pinions():
    """Z_B by radii of curvature where single contact begins, at 18/18 by symmetry Z_B = Z_D; rings
    have Z_D = 1."""
    pair = spur(18, 18)
    first, second = flank_pressure.single_contact_factors(pair)
    assert first == pytest.approx(second)
    roll = pair.first.edge_roll_length - pair.base_pitch
    pitch_point = pair.first.base_radius * math.tan(pair.working_angle)
    assert first == pytest.approx(pitch_point / math.sqrt(roll * pair.second_roll(roll)))
    assert flank_pressure.single_contact_factors(spur(18, 60, internal=True))[1] == 1.0


def test_dynamic_factor_over_the_resonance():
    """One at rest, largest about N = 1, lower beyond, without a step at the seams."""
    deviations = Deviations(5e-6, 5e-6, 0.0)

    def at(resonance):
        return load_factors.dynamic_factor(resonance, 300e3, 14e9, 1.6, deviations)

    assert at(0.0) == 1.0
    assert at(1.0) > at(0.5) > at(0.2) > 1.0
    assert at(2.0) < at(1.0)
    assert at(1.15) == pytest.approx(at(1.1500001), rel=1e-5)
    assert at(1.5) == pytest.approx(at(1.4999999), rel=1e-5)


def test_face_factor_of_a_triangle():
    """Where the line load just reaches zero at one end it is twice the mean: both formulas meet
    there; with a quarter of the load, only half of the face carries: four times the mean."""
    misalignment, stiffness = 10e-6, 20e9
    full = misalignment * stiffness / 2
    assert load_factors.face_factor(misalignment, full, stiffness) == pytest.approx(2.0)
    assert load_factors.face_factor(misalignment, full * (1 - 1e-9), stiffness) == pytest.approx(
        2.0
    )
    assert load_factors.face_factor(misalignment, full / 4, stiffness) == pytest.approx(4.0)
    assert load_factors.face_factor(0.0, full, stiffness) == 1.0


def test_hard_flanks_run_in_less_and_grades_step_by_the_root_of_two():
    soft, hard = strength_of("V-alloy-MQ", 250), strength_of("Eh-MQ")
    assert load_factors.running_in_across(hard, 20e-6) == pytest.approx(3e-6)
    assert load_factors.running_in_across(hard, 100e-6) == pytest.approx(6e-6)
    assert load_factors.running_in_across(soft, 20e-6) > 3e-6
    assert load_factors.running_in_of_profile(hard, 100e-6) == pytest.approx(3e-6)
    gear = Gear(50, 2e-3, ANGLE)
    assert load_factors.pitch_tolerance(gear, 5) == pytest.approx(5.9e-6)
    assert load_factors.pitch_tolerance(gear, 7) == pytest.approx(11.8e-6)
    assert load_factors.helix_slope_tolerance(gear, 0.025, 5) == pytest.approx(6.25e-6)


def test_work_hardening_of_a_soft_wheel():
    """1.2 at 130 HBW with a smooth hard pinion, one of equal gears."""
    soft, hard = strength_of("V-carbon-MQ", 135), strength_of("Eh-MQ")
    factor = flank_pressure.work_hardening_factor(soft, hard, 1e-6, 10e-3)
    assert factor == pytest.approx(1.2 - 5 / 1700)
    assert flank_pressure.work_hardening_factor(hard, hard, 1e-6, 10e-3) == 1.0
    assert flank_pressure.work_hardening_factor(soft, soft, 1e-6, 10e-3) == 1.0
