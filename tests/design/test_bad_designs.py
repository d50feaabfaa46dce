"""Designs that no engineer would release, each by one thing broken in a good one: found by the
right finding, and mended by what it says."""

import pytest

import flank
from flank.design.remedy import changed

BAD = {
    "a wall of 0.79 mm": (
        "cycloidal-drive",
        {"output.rollers.circle_radius": "52.6 mm"},
        "thin-outer-wall",
    ),
    "a disc of 0.5 mm": ("cycloidal-drive", {"discs.width": "0.5 mm"}, "thin-disc"),
    "ten times the torque": ("cycloidal-drive", {"rated_torque": "4120 N*m"}, "pin-pressure"),
    "an eccentricity of 0.05 mm": (
        "cycloidal-drive",
        {"eccentricity": "0.05 mm"},
        "small-shortening",
    ),
    "500 µm of clearance": (
        "cycloidal-drive",
        {"discs.equidistant": "500 um"},
        "too-much-clearance",
    ),
    "interference": ("cycloidal-drive", {"discs.equidistant": "-8 um"}, "negative-clearance"),
    "errors that jam": (
        "cycloidal-drive",
        {"tolerances.pin_radial": "30 um"},
        "jams-within-tolerance",
    ),
    "three output rollers": ("cycloidal-drive", {"output.rollers.count": 3}, "few-rollers"),
    "a pin at the edge of undercut": (
        "cycloidal-drive",
        {"pins.radius": "4.5 mm"},
        "undercut-margin",
    ),
    "discs of printed plastic": (
        "cycloidal-drive",
        {"discs.material": "POM", "rated_torque": "60 N*m"},
        "pin-pressure",
    ),
    "a speed in resonance": (
        "cycloidal-drive",
        {"operation.input_speed": "6400 rpm"},
        "resonance",
    ),
    "a motor that is too weak": (
        "cycloidal-drive",
        {"motor": {"torque": "3 N*m", "peak_torque": "40 N*m", "speed": "3000 rpm"}},
        "weak-motor",
    ),
    "a mill that is too thick": (
        "cycloidal-drive",
        {"making": {"process": "machined", "cutter_radius": "4 mm"}},
        "cutter-too-large",
    ),
    "rollers of 2 mm": ("rv-40", {"turning_arm.length": "2 mm"}, "short-arm-life"),
    "journals of half their radius": (
        "rv-40",
        {"cranks.journal_radius": "4 mm"},
        "journal-fatigue",
    ),
    "a bore up to the cranks": ("rv-40", {"discs.bore_radius": "18 mm"}, "thin-crank-wall-to-bore"),
    "teeth that cannot bear it": ("few-teeth-38", {"rated_torque": "150 N*m"}, "root-fatigue"),
    "a ring like a foil": ("few-teeth-38", {"ring.outer_radius": "44.5 mm"}, "thin-ring"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_design_is_found_and_mended(name):
    preset, breaks, code = BAD[name]
    machine = flank.preset(preset, breaks)
    verdict = flank.check(machine)
    finding = verdict.found(code)
    assert finding is not None
    assert verdict.light != "green"
    assert finding.changes
    assert flank.check(changed(machine, finding.changes)).found(code) is None
    assert flank.check(flank.preset(preset)).found(code) is None
