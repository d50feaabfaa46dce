"""The fields of a spec as a page shows them, each with unit, limits, meaning and slider."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from flank.io.shown import prose, unit_text
from flank.machines.fields import choices_in, field_at, metadata
from flank.machines.quantities import Quantity, WholeNumber
from flank.machines.spec_keys import ANY_NAME, Key, keys_of
from flank.units import convert

if TYPE_CHECKING:
    from flank.machines.spec import Spec

SLIDER_FACTOR = 2.0
"""A slider reaches from the value over this to the value times this, within the key's limits."""

SLIDER_STEPS = 200
"""About as many from end to end."""

AMOUNT = re.compile(r"^(-?\d+\.\d{12,}(?:e-?\d+)?)( .*)?$")
"""An amount with more digits than anybody wrote, as 14.999999999999998 rpm."""

ABSENT = object()


def form_of(spec: Spec) -> list[dict[str, Any]]:
    """Blocks in the order of the spec, each with its fields and their values."""
    data = spec.to_mapping()
    blocks: dict[str, dict[str, Any]] = {}
    for key in _present_keys(type(spec), data):
        if key.path == "machine":  # another kind has other fields
            continue
        block = blocks.setdefault(
            key.block.path,
            {"path": key.block.path, "meaning": prose(key.block.meaning), "fields": []},
        )
        block["fields"].append(_field(type(spec), key, _at(data, key.path)))
    for block in blocks.values():
        block["given"] = any(field["value"] for field in block["fields"])
    return list(blocks.values())


def blank_fields(kind: type[Spec]) -> list[dict[str, Any]]:
    """Fields of a spec that nobody has written yet; blocks within it are left out."""
    return [_field(kind, key, ABSENT) for key in keys_of(kind) if "." not in key.path]


def values_of(spec: Spec, paths: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Text and slider of some fields, by their paths."""
    data = spec.to_mapping()
    return {
        path: {"value": text(value), "slider": slider(type(spec), path, value)}
        for path in paths
        if (value := _at(data, path)) is not ABSENT
    }


def _present_keys(kind: type[Spec], data: Mapping[str, Any]) -> Iterator[Key]:
    """Keys below names that the user chose are those of the names that there are."""
    for key in keys_of(kind):
        before, found, after = key.path.partition(f".{ANY_NAME}.")
        if not found:
            yield key
            continue
        names = _at(data, before)
        for name in names if isinstance(names, Mapping) else ():
            block = replace(key.block, path=key.block.path.replace(ANY_NAME, str(name), 1))
            yield replace(key, path=f"{before}.{name}.{after}", block=block)


def _field(kind: type[Spec], key: Key, value: Any) -> dict[str, Any]:
    field = field_at(kind, tuple(key.path.split(".")))
    choices = choices_in(field.annotation) if field else ()
    if key.allowed == "true or false":
        choices = (True, False)
    return {
        "path": key.path,
        "name": key.path.rpartition(".")[2],
        "meaning": prose(key.meaning),
        "unit": unit_text(key.unit),
        "allowed": prose(key.allowed),
        "default": prose(key.default),
        "example": prose(key.example),
        "required": key.required,
        "choices": [text(choice) for choice in choices],
        "value": text(value),
        "slider": slider(kind, key.path, value),
    }


def _at(data: Any, path: str) -> Any:
    for part in path.split("."):
        if not isinstance(data, Mapping):
            return ABSENT
        data = next((value for key, value in data.items() if str(key) == part), ABSENT)
    return data


def text(value: Any) -> str:
    """A value as it is written in a field; lists and blocks in one line, which YAML reads."""
    if value is ABSENT or value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:.12g}"
    if isinstance(value, str):
        return AMOUNT.sub(lambda found: f"{float(found[1]):.12g}{found[2]}", value, count=1)
    return json.dumps(value, ensure_ascii=False)


def slider(kind: type[Spec], path: str, value: Any) -> dict[str, Any] | None:
    """Ends, step and place of a number's slider, in the unit in which it is written."""
    field = field_at(kind, tuple(path.split(".")))
    if field is None or value is ABSENT or isinstance(value, (bool, list, dict)):
        return None
    if (whole := metadata(field, WholeNumber)) is not None:
        return _whole_slider(whole, value) if isinstance(value, int) else None
    quantity = metadata(field, Quantity)
    if quantity is None:
        return None
    number, unit = _number(value, quantity)
    if number is None:
        return None
    lowest, highest = (
        None if bound is None else convert(bound, quantity.si_unit, unit or quantity.si_unit)
        for bound in (
            quantity.above if quantity.above is not None else quantity.minimum,
            quantity.maximum,
        )
    )
    low, high = _ends(number, _example_number(field.examples))
    low = low if lowest is None else max(low, lowest)
    high = high if highest is None else min(high, highest)
    if not low < high:
        return None
    step = _round_step((high - low) / SLIDER_STEPS)
    low = math.ceil(low / step - 1e-9) * step
    if quantity.above is not None and lowest is not None and low <= lowest:
        low += step
    return {"low": low, "high": high, "step": step, "value": number, "unit": unit}


def _whole_slider(whole: WholeNumber, value: int) -> dict[str, Any]:
    low, high = _ends(float(value), 10.0)
    most = whole.most if whole.maximum is None else whole.maximum
    low, high = max(math.floor(low), whole.minimum), min(math.ceil(high), most)
    return {"low": low, "high": high, "step": 1, "value": value, "unit": ""}


def _ends(number: float, usual: float) -> tuple[float, float]:
    if number == 0.0:
        return -usual, usual
    ends = number / SLIDER_FACTOR, number * SLIDER_FACTOR
    return min(ends), max(ends)


def _number(value: Any, quantity: Quantity) -> tuple[float | None, str]:
    """A value as it is written, its unit apart; a spec writes it in the unit that is shown."""
    if isinstance(value, (int, float)):
        return float(value), ""
    number, _, unit = str(value).partition(" ")
    try:
        return float(number), unit
    except ValueError:
        return None, ""


def _example_number(examples: list[Any] | None) -> float:
    """What is usual, of a value that is zero."""
    found = re.match(r"-?[\d.]+", str(examples[0])) if examples else None
    return 4.0 * abs(float(found[0])) or 1.0 if found else 1.0


def _round_step(step: float) -> float:
    """1, 2 or 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(step))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= step * 0.999)


def key_of(sentence: str, paths: Iterable[str]) -> str:
    """The field or block that a sentence about a spec names first; empty if it names none."""
    known = sorted(paths, key=len, reverse=True)
    begins = next((path for path in known if path and _begins(sentence, path)), "")
    if begins:
        return begins
    dotted = re.findall(r"[a-z_]\w*(?:\.\w+)+", sentence)
    return next((word for word in dotted if word in known), "")


def _begins(sentence: str, path: str) -> bool:
    after = sentence[len(path) : len(path) + 1]
    return sentence.startswith(path) and not (after.isalnum() or after == "_")
