"""Reducers and joints: each is asked what fits it, and told what does."""

import pytest

import flank
from flank.analyses.registry import ANALYSES, DEFAULT_ANALYSES, default_analysis, kind_of
from flank.cli.listing import EXAMPLES
from flank.errors import SpecError
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
        assert (analysis.name in sentence.partition("ask for")[2]) == (analysis.kind == fitting)


def test_a_misfit_is_told_before_its_settings():
    with pytest.raises(SpecError, match="is a joint and hysteresis asks about reducers"):
        flank.run(flank.preset("cv-joint"), "hysteresis", torque="3 mm")
