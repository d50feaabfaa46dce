"""Every key that a spec may hold, as its fields describe it: unit, default, bounds and meaning."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, get_args, get_origin

from pydantic.fields import FieldInfo

from flank.machines.fields import block_in, choices_in, metadata
from flank.machines.quantities import Quantity, WholeNumber
from flank.machines.spec import UNIT, Spec
from flank.texts import joined

ANY_NAME = "NAME"
"""Stands in a path for a name that the user chooses, as of a material."""


@dataclass(frozen=True)
class Block:
    """Keys that belong together; `path` is empty for those of the spec itself."""

    path: str
    meaning: str
    required: bool


@dataclass(frozen=True)
class Key:
    """One key by its dotted path. `unit` is empty where there is none; `allowed` tells what values
    may be given, the unit left out; `default` is empty where nothing holds instead."""

    path: str
    block: Block
    meaning: str
    unit: str
    allowed: str
    default: str
    example: str
    required: bool


def keys_of(spec: type[Spec]) -> Iterator[Key]:
    """The keys of a spec in its order, blocks opened where they stand."""
    yield from _keys(spec, None, Block("", "", True))


def _keys(spec: type[Spec], defaults: Spec | None, block: Block) -> Iterator[Key]:
    for name, field in spec.model_fields.items():
        path = f"{block.path}.{name}" if block.path else name
        default = field.default if defaults is None else getattr(defaults, name)
        inner = block_in(field.annotation)
        if inner is None:
            yield _key(path, field, default, block)
            continue
        assert issubclass(inner, Spec)
        given = default if isinstance(default, Spec) else None
        named = f"{path}.{ANY_NAME}" if _holds(field.annotation, dict) else path
        meaning = field.description or ""
        yield from _keys(inner, given, Block(named, meaning, field.is_required()))


def _key(path: str, field: FieldInfo, default: Any, block: Block) -> Key:
    quantity = metadata(field, Quantity)
    extra = field.json_schema_extra
    unit = str(extra.get(UNIT, "")) if isinstance(extra, dict) else ""
    return Key(
        path,
        block,
        field.description or "",
        quantity.shown_unit if quantity else unit,
        _allowed(field, quantity),
        "" if field.is_required() else _default_text(default, quantity),
        _example(field),
        field.is_required(),
    )


def _example(field: FieldInfo) -> str:
    """An example that tells something: of a machine's name there is one only, of prose none."""
    example = str(field.examples[0]) if field.examples else ""
    alone = choices_in(field.annotation) == (example,)
    return "" if alone or example == "..." else example


def _default_text(default: Any, quantity: Quantity | None) -> str:
    if default is None or default in ("", (), {}):
        return ""
    if isinstance(default, bool):
        return str(default).lower()
    if isinstance(default, tuple) and quantity:
        return f"[{', '.join(quantity.shown(each) for each in default)}]"
    return quantity.shown(default) if quantity else str(default)


def _allowed(field: FieldInfo, quantity: Quantity | None) -> str:
    if choices := choices_in(field.annotation):
        return joined(choices, "or")
    several = _several(field)
    if quantity is not None:
        return ", ".join(filter(None, (several, _bounds(quantity))))
    whole = metadata(field, WholeNumber)
    if whole is not None:
        low, high = whole.minimum, whole.maximum
        return f"whole number, {low} or more" if high is None else f"whole number, {low} to {high}"
    if _holds(field.annotation, bool):
        return "true or false"
    if get_origin(field.annotation) is dict:
        return "block of keys"
    if _holds(field.annotation, str):
        return f"{several} of texts" if several else "text"
    if field.annotation is Any or _holds(field.annotation, tuple):
        return several  # what it may be hangs on other keys
    return "more than 0"  # a stiffness whose unit hangs on its law


def _bounds(quantity: Quantity) -> str:
    """Those that people must know."""
    number = "" if quantity.shown_unit else "number"
    if not quantity.listed:
        return number
    low = _amount(quantity, quantity.minimum, math.ceil)
    high = _amount(quantity, quantity.maximum, math.floor)
    if quantity.above is not None:
        limits = f"more than {_amount(quantity, quantity.above, math.ceil)}"
    elif low and high:
        limits = f"{low} to {high}"
    else:
        limits = f"{low} or more" if low else f"{high} or less" if high else ""
    return ", ".join(filter(None, (number, limits)))


def _amount(quantity: Quantity, bound: float | None, inward: Callable[[float], int]) -> str:
    """A bound as a number in the unit that the key is shown in, rounded to what is allowed."""
    if bound is None:
        return ""
    number = float(quantity.shown(bound).split(" ")[0])
    scale = 10.0 ** max(2 - math.floor(math.log10(abs(number))), 0) if number else 1.0
    return f"{inward(number * scale) / scale:g}"


def _several(field: FieldInfo) -> str:
    """Whether there are several values: a list, or as its example shows it."""
    if _holds(field.annotation, dict):
        return "by number" if _example(field).startswith("{") else ""
    return "list" if _holds(field.annotation, tuple) else ""


def _holds(annotation: Any, kind: type) -> bool:
    """Whether a type is named anywhere in an annotation."""
    if kind in (annotation, get_origin(annotation)):
        return True
    return any(_holds(inner, kind) for inner in get_args(annotation))
