"""Table 1 and Fig. 3 of Bruzzone et al.: what is met, and what shows the paper's mistakes."""

import csv

import pytest
from shared import computed_once
from verdicts import check_verdicts, sentence_on

from flank.report.folder import write_document
from flank.report.writers import file_names, writers_of
from flank.reproduce.registry import REPRODUCTIONS
from flank.reproduce.spur.run import study_of
from flank.reproduce.spur.table_1 import COARSE, numbers, table_1


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    return computed_once(tmp_path_factory, "spur", lambda: table_1(COARSE))


def test_229_coordinates_meet_table_1_by_modes_only(table):
    for model in (table.modal, table.observed):
        assert model.size == 229
        assert model.largest < 0.05
        assert model.least > -1e-6
        assert model.assurance > 0.95
    assert table.guyan.size == 229
    assert table.guyan.least > 1.0


def test_few_modes_leave_the_mark_of_table_1(table):
    """One mode of a pair hardly moves the teeth that are held, and is met far better."""
    values = numbers(table)
    assert values["splits"].max() < 0.1
    assert 0.05 / 3 < table.few.largest < 0.05 * 3


def test_torsion_needs_a_locked_bore(table):
    assert numbers(table)["free_torsion"] > 20
    ratio = table.frequencies[5] / table.frequencies[0]
    assert ratio == pytest.approx(11319.5 / 7999.3, rel=0.05)


def test_verdicts_follow_from_numbers(table):
    study = study_of(table, complete=True)
    check_verdicts(study)
    assert "229 coordinates" in sentence_on(study.findings, "The column of errors")
    assert sum(finding.mistake > 0 for finding in study.findings) == 3


def test_files_hold_what_is_printed(table, tmp_path):
    names = {path.name for path in write_document(study_of(table, True).document, tmp_path)}
    assert names == set(file_names(REPRODUCTIONS["spur"].outline, writers_of("study")))
    assert {"frequencies.csv", "reductions.csv", "assurance.png"} <= names
    with (tmp_path / "reductions.csv").open(encoding="utf-8", newline="") as file:
        read = list(csv.DictReader(file))
    assert [row["model"] for row in read[1:]] == [model.name for model in table.models]
    assert float(read[1]["10"]) == pytest.approx(table.guyan.errors[9], rel=0.1)
