"""The document of a result: one JSON object with all that the module in the browser draws."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from flank.analyses.drawing import drawing_at_rest
from flank.drawing.curves import curves_of
from flank.drawing.mechanism import mechanism_alone, mechanism_of
from flank.io.shown import prose

if TYPE_CHECKING:
    from flank.analyses.result import Result
    from flank.machines.base import Machine

FORMAT = 1
"""Rises when a module of before could not read a document any more."""


def document_of(result: Result) -> dict[str, Any]:
    """Mechanism and curves of a result; what it has not is left out."""
    document: dict[str, Any] = {
        "format": FORMAT,
        "title": prose(result.title),
        "analysis": result.analysis,
        "curves": curves_of(result),
    }
    mechanism = mechanism_of(result)
    return document if mechanism is None else {**document, "mechanism": mechanism}


def document_of_machine(machine: Machine) -> dict[str, Any]:
    """A machine as it stands, before anything is asked of it."""
    document: dict[str, Any] = {"format": FORMAT, "title": prose(machine.title), "curves": []}
    drawing = drawing_at_rest(machine)
    return document if drawing is None else {**document, "mechanism": mechanism_alone(drawing)}


def document_text(document: Mapping[str, Any]) -> str:
    """As JSON that may stand inside a page: no text of it can end its element."""
    text = json.dumps(document, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
