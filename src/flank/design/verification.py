"""What a shortlisted design is asked before it is shown: a loop, its transmission error, and the
load lines of machines drawn within its tolerances."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from flank.analyses.registry import find_analysis
from flank.design.loads import LoadLine
from flank.errors import SpecError
from flank.studies.backends import Chunk, Threads
from flank.studies.samples import BROKEN, COMPLETE, FAILED, REFUSED, Outcome, Sampler
from flank.studies.spec import StudySpec
from flank.studies.study import make_study

if TYPE_CHECKING:
    from flank.analyses.result import Result
    from flank.arrays import Floats
    from flank.design.measure import Asked
    from flank.dynamics.run import Progress

Tell = Callable[[float], None]

DRAWN = ("backlash", "lost_motion", "stiffness")
"""Figures of the load line that are told of drawn machines."""


@dataclass(frozen=True)
class Verification:
    """Results of the design as drawn, and of so many machines within tolerance the figures of each
    (draw,) by name; `failures` are sentences."""

    results: dict[str, Result]
    drawn: dict[str, Any] = field(default_factory=dict)
    draws: int = 0
    complete: int = 0
    failures: tuple[str, ...] = ()
    asked: tuple[Asked, ...] = ()  # what the requirements limit of them

    @property
    def passed(self) -> bool:
        return not self.failures

    def share(self, name: str, most: float) -> float:
        """Of the draws that keep a limit."""
        return float(np.mean(np.abs(self.drawn[name]) <= most))


def verify(
    machine: Any, analyses: Sequence[str], draws: int, seed: int, tell: Tell | None = None
) -> Verification:
    """`tell` is told the share done."""
    results, failures = {}, []
    for name in analyses:
        analysis = find_analysis(name)
        result = analysis.run(machine, analysis.checked_settings({}), _begun(tell))
        results[name] = result
        if not result.complete:
            failures.append(f"{name}: {result.outcome}")
    if not draws or failures:
        return Verification(results, failures=tuple(failures))
    outcomes = drawn_outcomes(machine, draws, seed, tell)
    complete = [each for each in outcomes if each.status == COMPLETE]
    if len(complete) < draws:
        wrong = next(each for each in outcomes if each.status != COMPLETE)
        failures.append(f"{draws - len(complete)} of {draws} draws fail: {wrong.sentence}")
    drawn = {name: np.array([each.figures[name] for each in complete]) for name in DRAWN}
    return Verification(results, drawn, draws, len(complete), tuple(failures))


class LoadLines(Sampler):
    """Of each drawn machine the load line: friction left out, as in figures of a check, the loop's
    branches are one line, and a few equilibria tell what a whole loop does."""

    def outcome(self, values: Floats, progress: Progress | None = None) -> Outcome:
        try:
            machine: Any = type(self.machine)(self.spec(values))
            line = LoadLine(machine)
            figures = {name: getattr(line, name) for name in DRAWN}
        except SpecError as error:
            return Outcome(REFUSED, "; ".join(error.problems))
        except Exception as error:  # one odd machine may not end a search
            return Outcome(BROKEN, f"{type(error).__name__}: {error}")
        if not all(map(math.isfinite, figures.values())):
            return Outcome(FAILED, "no equilibrium under the rated torque or a share of it")
        return Outcome(COMPLETE, figures=figures)


def _begun(tell: Tell | None) -> Tell | None:
    """Of analyses before draws: they count for nothing, but may be stopped."""
    return None if tell is None else lambda share: tell(0.0)


def drawn_outcomes(machine: Any, draws: int, seed: int, tell: Tell | None = None) -> list[Outcome]:
    """Of machines with every deviation evenly spread within its tolerance, as `flank study` draws
    them."""
    kinds = [name for name, kind in machine.spec.error_kinds.items() if not kind.direction]
    data = {
        "machine": machine.spec.to_mapping(units=False),
        "varies": {f"errors.{name}": {} for name in kinds},
        "asks": {"hysteresis": {}},
        "samples": draws,
        "seed": seed,
    }
    plan = make_study(StudySpec.from_mapping(data), machine, Path.cwd()).sampler.plan
    known = 0

    def done(count: int) -> None:
        nonlocal known
        known += count
        if tell is not None:
            tell(known / draws)

    outcomes: list[Outcome] = []
    solved = getattr(machine, "by_formulas", machine)
    for _, part in Threads().run(LoadLines(solved, plan, ()), [Chunk(0, 0, draws)], done):
        outcomes += part
    return outcomes
