"""Results and studies as plain text for a terminal."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from flank.io.shown import prose
from flank.io.tables import Table, summary_rows, tables

if TYPE_CHECKING:
    from flank.analyses.result import Result
    from flank.report.document import Document

_WIDTH, _STUDY_WIDTH = 80, 100


def summary_text(result: Result) -> str:
    """Title, outcome, warnings, notes and the summary table."""
    lines = [f"{prose(result.title)}: {result.analysis.replace('-', ' ')}"]
    if not result.complete:
        lines += textwrap.wrap(f"Incomplete: {result.outcome}", _WIDTH)
    for warning in result.warnings:
        lines += textwrap.wrap(f"Warning: {prose(warning)}", _WIDTH, subsequent_indent="  ")
    for note in result.notes:
        lines += textwrap.wrap(f"Note: {prose(note)}", _WIDTH, subsequent_indent="  ")
    below: list[str] = []
    for table in tables(result):
        below += table_lines(table)
    return "\n".join([*lines, *_table(result), *below])


def study_text(document: Document) -> str:
    """Title, lead, alerts, tables, notes and findings of a study."""
    lines = [document.title, *textwrap.wrap(document.lead, _STUDY_WIDTH)]
    for alert in document.alerts:
        lines += ["", alert.title] if alert.title else [""]
        for sentence in alert.sentences:
            lines += _item("-", sentence)
    for table in document.tables.values():
        lines += table_lines(table)
    lines += ["", "Notes"] if document.notes else []
    for mark, note in document.notes.items():
        lines += _item(mark, note)
    lines += ["", "Findings"] if document.findings else []
    for finding in document.findings:
        lines += _item("-", finding)
    return "\n".join(lines)


def _item(mark: str, text: str) -> list[str]:
    return textwrap.wrap(
        f"{mark}  {text}", _STUDY_WIDTH, initial_indent="  ", subsequent_indent="     "
    )


def _table(result: Result) -> list[str]:
    rows = summary_rows(result)
    if not rows:
        return []
    title_width = max(len(row.title) for row in rows)
    number_width = max(len(row.number) for row in rows)
    return [
        "",
        *(
            f"  {row.title:<{title_width}}  {row.number:>{number_width}} {row.unit}".rstrip()
            for row in rows
        ),
    ]


def table_lines(table: Table) -> list[str]:
    """A table in columns, words to the left and numbers to the right."""
    grid = [table.headings, *table.rows]
    widths = [max(len(row[k]) for row in grid) for k in range(len(table.headings))]
    lines = [
        "  ".join(
            cell.ljust(width) if words else cell.rjust(width)
            for cell, width, words in zip(row, widths, table.words, strict=True)
        )
        for row in grid
    ]
    return ["", table.title, *(f"  {line}".rstrip() for line in lines)]
