"""What machines offer and analyses need: each is asked what fits it, and told what does."""

import pytest

import flank
from flank.analyses.registry import ANALYSES, DEFAULT_ANALYSES, default_analysis
from flank.cli.listing import EXAMPLES
from flank.errors import SpecError
from flank.machines.base import Drive
from flank.machines.capabilities import CAPABILITIES
from flank.presets import preset_names

EVERYWHERE = {
    "transmission-error",
    "load-distribution",
    "natural-frequencies",
    "campbell",
    "time-response",
}
WITH_RATING = EVERYWHERE | {"efficiency", "hysteresis", "stiffness-split", "sensitivity"}
WITH_PINS = WITH_RATING | {"speed-sweep", "speed-dwell"}
WITH_MESHES = WITH_PINS | {"impact-test"}
WITH_TEETH = WITH_MESHES | {"mesh-stiffness", "gear-modes"}
WITH_PLANETS = WITH_TEETH | {"load-sharing", "mesh-phasing"}

OF_THE_PLANE = {"stiffness-split", "sensitivity", "impact-test"}

OF_FLANKS = EVERYWHERE | {
    "efficiency",
    "hysteresis",
    "speed-sweep",
    "speed-dwell",
    "contact-pattern",
    "loaded-contact",
    "forced-roll",
}

FITTING = {
    "bevel-pair": OF_FLANKS,
    "cv-joint": EVERYWHERE
    | {"efficiency", "joint-turns", "joint-map", "joint-run", "joint-resonance"},
    "cycloidal-drive": WITH_PINS | {"mesh-stiffness"},
    "few-teeth-reducer": WITH_TEETH,
    "gear-pair": WITH_TEETH | {"loaded-contact", "rolling-sweep", "rolling-run", "rolling-dwell"},
    "hypoid-pair": OF_FLANKS,
    "planetary-gearbox": WITH_PLANETS,
    "rv-reducer": WITH_PLANETS,
    "spatial-gear-pair": OF_FLANKS,
}
"""By machine; of few-teeth-reducers those with a first stage have planets, too."""


@pytest.mark.parametrize("name", preset_names())
def test_what_fits_every_preset(name):
    machine = flank.preset(name)
    expected = FITTING[machine.spec.machine]
    if machine.spec.machine == "few-teeth-reducer" and machine.spec.first_stage:
        expected = WITH_PLANETS
    if name == "planetary-grc":  # which is in space
        expected = expected - OF_THE_PLANE
    assert {one.name for one in ANALYSES.values() if one.fits(machine)} == expected


def test_a_machine_of_one_s_own_offers_what_it_has(chain, chain_with_errors):
    assert {one.name for one in ANALYSES.values() if one.fits(chain())} == WITH_RATING - {
        "sensitivity"
    }
    assert ANALYSES["sensitivity"].fits(chain_with_errors())


@pytest.mark.parametrize("name", preset_names())
def test_every_machine_knows_its_meshes_before_it_is_assembled(name):
    machine = flank.preset(name)
    assert machine.mesh_count == len(machine.assemble(Drive()).meshes)


def test_needs_are_known_capabilities():
    assert {need for one in ANALYSES.values() for need in one.needs} == set(CAPABILITIES)


@pytest.mark.parametrize("name", ANALYSES)
def test_every_analysis_has_an_example_that_fits(name):
    assert any(ANALYSES[name].fits(flank.preset(preset)) for preset in EXAMPLES)


@pytest.mark.parametrize("name", preset_names())
def test_the_default_follows_from_the_machine(name):
    found = default_analysis(flank.preset(name)).name
    assert found == ("joint-turns" if name.startswith("cv-joint") else "transmission-error")
    assert found in DEFAULT_ANALYSES


def test_a_machine_that_no_default_fits_is_told_so():
    class Lump:
        title = "Lump"

    with pytest.raises(SpecError, match="needs an input and an output, and 'Lump' has none with"):
        default_analysis(Lump())


@pytest.mark.parametrize(
    ("name", "asked", "reason"),
    [
        ("cv-joint", "hysteresis", "needs a rated torque, and '{}' has none, only the torque of"),
        ("monocrank", "joint-turns", "needs balls in tracks, and '{}' has none"),
        ("monocrank", "load-sharing", "needs planets, and '{}' has none that would share"),
        ("monocrank", "impact-test", "needs gear meshes, and '{}' has none"),
        ("gear-pair", "contact-pattern", "needs flanks in space, and '{}' has none"),
        ("planetary-500kw", "loaded-contact", "needs a pair of gears, and '{}' is no single pair"),
        ("hypoid-pair", "sensitivity", "needs a planar model, and '{}' is modelled in space"),
        ("few-teeth-60", "mesh-phasing", "needs planets, and '{}' has none that would share"),
    ],
)
def test_a_misfit_is_refused_with_the_reason_and_what_fits(name, asked, reason):
    machine = flank.preset(name)
    with pytest.raises(SpecError) as error:
        flank.run(machine, asked)
    sentence, _, fitting = str(error.value).partition("; what fits it: ")
    assert sentence.startswith(f"{asked} {reason.format(machine.title)}")
    fits = [one.name for one in ANALYSES.values() if one.fits(machine)]
    assert fitting == ", ".join(fits)


def test_a_misfit_is_told_before_its_settings():
    with pytest.raises(SpecError, match="hysteresis needs a rated torque"):
        flank.run(flank.preset("cv-joint"), "hysteresis", torque="3 mm")


@pytest.mark.parametrize("name", ["cycloidal-drive", "planetary-paper", "cv-joint"])
def test_a_drive_names_shafts_that_are_there_once(name):
    machine = flank.preset(name)
    free = machine.assemble(Drive())
    assert all(shaft.multiplier == -1 for shaft in free.shafts.values())
    still = flank.dynamics.functions.constant(0.0)
    held = machine.assemble(Drive(angles={"input": still}))
    assert held.input_shaft.multiplier >= 0
    assert held.model.constraint_count == free.model.constraint_count + 1
    with pytest.raises(ValueError, match="there is no shaft 'inputt' to turn; did you mean"):
        machine.assemble(Drive(angles={"inputt": still}))
    with pytest.raises(ValueError, match="has an angle, and a torque on it does nothing"):
        machine.assemble(Drive({"input": still}, {"input": still}))
