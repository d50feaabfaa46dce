"""What a notebook shows of a machine, of a result and of a verdict."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from flank.analyses.drawing import drawing_at_rest
from flank.errors import SpecError, suggestion
from flank.io.shown import count_text, prose, quantity_text
from flank.io.tables import summary_rows
from flank.notebook.still import view_of
from flank.texts import echo

if TYPE_CHECKING:
    from flank.analyses.result import Result
    from flank.design.found import Margin
    from flank.design.verdict import Judged, Verdict
    from flank.geometry.findings import Finding
    from flank.machines.machine import SpecifiedMachine
    from flank.plots.style import Picture

LEAST_SHOWN = 6
"""Margins of a verdict: those that a change meets first."""

LEFT, RIGHT = "text-align:left", "text-align:right"


def result_page(result: Result) -> str:
    """Figures, warnings and how it ended."""
    rows = [(row.title, row.number, row.unit) for row in summary_rows(result)]
    parts = [
        _heading(prose(result.title), result.analysis.replace("-", " ")),
        "" if result.complete else f"<p><b>Incomplete:</b> {escape(result.outcome)}</p>",
        _sentences("Warnings", result.warnings),
        _sentences("Assumed where the spec is silent", result.notes),
        _rows(rows),
    ]
    return "".join(parts)


def machine_page(machine: SpecifiedMachine) -> str:
    """Its drawing, its ratio and what is found about it."""
    from flank.notebook.sketch import sketch

    drawing = drawing_at_rest(machine)
    ratio = getattr(machine, "ratio", None)
    torque = getattr(machine, "rated_torque", None)
    rows = [
        *([] if ratio is None else [("Ratio", count_text(ratio), "")]),
        *([] if torque is None else [("Rated torque", count_text(torque), "N·m")]),
    ]
    return "".join(
        [
            _heading(prose(machine.title), str(machine.spec.machine)),
            sketch(drawing) if drawing else "",
            _rows(rows),
            findings_table(machine.findings()),
        ]
    )


def verdict_page(verdict: Verdict) -> str:
    """The light in a sentence, findings with what to change, and the least margins."""
    from flank.report.verdict import judgement_of

    judged = judgement_of(verdict)
    headline = judged.headline if judged else "No rule knows this kind."
    known = [each for each in verdict.margins if each.kept and 0.0 < each.share < math.inf]
    rows = [_margin_row(verdict, each) for each in known[:LEAST_SHOWN]]
    return "".join(
        [
            _heading(prose(verdict.machine.title), "verdict"),
            f"<p><b>{escape(prose(headline))}</b></p>",
            findings_table(verdict.findings),
            f"<p>Least margins</p>{_rows(rows)}" if rows else "",
        ]
    )


def _margin_row(verdict: Verdict, margin: Margin) -> tuple[str, str, str]:
    """A rule, its figure with the limit, and what is left."""
    figure = verdict.figures.declared()[margin.rule.figure]

    def told(value: float) -> str:
        if not figure.shown_unit:
            return count_text(value)
        return quantity_text(value, figure.unit, figure.shown_unit)

    way = margin.rule.relation.replace("_", " ")
    words = f"{told(margin.value)}, {way} {told(margin.limit)}"
    return margin.rule.code, words, f"{margin.share:.0%} left"


def finding_page(judged: Judged) -> str:
    """One finding."""
    return findings_table([judged])


def findings_table(findings: Sequence[Finding | Judged]) -> str:
    """What is doubtful, and what to change."""
    if not findings:
        return ""
    rows = "".join(
        f"<tr><td style='{LEFT}'>{each.severity}</td><td style='{LEFT}'>{escape(each.code)}</td>"
        f"<td style='{LEFT}'>{escape(prose(each.sentence))}</td></tr>"
        for each in findings
    )
    return f"<table><tbody>{rows}</tbody></table>"


def _heading(title: str, kind: str) -> str:
    return f"<p><b>{escape(title)}</b> <span style='opacity:.65'>{escape(kind)}</span></p>"


def _sentences(title: str, sentences: Iterable[str]) -> str:
    items = "".join(f"<li>{escape(prose(text))}</li>" for text in sentences)
    return f"<p>{title}</p><ul>{items}</ul>" if items else ""


def _rows(rows: Sequence[tuple[str, str, str]]) -> str:
    cells = "".join(
        f"<tr><th scope='row' style='{LEFT}'>{escape(prose(title))}</th>"
        f"<td style='{RIGHT}'>{escape(number)}</td><td style='{LEFT}'>{escape(unit)}</td></tr>"
        for title, number, unit in rows
    )
    return f"<table><tbody>{cells}</tbody></table>" if cells else ""


def figure(result: Result, name: str | None = None) -> Picture:
    """A picture of a result: by its name, or that which answers the analysis best, the first."""
    from flank.plots import DRAWINGS, figures

    pictures = figures(result)
    if not pictures:
        raise SpecError(f"there is nothing to draw of this {result.analysis}: {result.outcome}")
    if name is None:
        curves = [each for each in pictures if each not in DRAWINGS]
        name = (curves or list(pictures))[0]
    if name not in pictures:
        raise SpecError(
            f"'{echo(name)}' is no picture of {result.analysis}{suggestion(name, pictures)} "
            f"Pictures: {', '.join(pictures)}"
        )
    return pictures[name]


PAGES: dict[str, Any] = {
    "result": result_page,
    "machine": machine_page,
    "verdict": verdict_page,
    "finding": finding_page,
    "figure": figure,
    "view": view_of,
}
