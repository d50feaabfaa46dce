"""The study from beginning to end."""

from __future__ import annotations

from typing import Any

from flank.dynamics.run import Progress
from flank.reproduce.reducers.computing import (
    COARSE,
    FAST_STAGE,
    FINE,
    ReducerWorkshop,
    Traced,
    reducer,
)
from flank.reproduce.reducers.conditions import (
    CLEARANCES,
    PAPER,
    Condition,
    clearance_change,
    conditions,
)
from flank.reproduce.reducers.findings import (
    PRINTED,
    PUBLISHED_COURSE,
    SMOOTH,
    STATIC,
    Course,
    Evidence,
    findings,
)
from flank.reproduce.reducers.pictures import pictures
from flank.reproduce.reducers.tables import tables
from flank.reproduce.study import Study

COMPUTATIONS = 37
"""Computations of the study, for the progress bar."""

NO_FRICTION = {"friction.pins": 0, "friction.turning_arm": 0, "friction.supports": 0}
SCRIPT_MODEL = {
    "cranks.shaft": "rigid",
    "discs.body": "rigid",
    "carrier.body": "rigid",
    "contact.law": "penalty",
    "contact.exponent": 10 / 9,
    "contact.stiffness": 1e9,
}
"""Rigid parts and the script's contact constant, taken in SI; its pins alone are by Hertz."""


def run(coarse: bool = False, progress: Progress | None = None) -> Study:
    """Everything the command prints and writes."""
    workshop = ReducerWorkshop(COARSE if coarse else FINE, COMPUTATIONS, progress)
    return study_of(compute(workshop), workshop.complete)


def study_of(evidence: Evidence, complete: bool) -> Study:
    spec = reducer({}).spec.to_mapping()
    return PAPER.study(tables(evidence), findings(evidence), pictures(evidence), spec, complete)


def compute(workshop: ReducerWorkshop) -> Evidence:
    rows, stage = conditions(), workshop.fineness.slow_stage
    shown = _shown_errors(rows)
    return Evidence(
        rows=rows,
        loops=[workshop.static_loop(row.changes) for row in rows],
        nominal=workshop.static_loop({}),
        courses=_courses(workshop),
        shown=shown,
        errors=[workshop.transmission_error(row.changes) for row in shown],
        fast=_here(FAST_STAGE),
        slow=_here(stage),
        script=_script(_stage(FAST_STAGE)),
        stage=stage,
    )


def _courses(workshop: ReducerWorkshop) -> dict[str, Course]:
    """Figures over δc of the paper, of ours, and of models and ramps between the two."""
    fine = workshop.fineness

    def static(changes: dict[str, Any]) -> Course:
        return _figures([workshop.static_loop(changes | clearance_change(c)) for c in CLEARANCES])

    def fast(changes: dict[str, Any]) -> Course:
        each = [changes | clearance_change(size) for size in CLEARANCES]
        return _figures([workshop.ramped_loop(one, FAST_STAGE, fine.fast_step) for one in each])

    slow = workshop.ramped_loop({}, fine.slow_stage, fine.slow_step)
    return {
        PRINTED: PUBLISHED_COURSE,
        STATIC: static({}),
        SMOOTH: static(NO_FRICTION),
        _here(fine.slow_stage): _figures([slow]),
        _here(FAST_STAGE): fast({}),
        _script("static"): static(SCRIPT_MODEL),
        _script(_stage(FAST_STAGE)): fast(SCRIPT_MODEL),
    }


def _figures(loops: list[Traced]) -> Course:
    return [loop.figures for loop in loops]


def _stage(duration: float) -> str:
    return f"{duration:g} s a stage"


def _here(stage: float) -> str:
    return f"here, {_stage(stage)}"


def _script(ramp: str) -> str:
    return f"rigid, script's constant, {ramp}"


def _shown_errors(rows: list[Condition]) -> list[Condition]:
    """One nominal, and all others but equal phases, which turn the cranks only."""
    nominal = next(condition for condition in rows if not condition.changes)
    others = (condition for condition in rows if condition.changes and condition.note != "phase")
    return [nominal, *others]
