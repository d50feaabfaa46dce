"""What static solves and rules say of a machine that is tried, and what the requirements limit."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from flank.design.verdict import GEOMETRY, judge
from flank.machines.machine import RatedMachine
from flank.units import format_quantity

if TYPE_CHECKING:
    from flank.design.candidate import Designer, Envelope
    from flank.design.requirements import Requirements
    from flank.design.verdict import Verdict


class Asked(NamedTuple):
    """A figure with a limit by the requirements: at most so much, or at least where `least`.
    `power` of its ratio to the limit is by how much size has to grow, where that is known."""

    name: str
    title: str
    value: float
    limit: float
    unit: str
    shown_unit: str
    least: bool = False
    power: float | None = None

    @property
    def excess(self) -> float:
        """By which share the limit is broken, less than nothing where it is kept."""
        if not math.isfinite(self.value):
            return math.inf
        if math.isinf(self.limit):
            return -math.inf
        over = (self.value - self.limit) / abs(self.limit)
        return -over if self.least else over

    @property
    def words(self) -> str:
        """The figure with its limit."""
        value, limit = (
            format_quantity(each, self.unit, self.shown_unit, 4)
            for each in (self.value, self.limit)
        )
        return f"{self.title} {value}, {'at least' if self.least else 'at most'} {limit}"


PRESSED = {"pin": "pins", "roller": "output rollers", "needle": "needles"}
"""Groups of contacts whose pressure is limited, and what they are called."""

LARGEST_SHARE = 1.0
"""To which margins of rules are cut: a limit of zero has none."""


@dataclass(frozen=True)
class Measured:
    """What is known of one machine: its verdict, and the figures that the requirements limit."""

    machine: Any
    envelope: Envelope
    asked: tuple[Asked, ...]
    verdict: Verdict

    @cached_property
    def figures(self) -> Any:
        return figures_with_play(self.machine, self.verdict.figures)

    @property
    def margin(self) -> float:
        """The least share that is left of any limit of the requirements."""
        return min((-each.excess for each in self.asked), default=math.inf)

    @cached_property
    def excesses(self) -> dict[str, float]:
        """By which shares limits are broken, by name: those of the requirements, those of the rules
        of `check`, and 1 for what the machine finds itself."""
        shares = {each.name: each.excess for each in self.asked}
        for margin in self.verdict.margins:
            if margin.rule.severity == "note" or math.isnan(margin.share):
                continue
            if margin.share != 0.0:  # what meets its limit to the digit is a number that was given
                share = -min(max(margin.share, -LARGEST_SHARE), LARGEST_SHARE)
                shares[f"check: {margin.rule.code}"] = share
        for finding in self.verdict.findings:
            if finding.severity != "note" and finding.source == GEOMETRY:
                shares[f"check: {finding.code}"] = 1.0
        return shares

    @property
    def holding(self) -> str:
        """What has the least margin, in words: the first limit that a change would meet."""
        name = max(self.excesses, key=lambda each: (self.excesses[each], each), default="")
        if not name:
            return ""
        return f"{self.words_of(name)} ({100 * -self.excesses[name]:.2g} % left)"

    def words_of(self, name: str) -> str:
        """A limit that is broken, in words."""
        for each in self.asked:
            if each.name == name:
                return each.words
        code = name.removeprefix("check: ")
        found = self.verdict.found(code)
        return found.message if found is not None else f"the rule {code} of flank check"


def measure(designer: Designer, machine: Any) -> Measured:
    """Of a machine that was built from a design."""
    envelope, verdict = designer.envelope(machine), judge(machine)
    figures = figures_with_play(machine, verdict.figures)
    asked = (*_envelope(designer.wanted, envelope), *designer.asked(machine, figures))
    return Measured(machine, envelope, asked, verdict)


def figures_with_play(machine: Any, figures: Any) -> Any:
    """Those of the verdict if they tell of play and stiffness; those of any reducer else."""
    if "lost_motion" in figures.declared() or not isinstance(machine, RatedMachine):
        return figures
    from flank.design.reducer import ReducerFigures

    return ReducerFigures(machine)


def _envelope(wanted: Requirements, envelope: Envelope) -> Iterator[Asked]:
    if wanted.outer_diameter is not None:
        limit = wanted.outer_diameter
        yield Asked("diameter", "outer diameter", envelope.diameter, limit, "m", "mm")
    if wanted.length is not None:
        yield Asked("length", "length", envelope.length, wanted.length, "m", "mm")


def play_and_stiffness(wanted: Any, figures: Any) -> Iterator[Asked]:
    """Of reducers, as far as there are limits."""
    for name, title, unit, shown, least in PLAY:
        limit = getattr(wanted, name)
        if limit is not None:
            value = abs(getattr(figures, name))
            yield Asked(name, title, value, limit, unit, shown, least)


PLAY = (
    ("backlash", "backlash", "rad", "arcmin", False),
    ("lost_motion", "lost motion", "rad", "arcmin", False),
    ("stiffness", "torsional stiffness", "N*m/rad", "N*m/arcmin", True),
)


def pressures(machine: Any, limits: Mapping[str, float]) -> Iterator[Asked]:
    """Largest contact pressures at the rated torque, over a turn of the input, by the group of
    contacts that is limited."""
    turn = machine.rated_turn
    for group, limit in limits.items():
        title = f"pressure at {PRESSED[group]}"
        value = math.inf
        if turn.known:
            value = float(turn.trajectory.pressure(turn.group(group)).max())
        yield Asked(f"{group}-pressure", title, value, limit, "Pa", "MPa")
