"""Every key of every spec is described, and what is told of it is so."""

import pytest

from flank.errors import SpecError
from flank.io.spec_files import read_spec_text
from flank.machines.registry import MACHINES
from flank.machines.spec_keys import keys_of
from flank.presets import preset_names, preset_text


def spec(name):
    data = read_spec_text(preset_text(name), name)
    return MACHINES[data["machine"]].spec.from_mapping(data)


def keys(machine):
    return {key.path: key for key in keys_of(MACHINES[machine].spec)}


@pytest.mark.parametrize("machine", MACHINES)
def test_no_key_lacks_a_description_or_a_unit(machine):
    for key in keys_of(MACHINES[machine].spec):
        assert key.meaning, key.path
        assert key.block.meaning or not key.block.path, key.block.path
        assert key.allowed or key.unit, key.path
        numbers = "number" in key.allowed or any(word in key.allowed for word in ("more", "less"))
        if not key.unit:  # then a pure number, a count, a choice, a flag or text
            words = ("number", " or ", "text", "true", machine)
            assert any(word in key.allowed for word in words), key.path
            assert not numbers or "number" in key.allowed, key.path


@pytest.mark.parametrize("machine", MACHINES)
def test_keys_are_in_the_order_of_the_spec_and_told_once(machine):
    paths = [key.path for key in keys_of(MACHINES[machine].spec)]
    assert len(paths) == len(set(paths))
    tops = list(dict.fromkeys(path.partition(".")[0] for path in paths))
    assert tops == list(MACHINES[machine].spec.model_fields)


@pytest.mark.parametrize("name", preset_names())
def test_a_key_with_its_default_is_a_key_left_out(name):
    """The defaults that are told are those that hold."""
    whole, compared = spec(name), 0
    for key in keys_of(type(whole)):
        if not key.default or "NAME" in key.path:
            continue
        try:
            left_out = whole.with_changes({key.path: None})
        except SpecError:
            continue  # this preset cannot do without the value that it gives
        parent = key.path.rpartition(".")[0]
        if parent and _at(whole, parent) is None:
            continue
        given = whole.with_changes({key.path: key.default})
        assert _rounded(given.to_mapping(units=False)) == _rounded(
            left_out.to_mapping(units=False)
        ), key.path
        compared += 1
    assert compared > 10


def _at(block, path):
    for part in path.split("."):
        block = getattr(block, part) if block is not None else None
    return block


def _rounded(value):
    """Defaults are told with six digits."""
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    return float(f"{value:.5g}") if isinstance(value, float) else value


def test_what_is_told_of_some_keys():
    drive = keys("cycloidal-drive")
    assert drive["pins.count"].allowed == "whole number, 3 or more"
    assert drive["pins.count"].required
    assert (drive["eccentricity"].unit, drive["eccentricity"].allowed) == ("mm", "more than 0")
    assert drive["pins.mounting"].allowed == "fixed or rolling"
    assert drive["errors.pin_radius"].unit == "um"
    assert drive["contact.stiffness"].unit == "N/m^n or N/m^2"
    assert "materials.NAME.youngs_modulus" in drive
    assert keys("few-teeth-reducer")["mesh.model"].default == "contact"
    assert keys("planetary-gearbox")["sun_mesh.model"].default == "table"
    stage = keys("rv-reducer")["first_stage.pressure_angle"]
    assert (stage.unit, stage.default) == ("deg", "20 deg")
    assert keys("cv-joint")["tracks.contact_angle"].allowed == "10 to 80"
    gearbox = keys("planetary-gearbox")
    assert gearbox["planets.angles"].allowed == "list"
    assert gearbox["rack.normal_pressure_angle"].allowed == "9.75 to 30.3"
    assert gearbox["errors.sun_thickness"].allowed == "-500 to 500"
    assert gearbox["errors.planet_thickness"].allowed == "by number, -500 to 500"


@pytest.mark.parametrize(
    ("path", "inside", "outside"),
    [("friction.turning_arm", 0, -0.1), ("discs.count", 3, 4), ("supports.contact_angle", 0, 1.3)],
)
def test_what_is_allowed_is_what_is_accepted(path, inside, outside):
    whole = spec("rv-320")
    whole.with_changes({path: inside})
    with pytest.raises(SpecError, match=path):
        whole.with_changes({path: outside})


def test_a_key_is_taken_away():
    drive = spec("cycloidal-drive")
    assert drive.discs.radial == 5e-6
    assert drive.with_changes({"discs.radial": None}).discs.radial == 0.0
    assert drive.with_changes({"eccentric.needles.length": None}) == drive
    with pytest.raises(SpecError, match="eccentricity is missing: give the eccentricity"):
        drive.with_changes({"eccentricity": None})
    with pytest.raises(SpecError, match=r"eccentric\.nedles is not a key of eccentric; did you"):
        drive.with_changes({"eccentric.nedles.length": None})
