"""From requirements to machines, and whether a machine may be released: figures, rules, verdicts.

    figure.py       a named figure of a machine, computed when it is asked for
    rule.py         a rule as data: figure, relation, limit, sentence, remedy, source
    remedy.py       by how much a key of the spec is to be moved so that a rule is kept
    registry.py     figures and rules by kind of machine
    verdict.py      `judge(machine)`: figures, findings, margins, a light
    loads.py        static solves that several figures read

    optimization.py  `optimize(problem)`: keys of a spec varied until figures of analyses, by real
                     runs, are as good as can be within limits; made of `vary.py` (keys and their
                     bounds), `asked_figures.py` (figures by name), `problem.py` (what is wanted,
                     and trials of it), `search.py`, `slopes.py` (derivatives, where known)
                     and, for two objectives, `pareto.py`
    comparison.py    `compare(sides)`: machines and results beside one another

A folder a machine holds its figures and its rules; what several machines share stands in `pins/`.

    requirements.py what a machine is to do
    candidate.py    what a kind of machine offers the search; `kinds/` has a file for each
    designing.py    `find_designs(designer)`: enumeration, refinement, verification: a `Shortlist`
    refine.py       continuous values by the search of `flank optimize`, within all limits
    measure.py      what static solves and the verdict say of a machine that is tried
    play.py         how much room a drawn cycloidal drive leaves its output
    designable.py   kinds by the name of the command

`flank.design` is this package and the function of the same name: `flank.design("rv", ...)`.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flank.design.designing import Shortlist


class _Callable(ModuleType):
    """A package that can be called as `flank.api.design` can."""

    def __call__(self, *given: Any, **requirements: Any) -> Shortlist:
        from flank.api import design

        return design(*given, **requirements)


sys.modules[__name__].__class__ = _Callable
