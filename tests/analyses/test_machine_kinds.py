"""Reducers and joints: each is asked what fits it, and told what does."""

import pytest

import flank
from flank.analyses.registry import ANALYSES, DEFAULT_ANALYSES, default_analysis, kind_of
from flank.cli.listing import EXAMPLES
from flank.dynamics.functions import constant
from flank.errors import SpecError
from flank.machines.base import HasPlanets
from flank.presets import preset_names


@pytest.mark.parametrize("name", preset_names())
def test_the_kind_of_every_preset(name):
    expected = "joint" if name.startswith("cv-joint") else "reducer"
    assert kind_of(flank.preset(name)) == expected


def test_a_machine_of_one_s_own_is_a_reducer(chain):
    assert kind_of(chain()) == "reducer"


@pytest.mark.parametrize("kind", DEFAULT_ANALYSES)
def test_defaults_and_examples_fit_their_kind(kind):
    machine = flank.preset(EXAMPLES[kind])
    assert kind_of(machine) == kind
    assert default_analysis(machine).kind == kind


@pytest.mark.parametrize(("name", "other"), [("cv-joint", "monocrank"), ("monocrank", "cv-joint")])
def test_a_misfit_is_refused_with_what_fits(name, other):
    machine, fitting = flank.preset(name), kind_of(flank.preset(name))
    asked = DEFAULT_ANALYSES[kind_of(flank.preset(other))]
    with pytest.raises(SpecError) as error:
        flank.run(machine, asked)
    sentence = str(error.value)
    assert sentence.startswith(f"{machine.title} is a {fitting} and {asked} asks about")
    for analysis in ANALYSES.values():
        listed = analysis.name in sentence.partition("ask for")[2]
        assert listed == analysis.fits(fitting, machine.spec.machine), analysis.name


@pytest.mark.parametrize("name", preset_names())
def test_analyses_of_some_machines_say_what_to_ask_the_others(name):
    machine = flank.preset(name)
    for analysis in ANALYSES.values():
        if not analysis.machines or kind_of(machine) != analysis.kind:
            continue
        if machine.spec.machine in analysis.machines:
            analysis.check_machine(machine)
            continue
        with pytest.raises(SpecError) as error:
            analysis.check_machine(machine)
        sentence = str(error.value)
        assert sentence.startswith(f"{analysis.name} is for a {analysis.machines[0]}")
        assert f" {machine.spec.machine}; ask for {analysis.instead}" in sentence
        assert "has no" not in sentence
        for other in ANALYSES.values():
            if other.name in analysis.instead:
                other.check_machine(machine)


@pytest.mark.parametrize("name", preset_names())
def test_the_machines_named_are_those_that_can_answer(name):
    machine = flank.preset(name)
    planets = isinstance(machine, HasPlanets)
    for analysis in ("load-sharing", "mesh-phasing"):
        assert (machine.spec.machine in ANALYSES[analysis].machines) == planets
    if kind_of(machine) == "reducer":
        if machine.spec.machine == "rv-reducer":
            machine = flank.preset("rv-320", {"first_stage.mesh.model": "table"})
        assembly = machine.assemble(constant(0.0), constant(1.0))
        assert (machine.spec.machine in ANALYSES["speed-sweep"].machines) == bool(assembly.meshes)


def test_an_rv_reducer_whose_first_stage_is_a_spring_is_told_what_to_give():
    with pytest.raises(SpecError, match=r"as in first_stage\.mesh\.model: table"):
        flank.run(flank.preset("rv-320"), "speed-sweep")


def test_a_misfit_is_told_before_its_settings():
    with pytest.raises(SpecError, match="is a joint and hysteresis asks about reducers"):
        flank.run(flank.preset("cv-joint"), "hysteresis", torque="3 mm")
