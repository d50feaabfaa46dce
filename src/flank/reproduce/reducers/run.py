"""The study from beginning to end: what was computed, its tables and findings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from flank.arrays import Floats
from flank.dynamics.run import Progress
from flank.io.shown import factor
from flank.reproduce.reducers.computing import (
    CASES,
    CLEARANCES,
    COARSE,
    CRANK_CIRCLE,
    FAST_STAGE,
    FINE,
    PAPER,
    PUBLISHED,
    SIDES_OF_A_NEEDLE,
    Condition,
    Error,
    Figures,
    ReducerRuns,
    Traced,
    clearance_change,
    conditions,
    reducer,
)
from flank.reproduce.reducers.grades import Batch, batches, largest_change, nominal_figures
from flank.reproduce.reducers.pictures import error_picture, loop_picture
from flank.reproduce.study import Finding, Numbers, Study

COMPUTATIONS = 50
"""Computations of the study, for the progress bar; a batch is one."""

FiguresOverClearance = Sequence[Figures]
"""At each δc, as far as it was computed."""

PRINTED = "paper"
STATIC = "here, static"
SMOOTH = "here, static, no friction"
ECCENTRICITY = "eccentricity, δe"
EVERYWHERE = "all sizes and places"
FAST = f"here, {FAST_STAGE:g} s a stage"
SCRIPT = "rigid, script's constant, "
PUBLISHED_FIGURES = [PUBLISHED[f"δc = {size} µm"] for size in CLEARANCES]

BACKLASH_PER_CLEARANCE = 2 / CRANK_CIRCLE
"""Closed form of dBL/dc in rad/m for a radial clearance c between the races."""


@dataclass(frozen=True)
class Evidence:
    """Loops and transmission errors of conditions, and figures over δc of models and ramps, by
    name; `slow` is the one among them whose stages last `stage` seconds."""

    rows: Sequence[Condition]
    loops: Sequence[Traced]
    nominal: Traced
    shown: Sequence[Condition]
    errors: Sequence[Error]
    figures: Mapping[str, FiguresOverClearance]
    graded: Sequence[Batch]
    graded_nominal: Figures
    slow: str
    stage: float


def run(coarse: bool = False, progress: Progress | None = None) -> Study:
    """Everything the command prints and writes."""
    runs = ReducerRuns(COARSE if coarse else FINE, COMPUTATIONS, progress)
    return study_of(compute(runs), runs.complete)


def study_of(evidence: Evidence, complete: bool) -> Study:
    pictures = {
        "hysteresis-loops": loop_picture(evidence.rows, evidence.loops),
        "transmission-errors": error_picture(evidence.shown, evidence.errors),
    }
    spec = reducer({}).spec.to_mapping()
    return PAPER.study(tables(evidence), findings(evidence), pictures, spec, complete)


def compute(runs: ReducerRuns) -> Evidence:
    rows, stage = conditions(), runs.fineness.slow_stage
    shown = _shown_errors(rows)
    slow = f"here, {stage:g} s a stage"
    return Evidence(
        rows=rows,
        loops=[runs.static_loop(row.changes) for row in rows],
        nominal=runs.static_loop({}),
        figures=_over_clearance(runs, slow),
        graded=batches(runs),
        graded_nominal=nominal_figures(runs),
        shown=shown,
        errors=[runs.transmission_error(row.changes) for row in shown],
        slow=slow,
        stage=stage,
    )


def _over_clearance(runs: ReducerRuns, slow: str) -> dict[str, FiguresOverClearance]:
    """Figures over δc of the paper, of ours, and of models and ramps between the two."""
    fine = runs.fineness

    def static(changes: Mapping[str, Any]) -> FiguresOverClearance:
        each = [{**changes, **clearance_change(size)} for size in CLEARANCES]
        return [runs.static_loop(case).figures for case in each]

    def fast(changes: Mapping[str, Any]) -> FiguresOverClearance:
        each = [{**changes, **clearance_change(size)} for size in CLEARANCES]
        return [runs.ramped_loop(case, FAST_STAGE, fine.fast_step).figures for case in each]

    return {
        PRINTED: PUBLISHED_FIGURES,
        STATIC: static({}),
        SMOOTH: static(CASES["no_friction"]),
        slow: [runs.ramped_loop({}, fine.slow_stage, fine.slow_step).figures],
        FAST: fast({}),
        f"{SCRIPT}static": static(CASES["script_model"]),
        f"{SCRIPT}{FAST_STAGE:g} s a stage": fast(CASES["script_model"]),
    }


def _shown_errors(rows: list[Condition]) -> list[Condition]:
    """One nominal, and all others but equal phases, which turn the cranks only."""
    nominal = next(condition for condition in rows if not condition.changes)
    others = (condition for condition in rows if condition.changes and condition.note != "phase")
    return [nominal, *others]


def findings(evidence: Evidence) -> list[Finding]:
    """From the static loops with and without friction, and the ramps of both models."""
    figures = evidence.figures
    static, smooth, slow = (figures[name][0] for name in (STATIC, SMOOTH, evidence.slow))
    fast, script = figures[FAST], figures[f"{SCRIPT}{FAST_STAGE:g} s a stage"]
    paper = PUBLISHED_FIGURES[0]
    everywhere = [each.mean.gap for each in evidence.graded if each.errors == EVERYWHERE]
    throws = [each for each in evidence.graded if each.errors == ECCENTRICITY]
    backlashes = [each.backlash for each in (static, smooth, slow, fast[0], script[0])]
    return PAPER.judged({
        "paper": paper,
        "paper_widest": PUBLISHED_FIGURES[-1],
        "static": static,
        "smooth": smooth,
        "slow": slow,
        "stage": evidence.stage,
        "fast": fast[0],
        "fast_widest": fast[-1],
        "script": script[0],
        "nearest_backlash": min(backlashes, key=lambda each: abs(each - paper.backlash)),
        "widening": static.backlash - smooth.backlash,
        "graded_gaps": everywhere,
        **{
            f"eccentricity_{name}": largest_change(throws, evidence.graded_nominal, name)
            for name in Figures._fields
        },
    })  # fmt: skip


def tables(evidence: Evidence) -> dict[str, Sequence[Numbers]]:
    """The rows of all of them by name."""
    beside: list[Numbers] = [
        {
            "row": row,
            "note": row.note,
            "paper": PUBLISHED[row.printed],
            "here": loop.figures,
            "printed": row.nominal,
            "nominal": evidence.nominal.figures,
        }
        for row, loop in zip(evidence.rows, evidence.loops, strict=True)
    ]
    changed = [{**row, "note": None} for row in beside if row["row"].changes]
    missing = [Figures()] * len(CLEARANCES)
    compared = (SMOOTH, STATIC, FAST, PRINTED)
    return {
        "hysteresis": beside,
        "changes": changed,
        "origins": [
            {"name": name, "figures": [*figures, *missing]}
            for name, figures in evidence.figures.items()
        ],
        "clearance": _slopes({name: evidence.figures[name] for name in compared}),
        "transmission-error": _errors(evidence.shown, evidence.errors),
        "grades": [batch.numbers for batch in evidence.graded],
    }


def _slopes(figures: Mapping[str, FiguresOverClearance]) -> list[Numbers]:
    """Of backlash over clearance, the closed form's first."""
    closed = BACKLASH_PER_CLEARANCE * factor("rad", "arcmin") * 1e-6
    slopes: dict[str, Floats] = {"closed form, 2/R_crank": np.full(2, closed * SIDES_OF_A_NEEDLE)}
    for name, each in figures.items():
        slopes[name] = np.diff([figure.backlash for figure in each]) / np.diff(CLEARANCES)
    return [
        {"source": name, "slopes": each, "mean": each.mean() / SIDES_OF_A_NEEDLE, "closed": closed}
        for name, each in slopes.items()
    ]


def _errors(rows: Sequence[Condition], errors: Sequence[Error]) -> list[Numbers]:
    """Transmission errors in seconds of arc."""
    arcsecond = factor("rad", "arcsec")
    nominal = next(e for row, e in zip(rows, errors, strict=True) if not row.changes)
    return [
        {
            "condition": row.printed if row.changes else "nominal",
            "applied": row.applied if row.changes else "",
            "peak_to_peak": error.peak_to_peak * arcsecond,
            "nominal": nominal.peak_to_peak * arcsecond,
            "mean": error.mean * arcsecond,
        }
        for row, error in zip(rows, errors, strict=True)
    ]
