"""Forms of requirements, and a shortlist as a page shows it."""

from __future__ import annotations

import math
from importlib import import_module
from typing import TYPE_CHECKING, Any

from flank.drawing import document_of_turning
from flank.io.shown import count_text, factor, number_text, prose, unit_text
from flank.studio.form import blank_fields

if TYPE_CHECKING:
    from flank.design.designing import Design, Shortlist
    from flank.machines.base import DataRow

MOST_MARGINS = 5
"""The least, of every design."""

MOST_FALLS = 8
"""Reasons why others fell that are shown; the report has all."""


def forms() -> dict[str, Any]:
    """By kind that can be designed, its title and the fields of what may be asked of it."""
    from flank.design.designable import DESIGNABLE

    requirements = import_module("flank.design.requirements")
    made = {}
    for name, kind in DESIGNABLE.items():
        wanted = getattr(requirements, kind.requirements)
        meaning = (wanted.__doc__ or "").strip().split("\n")[0]
        made[name] = {"meaning": prose(meaning), "fields": blank_fields(wanted)}
    return made


def told_of(shortlist: Shortlist) -> dict[str, Any]:
    """Designs side by side, what holds each, why others fell, and pictures."""
    from flank.design.overview import counted, fallen, side_by_side

    table = side_by_side(shortlist)
    falls = fallen(shortlist)
    return {
        "title": prose(shortlist.title),
        "counted": prose(counted(shortlist)),
        "columns": list(table.columns),
        "rows": [
            [row.title, [_number(row, value) for value in row.values], unit_text(row.shown_unit)]
            for row in table.rows
        ],
        "notes": [prose(note) for note in table.notes],
        "margins": [_margins(design) for design in shortlist.designs],
        "titles": [prose(design.machine.title) for design in shortlist.designs],
        "pictures": [document_of_turning(design.machine) for design in shortlist.designs],
        "falls": [
            [str(row.fallen), row.reason, _beyond(row.nearest), prose(row.words)]
            for row in falls[:MOST_FALLS]
        ],
        "fell": len(falls),
    }


def _margins(design: Design) -> list[str]:
    """Rules of `flank check` that it is nearest to, with what is left to their limits."""
    told = [
        each
        for each in design.measured.verdict.margins
        if each.rule.severity != "note" and math.isfinite(each.share)
    ]
    return [
        f"{each.rule.code.replace('-', ' ')}: {100 * each.share:.3g} % left"
        for each in told[:MOST_MARGINS]
    ]


def _number(row: DataRow, value: float) -> str:
    if math.isnan(value):
        return ""
    value *= factor(row.unit, row.shown_unit)
    return number_text(value, row.digits) if row.shown_unit else count_text(value)


def _beyond(nearest: float) -> str:
    return "" if math.isnan(nearest) else f"the nearest by {nearest:.3g} %"
