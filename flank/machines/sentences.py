"""Turns what is wrong with a spec, or with what it describes, into sentences for a person."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from flank import units
from flank.errors import SpecError, nearest, suggestion

if TYPE_CHECKING:  # findings load the compiler, which a refused spec need not wait for
    from flank.geometry.findings import Finding

#: The kind of error with which a spec reports the problems found by its own cross checks.
CROSS_CHECK = "cross_check"

_NEEDED = {
    "string_type": "text is needed",
    "tuple_type": "a list is needed",
    "dict_type": "a block of keys is needed",
    "model_type": "a block of keys is needed",
    "model_attributes_type": "a block of keys is needed",
    "bool_type": "true or false is needed",
}


def sentences(error: ValidationError, model: type[BaseModel]) -> list[str]:
    """One sentence for each problem, in the order of the spec."""
    details = error.errors(include_url=False)
    misspelt = set(_misspelt_keys(details, model))
    found: list[str] = []
    for detail in details:
        # A misspelt key is one mistake, though pydantic counts the right key as missing too.
        if detail["type"] == "missing" and detail["loc"] in misspelt:
            continue
        found.extend(_sentences_of(detail, model))
    return found


def _misspelt_keys(
    details: list[ErrorDetails], model: type[BaseModel]
) -> Iterator[tuple[int | str, ...]]:
    for detail in details:
        if detail["type"] == "extra_forbidden":
            parent = detail["loc"][:-1]
            match = nearest(str(detail["loc"][-1]), _block_at(model, parent).model_fields)
            if match:
                yield (*parent, match)


def _sentences_of(detail: ErrorDetails, model: type[BaseModel]) -> list[str]:
    location = detail["loc"]
    path = _dotted(location)
    kind = detail["type"]
    if kind == CROSS_CHECK:
        return [f"{path}.{problem}" if path else problem for problem in detail["ctx"]["problems"]]
    if kind == "extra_forbidden":
        return [_unknown_key(path, location, model)]
    if kind == "missing":
        return [_missing(path, location, model)]
    if kind == "literal_error":
        return [_wrong_choice(path, detail["input"], _field_at(model, location))]
    if kind == "value_error":
        return [f"{path}: {detail['ctx']['error']}"]
    if kind == "invalid_key":
        return [f"{path}: this key is not text; put it in quotes if it is meant as text"]
    needed = _NEEDED.get(kind, detail["msg"])
    return [f"{path or 'the spec'}: {units.describe(detail['input'])} is given; {needed}"]


def _unknown_key(path: str, location: tuple[int | str, ...], model: type[BaseModel]) -> str:
    allowed = _block_at(model, location[:-1]).model_fields
    owner = _dotted(location[:-1]) or "the spec"
    hint = suggestion(str(location[-1]), allowed)
    return f"{path} is not a key of {owner}{hint} Allowed: {', '.join(allowed)}"


def _missing(path: str, location: tuple[int | str, ...], model: type[BaseModel]) -> str:
    field = _field_at(model, location)
    what = field.description if field and field.description else "a value"
    block = _block_in(field.annotation) if field else None
    if block is not None:
        return f"{path} is missing: give {what}, a block with the keys {_keys(block)}"
    examples = (field.examples if field else None) or ["..."]
    return f"{path} is missing: give {what}, for example '{location[-1]}: {examples[0]}'"


def _keys(block: type[BaseModel]) -> str:
    required = [name for name, field in block.model_fields.items() if field.is_required()]
    return ", ".join(required or block.model_fields)


def _wrong_choice(path: str, given: Any, field: FieldInfo | None) -> str:
    choices = _choices(field.annotation) if field else ()
    listed = ", ".join(repr(choice) for choice in choices)
    hint = suggestion(str(given), map(str, choices))
    return f"{path}: {units.describe(given)} is not one of the choices{hint} Choices: {listed}"


def _choices(annotation: Any) -> tuple[Any, ...]:
    if get_origin(annotation) is Literal:
        return get_args(annotation)
    return next(filter(None, map(_choices, get_args(annotation))), ())


def _dotted(location: tuple[int | str, ...]) -> str:
    return ".".join(str(part) for part in location if part != "[key]")


def _block_in(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next(filter(None, map(_block_in, get_args(annotation))), None)


def _block_at(model: type[BaseModel], location: tuple[int | str, ...]) -> type[BaseModel]:
    block = model
    for part in location:
        field = block.model_fields.get(str(part))
        # A part that is no field is a name the user chose, for example of a material.
        block = (_block_in(field.annotation) or block) if field else block
    return block


def _field_at(model: type[BaseModel], location: tuple[int | str, ...]) -> FieldInfo | None:
    return _block_at(model, location[:-1]).model_fields.get(str(location[-1]))


def refuse_errors(findings: "Iterable[tuple[str, Finding]]") -> None:
    """SpecError with every finding that makes the machine impossible, after the key it names."""
    problems = [
        f"{key}: {finding.message}; {finding.remedy}"
        for key, finding in findings
        if finding.severity == "error"
    ]
    if problems:
        raise SpecError(problems)
