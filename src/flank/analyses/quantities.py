"""Quantities of results, declared before any run: what they mean, their units, their dimensions.

An analysis declares all that its results may hold in one table; a run gives values by name, and
what is not in the table cannot come into a result.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from flank.analyses.labelled import Variable

if TYPE_CHECKING:
    from flank.dynamics.grouping import ContactGroup


LESS, MORE = "less", "more"
"""Which of two machines' values is the better one, where that can be said of a quantity alone."""


class Declared(NamedTuple):
    """A quantity that results may have: what it means, its SI unit, the unit that people read if
    that is another, and its dimensions with blanks between them.

    What stands in braces is known to the run alone, which fills it in; without a run it is read as
    it stands there. `{group}` is a group of contacts: its name in the quantity's name, its title in
    the title, its dimensions among those of the quantity. `better` is LESS, MORE, or empty.
    """

    title: str
    unit: str = ""
    shown_unit: str = ""
    over: str = ""
    better: str = ""

    @property
    def meaning(self) -> str:
        return re.sub("[{}]", "", self.title)

    @property
    def units(self) -> str:
        """Those that people read."""
        return re.sub("[{}]", "", self.shown_unit or self.unit)


@dataclass(frozen=True, eq=False)
class Read:
    """Values with what their declaration leaves to the run: words for its braces, a group.

    `scale` is the size, in SI, of what it is a difference or a remainder of, where that is not
    among the other values of its unit: what is round-off of it is shown as zero. `at_zero` is what
    people read in place of a zero.
    """

    values: ArrayLike
    words: Mapping[str, str] = field(default_factory=dict)
    group: ContactGroup | None = None
    scale: float = 0.0
    at_zero: str = ""


Values = dict[str, ArrayLike | Read]
"""What a run gives, by the names of quantities."""

Declarations = dict[str, Declared]


def number(given: ArrayLike | Read) -> float:
    """The value of a figure."""
    return float(np.asarray(given.values if isinstance(given, Read) else given))


@dataclass(frozen=True)
class Quantities:
    """All that results of one analysis may hold.

    `coordinates` tell places along dimensions. `tables` are shown below the summary: by title, the
    names of quantities along one dimension, the first of which labels the rows; columns that a run
    has no values for are left out. `curves` are pairs of quantities, the second over the first, in
    which runs of several machines, or a machine and its measurement, are laid over one another.
    """

    analysis: str
    declared: Declarations
    coordinates: Declarations = field(default_factory=dict)
    tables: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    curves: tuple[tuple[str, str], ...] = ()

    def better(self, name: str) -> str:
        """Of a quantity of a result, whose braces its run has filled in."""
        for declared, known in self.declared.items():
            pattern = re.sub(r"\\{\w+\\}", ".+", re.escape(declared))
            if re.fullmatch(pattern, name):
                return known.better
        return ""

    def __getitem__(self, name: str) -> Declared:
        return self.declared[name] if name in self.declared else self.coordinates[name]

    def items(self) -> list[tuple[str, Declared]]:
        """All, coordinates last."""
        return [*self.declared.items(), *self.coordinates.items()]

    def variables(self, values: Values) -> tuple[dict[str, Variable], dict[str, Variable]]:
        """Values with their declarations, coordinates apart; ValueError if a name has none."""
        data: dict[str, Variable] = {}
        coordinates: dict[str, Variable] = {}
        for name, given in values.items():
            read = given if isinstance(given, Read) else Read(given)
            names, titles, dimensions = _words(read)
            declared = self._declared_name(name, names)
            target = coordinates if declared in self.coordinates else data
            target[name] = _variable(self[declared], read, titles, dimensions)
        return data, coordinates

    def _declared_name(self, name: str, words: Mapping[str, str]) -> str:
        for declared, _ in self.items():
            filled = declared
            for word, text in words.items():
                filled = filled.replace(f"{{{word}}}", text)
            if filled == name:
                return declared
        raise ValueError(
            f"{self.analysis} declares no quantity '{name}'; add it to QUANTITIES, with its title "
            "and unit"
        )

    def tables_of(self, values: Mapping[str, Any]) -> dict[str, list[str]]:
        """Those of which there are columns besides the labels."""
        tables = {
            title: [column for column in columns if column in values]
            for title, columns in self.tables.items()
        }
        return {title: columns for title, columns in tables.items() if len(columns) > 1}


def _words(read: Read) -> tuple[Mapping[str, str], Mapping[str, str], Mapping[str, str]]:
    """What fills the braces of names, of titles and units, and of dimensions."""
    if read.group is None:
        return read.words, read.words, read.words
    texts = read.group.name, read.group.title, " ".join(read.group.dimensions)
    name, title, dimensions = ({"group": text, **read.words} for text in texts)
    return name, title, dimensions


def _variable(
    declared: Declared, read: Read, titles: Mapping[str, str], dimensions: Mapping[str, str]
) -> Variable:
    attributes: dict[str, Any] = {
        "units": declared.unit.format_map(titles),
        "shown_unit": (declared.shown_unit or declared.unit).format_map(titles),
        "long_name": declared.title.format_map(titles),
    }
    if read.scale:
        attributes["scale"] = float(read.scale)
    if read.at_zero:
        attributes["at_zero"] = read.at_zero
    over = declared.over.format_map(dimensions).split()
    return tuple(over), np.asarray(read.values), attributes
