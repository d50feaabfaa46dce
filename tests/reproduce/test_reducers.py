"""The study of arXiv 2604.02387: every row of the paper, and what must come out beside it."""

import csv
import math
from dataclasses import replace

import numpy as np
import pytest
from shared import computed_once
from verdicts import check_verdicts, sentence_on

from flank.report.folder import write_document
from flank.report.text import study_text
from flank.report.writers import file_names, writers_of
from flank.reproduce.reducers.computing import (
    CASES,
    COARSE,
    CRANK_CIRCLE,
    PAPER,
    PUBLISHED,
    Error,
    Figures,
    ReducerRuns,
    Traced,
    conditions,
    reducer,
)
from flank.reproduce.reducers.pictures import error_picture, loop_picture
from flank.reproduce.reducers.run import (
    COMPUTATIONS,
    PRINTED,
    SMOOTH,
    STATIC,
    compute,
    findings,
    study_of,
)
from flank.reproduce.registry import REPRODUCTIONS


def run_coarsely():
    """All that was computed, whether it completed, and the progress that was told."""
    progress = []
    runs = ReducerRuns(COARSE, COMPUTATIONS, progress.append)
    return compute(runs), runs.complete, progress


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return computed_once(tmp_path_factory, "reducers", run_coarsely)


@pytest.fixture(scope="module")
def computed(run):
    return run[:2]


@pytest.fixture(scope="module")
def progress(run):
    return run[2]


@pytest.fixture(scope="module")
def study(computed):
    return study_of(*computed)


def test_every_verdict_follows_from_its_numbers(study):
    check_verdicts(study)


def test_falsified_numbers_change_the_sentences(computed, study):
    """With the paper's own figures in the place of ours."""
    evidence, _ = computed
    place = "K_T of the nominal reducer"
    assert sentence_on(study.findings, place).startswith(f"{place} is not met: ")
    printed = evidence.figures[PRINTED]
    figures = {**evidence.figures, STATIC: printed, SMOOTH: printed}
    found = findings(replace(evidence, figures=figures))
    assert sentence_on(found, place).startswith(f"{place} is met: ")
    assert "as in all of Table 10, is met: " in sentence_on(found, "That BL is above LM")
    place = "BL of the nominal reducer"
    assert sentence_on(found, place).startswith(f"{place} is met: ")


def columns(table):
    return [dict(zip(table.headings, row, strict=True)) for row in table.rows]


def row_of(table, condition, applied):
    found = [
        row
        for row in columns(table)
        if row["condition"] == condition and row["applied here"].startswith(applied)
    ]
    assert len(found) == 1
    return found[0]


def test_every_row_of_the_paper_stands_beside_ours_with_its_figures(study):
    rows = columns(study.tables["hysteresis"])
    assert list(dict.fromkeys(row["condition"] for row in rows)) == list(PUBLISHED)
    for row in rows:
        paper = PUBLISHED[row["condition"]]
        assert [float(row[f"{name} paper"]) for name in ("K_T", "LM", "BL")] == list(paper)
        assert all(math.isfinite(float(row[f"{name} here"])) for name in ("K_T", "LM", "BL"))
        assert row["note"] in study.notes


def test_it_completes_and_reports_its_progress(study, progress):
    assert study.complete
    assert progress == sorted(progress)
    assert progress[-1] == 1.0
    assert progress[-2] < 1.0


def test_every_note_is_cited(study):
    cited = {row["note"] for row in columns(study.tables["hysteresis"])}
    assert cited == set(study.notes) == set(PAPER.marks.values())


def test_lost_motion_exceeds_backlash_unless_the_ramp_is_fast(study):
    for row in columns(study.tables["hysteresis"]):
        assert float(row["LM-BL here"]) > 0 > float(row["LM-BL paper"])
    origins = {row["model and ramp"]: row for row in columns(study.tables["origins"])}
    fast = origins["here, 0.01 s a stage"]
    assert float(fast["LM 0"]) < float(fast["BL 0"])
    assert float(fast["LM 0"]) < 0.5 * float(origins["here, static"]["LM 0"])


def test_backlash_follows_the_closed_form_without_friction(study):
    rows = {row["source"]: row for row in columns(study.tables["clearance"])}
    closed = float(rows["closed form, 2/R_crank"]["per µm between the races"])
    assert closed == pytest.approx(2e-6 / CRANK_CIRCLE * 180 / math.pi * 60, abs=5e-5)
    found = float(rows["here, static, no friction"]["per µm between the races"])
    assert found == pytest.approx(closed, rel=0.04)


def test_equal_phases_and_bores_that_follow_change_nothing(study):
    changes = study.tables["changes"]
    rows = [
        row_of(changes, "δφ = -120″", "all"),
        row_of(changes, "δφ = +120″", "all"),
        row_of(changes, "δr = -10 µm", "script"),
    ]
    for row in rows:
        assert abs(float(row["BL here"])) < 2e-3
        assert abs(float(row["K_T here"])) < 0.02


def test_eccentricity_error_uses_up_clearance(study):
    """√(c² - δe²)/c = 0.8 of the play is left."""
    table = study.tables["hysteresis"]
    nominal = float(row_of(table, "δe = 0 µm", "nominal")["BL here"])
    for condition in ("δe = -6 µm", "δe = +6 µm"):
        left = float(row_of(table, condition, "all")["BL here"]) / nominal
        assert left == pytest.approx(0.8, abs=0.05)


def test_pictures_leave_out_what_failed():
    """A loop or error without points must not keep the rest from being drawn."""
    nothing = np.zeros(0)
    failed = Traced(Figures(), nothing, nothing, complete=False)
    line = np.linspace(-1.0, 1.0, 41)
    rows = conditions()
    loops = [Traced(failed.figures, line, line, complete=True), *[failed] * (len(rows) - 1)]
    picture = loop_picture(rows, loops)
    assert [len(axes.texts) + len(axes.get_lines()) for axes in picture.axes] == [3, 0, 0, 0]
    errors = [Error(nothing, nothing, complete=False)] * len(rows)
    assert len(error_picture(rows, errors).axes) == 4


def test_draws_are_those_of_the_script():
    """As its sources list them: -2.5, +9.0, +4.6 µm and -30, +108, +56 arcsec."""
    assert [round(10 * share, 1) for share in CASES["draws"]] == [-2.5, 9.0, 4.6]
    assert [round(120 * share) for share in CASES["draws"]] == [-30, 108, 56]


def test_bores_that_follow_keep_the_clearance():
    following = next(row for row in conditions() if row.note == "radius script")
    errors = reducer(following.changes).errors
    assert (errors["crank_pin_radius"] == errors["hole_radius"].T).all()
    assert errors["crank_pin_radius"][1, 0] == pytest.approx(9.01e-6)


def test_the_crank_circle_is_the_presets():
    assert reducer({}).spec.cranks.circle_radius == CRANK_CIRCLE


def test_files_hold_what_is_printed(study, tmp_path):
    names = {path.name for path in write_document(study.document, tmp_path)}
    assert names == {path.name for path in tmp_path.iterdir()}
    known = REPRODUCTIONS["reducers"]
    assert names == set(file_names(known.outline, writers_of("study")))
    assert {"hysteresis.csv", "tables.md", "report.html", "hysteresis-loops.png"} <= names
    table = study.tables["hysteresis"]
    with (tmp_path / "hysteresis.csv").open(encoding="utf-8", newline="") as file:
        read = list(csv.DictReader(file))
    assert [row["K_T here"] for row in read] == [row["K_T here"] for row in columns(table)]
    assert read[0]["note"].startswith("A smaller eccentric")  # the words, not the number
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert page.count("<img src='data:image/png;base64,") == len(study.pictures) == 2
    markdown = (tmp_path / "tables.md").read_text(encoding="utf-8")
    printed = study_text(study.document)
    for row in table.rows:
        assert "| " + " | ".join(row) + " |" in markdown
        assert row[3] in printed


def test_batches_have_the_widths_of_their_grades(study):
    """Eccentrics 26 mm in diameter, an eccentricity of 1.5 mm: a quarter and half of the width."""
    rows = columns(study.tables["grades"])
    assert [row["grade"] for row in rows] == 3 * ["IT3", "IT4", "IT5", "IT6"]
    radius, throw, both = rows[:4], rows[4:8], rows[8:]
    widths = [float(row["± δr µm"]) for row in radius]
    assert widths == pytest.approx([1, 1.5, 2.25, 3.25], abs=6e-3)
    assert [float(row["± δe µm"]) for row in throw] == [1, 1.5, 2, 3]
    assert all(float(row["± δe µm"]) == 0 for row in radius)
    assert [float(row["± δe µm"]) for row in both] == [1, 1.5, 2, 3]


def test_a_wider_grade_of_the_eccentrics_spreads_backlash_more(study):
    spread = [float(row["s of BL"]) for row in columns(study.tables["grades"])[:4]]
    assert spread == sorted(spread)
    assert spread[-1] > 2 * spread[0] > 0
