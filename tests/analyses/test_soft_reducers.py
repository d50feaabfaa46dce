"""Presets with discs on cranks or on one eccentric, as soft as a spec can make them: discs as
plates, carriers in space, grooves and housing rings that give way, profiled rollers, a structure
around the discs. Every analysis that is asked of them comes to its end."""

import pytest
from quick_settings import QUICK

import flank
from flank.analyses.registry import ANALYSES

PINNED = ("rv-320", "rv-80", "rv-40", "rv-generic", "rv-paper")
TOOTHED = ("few-teeth-38", "few-teeth-60")
ECCENTRIC = ("cycloidal-drive", "monocrank")
ITS_OWN_OUTPUT = "single-disc"
"""No plate, for a spec does not say where the torque leaves such a disc."""

RING_WALL = 1.2
"""Outer radius of a ring over that at which it begins."""

PLATES = {"discs.body": "elastic"}
IN_SPACE = PLATES | {"carrier.body": "solid", "cranks.shaft": "solid"}
GROOVES = {"pins.grooves": "elastic"}
PROFILED = {
    "turning_arm.profile": "logarithmic",
    "supports.profile": "logarithmic",
    "supports.fit_compliance": "0.1 um/kN",
    "carrier.output_face": "free",
}
STRUCTURE = {
    "structure.output_pins": {"held": "both ends", "gap": "1 mm"},
    "structure.flanges": {"width": "15 mm", "output_radius": "30 mm"},
}

ONE_KIND = {"kinds": ["angular"]}
"""Of a sensitivity, whose hundreds of errors are the work of minutes."""

IN_TIME = {
    "transmission-error": {"mode": "dynamic", "points_per_turn": 8, "step": 1e-3},
    "hysteresis": {"mode": "dynamic", "stage_duration": 2e-3, "step": 2e-5},
}
DRAWN = {
    "hysteresis": {},
    "transmission-error": {"points_per_turn": 16},
    "natural-frequencies": {"count": 3},
}


def ring_of(preset):
    """Around pins, a fifth larger than it begins; a ring gear as far as the preset says."""
    if preset in TOOTHED:
        return {"ring.body": {}}
    pins = flank.preset(preset).spec.pins
    return {"pins.ring": {"outer_radius": RING_WALL * (pins.circle_radius + pins.radius)}}


def forms_of(preset):
    if preset == ITS_OWN_OUTPUT:
        return {"ring": ring_of(preset)}
    if preset in ECCENTRIC:
        grooves = PLATES | GROOVES
        return {
            "plates": PLATES,
            "grooves and ring": grooves | ring_of(preset),
            "structure": grooves | STRUCTURE,
        }
    ring = IN_SPACE | ring_of(preset) | (GROOVES if preset in PINNED else {})
    return {"plates": IN_SPACE, "grooves and ring": ring, "profiled": IN_SPACE | PROFILED}


FORMS = {
    f"{preset}, {name}": (preset, changes)
    for preset in (*PINNED, *TOOTHED, *ECCENTRIC, ITS_OWN_OUTPUT)
    for name, changes in forms_of(preset).items()
}


def check_completed(machine, analysis, settings):
    result = flank.run(machine, analysis, **settings)
    assert result.complete, f"{analysis}: {result.outcome}"
    assert flank.summary(result)


ENDS_EARLY = {(ITS_OWN_OUTPUT, "speed-dwell"), ("rv-paper", "speed-dwell")}
"""As the presets do when they are rigid: pins pressed between groove and flank before any torque,
and needles that are bodies, want smaller steps than a dwell of little work has."""

FINER = {("rv-paper", "time-response"): {"step": 2e-5}}
"""For the same reason."""

MOVING = [name for name, (preset, _) in FORMS.items() if preset != ITS_OWN_OUTPUT]


@pytest.mark.nightly
@pytest.mark.parametrize("form", FORMS)
def test_a_soft_machine_is_judged(form):
    preset, changes = FORMS[form]
    verdict = flank.check(flank.preset(preset, changes))
    assert verdict.figures
    assert verdict.light in ("green", "amber", "red")


@pytest.mark.nightly
@pytest.mark.parametrize("form", FORMS)
def test_every_analysis_of_a_soft_machine_is_complete(form):
    preset, changes = FORMS[form]
    machine = flank.preset(preset, changes)
    for name, analysis in ANALYSES.items():
        if analysis.fits(machine) and (preset, name) not in ENDS_EARLY:
            more = ONE_KIND if name == "sensitivity" else FINER.get((preset, name), {})
            check_completed(machine, name, QUICK[name] | more)


@pytest.mark.nightly
@pytest.mark.parametrize("form", MOVING)
def test_a_soft_machine_moves_in_time(form):
    preset, changes = FORMS[form]
    machine = flank.preset(preset, changes)
    for name, settings in IN_TIME.items():
        check_completed(machine, name, settings)


@pytest.mark.nightly
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_soft_machine_with_drawn_errors_is_solved(form, seed):
    preset, changes = FORMS[form]
    machine = flank.preset(preset, changes | {"errors.seed": seed})
    for name, settings in DRAWN.items():
        check_completed(machine, name, settings)


@pytest.mark.nightly
@pytest.mark.parametrize("form", [name for name in FORMS if name.endswith("plates")])
def test_a_soft_machine_is_softer(form):
    """By its loop, and by its lowest natural frequency."""
    preset, changes = FORMS[form]
    rigid = {"discs.body": "rigid"} | ({} if preset in ECCENTRIC else {"carrier.body": "rigid"})
    stiffness, lowest = [], []
    for form_changes in (rigid, changes):
        machine = flank.preset(preset, form_changes)
        stiffness.append(float(flank.run(machine, "hysteresis")["torsional_stiffness"]))
        modes = flank.run(machine, "natural-frequencies", count=3)
        lowest.append(float(modes["frequency"].values[0]))
    assert stiffness[1] < 0.98 * stiffness[0]
    assert lowest[1] < lowest[0]
