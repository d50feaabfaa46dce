"""Gear pairs and planetary sets that are found are rated by ISO 6336 and mesh as they are meant."""

import math

import pytest

import flank
from flank.design.designing import find_designs
from flank.design.kinds.gear_pair import GearPairDesigner
from flank.design.kinds.planetary import PlanetaryDesigner, _shifts
from flank.design.requirements import GearPairRequirements, PlanetaryRequirements
from flank.errors import SpecError
from flank.machines.registry import machine_from_mapping


class QuickPair(GearPairDesigner):
    heads, evaluations = 2, 8


def pairs(**given):
    wanted = {"torque": 700.0, "ratio": 3.08, "designs": 1} | given
    return find_designs(QuickPair(GearPairRequirements.from_mapping(wanted)))


def test_a_pair_loads_keeps_its_ratio_and_is_rated():
    (spec,) = pairs().specs
    machine = machine_from_mapping(spec)
    verdict = flank.check(machine)
    assert verdict.light == "green"
    assert all(margin.kept for margin in verdict.margins if margin.rule.severity != "note")
    assert abs(machine.ratio) == pytest.approx(3.08, rel=0.02)
    teeth = machine.spec.pinion.teeth, machine.spec.wheel.teeth
    assert math.gcd(*teeth) == 1


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"ratio": 20}, "one pair of gears has 0.125 to 8"),
        ({"ratio": 2, "ratio_tolerance": 1e-6}, "teeth without a common factor"),
        ({"outer_diameter": 0.05}, "no design found"),
    ],
)
def test_what_no_pair_can_do_is_refused(given, sentence):
    with pytest.raises(SpecError, match=sentence):
        pairs(**given)


def test_sun_planets_and_ring_mesh_at_one_centre_distance():
    """Σx of both meshes, by the working angle of (sun + ring)/4 modules."""
    planets, ring = _shifts(20, 35, 91, 0.3)
    angle = math.radians(20)
    for teeth, shifts in ((55, 0.3 + planets), (56, -ring - planets)):
        cosine = teeth * math.cos(angle) / 55.5
        working = math.acos(cosine)
        opened = math.tan(working) - working - (math.tan(angle) - angle)
        assert shifts == pytest.approx(teeth * opened / (2 * math.tan(angle)), abs=2e-4)
    assert _shifts(20, 40, 100, 0.2) == (-0.2, 0.2)


@pytest.mark.parametrize(("ratio", "sentence"), [(30, "for more try"), (1.5, "a planetary set")])
def test_what_no_set_can_do_is_refused(ratio, sentence):
    wanted = PlanetaryRequirements.from_mapping({"torque": 500.0, "ratio": ratio})
    with pytest.raises(SpecError, match=sentence):
        find_designs(PlanetaryDesigner(wanted))


def test_an_envelope_too_small_for_a_set_says_by_how_much():
    wanted = {"torque": 500.0, "ratio": 5.55, "outer_diameter": 0.06}
    with pytest.raises(SpecError, match="by envelope diameter, the nearest by"):
        find_designs(PlanetaryDesigner(PlanetaryRequirements.from_mapping(wanted)))


@pytest.mark.nightly
def test_a_planetary_set_loads_and_passes_check():
    wanted = PlanetaryRequirements.from_mapping({"torque": 500.0, "ratio": 5.55, "designs": 1})
    (design,) = find_designs(PlanetaryDesigner(wanted)).designs
    assert flank.check(machine_from_mapping(design.machine.spec.to_mapping())).light == "green"
