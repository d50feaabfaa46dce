"""The study of Wagner et al.: what is met, the printed scheme, and how teeth hand over."""

import csv

import numpy as np
import pytest
from shared import computed_once
from verdicts import check_verdicts, sentence_on

from flank.report.folder import write_document
from flank.report.writers import file_names, writers_of
from flank.reproduce.hypoid.computing import COARSE, DESIGNED, PAIRS, STAND_IN
from flank.reproduce.hypoid.run import compute, runs_of, study_of
from flank.reproduce.registry import REPRODUCTIONS


@pytest.fixture(scope="module")
def evidence(tmp_path_factory):
    return computed_once(tmp_path_factory, "hypoid", lambda: compute(runs_of(COARSE)))


def test_verdicts_follow_from_numbers(evidence):
    study = study_of(evidence, complete=True)
    check_verdicts(study)
    assert "new/40 against old/200" in sentence_on(study.findings, "Fig. 11")
    assert sum(finding.mistake > 0 for finding in study.findings) == 6


@pytest.mark.parametrize("pair", PAIRS)
def test_few_sections_carry_what_200_points_carry(evidence, pair):
    roll = evidence[pair].roll
    assert abs(roll.offset("new/40", "old/200")) < 0.2
    assert roll.mean("new/40") == pytest.approx(323, rel=0.1)
    assert roll.least_force.min() >= 0
    assert roll.way_difference[roll.row("new/40")] < 1e-6
    assert not roll.unsolved.any()


@pytest.mark.parametrize("pair", PAIRS)
def test_both_methods_meet_as_points_grow(evidence, pair):
    growing = evidence[pair].growing
    apart = [abs(growing.offset(f"new/{count}", f"old/{count}")) for count in COARSE.points]
    assert apart[-1] < apart[0]


@pytest.mark.parametrize("pair", PAIRS)
def test_steps_written_out_end_where_the_solver_does(evidence, pair):
    """Deletion takes out what pulls in its first step, and keeps it out."""
    position = evidence[pair].position
    np.testing.assert_allclose(position.settled[-1], position.forces, atol=1e-6)
    first, last = position.deleted[0], position.deleted[-1]
    assert (first < 0).any()
    assert np.isnan(last[first < 0]).all()
    assert np.nanmin(last) > 0
    assert position.slope_error < 0.02


def test_the_printed_scheme_pulls_where_the_law_does_not(evidence):
    printed = evidence[STAND_IN].printed
    assert (printed.pulling > 0).mean() > 0.9
    assert printed.single_circles[-3.0] == 1
    assert printed.single_pulls[-0.5] == 1
    assert printed.single[0.0] == pytest.approx(0.123, abs=1e-3)


def test_teeth_of_the_stand_in_go_on_to_their_edges(evidence):
    """Turning the gear out of the way of all points says so without equations of contact."""
    stand_in, designed = (evidence[pair].unloaded[True] for pair in (STAND_IN, DESIGNED))
    assert stand_in.crossing[1] == pytest.approx(7.57, abs=0.1)
    assert stand_in.peak_to_peak > 2.5 * stand_in.crossing[1]
    assert stand_in.on_edge > 0.2
    assert designed.crossing[1] < -30
    assert designed.on_edge == 0
    for each in (stand_in, designed):
        assert each.turned_difference < 0.6
        assert each.mirrored == pytest.approx(each.peak_to_peak, rel=1e-9)


def test_200_points_cost_far_more_than_few_sections(evidence):
    time = evidence[STAND_IN].costs.time
    assert time["old/200"] > 5 * time["new/40"]


def test_files_hold_what_is_printed(evidence, tmp_path):
    document = study_of(evidence, True).document
    names = {path.name for path in write_document(document, tmp_path)}
    assert names == set(file_names(REPRODUCTIONS["hypoid"].outline, writers_of("study")))
    with (tmp_path / "rolls.csv").open(encoding="utf-8", newline="") as file:
        read = list(csv.DictReader(file))
    roll = evidence[STAND_IN].roll
    assert [row["method/points"] for row in read[: len(roll.cases)]] == list(roll.cases)
    assert float(read[0]["mean, N·m"]) == pytest.approx(roll.mean("old/40"), rel=1e-4)
