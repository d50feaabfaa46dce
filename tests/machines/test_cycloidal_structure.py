"""The structure of a cycloidal drive: its parts by closed forms, its limits, and bad specs."""

import copy

import numpy as np
import pytest

import flank
from flank.analyses import hysteresis, stiffness_split
from flank.dynamics.functions import constant
from flank.elasticity.held_pin import plate_twist, tube_twist
from flank.errors import SpecError
from flank.machines.base import Drive

STRUCTURE = {
    "output_pins": {"held": "one end", "gap": "1 mm"},
    "flanges": {"width": "15 mm", "output_radius": "25 mm"},
    "shaft": {"length": "60 mm", "radius": "10 mm"},
    "housing": {"wall": "8 mm", "length": "30 mm"},
}


def drive(structure=None, **changes):
    given = {} if structure is None else {"structure": structure}
    return flank.preset("cycloidal-drive", given | changes)


def parts(machine):
    result = stiffness_split.run(machine)
    return result, dict(zip(result["part"].values, result["part_compliance"].values, strict=True))


@pytest.fixture(scope="module")
def split():
    return parts(drive(STRUCTURE))


def test_contacts_alone_say_so():
    plain, given = drive(), drive(STRUCTURE)
    result = hysteresis.run(plain, hysteresis.HysteresisSettings(points_per_stage=5))
    assert any(each.startswith("Contacts only") for each in result.notes)
    assert plain.contacts_only
    assert not given.contacts_only
    assert "output pins" not in flank.preset("single-disc").contacts_only


def test_every_part_has_its_share_and_they_add_up(split):
    result, compliance = split
    assert abs(result["closure"]) < 2e-3
    assert {"output_pins", "flanges", "shaft", "housing"} <= set(compliance)
    assert not result.notes


def test_what_only_twists_is_as_soft_as_its_closed_form(split):
    machine = drive(STRUCTURE)
    steel = machine.spec.elastic("steel")
    _, compliance = split
    plate = plate_twist(42e-3, 25e-3, 15e-3, steel)
    assert compliance["flanges"] == pytest.approx(plate, rel=1e-3)
    shaft = tube_twist(0.0, 10e-3, 60e-3, steel) / machine.lobes**2
    assert compliance["shaft"] == pytest.approx(shaft, rel=0.02)
    held = (1 + 1 / machine.lobes) ** 2  # the ring takes the torque of output and input
    housing = tube_twist(67e-3, 75e-3, 30e-3, steel) * held
    assert compliance["housing"] == pytest.approx(housing, rel=0.02)


def test_pins_held_at_both_ends_are_stiffer_than_at_one(split):
    both = copy.deepcopy(STRUCTURE)
    both["output_pins"]["held"] = "both ends"
    soft, stiff = split[0], stiffness_split.run(drive(both))
    plain = stiffness_split.run(drive())
    order = [float(r["torsional_stiffness"]) for r in (soft, stiff, plain)]
    assert order == sorted(order)
    assert order[0] < 0.5 * order[2]


def test_a_very_stiff_structure_is_the_drive_without_one():
    hard = {"hard": {"youngs_modulus": "206e3 GPa", "poisson_ratio": 0.3, "density": "7850 kg/m^3"}}
    stiff = {name: block | {"material": "hard"} for name, block in STRUCTURE.items()}
    found = stiffness_split.run(drive(stiff, materials=hard))
    plain = stiffness_split.run(drive())
    assert float(found["torsional_stiffness"]) == pytest.approx(
        float(plain["torsional_stiffness"]), rel=5e-3
    )


def test_bodies_stand_where_the_ideal_drive_has_them():
    machine = drive(STRUCTURE)
    assembly = machine.assemble(Drive.of_ends(constant(0.0), constant(0.0)))
    assert len(machine.ideal_pose(0.4)) == len(assembly.model.mass)
    pose, pin = machine.ideal_pose(0.4), assembly.body("output pin 2, disc 1")
    assert np.hypot(*pose[pin, :2]) == pytest.approx(42e-3)
    assert pose[pin, 2] == pytest.approx(-0.4 / 39)


@pytest.mark.parametrize(
    ("structure", "sentence"),
    [
        ({}, "no part is given"),
        ({"output_pins": {"held": "no end"}}, "held"),
        ({"flanges": STRUCTURE["flanges"]}, "flanges need output_pins"),
        ({"output_pins": {"held": "one end", "gap": "1 mm", "radius": "6 mm"}}, "must fit"),
        ({"shaft": {"length": "60 mm", "radius": "4 mm", "bore_radius": "5 mm"}}, "bore_radius"),
        (
            {
                "output_pins": {"held": "one end", "gap": "1 mm"},
                "flanges": {"width": "0 mm", "output_radius": "25 mm"},
            },
            "width",
        ),
        (
            {
                "output_pins": {"held": "one end", "gap": "1 mm"},
                "flanges": {"width": "5 mm", "output_radius": "25 m"},
            },
            "check its unit",
        ),
    ],
)
def test_bad_structures_are_refused(structure, sentence):
    with pytest.raises(SpecError, match=sentence):
        drive(structure)


def test_pins_under_rollers_need_rollers():
    with pytest.raises(SpecError, match="does nothing when the disc is the output"):
        flank.preset("single-disc", {"structure": {"output_pins": STRUCTURE["output_pins"]}})
