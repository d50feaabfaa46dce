"""Section 5.4 of the paper: batches of reducers with errors drawn at IT3 to IT6.

Grades are those of ISO 286-1 by the nominal size of each feature. Errors are drawn evenly within
their tolerance, by the same numbers for every grade, so that a grade alone makes the difference.
Needles are solved inside their bearings, as in loops in time: as bodies they agree within 0.01
arcmin and take four times as long. Of cranks braced against each other not every loop is found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flank.analyses import hysteresis
from flank.reproduce.reducers.computing import (
    CASES,
    FIT_FROM,
    Figures,
    Fineness,
    ReducerRuns,
    reducer,
    traced_loop,
)
from flank.reproduce.study import Numbers

MICROMETRES = 1e6


LEAST_FOUND = 0.75
"""Share of a batch whose loops must be found."""


@dataclass(frozen=True)
class Batch:
    """Reducers whose errors of some kinds were drawn at one grade; figures of those whose loops
    were found."""

    errors: str  # in words
    grade: str
    radius: float  # ± of the eccentrics, and of their eccentricity, in µm
    eccentricity: float
    figures: Sequence[Figures]
    drawn: int

    @property
    def complete(self) -> bool:
        return self.found >= max(LEAST_FOUND * self.drawn, 2)

    @property
    def found(self) -> int:
        return len(self.figures)

    @property
    def mean(self) -> Figures:
        return Figures(*np.mean(self.figures, axis=0))

    @property
    def deviation(self) -> Figures:
        """Of the reducers, by one less than their number."""
        return Figures(*np.std(self.figures, axis=0, ddof=1))

    @property
    def numbers(self) -> Numbers:
        """A row of the table."""
        return {
            **vars(self),
            "found": f"{self.found} of {self.drawn}",
            "mean": self.mean,
            "deviation": self.deviation,
        }


def batches(runs: ReducerRuns) -> list[Batch]:
    """All grades of all groups of errors."""
    return [
        runs.once(_batch, runs.fineness, errors, kinds, grade)
        for errors, kinds in CASES["graded_errors"].items()
        for grade in CASES["grades"]
    ]


def _batch(fineness: Fineness, errors: str, kinds: Sequence[str], grade: str) -> Batch:
    spec = reducer({}).spec
    limited = {name: kind for name, kind in spec.error_kinds.items() if not kind.direction}
    drawn = kinds or [name for name, kind in limited.items() if kind.size]
    tolerances = {name: grade if name in drawn else 0.0 for name in limited}
    changes = {**CASES["quick_needles"], "tolerances": tolerances}
    graded = reducer(changes).spec
    how = hysteresis.HysteresisSettings(
        points_per_stage=fineness.points_per_stage, fit_from=FIT_FROM
    )
    seeds = range(1, fineness.draws + 1)
    loops = [traced_loop({"errors.seed": seed, **changes}, how) for seed in seeds]
    return Batch(
        errors,
        grade,
        graded.tolerance("crank_pin_radius") * MICROMETRES,
        graded.tolerance("eccentricity") * MICROMETRES,
        [loop.figures for loop in loops if loop.complete],
        len(loops),
    )


def nominal_figures(runs: ReducerRuns) -> Figures:
    """Of the reducer that batches deviate from."""
    return runs.static_loop(CASES["quick_needles"]).figures


def largest_change(of: Sequence[Batch], nominal: Figures, figure: str) -> float:
    """By which a figure of any reducer differs from the nominal one, in percent of it."""
    base: float = getattr(nominal, figure)
    sizes: list[float] = [
        abs(getattr(each, figure) / base - 1) for batch in of for each in batch.figures
    ]
    return 100 * max(sizes)
