"""The document of a shortlist: designs side by side, why others fell, and how each one does."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

from flank._version import __version__
from flank.design.overview import counted, fallen, side_by_side, wanted_rows
from flank.io.shown import count_text, factor, number_text, prose, unit_text
from flank.io.tables import EXACT, MISSING, Column, Table, table
from flank.plots import figures
from flank.report.document import DESIGN, Document, Outline

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flank.design.designing import Shortlist
    from flank.machines.base import DataRow, DataTable
    from flank.plots.style import Picture

SHEETS = ("designs", "fallen")

SHOWN = ("drive", "loop", "joint")
"""Pictures of the verifying runs that the page has, by their names there."""


def spec_name(place: int) -> str:
    return f"design-{place + 1}.yaml"


def outline(designs: int, pictures: tuple[str, ...] = ()) -> Outline:
    """Of as many designs as may come."""
    return Outline(DESIGN, SHEETS, pictures, tuple(map(spec_name, range(designs))))


def design_document(shortlist: Shortlist) -> Document:
    designs = side_by_side(shortlist)
    return Document(
        DESIGN,
        "Designs",
        prose(shortlist.title),
        prose(counted(shortlist)),
        f"Computed by Flank {__version__}.",
        {"designs": _designs(designs, ""), "fallen": _fallen(shortlist)},
        dict(_pictures(shortlist)),
        {
            "designs": partial(_designs, designs, EXACT),
            "fallen": partial(_fallen, shortlist),
        },
        findings=[prose(note) for note in designs.notes],
        below=[_wanted(shortlist)],
        specs=dict(zip(map(spec_name, range(len(shortlist.specs))), shortlist.specs, strict=True)),
    )


def _designs(data: DataTable, form: str) -> Table:
    columns = [
        Column("quantity", [row.title for row in data.rows]),
        Column("unit", [unit_text(row.shown_unit) for row in data.rows]),
    ]
    for k, name in enumerate(data.columns):
        columns.append(Column(name, [_number(row, row.values[k], form) for row in data.rows]))
    made = table("Designs side by side", columns)
    return made._replace(words=[True, True, *(False for _ in data.columns)])


def _number(row: DataRow, value: float, form: str) -> str:
    """With the digits of a person, or all of them by `form`."""
    if math.isnan(value):
        return MISSING
    value *= factor(row.unit, row.shown_unit)
    if form:
        return f"{value:{form}}"
    return number_text(value, row.digits) if row.shown_unit else count_text(value)


def _fallen(shortlist: Shortlist) -> Table:
    rows = fallen(shortlist)
    return table(
        "Why the others fell",
        [
            Column("number", [row.fallen for row in rows], "d"),
            Column("reason", [row.reason for row in rows]),
            Column("nearest beyond its limit, %", [row.nearest for row in rows], ".3g"),
            Column("of the nearest", [prose(row.words) for row in rows]),
        ],
    )


def _wanted(shortlist: Shortlist) -> Table:
    rows = wanted_rows(shortlist)
    return table(
        "Requirements",
        [
            Column("requirement", rows.keys()),
            Column("value", [prose(value) for value in rows.values()]),
        ],
    )


def _pictures(shortlist: Shortlist) -> Iterator[tuple[str, Picture]]:
    """Of every design, its drawing and its loop."""
    for place, design in enumerate(shortlist.designs):
        if design.verification is None:
            continue
        for result in design.verification.results.values():
            for name, picture in figures(result).items():
                wanted = name in SHOWN and not (name == "drive" and result.analysis == "hysteresis")
                if wanted:
                    picture.caption = f"Design {place + 1}. {picture.caption}"
                    yield f"design-{place + 1}-{name}", picture
