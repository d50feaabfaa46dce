"""A study as plain text, as Markdown, as a page, and its tables as comma-separated values."""

from __future__ import annotations

import csv
import io
import textwrap
from html import escape

from flank._version import __version__
from flank.io.shown import Table
from flank.report.html import origin_part, page, picture_part, table_part
from flank.report.text import table_lines
from flank.reproduce.study import Study

_WIDTH = 100


def study_text(study: Study) -> str:
    """For a terminal."""
    lines = [study.title, *textwrap.wrap(study.lead, _WIDTH)]
    for table in study.tables.values():
        lines += table_lines(table)
    lines += ["", "Notes"]
    for mark, note in study.notes.items():
        lines += _item(mark, note)
    lines += ["", "Findings"]
    for finding in study.findings:
        lines += _item("-", finding)
    return "\n".join(lines)


def _item(mark: str, text: str) -> list[str]:
    return textwrap.wrap(f"{mark}  {text}", _WIDTH, initial_indent="  ", subsequent_indent="     ")


def markdown_table(table: Table) -> str:
    """A table in Markdown, words to the left and numbers to the right."""
    sides = [":--" if words else "--:" for words in table.words]
    rows = [table.headings, sides, *table.rows]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def markdown_body(study: Study, level: int = 2) -> str:
    """Lead, tables, notes and findings, with headings of the given level."""
    mark = "#" * level
    parts = [study.lead]
    parts += [f"{mark} {table.title}\n\n{markdown_table(table)}" for table in study.tables.values()]
    notes = "\n".join(f"- **{key}** {note}" for key, note in study.notes.items())
    findings = "\n".join(f"- {finding}" for finding in study.findings)
    parts += [f"{mark} Notes\n\n{notes}", f"{mark} Findings\n\n{findings}"]
    return "\n\n".join(parts)


def study_markdown(study: Study) -> str:
    """A file of its own."""
    return f"# {study.title}\n\n{markdown_body(study)}\n"


def table_csv(table: Table, notes: dict[str, str]) -> str:
    """Comma-separated values; a column of notes holds their words, not their marks."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table.headings)
    for row in table.rows:
        cells = zip(table.headings, row, strict=True)
        writer.writerow([notes.get(cell, cell) if head == NOTE else cell for head, cell in cells])
    return text.getvalue()


NOTE = "note"
"""Heading of the column that cites notes."""


def study_page(study: Study) -> str:
    """One self-contained page."""
    notes = "".join(f"<li value='{mark}'>{escape(note)}</li>" for mark, note in study.notes.items())
    findings = "".join(f"<li>{escape(finding)}</li>" for finding in study.findings)
    failed = "<div class='alert failure'><p>Not every computation completed.</p></div>"
    body = [
        f"<header><p class='kind'>Reproduction</p><h1>{escape(study.title)}</h1></header>",
        f"<p class='lead'>{escape(study.lead)}</p>",
        "" if study.complete else failed,
        f"<h2>Findings</h2>\n<ul>{findings}</ul>",
        *(table_part(table) for table in study.tables.values()),
        f"<h2>Notes</h2>\n<ol>{notes}</ol>",
        *(picture_part(name, picture) for name, picture in study.pictures.items()),
        origin_part(study.spec),
        f"<p class='version'>Computed by Flank {escape(__version__)}.</p>",
    ]
    return page(study.title, body)
