"""Every length and angle of a crank reducer that a drawing tolerates, per part and instance.

One table a machine names the kinds; the spec's blocks `errors` and `tolerances`, the random draw
and the parameters of a sensitivity analysis all follow from it.
"""

import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BeforeValidator, Field, create_model

from flank.machines.quantities import Index, quantity
from flank.machines.spec import Spec

ALL = "all"
"""Key of an error that every instance has."""


@dataclass(frozen=True)
class ErrorKind:
    """`over` names the parts that number the instances; `tolerance` is the drawing's ± in SI."""

    title: str
    over: tuple[str, ...]
    tolerance: float
    unit: Literal["m", "rad"] = "m"

    @property
    def shown_unit(self) -> str:
        return "um" if self.unit == "m" else "arcsec"


ARCSECOND = np.pi / 180 / 3600

Kinds = Mapping[str, ErrorKind]
"""Kinds of errors by their names in a spec."""

CRANK_KINDS: dict[str, ErrorKind] = {
    "crank_pin_radius": ErrorKind("radius of an eccentric", ("crank", "disc"), 4e-6),
    "eccentricity": ErrorKind("eccentricity", ("crank", "disc"), 3e-6),
    "eccentric_phase": ErrorKind("phase of an eccentric", ("crank", "disc"), 90 * ARCSECOND, "rad"),
    "crank_radial": ErrorKind("crank position outward", ("crank",), 5e-6),
    "crank_tangential": ErrorKind("crank position along", ("crank",), 5e-6),
    "hole_radial": ErrorKind("hole position outward", ("disc", "crank"), 5e-6),
    "hole_tangential": ErrorKind("hole position along", ("disc", "crank"), 5e-6),
    "hole_radius": ErrorKind("radius of a disc hole", ("disc", "crank"), 4e-6),
    "turning_arm_clearance": ErrorKind("clearance of a turning arm", ("crank", "disc"), 3e-6),
    "support_clearance": ErrorKind("clearance of a support", ("crank", "side"), 2e-6),
}
"""Of what all machines with cranks share. Drawing tolerances: eccentric radius IT4, eccentricity
IT3, phase within 3 arcmin in all (arXiv 2604.02387, Table 9); the others are assumed at the same
grades."""

LARGEST = {"m": 0.5e-3, "rad": 0.02}
"""Beyond these a deviation is no tolerance but a wrong unit."""


def _text_keys(value: Any) -> Any:
    """`{3: 5 um}` and `{0/1: 5 um}` alike, and a plain value for all instances."""
    if isinstance(value, Mapping):
        return {str(key): item for key, item in value.items()}
    return {ALL: value}


_TEXT_KEYS = BeforeValidator(_text_keys)


def _quantity(kind: ErrorKind) -> Any:
    return Annotated[
        float,
        quantity(
            kind.unit, kind.shown_unit, minimum=-LARGEST[kind.unit], maximum=LARGEST[kind.unit]
        ),
    ]


def _error_field(kind: ErrorKind) -> Any:
    values: Any = Annotated[dict.__class_getitem__((str, _quantity(kind))), _TEXT_KEYS]
    numbers = "/".join("0" for _ in kind.over)
    return (
        values,
        Field(
            default={},
            description=f"errors of the {kind.title}, by {'/'.join(kind.over)} number or 'all'",
            examples=[f"{{{numbers}: 3 {kind.shown_unit}}}"],
        ),
    )


def _tolerance_field(kind: ErrorKind) -> Any:
    value = Annotated[
        float, quantity(kind.unit, kind.shown_unit, minimum=0.0, maximum=LARGEST[kind.unit])
    ]
    return (
        value,
        Field(
            default=kind.tolerance,
            description=f"drawing tolerance ± of the {kind.title}",
            examples=[f"3 {kind.shown_unit}"],
        ),
    )


class DrawnErrors(Spec):
    """What errors are asked for besides those listed."""

    seed: Index | None = Field(
        default=None,
        description="draws every error evenly within ± its tolerance, on top of those listed",
        examples=[42],
    )
    drawn_from: Index | None = Field(
        default=None, description="the seed from which the listed errors came", examples=[42]
    )


def errors_spec(kinds: Kinds) -> type[DrawnErrors]:
    """The block `errors`: those of every kind, by instance."""
    fields: dict[str, Any] = {name: _error_field(kind) for name, kind in kinds.items()}
    return create_model("ErrorsSpec", __base__=DrawnErrors, **fields)


def tolerances_spec(kinds: Kinds) -> type[Spec]:
    """The block `tolerances`: the drawing's of every kind."""
    fields: dict[str, Any] = {name: _tolerance_field(kind) for name, kind in kinds.items()}
    return create_model("TolerancesSpec", __base__=Spec, **fields)


Counts = Mapping[str, int]
"""How many of each part there are: crank, disc, side, and those of the machine."""

Values = dict[str, NDArray]
"""Errors in SI by kind, shaped by the parts that number its instances."""


def instances(kind: ErrorKind, counts: Counts) -> Iterator[tuple[int, ...]]:
    yield from np.ndindex(*(counts[part] for part in kind.over))


def key_of(index: tuple[int, ...]) -> str:
    return "/".join(map(str, index))


def no_errors(kinds: Kinds, counts: Counts) -> Values:
    return {name: np.zeros([counts[part] for part in k.over]) for name, k in kinds.items()}


def listed_errors(kinds: Kinds, errors: Spec, counts: Counts) -> Values:
    """The errors that a spec lists; its keys have been checked."""
    values = no_errors(kinds, counts)
    for name, array in values.items():
        given = getattr(errors, name)
        array += given.get(ALL, 0.0)
        for index in instances(kinds[name], counts):
            array[index] += given.get(key_of(index), 0.0)
    return values


def drawn_errors(kinds: Kinds, tolerances: Spec, seed: int, counts: Counts) -> Values:
    """Even draws within ± the tolerances; each kind has a stream of its own."""
    values = no_errors(kinds, counts)
    for name, array in values.items():
        stream = np.random.default_rng([seed, zlib.crc32(name.encode())])
        limit = getattr(tolerances, name)
        array += stream.uniform(-limit, limit, array.shape)
    return values


def as_listed(values: Values) -> dict[str, dict[str, float]]:
    """Errors as a spec lists them, zeros left out."""
    return {
        name: {key_of(index): float(array[index]) for index in zip(*np.nonzero(array), strict=True)}
        for name, array in values.items()
        if np.any(array)
    }


def wrong_keys(kinds: Kinds, errors: Spec, counts: Counts) -> Iterator[str]:
    """Sentences about instances that are not there."""
    for name, kind in kinds.items():
        known = {ALL, *map(key_of, instances(kind, counts))}
        for key in getattr(errors, name):
            if key not in known:
                last = key_of(tuple(counts[part] - 1 for part in kind.over))
                first = key_of(tuple(0 for _ in kind.over))
                yield (
                    f"errors.{name}.{key}: there is no such {'/'.join(kind.over)}; "
                    f"they are numbered {first} to {last}, or '{ALL}'"
                )
