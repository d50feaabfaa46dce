"""Problems of optimisation whose figures are formulas, so that the optimum is known."""

from collections.abc import Callable

import flank
from flank.design.asked_figures import AskedFigure, FigureName
from flank.design.problem import Limit, Objective, Problem, Trial, Trials
from flank.design.vary import Varied
from flank.machines.quantities import Quantity

FREE = Quantity("", "")


def number(name: str) -> AskedFigure:
    return AskedFigure(FigureName("formula", name), name, "", "", "")


def key(name: str, low: float, high: float, own: float, whole: bool = False) -> Varied:
    return Varied(name, name, FREE, low, high, own, whole)


def problem(
    keys: list[Varied],
    objectives: list[str],
    limits: dict[str, tuple[float, float]] | None = None,
    largest: bool = False,
) -> Problem:
    return Problem(
        flank.preset("cycloidal-drive"),
        tuple(keys),
        tuple(Objective(number(name), largest) for name in objectives),
        tuple(Limit(number(name), *ends) for name, ends in (limits or {}).items()),
        (),
        Trial(-1, tuple(each.own for each in keys)),
    )


class Formulas(Trials):
    """Trials that a formula answers: figures by name of the values, or a sentence of refusal."""

    formula: Callable[..., dict[str, float] | str]

    def compute(self, number: int, values: tuple[float, ...]) -> Trial:
        answer = self.formula(*values)
        if isinstance(answer, str):
            return Trial(number, values, refusal=answer)
        return Trial(number, values, {f"formula.{name}": y for name, y in answer.items()})


def trials(of: Problem, formula: Callable[..., dict[str, float] | str], most: int = 400) -> Trials:
    made = Formulas(of, most)
    made.formula = formula
    return made
