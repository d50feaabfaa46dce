"""Figures of analyses by their names: `transmission-error.peak_to_peak`, or `backlash` alone where
that can mean one of them only. `check.wall_to_root` is one of those that a verdict shows.

A bare name belongs to an analysis that is asked anyway, else to the one that fits the machine and
tells it. Of several that do, those that say which way it is better come first: `sensitivity`
repeats figures of others, and says it of none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flank import units
from flank.analyses.registry import ANALYSES, Analysis, find_analysis
from flank.design.registry import figures_of
from flank.errors import SpecError, suggestion
from flank.machines.quantities import Quantity
from flank.studies.samples import Ask, instance, labels_of, make_ask
from flank.texts import echo, joined, listed

if TYPE_CHECKING:
    from flank.analyses.quantities import Declared, Quantities
    from flank.analyses.result import Result
    from flank.machines.base import Machine


CHECK = "check"
"""In the place of an analysis, for figures of a verdict."""


@dataclass(frozen=True)
class FigureName:
    """An analysis, and one number that it tells, `frequency.3` for one of an array."""

    analysis: str
    quantity: str

    @property
    def full(self) -> str:
        return f"{self.analysis}.{self.quantity}"


@dataclass(frozen=True)
class AskedFigure:
    """A number of an analysis, with its units as the machine's own answer has them."""

    name: FigureName
    title: str
    unit: str
    shown_unit: str
    better: str

    @property
    def full(self) -> str:
        return self.name.full

    @property
    def measure(self) -> Quantity:
        return Quantity(self.unit, self.shown_unit)

    def parse(self, given: Any) -> float:
        """An amount in SI; nobody means 1 rad who writes 1."""
        if units.lacks_unit(given) and self.measure.parse(given) != 0.0:
            meant = self.measure.meant(given)
            if meant:
                raise ValueError(meant)
        return self.measure.parse(given)

    def text(self, value: float, digits: int = 4) -> str:
        """As sentences tell it."""
        return units.format_quantity(value, self.unit, self.shown_unit, digits)


def find_name(text: str, machine: Machine, asked: Iterable[str] = ()) -> FigureName:
    """The figure that was meant, of an analysis that fits the machine; those that are `asked` come
    first. SpecError says what there is."""
    first, _, rest = text.partition(".")
    if first == CHECK:
        return _of_check(rest, machine)
    if first in ANALYSES:
        analysis = find_analysis(first)
        analysis.check_machine(machine)
        if not rest:
            raise SpecError(
                f"'{echo(text)}' is an analysis; name one of its figures, as {_example(analysis)}"
            )
        if not _declared(analysis.quantities, rest):
            raise SpecError(
                f"'{echo(rest)}' is no figure of {first}{suggestion(rest, _names(analysis))} "
                f"There is: {listed(_names(analysis))}"
            )
        return FigureName(first, rest)
    return _bare(text, machine, list(asked))


def _of_check(name: str, machine: Machine) -> FigureName:
    known = [each.name for each in figures_of(machine).declared().values() if each.group]
    if name not in known:
        raise SpecError(
            f"'{echo(name)}' is no figure of the check of '{machine.title}'"
            f"{suggestion(name, known)} There is: {listed(known) or 'none for this kind'}"
        )
    return FigureName(CHECK, name)


def _bare(text: str, machine: Machine, asked: Sequence[str]) -> FigureName:
    fitting = [each for each in ANALYSES.values() if each.fits(machine)]
    telling = [each.name for each in fitting if _declared(each.quantities, text)]
    for choice in (
        [name for name in telling if name in asked],
        [name for name in telling if ANALYSES[name].quantities.better(text)],
        telling,
    ):
        if len(choice) == 1:
            return FigureName(choice[0], text)
        if len(choice) > 1:
            raise SpecError(
                f"'{echo(text)}' is told by several analyses; write "
                f"{joined([f'{name}.{text}' for name in choice], 'or')}"
            )
    known = [name for each in fitting for name in _names(each)]
    raise SpecError(
        f"'{echo(text)}' is no figure of an analysis that fits '{machine.title}'"
        f"{suggestion(text, known)} `flank list ANALYSIS` shows what one tells"
    )


def _names(analysis: Analysis) -> list[str]:
    """Single numbers, as they are declared."""
    return [name for name, each in analysis.quantities.declared.items() if not each.over]


def _example(analysis: Analysis) -> str:
    names = _names(analysis) or [*analysis.quantities.declared]
    liked = [name for name in names if analysis.quantities.better(name)]
    return f"{analysis.name}.{(liked or names)[0]}"


def _declared(quantities: Quantities, name: str) -> Declared | None:
    """The declaration of a number, `frequency.3` by that of its array."""
    base = name.partition(".")[0]
    for declared, each in quantities.declared.items():
        pattern = re.sub(r"\\{\w+\\}", ".+", re.escape(declared))
        if re.fullmatch(pattern, base) and bool(each.over) == ("." in name):
            return each
    return None


def better_of(name: FigureName) -> str:
    """LESS, MORE, or empty where neither is better in itself."""
    if name.analysis == CHECK:
        return ""
    return find_analysis(name.analysis).quantities.better(name.quantity.partition(".")[0])


def asks_of(names: Iterable[FigureName], settings: Mapping[str, Mapping[str, Any]]) -> list[Ask]:
    """The analyses to be run for figures, each once, by the order of their names."""
    wanted: dict[str, list[str]] = {}
    for name in names:
        if name.analysis != CHECK:
            wanted.setdefault(name.analysis, []).append(name.quantity)
    return [
        make_ask(analysis, settings.get(analysis, {}), (), quantities)
        for analysis, quantities in sorted(wanted.items())
    ]


def check_figure(name: FigureName, machine: Machine) -> AskedFigure:
    """A figure of a machine's check; SpecError where this machine has no such thing."""
    figures = figures_of(machine)
    if figures.value(name.quantity) is None:
        raise SpecError(f"{name.full} is not told of '{machine.title}', which has no such thing")
    of = figures.declared()[name.quantity]
    return AskedFigure(name, of.title, of.unit, of.shown_unit, "")


def figure_of(name: FigureName, result: Result) -> AskedFigure:
    """A figure with what a result says of it; SpecError if the result has none of this name."""
    array = result.data.data_vars.get(name.quantity)
    if array is None and "." in name.quantity:
        array = instance(result.data, name.quantity)
    if array is None or array.ndim:
        raise SpecError(_absent(name, result))
    of = array.attrs
    title = of["long_name"]
    if "." in name.quantity:
        title = f"{title}, {name.quantity.partition('.')[2]}"
    return AskedFigure(name, title, of["units"], of["shown_unit"], better_of(name))


def _absent(name: FigureName, result: Result) -> str:
    base = result.data.data_vars.get(name.quantity.partition(".")[0])
    if base is not None:
        labels = [labels_of(base, each) for each in base.dims]
        along = joined([f"{n} {listed(v)}" for n, v in zip(base.dims, labels, strict=True)], "and")
        return f"{name.full} is not one number of {along}"
    there = [figure.name for figure in result.figures()]
    return (
        f"{name.full} is not told of this machine{suggestion(name.quantity, there)} "
        f"{name.analysis} tells: {listed(there)}"
    )
