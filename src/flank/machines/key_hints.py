"""Which key was meant by one that a spec does not have."""

import re
from collections.abc import Iterator
from typing import Any, get_origin

from pydantic import BaseModel

from flank import units
from flank.errors import nearest
from flank.machines.fields import Location, block_at, block_in, dotted, quantity_in_field

CLOSE = 0.75
"""Likeness from which a misspelt key of the same block is taken before one of another block."""

CLOSE_ELSEWHERE = 0.8

_HALVES = (("diameter", "radius", 0.5, "half"), ("radius", "diameter", 2.0, "twice"))


def meant_key(model: type[BaseModel], location: Location, given: Any) -> Location | None:
    """Where the key lies that was most likely meant by the unknown one at `location`."""
    parent, word = location[:-1], str(location[-1])
    own = block_at(model, parent).model_fields
    if (match := nearest(word, own, CLOSE)) is not None:
        return (*parent, match)
    full = (*location, *given) if isinstance(given, dict) and len(given) == 1 else location
    if (other := _halved(model, location)) is not None:
        return other[0]
    if (found := _same_words(model, full)) is not None:
        return found
    match = nearest(word, own)
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
    own = block_at(model, location[:-1]).model_fields
    for word, other, factor, share in _HALVES:
        name = str(location[-1]).replace(word, other)
        if word in str(location[-1]) and name in own:
            return (*location[:-1], name), factor, share
    return None


def _rescaled(
    model: type[BaseModel], meant: Location, factor: float, share: str, given: Any
) -> str | None:
    quantity = quantity_in_field(block_at(model, meant[:-1]).model_fields[str(meant[-1])])
    if quantity is None:
        return None
    try:
        number = factor * units.parse(given, quantity.si_unit)
    except ValueError:
        return f"; give {dotted(meant)}, {share} of it."
    return f"; give {dotted(meant)}: {quantity.shown(number)}, {share} of it."


def _same_words(model: type[BaseModel], location: Location) -> Location | None:
    """The key whose path has all the words of the unknown one and the fewest others: 'pin_count'
    is pins.count and 'speed' operation.input_speed."""
    wanted = _words(location)
    places = list(_places(model))
    fitting = [place for place in places if wanted <= _words(place)]
    if wanted and fitting:
        return min(fitting, key=lambda place: len(_words(place)))
    joined = {"_".join(map(str, place)): place for place in places}
    match = nearest("_".join(map(str, location)), joined, CLOSE_ELSEWHERE)
    return joined[match] if match else None


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
