"""Ball joints that are found: room for balls, pressures of equilibria, limits."""

import math

import pytest

import flank
from flank.design.designing import find_designs
from flank.design.falls import Falls
from flank.design.kinds import cv_joint
from flank.design.kinds.cv_joint import CvJointDesigner
from flank.design.requirements import JointRequirements
from flank.errors import SpecError
from flank.geometry.ball_joint_checks import margins
from flank.machines.cv_joint.figures import joint_room
from flank.machines.registry import machine_from_mapping

WANTED = {"torque": 500.0, "deflection": math.radians(6), "plunge": 0.01, "designs": 1}


class Quick(CvJointDesigner):
    heads, evaluations = 1, 6


@pytest.fixture(autouse=True)
def few_numbers(monkeypatch):
    monkeypatch.setattr(cv_joint, "BALLS", (8,))
    monkeypatch.setattr(cv_joint, "BALL_SIZES", range(14, 16))


def designer(**given):
    return Quick(JointRequirements.from_mapping(WANTED | given))


def test_a_joint_loads_passes_check_and_has_room_for_its_plunge():
    shortlist = find_designs(designer())
    (spec,) = shortlist.specs
    machine = machine_from_mapping(spec)
    assert flank.check(machine).light == "green"
    room = margins(machine.spec.geometry, joint_room(machine.spec), math.radians(6), 0.01)
    assert min(room.values()) > 0
    (design,) = shortlist.designs
    assert design.verification.passed
    assert {each.name for each in design.measured.asked} == {"track-pressure", "window-pressure"}


def test_pressures_are_those_of_equilibria_at_the_largest_torque():
    made = designer(peak_torque=900.0, pressure=3e9)
    candidate = min(made.candidates(Falls()), key=lambda each: each.order)
    machine = machine_from_mapping(made.spec(candidate, candidate.values))
    found = {}
    for each in made.asked(machine, None):
        found.setdefault(each.name, []).append((each.value, each.limit))
    (rated, limit), (peak, static) = found["track-pressure"]
    assert (limit, static) == (3e9, 4200e6)
    assert peak / rated == pytest.approx((900 / 500) ** (1 / 3), rel=0.02)
    solved = flank.run(machine, "load-distribution")
    assert rated >= float(solved["largest_track_pressure"])


def test_skew_grows_with_deflection_and_friction():
    """A wedge of two tracks holds a ball below the friction angle to either side."""
    for degrees in (0.0, 6.0, 20.0):
        skew = designer(deflection=math.radians(degrees))._skew(0.0)
        assert skew - math.radians(0.5 * degrees) > math.atan(0.05)


def test_tracks_have_clearance_by_what_they_deviate():
    made = designer(tolerance=10e-6)
    (candidate, *_) = made.candidates(Falls())
    clearance = made.spec(candidate, candidate.values)["tracks"]["clearance"]
    assert 5e-6 < clearance < 10e-6
    assert designer().spec(candidate, candidate.values)["tracks"]["clearance"] == 0.0


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"deflection": 0.9}, "a skew of .* deg, and have at most 20 deg: give 3"),
        ({"secondary_torque": 10.0}, "T tan.* in every joint of this torque and deflection"),
        ({"outer_diameter": 0.04}, "across needed because of"),
        ({"length": 0.01}, "envelope length, the nearest by .* mm long"),
        ({"bore": 0.7}, "leaves no wall under the tracks"),
    ],
)
def test_what_no_joint_can_do_is_refused(given, sentence):
    with pytest.raises(SpecError, match=sentence):
        find_designs(designer(**given))


def test_a_joint_that_stands_is_refused():
    with pytest.raises(SpecError, match="friction acts through sliding"):
        JointRequirements.from_mapping(WANTED | {"speed": 0.0})


@pytest.mark.nightly
def test_the_axial_force_of_a_turn_in_time_is_limited():
    limited = find_designs(designer(axial_force=1e5)).designs[0]
    (force, *_) = limited.verification.asked
    assert force.name == "axial_force"
    assert 0 < force.value < 1e5
    with pytest.raises(SpecError, match="axial force, peak to peak"):
        find_designs(designer(axial_force=0.5 * force.value))
