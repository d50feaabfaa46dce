"""What an RV reducer's spec refuses, and what its sizing rule gives."""

import itertools
import math

import pytest

import flank
from flank.errors import SpecError
from flank.io.spec_files import read_spec_text, write_yaml
from flank.machines.crank_reducer.first_stage import stage_pair
from flank.machines.crank_reducer.proportions import BY_THE_RULE, PROPORTIONS
from flank.machines.crank_reducer.rules import WALL, ruled_values
from flank.machines.rv.spec import KINDS, RvReducerSpec
from flank.presets import preset_text

PRESETS = ("rv-320", "rv-40", "rv-80", "rv-paper", "rv-generic")


def spec(name="rv-320"):
    return RvReducerSpec.from_mapping(read_spec_text(preset_text(name), name))


@pytest.mark.parametrize("name", PRESETS)
def test_presets_come_back_equal(name):
    one = spec(name)
    assert one.title
    assert one.source
    assert one.assumptions
    assert RvReducerSpec.from_mapping(read_spec_text(write_yaml(one.to_mapping()))) == one


@pytest.mark.parametrize("name", PRESETS)
def test_holes_leave_walls(name):
    one = spec(name)
    size, ring = one.dimensions, one.cranks.circle_radius
    hole, wall = size.turning_arm.bore_radius, 0.99 * WALL * one.pins.circle_radius
    assert one.root_radius - ring - hole > wall
    reach = size.pillar_circle_radius + size.pillar_hole_radius
    assert one.root_radius - reach > wall
    chord = 2 * ring * math.sin(math.pi / one.cranks.count / 2)
    assert chord - hole - size.pillar_hole_radius > wall
    assert size.pillar_radius > 0.1 * ring


def test_numbers_of_the_sources():
    one = spec()
    assert (one.pins.count, one.pins.circle_radius, one.pins.radius) == (40, 0.1195, 0.005)
    assert (one.cranks.count, one.cranks.circle_radius) == (3, 0.063)
    assert one.dimensions.turning_arm.clearance == 5e-6
    assert spec("rv-generic").dimensions.turning_arm.pitch_radius == pytest.approx(20.6e-3)
    assert spec("rv-80").ratio == 153


def test_the_rule_gives_way_to_what_is_given():
    rule, given = spec().dimensions, spec().with_changes({"cranks.journal_radius": "12 mm"})
    assert rule.journal_radius == pytest.approx(0.58 * 22.5e-3)
    assert given.dimensions.journal_radius == 0.012
    grown = given.dimensions.support.roller_radius / (0.21 * 0.012)
    assert 1 < grown < 1.6  # a journal's own supports do not last
    short = given.with_changes({"rated_life": "200 h"})
    assert short.dimensions.support.roller_radius == pytest.approx(0.21 * 0.012)


def test_the_rule_says_between_which_values_published_sets_lie():
    """8.14 to 13.18 mm are 0.105 and 0.170 of 77.5 mm; what one set alone gives has no ends."""
    told = {one.key: one for one in flank.preset("rv-80").derived()}
    assert told["discs.width"].published == pytest.approx((0.105 * 77.5e-3, 0.170 * 77.5e-3))
    assert told["cranks.pin_radius"].published == pytest.approx((0.27 * 42e-3, 0.357 * 42e-3))
    assert told["cranks.journal_radius"].published is None
    assert {key for key, one in told.items() if one.published} == set(PROPORTIONS)
    given = {one.key for one in flank.preset("rv-320").derived() if one.published}
    assert given == {"turning_arm.length", "first_stage.face_width"}


@pytest.mark.parametrize("name", PRESETS)
def test_the_rule_can_be_built_at_all_ends_of_the_published_sets(name):
    """And what it gives there has the proportions, all else following."""
    one = spec(name)
    keys = list(ruled_values(one))
    for ends in itertools.product(("least", "most"), repeat=len(keys)):
        shares = {key: getattr(PROPORTIONS[key], end) for key, end in zip(keys, ends, strict=True)}
        size = one.with_changes(ruled_values(one, {**BY_THE_RULE, **shares})).dimensions
        if "discs.width" in keys:
            assert size.disc_width == pytest.approx(shares["discs.width"] * size.ring_radius)
        if "turning_arm.length" in keys:
            length = shares["turning_arm.length"] * size.disc_width
            assert size.turning_arm.length == pytest.approx(length)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"first_stage.module": "2 mm"}, "cranks.circle_radius is 63 mm.*72 mm.*none can"),
        (
            {
                "first_stage.mesh.model": "table",
                "first_stage.sun_teeth": 12,
                "first_stage.planet_teeth": 60,
            },
            "first_stage: undercut takes",
        ),
        (
            {"first_stage.mesh.model": "table", "first_stage.stiffness": 1e8},
            "stiffness does nothing beside a mesh block",
        ),
        ({"cranks.pin_radius": "45 mm"}, "cut the flank, whose root radius is 112.3 mm"),
        ({"cranks.count": 7}, "neighbouring disc holes"),
        ({"discs.bore_radius": "40 mm"}, "discs.bore_radius is 40 mm and the crank holes reach in"),
        ({"turning_arm.clearance": "-60 um"}, "turning_arm.clearance is -60 um.*4.25 mm.*least"),
        ({"supports.clearance": "-0.1 mm"}, "supports.clearance is -100 um"),
        ({"turning_arm.count": 25}, "turning_arm.count is 25; at most 19"),
        ({"eccentricity": "3.2 mm"}, "eccentricity is 3.2 mm; it must be less than 2.9875 mm"),
        ({"pins.radius": "10 mm"}, "neighbouring pins touch"),
        ({"cranks.journal_radius": "21 mm"}, "cannot pass the journal"),
        ({"turning_arm.length": "30 mm"}, "must not hang over"),
        ({"pins.mounting": "floating"}, "groove_radius is missing"),
        ({"friction.grooves": 0.1}, "friction.grooves does nothing with fixed pins"),
        ({"friction.regularization_velocity": "1 mm/s"}, "does nothing with the form 'elastic'"),
        ({"carrier.pillar_radius": "48 mm"}, "pillars' holes in the discs reach out"),
        ({"carrier.pillar_radius": "35 mm"}, "pillar holes of.*and crank holes of.*overlap"),
        ({"supports.elements": "bodies"}, "contact_angle is 0"),
        ({"cranks.material": "stel"}, "cranks.material: 'stel' is not a material"),
        ({"errors.eccentricity": {"1/3": "3 um"}}, "errors.eccentricity.1/3: there is no such"),
        (
            {"errors.eccentricity": {"0/1": "3 um"}},
            "cranks and discs are counted from 1, up to 3/2; .* goes up by one, .* is 1/2",
        ),
        ({"errors.eccentricity": "3 mm"}, "errors.eccentricity.all: '3 mm' is given"),
        ({"errors.ecentricity": "3 um"}, "did you mean 'eccentricity'"),
        ({"discs.count": 4}, "a whole number from 1 to 3"),
    ],
)
def test_refusals_name_what_disagrees(changes, sentence):
    with pytest.raises(SpecError, match=sentence):
        flank.preset("rv-320", changes)


def test_a_draw_is_seeded_and_recorded():
    one, same, other = (flank.preset("rv-320", {"errors.seed": s}) for s in (1, 1, 2))
    assert one.spec == same.spec
    assert one.spec.errors != other.spec.errors
    recorded = one.spec.errors
    assert recorded.seed is None
    assert recorded.drawn_from == 1
    assert len(recorded.pin_radius) == 40
    limit = KINDS["eccentricity"].tolerance
    values = [abs(v) for v in recorded.eccentricity.values()]
    assert len(values) == 6
    assert 0 < max(values) <= limit
    text = write_yaml(one.spec.to_mapping())
    assert RvReducerSpec.from_mapping(read_spec_text(text)) == one.spec


def test_a_draw_adds_to_listed_errors():
    listed = {"errors.eccentricity": {"1/1": "20 um"}, "errors.seed": 1}
    both, drawn = flank.preset("rv-320", listed), flank.preset("rv-320", {"errors.seed": 1})
    difference = both.errors["eccentricity"] - drawn.errors["eccentricity"]
    assert difference[0, 0] == pytest.approx(20e-6)
    assert abs(difference).sum() == pytest.approx(20e-6)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"supports.race_radius": "36 mm"}, "cut the rim of the flange"),
        (
            {"carrier.pillar_circle_radius": "5 mm", "carrier.pillar_radius": "1 mm"},
            "reach into the flange's bore",
        ),
        ({"main_bearings.contact_angle": "0 deg"}, "main_bearings.contact_angle"),
        ({"main_bearings.ball_count": 500}, "at most"),
        ({"carrier.pillar_count": 1}, "at least 2"),
        ({"supports.length": "100 mm"}, "must not hang over the journal"),
        ({"turning_arm.length": "17 mm"}, "must not hang over the disc"),
        ({"turning_arm.cage_damping": "3 N*s/m"}, "cage_damping does nothing"),
        ({"discs.count": 1, "cranks.web_length": "5 mm"}, "web_length does nothing"),
        ({"first_stage.backlash": "5 mm"}, "more than a quarter of the pitch"),
        ({"errors.equidistant": {"2": "-200 um"}}, "pins: "),
        ({"errors.pin_radial": {"8": "-500 um"}}, "pins: "),
    ],
)
def test_impossible_sizes_are_refused(changes, sentence):
    with pytest.raises(SpecError, match=sentence):
        flank.preset("rv-320", changes)


def test_a_velocity_is_asked_for_by_loose_bodies_only():
    floating = {"pins.mounting": "floating", "pins.groove_radius": "5.01 mm"}
    flank.preset("rv-320", floating | {"friction.regularization_velocity": "2 mm/s"})
    with pytest.raises(SpecError, match="does nothing with the form 'elastic'"):
        flank.preset("rv-320", {"friction.regularization_velocity": "2 mm/s"})


def test_planets_that_must_be_keyed_differently_are_a_finding():
    codes = [finding.code for finding in flank.preset("rv-generic").findings()]
    assert "planets-keyed-differently" in codes
    assert flank.preset("rv-320").findings() == ()


def test_profile_shift_of_the_first_stage_keeps_the_centre_distance():
    """Sun and planets have opposite ones, and the sun's teeth grow by what the planets' lose."""
    changed = spec("rv-80").with_changes({"first_stage.profile_shift": 0.4})
    pair = stage_pair(changed.first_stage, 0.01, changed.cranks.circle_radius)
    assert (pair.first.profile_shift, pair.second.profile_shift) == (0.4, -0.4)
    assert pair.centre_distance == pytest.approx(changed.cranks.circle_radius, rel=1e-12)
    assert abs(pair.normal_backlash) < 1e-12


SHIFTED = {
    "cranks.circle_radius": "65 mm",
    "first_stage.module": "2 mm",
    "first_stage.sun_teeth": 22,
    "first_stage.planet_teeth": 44,
}
"""Gears of 66 mm without profile shift, on cranks 65 mm from the axis."""


@pytest.mark.parametrize("shift", [0.0, -0.2, 0.3])
def test_planets_have_the_profile_shift_that_the_crank_circle_asks_for(shift):
    changed = spec("rv-320").with_changes(SHIFTED | {"first_stage.profile_shift": shift})
    pair = stage_pair(changed.first_stage, 0.01, changed.cranks.circle_radius)
    assert pair.centre_distance == pytest.approx(65e-3, rel=1e-9)
    assert abs(pair.normal_backlash) < 1e-12
    assert pair.first.profile_shift + pair.second.profile_shift == pytest.approx(-0.4697, abs=1e-4)
    clearances = (
        65e-3 - pair.first.tip_radius - pair.second.root_radius,
        65e-3 - pair.second.tip_radius - pair.first.root_radius,
    )
    assert clearances == pytest.approx((0.2 * 2e-3, 0.2 * 2e-3), rel=1e-6)  # the rack's


def test_crank_circle_that_no_profile_shift_reaches():
    for circle, why in (("60 mm", "none can"), ("75 mm", "they would add up to 6")):
        with pytest.raises(SpecError, match=f"cranks.circle_radius is {circle}.*{why}"):
            spec("rv-320").with_changes(SHIFTED | {"cranks.circle_radius": circle})
