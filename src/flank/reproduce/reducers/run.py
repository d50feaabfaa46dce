"""The study from beginning to end."""

from __future__ import annotations

from collections.abc import Sequence

from flank.dynamics.run import Progress
from flank.reproduce.reducers.computing import (
    COARSE,
    FAST_STAGE,
    FINE,
    Error,
    Traced,
    Workshop,
    reducer,
)
from flank.reproduce.reducers.conditions import (
    CLEARANCES,
    PUBLISHED,
    Condition,
    Figures,
    clearance_change,
    conditions,
)
from flank.reproduce.reducers.findings import Slow, findings
from flank.reproduce.reducers.notes import MARKS, NOTES
from flank.reproduce.reducers.pictures import error_picture, loop_picture
from flank.reproduce.reducers.tables import (
    change_table,
    clearance_table,
    error_table,
    hysteresis_table,
    origin_table,
)
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

LEAD = (
    "The error study of arXiv 2604.02387 (Table 10, Figs. 7 and 8) on the reducer of its public "
    "script, preset rv-paper: five stages of torque at the output, ±3200 N·m, input locked, by "
    "equilibria, with the friction that acts at rest (pins and supports). Loops in time solve the "
    "needles inside their bearings, which is quicker and agrees. Each row of the paper has ours "
    "beside it. Nothing was adjusted to meet a figure."
)

PAPER = "paper"
STATIC = "here, static"
SMOOTH = "here, static, no friction"


def run(coarse: bool = False, progress: Progress | None = None) -> Study:
    """Everything the command prints and writes."""
    workshop = Workshop(COARSE if coarse else FINE, COMPUTATIONS, progress)
    machine = reducer({})
    rows = conditions()
    loops = [workshop.static_loop(condition.changes) for condition in rows]
    nominal = workshop.static_loop({})
    courses = _courses(workshop)
    shown = _shown_errors(rows)
    errors = [workshop.transmission_error(condition.changes) for condition in shown]
    fast, script = (courses[name] for name in (_here(FAST_STAGE), _script(_stage(FAST_STAGE))))
    stage = workshop.fineness.slow_stage
    slow = Slow(stage, courses[_here(stage)][0])
    slopes = {name: courses[name] for name in (SMOOTH, STATIC, _here(FAST_STAGE), PAPER)}
    return Study(
        title="Errors of an RV reducer, arXiv 2604.02387 computed anew",
        lead=LEAD,
        tables={
            "hysteresis": hysteresis_table(rows, loops, MARKS),
            "changes": change_table(rows, loops, nominal),
            "origins": origin_table(courses),
            "clearance": clearance_table(slopes),
            "transmission-error": error_table(shown, errors, abs(machine.load_torque)),
        },
        notes={MARKS[name]: note for name, note in NOTES.items()},
        findings=findings(courses[STATIC], courses[SMOOTH], slow, fast, script),
        pictures=_pictures(rows, loops, shown, errors),
        spec=machine.spec.to_mapping(),
        complete=workshop.complete,
    )


def _courses(workshop: Workshop) -> dict[str, Sequence[Figures]]:
    """Figures over δc of the paper, of ours, and of models and ramps between the two."""
    fine = workshop.fineness

    def static(changes: dict) -> list[Figures]:
        return [
            workshop.static_loop(changes | clearance_change(size)).figures for size in CLEARANCES
        ]

    def fast(changes: dict) -> list[Figures]:
        loops = (
            workshop.ramped_loop(changes | clearance_change(size), FAST_STAGE, fine.fast_step)
            for size in CLEARANCES
        )
        return [loop.figures for loop in loops]

    slow = workshop.ramped_loop({}, fine.slow_stage, fine.slow_step)
    return {
        PAPER: [PUBLISHED[f"δc = {size} µm"] for size in CLEARANCES],
        STATIC: static({}),
        SMOOTH: static(NO_FRICTION),
        _here(fine.slow_stage): [slow.figures],
        _here(FAST_STAGE): fast({}),
        _script("static"): static(SCRIPT_MODEL),
        _script(_stage(FAST_STAGE)): fast(SCRIPT_MODEL),
    }


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


def _pictures(
    rows: list[Condition], loops: list[Traced], shown: list[Condition], errors: list[Error]
) -> dict:
    return {
        "hysteresis-loops": loop_picture(rows, loops),
        "transmission-errors": error_picture(shown, errors),
    }
