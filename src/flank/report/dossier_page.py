"""The body of a dossier's page: title block, verdict, and numbered parts that print well on A4."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from html import escape
from typing import TYPE_CHECKING

from flank.io.tables import Table
from flank.texts import counted

if TYPE_CHECKING:
    from flank.report.document import Document

MOST_ROWS = 24
"""Of a table on the page; the files beside it have all."""

MOST_COLUMNS = 12

NARROW = 3
"""Columns up to which tables stand side by side."""

CSS = """
.block { width: 100%; border: 1.5px solid var(--text); margin: 1rem 0 1.4rem; }
.block td { border: 1px solid var(--line); padding: .3rem .6rem; width: 25%; }
.block small { display: block; color: var(--quiet); font-size: .72rem; }
.part > h2 { font-size: 1.25rem; margin-top: 2.6rem; padding-top: .6rem;
  border-top: 2px solid var(--strong); }
.part h3 { color: var(--text); font-size: 1rem; margin: 1.4rem 0 .4rem; }
.part .grid { font-size: .9rem; }
.part .grid thead th { font-size: 1em; }
.beside { display: grid; grid-template-columns: repeat(auto-fit, minmax(19rem, 1fr));
  gap: 0 2.5rem; }
.beside table { width: 100%; }
.left-out { color: var(--quiet); font-size: .85rem; }
.contents { columns: 2; column-gap: 3.5rem; max-width: none; padding-left: 1.4rem; }
@page { size: A4; margin: 17mm 15mm 18mm; }
@media print {
  body { font-size: 9.5pt; }
  .part .grid { font-size: 8pt; }
  .part .dense { font-size: 6.5pt; }
  .part > h2 { break-after: avoid; }
  .scroll { overflow: visible; }
  table.long { break-inside: auto; }
  tr { break-inside: avoid; }
  thead { display: table-header-group; }
  .beside > div { break-inside: avoid; }
  .beside { grid-template-columns: 1fr 1fr; gap: 0 1.6rem; }
  figure { margin-top: 1rem; }
  figcaption, .version, .part p { font-size: 8.5pt; }
  .alert { font-size: 9pt; padding: .4rem .8rem; }
  .alert h2 { font-size: 9.5pt; }
  figure img { max-height: 17cm; object-fit: contain; object-position: left; }
  details { display: none; }
}
"""


def page_feet(document: Document) -> str:
    """Running feet of printed pages: what it is of, and the page's number."""
    title = _quoted(f"{document.title}, {document.details['Title'].get('Date', '')}")
    spec = _quoted(f"spec {document.details['Title'].get('Spec', '')}")
    style = "font: 7.5pt sans-serif; color: #555;"
    return (
        f"@page {{ @bottom-left {{ content: {title}; {style} }} "
        f"@bottom-center {{ content: {spec}; {style} }} "
        f"@bottom-right {{ content: counter(page) ' / ' counter(pages); {style} }} }}\n"
    )


def _quoted(text: str) -> str:
    """A string of CSS within an element of HTML."""
    plain = "".join(each if each.isalnum() or each in " ,.:;-+()·/" else " " for each in text)
    return f"'{plain}'"


def title_block(block: Mapping[str, str]) -> str:
    """Cells with small headings, four a row, as in the corner of a drawing."""
    cells = [
        f"<td><small>{escape(name)}</small>{escape(text)}</td>" for name, text in block.items()
    ]
    cells += ["<td></td>"] * (-len(cells) % 4)
    rows = (f"<tr>{''.join(cells[k : k + 4])}</tr>" for k in range(0, len(cells), 4))
    return f"<table class='block'>{''.join(rows)}</table>"


def contents(parts: tuple[Document, ...]) -> str:
    """A numbered list that leads to the parts."""
    items = (
        f"<li><a href='#{escape(part.short)}'>{escape(part.heading)}</a></li>" for part in parts
    )
    return f"<ol class='contents'>{''.join(items)}</ol>"


def sections(
    document: Document,
    lead_of: Callable[[Document], Iterator[str]],
    table_of: Callable[[Table, str, str], str],
    figure_of: Callable[[str], str],
) -> Iterator[str]:
    """Every part; what all pages have in common is drawn by the functions that are given."""
    for number, part in enumerate(document.parts, start=1):
        pieces = [
            f"<h2>{number}  {escape(part.heading)}</h2>",
            *lead_of(part),
            *(_cut(shown, table_of) for shown in part.tables.values() if shown.rows),
            *(figure_of(f"{part.short}-{name}") for name in part.pictures),
            *_below(part, table_of),
        ]
        inside = "\n".join(piece for piece in pieces if piece)
        yield f"<section class='part' id='{escape(part.short)}'>{inside}</section>"


def _below(part: Document, table_of: Callable[[Table, str, str], str]) -> Iterator[str]:
    """Narrow tables side by side, then the others."""
    below = [shown for shown in part.below if shown.rows]
    narrow = [shown for shown in below if len(shown.headings) <= NARROW]
    if narrow:
        inside = "".join(f"<div>{_cut(shown, table_of)}</div>" for shown in narrow)
        yield f"<div class='beside'>{inside}</div>"
    for shown in below:
        if len(shown.headings) > NARROW:
            yield _cut(shown, table_of)


def _cut(shown: Table, table_of: Callable[[Table, str, str], str]) -> str:
    """A table with as many rows and columns as a page has room for, and how many are left out."""
    rows, columns = len(shown.rows) - MOST_ROWS, len(shown.headings) - MOST_COLUMNS
    cut = shown._replace(
        headings=shown.headings[:MOST_COLUMNS],
        words=shown.words[:MOST_COLUMNS],
        rows=[row[:MOST_COLUMNS] for row in shown.rows[:MOST_ROWS]],
    )
    left = [counted(rows, "row")] * (rows > 0) + [counted(columns, "column")] * (columns > 0)
    more = f"<p class='left-out'>And {' and '.join(left)} more, in the files.</p>" if left else ""
    return table_of(cut, "h3", "long" if len(cut.rows) > MOST_ROWS // 2 else "") + more
