"""Parts that are absurdly small, and teeth that cannot carry what they are asked to."""

import math

import pytest

import flank
from flank.errors import SpecError
from flank.machines.spec import Spec
from flank.presets import preset_names

GEARED = ("few-teeth-38", "planetary-500kw", "planetary-paper", "rv-80")


@pytest.mark.parametrize(
    ("name", "changes", "sentence"),
    [
        (
            "planetary-paper",
            {"ring.face_width": "1e-30 mm"},
            "ring.face_width: '1e-30 mm' is given; it must be at least 1e-06 mm",
        ),
        (
            "planetary-paper",
            {"ring.face_width": "1e-6 mm"},
            "rated_torque, planets, ring: at the rated torque the contact of the planet and the "
            "ring would be 107 mm wide, on teeth 15.9 mm thick",
        ),
        (
            "planetary-500kw",
            {"rated_torque": 1e20},
            "rated_torque, sun, planets: at the rated torque .* use a wider face than 210 mm",
        ),
        (
            "planetary-500kw",
            {"rated_torque": 5e-324},
            "rated_torque: 5e-324 is given; it must be at least 1e-09 N",
        ),
        ("few-teeth-38", {"rated_torque": 1e15}, "ring: at the rated torque"),
        (
            "rv-80",
            {"first_stage.face_width": "1e-6 mm"},
            "first_stage: at the rated torque the contact of the sun and the planet",
        ),
        ("rv-80", {"first_stage.face_width": 0}, "must be more than 0 mm"),
        ("rv-80", {"first_stage.profile_shift": 3}, "first_stage: the sun's flanks cross"),
    ],
)
def test_refused_with_a_sentence(name, changes, sentence):
    with pytest.raises(SpecError, match=sentence):
        flank.preset(name, changes)


@pytest.mark.parametrize("torque", [1e-9, 1e-3, 1e6])
def test_small_and_large_torques_compute(torque):
    """Relieved teeth whose tips touch first at the lightest load, too."""
    relief = {"amount": "20 um", "length": "6 mm"}
    machine = flank.preset(
        "planetary-500kw", {"rated_torque": torque, "planets.tip_relief": relief}
    )
    for table in machine.gear_data():
        for row in table.rows:
            if "Flank's teeth" in row.title:
                assert all(1e9 < value < 1e11 for value in row.values)


def lengths(spec, path=""):
    """Dotted keys of all lengths of a spec, given or not."""
    for name in type(spec).model_fields:
        value, quantity = getattr(spec, name), spec.quantity_of(name)
        if isinstance(value, Spec):
            yield from lengths(value, f"{path}{name}.")
        elif quantity is not None and quantity.si_unit == "m" and not isinstance(value, dict):
            yield f"{path}{name}"


def built(machine, key, value):
    """The machine with one key changed, or the sentences that refuse it."""
    try:
        return type(machine)(machine.spec.with_changes({key: value})), ""
    except SpecError as error:
        return None, str(error)


@pytest.mark.parametrize("name", preset_names())
@pytest.mark.parametrize("value", [0.0, 1e-30])
def test_no_length_ends_in_a_division_by_zero(name, value):
    """At zero and next to it a length is refused with its key, or all that is shown computes."""
    machine = flank.preset(name)
    for key in lengths(machine.spec):
        changed, refused = built(machine, key, value)
        if changed is None:
            assert key.split(".")[0] in refused
            continue
        assert all(finding.severity != "error" for finding in changed.findings())
        for table in changed.gear_data() if name in GEARED else ():
            assert not any(math.isinf(value) for row in table.rows for value in row.values)
