"""`flank check` of every preset: no traceback, and the findings that are known."""

import math

import pytest
from typer.testing import CliRunner

import flank
from flank.cli.app import app
from flank.machines.base import HasGearData
from flank.presets import preset_names

FINDINGS = {
    "planetary-500kw": ["body-assumed", "body-assumed"],  # no source gives its bores
    "planetary-paper": ["trochoid-interference"],  # full-depth teeth of the paper's table
    "rv-80": ["undercut", "undercut-flank"],  # no source gives its sun a profile shift
    "rv-generic": ["planets-keyed-differently"],  # 76 teeth on three cranks
    "rv-paper": ["planets-keyed-differently"],  # 80 teeth on three cranks
    "single-disc": ["negative-clearance"],  # as published, and said so among its assumptions
}
"""Of presets that keep numbers of a source which a designer would change; the others have none."""

GREEN = {"cycloidal-drive", "monocrank", "rv-40", "gear-pair"}
"""Presets of which no rule has a doubt."""

GEARED = [name for name in preset_names() if isinstance(flank.preset(name), HasGearData)]


@pytest.mark.parametrize("name", preset_names())
def test_check_of_every_preset(name):
    result = CliRunner().invoke(app, ["check", name])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0
    expected = FINDINGS.get(name, [])
    assert [finding.code for finding in flank.preset(name).findings()] == expected
    light = result.stdout.partition("\n")[0].partition(": ")[2].partition(",")[0]
    assert light in ("green", "amber")
    if name in GREEN:
        assert light == "green"
    assert " -0 " not in result.stdout
    assert " -0\n" not in result.stdout
    for code in expected:
        assert f"  {code}  " in result.stdout


def test_presets_with_gears():
    assert {"planetary-500kw", "rv-80", "few-teeth-38"} <= set(GEARED)


@pytest.mark.parametrize("name", GEARED)
def test_gear_data_of_every_preset(name):
    for table in flank.preset(name).gear_data():
        assert table.rows
        for row in table.rows:
            unknown = row.title == "least x without undercut"  # no rack cuts a ring
            assert all(math.isfinite(value) or unknown for value in row.values)
            if "Flank's teeth" in row.title:
                assert all(value > 5e9 for value in row.values)  # N/m²: some N/(mm µm)


def test_remedy_of_the_undercut_sun_works():
    """More profile shift: the finding's own least one, and the teeth may then be modelled."""
    machine = flank.preset("rv-80")
    least = machine.findings()[0].limit
    assert 0.36 < least < 0.37
    changes = {"first_stage.profile_shift": round(least + 5e-5, 4)}
    assert type(machine)(machine.spec.with_changes(changes)).findings() == ()
    changes["first_stage.mesh.model"] = "contact"
    bores = {"first_stage.sun_bore_radius": 3e-3, "first_stage.planet_bore_radius": 8e-3}
    changes |= bores  # else their bodies are assumed
    assert type(machine)(machine.spec.with_changes(changes)).findings() == ()
