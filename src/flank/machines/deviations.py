"""Errors of a spec in a machine: drawn, listed and added to."""

from collections.abc import Mapping
from typing import Any, Protocol, Self, TypeVar

from flank.machines.error_kinds import (
    Counts,
    DrawnErrors,
    Kinds,
    Values,
    as_listed,
    drawn_errors,
    instance_of,
    listed_errors,
)
from flank.machines.spec import Spec

Extra = dict[tuple[str, tuple[int, ...]], float]
"""Errors on top of a spec's, by kind and index."""


class Erring(Protocol):
    """A spec with errors and their tolerances."""

    @property
    def errors(self) -> DrawnErrors: ...

    @property
    def tolerances(self) -> Spec: ...

    @property
    def counts(self) -> Counts: ...

    def with_changes(self, changes: Mapping[str, Any]) -> Self: ...


ErringSpec = TypeVar("ErringSpec", bound=Erring)


def with_draw(spec: ErringSpec, kinds: Kinds) -> ErringSpec:
    """The spec with a random draw, if it asks for one, written out among its errors."""
    seed = spec.errors.seed
    if seed is None:
        return spec
    values = listed_errors(kinds, spec.errors, spec.counts)
    for name, drawn in drawn_errors(kinds, spec.tolerances, seed, spec.counts).items():
        values[name] += drawn
    return spec.with_changes({"errors": as_listed(kinds, values) | {"drawn_from": seed}})


def all_errors(spec: Erring, kinds: Kinds, extra: Extra) -> Values:
    """Every deviation: the spec's, and those on top."""
    values = listed_errors(kinds, spec.errors, spec.counts)
    for (name, index), value in extra.items():
        values[name][index] += value
    return values


def with_more(extra: Extra, kinds: Kinds, name: str, value: float) -> Extra:
    """`extra` with the error of one parameter changed by `value`."""
    place = instance_of(kinds, name)
    return extra | {place: extra.get(place, 0.0) + value}
