"""One self-contained page for a document: nothing on it is fetched from anywhere."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import TYPE_CHECKING, Any

from flank._version import __version__
from flank.drawing import document_text, script
from flank.drawing import style as drawing_style
from flank.drawing.curves import REPLACED
from flank.io.ownership import FILES, GENERATOR
from flank.io.shown import prose
from flank.io.spec_files import write_yaml
from flank.io.tables import Row, Table
from flank.plots import DRAWINGS
from flank.report import dossier_page
from flank.report.document import DOSSIER, RUN, Alert, Document
from flank.report.page_style import CSS

if TYPE_CHECKING:
    from flank.plots.style import Picture
    from flank.report.verdict import Judgement

MANY_COLUMNS = 10
"""A table of more is set smaller, to fit the page."""

DATA = "flank-document"
"""The element of the page that holds the document of its drawing."""

MOUNT = (
    f"flank.drawing.mount(document.querySelector('main'), "
    f"JSON.parse(document.getElementById('{DATA}').textContent));\n"
)

COPIED = "table data-flank='table'"
"""A table with a button that copies it."""


def page(document: Document) -> str:
    """The page of a document as HTML; empty parts are left out.

    All that moves is drawn by one script from one element of data. Without it, and on paper, the
    pictures stand there.
    """
    title, heading = escape(document.title), escape(document.heading)
    in_window = f"{title}: {heading.lower()}" if document.kind == RUN else title
    drawing = document.drawing() if document.drawing else {}
    figures = _figures(document.pictures, drawing)
    parts = [
        f"<header><p class='kind'>{heading}</p><h1>{title}</h1></header>",
        *(_dossier(document, figures) if document.kind == DOSSIER else _parts(document, figures)),
        f"<p class='version'>{escape(document.closing)}</p>",
        _spec(document.spec) if document.details else "",
    ]
    style = CSS + drawing_style() + _widths(document.pictures)
    if document.kind == DOSSIER:
        style += dossier_page.CSS + dossier_page.page_feet(document)
    moving = script() + MOUNT
    return (
        "<!DOCTYPE html>\n<html lang='en'>\n<head>\n<meta charset='utf-8'>\n"
        f'<meta http-equiv="Content-Security-Policy" content="{_policy(style, moving)}">\n'
        f"<meta name='generator' content='{GENERATOR} {escape(__version__)}'>\n"
        f"<meta name='{FILES}' content='{escape(' '.join(document.files))}'>\n"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>\n"
        f"<title>{in_window}</title>\n<style>{style}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(part for part in parts if part)
        + "\n</main>\n"
        f"<script type='application/json' id='{DATA}'>{document_text(drawing)}</script>\n"
        f"<script>{moving}</script>\n</body>\n</html>\n"
    )


def _parts(document: Document, figures: Mapping[str, str]) -> Iterator[str]:
    """Of a run, a study or a shortlist, one below the other."""
    yield f"<p class='lead'>{escape(document.lead)}</p>"
    yield _verdict(document.verdict)
    yield from map(_alert, document.alerts)
    yield _part("Findings", "ul", (f"<li>{escape(text)}</li>" for text in document.findings))
    yield from (figures[name] for name in figures if name in DRAWINGS)
    yield _part("Summary", COPIED, map(_summary_row, document.summary))
    yield from map(_table, document.tables.values())
    yield _part("Notes", "ol", (_note(mark, note) for mark, note in document.notes.items()))
    yield from (figures[name] for name in figures if name not in DRAWINGS)
    yield from map(_table, document.below)
    yield _origin(document.spec)
    yield _details(document.details)


def _dossier(document: Document, figures: Mapping[str, str]) -> Iterator[str]:
    """Its title block, its verdict, and its parts."""
    yield dossier_page.title_block(document.details["Title"])
    yield _verdict(document.verdict)
    yield from map(_alert, document.alerts)
    yield dossier_page.contents(document.parts)
    yield from dossier_page.sections(document, _lead_of_part, _table, figures.__getitem__)
    yield _origin(document.spec)


def _lead_of_part(part: Document) -> Iterator[str]:
    yield f"<p>{escape(part.lead)}</p>" if part.lead else ""
    yield from map(_alert, part.alerts)
    yield _part("", f"{COPIED} class='grid'", map(_summary_row, part.summary))


def _policy(style: str, moving: str) -> str:
    """What the page may do: show its own style and pictures and run its own script, by their
    hashes. Nothing is fetched, nothing is sent."""
    return (
        f"default-src 'none'; img-src data:; style-src '{_hash(style)}'; "
        f"script-src '{_hash(moving)}'; base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")


def _verdict(verdict: Judgement | None) -> str:
    """The machine judged at its own loads, whatever was asked of it."""
    if verdict is None:
        return ""
    lines = "".join(f"<li>{escape(text)}</li>" for text in verdict.sentences)
    return (
        f"<div class='verdict {escape(verdict.light)}'><h2>Verdict on the machine</h2>"
        f"<p>{escape(verdict.headline)}</p>" + (f"<ul>{lines}</ul>" if lines else "") + "</div>"
    )


def _part(title: str, tag: str, items: Iterable[str]) -> str:
    inside = "".join(items)
    head = f"<h2>{title}</h2>\n" if title else ""
    return f"{head}<{tag}>{inside}</{tag.split()[0]}>" if inside else ""


def _alert(alert: Alert) -> str:
    title = f"<h2>{escape(alert.title)}</h2>" if alert.title else ""
    lines = "".join(f"<p>{escape(text)}</p>" for text in alert.sentences)
    return f"<div class='alert{' failure' * alert.failure}'>{title}{lines}</div>"


def _summary_row(row: Row) -> str:
    return (
        f"<tr><th scope='row'>{escape(prose(row.title))}</th>"
        f"<td class='number'>{escape(row.number)}</td><td>{escape(row.unit)}</td></tr>"
    )


def _note(mark: str, note: str) -> str:
    return f"<li value='{escape(mark)}'>{escape(note)}</li>"


def _table(table: Table, level: str = "h2", more: str = "") -> str:
    """A table with its title above it."""
    sides = ["words" if words else "number" for words in table.words]
    kind = "grid dense" if len(table.headings) > MANY_COLUMNS else "grid"
    kind = f"{kind} {more}".rstrip()
    head = _cells("th scope='col'", "th", sides, table.headings)
    rows = "".join(f"<tr>{_cells('td', 'td', sides, row)}</tr>" for row in table.rows)
    return (
        f"<{level}>{escape(table.title)}</{level}>\n"
        f"<div class='scroll'><{COPIED} class='{kind}'><thead><tr>{head}</tr></thead>"
        f"<tbody>{rows}</tbody></table></div>"
    )


def _cells(opening: str, closing: str, sides: list[str], texts: list[str]) -> str:
    return "".join(
        f"<{opening} class='{side}'>{escape(text)}</{closing}>"
        for side, text in zip(sides, texts, strict=True)
    )


def _figures(pictures: Mapping[str, Picture], drawing: Mapping[str, Any]) -> dict[str, str]:
    """Every picture with what moves in its place, or above it."""
    figures = {}
    for name, picture in pictures.items():
        places = [
            f"<div data-flank='curve' data-name='{escape(curve['name'])}'></div>"
            for curve in drawing.get("curves", ())
            if curve["picture"] == name
        ]
        if name in DRAWINGS and "mechanism" in drawing:
            places = ["<div data-flank='mechanism'></div>"]
        kind = "still whole" if name in DRAWINGS else "still" if name in REPLACED else ""
        still = _picture(name, picture, kind if places else "")
        moving = "".join(places)
        figures[name] = f"<section data-flank-part>{moving}{still}</section>" if moving else still
    return figures


def _picture(name: str, picture: Picture, kind: str) -> str:
    """A picture inside the page, its caption below."""
    data = base64.b64encode(picture.png()).decode("ascii")
    return (
        f"<figure class='{_width_class(picture)} {kind}'>"
        f"<img src='data:image/png;base64,{data}' alt='{escape(name)}'>"
        f"<figcaption>{escape(picture.caption)}</figcaption></figure>"
    )


def _width_class(picture: Picture) -> str:
    return f"w{round(100 * picture.get_size_inches()[0])}"


def _widths(pictures: Mapping[str, Picture]) -> str:
    """Rules in place of attributes, which the page's policy does not allow."""
    widths = {_width_class(each): each.get_size_inches()[0] for each in pictures.values()}
    return "".join(f".{name} {{ max-width: {inches:.3g}in; }}\n" for name, inches in widths.items())


def _origin(spec: Mapping[str, Any]) -> str:
    """Where the numbers of a spec come from, and what was assumed."""
    source = escape(prose(str(spec.get("source") or "")))
    assumptions = (f"<li>{escape(prose(str(line)))}</li>" for line in spec.get("assumptions") or ())
    parts = [_part("Source", "p", [source]), _part("Assumptions", "ul", assumptions)]
    return "\n".join(part for part in parts if part)


def _details(details: Mapping[str, Mapping[str, str]]) -> str:
    """Pairs of names and values, side by side."""
    columns = "".join(
        f"<div><h3>{escape(title)}</h3><table>"
        + "".join(
            f"<tr><th scope='row'>{escape(name)}</th><td class='number'>{escape(value)}</td></tr>"
            for name, value in pairs.items()
        )
        + "</table></div>"
        for title, pairs in details.items()
    )
    return f"<h2>Run</h2>\n<div class='columns'>{columns}</div>" if columns else ""


def _spec(spec: Mapping[str, Any]) -> str:
    return (
        "<details><summary>Resolved spec (YAML)</summary>"
        f"<pre>{escape(write_yaml(spec))}</pre></details>"
    )
