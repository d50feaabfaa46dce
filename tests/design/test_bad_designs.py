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
    "a pinion bored to a foil": (
        "gear-pair",
        {"pinion.body.bore_diameter": "58 mm"},
        "thin-rim-pinion",
    ),
    "five times the torque of a pair": (
        "gear-pair",
        {"rated_torque": "3500 N*m"},
        "flank-safety",
    ),
    "teeth without play": (
        "gear-pair",
        {"pinion.thickness_deviation": "-20 um", "wheel.thickness_deviation": "-20 um"},
        "jams-within-tolerance",
    ),
    "a shaft like a pencil": (
        "gear-pair",
        {"pinion.body.bore_diameter": "25 mm"},
        "weak-shaft-pinion",
    ),
    "teeth that come in at their own frequency": (
        "gear-pair",
        {"operation.input_speed": "12000 rpm"},
        "mesh-resonance",
    ),
    "pins that bend": ("planetary-500kw", {"planets.bore_radius": "45 mm"}, "weak-pin"),
    "a sun bored through its rim": (
        "planetary-500kw",
        {"sun.bore_radius": "85 mm"},
        "thin-rim-sun",
    ),
    "pins out of place": (
        "planetary-500kw",
        {"tolerances.pin_tangential": "100 um"},
        "uneven-sharing",
    ),
    "a start that breaks the planets": (
        "planetary-500kw",
        {"peak_torque": "600000 N*m"},
        "peak-root-safety-planet",
    ),
    "a start that dents a hypoid pair": (
        "hypoid-pair",
        {"peak_torque": "5000 N*m"},
        "dented-flanks",
    ),
    "tracks that bind": (
        "cv-joint",
        {"outer.skew": "2 deg", "outer.inclination": "0.5 deg"},
        "binding-tracks",
    ),
    "balls that dent": ("cv-joint", {"operation.torque": "8000 N*m"}, "dented-tracks"),
    "a joint at its limit": ("cv-joint", {"operation.deflection": "17.5 deg"}, "deflected-far"),
}


BETTER = {"uneven-sharing": {"tolerances.pin_tangential": "15 um"}}
"""Of presets that are not good in this: what makes them so, by the finding."""


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
    assert flank.check(flank.preset(preset, BETTER.get(code))).found(code) is None
