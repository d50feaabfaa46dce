"""By how much a key of the spec is to be moved so that a rule is kept.

The figure itself is asked, on the machine as it would be: by steps that grow until the rule is
kept, then by halving the last one; or, where a power law is roughly known, by secants on it. What
is found is written with few digits, on the side that keeps the rule, and is tried as it is written.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flank.design.registry import figures_of
from flank.design.rule import Move, Put
from flank.errors import SpecError
from flank.machines.fields import field_at, metadata
from flank.machines.quantities import Quantity
from flank.units import convert

if TYPE_CHECKING:
    from flank.design.figure import Figures
    from flank.design.rule import Rule
    from flank.machines.spec import Spec

FACTORS = (1.02, 1.05, 1.1, 1.2, 1.35, 1.5, 1.8, 2.2, 3.0, 4.0, 6.0, 10.0, 20.0, 50.0, 100.0)
"""By which a key is moved, one after the other, until the rule is kept."""

AMOUNTS = tuple(2.0**k for k in range(12))
"""The same of amounts, times the move's own."""

HALVINGS = 6
"""Between the last step that breaks the rule and the first that keeps it."""

SECANTS = 4
"""Steps on a power law before it is given up."""

SAFETY = 0.003
"""Of the limit, by which a power law aims beyond it."""

BEYOND = 0.05
"""Of the limit, by which a power law may overshoot before it is asked again nearer to it."""

NEARER = 3
"""Times that it is asked again."""

DIGITS = 3
"""Of a value that is found, in the unit in which people write it."""

MOST_STEPS = 40
"""Of whole numbers, one by one."""

MOST_ASKED = 40
"""Machines that are tried for one finding; words alone stand where they are not enough."""


@dataclass(frozen=True)
class Change:
    """What to do so that a rule is kept: in words, and as dotted keys of the spec with values."""

    words: str
    changes: Mapping[str, Any]
    trips: tuple[str, ...] = ()
    """Codes of what it breaks that is kept now, or is mended by what is said before."""


@dataclass(frozen=True)
class Answer:
    """Of a machine as it would be: whether the rule is kept, and the figure over its limit where
    both are known."""

    kept: bool
    share: float = math.nan


Question = Callable[["Figures"], Answer]
"""What is asked of a machine, by its figures."""


class Company:
    """What else is said of the machine, and what a change has to get on with."""

    def figures(self, changes: Mapping[str, Any]) -> Figures:
        """Of the machine as it would be; SpecError where it cannot be built."""
        raise NotImplementedError

    def taken(self, move: Move) -> Iterator[Mapping[str, Any]]:
        """Changes of the same keys, the same way, that mend something else."""
        return iter(())

    def forbids(self, move: Move) -> bool:
        """Whether something else is mended by the opposite."""
        return False

    def held(self, key: str) -> float | None:
        """What a key is at most, by the spec and what else is said."""
        raise NotImplementedError

    def trips(self, changes: Mapping[str, Any], caps: Sequence[str] = ()) -> tuple[str, ...]:
        """Codes of what a change breaks, with what else is said."""
        return ()


class Alone(Company):
    """One question about one machine, whatever else is found."""

    def __init__(self, figures: Figures) -> None:
        self._figures = figures

    def figures(self, changes: Mapping[str, Any]) -> Figures:
        return figures_with(self._figures, changes)

    def held(self, key: str) -> float | None:
        value: float | None = self._figures.present(key)
        return value


def changed(machine: Any, changes: Mapping[str, Any]) -> Any:
    """The machine with some keys of its spec changed; SpecError where it cannot be built."""
    other = type(machine)(machine.spec.with_changes(changes))
    if (known := vars(machine).get(SOLVED)) is not None and _same_statics(machine, other):
        vars(other)[SOLVED] = known
    return other


def figures_with(figures: Figures, changes: Mapping[str, Any]) -> Figures:
    """Of the machine with some keys changed; what was solved and does not change is not again."""
    other = figures_of(changed(figures.machine, changes))
    known = vars(figures).get(LINE)
    if known is not None and _same_statics(figures.machine, other.machine):
        vars(other)[LINE] = known
    return other


SOLVED = "rated_turn"
"""Cached property of machines with their equilibria at the rated torque."""

LINE = "line"
"""Cached property of figures with the output's angle over its torque."""

NOT_IN_STATICS = (
    "operation",
    "peak_torque",
    "rated_life",
    "rated_speed",
    "making",
    "lubrication",
    "motor",
    "duty",
    "tolerances",
)
"""Keys of a spec that leave these equilibria as they are."""


def _same_statics(machine: Any, other: Any) -> bool:
    known, new = machine.spec, other.spec
    return all(
        getattr(known, name) == getattr(new, name)
        for name in type(known).model_fields
        if name not in NOT_IN_STATICS
    )


def remedy_of(
    figures: Figures,
    remedies: Sequence[Move | Put],
    question: Question,
    company: Company | None = None,
) -> Change:
    """The first way out of what is broken that is possible and breaks nothing else, with the values
    that it takes; else the first that is possible, and what it breaks; words alone where none of
    them is enough by itself."""
    others = company or Alone(figures)
    search = _Search(figures, question, others)
    breaking: Change | None = None
    for remedy in remedies:
        changes = search.by(remedy)
        if not changes:
            continue
        tripped = others.trips(changes, remedy.caps if isinstance(remedy, Move) else ())
        if not tripped:
            return Change(remedy.words, changes)
        breaking = breaking or Change(remedy.words, changes, tripped)
    return breaking or Change(" or ".join(each.words for each in remedies), {})


def asked_by(rule: Rule) -> Question:
    """Whether a machine keeps a rule."""

    def ask(figures: Figures) -> Answer:
        value, limit = figures.value(rule.figure), rule.limit_of(figures)
        if value is None or limit is None:
            return Answer(True)
        if math.isnan(value):
            return Answer(False)
        return Answer(rule.kept(value, limit), value / limit if limit else math.nan)

    return ask


@dataclass
class _Search:
    """One thing that is broken of one machine."""

    figures: Figures
    question: Question
    company: Company
    asked: int = 0

    def by(self, remedy: Move | Put) -> dict[str, Any]:
        """The changes of a remedy that are enough, none if there are none."""
        if isinstance(remedy, Put):
            changes = self.written(remedy.values(self.figures))
            return changes if changes and self.keeps(changes) else {}
        if self.company.forbids(remedy):
            return {}
        taken = (dict(each) for each in self.company.taken(remedy) if self.keeps(each))
        return next(taken, None) or self.along(remedy)

    def written(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """SI values as a spec has them, rounded away from what the spec has now."""
        spec = type(self.figures.machine.spec)
        changes = {}
        for key, value in values.items():
            begin = self.figures.present(key)
            both = isinstance(begin, float) and isinstance(value, float)
            up = not both or value > begin
            changes[key] = as_text(spec, key, value, up) if isinstance(value, float) else value
        return changes

    def answer(self, changes: Mapping[str, Any]) -> Answer | None:
        """Of the machine as it would be; None if it cannot be built, or enough were tried."""
        self.asked += 1
        if self.asked > MOST_ASKED:
            return None
        try:
            return self.question(self.company.figures(changes))
        except SpecError:
            return None

    def keeps(self, changes: Mapping[str, Any]) -> bool:
        answer = self.answer(changes)
        return answer is not None and answer.kept

    def along(self, move: Move) -> dict[str, Any]:
        """The changes of a move that are enough, none if there are none."""
        begin = {key: self.figures.present(key) for key in move.keys}
        if any(value is None for value in begin.values()):
            return {}
        if all(isinstance(value, int) for value in begin.values()):
            return self._whole(move, begin)
        held = {key: self.company.held(key) for key in move.caps}
        line = _Line(type(self.figures.machine.spec), move, begin, held)
        found = self._secants(line) if move.power else self._steps(line)
        return found or {}

    def _whole(self, move: Move, begin: Mapping[str, int]) -> dict[str, Any]:
        """Whole numbers, one by one."""
        for step in range(1, MOST_STEPS + 1):
            sign = step if move.up else -step
            changes = {key: value + sign for key, value in begin.items()}
            if min(changes.values()) < 1:
                break
            if self.keeps(changes):
                return changes
        return {}

    def _steps(self, line: _Line) -> dict[str, Any] | None:
        low = 0.0
        if line.move.farthest_first:
            farthest = self.answer(line.written(line.reaches[-1]))
            if farthest is not None and not farthest.kept:
                return None
        for high in line.reaches:
            answer = self.answer(line.written(high))
            if answer is None:
                return self._before_refusal(line, low, high)
            if answer.kept:
                return self._halved(line, low, high)
            low = high
        return None

    def _before_refusal(self, line: _Line, low: float, high: float) -> dict[str, Any] | None:
        """A step beyond which there is no machine: whether something short of it is enough."""
        for _ in range(HALVINGS):
            middle = 0.5 * (low + high)
            answer = self.answer(line.written(middle))
            if answer is None:
                high = middle
            elif answer.kept:
                return self._halved(line, low, middle)
            else:
                low = middle
        return None

    def _halved(self, line: _Line, low: float, high: float) -> dict[str, Any]:
        for _ in range(HALVINGS):
            middle = 0.5 * (low + high)
            if self.keeps(line.written(middle)):
                high = middle
            else:
                low = middle
        return line.written(high)

    def _secants(self, line: _Line) -> dict[str, Any] | None:
        """ln(figure/limit) over the reach, the move's power as its first slope."""
        share = self.question(self.figures).share
        if not 0 < share < math.inf:
            return self._steps(line)
        power = line.move.power * (1 if line.move.up else -1)
        aim = SAFETY if share < 1 else -SAFETY
        reach, level, slope = 0.0, math.log(share), power
        for _ in range(SECANTS):
            step = reach + (aim - level) / slope
            if not 0 < step <= math.log(line.move.most):
                return None
            answer = self.answer(line.written(step))
            if answer is None or not answer.share > 0:
                return None
            found = math.log(answer.share)
            if answer.kept:
                return line.written(self._nearer(line, aim, (reach, level), (step, found)))
            if (found - level) / (step - reach) * power > 0:
                slope = (found - level) / (step - reach)
            reach, level = step, found
        return None

    def _nearer(self, line: _Line, aim: float, broken: Point, keeping: Point) -> float:
        """A shorter reach that keeps the rule as well: a figure that jumps, as a pressure does once
        an edge bears, sends a power law far beyond its limit."""
        for _ in range(NEARER):
            (low, above), (high, below) = broken, keeping
            if abs(below) <= BEYOND:
                break
            reach = low + (high - low) * (aim - above) / (below - above)
            answer = self.answer(line.written(reach))
            if answer is None or not answer.share > 0:
                break
            found = (reach, math.log(answer.share))
            broken, keeping = (broken, found) if answer.kept else (found, keeping)
        return keeping[0]


Point = tuple[float, float]
"""A reach, and ln(figure/limit) there."""


@dataclass(frozen=True)
class _Line:
    """The values of a move's keys over its reach, 0 at the spec as it is: ln of a factor, or an
    amount."""

    spec: type[Spec]
    move: Move
    begin: Mapping[str, float]
    held: Mapping[str, float | None]
    """What the move's caps are now."""

    @property
    def reaches(self) -> list[float]:
        if self.move.amount:
            return [self.move.amount * step for step in AMOUNTS]
        return [math.log(factor) for factor in FACTORS if factor <= self.move.most]

    def written(self, reach: float) -> dict[str, Any]:
        """The changes as a spec has them: text with units, rounded away from where it began."""
        changes = {key: self._value(key, value, reach) for key, value in self.begin.items()}
        first = self.move.keys[0]
        highest = abs(self._number(self.begin[first], reach))
        for key, value in self.held.items():
            if value is not None and abs(value) > highest:
                changes[key] = changes[first] if value > 0 else f"-{changes[first]}"
        return changes

    def _value(self, key: str, begin: float, reach: float) -> str | float | int:
        value = self._number(begin, reach)
        if isinstance(begin, int):
            return math.ceil(value) if self.move.up else max(math.floor(value), 1)
        return as_text(self.spec, key, value, self.move.up)

    def _number(self, begin: float, reach: float) -> float:
        signed = reach if self.move.up else -reach
        return begin + signed if self.move.amount else begin * math.exp(signed)


def as_text(spec: type[Spec], key: str, value: float, up: bool) -> str | float:
    """An SI value of a dotted key as people write it, rounded."""
    field = field_at(spec, tuple(key.split(".")))
    quantity = None if field is None else metadata(field, Quantity)
    if quantity is None or not quantity.shown_unit:
        return rounded(value, up)
    number = rounded(convert(value, quantity.si_unit, quantity.shown_unit), up)
    return f"{number:.12g} {quantity.shown_unit}"


def rounded(value: float, up: bool) -> float:
    """With DIGITS digits, towards plus infinity or minus infinity."""
    if value == 0.0:
        return 0.0
    unit = 10.0 ** (math.floor(math.log10(abs(value))) - DIGITS + 1)
    steps = value / unit
    whole = round(steps)
    if abs(steps - whole) > 1e-9:
        whole = math.ceil(steps) if up else math.floor(steps)
    return whole * unit
