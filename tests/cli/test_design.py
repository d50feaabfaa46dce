"""`flank design planetary` lists what assembles and refuses in sentences."""

import pytest
from commands import run_command
from typer.testing import CliRunner

from flank.cli.app import app
from flank.design.kinds.cycloidal import CycloidalDesigner


def call(*words):
    result = CliRunner().invoke(app, ["design", "planetary", *words])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def test_lists_the_nearest_ratio_first():
    result = call("--ratio", "5.55", "--limit", "3")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "Ring held; ratio of sun to carrier near 5.55:"
    assert lines[4].split()[:6] == ["20", "35", "91", "3", "5.5500", "+0.00"]
    assert "sequential 2/3" in lines[4]
    assert "translational" in lines[4]
    assert lines[7] == ""
    assert "more; see them with --limit" in lines[8]
    assert max(len(line) for line in lines) <= 80
    assert "…" not in result.stdout


def test_options_reach_the_search():
    text = call("--ratio", "-4", "--held", "carrier", "--planets", "3", "--shift", "0").stdout
    assert text.startswith("Carrier held; ratio of sun to ring near 4:")
    rows = [line.split() for line in text.splitlines()[4:24]]
    assert {row[3] for row in rows} == {"3"}
    assert {row[6] for row in rows} == {"0"}
    assert rows[0][4] == "-4.0000"
    small = call("--ratio", "4", "--sun-max", "20", "--ring-max", "60", "--teeth-min", "18").stdout
    rows = [line.split() for line in small.splitlines() if line.strip()[:1].isdigit()]
    assert all(18 <= int(row[0]) <= 20 for row in rows)
    assert all(int(row[2]) <= 60 for row in rows)
    wide = call("--ratio", "5.55", "--clearance", "20", "--tolerance", "0.001").stdout
    assert wide.splitlines()[4].split()[:3] == ["40", "71", "182"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--ratio", "1.9"], "the sun turns between 2 and 14.93 times as fast as the carrier"),
        (["--ratio", "5", "--planets", "5"], "between 2 and 4.852 times"),
        (["--ratio", "2.5", "--held", "sun"], "the ring turns between 1.072 and 2 times"),
        (["--ratio", "1.5", "--held", "sun", "--planets", "2,x"], "as in 3,4,5, not '2,x'"),
        (["--ratio", "5", "--planets", "0"], "between 1 and 20, not at 0"),
        (["--ratio", "5", "--held", "rign"], "did you mean 'ring'?"),
        (["--ratio", "nan"], "--ratio is nan"),
        (["--ratio", "5", "--tolerance", "-0.1"], "--tolerance is between 0 and 0.5, not -0.1."),
        (["--ratio", "5", "--teeth-min", "70"], "--sun-max is between 70 and 2000, not 60."),
        (["--ratio", "5", "--clearance", "-1"], "--clearance is at least 0, not -1."),
        (["--ratio", "5", "--limit", "0"], "--limit is at least 1, not 0."),
        (["--ratio", "2.05"], "No tooth numbers give 2.05 within 2 % with 3, 4 or 5 planets"),
    ],
)
def test_refuses_in_one_sentence(words, sentence):
    result = call(*words)
    assert result.exit_code == 2
    assert sentence in result.stderr
    assert result.stderr.count("\n") == 1
    assert not result.stdout


QUICK = ["--designs", "1", "--draws", "2"]


def test_a_drive_is_found_written_and_checked(tmp_path, monkeypatch):
    """What is saved is a spec that `flank check` passes; the same folder is written again."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(CycloidalDesigner, "heads", 2)
    monkeypatch.setattr(CycloidalDesigner, "evaluations", 8)
    words = ["design", "cycloidal", "--ratio", "11", "--torque", "20 N*m", *QUICK, "--save", "out"]
    ended = run_command(words)
    assert ended.status == 0, ended.stderr
    assert "Cycloidal drives: 1 found." in ended.stdout
    assert "Why the others fell" in ended.stdout
    assert max(map(len, ended.stdout.splitlines()[:-1])) <= 80
    first = (tmp_path / "out" / "design-1.yaml").read_bytes()
    assert run_command("check out/design-1.yaml --strict").status == 0
    assert run_command(words).stdout == ended.stdout
    assert (tmp_path / "out" / "design-1.yaml").read_bytes() == first
    assert "design-1-drive" in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")


def test_a_spec_that_was_edited_refuses_the_folder_before_the_search(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "design-1.yaml").write_text("mine", encoding="utf-8")
    words = ["design", "cycloidal", "--ratio", "11", "--torque", "20 N*m", "--save", "out"]
    ended = run_command(words)
    assert ended.status == 2
    assert "design-1.yaml there was not written by Flank" in ended.stderr
    assert (tmp_path / "out" / "design-1.yaml").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--torque", "20 N*m"], "ratio is missing"),
        (["--ratio", "29.5", "--torque", "20 N*m"], "nearest are 29 and 30"),
        (["--ratio", "29", "--torque", "20 mm"], "torque: '20 mm' is a length"),
        (
            ["--ratio", "29", "--torque", "20 N*m", "--outer-diameter", "120"],
            "did you mean '120 mm'",
        ),
        (["--ratio", "29", "--torque", "20 N*m", "--open"], "give --save FOLDER too"),
        (["--ratio", "29", "--torque", "9 kN*m", "--outer-diameter", "60 mm"], "across needed"),
        (["--ratio", "29", "--torque", "20 N*m", "--rank", "price"], "rank"),
        (
            ["--ratio", "29", "--torque", "20 N*m", "--material", "16MnCr"],
            "material: '16MnCr' is not a material; did you mean '16MnCr5'? Known: steel",
        ),
    ],
)
def test_wrong_requirements_are_refused_in_sentences(words, sentence):
    ended = run_command(["design", "cycloidal", *words])
    assert ended.status == 2
    assert sentence in ended.stderr
    assert "Traceback" not in ended.stderr
