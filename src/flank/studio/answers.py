"""What a page is told of a machine: pictures, loads, findings and results as plain data."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from flank.analyses.registry import ANALYSES
from flank.drawing import document_of, document_of_turning
from flank.drawing.packing import exact
from flank.dynamics.trajectory import SpatialPose
from flank.io.shown import factor, prose, quantity_text, unit_text
from flank.io.tables import summary_rows

if TYPE_CHECKING:
    from flank.analyses.result import Result
    from flank.design.verdict import Judged, Verdict
    from flank.dynamics.run import Progress
    from flank.machines.base import Machine

LOAD = "load-distribution"

LIVE: dict[str, dict[str, Any]] = {
    "hysteresis": {"points_per_stage": 25},
    "transmission-error": {"draws": 0},
}
"""Analyses that may follow a slider, with the settings that make them quick enough."""

MOVING = "transmission-error"
"""The one of them that goes over a turn, whose poses and forces the picture plays."""

FIGURES = {
    "load-distribution": ("torsional_stiffness", "wind_up"),
    "hysteresis": ("torsional_stiffness", "lost_motion", "backlash"),
    "transmission-error": ("peak_to_peak",),
}
"""What variants are compared by, beside the largest forces and pressures."""

MOST_LINES = 8


def analyses_for(machine: Machine) -> list[dict[str, str]]:
    """All that may be asked of a machine."""
    return [
        {"name": each.name, "summary": each.summary}
        for each in ANALYSES.values()
        if each.fits(machine)
    ]


TURNING = (
    "The machine to scale, turned as if it were rigid and had no clearance. Arrows are forces of "
    "contacts on discs, gears or balls at the operating torque, at positions where they are known; "
    "colour is the Hertz pressure where there is one."
)

FRAMES, FRAMES_IN_SPACE = 61, 25
"""Of a turn; poses in space take a millisecond each, which a slider would wait for."""


def picture(machine: Machine) -> dict[str, Any]:
    """The machine turning; nothing is solved."""
    spatial = isinstance(machine.ideal_pose(0.0), SpatialPose)
    document = document_of_turning(machine, frames=FRAMES_IN_SPACE if spatial else FRAMES)
    if "mechanism" in document:
        document["mechanism"]["caption"] = TURNING
    return document


def motion(result: Result) -> dict[str, Any] | None:
    """Poses and forces of a run for the picture that is there, whose shapes are the same."""
    mechanism = document_of(result).get("mechanism")
    if mechanism is None or mechanism["frames"]["count"] < 2:
        return None
    return {name: mechanism[name] for name in ("poses", "frames", "forces")}


def run(
    machine: Machine, name: str, settings: Mapping[str, Any], progress: Progress | None
) -> Result:
    """SpecError where the machine does not offer what is needed, or settings are wrong."""
    from flank.analyses.registry import find_analysis

    analysis = find_analysis(name)
    analysis.check_machine(machine)
    return analysis.run(machine, analysis.checked_settings(settings), progress)


def load_of(machine: Machine, progress: Progress | None) -> dict[str, Any] | None:
    """Contact forces at the operating torque; None of a machine without such a thing."""
    if not ANALYSES[LOAD].fits(machine):
        return None
    result = run(machine, LOAD, {}, progress)
    told = told_of(result)
    told["document"]["curves"] = list(load_curves(result))
    return told


def told_of(result: Result) -> dict[str, Any]:
    """Figures, warnings and drawing of a result."""
    return {
        "analysis": result.analysis,
        "title": prose(result.title),
        "complete": result.complete,
        "outcome": prose(result.outcome),
        "figures": [list(row) for row in summary_rows(result)],
        "warnings": [prose(each) for each in (*result.warnings, *result.notes)],
        "document": document_of(result),
        "compared": list(_compared(result)),
    }


def _compared(result: Result) -> Iterator[dict[str, Any]]:
    """Numbers by name, in the units that people read."""
    wanted = FIGURES.get(result.analysis, ())
    for figure in result.figures():
        if figure.name in wanted or figure.name.startswith("largest_"):
            value = figure.value * factor(figure.unit, figure.shown_unit)
            if np.isfinite(value):
                yield {
                    "name": f"{result.analysis}.{figure.name}",
                    "title": prose(figure.title),
                    "unit": unit_text(figure.shown_unit),
                    "value": float(value),
                    "text": f"{value:.5g}",
                    "chief": figure.name in wanted,
                }


def load_curves(result: Result) -> Iterator[dict[str, Any]]:
    """Force over the number of the contact, of the group with the most contacts; along the longer
    of its dimensions."""
    names = [name for name in result.data.data_vars if name.endswith("_force")]
    forces = [result.data[name] for name in names if result.data[name].dims]
    forces = [each for each in forces if len(each.dims) <= 2 and each.values.dtype.kind == "f"]
    if not forces:
        return
    force = max(forces, key=lambda each: (max(each.values.shape), each.values.size))
    along = force.dims[-1 - int(np.argmax(force.values.shape[::-1]))]
    others = [dim for dim in force.dims if dim != along]
    values = np.atleast_2d(np.moveaxis(force.values, force.dims.index(along), -1))
    if values.shape[-1] < 2:
        return
    scale = factor(force.attrs["units"], force.attrs["shown_unit"])
    rows = values[:MOST_LINES] * scale
    title = prose(force.attrs["long_name"])
    yield {
        "name": "load",
        "picture": "contact-loads",
        "kind": "lines",
        "title": title,
        "x": {"title": f"Number of the {along}".replace("_", " "), "unit": "", "along": along},
        "y": {"unit": unit_text(force.attrs["shown_unit"])},
        "abscissa": exact(np.arange(rows.shape[1]) + 1.0),
        "lines": [
            {
                "name": f"{others[0].replace('_', ' ')} {k + 1}" if others else title,
                "values": exact(row),
            }
            for k, row in enumerate(rows)
        ],
        "left_out": max(len(values) - MOST_LINES, 0),
        "marks": [],
    }


def findings_of(verdict: Verdict) -> dict[str, Any]:
    """The light and what is wrong; remedies are sought one by one afterwards."""
    from flank.report.verdict import judgement_of

    judgement = judgement_of(verdict)
    return {
        "light": verdict.light if judgement else "",
        "headline": prose(judgement.headline) if judgement else "",
        "findings": [_finding(each) for each in verdict.findings],
    }


def _finding(found: Judged) -> dict[str, Any]:
    message = found.message[:1].upper() + found.message[1:]
    return {
        "code": found.code,
        "severity": found.severity,
        "message": prose(message),
        "measured": _measured(found),
        "key": found.key,
        "source": prose(found.source),
    }


def _measured(found: Judged) -> str:
    """Value and limit of a rule; what a machine finds itself tells them in its message."""
    if found.relation is None or not np.isfinite(found.value):
        return ""
    value, limit = (
        quantity_text(each, found.unit, found.shown_unit) for each in (found.value, found.limit)
    )
    return f"{value}, {found.relation.replace('_', ' ')} {limit}"


def remedy_of(found: Judged) -> dict[str, Any]:
    """In words, and as texts by keys, none where no single change is enough."""
    from flank.studio.form import text

    changes = {key: text(value) for key, value in found.changes.items()}
    return {"words": prose(found.remedy), "changes": changes}


def as_text(message: Mapping[str, Any]) -> str:
    """JSON knows neither nan nor infinity."""
    return json.dumps(message, separators=(",", ":"), allow_nan=False)
