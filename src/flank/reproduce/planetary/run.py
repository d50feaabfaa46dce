"""The study from beginning to end."""

from __future__ import annotations

import math

from flank.dynamics.run import Progress
from flank.reproduce.planetary.computing import (
    CAPTION_STIFFNESS,
    COARSE,
    FINE,
    MESH_MODELS,
    PAPER,
    PRESET,
    STAGE_DAMPING,
    STIFFER,
    TABLE_1C,
    TABLE_10A,
    TEXT_STIFFNESS,
    GearboxWorkshop,
    Swings,
    gearbox,
)
from flank.reproduce.planetary.findings import Evidence, findings
from flank.reproduce.planetary.pictures import pictures
from flank.reproduce.planetary.switching import offsets
from flank.reproduce.planetary.tables import tables
from flank.reproduce.study import Study

COMPUTATIONS = 37
"""Computations of the study, for the progress bar."""


def run(coarse: bool = False, progress: Progress | None = None) -> Study:
    """Everything the command prints and writes."""
    workshop = GearboxWorkshop(COARSE if coarse else FINE, COMPUTATIONS, progress)
    return study_of(compute(workshop), workshop.complete)


def study_of(evidence: Evidence, complete: bool) -> Study:
    spec = gearbox(PRESET, {}).spec.to_mapping()
    return PAPER.study(tables(evidence), findings(evidence), pictures(evidence), spec, complete)


def compute(workshop: GearboxWorkshop) -> Evidence:
    angle = gearbox(PRESET, {}).layout.gears.sun_planet.working_angle

    def flexible(stiffness: float) -> Swings:
        return {count: workshop.flexible(count, stiffness) for count in TABLE_1C}

    periods = [*((count, TEXT_STIFFNESS) for count in TABLE_1C), (3, STIFFER)]
    return Evidence(
        rigid={count: workshop.rigid(count) for count in TABLE_1C},
        text=flexible(TEXT_STIFFNESS),
        caption=flexible(CAPTION_STIFFNESS),
        working=flexible(TEXT_STIFFNESS / math.cos(angle) ** 2),
        damped={damping: workshop.flexible(3, STIFFER, damping) for damping in TABLE_10A},
        periods={key: workshop.periods(*key) for key in periods},
        first_stage=workshop.first_stage(),
        stages={
            (model, damping): workshop.stage(model, damping)
            for model in MESH_MODELS
            for damping in ([0.0] if model == "rigid" else STAGE_DAMPING)
        },
        resting=workshop.resting("table"),
        offsets=offsets(),
    )
