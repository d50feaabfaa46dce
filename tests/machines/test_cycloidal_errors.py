"""Errors of a cycloidal drive: every name can be changed, by what is asked and nothing else."""

import numpy as np
import pytest

import flank
from flank.dynamics.functions import constant
from flank.errors import SpecError
from flank.geometry.resampling import equal_arc_length_points
from flank.machines.base import Drive, HasErrors


@pytest.mark.parametrize("preset", ["cycloidal-drive", "monocrank", "single-disc"])
def test_every_error_changes_the_model_and_keeps_its_topology(preset):
    machine = flank.preset(preset)
    assert isinstance(machine, HasErrors)
    plain = machine.assemble(Drive.of_ends(constant(0.0), constant(1.0))).model
    errors = machine.error_parameters()
    assert len({error.name for error in errors}) == len(errors) == 3 * machine.spec.pins.count + 3
    for error in (*errors[:: len(errors) // 6], *errors[-3:]):
        changed = machine.with_error(error.name, error.tolerance)
        model = changed.assemble(Drive.of_ends(constant(0.0), constant(1.0))).model
        assert (model.counts == plain.counts).all()
        same = [np.array_equal(a, b) for a, b in zip(model, plain, strict=True)]
        assert not all(same), error.name


def test_errors_add_to_what_is_there():
    machine = flank.preset("monocrank", {"pins.radius_errors": {3: "4 um"}})
    spec = machine.with_error("pins.radius_errors.3", 1e-6).spec
    assert spec.pins.radius_errors == pytest.approx({3: 5e-6})
    spec = machine.with_error("discs.equidistant", -1e-6).spec
    assert spec.discs.equidistant == pytest.approx(49e-6)
    again = machine.with_error("discs.angular", 1e-4).with_error("discs.angular", 1e-4).spec
    assert again.discs.angular == pytest.approx(2e-4)


def test_an_unknown_error_is_refused_with_the_nearest():
    with pytest.raises(SpecError, match=r"did you mean 'discs\.equidistant'"):
        flank.preset("monocrank").with_error("discs.equidistent", 1e-6)


def test_a_measured_flank_has_only_the_errors_of_pins(tmp_path):
    drive = flank.preset("monocrank")
    points = equal_arc_length_points(drive.profile, 13 * 60)
    np.savetxt(tmp_path / "disc.csv", points, delimiter=",")
    changes = {"discs.profile": "measured", "discs.points_file": str(tmp_path / "disc.csv")}
    measured = flank.preset("monocrank", changes | {"discs.equidistant": None})
    kinds = {error.kind for error in measured.error_parameters()}
    assert kinds == {"pins.radius_errors", "pins.radial_errors", "pins.tangential_errors"}


def test_pins_that_squeeze_the_disc_are_found():
    """As the same interference by a tighter profile is; the pin that is worst is named."""
    thick = flank.preset("cycloidal-drive", {"pins.radius_errors": dict.fromkeys(range(40), 10e-6)})
    tight = flank.preset("cycloidal-drive", {"discs.equidistant": "-5 um"})
    (by_pins,), (by_profile,) = thick.findings(), tight.findings()
    assert by_pins.code == by_profile.code == "negative-clearance"
    assert by_pins.value == pytest.approx(by_profile.value, abs=1e-9)
    (one,) = flank.preset("cycloidal-drive", {"pins.radial_errors": {7: "-30 um"}}).findings()
    assert "most at pin 7 with its errors" in one.message
    assert flank.preset("cycloidal-drive", {"pins.radial_errors": {7: "30 um"}}).findings() == ()
