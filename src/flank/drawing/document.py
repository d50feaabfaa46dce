"""The document of a result: one JSON object with all that the module in the browser draws."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from flank.analyses.drawing import drawing_at_rest, drawing_turning
from flank.analyses.orders import natural_shaft, shaft_order
from flank.drawing.curves import curves_of
from flank.drawing.mechanism import angle_frames, mechanism_alone, mechanism_of
from flank.io.shown import prose
from flank.machines.base import Transmission

if TYPE_CHECKING:
    from flank.analyses.result import Result
    from flank.machines.base import Machine

FORMAT = 1
"""Rises when a module of before could not read a document any more."""


TURNING = "The machine to scale, turned as if it were rigid and had no clearance."


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


def document_of_turning(machine: Machine, turns: float = 1.0, frames: int = 61) -> dict[str, Any]:
    """The ideal machine, rigid and without clearance, over turns of the shaft in one turn of which
    a whole number of teeth or pins passes; nothing is solved for it. As it stands if nobody says
    how its shafts turn."""
    if not isinstance(machine, Transmission) or frames < 2 or not turns:
        return document_of_machine(machine)
    shaft = natural_shaft(machine)
    drawing = drawing_turning(machine, turning_angle(machine, shaft, turns), frames)
    document: dict[str, Any] = {"format": FORMAT, "title": prose(machine.title), "curves": []}
    if drawing is None:
        return document
    shown = {**mechanism_alone(drawing), "frames": angle_frames(drawing.time), "caption": TURNING}
    return {**document, "mechanism": shown}


def turning_angle(machine: Transmission, shaft: str, turns: float) -> float:
    """Of the input, in rad, for turns of a shaft."""
    return 2 * math.pi * turns / shaft_order(machine, shaft)


def document_text(document: Mapping[str, Any]) -> str:
    """As JSON that may stand inside a page: no text of it can end its element."""
    text = json.dumps(document, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
