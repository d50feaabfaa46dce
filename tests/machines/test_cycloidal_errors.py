"""Errors of a cycloidal drive: every name can be changed, by what is asked and nothing else."""

import math

import numpy as np
import pytest

import flank
from flank.analyses import hysteresis, transmission_error
from flank.dynamics.functions import constant
from flank.errors import SpecError
from flank.geometry.curve import equal_arc_length_points
from flank.machines.base import Drive, HasErrors
from flank.machines.cycloidal.spec import KINDS

NEEDLES = {
    "eccentric.bearing": "needles",
    "eccentric.needles": {"count": 24, "radius": "2.5 mm", "length": "9 mm"},
}
ROLLING = {"pins.mounting": "rolling", "pins.groove_radius": "3.01 mm"}
LOOP = hysteresis.HysteresisSettings(points_per_stage=6, crank_angle=0.7)
SHORT = transmission_error.TransmissionErrorSettings(points_per_turn=40)


@pytest.mark.parametrize(
    ("preset", "changes", "others"),
    [
        ("cycloidal-drive", {}, "disc roller"),
        ("cycloidal-drive", NEEDLES | ROLLING, "disc roller needle groove"),
        ("monocrank", {}, "disc roller"),
        ("single-disc", {}, "disc groove"),
    ],
)
def test_every_error_changes_the_model_and_keeps_its_topology(preset, changes, others):
    machine = flank.preset(preset, changes)
    assert isinstance(machine, HasErrors)
    plain = machine.assemble(Drive.of_ends(constant(0.0), constant(1.0))).model
    errors = machine.error_parameters()
    names = [error.name for error in errors]
    discs, rollers, pins = (machine.spec.counts[part] for part in ("disc", "roller", "pin"))
    instances = {"disc": 7 * discs, "roller": 3 * discs * rollers + 3 * rollers}
    instances |= {"needle": (2 + machine.spec.counts["needle"]) * discs, "groove": pins}
    if machine.spec.discs.measured:
        instances["disc"] = 2 * discs
    circle = 4
    expected = 3 * pins + circle + sum(instances[part] for part in others.split())
    assert len(set(names)) == len(names) == expected
    for kind in {error.kind for error in errors}:
        last = [error for error in errors if error.kind == kind][-1]
        changed = machine.with_error(last.name, last.tolerance)
        model = changed.assemble(Drive.of_ends(constant(0.0), constant(1.0))).model
        assert (model.counts == plain.counts).all()
        same = [np.array_equal(a, b) for a, b in zip(model, plain, strict=True)]
        assert not all(same), last.name


def test_errors_add_to_what_is_there():
    machine = flank.preset("monocrank", {"errors.pin_radius": {4: "4 um"}})
    errors = machine.with_error("pin_radius.4", 1e-6).errors["pin_radius"]
    assert errors == pytest.approx(np.where(np.arange(14) == 3, 5e-6, 0.0))
    thinner = machine.with_error("equidistant.1", -1e-6)
    assert thinner.disc_profile(0).equidistant == pytest.approx(49e-6)
    again = machine.with_error("angular.1", 1e-4).with_error("angular.1", 1e-4)
    assert again.disc_profile(0).angular == pytest.approx(2e-4)
    assert machine.disc_profile(0) == machine.profile


def test_an_unknown_error_is_refused_with_the_nearest():
    with pytest.raises(SpecError, match=r"did you mean 'equidistant\.1'"):
        flank.preset("monocrank").with_error("equidistent.1", 1e-6)
    with pytest.raises(SpecError, match=r"is not an error of this machine.* counted from 1"):
        flank.preset("monocrank").with_error("pin_radius.0", 1e-6)


@pytest.fixture
def as_measured(tmp_path):
    """A drive's flank, without errors, as the measured one of the same drive."""

    def changes(drive):
        points = equal_arc_length_points(drive.profile, 60 * drive.lobes)
        np.savetxt(tmp_path / "disc.csv", points, fmt="%.17g", delimiter=",")
        file = {"discs.profile": "measured", "discs.points_file": str(tmp_path / "disc.csv")}
        return file | {"discs.equidistant": None, "discs.radial": None}

    return changes


def test_pins_that_squeeze_a_measured_disc_are_found(as_measured):
    """As the flank that the points are of; 13 nm off at 60 points a lobe."""
    for equidistant, error in (("5 um", "10 um"), ("-20 um", "0 um")):
        generated = {"discs.equidistant": equidistant, "discs.radial": "3 um"}
        plain = flank.preset("cycloidal-drive", generated)
        squeezed = {"errors.pin_radius": error, "errors.pin_radial": {3: "-2 um"}}
        (wanted,) = flank.preset("cycloidal-drive", generated | squeezed).findings()
        (found,) = flank.preset("cycloidal-drive", as_measured(plain) | squeezed).findings()
        assert found.code == wanted.code == "negative-clearance"
        assert found.severity == "warning"
        assert found.value == pytest.approx(wanted.value, abs=5e-8)
    loose = flank.preset("cycloidal-drive")
    assert flank.preset("cycloidal-drive", as_measured(loose)).findings() == ()


def test_a_measured_flank_has_no_errors_of_its_profile(as_measured):
    measured = flank.preset("monocrank", as_measured(flank.preset("monocrank")))
    kinds = {error.kind for error in measured.error_parameters()}
    assert {"pin_radius", "pin_radial", "pin_tangential"} <= kinds
    assert not kinds & {"equidistant", "radial", "angular"}


def test_pins_that_squeeze_the_disc_are_found():
    """As the same interference by a tighter profile is; the pin that is worst is named."""
    thick = flank.preset("cycloidal-drive", {"errors.pin_radius": "10 um"})
    tight = flank.preset("cycloidal-drive", {"discs.equidistant": "-5 um"})
    (by_pins,), (by_profile,) = thick.findings(), tight.findings()
    assert by_pins.code == by_profile.code == "negative-clearance"
    assert by_pins.value == pytest.approx(by_profile.value, abs=1e-9)
    (one,) = flank.preset("cycloidal-drive", {"errors.pin_radial": {8: "-30 um"}}).findings()
    assert "most at pin 8 with its errors" in one.message
    assert flank.preset("cycloidal-drive", {"errors.pin_radial": {8: "30 um"}}).findings() == ()


def clearance(changes):
    (finding,) = flank.preset("cycloidal-drive", changes).findings()
    assert finding.code == "negative-clearance"
    return finding.value


def test_a_disc_that_is_too_large_is_found_and_named():
    found = flank.preset("cycloidal-drive", {"errors.equidistant": {2: "-12 um"}}).findings()
    assert [finding.code for finding in found] == ["negative-clearance"]
    assert "most at disc 2 and pin" in found[0].message
    assert found[0].value == pytest.approx(clearance({"discs.equidistant": "-7 um"}), abs=1e-9)


def test_loose_pins_lose_room_on_both_sides():
    """A pin larger by 9 µm takes 9 µm of the flank's room, and 9 µm of 10 µm play in its groove."""
    loose = clearance(ROLLING | {"errors.pin_radius": "9 um"})
    assert loose == pytest.approx(clearance({"errors.pin_radius": "8 um"}), abs=1e-9)
    wide = ROLLING | {"pins.groove_radius": "3.02 mm", "errors.groove_radius": "-10 um"}
    assert loose == pytest.approx(clearance(wide | {"errors.pin_radius": "9 um"}), abs=1e-9)
    with pytest.raises(SpecError, match=r"pins\.groove_radius: pin 3 .* 2 um too large for its"):
        flank.preset("cycloidal-drive", ROLLING | {"errors.pin_radius": {3: "12 um"}})


def test_drawn_errors_lie_within_tolerances():
    drive = flank.preset("cycloidal-drive", {"errors.seed": 3, "tolerances.roller_radius": "1 um"})
    kinds = drive.spec.error_kinds
    assert set(drive.errors) == set(kinds) == set(KINDS) - set(drive.spec.absent_errors)
    given = {error.kind: error for error in drive.error_parameters()}
    assert given["roller_radius"].tolerance == pytest.approx(1e-6)
    assert not given["roller_radius"].assumed
    assert given["pin_radius"].assumed
    for name, values in drive.errors.items():
        assert 0 < np.abs(values).max() <= given[name].tolerance
    assert drive.deviates


def test_rollers_of_another_size_are_play_in_their_holes():
    """Smaller rollers and larger holes are the same play at the rollers' circle."""
    loose = {"output.rollers.hole_radius": "6.31 mm"}

    def backlash(changes):
        machine = flank.preset("cycloidal-drive", changes)
        return float(hysteresis.run(machine, LOOP.with_changes({"torque": 1.0}))["backlash"])

    wider = backlash(loose)
    for changes in ({"errors.roller_radius": "-10 um"}, {"errors.hole_radius": "10 um"}):
        assert backlash(changes) == pytest.approx(wider, rel=1e-3)


def test_rollers_and_holes_moved_along_turn_the_output():
    """Rollers off by s along their circle turn the carrier back by s/R_w, holes turn it on."""

    def mean_error(changes):
        return float(
            transmission_error.run(flank.preset("cycloidal-drive", changes), SHORT)["mean_error"]
        )

    plain, s = mean_error({}), 10e-6
    radius = flank.preset("cycloidal-drive").spec.output.rollers.circle_radius
    for kind, sign in (("hole_tangential", 1), ("roller_tangential", -1)):
        moved = mean_error({f"errors.{kind}": s})
        assert moved - plain == pytest.approx(sign * s / radius, rel=5e-3), kind


def test_the_phase_of_all_eccentrics_is_a_turn_of_the_input():
    machine = flank.preset("cycloidal-drive", {"errors.eccentric_phase": "60 arcsec"})
    plain = transmission_error.run(flank.preset("cycloidal-drive"), SHORT)
    moved = transmission_error.run(machine, SHORT)
    turn = math.radians(60 / 3600) / machine.ratio
    assert moved["mean_error"] - plain["mean_error"] == pytest.approx(turn, rel=2e-2)


def test_eccentric_and_bore_are_clearance_of_the_needles():
    more = flank.preset("cycloidal-drive", NEEDLES | {"eccentric.needles.clearance": "6 um"})
    bore = flank.preset("cycloidal-drive", NEEDLES | {"errors.bore_radius": "6 um"})
    thin = flank.preset("cycloidal-drive", NEEDLES | {"errors.eccentric_radius": "-6 um"})
    want, *others = (hysteresis.run(each, LOOP)["loop_angle"].values for each in (more, bore, thin))
    for other in others:
        assert other == pytest.approx(want, rel=1e-4)
