"""Wrong input: one clear sentence on stderr, status 2, nothing written, no traceback."""

import os
import shlex

import pytest
from commands import run_command
from typer.testing import CliRunner

from flank.cli.app import app
from flank.presets import preset_text


@pytest.fixture(autouse=True)
def _in_a_folder_with_specs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = preset_text("monocrank")
    specs = {
        "misspelt.yaml": text.replace("eccentricity:", "eccentricty:"),
        "missing.yaml": text.replace("rated_torque: 36 N*m\n", ""),
        "broken.yaml": "pins: [1, 2\neccentricity: 1 mm\n",
        "empty.yaml": "",
        "other.yaml": "machine: windmill\n",
    }
    for name, content in specs.items():
        (tmp_path / name).write_text(content)
    (tmp_path / "binary.yaml").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x81")


def files(folder):
    return sorted(path.relative_to(folder) for path in folder.rglob("*"))


SETS = "cycloidal-drive --set"
REFUSED = {
    "misspelt key": ("misspelt.yaml", "eccentricty is not a key of the spec; did you mean"),
    "missing value": ("missing.yaml", "rated_torque is missing: give the rated torque"),
    "misspelt key in --set": (f"{SETS} pins.cout=3", "pins.cout is not a key of pins; did you"),
    "wrong dimension": (f"{SETS} eccentricity='2 deg'", "eccentricity: '2 deg' is an angle"),
    "unknown unit": (f"{SETS} eccentricity='2 mmm'", "unknown unit 'mmm' (did you mean 'mm'?)"),
    "no value": (f"{SETS} eccentricity=", "eccentricity is missing: give the eccentricity"),
    "null": (f"{SETS} pins.count=null", "pins.count is missing: give the number of pins"),
    "no equals sign": (f"{SETS} eccentricity", "'eccentricity' is not a change"),
    "impossible geometry": (f"{SETS} eccentricity='2 mm'", "it must be less than 1.6 mm"),
    "undercut": (f"{SETS} eccentricity='1.55 mm'", "undercuts the flank"),
    "broken YAML": ("broken.yaml", "broken.yaml, line 1: the bracket [ is not closed"),
    "empty file": ("empty.yaml", "empty.yaml is empty"),
    "binary file": ("binary.yaml", "binary.yaml is not a text file"),
    "folder": (".", "cannot be read"),
    "unknown machine": ("other.yaml", "'windmill' is not a machine"),
    "some preset": ("x", "Presets: bevel-pair, beveloid-pair, cv-joint"),
    "unknown preset": ("cycloidal-drve", "is not a preset, and no such file exists; did you mean"),
    "unknown file": ("none.yaml", "there is no file 'none.yaml' in "),
    "unknown folder": ("none/my.yaml", "there is no folder '"),
    "preset as a file": ("monocrank.yaml", "did you mean the preset 'monocrank'?"),
    "speed without a unit": (
        f"{SETS} operation.input_speed=1500",
        "operation.input_speed: 1500 without a unit would be 1500 rad/s = 14323.9 rpm; "
        "write '1500 rpm'",
    ),
    "tolerance": (f"{SETS} pins.radius='3±0.01 mm'", "'3±0.01 mm' has a tolerance"),
    "control character": (f"{SETS} title='\"a\\eb\"'", "the character \\x1b"),
    "control character in a key": (f"{SETS} 'a\x1b=1'", "'a\\x1b' has the character \\x1b"),
}
RUN_ONLY = {
    "short analysis": ("monocrank --analysis te", "did you mean 'transmission-error'?"),
    "two short analyses": (
        "monocrank --analysis ss",
        "did you mean 'speed-sweep' or 'stiffness-split'?",
    ),
    "unknown analysis": ("monocrank --analysis hystersis", "did you mean 'hysteresis'?"),
    "unknown option": ("monocrank --option turn=2", "turn is not a setting; did you mean 'turns'?"),
    "option's dimension": ("monocrank --option torque='1 mm'", "torque: '1 mm' is a length"),
    "useless option": ("monocrank --option step='1 ms'", "step does nothing in static mode"),
    "no speed": (
        "monocrank --option mode=dynamic --set operation.input_speed=0",
        "operation.input_speed must be positive",
    ),
    "out is a file": ("monocrank --out missing.yaml", "missing.yaml is a file; give another"),
    "out below a file": ("monocrank --out missing.yaml/a", "missing.yaml is a file; give another"),
}
TABLE = [("check", *row) for row in REFUSED.values()]
TABLE += [("run", *row) for row in (REFUSED | RUN_ONLY).values()]


@pytest.mark.parametrize(("command", "words", "sentence"), TABLE)
def test_wrong_input(tmp_path, command, words, sentence):
    before = files(tmp_path)
    result = CliRunner().invoke(app, [command, *shlex.split(words)])
    assert result.exit_code == 2
    assert sentence in result.stderr
    assert "Traceback" not in result.stderr
    assert result.stdout == ""
    assert files(tmp_path) == before


def test_several_problems_are_several_lines():
    words = ["check", "monocrank", "--set", "pins.radius=1 s", "--set", "discs.width=-1 mm"]
    result = CliRunner().invoke(app, words)
    assert len(result.stderr.strip().splitlines()) == 2


@pytest.mark.parametrize("command", [["new", "monocrnk"], ["list", "hystersis"]])
def test_other_commands(command):
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 2
    assert "did you mean" in result.stderr


def test_a_wrong_command_or_flag_is_refused():
    for words in (["rnu"], ["run"], ["run", "monocrank", "--what"]):
        assert CliRunner().invoke(app, words).exit_code == 2


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_permission(tmp_path):
    (tmp_path / "locked").mkdir(mode=0o500)
    result = CliRunner().invoke(app, ["run", "monocrank", "--out", "locked/out"])
    assert result.exit_code == 2
    assert "no permission" in result.stderr


def test_a_disk_that_refuses(monkeypatch):
    def refuse(path, content):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("flank.report.folder.write_through", refuse)
    words = ["run", "monocrank", "--option", "points_per_turn=24", "--out", "o"]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 2
    assert "o cannot be written: No space left on device; give another folder" in result.stderr


def test_the_entry_point_exits_with_2_and_no_traceback(tmp_path):
    before = files(tmp_path)
    ended = run_command("run misspelt.yaml")
    assert ended.status == 2
    assert ended.stdout == ""
    assert ended.stderr.startswith("eccentricty is not a key of the spec")
    assert ended.stderr.count("\n") == 1
    assert files(tmp_path) == before
