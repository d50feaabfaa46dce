"""Tables of a shortlist: what its designs are and do side by side, and why the others fell."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from flank.machines.base import DataRow, DataTable

if TYPE_CHECKING:
    from flank.design.designing import Design, Shortlist


class Size(NamedTuple):
    """A dimension of a design."""

    title: str
    value: float
    unit: str = "m"
    shown_unit: str = "mm"


class Fall(NamedTuple):
    """A row of those that fell: how many, by what, and how near the nearest came in percent."""

    fallen: int
    reason: str
    nearest: float
    words: str


DIGITS = 4

TOLD_AS_SIZES = ("module_um", "sun_part", "planet_part")
"""Whole numbers of the search that sizes tell as people know them: module, teeth of sun and
planets."""


def side_by_side(shortlist: Shortlist) -> DataTable:
    """Designs as columns."""
    rows: dict[tuple[str, str, str], dict[int, float]] = {}
    for place, design in enumerate(shortlist.designs):
        for title, value, unit, shown in _rows(shortlist, design):
            rows.setdefault((title, unit, shown), {})[place] = value
    columns = tuple(f"design {k + 1}" for k in range(len(shortlist.designs)))
    table = [
        DataRow(
            title,
            tuple(values.get(k, math.nan) for k in range(len(columns))),
            unit,
            shown,
            DIGITS,
        )
        for (title, unit, shown), values in rows.items()
    ]
    holds = [design.measured.holding for design in shortlist.designs]
    notes = [
        f"{column}: held by {words}" for column, words in zip(columns, holds, strict=True) if words
    ]
    return DataTable("Designs", columns, tuple(table), tuple(notes))


def _rows(shortlist: Shortlist, design: Design) -> Iterator[Size]:
    for name, number in design.candidate.numbers:
        if name in TOLD_AS_SIZES:
            continue
        yield Size(name.replace("_", " "), number, "", "")
    yield from shortlist.sizes(design.machine)
    envelope = design.measured.envelope
    yield Size("outer diameter", envelope.diameter)
    yield Size("length", envelope.length)
    yield Size("volume of the cylinder around it", envelope.volume, "m^3", "cm^3")
    for each in design.measured.asked:
        if each.name not in ("diameter", "length", "backlash", "lost_motion", "stiffness"):
            yield Size(each.title, each.value, each.unit, each.shown_unit)
    figures = design.measured.figures
    for name, title, unit, shown in PLAY:
        if name in figures.declared():
            yield Size(title, abs(getattr(figures, name)), unit, shown)
    if math.isfinite(design.measured.margin):
        yield Size("least margin", design.measured.margin, "", "percent")
    yield from _verified(design)


PLAY = (
    ("backlash", "backlash", "rad", "arcmin"),
    ("lost_motion", "lost motion", "rad", "arcmin"),
    ("stiffness", "torsional stiffness", "N*m/rad", "N*m/arcmin"),
)


def _verified(design: Design) -> Iterator[Size]:
    answer = design.verification
    if answer is None:
        return
    for each in answer.asked:
        yield Size(each.title, each.value, each.unit, each.shown_unit)
    error = answer.results.get("transmission-error")
    if error is not None and "peak_to_peak" in error.data:
        unit = ("rad", "arcsec")
        yield Size("transmission error, peak to peak", float(error["peak_to_peak"]), *unit)
    if answer.draws:
        yield Size("drawn machines that complete", answer.complete, "", "")
        for name, title in (("backlash", "backlash"), ("lost_motion", "lost motion")):
            values = np.abs(answer.drawn[name])
            yield Size(f"{title}, median draw", float(np.median(values)), "rad", "arcmin")
            yield Size(f"{title}, largest draw", float(values.max()), "rad", "arcmin")


def fallen(shortlist: Shortlist) -> list[Fall]:
    """The most frequent reason first."""
    return [
        Fall(
            reason.count,
            code.replace("-", " ").replace("_", " "),
            100 * (reason.nearest - 1) if 1 < reason.nearest < math.inf else math.nan,
            reason.words,
        )
        for code, reason in shortlist.falls
    ]


def counted(shortlist: Shortlist) -> str:
    """What was gone through, in one sentence."""
    return (
        f"{shortlist.enumerated} candidates, {shortlist.refined} of them refined by "
        f"{shortlist.evaluations} machines; ranked by {shortlist.wanted.rank}: {shortlist.rule}."
    )


def wanted_rows(shortlist: Shortlist) -> dict[str, str]:
    """Requirements as they were given or assumed, by their words."""
    given: dict[str, Any] = shortlist.wanted.to_mapping()
    return {name.replace("_", " "): str(value) for name, value in given.items()}
