"""Named figures of a machine: computed when they are asked for, once, and shown in groups."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Self, TypeVar, overload

if TYPE_CHECKING:
    from flank.machines.base import Machine

Of = TypeVar("Of", bound="Figures")

GROUPS = (
    "Ratio",
    "Sizes",
    "Walls",
    "Profile",
    "Masses",
    "At rated torque",
    "At peak torque",
    "Play and stiffness",
    "Bearings",
    "Strength",
    "Losses",
    "Vibration",
    "Making",
)
"""Headings under which figures are shown, in this order; others follow."""


class Figure(Generic[Of]):
    """One figure: read as an attribute of `Figures` it is a float in SI, nan where it is not known.

    `read` returns None where the machine has no such thing; such a figure is not shown, and rules
    about it do not apply.
    """

    name: str

    def __init__(
        self, read: Callable[[Of], float | None], title: str, unit: str, shown_unit: str, group: str
    ) -> None:
        self.read, self.title, self.group = read, title, group
        self.unit, self.shown_unit = unit, shown_unit
        self.__doc__ = read.__doc__

    def __set_name__(self, owner: type[Any], name: str) -> None:
        self.name = name

    @overload
    def __get__(self, owner: None, kind: type[Any]) -> Self: ...
    @overload
    def __get__(self, owner: Of, kind: type[Any]) -> float: ...
    def __get__(self, owner: Of | None, kind: type[Any]) -> Self | float:
        if owner is None:
            return self
        value = owner.value(self.name)
        return math.nan if value is None else value


def figure(
    title: str, unit: str = "", shown_unit: str = "", group: str = "Sizes"
) -> Callable[[Callable[[Of], float | None]], Figure[Of]]:
    """Makes a method of `Figures` a named figure; an empty group keeps it from being shown."""

    def named(read: Callable[[Of], float | None]) -> Figure[Of]:
        return Figure(read, title, unit, shown_unit, group)

    return named


class Shown(NamedTuple):
    """A figure with its value, in SI."""

    name: str
    title: str
    value: float
    unit: str
    shown_unit: str
    group: str


class Figures:
    """The figures of one machine; a class for every kind adds its own by `figure`."""

    def __init__(self, machine: Machine) -> None:
        self.machine: Any = machine
        self._values: dict[str, float | None] = {}

    @classmethod
    def declared(cls) -> dict[str, Figure[Any]]:
        """All figures by name, those of base classes first."""
        return {
            name: each
            for kind in reversed(cls.__mro__)
            for name, each in vars(kind).items()
            if isinstance(each, Figure)
        }

    def value(self, name: str) -> float | None:
        """SI value of a figure; None where the machine has no such thing, nan if not known."""
        if name not in self._values:
            self._values[name] = self._read(name)
        return self._values[name]

    def _read(self, name: str) -> float | None:
        """Not known where odd machines leave the numbers: nothing divided by nothing."""
        try:
            read = getattr(type(self), name).read(self)
        except ArithmeticError:
            return math.nan
        return None if read is None else float(read)

    def shown(self) -> Iterator[Shown]:
        """All figures that the machine has and that are to be shown, group by group."""
        declared = [each for each in self.declared().values() if each.group]
        groups = dict.fromkeys((*GROUPS, *(each.group for each in declared)))
        for group in groups:
            for each in declared:
                if each.group == group and (value := self.value(each.name)) is not None:
                    units = each.unit, each.shown_unit
                    yield Shown(each.name, each.title, value, *units, group)

    def present(self, key: str) -> Any:
        """What stands for a dotted key of the spec, given or not; None for what is not there."""
        value: Any = self.machine.spec
        for part in key.split("."):
            value = value.get(part) if isinstance(value, dict) else getattr(value, part, None)
            if value is None:
                return None
        return value
