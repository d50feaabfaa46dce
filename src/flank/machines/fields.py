"""Finds one's way in the fields of a spec: blocks and quantities by the path of their keys."""

from typing import Any, Literal, TypeVar, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from flank.texts import echo

Kind = TypeVar("Kind")

Location = tuple[int | str, ...]
"""Keys from the outermost block inwards."""


def dotted(location: Location) -> str:
    """The path as people write it."""
    return echo(".".join(str(part) for part in location if part != "[key]"))


def block_in(annotation: Any) -> type[BaseModel] | None:
    """The first block named anywhere in an annotation, as in `RollersSpec | None`."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next(filter(None, map(block_in, get_args(annotation))), None)


def block_at(model: type[BaseModel], location: Location) -> type[BaseModel]:
    block = model
    for part in location:
        field = block.model_fields.get(str(part))
        # A part that is no field is a name the user chose, for example of a material.
        block = (block_in(field.annotation) or block) if field else block
    return block


def field_at(model: type[BaseModel], location: Location) -> FieldInfo | None:
    return block_at(model, location[:-1]).model_fields.get(str(location[-1]))


def metadata(field: FieldInfo, kind: type[Kind]) -> Kind | None:
    """What a field's type tells of itself, wherever it stands in the annotation."""
    matches = (item for item in field.metadata if isinstance(item, kind))
    return next(matches, None) or _annotated(field.annotation, kind)


def _annotated(annotation: Any, kind: type[Kind]) -> Kind | None:
    for item in getattr(annotation, "__metadata__", ()):
        if isinstance(item, kind):
            return item
    # The last first: the values of a dict, not its keys.
    inner = reversed(get_args(annotation))
    return next(filter(None, (_annotated(item, kind) for item in inner)), None)


def choices_in(annotation: Any) -> tuple[Any, ...]:
    """What a field allows, of one that names its values."""
    if get_origin(annotation) is Literal:
        return get_args(annotation)
    return next(filter(None, map(choices_in, get_args(annotation))), ())
