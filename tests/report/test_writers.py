"""One registry of formats: what a run and a study write, and what is known again."""

import csv
import functools

import pytest
from typer.testing import CliRunner

import flank
from flank.cli.app import app
from flank.errors import SpecError
from flank.io.tables import Column, table
from flank.report.document import Writer
from flank.report.folder import is_replaceable, write_document
from flank.report.writers import WRITERS
from flank.reproduce.registry import Reproduction
from flank.reproduce.study import Finding, Study

RUN = ["run", "monocrank", "--analysis", "load-distribution", "--out", "o"]
TABLE = table("Figures", [Column("case", ["one, two"]), Column("size", [1.5], ".2f")])
STUDY = Study("A study", "What was done.", {"figures": TABLE}, {}, [Finding("So.")], {})
PLAIN = ["drive.png", "contact-loads.png", "report.html", "result.nc", "spec.yaml"]


@functools.cache
def result():
    return flank.run(flank.preset("monocrank"), "load-distribution")


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def own(monkeypatch, tmp_path):
    """A format of the test's own, and a quick study."""
    writer = Writer(
        ".txt", lambda outline: ["titles.txt"], lambda document, name: f"{document.title}\n"
    )
    monkeypatch.setitem(WRITERS, "titles", writer)
    monkeypatch.setattr(Reproduction, "run", property(lambda self: lambda *given: STUDY))
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("words", "title"), [(RUN, None), (["reproduce", "reducers", "--out", "o"], "A study")]
)
def test_a_new_format_serves_runs_and_studies(own, tmp_path, words, title):
    for _ in range(2):  # its own file is replaced
        told = CliRunner().invoke(app, [*words, "--format", "titles"])
        assert told.exit_code == 0, told.stderr
    assert (tmp_path / "o" / "titles.txt").read_text() == f"{title or result().title}\n"
    assert "titles.txt" in told.stdout
    (tmp_path / "o" / "titles.txt").write_text("")
    assert CliRunner().invoke(app, [*words, "--format", "titles"]).exit_code == 2


def test_a_wrong_format_is_refused_before_the_run(own, tmp_path):
    told = CliRunner().invoke(app, [*RUN, "--format", "cvs"])
    assert told.exit_code == 2
    known = "netcdf, spec, csv, xlsx, json, markdown, png, html, titles"
    assert told.stderr == (
        f"'cvs' is not a format of a run; did you mean 'csv'? Formats: {known}\n"
    )
    assert names(tmp_path) == []
    told = CliRunner().invoke(app, ["reproduce", "reducers", "--format", "netcdf"])
    assert told.exit_code == 2
    assert "'netcdf' is not a format of a study" in told.stderr


def test_all_numbers_of_a_run_as_csv(tmp_path):
    flank.save(result(), tmp_path, ["csv", "markdown"])
    with (tmp_path / "summary.csv").open(encoding="utf-8", newline="") as file:
        summary = {row["quantity"]: row for row in csv.DictReader(file)}
    for figure in result().figures():
        assert float(summary[figure.title]["value"]) == pytest.approx(
            flank.units.convert(figure.value, figure.unit, figure.shown_unit), rel=1e-11
        )
    dataset = result().dataset
    forces = dataset["pin_force"]
    sheet = tmp_path / f"by-{'-'.join(forces.dims)}.csv"
    with sheet.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == forces.size
    heading = next(name for name in rows[0] if name.startswith(forces.attrs["long_name"]))
    shown = [float(row[heading]) for row in rows]
    scale = flank.units.convert(1.0, forces.attrs["units"], forces.attrs["shown_unit"])
    assert shown == pytest.approx((forces.values * scale).ravel().tolist(), rel=1e-11)
    markdown = (tmp_path / "tables.md").read_text(encoding="utf-8")
    assert markdown.startswith(f"# {result().title}\n\nAsked for: ")
    assert "| quantity | value | unit |" in markdown


def test_files_without_a_mark_go_with_the_page_that_names_them(tmp_path):
    flank.save(result(), tmp_path, ["csv"])
    assert all(is_replaceable(path) for path in tmp_path.iterdir())
    (tmp_path / "mine.csv").write_text("a,b\n")
    assert not is_replaceable(tmp_path / "mine.csv")
    flank.save(result(), tmp_path)
    assert names(tmp_path) == sorted([*PLAIN, "mine.csv"])
    (tmp_path / "summary.csv").write_text("mine")
    with pytest.raises(SpecError, match=r"summary\.csv there was not written by Flank"):
        flank.save(result(), tmp_path, ["csv"])


def test_a_study_leaves_the_result_of_a_run_alone(tmp_path):
    flank.save(result(), tmp_path, ["markdown"])
    write_document(STUDY.document, tmp_path)
    assert names(tmp_path) == ["figures.csv", "report.html", "result.nc", "spec.yaml", "tables.md"]


def test_one_formatter_for_all_columns():
    values = [1.005, -0.001, float("nan"), None, "named"]
    cells = [row[0] for row in table("", [Column("x", values, "+.2f")]).rows]
    assert cells == ["+1.00", "0.00", "-", "-", "named"]
    shown = table("T", [Column("name", ["a"]), Column("n", [3], "d"), Column("note", ["1"])])
    assert shown.words == [True, False, False]
    assert shown.rows == [["a", "3", "1"]]
