"""What people get wrong in a spec: a key that has another name, a unit left out, one cause for all.

A number in a file or on a command line is SI, like everywhere. A person who leaves out the unit
means millimetres, and the machine that follows is impossible in many ways at once. Each such
number of a refused spec is therefore read in its usual unit too; where that leaves fewer problems,
the unit is asked for in their place.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, get_origin

from pydantic import BaseModel

from flank import units
from flank.errors import SpecError, nearest
from flank.machines.fields import Location, block_at, block_in, dotted, field_at, metadata
from flank.machines.quantities import Quantity

CLOSE = 0.75
"""Likeness from which a misspelt key of the same block is taken before one of another block."""

CLOSE_ELSEWHERE = 0.8

_HALVES = (("diameter", "radius", 0.5, "half"), ("radius", "diameter", 2.0, "twice"))


def meant_key(model: type[BaseModel], location: Location, given: Any) -> Location | None:
    """Where the key lies that was most likely meant by the unknown one at `location`."""
    parent, word = location[:-1], str(location[-1])
    fields = block_at(model, parent).model_fields
    if (match := nearest(word, fields, CLOSE)) is not None:
        return (*parent, match)
    full = (*location, *given) if isinstance(given, dict) and len(given) == 1 else location
    if (other := _halved(model, location)) is not None:
        return other[0]
    if (place := _same_words(model, full)) is not None:
        return place
    match = nearest(word, fields)
    return (*parent, match) if match else None


def hint(model: type[BaseModel], location: Location, given: Any) -> str:
    """'; did you mean ...?', with what to give instead where that can be said, else '.'."""
    other = _halved(model, location)
    if other is not None and (text := _rescaled(model, *other, given)) is not None:
        return text
    meant = meant_key(model, location, given)
    if meant is None:
        return "."
    same_block = meant[:-1] == location[:-1]
    return f"; did you mean '{meant[-1] if same_block else dotted(meant)}'?"


def _halved(model: type[BaseModel], location: Location) -> tuple[Location, float, str] | None:
    """The radius for a diameter and the other way round, where the block has it."""
    fields = block_at(model, location[:-1]).model_fields
    for word, other, factor, share in _HALVES:
        name = str(location[-1]).replace(word, other)
        if word in str(location[-1]) and name in fields:
            return (*location[:-1], name), factor, share
    return None


def _rescaled(
    model: type[BaseModel], meant: Location, factor: float, share: str, given: Any
) -> str | None:
    field = field_at(model, meant)
    quantity = metadata(field, Quantity) if field is not None else None
    if quantity is None:
        return None
    try:
        number = factor * units.parse(given, quantity.si_unit)
    except ValueError:
        return f"; give {dotted(meant)}, {share} of it."
    return f"; give {dotted(meant)}: {quantity.shown(number)}, {share} of it."


def _same_words(model: type[BaseModel], location: Location) -> Location | None:
    """The key whose path has all the words of the unknown one and the fewest others, first among
    those of blocks that every spec has: 'pin_count' is pins.count and 'speed'
    operation.input_speed, though a motor has a speed."""
    wanted = _words(location)
    places = list(_places(model))
    fitting = [place for place in places if wanted <= _words(place)]
    if wanted and fitting:
        return min(fitting, key=lambda place: (_may_lack(model, place), len(_words(place))))
    joined = {"_".join(map(str, place)): place for place in places}
    match = nearest("_".join(map(str, location)), joined, CLOSE_ELSEWHERE)
    return joined[match] if match else None


def _may_lack(model: type[BaseModel], place: Location) -> bool:
    """Whether a place lies in a block that a spec may leave out."""
    field = model.model_fields[str(place[0])]
    return len(place) > 1 and not field.is_required() and field.default is None


def _words(location: Location) -> frozenset[str]:
    words = re.findall(r"[a-z]+|\d+", "_".join(map(str, location)).casefold())
    return frozenset(word.removesuffix("s") for word in words)


def _places(model: type[BaseModel], above: Location = ()) -> Iterator[Location]:
    """Where every value of a spec lies, but for blocks that people name themselves."""
    for name, field in model.model_fields.items():
        block = block_in(field.annotation)
        if block is None:
            yield (*above, name)
        elif get_origin(field.annotation) is not dict:
            yield from _places(block, (*above, name))


MOST_NESTED = 4
"""Blocks in one another that are looked through; a spec has two or three."""

MOST_TRIALS = 20
"""Numbers that are tried: each costs a check of the spec."""


def questions_about_units(
    problems: list[str],
    data: Mapping[str, Any],
    model: type[BaseModel],
    build: Callable[[Mapping[str, Any]], object],
) -> tuple[list[str], list[str], Mapping[str, Any]]:
    """Questions for units, the problems that are left, and the data with these units.

    `build` refuses other data than these, whose `problems` are known.
    """
    questions: list[str] = []
    for at, (location, quantity, value) in enumerate(_bare_numbers(data, model)):
        if at == MOST_TRIALS or not problems:
            break
        meant = quantity.meant(value)
        trial = _replaced(data, location, quantity.in_shown_unit(value))
        left = _problems_when(build, trial) if meant else problems
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
        if isinstance(value, Mapping) and id(value) not in seen and len(seen) < MOST_NESTED:
            block = block_at(model, place)
            yield from _bare_numbers(value, block, (*above, key), seen | {id(value)})
        quantity = metadata(field, Quantity) if field is not None else None
        if quantity is not None and units.lacks_unit(value):
            yield (*above, key), quantity, value


def _replaced(data: Mapping[Any, Any], location: Location, value: Any) -> dict[Any, Any]:
    first, *inner = location
    return {**data, first: _replaced(data[first], tuple(inner), value) if inner else value}


def _problems_when(
    build: Callable[[Mapping[str, Any]], object], data: Mapping[str, Any]
) -> list[str]:
    """The sentences with which data are refused; none if they are not."""
    try:
        build(data)
    except SpecError as error:
        return error.problems
    return []


def first_causes(*stages: Iterable[str]) -> Iterator[str]:
    """The sentences of the first stage that has any.

    Each stage rests on those before it: with an eccentricity of a metre the root radius is below
    zero, and every hole cuts the flank.
    """
    for stage in stages:
        if problems := list(stage):
            yield from problems
            return
