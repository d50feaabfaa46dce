"""The study of Bruzzone et al.: what is met, what makes the jumps, the paper's mistakes."""

import csv

import numpy as np
import pytest
from shared import computed_once
from verdicts import check_verdicts, sentence_on

from flank.report.folder import write_document
from flank.report.writers import file_names, writers_of
from flank.reproduce.registry import REPRODUCTIONS
from flank.reproduce.spur.computing import COARSE
from flank.reproduce.spur.run import compute, runs_of, study_of
from flank.reproduce.spur.table_1 import numbers


@pytest.fixture(scope="module")
def evidence(tmp_path_factory):
    return computed_once(tmp_path_factory, "spur", lambda: compute(runs_of(COARSE)))


@pytest.fixture(scope="module")
def table(evidence):
    return evidence.gear


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


def test_verdicts_follow_from_numbers(evidence):
    study = study_of(evidence, complete=True)
    check_verdicts(study)
    assert "229 coordinates" in sentence_on(study.findings, "The column of errors")
    assert sum(finding.mistake > 0 for finding in study.findings) == 9


def test_two_changes_make_it_jump_and_one_does_not(evidence):
    """Without tip edges, with stiff bodies, with 5 % of damping."""
    jumping = {name for name, swept in evidence.sweeps.items() if swept.bands}
    assert not jumping & {"as the paper has it", "no tip edges", "damping 5 %", "stiff bodies"}
    assert jumping >= {
        "no tip edges, damping 5 %",
        "no tip edges, stiff bodies",
        "damping 5 %, stiff bodies",
        "all three",
    }


def test_contact_is_lost_on_the_upper_branch_alone(evidence):
    name = "no tip edges, damping 5 %"
    above, below = (evidence.dwelling[name, 2400.0, side] for side in ("above", "below"))
    assert below.apart == 0
    assert 0.3 < above.apart < 0.5
    assert above.losses == pytest.approx(1.0)
    assert above.rms > 2 * below.rms
    assert np.count_nonzero(above.forces.max(axis=0)) > above.record.shape[0]


def test_both_formulations_roll_alike(evidence):
    """Off the jumps and on springs by load; near a third of the natural frequency and above the
    band with two states more than 24 modes are needed for 1 %."""
    usual, more, by_load, unbalanced, _ = evidence.formulations
    assert len(usual.each) == 6
    for each in usual.each:
        assert abs(each.difference) < 0.02
        assert each.dense.apart == pytest.approx(each.fast.apart, abs=0.05)
    assert max(each.fast.apart for each in usual.each) > 0.1
    assert more.largest < 0.01 < usual.largest
    assert by_load.largest < 0.01
    assert unbalanced > 0.1


def test_bodies_that_vibrate_have_the_same_natural_frequency(evidence):
    """By impacts: the inertia is set for it in every case."""
    rigid, vibrating = (
        evidence.impacts[name, 150.0].frequency for name in ("rigid bodies", "bodies vibrate")
    )
    np.testing.assert_allclose(vibrating, rigid, rtol=0.01)


def test_at_half_the_natural_frequency_there_are_no_two_states(evidence):
    """As the paper has it, and said so."""
    above, below = (evidence.dwelling["all three", 1350.0, side] for side in ("above", "below"))
    assert above.rms == pytest.approx(below.rms, rel=1e-3)
    sentence = sentence_on(study_of(evidence, True).findings, "Figs. 11 and 13")
    assert "met in part" in sentence
    assert "1.000 here (above 1.2, two states)" in sentence


def test_notes_name_what_was_computed(evidence):
    notes = study_of(evidence, True).notes.values()
    assert any("0.6 s each way" in note for note in notes)
    assert not any("{" in note for note in notes)


def test_edges_of_tips_carry_what_the_load_adds(evidence):
    with_edges, without = evidence.loaded[True].mesh, evidence.loaded[False].mesh
    assert np.all(np.diff(with_edges.effective_contact_ratio) > 0)
    np.testing.assert_allclose(without.effective_contact_ratio, 1.758, atol=0.01)


def test_files_hold_what_is_printed(evidence, tmp_path):
    document = study_of(evidence, True).document
    names = {path.name for path in write_document(document, tmp_path)}
    assert names == set(file_names(REPRODUCTIONS["spur"].outline, writers_of("study")))
    with (tmp_path / "reductions.csv").open(encoding="utf-8", newline="") as file:
        read = list(csv.DictReader(file))
    table = evidence.gear
    assert [row["model"] for row in read[1:]] == [model.name for model in table.models]
    assert float(read[1]["10"]) == pytest.approx(table.guyan.errors[9], rel=0.1)
