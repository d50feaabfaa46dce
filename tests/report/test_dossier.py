"""One dossier a machine: its parts, what fails in it, what it is refused for."""

import json

import pytest
from commands import run_command
from daily import daily

import flank
from flank.analyses.registry import ANALYSES
from flank.presets import preset_names
from flank.report import dossier as module
from flank.report.dossier import ASKED, Asked, Dossier, dossier_outline
from flank.report.html import page

QUICK = (Asked("load-distribution", "Who carries the load"), Asked("hysteresis", "Loop"))


@pytest.fixture
def quick(monkeypatch):
    """With two analyses only, which take no time."""
    monkeypatch.setattr(module, "ASKED", QUICK)


def test_it_has_what_a_release_needs(quick):
    made = Dossier.of(flank.preset("cycloidal-drive"), "B", "E. Noether")
    document = made.document
    block = document.details["Title"]
    assert (block["Revision"], block["Author"]) == ("B", "E. Noether")
    assert {"Title", "Machine", "Date", "Spec", "Kernels", "Flank"} <= set(block)
    assert made.complete
    assert [part.short for part in document.parts] == [
        "verdict",
        "drawing",
        "data",
        "load-distribution",
        "hysteresis",
    ]
    assert document.data["verdict"]["light"] == made.verdict.light
    text = page(document)
    assert text.count("<section class='part'") == 5
    assert "E. Noether" in text
    assert "@page" in text
    assert "src='http" not in text
    assert "href='http" not in text


def test_margins_name_figures_by_their_titles(quick):
    """Also those that no group of figures shows."""
    document = Dossier.of(flank.preset("cycloidal-drive")).document
    named = {row[0]: row[1] for row in document.parts[0].tables["margins"].rows}
    assert named["overloaded"] == "load at the operating point over the rated torque"
    assert named["pin-pressure"] == "largest pressure at a pin"


def test_dimensions_are_those_of_the_spec(quick):
    """40 pins of 6 mm on 128 mm, 8 output rollers on 84 mm, discs of 124.6 mm."""
    document = Dossier.of(flank.preset("cycloidal-drive")).document
    (features,) = document.parts[1].below
    rows = {row[0]: row[1:] for row in features.rows}
    assert rows["pin"] == ["40", "6.0000", "-", "128.00"]
    assert rows["output roller"] == ["8", "10.000", "-", "84.000"]
    assert float(rows["disc"][1]) == pytest.approx(124.6, abs=0.1)


def test_an_analysis_that_fails_is_told_and_the_others_are_kept(quick, monkeypatch, tmp_path):
    def broken(*given):
        raise RuntimeError("the sky fell")

    monkeypatch.setattr(ANALYSES["load-distribution"].module, "run", broken)
    made = flank.dossier(flank.preset("cycloidal-drive"), tmp_path / "out")
    assert not made.complete
    assert [answer.complete for answer in made.answers] == [False, True]
    text = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "RuntimeError: the sky fell" in text
    assert "Not all of it completed: load distribution." in text
    assert "hysteresis-hysteresis.png" in {path.name for path in (tmp_path / "out").iterdir()}


def test_a_run_that_does_not_end_is_kept_as_far_as_it_went(quick, monkeypatch):
    from flank.analyses import hysteresis

    whole = hysteresis.run

    def half(machine, settings, progress):
        result = whole(machine, settings, progress)
        result.data.attrs["complete"] = 0
        result.data.attrs["outcome"] = "No equilibrium was found at 3 N*m."
        return result

    monkeypatch.setattr(hysteresis, "run", half)
    made = Dossier.of(flank.preset("cycloidal-drive"))
    assert not made.complete
    assert made.answers[1].told.startswith("incomplete: No equilibrium")
    assert "No equilibrium was found" in page(made.document)


def test_the_command_writes_it(quick, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = run_command(["dossier", "cycloidal-drive", "--out", "d", "--revision", "B"])
    assert result.status == 0
    assert "hysteresis" in result.stdout
    names = {path.name for path in (tmp_path / "d").iterdir()}
    assert {"report.html", "tables.xlsx", "numbers.json", "spec.yaml"} <= names
    assert names <= {
        "report.html",
        "tables.xlsx",
        "numbers.json",
        "spec.yaml",
        *(f"{name}.png" for name in dossier_outline().pictures),
    }
    numbers = json.loads((tmp_path / "d" / "numbers.json").read_text(encoding="utf-8"))
    assert numbers["parts"][4]["heading"] == "Loop"
    assert numbers["data"]["provenance"]["spec_hash"]
    again = run_command(["dossier", "cycloidal-drive", "--out", "d"])
    assert again.status == 0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("no-such",), "no-such"),
        (("cycloidal-drive", "--set", "eccentricity=9 mm"), "eccentricity"),
        (("cycloidal-drive", "--format", "pdf"), "'pdf' is not a format of a dossier"),
        (("cycloidal-drive", "--out", " "), "--out is empty"),
    ],
)
def test_wrong_input_is_refused_before_anything_is_computed(words, sentence, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = run_command(["dossier", *words])
    assert result.status == 2
    assert sentence in result.stderr
    assert not list(tmp_path.iterdir())


def test_what_is_not_ours_is_left_alone(quick, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "tables.xlsx").write_text("mine")
    result = run_command(["dossier", "cycloidal-drive", "--out", "d"])
    assert result.status == 2
    assert "tables.xlsx there was not written by Flank" in result.stderr
    assert (tmp_path / "d" / "tables.xlsx").read_text() == "mine"


@pytest.mark.parametrize("name", daily(preset_names()))
def test_every_machine_is_asked_something_that_fits_it(name):
    machine = flank.preset(name)
    fitting = [asked for asked in ASKED if ANALYSES[asked.analysis].fits(machine)]
    assert len(fitting) >= 2
    for asked in fitting:
        ANALYSES[asked.analysis].checked_settings(asked.settings)


def test_a_string_is_no_machine():
    with pytest.raises(flank.errors.SpecError, match="make the machine first"):
        flank.dossier("cycloidal-drive")
