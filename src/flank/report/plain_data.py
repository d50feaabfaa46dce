"""All numbers of a document as JSON, for other programs."""

from __future__ import annotations

import json
from typing import Any

from flank._version import __version__
from flank.io.tables import Table
from flank.report.document import Document
from flank.report.spreadsheet import as_number

NUMBERS_FILE = "numbers.json"


def numbers_text(document: Document) -> str:
    """The document's parts by name; numbers as they are shown, sheets with all digits."""
    return json.dumps(_plain(document), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _plain(document: Document) -> dict[str, Any]:
    data: dict[str, Any] = {
        "kind": document.kind,
        "heading": document.heading,
        "title": document.title,
        "flank_version": __version__,
        "verdict": document.verdict._asdict() if document.verdict else {},
        "alerts": [sentence for alert in document.alerts for sentence in alert.sentences],
        "summary": [
            {"quantity": row.title, "value": _cell(row.number), "unit": row.unit}
            for row in document.summary
        ],
        "tables": [_table(each) for each in (*document.tables.values(), *document.below)],
        "sheets": {name: _table(made()) for name, made in document.sheets.items()},
        "data": dict(document.data),
        "parts": [_plain(part) for part in document.parts],
        "spec": dict(document.spec),
    }
    return {key: value for key, value in data.items() if value not in ({}, [], "")}


def _table(shown: Table) -> dict[str, Any]:
    rows = [[_cell(cell) for cell in row] for row in shown.rows]
    return {"title": shown.title, "headings": shown.headings, "rows": rows}


def _cell(text: str) -> str | float:
    number = as_number(text)
    return text if number is None else number
