"""Whoever shows the stiffness of a mesh says which bodies it has under its teeth."""

import math

import pytest

import flank
from flank.analyses import mesh_stiffness
from flank.elasticity.material import STEEL
from flank.elasticity.mesh_stiffness import mesh_stiffness as mesh_curve
from flank.errors import SpecError
from flank.geometry.gear import Gear
from flank.geometry.gear_pair import GearPair
from flank.machines.gear_bodies import body_words
from tests.helpers.commands import run_command

BARE = {"pinion.body": {}, "wheel.body": {}}


def doubts(machine):
    return [finding for finding in machine.findings() if finding.code == "body-assumed"]


def test_given_bores_are_told_and_not_doubted():
    machine = flank.preset("gear-pair")
    assert not doubts(machine)
    (note,) = machine.gear_data()[1].notes
    assert "bore of 40 mm" in note
    assert "bore of 65 mm" in note
    assert "assumed" not in note


def test_bores_left_out_are_doubted_with_what_hangs_on_them():
    machine = flank.preset("gear-pair", BARE)
    (doubt,) = doubts(machine)
    assert doubt.value == pytest.approx(machine.meshed.mean_stiffness, rel=1e-12)
    half = {
        f"{name}.body.bore_diameter": gear.root_radius
        for name, gear in (
            ("pinion", machine.meshed.pair.first),
            ("wheel", machine.meshed.pair.second),
        )
    }
    assert doubt.limit == pytest.approx(
        flank.preset("gear-pair", half).meshed.mean_stiffness, rel=1e-9
    )
    assert doubt.value > 1.1 * doubt.limit


def test_pair_of_the_issue_hangs_on_its_bore():
    """62/62, module 2: 302 N/um by elements on a bore 35 mm across, twice that without."""
    steel = STEEL, STEEL

    def stiffness(held):
        wheel = Gear(62, 2e-3, math.radians(20), held_radius=held)
        pair = GearPair(wheel, wheel, face_width=20e-3)
        return pair.face_width * mesh_curve(pair, steel, 300e3).mean

    assert stiffness(None) > 1.8 * stiffness(17.5e-3)


@pytest.mark.parametrize("model", ["rigid", "spring", "table"])
def test_who_does_not_ask_the_body_is_not_asked_for_it(model):
    mesh = {
        "rigid": {"mesh.model": "rigid"},
        "spring": {"mesh.model": "spring", "mesh.stiffness": 4e8},
    }
    changes = mesh.get(model, {"mesh.model": "table", "mesh.foundation": "cornell"})
    drop = {"mesh.slices": None, "damping_ratio": None}
    assert not doubts(flank.preset("gear-pair", BARE | drop | changes))


def test_first_stage_takes_the_bores_that_it_is_given():
    elastic = {"first_stage.mesh.model": "contact"}
    bores = {"first_stage.sun_bore_radius": "5 mm", "first_stage.planet_bore_radius": "14 mm"}
    (doubt,) = doubts(flank.preset("rv-320", elastic))
    assert "first_stage.planet_bore_radius" in doubt.remedy
    machine = flank.preset("rv-320", elastic | bores)
    assert not doubts(machine)
    assert machine.first_stage.meshed.mean_stiffness < 0.95 * doubt.value
    with pytest.raises(SpecError, match="sun_bore_radius does nothing without a mesh block"):
        flank.preset("rv-320", bores)


def test_planets_are_held_where_the_spec_says_in_every_model():
    machine = flank.preset("planetary-grc")
    assert machine.sun_pair(0).form.model == "table"
    assert machine.sun_pair(0).pair.first.held_radius == 40e-3
    assert not doubts(machine)
    assert len(doubts(flank.preset("planetary-500kw"))) == 2


def test_mesh_stiffness_names_bodies_and_warns_of_assumed_ones():
    settings = mesh_stiffness.MeshStiffnessSettings(loads=(1.0,), points=16)
    given = mesh_stiffness.run(flank.preset("spur-bruzzone"), settings)
    assert list(given["first_body"].values) == ["disc held at its bore of 61.2 mm"]
    assert not given.warnings
    bare = mesh_stiffness.run(flank.preset("spur-bruzzone", BARE), settings)
    assert "assumed" in str(bare["first_body"].values[0])
    assert any("hangs on bodies that are assumed" in sentence for sentence in bare.warnings)


def test_check_says_secant_and_bodies():
    shown = " ".join(run_command("check gear-pair").stdout.split())
    assert "secant" in shown
    assert "Bodies of pinion/wheel: disc held at its bore of 40 mm" in shown
    shown = " ".join(run_command("check bevel-pair").stdout.split())
    assert "solid gears: bores, rims and webs" in shown


def test_small_pinion_is_held_at_half_its_root():
    gear = flank.preset("gear-pair", {"pinion.body": {}}).spec.pinion_gear
    assert "3.5 modules" in body_words(gear)
