"""A command line that cannot be read: one sentence in Flank's words, status 2."""

import shlex

import pytest
from commands import run_command
from typer.testing import CliRunner

from flank.cli.app import app

WRONG = {
    "design worm": "'worm' cannot be designed yet. What can be: ",
    "design planetry": "did you mean 'planetary'?",
    "study pins.yaml": "'pins.yaml' is a file, not a command of flank study; did you mean flank "
    "study run pins.yaml?",
    "rnu monocrank": "'rnu' is not a command of flank; did you mean 'run'? Commands: list, new",
    "check monocrank --set eccentricity = 1.3 mm": "'= 1.3 mm' is more than flank check asks for; "
    "put quotes round a change with spaces, as in --set 'eccentricity = 1.3 mm'",
    "run monocrank --option torque=20 N*m": "as in --option 'torque=20 N*m'",
    "run monocrank --set pins.count=1 --option torque=20 N*m": "as in --set 'eccentricity=1.3 mm'",
    "list hysteresis now": "'now' is more than flank list asks for; see flank list --help",
    "run monocrank --analyis x": "--analyis is not an option of flank run; did you mean "
    "'--analysis'?",
    "run": "flank run needs PRESET|FILE: a preset's name or the path of a spec file.",
    "design planetary": "flank design planetary needs --ratio: speed of the faster over",
    "design planetary --ratio abc": "--ratio: ",
    "check monocrank --set": "--set needs a value after it",
}


@pytest.mark.parametrize(("line", "sentence"), WRONG.items())
def test_wrong_lines(line, sentence):
    result = CliRunner().invoke(app, shlex.split(line))
    assert result.exit_code == 2
    assert sentence in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


def test_the_change_that_is_proposed_can_be_made():
    words = ["check", "monocrank", "--set", "eccentricity = 1.3 mm"]
    assert CliRunner().invoke(app, words).exit_code == 0


def test_no_command_shows_the_help():
    for words in ([], ["design"]):
        result = CliRunner().invoke(app, words)
        assert "Usage: " in result.stdout + result.stderr


def test_the_entry_point_ends_the_same_way():
    ended = run_command("design worm")
    assert (ended.status, ended.stdout) == (2, "")
    assert ended.stderr.startswith(WRONG["design worm"])
    assert ended.stderr.endswith(", as in flank design planetary --ratio 5.55\n")
