"""One self-contained page for a result: nothing on it is fetched from anywhere."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flank._version import __version__
from flank.analyses.registry import ANALYSES
from flank.io.files import write_file
from flank.io.ownership import GENERATOR
from flank.io.shown import Table, prose, summary_rows, tables
from flank.io.spec_files import write_yaml
from flank.plots import why_no_drawing
from flank.report.loop_table import loop_tables
from flank.report.page_style import CSS

if TYPE_CHECKING:
    from flank.analyses.result import Result
    from flank.plots.style import Picture


MANY_COLUMNS = 10
"""A table of more is set smaller, to fit the page."""


def write_report(result: Result, figures: Mapping[str, Picture], path: str | Path) -> None:
    """Write the page of a result with its pictures inside."""
    write_file(path, report_text(result, figures))


def report_text(result: Result, figures: Mapping[str, Picture]) -> str:
    """The page as HTML."""
    question = result.analysis.replace("-", " ").capitalize()
    body = [
        f"<header><p class='kind'>{escape(question)}</p><h1>{_text(result.title)}</h1></header>",
        _lead(result),
        _alerts(result),
        _summary(result),
        *(table_part(table) for table in tables(result)),
        *(picture_part(name, picture) for name, picture in figures.items()),
        _missing_drawing(result),
        *(table_part(table) for table in loop_tables(result)),
        origin_part(result.spec),
        _run_details(result),
        _spec(result.spec),
    ]
    return page(f"{result.title}: {question.lower()}", body)


def page(title: str, body: Iterable[str]) -> str:
    """A whole page of the parts in `body`; empty ones are left out."""
    return (
        "<!DOCTYPE html>\n<html lang='en'>\n<head>\n<meta charset='utf-8'>\n"
        f"<meta name='generator' content='{GENERATOR} {escape(__version__)}'>\n"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>\n"
        f"<title>{escape(title)}</title>\n<style>{CSS}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(part for part in body if part)
        + "\n</main>\n</body>\n</html>\n"
    )


def _text(words: str) -> str:
    return escape(prose(words))


def _lead(result: Result) -> str:
    known = ANALYSES.get(result.analysis)
    asked = known.summary if known else result.analysis
    ended = (
        "The computation completed."
        if result.complete
        else "<strong>The computation did not complete</strong>; "
        "this page shows what was found until then."
    )
    return f"<p class='lead'>Asked for: {escape(asked)}. {ended}</p>"


def _alerts(result: Result) -> str:
    boxes = []
    if not result.complete:
        boxes.append(f"<div class='alert failure'><p>{escape(result.outcome)}</p></div>")
    if result.warnings:
        lines = "".join(f"<p>{_text(_sentence(warning))}</p>" for warning in result.warnings)
        boxes.append(f"<div class='alert'><h2>Findings</h2>{lines}</div>")
    return "\n".join(boxes)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _summary(result: Result) -> str:
    rows = "".join(
        f"<tr><th scope='row'>{_text(row.title)}</th><td class='number'>{escape(row.number)}</td>"
        f"<td>{escape(row.unit)}</td></tr>"
        for row in summary_rows(result)
    )
    return f"<h2>Summary</h2>\n<table>{rows}</table>" if rows else ""


def table_part(table: Table) -> str:
    """A table with its title above it."""
    sides = ["words" if words else "number" for words in table.words]
    kind = "grid dense" if len(table.headings) > MANY_COLUMNS else "grid"
    head = "".join(
        f"<th scope='col' class='{side}'>{escape(text)}</th>"
        for side, text in zip(sides, table.headings, strict=True)
    )
    rows = "".join(
        "<tr>"
        + "".join(
            f"<td class='{side}'>{escape(text)}</td>" for side, text in zip(sides, row, strict=True)
        )
        + "</tr>"
        for row in table.rows
    )
    return (
        f"<h2>{escape(table.title)}</h2>\n"
        f"<div class='scroll'><table class='{kind}'><thead><tr>{head}</tr></thead>"
        f"<tbody>{rows}</tbody></table></div>"
    )


def picture_part(name: str, picture: Picture) -> str:
    """A picture inside the page, its caption below."""
    data = base64.b64encode(picture.png()).decode("ascii")
    inches = picture.get_size_inches()
    caption = escape(picture.caption)
    return (
        f"<figure style='max-width:{inches[0]:.3g}in'>"
        f"<img src='data:image/png;base64,{data}' alt='{escape(name)}'>"
        f"<figcaption>{caption}</figcaption></figure>"
    )


def _missing_drawing(result: Result) -> str:
    """Why the machine is not drawn, where other things may be."""
    why = why_no_drawing(result) if result.complete else ""
    return f"<p class='version'>{_text(why)}</p>" if why else ""


def origin_part(spec: Mapping[str, Any]) -> str:
    """Where the numbers of a spec come from, and what was assumed."""
    parts = []
    if spec.get("source"):
        parts.append(f"<h2>Source</h2>\n<p>{_text(str(spec['source']))}</p>")
    if spec.get("assumptions"):
        items = "".join(f"<li>{_text(str(line))}</li>" for line in spec["assumptions"])
        parts.append(f"<h2>Assumptions</h2>\n<ul>{items}</ul>")
    return "\n".join(parts)


def _run_details(result: Result) -> str:
    settings = _pairs((_words(key), prose(str(value))) for key, value in result.settings.items())
    counters = _pairs((_words(key), f"{value:,}") for key, value in result.counters.items())
    return (
        "<h2>Run</h2>\n<div class='columns'>"
        f"<div><h3>Settings</h3><table>{settings}</table></div>"
        f"<div><h3>Solver</h3><table>{counters}</table></div></div>\n"
        f"<p class='version'>{escape(_made_with(result))} Outcome: {escape(result.outcome)}</p>"
    )


def _made_with(result: Result) -> str:
    """One sentence that tells two runs of one spec apart."""
    version = result.dataset.attrs.get("flank_version", "")
    made = result.provenance
    if not made:
        return f"Computed by Flank {version}."
    libraries = ", ".join(
        f"{name} {number}" for name, number in made["versions"].items() if name != "flank"
    )
    blas = ", ".join(
        f"{one['name']} {one['version']} ({one['architecture']}, threads: {one['threads']})"
        for one in made["blas"]
    )
    return (
        f"Computed by Flank {version} at {made['made_at']} from spec {made['spec_hash']}, kernels "
        f"{made['kernel_hash']} for {made['kernel_target']}, with {libraries}; {blas}."
    )


def _words(key: str) -> str:
    return key.replace("_", " ").capitalize()


def _pairs(pairs: Iterable[tuple[str, str]]) -> str:
    return "".join(
        f"<tr><th scope='row'>{escape(name)}</th><td class='number'>{escape(value)}</td></tr>"
        for name, value in pairs
    )


def _spec(spec: Mapping[str, Any]) -> str:
    return (
        "<details><summary>Resolved spec (YAML)</summary>"
        f"<pre>{escape(write_yaml(spec))}</pre></details>"
    )
