"""The formats of files by name: one registry for results and studies.

To add one, write a `Writer` in a file of its own and a line in `WRITERS`.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from importlib.util import find_spec

from flank.errors import SpecError, suggestion
from flank.io.ownership import (
    PAGE_FILE,
    RESULT_FILE,
    SPEC_FILE,
    is_our_page,
    is_our_picture,
    is_our_result,
    is_our_spec,
    spec_file_text,
)
from flank.io.results import result_bytes
from flank.io.spec_files import write_yaml
from flank.io.tables import NOTE, Column, Table, table
from flank.report.document import DESIGN, DOSSIER, RUN, STUDY, Document, Outline, Writer
from flank.report.html import page
from flank.report.plain_data import NUMBERS_FILE, numbers_text
from flank.report.spreadsheet import NEEDS, WORKBOOK_FILE, workbook
from flank.texts import echo, with_article

MARKDOWN_FILE = "tables.md"


def _result(document: Document, _: str) -> bytes:
    assert document.result is not None
    return result_bytes(document.result)


def _spec(document: Document, _: str) -> str:
    return spec_file_text(write_yaml(document.spec))


def _machine(document: Document, name: str) -> str:
    return spec_file_text(write_yaml(document.specs[name]))


def _sheet(document: Document, name: str) -> str:
    """Comma-separated values; a column of notes holds their words, not their marks."""
    sheet = document.sheets[name.removesuffix(".csv")]()
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(sheet.headings)
    for row in sheet.rows:
        cells = zip(sheet.headings, row, strict=True)
        writer.writerow([document.notes.get(c, c) if head == NOTE else c for head, c in cells])
    return text.getvalue()


def _picture(document: Document, name: str) -> bytes:
    return document.pictures[name.removesuffix(".png")].png()


def _markdown(document: Document, _: str) -> str:
    return f"# {document.title}\n\n{markdown_body(document)}\n"


def markdown_body(document: Document, level: int = 2) -> str:
    """All but the title, with headings of the given level."""
    mark = "#" * level
    alerts = [sentence for alert in document.alerts for sentence in alert.sentences]
    notes = [f"**{key}** {note}" for key, note in document.notes.items()]
    summary = [Column(name, cells) for name, cells in _summary_columns(document).items()]
    shown = [
        *([table("Summary", summary)] if document.summary else []),
        *document.tables.values(),
        *document.below,
    ]
    verdict = document.verdict.headline if document.verdict else ""
    parts = [part for part in (document.lead, verdict, *alerts) if part]
    parts += [f"{mark} {each.title}\n\n{markdown_table(each)}" for each in shown]
    for title, items in {"Notes": notes, "Findings": document.findings}.items():
        if items:
            parts.append(f"{mark} {title}\n\n" + "\n".join(f"- {item}" for item in items))
    for part in document.parts:
        parts += [f"{mark} {part.heading}", markdown_body(part, level + 1)]
    return "\n\n".join(parts)


def _summary_columns(document: Document) -> dict[str, list[str]]:
    names = ("quantity", "value", "unit")
    return {name: [row[k] for row in document.summary] for k, name in enumerate(names)}


def markdown_table(shown: Table) -> str:
    """A table in Markdown, words to the left and numbers to the right."""
    sides = [":--" if words else "--:" for words in shown.words]
    rows = [shown.headings, sides, *shown.rows]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


COLLECTED = (STUDY, DESIGN)
EVERY = (RUN, STUDY, DESIGN, DOSSIER)
MACHINES = (RUN, DOSSIER)

WRITERS = {
    "netcdf": Writer(".nc", lambda _: [RESULT_FILE], _result, is_our_result, (RUN,), (RUN,)),
    "spec": Writer(".yaml", lambda _: [SPEC_FILE], _spec, is_our_spec, MACHINES, MACHINES),
    "machines": Writer(
        ".yaml", lambda o: o.specs, _machine, is_our_spec, always=(DESIGN,), kinds=(DESIGN,)
    ),
    "csv": Writer(".csv", lambda o: [f"{s}.csv" for s in o.sheets], _sheet, always=COLLECTED),
    "xlsx": Writer(
        ".xlsx",
        lambda _: [WORKBOOK_FILE],
        lambda document, _: workbook(document),
        always=(DOSSIER,),
        needs=NEEDS,
    ),
    "json": Writer(
        ".json",
        lambda _: [NUMBERS_FILE],
        lambda document, _: numbers_text(document),
        always=(DOSSIER,),
    ),
    "markdown": Writer(".md", lambda _: [MARKDOWN_FILE], _markdown, always=COLLECTED),
    "png": Writer(
        ".png", lambda o: [f"{p}.png" for p in o.pictures], _picture, is_our_picture, EVERY
    ),
    "html": Writer(".html", lambda _: [PAGE_FILE], lambda d, _: page(d), is_our_page, EVERY),
}
"""In the order in which the files of a folder are told."""


def writers_of(kind: str, requested: Iterable[str] = ()) -> list[Writer]:
    """The writers of a kind of document: those it always has, and those asked for by name."""
    fitting = {name: writer for name, writer in WRITERS.items() if kind in writer.kinds}
    for name in requested:
        if name not in fitting:
            raise SpecError(
                f"'{echo(name)}' is not a format of {with_article(kind)}"
                f"{suggestion(name, fitting)} Formats: {', '.join(fitting)}"
            )
        if missing(fitting[name]):
            raise SpecError(
                f"the format {name} needs the library {fitting[name].needs}: "
                "pip install 'flank[tables]'"
            )
    wanted = set(requested)
    return [
        writer
        for name, writer in fitting.items()
        if name in wanted or (kind in writer.always and not missing(writer))
    ]


def missing(writer: Writer) -> bool:
    """Whether a library that a writer needs is not there."""
    return bool(writer.needs) and find_spec(writer.needs) is None


def file_names(outline: Outline, writers: Iterable[Writer]) -> list[str]:
    """All files that these writers make of a document."""
    return [name for writer in writers for name in writer.names(outline)]
