"""Every analysis on every preset, with gear meshes on every rung: an outcome or a refusal.

By day on one preset a machine.

Settings are as small as they may be: nothing here is about numbers, all about what a user gets who
asks a machine something.
"""

import pytest
from daily import DAILY, daily
from quick_settings import QUICK

import flank
from flank.analyses.registry import ANALYSES
from flank.errors import SpecError
from flank.machines.registry import MACHINES
from flank.presets import preset_names

RUNGS = ("rigid", "spring", "curve", "table", "contact", "fe")

BESIDES = {"curve": {"curve": {"points": [[0.0, 4e8], [1e-3, 5e8]]}}}
"""What a rung needs besides its name: here a stiffness over a part of any mesh's base pitch."""

IN_SPACE = ("spring", "flanks")
"""Rungs of machines whose teeth are flanks in space."""

OF_FLANKS = ("bevel-pair", "beveloid-pair", "helical-in-space", "hypoid-pair", "spiral-bevel-nasa")
"""Presets of such machines."""

MESHES = {
    "bevel-pair": ("mesh",),
    "beveloid-pair": ("mesh",),
    "few-teeth-38": ("mesh", "first_stage.mesh"),
    "few-teeth-60": ("mesh",),
    "gear-pair": ("mesh",),
    "helical-in-space": ("mesh",),
    "hypoid-pair": ("mesh",),
    "planetary-500kw": ("sun_mesh", "ring_mesh"),
    "planetary-grc": ("sun_mesh", "ring_mesh"),
    "planetary-lin-parker": ("sun_mesh", "ring_mesh"),
    "planetary-paper": ("sun_mesh", "ring_mesh"),
    "rv-320": ("first_stage.mesh",),
    "rv-40": ("first_stage.mesh",),
    "rv-80": ("first_stage.mesh",),
    "rv-generic": ("first_stage.mesh",),
    "rv-paper": ("first_stage.mesh",),
    "spiral-bevel-nasa": ("mesh",),
    "spur-bruzzone": ("mesh",),
}
"""Blocks of presets that model a gear mesh."""

FRICTIONLESS_TEETH = {name: {"friction.teeth": 0} for name in ("few-teeth-38", "few-teeth-60")}
"""Friction that only the rung `contact` takes."""

LONG = ("rv-", "few-teeth", "single-disc", "cycloidal-drive")
"""Presets whose hundreds of errors make a sensitivity too long for every day; `test_analyses.py`
has one of each machine."""

IN_TIME = {
    "transmission-error": {"mode": "dynamic", "points_per_turn": 8, "step": 1e-3},
    "hysteresis": {"mode": "dynamic", "stage_duration": 2e-3, "step": 2e-5},
}
"""Those that also run in time."""


def rungs_of(preset):
    if preset == "planetary-grc":  # explicit contacts of teeth are those of the plane
        return RUNGS[:-1]
    return () if preset not in MESHES else IN_SPACE if preset in OF_FLANKS else RUNGS


def plain_forms(preset):
    """The preset as it is, and with every mesh on every rung."""
    yield preset, {}
    for rung in rungs_of(preset):
        mesh = {"model": rung} | BESIDES.get(rung, {})
        change = dict.fromkeys(MESHES[preset], mesh)
        yield f"{preset}, {rung}", change | FRICTIONLESS_TEETH.get(preset, {})


FORMS = {
    name: (preset, change) for preset in preset_names() for name, change in plain_forms(preset)
}


def refused_by_the_machine_itself(form, analysis):
    """Refusals that a machine's data, not its kind, lead to."""
    if analysis == "stiffness-split":  # of a machine in which nothing gives way
        return form in ("planetary-500kw, rigid", "planetary-paper, rigid")
    return analysis == "impact-test" and form.endswith(", rigid")  # teeth that do not swing


def too_long(preset, analysis):
    return analysis == "sensitivity" and preset.startswith(LONG)


def check_outcome(machine, analysis, settings):
    """It completes, says in a sentence why not, or refuses, then False; it raises nothing else."""
    try:
        result = flank.run(machine, analysis, **settings)
    except SpecError:
        return False
    assert result.outcome.endswith(".")
    assert result.complete == (result.outcome == "Completed.")
    assert flank.summary(result)
    return True


def test_every_analysis_is_looked_at_here():
    assert set(QUICK) == set(ANALYSES)


def test_every_preset_with_gears_is_looked_at_here():
    for preset in preset_names():
        spec = flank.preset(preset).spec.to_mapping()
        found = {key for key in ("mesh", "sun_mesh", "first_stage") if key in spec}
        assert bool(found) == (preset in MESHES), preset


def machine_of(form):
    """None for rv-80 on a rung with teeth: its spring hides what undercut teeth may not do."""
    preset, change = FORMS[form]
    if preset == "rv-80" and change:
        with pytest.raises(SpecError, match="undercut"):
            flank.preset(preset, change)
        return None
    return flank.preset(preset, change)


def test_one_preset_of_every_machine_is_asked_by_day():
    assert sorted(flank.preset(name).spec.machine for name in DAILY) == sorted(MACHINES)


@pytest.mark.parametrize("form", daily(FORMS, lambda form: FORMS[form][0]))
def test_every_analysis_ends_in_words(form):
    machine, preset = machine_of(form), FORMS[form][0]
    if machine is None:
        return
    for name, analysis in ANALYSES.items():
        if not too_long(preset, name):
            answers = analysis.fits(machine) and not refused_by_the_machine_itself(form, name)
            assert check_outcome(machine, name, QUICK[name]) == answers, name


@pytest.mark.nightly
@pytest.mark.parametrize("form", FORMS)
def test_every_analysis_in_time_and_every_sensitivity_end_in_words(form):
    machine, preset = machine_of(form), FORMS[form][0]
    if machine is None:
        return
    check_outcome(machine, "joint-turns", {"most_turns": 2, "points_per_turn": 16})
    for name, settings in IN_TIME.items():
        check_outcome(machine, name, settings)
    if too_long(preset, "sensitivity"):
        check_outcome(machine, "sensitivity", QUICK["sensitivity"])
