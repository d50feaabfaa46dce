"""Turns what is wrong with a spec, or with what it describes, into sentences for a person."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from flank.errors import MOST_PROBLEMS, SpecError, first_few, suggestion
from flank.machines.fields import Location, block_at, block_in, choices_in, dotted, field_at
from flank.machines.mistakes import hint, meant_key
from flank.texts import describe, listed

if TYPE_CHECKING:  # findings load the compiler, which a refused spec need not wait for
    from flank.geometry.findings import Finding

#: The kind of error with which a spec reports the problems found by its own cross checks.
CROSS_CHECK = "cross_check"

_NEEDED = {
    "string_type": "text is needed",
    "string_unicode": "text is needed",
    "tuple_type": "a list is needed",
    "dict_type": "a block of keys is needed",
    "model_type": "a block of keys is needed",
    "model_attributes_type": "a block of keys is needed",
    "bool_type": "true or false is needed",
    "bool_parsing": "true or false is needed",
}


def sentences(error: ValidationError, model: type[BaseModel]) -> list[str]:
    """One sentence for each problem, in the order of the spec, the first few of many."""
    details = error.errors(include_url=False)
    first = details[: 2 * MOST_PROBLEMS]
    misspelt = {
        meant_key(model, detail["loc"], detail["input"])
        for detail in first
        if detail["type"] == "extra_forbidden"
    }
    problems = [
        sentence
        for detail in first
        # A misspelt key is one mistake, though pydantic counts the right key as missing too.
        if detail["type"] != "missing" or detail["loc"] not in misspelt
        for sentence in _sentences_of(detail, model)
    ]
    return first_few(problems, len(problems) + len(details) - len(first))


def _sentences_of(detail: ErrorDetails, model: type[BaseModel]) -> list[str]:
    location = detail["loc"]
    path = dotted(location)
    kind = detail["type"]
    if kind == CROSS_CHECK:
        return [f"{path}.{problem}" if path else problem for problem in detail["ctx"]["problems"]]
    if kind == "extra_forbidden":
        return [_unknown_key(path, location, detail["input"], model)]
    if kind == "missing":
        return [_missing(path, location, model)]
    if kind == "literal_error":
        return [_wrong_choice(path, detail["input"], field_at(model, location))]
    if kind == "value_error":
        return [f"{path}: {detail['ctx']['error']}"]
    if kind == "invalid_key":
        return [f"{path}: this key is not text; put it in quotes if it is meant as text"]
    needed = _NEEDED.get(kind, "another kind of value is needed")
    if needed.startswith("a block") and isinstance(detail["input"], str):
        needed += ", each key followed by a colon and a space"
    return [f"{path or 'the spec'}: {describe(detail['input'])} is given; {needed}"]


def _unknown_key(path: str, location: Location, given: Any, model: type[BaseModel]) -> str:
    owner = dotted(location[:-1]) or "the spec"
    elsewhere = getattr(model, "elsewhere", None)
    if elsewhere is not None and (words := elsewhere(path, given)):
        return f"{path} is not a key of {owner}; {words}"
    allowed = block_at(model, location[:-1]).model_fields
    meant = hint(model, location, given)
    return f"{path} is not a key of {owner}{meant} Allowed: {listed(allowed)}"


def _missing(path: str, location: Location, model: type[BaseModel]) -> str:
    field = field_at(model, location)
    what = field.description if field and field.description else "a value"
    block = block_in(field.annotation) if field else None
    if block is not None:
        return f"{path} is missing: give {what}, a block with the keys {_keys(block)}"
    examples = (field.examples if field else None) or ["..."]
    return f"{path} is missing: give {what}, for example '{location[-1]}: {examples[0]}'"


def _keys(block: type[BaseModel]) -> str:
    required = [name for name, field in block.model_fields.items() if field.is_required()]
    return ", ".join(required or block.model_fields)


def _wrong_choice(path: str, given: Any, field: FieldInfo | None) -> str:
    choices = choices_in(field.annotation) if field else ()
    known = ", ".join(repr(choice) for choice in choices)
    meant = suggestion(given, map(str, choices)) if isinstance(given, str) else "."
    return f"{path}: {describe(given)} is not one of the choices{meant} Choices: {known}"


def refuse_errors(findings: "Iterable[tuple[str, Finding]]") -> None:
    """SpecError with every finding that makes the machine impossible, after the key it names."""
    problems = [
        f"{key}: {finding.message}; {finding.remedy}"
        for key, finding in findings
        if finding.severity == "error"
    ]
    if problems:
        raise SpecError(problems)
