"""The study from beginning to end: what was computed, its tables, findings and pictures."""

from __future__ import annotations

from dataclasses import asdict

from flank.arrays import Floats
from flank.dynamics.run import Progress
from flank.plots.style import Picture
from flank.reproduce.pictures import drawn
from flank.reproduce.spur.finite_gear import BODY, GEAR, MATERIAL
from flank.reproduce.spur.table_1 import (
    COARSE,
    FINE,
    PAPER,
    Table1,
    frequency_rows,
    numbers,
    reduction_rows,
    table_1,
)
from flank.reproduce.study import Study, StudyRuns

COMPUTATIONS = 1
"""Computations of the study, for the progress bar."""


def run(coarse: bool = False, progress: Progress | None = None) -> Study:
    """Everything the command prints and writes."""
    runs = StudyRuns(COARSE if coarse else FINE, COMPUTATIONS, progress)
    return study_of(runs.once(table_1, runs.fineness), runs.complete)


def study_of(table: Table1, complete: bool) -> Study:
    rows = {"frequencies": frequency_rows(table), "reductions": reduction_rows(table)}
    findings = PAPER.judged(numbers(table))
    spec = {"gear": asdict(GEAR), "body": asdict(BODY), "material": asdict(MATERIAL)}
    return PAPER.study(rows, findings, {"assurance": assurance_picture(table)}, spec, complete)


def assurance_picture(table: Table1) -> Picture:
    """Fig. 3, with modal coordinates observed at nodes and without any."""
    with drawn(PAPER, "assurance") as (picture, panels):
        for axes, model in zip(panels, (table.observed, table.guyan), strict=True):
            values: Floats = model.found.assurance
            count = len(values)
            ends = (0.5, count + 0.5, count + 0.5, 0.5)
            axes.imshow(values, cmap="Blues", vmin=0, vmax=1, extent=ends)
            axes.grid(visible=False)
            for k, value in enumerate(model.found.subspace_assurance, start=1):
                colour = "white" if values[k - 1, k - 1] > 0.5 else "black"
                axes.text(k, k, f"{value:.2f}", ha="center", va="center", size=6, color=colour)
    return picture
