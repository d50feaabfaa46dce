"""The study from beginning to end: what is computed, tables and pictures."""

from __future__ import annotations

from flank.dynamics.run import Progress
from flank.reproduce.hypoid import pictures
from flank.reproduce.hypoid.computing import (
    CASES,
    COARSE,
    FINE,
    PAIRS,
    PAPER,
    STAND_IN,
    Fineness,
    costs,
    errors,
    machine_of,
    rolled,
)
from flank.reproduce.hypoid.findings import Evidence, PairEvidence, findings, tables
from flank.reproduce.hypoid.one_position import position, printed
from flank.reproduce.hypoid.unloaded import misaligned, unloaded
from flank.reproduce.study import Study, StudyRuns

COMPUTATIONS = 11
"""Of each pair, for the progress bar."""


def run(coarse: bool = False, progress: Progress | None = None) -> Study:
    """Everything the command prints and writes."""
    runs = runs_of(COARSE if coarse else FINE, progress)
    return study_of(compute(runs), runs.complete)


def runs_of(fine: Fineness, progress: Progress | None = None) -> StudyRuns:
    return StudyRuns(fine, COMPUTATIONS * len(PAIRS), progress)


def study_of(evidence: Evidence, complete: bool) -> Study:
    drawn = {
        "contact-lines": pictures.line_picture(evidence),
        "iterations": pictures.iteration_picture(evidence),
        "contact-angle": pictures.angle_picture(evidence),
        "transmission-error": pictures.error_picture(evidence),
        "torque": pictures.torque_picture(evidence),
        "derivative": pictures.derivative_picture(evidence),
        "hand-over": pictures.hand_over_picture(evidence),
    }
    spec = machine_of(STAND_IN).spec.to_mapping()
    return PAPER.study(tables(evidence), findings(evidence), drawn, spec, complete)


def compute(runs: StudyRuns) -> Evidence:
    return {pair: _of_pair(runs, pair) for pair in PAIRS}


def _of_pair(runs: StudyRuns, pair: str) -> PairEvidence:
    fine: Fineness = runs.fineness
    once, published = runs.once, PAPER.published
    cases = tuple(CASES["rolls"])
    roll = once(rolled, pair, cases, fine.steps)
    growing = tuple(f"{word}/{points}" for points in fine.points for word in ("old", "new"))
    return PairEvidence(
        roll=roll,
        growing=once(rolled, pair, growing, fine.few_steps),
        position=once(position, pair, published["points"], roll.lag),
        printed=once(printed, pair, published["points"], roll.lag, fine.few_steps),
        errors={
            count: once(errors, pair, tuple(CASES["errors"]), count, roll.lag)
            for count in fine.errors
        },
        costs=once(costs, pair, tuple(CASES["timed"]), roll.lag, fine.timed),
        unloaded={
            driving: once(unloaded, pair, driving, fine.positions, fine.turned)
            for driving in (True, False)
        },
        misaligned={
            driving: once(misaligned, pair, driving, fine.positions) for driving in (True, False)
        },
    )
