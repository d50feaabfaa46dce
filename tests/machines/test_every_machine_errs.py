"""Every machine offers errors, counted from 1 and named in words, and goes through pickle."""

import pickle

import numpy as np
import pytest

import flank
from flank.dynamics.functions import constant
from flank.errors import SpecError
from flank.machines.base import Drive, HasErrors
from flank.machines.registry import MACHINES
from flank.presets import preset_names

ONE_EACH = (
    "cycloidal-drive",
    "cv-joint",
    "few-teeth-60",
    "gear-pair",
    "bevel-pair",
    "hypoid-pair",
    "planetary-paper",
    "rv-320",
    "beveloid-pair",
)


def model_of(machine):
    return machine.assemble(Drive.of_ends(constant(0.1), constant(1.0))).model


def test_all_machines_are_here():
    assert {flank.preset(name).spec.machine for name in ONE_EACH} == set(MACHINES)


@pytest.mark.parametrize("name", preset_names())
def test_every_preset_offers_errors(name):
    machine = flank.preset(name)
    assert isinstance(machine, HasErrors)
    errors = machine.error_parameters()
    assert errors
    assert len({error.name for error in errors}) == len(errors)
    assert len({error.title for error in errors}) == len(errors)
    assert all(error.tolerance > 0 and error.assumed for error in errors)
    assert not machine.deviates
    assert machine.with_error(errors[-1].name, 1e-6).deviates
    numbers = [error.name.partition(".")[2] for error in errors]
    assert not any("0" in number.split("/") for number in numbers)


@pytest.mark.parametrize(
    ("preset", "name", "title"),
    [
        ("cycloidal-drive", "pin_radius.7", "radius of pin 7"),
        (
            "cycloidal-drive",
            "hole_radial.2/3",
            "outward position of a roller hole, disc 2, roller 3",
        ),
        ("rv-320", "eccentricity.1/2", "eccentricity, crank 1, disc 2"),
        ("rv-320", "equidistant.2", "equidistant modification of disc 2"),
        ("few-teeth-60", "ring_thickness", "tooth thickness of the ring"),
        ("gear-pair", "centre_distance", "centre distance"),
        ("planetary-paper", "planet_thickness.3", "tooth thickness of planet 3"),
        ("cv-joint", "outer_track_radial.4", "outward position of outer track 4"),
    ],
)
def test_titles_name_the_part_in_words(preset, name, title):
    titles = {error.name: error.title for error in flank.preset(preset).error_parameters()}
    assert titles[name] == title


@pytest.mark.parametrize("name", ONE_EACH)
def test_draws_are_seeded_listed_and_counted_from_one(name):
    one, same, other = (flank.preset(name, {"errors.seed": seed}) for seed in (4, 4, 5))
    assert one.spec == same.spec != other.spec
    limits = {error.kind: error.tolerance for error in one.error_parameters()}
    for kind, values in one.errors.items():
        assert np.abs(values).max() <= limits.get(kind, np.pi)
        keys = getattr(one.spec.errors, kind)
        assert set(keys) == {one.spec.error_kinds[kind].key(i) for i in np.ndindex(values.shape)}
    again = type(one.spec).from_mapping(one.spec.to_mapping())
    assert again == one.spec


@pytest.mark.parametrize("name", [name for name in ONE_EACH if not name.endswith("-pair")])
def test_the_number_zero_is_answered(name):
    machine = flank.preset(name)
    kind = next(k for k, each in machine.spec.error_kinds.items() if len(each.over) == 1)
    with pytest.raises(SpecError, match=r"are counted from 1, .* and this one is 1"):
        flank.preset(name, {f"errors.{kind}": {0: "1 um"}})


@pytest.mark.parametrize("name", ONE_EACH)
def test_machines_and_their_specs_pickle(name):
    """Also when they were used, and with errors on top."""
    machine = flank.preset(name, {"errors.seed": 4})
    machine = machine.with_error(machine.error_parameters()[0].name, 1e-6)
    model = model_of(machine)
    again = pickle.loads(pickle.dumps(machine))
    assert again == machine
    assert repr(again) == repr(machine)
    for kind, values in machine.errors.items():
        assert np.array_equal(again.errors[kind], values)
    contacts, wanted = model_of(again).contacts, model.contacts
    assert contacts.tobytes() == wanted.tobytes()
    assert pickle.loads(pickle.dumps(machine.spec.errors)) == machine.spec.errors
    assert pickle.loads(pickle.dumps(machine.spec.tolerances)) == machine.spec.tolerances


def test_tolerances_of_a_drawing_stay_known_as_such():
    """Also when the spec was changed besides, which writes it anew."""
    changes = {"tolerances.pin_radius": "3 um", "operation.torque": "10 N*m"}
    given = {e.kind: e for e in flank.preset("rv-320", changes).error_parameters()}
    assert (given["pin_radius"].tolerance, given["pin_radius"].assumed) == (3e-6, False)
    assert given["pin_radial"].assumed
