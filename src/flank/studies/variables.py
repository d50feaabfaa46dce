"""What varies, found in the spec of a machine: which places, in which unit, by which distribution.

A variable is named by the dotted path of its key. `errors.pin_radius` stands for the radius of
every pin, each with a draw of its own; `errors.pin_radius.3` for one of them. Drawn errors come on
top of those that the spec lists; any other number takes the place of the spec's.

Parts of one batch have a share s of their variance in common: with a normal number for the batch
and one for each part, z = √s z_batch + √(1 - s) z_part is normal again, two parts of a batch
correlate by s, and Φ(z) is the uniform number of which the distribution makes a value.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from flank.arrays import Floats
from flank.errors import SpecError, nearest, suggestion
from flank.machines.distributions import Distribution
from flank.machines.error_kinds import ErrorKind, Index
from flank.machines.fields import field_at, metadata
from flank.machines.machine_spec import MachineSpec
from flank.machines.mistakes import hint
from flank.machines.quantities import Quantity, WholeNumber, quantity
from flank.studies.given import make_distribution
from flank.studies.spec import StudySpec, VariableSpec
from flank.texts import echo, joined, listed

ERRORS, TOLERANCES = "errors", "tolerances"

NEGLIGIBLE = 1e-6
"""Share of draws outside of what is allowed that nobody needs to be told."""


@dataclass(frozen=True)
class Place:
    """Where a drawn number goes: an error by kind and index, or a key of the spec by its path."""

    name: str
    title: str
    kind: str = ""
    index: Index = ()


@dataclass(frozen=True)
class Variable:
    """An entry of `varies` with all its places; `batches` tells the batch of each."""

    name: str
    places: tuple[Place, ...]
    distribution: Distribution
    unit: str
    shown_unit: str
    whole: bool = False
    share: float = 0.0
    batches: tuple[int, ...] = ()
    points: int = 5

    @property
    def dimensions(self) -> list[str]:
        """Names of the uniform numbers that it needs."""
        own = [place.name for place in self.places] if self.share < 1.0 else []
        count = max(self.batches) + 1 if self.share > 0.0 else 0
        return own + [f"{self.name} batch {number + 1}" for number in range(count)]

    def values(self, uniform: Floats, along: bool) -> Floats:
        """Values (sample, place) of uniform numbers (sample, dimension), or `along` the range."""
        make = self.distribution.along if along else self.distribution.quantile
        if self.share == 0.0:
            return make(uniform)
        if self.share == 1.0:
            return make(uniform[:, self.batches])
        from scipy.special import ndtr, ndtri

        normal = ndtri(uniform)
        own, batch = normal[:, : len(self.places)], normal[:, len(self.places) :]
        mixed = math.sqrt(1.0 - self.share) * own + math.sqrt(self.share) * batch[:, self.batches]
        return make(ndtr(mixed))

    def drivers(self, uniform: Floats, along: bool) -> Floats:
        """Numbers (sample, dimension) that are independent of each other, of which the values are
        made: values themselves, or normal numbers where parts have a share in common."""
        if 0.0 < self.share < 1.0:
            from scipy.special import ndtri

            return np.asarray(ndtri(uniform))
        return self.distribution.along(uniform) if along else self.distribution.quantile(uniform)

    @property
    def correlation(self) -> Floats:
        """Correlation of its places with each other, of their normal numbers."""
        batches = np.asarray(self.batches)
        together = self.share * (batches[:, None] == batches[None, :])
        return np.asarray(np.where(np.eye(len(batches), dtype=bool), 1.0, together))


@dataclass(frozen=True)
class Variables:
    """All of a study, with the names of its uniform numbers and its columns."""

    entries: tuple[Variable, ...]

    @cached_property
    def dimensions(self) -> list[str]:
        return [name for entry in self.entries for name in entry.dimensions]

    @cached_property
    def places(self) -> list[Place]:
        return [place for entry in self.entries for place in entry.places]

    @cached_property
    def owner(self) -> list[int]:
        """Number of the entry of every uniform number."""
        return [k for k, entry in enumerate(self.entries) for _ in entry.dimensions]

    @property
    def levels(self) -> list[int]:
        """Points of a grid along every uniform number."""
        return [
            entry.distribution.levels or entry.points
            for entry in self.entries
            for _ in entry.dimensions
        ]

    def values(self, uniform: Floats, along: bool = False) -> Floats:
        """Values (sample, place) of uniform numbers (sample, dimension)."""
        return np.hstack([entry.values(part, along) for entry, part in self._parts(uniform)])

    def drivers(self, uniform: Floats, along: bool = False) -> Floats:
        """Independent numbers (sample, dimension), of which values are made."""
        return np.hstack([entry.drivers(part, along) for entry, part in self._parts(uniform)])

    def _parts(self, uniform: Floats) -> Iterator[tuple[Variable, Floats]]:
        first = 0
        for entry in self.entries:
            last = first + len(entry.dimensions)
            yield entry, uniform[:, first:last]
            first = last


def find_variables(study: StudySpec, spec: MachineSpec, folder: Path) -> Variables:
    """Every variable of a study in the spec of its machine; SpecError has a sentence for each that
    is not there, or that would be refused. `folder` is that of relative file names."""
    problems: list[str] = []
    entries: list[Variable] = []
    for name, given in study.varies.items():
        try:
            entry = _variable(name, given, spec, folder)
            entries.append(entry)
            problems += _ends_needed(study, entry)
        except ValueError as error:
            problems.append(f"varies.{echo(name)}: {error}")
        except SpecError as error:
            problems += error.problems
    problems += _twice(entries)
    if problems:
        raise SpecError(problems)
    return Variables(tuple(entries))


def _ends_needed(study: StudySpec, entry: Variable) -> list[str]:
    if study.sampling not in ("corners", "grid") or all(
        map(math.isfinite, entry.distribution.ends)
    ):
        return []
    return [
        f"varies.{entry.name}: a normal distribution has no ends for {study.sampling}; use "
        "truncated-normal with low and high"
    ]


def _twice(entries: Sequence[Variable]) -> list[str]:
    names = [place.name for entry in entries for place in entry.places]
    double = listed(dict.fromkeys(name for name in names if names.count(name) > 1))
    if not double:
        return []
    return [f"varies: {double} would be drawn twice; name a kind, or its parts, not both"]


def _variable(name: str, given: VariableSpec, spec: MachineSpec, folder: Path) -> Variable:
    block, _, key = name.partition(".")
    if block == ERRORS:
        return _error_variable(name, key, given, spec, folder)
    if block == TOLERANCES:
        raise ValueError(
            f"a tolerance changes no machine, only how far errors are drawn; vary {ERRORS}.{key}"
        )
    field = field_at(type(spec), tuple(name.split(".")))
    if field is None:
        raise ValueError(f"this is not a key of the spec{_hint(name, spec)}")
    measure, whole = metadata(field, Quantity), metadata(field, WholeNumber)
    if measure is None and whole is None:
        raise ValueError("this is not a number; only numbers vary")
    if given.share or given.within:
        raise ValueError("share and within are for kinds of errors, of which there are many parts")
    nominal = _nominal(name, spec)
    if measure is None:
        assert whole is not None
        measure = quantity("", "", minimum=whole.minimum, maximum=whole.maximum)
        if given.distribution not in ("discrete", "measured"):
            raise ValueError("this is a whole number; use a discrete distribution")
    distribution = make_distribution(given, measure, nominal, None, folder)
    title = field.description or name
    return Variable(
        name,
        (Place(name, title),),
        distribution,
        measure.si_unit,
        measure.shown_unit,
        whole is not None,
        points=given.points,
        batches=(0,),
    )


def _hint(name: str, spec: MachineSpec) -> str:
    """The key that was meant; kinds of errors are often named without their block."""
    first, fields = name.split(".")[0], type(spec).model_fields
    kinds = [kind for kind in spec.error_kinds if kind not in fields]
    if (near := nearest(first, [*fields, *kinds])) in kinds:
        return f"; did you mean '{ERRORS}.{near}'?"
    return hint(type(spec), tuple(name.split(".")), None)


def _nominal(name: str, spec: MachineSpec) -> float | None:
    value: Any = spec
    for key in name.split("."):
        value = value.get(key) if isinstance(value, dict) else getattr(value, key, None)
    return float(value) if isinstance(value, (int, float)) else None


def _error_variable(
    name: str, key: str, given: VariableSpec, spec: MachineSpec, folder: Path
) -> Variable:
    kind_name, _, instance = key.partition(".")
    if kind_name in spec.absent_errors:
        raise ValueError(f"this does nothing {spec.absent_errors[kind_name]}; remove it")
    if kind_name not in spec.error_kinds:
        kinds = list(spec.error_kinds)
        near = suggestion(kind_name, kinds)
        raise ValueError(
            f"this is not a kind of error of this machine{near} Known: {listed(kinds)}"
        )
    kind = spec.error_kinds[kind_name]
    indices = _indices(kind, instance, spec)
    tolerance = math.pi if kind.direction else spec.tolerance(kind_name)
    measure = kind.quantity(-kind.largest)
    return Variable(
        name,
        tuple(_error_place(kind_name, kind, index) for index in indices),
        make_distribution(given, measure, 0.0, tolerance, folder),
        kind.unit,
        kind.shown_unit,
        share=given.share,
        batches=_batches(kind, indices, given.within),
        points=given.points,
    )


def _error_place(name: str, kind: ErrorKind, index: Index) -> Place:
    number = f".{kind.key(index)}" if kind.over else ""
    return Place(f"{ERRORS}.{name}{number}", kind.instance_words(index), name, index)


def _indices(kind: ErrorKind, instance: str, spec: MachineSpec) -> list[Index]:
    known = {kind.key(index): index for index in kind.instances(spec.counts)}
    if not instance:
        return list(known.values())
    if instance not in known or not kind.over:
        raise ValueError(kind.unknown_key(instance, spec.counts).replace(", or 'all'", ""))
    return [known[instance]]


def _batches(kind: ErrorKind, indices: Sequence[Index], within: str | None) -> tuple[int, ...]:
    if within is None:
        return (0,) * len(indices)
    if within not in kind.over:
        parts = joined(kind.over, "or") if kind.over else "nothing, as there is one only"
        raise ValueError(f"within is '{echo(within)}'; here it may be {parts}")
    numbers = [index[kind.over.index(within)] for index in indices]
    order = sorted(set(numbers))
    return tuple(order.index(number) for number in numbers)


def refused_share(entry: Variable, measure: Quantity) -> tuple[float, str]:
    """The share of draws that a spec would refuse, and the words for what is allowed."""
    lowest = measure.above if measure.above is not None else measure.minimum
    outside, allowed = 0.0, []
    if lowest is not None:
        outside += entry.distribution.below(lowest)
        allowed.append(f"at least {measure.shown(lowest)}")
    if measure.maximum is not None:
        outside += 1.0 - entry.distribution.below(math.nextafter(measure.maximum, math.inf))
        allowed.append(f"at most {measure.shown(measure.maximum)}")
    return outside, " and ".join(allowed)


def check_refused(study: StudySpec, variables: Variables, spec: MachineSpec) -> list[str]:
    """Sentences about distributions that leave what the spec allows, with the share that does;
    SpecError unless the study allows such draws."""
    sentences = []
    for entry in variables.entries:
        outside, allowed = refused_share(entry, _measure(entry, spec))
        if outside > NEGLIGIBLE:
            draws = 1.0 - (1.0 - min(outside, 1.0)) ** _independent(entry)
            sentences.append(
                f"varies.{entry.name}: {_share_words(outside)} its draws leave what is allowed, "
                f"{allowed}, so {_share_words(draws, 'about ')} the samples would be refused; use "
                "truncated-normal or a narrower distribution, or say allow_refused: true"
            )
    if sentences and not study.allow_refused:
        raise SpecError(sentences)
    return sentences


def _share_words(share: float, about: str = "") -> str:
    """'0.12 of', 'nearly all of' or 'all of', before what it is a share of."""
    if share >= 1.0:
        return "all of"
    return "nearly all of" if f"{share:.3g}" == "1" else f"{about}{share:.3g} of"


def _independent(entry: Variable) -> int:
    return len(entry.places) if entry.share < 1.0 else max(entry.batches) + 1


def _measure(entry: Variable, spec: MachineSpec) -> Quantity:
    place = entry.places[0]
    if place.kind:
        kind = spec.error_kinds[place.kind]
        return kind.quantity(-kind.largest)
    field = field_at(type(spec), tuple(entry.name.split(".")))
    assert field is not None
    whole = metadata(field, WholeNumber)
    measure = metadata(field, Quantity)
    if measure is None:
        assert whole is not None
        return quantity("", "", minimum=whole.minimum, maximum=whole.maximum)
    return measure
