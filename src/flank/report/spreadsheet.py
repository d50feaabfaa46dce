"""All numbers of a document as one workbook, a sheet for every table."""

from __future__ import annotations

import datetime
import io
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from flank._version import __version__
from flank.io.tables import Column, Table, table
from flank.report.document import Document

if TYPE_CHECKING:
    from xlsxwriter.worksheet import Worksheet

WORKBOOK_FILE = "tables.xlsx"
NEEDS = "xlsxwriter"

LONGEST_NAME = 31
"""Characters of a sheet's name."""

MOST_ROWS = 1_048_576
"""Of a sheet, its head included."""

WIDEST, NARROWEST = 46, 9
"""Of a column, in characters."""

LOOKED_AT = 200
"""Rows whose cells decide on the width of a column."""

MADE = datetime.datetime(2000, 1, 1)
"""In place of the date of the file, so that equal numbers are equal files."""


def workbook(document: Document) -> bytes:
    """The tables as they are shown, then all numbers; those of more rows than a sheet takes are
    named with what has them."""
    import xlsxwriter

    buffer = io.BytesIO()
    book = xlsxwriter.Workbook(buffer, {"in_memory": True, "strings_to_numbers": False})
    book.set_properties(
        {"title": document.title, "comments": f"Written by Flank {__version__}", "created": MADE}
    )
    head = book.add_format({"bold": True, "bottom": 1, "text_wrap": True, "valign": "top"})
    names: set[str] = set()
    for title, shown in sheets_of(document):
        _write(book.add_worksheet(_name(title, names)), shown, head)
    book.close()
    return buffer.getvalue()


def sheets_of(document: Document) -> Iterator[tuple[str, Table]]:
    """All tables of a document and of its parts, each once."""
    prefix = f"{document.short} " if document.short else ""
    if document.summary:
        columns = [
            Column(name, [row[k] for row in document.summary])
            for k, name in enumerate(("quantity", "value", "unit"))
        ]
        yield f"{prefix}summary", table("Summary", columns)
    for shown in (*document.tables.values(), *document.below):
        yield f"{prefix}{shown.title}", shown
    for name, made in document.sheets.items():
        if name != "summary" or not document.summary:
            yield f"{prefix}{name}", made()
    for part in document.parts:
        yield from sheets_of(part)


def _name(title: str, taken: set[str]) -> str:
    """A name that a workbook takes, and has once."""
    plain = re.sub(r"[\[\]:*?/\\']", " ", title).strip() or "table"
    name, number = plain[:LONGEST_NAME].strip(), 1
    while name.casefold() in taken:
        number += 1
        end = f" {number}"
        name = plain[: LONGEST_NAME - len(end)].strip() + end
    taken.add(name.casefold())
    return name


def _write(sheet: Worksheet, shown: Table, head: Any) -> None:
    for column, text in enumerate(shown.headings):
        sheet.write_string(0, column, text, head)
        cells = [row[column] for row in shown.rows[:LOOKED_AT]]
        widest = max(map(len, (*cells, *text.split(), "")))
        sheet.set_column(column, column, min(max(widest + 2, NARROWEST), WIDEST))
    sheet.freeze_panes(1, 0)
    kept = shown.rows[: MOST_ROWS - 2] if len(shown.rows) >= MOST_ROWS else shown.rows
    for row, cells in enumerate(kept, start=1):
        _write_row(sheet, row, cells)
    if len(kept) < len(shown.rows):
        left = len(shown.rows) - len(kept)
        sheet.write_string(len(kept) + 1, 0, f"{left} more rows do not fit; --format csv has all")


def _write_row(sheet: Worksheet, row: int, cells: Iterable[str]) -> None:
    """Numbers as numbers; words as words, whatever they begin with."""
    for column, cell in enumerate(cells):
        number = as_number(cell)
        if number is None:
            sheet.write_string(row, column, cell)
        else:
            sheet.write_number(row, column, number)


def as_number(cell: str) -> float | None:
    """The number that a cell shows, with or without separators of thousands; None of words."""
    text = re.sub(r"(?<=\d)[,\u202f](?=\d{3})", "", cell)
    if not re.fullmatch(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", text):
        return None
    number = float(text)
    return number if abs(number) < 1e300 else None
