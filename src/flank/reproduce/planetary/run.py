"""The study from beginning to end."""

from __future__ import annotations

import math

import numpy as np

from flank.dynamics.run import Progress
from flank.reproduce.planetary.computing import COARSE, FINE, Workshop
from flank.reproduce.planetary.findings import findings
from flank.reproduce.planetary.gearboxes import PRESET, STAGE, gearbox
from flank.reproduce.planetary.mistakes import Evidence, mistakes
from flank.reproduce.planetary.notes import MARKS, NOTES
from flank.reproduce.planetary.pictures import (
    damping_picture,
    stage_picture,
    swing_picture,
    switching_picture,
)
from flank.reproduce.planetary.published import (
    CAPTION_STIFFNESS,
    STAGE_DAMPING,
    STIFFER,
    TABLE_1C,
    TABLE_10A,
    TEXT_STIFFNESS,
)
from flank.reproduce.planetary.stage import RUNGS, StageRun
from flank.reproduce.planetary.stage_tables import phase_table, stage_table, switching_table
from flank.reproduce.planetary.swings import Periods
from flank.reproduce.planetary.switching import courses, offsets, phases
from flank.reproduce.planetary.tables import (
    Swings,
    angle_table,
    area_table,
    damping_table,
    peak_table,
    period_table,
    stiffness_table,
)
from flank.reproduce.study import Study

COMPUTATIONS = 37
"""Computations of the study, for the progress bar."""

SHOWN_TIME = 0.3
"""s of Fig. 12."""

TITLE = "Rigid and flexible planetary gearboxes, Jørgensen et al. computed anew"
LEAD = (
    "Jørgensen, Pedersen, Sørensen, 'Comparison and Implementation of a Rigid and a Flexible "
    "Multibody Planetary Gearbox Model': Table 1c, the table and forces of "
    "Figs. 9 and 10, the switching of Fig. 12 and the 500 kW stage of Fig. 14, on the presets "
    "planetary-paper and planetary-500kw, whose assumptions say what was inferred. Each figure of "
    "the paper has ours beside it. Nothing was adjusted beyond these; the paper's mistakes stand "
    "among the findings."
)


def run(coarse: bool = False, progress: Progress | None = None) -> Study:
    """Everything the command prints and writes."""
    workshop = Workshop(COARSE if coarse else FINE, COMPUTATIONS, progress)
    rigid: Swings = {count: workshop.rigid(count) for count in TABLE_1C}
    text, caption, working = (_swings(workshop, k) for k in _readings())
    damped: Swings = {d: workshop.flexible(3, STIFFER, d) for d in TABLE_10A}
    periods = _periods(workshop)
    first = workshop.first_stage()
    rungs = _rungs(workshop)
    resting = workshop.resting("table")
    places = offsets()
    found = mistakes(Evidence(text, caption, damped[60], periods, first, places))
    readings = {
        "500 N/m, base radius": (text, MARKS["text stiffness"]),
        "1000 N/m, base radius": (caption, MARKS["caption stiffness"]),
        "500 N/m, working radius": (working, MARKS["working radius"]),
    }
    stage = gearbox(STAGE, {})
    return Study(
        title=TITLE,
        lead=LEAD,
        tables={
            "angles": angle_table(rigid, text, MARKS["angles"]),
            "damping": damping_table(damped, rigid[3].angle, MARKS["damping"]),
            "stiffness": stiffness_table(readings),
            "periods": period_table(periods, MARKS["periods"]),
            "areas": area_table(rigid[1], text[1], MARKS["areas"]),
            "peaks": peak_table(damped),
            "stage": stage_table(first, rungs, (MARKS["first"], MARKS["shared"])),
            "switching": switching_table(places, MARKS["switching"]),
            "phases": phase_table(
                {count: phases(count) for count in TABLE_1C},
                stage.mesh_phases().sun,
                MARKS["phases"],
            ),
        },
        notes={MARKS[name]: note for name, note in NOTES.items()},
        findings=findings(rigid, text, damped, rungs, resting.deviation) + found,
        pictures={
            "tooth-forces": swing_picture(rigid, text),
            "damped-forces": damping_picture(rigid[3], damped),
            "switching": switching_picture(_times(), courses(_times())),
            "stage-forces": stage_picture(first, {d: rungs["table", d] for d in STAGE_DAMPING}),
        },
        spec=gearbox(PRESET, {}).spec.to_mapping(),
        complete=workshop.complete,
    )


def _readings() -> tuple[float, float, float]:
    """Stiffnesses: the text's, the caption's, and the text's taken by the working radius."""
    angle = gearbox(PRESET, {}).layout.gears.sun_planet.working_angle
    return TEXT_STIFFNESS, CAPTION_STIFFNESS, TEXT_STIFFNESS / math.cos(angle) ** 2


def _swings(workshop: Workshop, stiffness: float) -> Swings:
    return {count: workshop.flexible(count, stiffness) for count in TABLE_1C}


def _periods(workshop: Workshop) -> dict[tuple[int, float], Periods]:
    asked = [*((count, TEXT_STIFFNESS) for count in TABLE_1C), (3, STIFFER)]
    return {key: workshop.periods(*key) for key in asked}


def _rungs(workshop: Workshop) -> dict[tuple[str, float], StageRun]:
    """Every rung with both dampings; a rigid mesh has none."""
    found = {}
    for rung in RUNGS:
        for damping in (0.0,) if rung == "rigid" else STAGE_DAMPING:
            found[rung, damping] = workshop.stage(rung, damping)
    return found


def _times() -> np.ndarray:
    return np.linspace(0.0, SHOWN_TIME, 3001)
