"""Lengths and angles that a drawing tolerates, as a table of kinds per machine.

One table names the kinds of a machine; the spec's blocks `errors` and `tolerances`, the random draw
and the parameters of a sensitivity analysis all follow from it. Parts are counted from 1, as their
bodies are named; a key of several parts names them in the order of its kind, as '1/2'.
"""

import inspect
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import BeforeValidator

from flank.arrays import Floats
from flank.machines.quantities import Quantity, Seed, quantity
from flank.machines.spec import Spec, key, optional
from flank.texts import joined, with_article

ALL = "all"
"""Key of an error that every instance has."""

ARCSECOND = np.pi / 180 / 3600

LARGEST = {"m": 0.5e-3, "rad": 0.02}
"""Beyond these a deviation is no tolerance but a wrong unit."""

Index = tuple[int, ...]
"""Of an instance in the arrays of its kind, from 0."""

Counts = Mapping[str, int]
"""How many of each part there are."""

Values = dict[str, Floats]
"""Errors in SI by kind, shaped by the parts that number its instances."""

Extra = dict[tuple[str, Index], float]
"""Errors on top of a spec's, by kind and index."""


@dataclass(frozen=True)
class ErrorKind:
    """`over` names the parts that number the instances; `tolerance` is the drawing's ± in SI.

    In the title {} stands for the part, where there is one only. What there is once (`over`
    nothing) has no number. A `direction` is no deviation itself but says where one points: a draw
    takes it from a whole turn, no tolerance limits it and nothing is differentiated by it.
    """

    title: str
    over: tuple[str, ...]
    tolerance: float
    unit: Literal["m", "rad"] = "m"
    direction: bool = False
    assumed_as: str = ""  # the tolerance in words, where a machine's size decides on it

    @property
    def words(self) -> str:
        """The title of the kind: 'radius of a pin'."""
        return self.title.format(*map(with_article, self.over))

    def instance_words(self, index: Index) -> str:
        """'radius of pin 7', or 'eccentricity, crank 1, disc 2'."""
        parts = [f"{part} {number + 1}" for part, number in zip(self.over, index, strict=True)]
        if "{}" in self.title:
            return self.title.format(*parts)
        return ", ".join([self.title, *parts])

    def key(self, index: Index) -> str:
        """How a spec names an instance: '2', or '1/2'; 'all' where there is but one."""
        return "/".join(str(number + 1) for number in index) or ALL

    def shape(self, counts: Counts) -> Index:
        """Of the array of its values."""
        return tuple(counts[part] for part in self.over)

    def instances(self, counts: Counts) -> Iterator[Index]:
        yield from np.ndindex(*self.shape(counts))

    def unknown_key(self, key: str, counts: Counts) -> str:
        """The sentence about a key that names no instance."""
        if not self.over:
            return "there is one only; write the error without a number"
        first, last = self.key((0,) * len(self.over)), "/".join(map(str, self.shape(counts)))
        numbers = re.findall(r"\d+", key)
        if "0" in numbers and len(numbers) == len(self.over):
            higher = "/".join(str(int(number) + 1) for number in numbers)
            parts = joined((f"{part}s" for part in self.over), "and")
            return (
                f"{parts} are counted from 1, up to {last}; in a list that began at 0 every "
                f"number goes up by one, and this one is {higher}"
            )
        return (
            f"there is no such {'/'.join(self.over)}; they are numbered {first} to {last}, "
            f"or '{ALL}'"
        )

    @property
    def shown_unit(self) -> str:
        if self.direction:
            return "deg"
        return "um" if self.unit == "m" else "arcsec"

    @property
    def largest(self) -> float:
        return 2 * np.pi if self.direction else LARGEST[self.unit]

    def quantity(self, minimum: float) -> Quantity:
        return quantity(self.unit, self.shown_unit, minimum=minimum, maximum=self.largest)


Kinds = Mapping[str, ErrorKind]


@dataclass(frozen=True)
class ErrorParameter:
    """One manufacturing error of a machine, such as the radius of one pin.

    Errors of one `kind` are alike and belong to one tolerance of the drawing; `tolerance` is its
    half width in SI, m or rad, `assumed` if it stands for a drawing that is not known.
    """

    name: str
    kind: str
    title: str
    unit: Literal["m", "rad"]
    tolerance: float
    assumed: bool = False


def _text_keys(value: Any) -> Any:
    """`{3: 5 um}` and `{1/2: 5 um}` alike, and a plain value for all instances."""
    if isinstance(value, Mapping):
        return {str(key): item for key, item in value.items()}
    return {ALL: value}


_TEXT_KEYS = BeforeValidator(_text_keys)


class ErrorsSpec(Spec):
    """The block `errors` of a machine: a field for every one of its kinds, by instance."""

    kinds: ClassVar[Kinds]

    seed: Seed | None = optional(
        "draws every error evenly within ± its tolerance, on top of those listed", 42
    )
    drawn_from: Seed | None = optional("the seed from which the listed errors came", 42)

    def __init_subclass__(cls, kinds: Kinds, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls.kinds = kinds
        _add_fields(cls, {name: _error_field(kind) for name, kind in kinds.items()})


class TolerancesSpec(Spec):
    """The block `tolerances` of a machine: a field for every kind that a drawing limits."""

    def __init_subclass__(cls, kinds: Kinds, **options: Any) -> None:
        super().__init_subclass__(**options)
        limited = {name: kind for name, kind in kinds.items() if not kind.direction}
        _add_fields(cls, {name: _tolerance_field(kind) for name, kind in limited.items()})


def _add_fields(cls: type[Spec], fields: Mapping[str, tuple[Any, Any]]) -> None:
    """Before pydantic looks at the class, which it does as soon as the class is there."""
    annotations = {name: annotation for name, (annotation, _) in fields.items()}
    cls.__annotations__ = inspect.get_annotations(cls) | annotations
    for name, (_, field) in fields.items():
        setattr(cls, name, field)


def add_error_blocks(cls: type[Spec], kinds: Kinds) -> None:
    """The blocks `errors` and `tolerances` of a machine's spec, to its end."""

    class Errors(ErrorsSpec, kinds=kinds):
        """Errors of every kind, by instance."""

    class Tolerances(TolerancesSpec, kinds=kinds):
        """Drawing tolerances of every kind."""

    for block in (Errors, Tolerances):  # found where they are pickled from
        block.__module__, block.__qualname__ = cls.__module__, f"{cls.__name__}.{block.__name__}"
        setattr(cls, block.__name__, block)
    errors = key("deviations", default=Errors())
    tolerances = key("drawing tolerances", default=Tolerances())
    _add_fields(cls, {"errors": (Errors, errors), "tolerances": (Tolerances, tolerances)})


def _error_field(kind: ErrorKind) -> tuple[Any, Any]:
    value = Annotated[float, kind.quantity(-kind.largest)]
    values: Any = Annotated[dict.__class_getitem__((str, value)), _TEXT_KEYS]
    example, numbered = f"3 {kind.shown_unit}", ""
    if kind.over:
        example = f"{{{kind.key((0,) * len(kind.over))}: {example}}}"
        numbered = f", by {'/'.join(kind.over)} number or 'all'"
    return values, key(f"error of the {kind.words}{numbered}", example, default={})


def _tolerance_field(kind: ErrorKind) -> tuple[Any, Any]:
    value: Any = Annotated[float, kind.quantity(0.0)]
    size = kind.tolerance * 1e6 if kind.unit == "m" else kind.tolerance / ARCSECOND
    assumed = kind.assumed_as or f"{size:.4g} {kind.shown_unit}"
    meaning = f"drawing tolerance ± of the {kind.words}; {assumed} assumed if absent"
    return value | None, optional(meaning, f"3 {kind.shown_unit}")
