"""`flank design planetary` lists what assembles and refuses in sentences."""

import pytest
from typer.testing import CliRunner

from flank.cli.app import app


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
