"""Lengths and angles that a drawing tolerates, as a table of kinds per machine.

One table names the kinds of a machine; the spec's blocks `errors` and `tolerances`, the random draw
and the parameters of a sensitivity analysis all follow from it. Parts are counted from 1, as their
bodies are named; a key of several parts names them in the order of its kind, as '1/2'.
"""

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import BeforeValidator, GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from flank.arrays import Floats
from flank.machines import iso_grades
from flank.machines.distributions import WithinTolerance
from flank.machines.quantities import Quantity, Seed, quantity
from flank.machines.spec import Spec, key, optional
from flank.texts import describe, joined, um, with_article

if TYPE_CHECKING:
    from flank.geometry.gear import Gear

ALL = "all"
"""Key of an error that every instance has."""

ARCSECOND = np.pi / 180 / 3600

ROLLER_TOLERANCE = 0.5e-6
"""± of the radius of a roller in its set: one sorting class of 2 µm in diameter."""

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
class NominalSize:
    """The size by which a grade of ISO 286-1 is the width of a tolerance.

    It is `times` the length that deviates, which `of` reads from a machine's spec. A symmetric
    tolerance is half of the width to either side of the size, and `1 / times` of this is that of
    the length.
    """

    words: str
    of: Callable[[Any], float]
    times: float = 1.0

    @property
    def share(self) -> float:
        """± of the error over the width."""
        return 0.5 / self.times

    @property
    def share_words(self) -> str:
        return {0.5: "half", 0.25: "a quarter"}[self.share]

    def tolerance(self, grade: str, spec: Spec) -> float:
        """± in m; ValueError where the standard gives no width for the size."""
        return self.share * iso_grades.width(grade, self.times * self.of(spec))


def diameter(words: str, path: str) -> NominalSize:
    """Of a feature whose radius deviates: ± a quarter of the width."""
    return NominalSize(words, attrgetter(path), times=2.0)


def distance(words: str, path: str) -> NominalSize:
    """What deviates is the size itself: ± half of the width."""
    return NominalSize(words, attrgetter(path))


def tooth_thickness(words: str, path: str) -> NominalSize:
    """Of the gear at a path, along the arc of its reference circle."""
    gear_of = attrgetter(path)
    return NominalSize(words, lambda spec: _reference_thickness(gear_of(spec)))


def _reference_thickness(gear: "Gear") -> float:
    return gear.thickness(gear.reference_radius)


@lru_cache(maxsize=4096)
def _key(index: Index) -> str:
    return "/".join(str(number + 1) for number in index) or ALL


@lru_cache(maxsize=256)
def _indices(shape: Index) -> tuple[Index, ...]:
    """Of an array: machines are built by the thousand that number the same parts."""
    return tuple(np.ndindex(*shape))


@dataclass(frozen=True)
class ErrorKind:
    """`over` names the parts that number the instances; `tolerance` is the drawing's ± in SI.

    In the title {} stands for the part, where there is one only. What there is once (`over`
    nothing) has no number. A `direction` is no deviation itself but says where one points: a draw
    takes it from a whole turn, no tolerance limits it and nothing is differentiated by it. Of a
    feature with a nominal `size` the tolerance may be a grade of ISO 286-1.
    """

    title: str
    over: tuple[str, ...]
    tolerance: float
    unit: Literal["m", "rad"] = "m"
    direction: bool = False
    assumed_as: str = ""  # the tolerance in words, where a machine's size decides on it
    size: NominalSize | None = None

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
        return _key(tuple(index))

    def shape(self, counts: Counts) -> Index:
        """Of the array of its values."""
        return tuple(counts[part] for part in self.over)

    def instances(self, counts: Counts) -> Iterator[Index]:
        yield from _indices(self.shape(counts))

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

    def amount(self, value: float) -> str:
        """A deviation as people read it."""
        return um(value) if self.unit == "m" else self.quantity(-self.largest).shown(value)

    def graded(self, grade: str, spec: Spec) -> float:
        """± of a grade in m; ValueError where it has none, or more than a deviation may be."""
        if self.size is None:
            raise ValueError(f"{grade} is given, but {self._no_grade}")
        tolerance = self.size.tolerance(grade, spec)
        if tolerance > self.largest:
            raise ValueError(
                f"{grade} of the {self.size.words} would be ± {um(tolerance)}; at most "
                f"{um(self.largest)} is allowed, use a finer grade"
            )
        return tolerance

    @property
    def _no_grade(self) -> str:
        example = f"give the tolerance itself, for example '3 {self.shown_unit}'"
        if self.unit == "rad":
            return f"grades of ISO 286-1 are of lengths and this is an angle; {example}"
        return (
            f"the {self.words} has no nominal size of its own by which ISO 286-1 would give a "
            f"width; {example}"
        )

    @property
    def tolerance_quantity(self) -> "ToleranceQuantity":
        return ToleranceQuantity(
            self.unit,
            self.shown_unit,
            minimum=0.0,
            maximum=self.largest,
            no_grade="" if self.size else self._no_grade,
        )


@dataclass(frozen=True)
class ToleranceQuantity(Quantity):
    """± of a drawing: an amount, or a grade, which is kept by its name and resolved with the
    machine's sizes. `no_grade` tells why this one may be no grade."""

    no_grade: str = ""

    def read(self, value: Any) -> float | str:
        grade = iso_grades.grade_in(value)
        if grade is None:
            return self.parse(value)
        if self.no_grade:
            raise ValueError(f"{describe(value)} is given, but {self.no_grade}")
        return grade

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return core_schema.no_info_before_validator_function(self.read, handler(source))


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


@dataclass(frozen=True)
class Excess:
    """The worst of the errors of one kind that exceed its tolerance, in SI."""

    name: str
    kind: ErrorKind
    index: Index
    error: float
    tolerance: float
    given: float | str | None  # the tolerance as the spec has it, none if it is assumed
    count: int  # of errors that exceed it

    def sentences(self) -> tuple[str, str]:
        """What is so, and what to do."""
        kind, allowed = self.kind, self.kind.amount(self.tolerance)
        source = " (assumed)" if self.given is None else ""
        source = f" ({self.given})" if isinstance(self.given, str) else source
        others = f"; {self.count} of its kind exceed it" if self.count > 1 else ""
        return (
            f"the {kind.instance_words(self.index)} is off by {kind.amount(self.error)} and its "
            f"tolerance is ± {allowed}{source}{others}",
            f"give a smaller error, or a wider tolerances.{self.name}",
        )


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
        "draws every error within ± its tolerance, on top of those listed", 42
    )
    distribution: WithinTolerance = key(
        "of such a draw: even, most likely in the middle, or normal with the tolerance at three "
        "standard deviations",
        "truncated-normal",
        default="uniform",
    )
    drawn_from: Seed | None = optional("the seed from which the listed errors came", 42)

    def cross_checks(self) -> Iterable[str]:
        if self.distribution != "uniform" and self.seed is None and self.drawn_from is None:
            yield (
                f"distribution is '{self.distribution}' and nothing is drawn; give a seed, for "
                "example 'seed: 42', or remove it"
            )

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
    value: Any = Annotated[float | str, kind.tolerance_quantity]
    size = kind.tolerance * 1e6 if kind.unit == "m" else kind.tolerance / ARCSECOND
    assumed = kind.assumed_as or f"{size:.4g} {kind.shown_unit}"
    meaning = f"drawing tolerance ± of the {kind.words}; {assumed} assumed if absent"
    if kind.size is not None:
        share = kind.size.share_words
        meaning += f"; a grade as IT5 is ± {share} of its width for the {kind.size.words}"
    return value | None, optional(meaning, f"3 {kind.shown_unit}")
