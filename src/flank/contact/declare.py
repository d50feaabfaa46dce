"""How a contact kind, a force law and a surface in space are declared, and where they are kept.

Who declares one, in the package or outside of it, writes its kernels, names the fields that they
read of a contact's row, and adds it to its registry. Its number is its place there; rows get their
fields, and `dispatch` its kernels, from the same list.

What comes from outside the package is marked in the type of the rows by a field whose name holds a
hash of its kernels (`Declared.marker`). Kernels are compiled by type, here and on the disk: models
without it keep their kernels, and nobody runs those of an earlier version.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace
from functools import cached_property
from types import NoneType
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

import numpy as np

from flank.native.cache import fingerprint

PACKAGE = __name__.partition(".")[0]

Kernel: TypeAlias = Any


@dataclass(frozen=True)
class Field:
    """One number of a contact's row: its name, its unit or meaning, and its type."""

    name: str
    unit: str
    type: type = np.float64
    shape: tuple[int | tuple[int, ...], ...] = ()


class Gap(NamedTuple):
    """What a gap kernel finds at the centre of B's circle, in the frame of A's shape."""

    size: float  # signed distance of the surfaces, m
    normal_x: float  # unit normal out of A
    normal_y: float
    level_curvature: float  # κ of the distance's level line, 1/m: its Hessian is κ ttᵀ
    curvature: float  # relative, 1/ρ, for the force law
    parameter: float  # of the foot point: the warm start of the next search


@dataclass(frozen=True, eq=False)
class Declared:
    """A name, and the fields of a row that belong to it."""

    name: str
    fields: tuple[Field, ...] = ()

    def kernels(self) -> list[Kernel]:
        """All kernels given, in the order of their fields."""
        given = (getattr(self, field.name) for field in fields(self))
        return [value for value in given if hasattr(value, "py_func")]

    @cached_property
    def marker(self) -> Field | None:
        """The field that marks rows which know something from outside the package."""
        kernels = self.kernels()
        if all(k.py_func.__module__.partition(".")[0] == PACKAGE for k in kernels):
            return None
        word = re.sub(r"\W+", "_", self.name)
        return Field(f"{word}_{fingerprint(*kernels)}", "never read", np.int64)

    def row_fields(self) -> list[Field]:
        marker = self.marker
        return [*self.fields, *([marker] if marker else [])]


@dataclass(frozen=True, eq=False)
class ContactKind(Declared):
    """A kind of planar contact: what a circle on body B touches on body A.

    `gap(contact, curves, data, memory, px, py, turn_a, turn_b)` returns a Gap at the centre p of
    B's circle, A's shape at its origin; forces and tangent on both bodies follow from it. None has
    only what is evaluated in a way of its own, as teeth are.

    `curvature_slope(contact, curves, data, gap, curvature, parameter)` is how the relative
    curvature changes along the tangent, dκ/ds; None where it is constant.
    `overlap(contact, curves, data, px, py, parameter)` is ∫δ ds, ∫ds and ∫δ²/2 ds over the part of
    A's shape inside the circle, for laws along an area; None leaves them to the curvature.
    """

    gap: Kernel | None = None
    curvature_slope: Kernel | None = None
    overlap: Kernel | None = None
    rolls: bool = False
    """B is a bore around a rolling element, whose field turns with its cage."""


@dataclass(frozen=True, eq=False)
class ForceLaw(Declared):
    """A force law: penetration in, force out.

    `parameters` is the dataclass by which a contact is given this law; the row holds each of its
    `fields` as `name_field`. `force(contact, depth, curvature)` returns the force F, its stiffness
    dF/dδ and the energy ∫F dδ at depth > 0 and relative curvature κ = 1/ρ.

    `by_curvature(contact, force, stiffness, energy, curvature)` is ∂U/∂κ and ∂F/∂κ at the same
    depth; None where the law knows no curvature. `over_area(contact, area, width, moment)` is F,
    dF/dδ and U of the integrals of ContactKind.overlap, where these say more than the curvature.
    """

    parameters: type = NoneType
    force: Kernel | None = None
    by_curvature: Kernel | None = None
    over_area: Kernel | None = None

    def row_fields(self) -> list[Field]:
        named = [replace(field, name=f"{self.name}_{field.name}") for field in self.fields]
        return [*named, *super().row_fields()[len(self.fields) :]]

    def put(self, row: np.void, given: object) -> None:
        """Write the parameters into a contact's row."""
        for field in self.fields:
            row[f"{self.name}_{field.name}"] = getattr(given, field.name)


@dataclass(frozen=True, eq=False)
class Screen(Declared):
    """A pre-screen, by which contacts are passed over before their gap is searched.

    `least_gap(contact, px, py, turn_a, turn_b)` returns, from what a gap kernel is given, a bound
    that the gap is surely not below; a positive one passes the contact over, as open by so much.
    Who promises too much loses contacts: a model built with `screened=False` asks no screen.
    """

    least_gap: Kernel | None = None

    def row_fields(self) -> list[Field]:
        number = Field("screen", "number of the pre-screen, from one; zero has none", np.int64)
        return [number, *super().row_fields()]


Entry = TypeVar("Entry", bound=Declared)


class Registry(Generic[Entry]):
    """What is declared, in the order of its numbers."""

    def __init__(self, what: str, common: tuple[Field, ...]) -> None:
        """`common` are the fields that all rows have besides."""
        self._what = what
        self._common = common
        self._entries: list[Entry] = []
        self._fields: dict[str, Field] = {}

    def add(self, entry: Entry) -> Entry:
        """Register; at any time, but contacts made before do not know it."""
        if any(entry.name == other.name for other in self._entries):
            raise ValueError(
                f"there is a {self._what} named {entry.name!r} already; choose another name, "
                "or start Python anew if you changed it"
            )
        taken = {field.name: field for field in self._common} | self._fields
        for field in entry.row_fields():
            if taken.get(field.name, field) != field:
                raise ValueError(
                    f"the {self._what} {entry.name!r} has a field {field.name!r}, which contacts "
                    f"have for something else ({taken[field.name].unit}); choose another name"
                )
            self._fields[field.name] = field
        self._entries.append(entry)
        return entry

    def label(self, number: int) -> str:
        """Of an entry, among those of all registries."""
        return f"{self._what} {number}"

    def absent(self, numbers: Iterable[int]) -> set[str]:
        """Labels of all but these entries."""
        known = set(numbers)
        return {self.label(i) for i in range(len(self._entries)) if i not in known}

    def number(self, entry: Entry) -> int:
        """The place of an entry, by which rows name it."""
        try:
            return self._entries.index(entry)
        except ValueError:
            raise ValueError(
                f"the {self._what} {entry.name!r} is not registered; add it first"
            ) from None

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def fields(self) -> list[Field]:
        """Of all entries, each once."""
        return list(self._fields.values())
