"""Every command does what its help says."""

import json
import re
import subprocess
import sys

import pytest
from typer.testing import CliRunner

import flank
from flank.analyses.registry import ANALYSES
from flank.cli.app import app
from flank.presets import preset_names, preset_text

QUICK = ["--option", "points_per_turn=24"]
TE_FILES = {
    "result.nc",
    "spec.yaml",
    "transmission-error.png",
    "spectrum.png",
    "pin-forces.png",
    "drive.png",
    "report.html",
}


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def call(*words):
    result = CliRunner().invoke(app, list(words))
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def names_in(folder):
    return {path.name for path in folder.iterdir()}


@pytest.mark.parametrize(
    "command",
    [[], ["list"], ["new"], ["check"], ["run"], ["export"], ["reproduce"], ["design", "planetary"]],
)
def test_help_shows_an_example(command):
    result = call(*command, "--help")
    assert result.exit_code == 0
    assert "Example" in result.stdout
    assert "  flank " in result.stdout


def test_version():
    result = call("--version")
    assert result.stdout == f"flank {flank.__version__}\n"


def test_list_names_presets_with_titles_and_analyses():
    text = call("list").stdout
    for name in preset_names():
        assert f"\n  {name} " in text
    for analysis in ANALYSES.values():
        assert analysis.summary in " ".join(text.split())
    assert "Monocrank, 3D printed" in text


def test_list_shows_the_settings_of_an_analysis():
    text = call("list", "hysteresis").stdout
    for name in ANALYSES["hysteresis"].settings.model_fields:
        assert f"\n  {name} " in text
    assert "(default: 0.5)" in text


@pytest.mark.parametrize("name", preset_names())
def test_new_prints_the_preset_as_stored(name):
    assert call("new", name).stdout == preset_text(name)


def test_check_without_and_with_findings():
    result = call("check", "cycloidal-drive")
    assert result.exit_code == 0
    assert result.stdout.startswith("Cycloidal drive, 40 pins, 412 N*m: green, no findings.\n")
    assert "\nPins at rated torque " in result.stdout
    assert "  pins that carry, fewest " in result.stdout
    result = call("check", "single-disc")
    assert result.exit_code == 0
    for part in ("1 warning", "negative-clearance", "-6.400 um", "0 um", "remove more"):
        assert part in result.stdout
    assert "not comparable with the published" in " ".join(result.stdout.split())


def test_run_writes_where_the_help_says(tmp_path):
    result = call("run", "monocrank", *QUICK)
    assert result.exit_code == 0
    assert "  Largest Hertz pressure, pins " in result.stdout
    assert "MPa" in result.stdout
    assert "Written to flank-out/monocrank-transmission-error/: result.nc" in result.stdout
    assert result.stderr == ""
    assert names_in(tmp_path) == {"flank-out"}
    assert names_in(tmp_path / "flank-out" / "monocrank-transmission-error") == TE_FILES


def test_run_of_a_joint_asks_for_its_turns(tmp_path):
    static = ["--option", "mode=static", "--option", "points_per_turn=16"]
    result = call("run", "cv-joint", *static)
    assert result.exit_code == 0
    assert "Mean secondary torque on the inner race" in result.stdout
    files = names_in(tmp_path / "flank-out" / "cv-joint-joint-turns")
    assert {"result.nc", "joint.png", "track-forces.png", "report.html"} <= files
    words = ["--option", "torques=[500 N*m, 1000 N*m]", "--option", "angles=1 deg", "--out", "map"]
    assert call("run", "cv-joint", "--analysis", "joint-map", *static, *words).exit_code == 0
    assert "joint-map.png" in names_in(tmp_path / "map")


def test_check_of_a_joint_tells_what_follows_from_its_spec():
    result = call("check", "cv-joint")
    assert result.exit_code == 0
    assert "What follows from the spec:" in result.stdout
    beyond = call("check", "cv-joint", "--set", "operation.deflection=20 deg")
    for part in ("tracks-cross-the-other-way", "20.00 deg", "17.88 deg"):
        assert part in beyond.stdout
    assert "By the sizing rule" in call("check", "rv-320").stdout


def test_list_tells_what_analyses_need():
    lines = " ".join(call("list").stdout.split())
    assert "over turns of a joint (needs balls in tracks)" in lines
    assert "backlash (needs a rated torque) stiffness-split" in lines
    assert "with its orders load-distribution" in lines
    assert "flank run cv-joint --analysis joint-map" in call("list", "joint-map").stdout


def undated(result):
    """The data without the date: two runs never share it."""
    made = json.loads(result.dataset.attrs["provenance"])
    del made["made_at"]
    return result.dataset.assign_attrs(provenance=json.dumps(made))


def test_run_of_a_file_with_changes_options_and_a_folder(tmp_path):
    (tmp_path / "my.yaml").write_text(call("new", "monocrank").stdout)
    words = ["--set", "eccentricity=1.4 mm", "--option", "torque=20 N*m", "--out", "deep/out"]
    result = call("run", "my.yaml", "--analysis", "load-distribution", *words)
    assert result.exit_code == 0
    assert "Written to deep/out/" in result.stdout
    saved = flank.read(tmp_path / "deep" / "out")
    assert saved["torque"] == 20.0
    assert saved.spec["eccentricity"] == "1.4 mm"
    again = call("run", "deep/out/spec.yaml", "--analysis", "load-distribution", *words[2:])
    assert again.stdout == result.stdout
    assert undated(flank.read(tmp_path / "deep" / "out")).identical(undated(saved))


def test_a_run_that_fails_writes_what_it_has_and_exits_with_1(tmp_path):
    result = call("run", "monocrank", "--set", "operation.torque=1e12 N*m", "--out", "o")
    assert result.exit_code == 1
    assert "No equilibrium was found" in " ".join(result.stdout.split())
    assert names_in(tmp_path / "o") == {"result.nc", "spec.yaml", "report.html"}
    assert not flank.read(tmp_path / "o").complete


def test_light_commands_import_nothing_heavy():
    code = (
        "import sys\nfrom flank.cli.app import app\n"
        "for words in (['--help'], ['list'], ['new', 'monocrank'], ['reproduce']):\n"
        "    app(words, standalone_mode=False)\n"
        "heavy = ('numba', 'numpy', 'xarray', 'matplotlib', 'pint')\n"
        "print([m for m in heavy if m in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.splitlines()[-1] == "[]"


AT_THE_END = (
    "import atexit, runpy, sys\n"
    "names = ('matplotlib.pyplot', 'rich', 'tkinter')\n"
    "atexit.register(lambda: print([name for name in names if name in sys.modules]))\n"
    "runpy.run_module('flank.cli.app', run_name='__main__', alter_sys=True)\n"
)
"""`python -m flank.cli.app`, which tells at its end what it has imported."""


def test_the_entry_point_runs_as_a_process_without_pyplot(tmp_path):
    command = [sys.executable, "-c", AT_THE_END, "run", "monocrank", *QUICK, "--out", "o"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode == 0
    assert found.stderr == ""
    assert found.stdout.splitlines()[-1] == "[]"
    assert names_in(tmp_path / "o") == TE_FILES


def test_check_tells_what_the_sizing_rule_gave():
    told = call("check", "rv-320").stdout
    assert "sizing rule" in told
    assert re.search(r"cranks\.journal_radius +13\.05 mm", told)
    assert re.search(r"supports\.count +19$", told, flags=re.MULTILINE)
    assert re.search(
        r"turning_arm\.length +13\.50 mm +published sets: 12\.90 to 15\.00$", told, re.M
    )
    assert "cranks.pin_radius" not in told
    given = call("check", "rv-320", "--set", "cranks.journal_radius=12 mm").stdout
    assert given.startswith("RV reducer, 320 class (changed: cranks.journal_radius 12 mm)")
    given = given.partition("sizing rule")[2].partition("Assumptions")[0]
    assert "cranks.journal_radius" not in given
    assert "sizing rule" not in call("check", "monocrank").stdout


def test_check_shows_the_data_of_gears():
    text = call("check", "planetary-500kw").stdout
    lines = text.splitlines()

    def row(title):
        return next(line for line in lines if line.startswith(f"  {title}")).split()

    assert row("root radius r_f")[-4:] == ["93.3200", "166.690", "475.900", "mm"]
    assert row("working pressure angle")[-3:] == ["24.509", "22.113", "°"]
    assert row("c' by ISO 6336-1 B")[-3:] == ["14.53", "16.07", "N/(mm·µm)"]
    assert "overlap ratio" not in text
    helical = call("check", "planetary-lin-parker", "--set", "rack.helix_angle=0.01 deg").stdout
    assert "overlap ratio" in helical
    few = call("check", "few-teeth-38").stdout
    for part in ("disc/ring", "46.032", "Mesh of the first stage", "By the sizing rule"):
        assert part in few
