"""Asks about numbers without a unit, where the machine would be possible with one.

A number in a file or on a command line is SI, like everywhere. A person who leaves out the unit
means millimetres, and the machine that follows is impossible in many ways at once. Each such
number of a refused spec is therefore read in its usual unit too; where that leaves fewer problems,
the unit is asked for in their place.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pydantic import BaseModel

from flank import units
from flank.errors import SpecError
from flank.machines.fields import Location, block_at, dotted, field_at, quantity_in_field
from flank.machines.quantities import Quantity

DEEPEST = 4
"""Blocks in one another that are looked through; a spec has two or three."""

MOST_TRIALS = 20
"""Numbers that are tried: each costs a check of the spec."""


def asked_for_units(
    problems: list[str],
    data: Mapping[str, Any],
    model: type[BaseModel],
    problems_of: Callable[[Mapping[str, Any]], list[str]],
) -> tuple[list[str], list[str], Mapping[str, Any]]:
    """Questions for units, the problems that are left, and the data with the units so found.

    `problems_of` tells what is wrong with other data than these, whose `problems` are known.
    """
    questions: list[str] = []
    for at, (location, quantity, value) in enumerate(_bare_numbers(data, model)):
        if at == MOST_TRIALS or not problems:
            break
        meant = quantity.meant(value)
        trial = _replaced(data, location, quantity.in_shown_unit(value))
        left = problems_of(trial) if meant else problems
        if len(left) < len(problems):
            questions.append(f"{dotted(location)}: {meant}")
            data, problems = trial, left
    return questions, problems, data


def _bare_numbers(
    data: Mapping[Any, Any],
    model: type[BaseModel],
    above: Location = (),
    seen: frozenset[int] = frozenset(),
) -> Iterator[tuple[Location, Quantity, Any]]:
    """Those of a block, and of the blocks in it; `seen` are the blocks around it."""
    for key, value in data.items():
        place = tuple(str(key).split("."))
        field = field_at(model, place)
        if isinstance(value, Mapping) and id(value) not in seen and len(seen) < DEEPEST:
            block = block_at(model, place)
            yield from _bare_numbers(value, block, (*above, key), seen | {id(value)})
        quantity = quantity_in_field(field) if field is not None else None
        if quantity is not None and units.lacks_unit(value):
            yield (*above, key), quantity, value


def _replaced(data: Mapping[Any, Any], location: Location, value: Any) -> dict[Any, Any]:
    first, rest = location[0], location[1:]
    return {**data, first: _replaced(data[first], rest, value) if rest else value}


def problems_when(build: Callable[[], object]) -> list[str]:
    """The sentences with which something is refused; none if it is not."""
    try:
        build()
    except SpecError as error:
        return error.problems
    return []
