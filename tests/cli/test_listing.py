"""`flank list` of everything, of a machine, of an analysis and of materials."""

import re
import shlex

import pytest
from typer.testing import CliRunner

import flank
from flank.analyses.registry import ANALYSES
from flank.cli.app import app
from flank.machines.materials import KNOWN_MATERIALS
from flank.machines.registry import MACHINES
from flank.machines.spec_keys import keys_of
from flank.presets import preset_names


def listed(*words):
    result = CliRunner().invoke(app, ["list", *words])
    assert result.exit_code == 0, result.stderr
    return result.stdout


def one_line(text):
    return " ".join(text.split())


@pytest.mark.parametrize("machine", MACHINES)
def test_a_machine_tells_every_key_its_analyses_and_presets(machine):
    text = listed(machine)
    assert max(len(line) for line in text.splitlines()) <= 100
    flat = one_line(text)
    for key in keys_of(MACHINES[machine].spec):
        assert f"\n  {key.path} " in text
        assert key.meaning in flat
        assert not key.default or f"default {key.default}" in flat
    offered = text.partition("\nAnalyses of ")[2]
    machines = [flank.preset(name) for name in preset_names()]
    machines = [one for one in machines if one.spec.machine == machine]
    for analysis in ANALYSES.values():
        fits = any(analysis.fits(one) for one in machines)
        assert (f"\n  {analysis.name} " in offered) == fits


def test_an_entry_reads_well():
    lines = listed("cycloidal-drive").splitlines()
    at = next(k for k, line in enumerate(lines) if line.startswith("  pins.groove_radius "))
    assert lines[at].split(maxsplit=1)[1] == "the radius of a pin's groove"
    assert lines[at + 1].strip() == "mm, more than 0; optional, as in 3.01 mm"
    assert "pins: the ring of pins" in lines
    assert "eccentric.needles: the needles of the bearing (may be left out)" in lines


def test_a_preset_tells_of_its_machine():
    assert listed("rv-80") == listed("rv-reducer")
    for name in preset_names():
        assert f"\n  {name} " in listed(name)


def test_the_example_of_a_machine_can_be_run():
    for machine in MACHINES:
        command = listed(machine).rstrip().rpartition("\n")[2].partition("flank ")[2]
        result = CliRunner().invoke(app, shlex.split(command))
        assert result.exit_code == 0, command


def test_all_tells_which_analyses_need_more_than_most_machines_have():
    text = one_line(listed())
    assert "what errors do to it (needs planets)" in text
    assert "up and down (needs a rated torque and teeth or pins in mesh)" in text
    assert "with its orders load-distribution" in text
    for machine in MACHINES:
        assert f"Presets of {machine}" in text


def test_the_example_of_an_analysis_names_a_machine_that_fits():
    assert "flank run planetary-500kw --analysis load-sharing" in listed("load-sharing")
    assert "flank run cycloidal-drive --analysis hysteresis" in listed("hysteresis")


@pytest.mark.parametrize("name", ANALYSES)
def test_no_setting_of_an_analysis_lacks_a_description(name):
    assert all(field.description for field in ANALYSES[name].settings.model_fields.values())
    settings, _, quantities = listed(name).partition("\nGive them as in: ")
    lines = settings.splitlines()[1:] + quantities.splitlines()[1:]
    assert max(map(len, lines)) <= 100


@pytest.mark.parametrize("name", ANALYSES)
def test_an_analysis_tells_the_quantities_of_its_results(name):
    text = listed(name).partition("\nQuantities of its results")[2]
    flat = one_line(text)
    for quantity, declared in ANALYSES[name].quantities.items():
        assert f"\n  {quantity} " in text
        assert declared.meaning in flat
    assert "{" not in re.sub(r"\n  \S+", "", text)


def test_a_quantity_reads_well():
    lines = [line.split(maxsplit=1) for line in listed("hysteresis").splitlines()]
    assert ["lost_motion", "Lost motion (arcmin)"] in lines
    assert ["largest_{group}_pressure", "Largest Hertz pressure, group (MPa)"] in lines


def test_materials():
    text = listed("materials")
    for name in KNOWN_MATERIALS:
        assert f"\n  {name} " in text
    assert "materials: {my_bronze: {youngs_modulus: 110 GPa" in text


def test_a_name_that_is_nothing_gets_a_hint():
    result = CliRunner().invoke(app, ["list", "rvreducer"])
    assert result.exit_code == 2
    assert "neither a machine nor a preset nor an analysis; did you mean 'rv-red" in result.stderr
    assert "Machines: bevel-pair, cv-joint, cycloidal-drive" in result.stderr
