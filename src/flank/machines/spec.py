"""The base of every machine's spec: frozen, checked on the way in, written back with units."""

import copy
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from flank import units
from flank.errors import SpecError
from flank.machines.fields import dotted, metadata
from flank.machines.quantities import Quantity
from flank.machines.sentences import CROSS_CHECK, sentences
from flank.texts import describe, echo

RATIO_KEYS = ("ratio", "reduction", "reduction_ratio", "gear_ratio")
"""What people call a ratio, which no spec holds: it follows from teeth and pins."""


UNIT = "unit"
"""Of a field's extra data: its unit where other keys decide on it."""


def key(meaning: str, example: Any = None, **more: Any) -> Any:
    """A field of a spec, by its meaning and an example; `default` if it may be left out, which is
    its own example where none is given, `unit` where its type does not tell it."""
    unit = {UNIT: more.pop(UNIT)} if UNIT in more else None
    shown = more.get("default") if example is None else example
    examples = [shown] if isinstance(shown, str | int | float) else None
    return Field(description=meaning, examples=examples, json_schema_extra=unit, **more)


def optional(meaning: str, example: Any = None, **more: Any) -> Any:
    """The same of a key that holds nothing where it is left out."""
    return key(meaning, example, default=None, **more)


class WrittenTuple(tuple[Any, ...]):
    """Values that were written as something shorter, the name of a file for example; a spec is
    written back with that."""

    written: Any

    def __new__(cls, values: Iterable[Any], written: Any) -> Self:
        made = super().__new__(cls, values)
        made.written = written
        return made

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self), self.written


class Spec(BaseModel):
    """A block of a spec. Values are SI floats; unknown keys are refused."""

    ratio_is: ClassVar[str] = ""
    """From what the ratio follows, for those who look for it among the keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)

    @classmethod
    def from_mapping(cls, data: Any) -> Self:
        """The spec written in `data`; SpecError holds one sentence for each problem."""
        if not isinstance(data, Mapping):
            raise SpecError(f"the spec is {describe(data)}; a block of keys is needed")
        try:
            return cls.model_validate(dict(data))
        except ValidationError as error:
            raise SpecError(sentences(error, cls)) from None

    @classmethod
    def from_settings(cls, data: Any, name: str) -> Self:
        """The same where `data` are settings of what has this name."""
        try:
            return cls.from_mapping(data)
        except SpecError as error:
            raise SpecError(
                [
                    f"settings of {name}: {text.replace('key of the spec', 'setting')}"
                    for text in error.problems
                ]
            ) from None

    def to_mapping(self, units: bool = True) -> dict[str, Any]:
        """The spec as plain data that `from_mapping` reads back as an equal spec.

        With `units` quantities are text such as '1.3 mm', without they are SI numbers.
        Keys that hold nothing are left out.
        """
        data: dict[str, Any] = {}
        for name, field in type(self).model_fields.items():
            value = getattr(self, name)
            if value is None or (value in ({}, ()) and not field.is_required()):
                continue
            data[name] = _plain(value, self.quantity_of(name) if units else None, units)
        return data

    def with_changes(self, changes: Mapping[str, Any]) -> Self:
        """A new spec with some keys changed, named by dotted paths such as 'pins.count'.

        A value of None takes the key away, so that its default holds again.
        """
        data = self.to_mapping(units=False)
        problems = [
            problem for path, value in changes.items() if (problem := _put(data, str(path), value))
        ]
        if problems:
            raise SpecError(problems)
        return self.from_mapping(data)

    def cross_checks(self) -> Iterable[str]:
        """Sentences about keys that do not go together; each begins with a key of this block."""
        return ()

    @classmethod
    def elsewhere(cls, key: str, given: Any) -> str | None:
        """What to give in place of a key that people look for and this spec does not have: the
        words after 'ratio is not a key of the spec; '. None for keys that nobody looks for."""
        return (cls.ratio_is or None) if key in RATIO_KEYS else None

    def quantity_of(self, name: str) -> Quantity | None:
        """The units of the field `name`, None for a field that is no quantity."""
        return metadata(type(self).model_fields[name], Quantity)

    @model_validator(mode="before")
    @classmethod
    def _drop_empty_keys(cls, data: Any) -> Any:
        """A key without a value counts as absent, so that its default or 'missing' applies."""
        if not isinstance(data, Mapping):
            return data
        return {
            key: value
            for key, value in data.items()
            if value is not None or key not in cls.model_fields
        }

    @model_validator(mode="after")
    def _run_cross_checks(self) -> Self:
        if problems := list(self.cross_checks()):
            context = {"text": "; ".join(problems), "problems": problems}
            raise PydanticCustomError(CROSS_CHECK, "{text}", context)
        return self


def _plain(value: Any, quantity: Quantity | None, with_units: bool) -> Any:
    if isinstance(value, Spec):
        return value.to_mapping(units=with_units)
    if isinstance(value, dict):
        return {key: _plain(item, quantity, with_units) for key, item in value.items()}
    if isinstance(value, WrittenTuple):
        return value.written
    if isinstance(value, tuple):
        return [_plain(item, quantity, with_units) for item in value]
    if isinstance(value, float) and quantity is not None and quantity.shown_unit:
        return units.exact_text(value, quantity.si_unit, quantity.shown_unit) or value
    return value


def _put(data: dict[str, Any], path: str, value: Any) -> str | None:
    """Sets a dotted path in nested data; returns a sentence when the path leads nowhere."""
    parts = path.split(".")
    if not all(parts):
        return (
            f"'{echo(path)}' is not a key; write names joined by single dots, such as 'pins.count'"
        )
    block = data
    for depth, part in enumerate(parts[:-1], start=1):
        key = _same_key(block, part)
        if value is None and key not in block:
            block[key] = None  # nothing to take away, unless the name is wrong
            return None
        inner = block.setdefault(key, {})
        if not isinstance(inner, dict):
            owner = dotted(tuple(parts[:depth]))
            return (
                f"{echo(path)} cannot be set: {owner} is a value, not a block; set {owner} itself"
            )
        block = inner
    key = _same_key(block, parts[-1])
    if value is None and key in block:
        del block[key]
    else:
        block[key] = copy.deepcopy(value)
    return None


def _same_key(block: dict[Any, Any], part: str) -> Any:
    """The key of `block` spelt `part`: a path is text while a pin's index is a number."""
    return next((key for key in block if str(key) == part), part)
