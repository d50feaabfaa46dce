"""Lengths and angles that a drawing tolerates, as a table of kinds per machine.

One table names the kinds of a machine; the spec's blocks `errors` and `tolerances`, the random draw
and the parameters of a sensitivity analysis all follow from it.
"""

import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BeforeValidator, Field, create_model

from flank.machines.base import ErrorParameter
from flank.machines.quantities import Seed, quantity
from flank.machines.spec import Spec

ALL = "all"
"""Key of an error that every instance has."""

ARCSECOND = np.pi / 180 / 3600

LARGEST = {"m": 0.5e-3, "rad": 0.02}
"""Beyond these a deviation is no tolerance but a wrong unit."""


@dataclass(frozen=True)
class ErrorKind:
    """`over` names the parts that number the instances; `tolerance` is the drawing's ± in SI.

    Parts are numbered from `first`, mostly 1, as their bodies are named; what there is once (`over`
    nothing) has no number. A `direction` is no deviation itself but says where one points: a draw
    takes it from a whole turn, no tolerance limits it and nothing is differentiated by it.
    """

    title: str
    over: tuple[str, ...]
    tolerance: float
    unit: Literal["m", "rad"] = "m"
    direction: bool = False
    first: int = 1

    @property
    def shown_unit(self) -> str:
        if self.direction:
            return "deg"
        return "um" if self.unit == "m" else "arcsec"

    def key(self, index: tuple[int, ...]) -> str:
        """How a spec names an instance: '2', or '1/2'; 'all' where there is but one."""
        return "/".join(str(number + self.first) for number in index) or ALL

    @property
    def largest(self) -> float:
        return 2 * np.pi if self.direction else LARGEST[self.unit]


Kinds = Mapping[str, ErrorKind]


def numbered_from_zero(kinds: Kinds) -> dict[str, ErrorKind]:
    """The same kinds, their instances numbered as contacts are in results."""
    return {name: replace(kind, first=0) for name, kind in kinds.items()}


Counts = Mapping[str, int]
"""How many of each part there are."""

Values = dict[str, NDArray]
"""Errors in SI by kind, shaped by the parts that number its instances."""


class DrawnErrors(Spec):
    """What errors are asked for besides those listed."""

    seed: Seed | None = Field(
        default=None,
        description="draws every error evenly within ± its tolerance, on top of those listed",
        examples=[42],
    )
    drawn_from: Seed | None = Field(
        default=None, description="the seed from which the listed errors came", examples=[42]
    )


def _text_keys(value: Any) -> Any:
    """`{3: 5 um}` and `{0/1: 5 um}` alike, and a plain value for all instances."""
    if isinstance(value, Mapping):
        return {str(key): item for key, item in value.items()}
    return {ALL: value}


_TEXT_KEYS = BeforeValidator(_text_keys)


def errors_spec(kinds: Kinds, module: str) -> type[DrawnErrors]:
    """The spec's block `errors`: a field for every kind, by instance; `ErrorsSpec` of `module`."""
    fields: dict[str, Any] = {name: _error_field(kind) for name, kind in kinds.items()}
    return create_model("ErrorsSpec", __base__=DrawnErrors, __module__=module, **fields)


def tolerances_spec(kinds: Kinds, module: str) -> type[Spec]:
    """The spec's block `tolerances`: a field for every kind that a drawing limits."""
    fields: dict[str, Any] = {
        name: _tolerance_field(kind) for name, kind in kinds.items() if not kind.direction
    }
    return create_model("TolerancesSpec", __base__=Spec, __module__=module, **fields)


def _error_field(kind: ErrorKind) -> Any:
    value = Annotated[
        float, quantity(kind.unit, kind.shown_unit, minimum=-kind.largest, maximum=kind.largest)
    ]
    values: Any = Annotated[dict.__class_getitem__((str, value)), _TEXT_KEYS]
    example, numbered = f"3 {kind.shown_unit}", ""
    if kind.over:
        example = f"{{{kind.key(tuple(0 for _ in kind.over))}: {example}}}"
        numbered = f", by {'/'.join(kind.over)} number or 'all'"
    description = f"error of the {kind.title}{numbered}"
    return values, Field(default={}, description=description, examples=[example])


def _tolerance_field(kind: ErrorKind) -> Any:
    value = Annotated[
        float, quantity(kind.unit, kind.shown_unit, minimum=0.0, maximum=kind.largest)
    ]
    return (
        value,
        Field(
            default=kind.tolerance,
            description=f"drawing tolerance ± of the {kind.title}",
            examples=[f"3 {kind.shown_unit}"],
        ),
    )


def instances(kind: ErrorKind, counts: Counts) -> Iterator[tuple[int, ...]]:
    yield from np.ndindex(*(counts[part] for part in kind.over))


def no_errors(kinds: Kinds, counts: Counts) -> Values:
    return {name: np.zeros([counts[part] for part in k.over]) for name, k in kinds.items()}


def listed_errors(kinds: Kinds, errors: Spec, counts: Counts) -> Values:
    """The errors that a spec lists; its keys have been checked."""
    values = no_errors(kinds, counts)
    for name, array in values.items():
        given, kind = getattr(errors, name), kinds[name]
        array += given.get(ALL, 0.0)
        for index in instances(kind, counts) if kind.over else ():
            array[index] += given.get(kind.key(index), 0.0)
    return values


def drawn_errors(kinds: Kinds, tolerances: Spec, seed: int, counts: Counts) -> Values:
    """Even draws within ± the tolerances; each kind has a stream of its own."""
    values = no_errors(kinds, counts)
    for name, array in values.items():
        stream = np.random.default_rng([seed, zlib.crc32(name.encode())])
        limit = np.pi if kinds[name].direction else getattr(tolerances, name)
        array += stream.uniform(-limit, limit, array.shape)
    return values


def as_listed(kinds: Kinds, values: Values) -> dict[str, dict[str, float]]:
    """Errors as a spec lists them, zeros left out."""
    return {
        name: {
            kinds[name].key(index): float(value)
            for index, value in np.ndenumerate(array)
            if value != 0.0
        }
        for name, array in values.items()
        if np.any(array)
    }


def wrong_keys(kinds: Kinds, errors: Spec, counts: Counts) -> Iterator[str]:
    """Sentences about instances that are not there."""
    for name, kind in kinds.items():
        known = {ALL, *map(kind.key, instances(kind, counts))}
        for key in getattr(errors, name):
            if key in known:
                continue
            last = kind.key(tuple(counts[part] - 1 for part in kind.over))
            first = kind.key(tuple(0 for _ in kind.over))
            if not kind.over:
                yield f"errors.{name}.{key}: there is one only; write the error without a number"
            else:
                yield (
                    f"errors.{name}.{key}: there is no such {'/'.join(kind.over)}; "
                    f"they are numbered {first} to {last}, or '{ALL}'"
                )


def instance_of(kinds: Kinds, name: str) -> tuple[str, tuple[int, ...]]:
    """Kind and index of an error by the name of its parameter."""
    kind, _, key = name.partition(".")
    first = kinds[kind].first
    return kind, tuple(int(number) - first for number in key.split("/")) if key else ()


def error_parameters(kinds: Kinds, tolerances: Spec, counts: Counts) -> Sequence[ErrorParameter]:
    """Every deviation of every part, with its drawing tolerance."""
    return [
        ErrorParameter(
            f"{name}.{kind.key(index)}" if kind.over else name,
            name,
            f"{kind.title} {kind.key(index)}" if kind.over else kind.title,
            kind.unit,
            getattr(tolerances, name),
            assumed=name not in tolerances.model_fields_set,
        )
        for name, kind in kinds.items()
        if not kind.direction
        for index in instances(kind, counts)
    ]
