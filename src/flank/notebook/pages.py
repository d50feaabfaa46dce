"""What a notebook shows of a machine and of a result."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from flank.analyses.drawing import drawing_at_rest
from flank.errors import SpecError, suggestion
from flank.io.shown import count_text, prose
from flank.io.tables import summary_rows
from flank.notebook.still import view_of
from flank.texts import echo

if TYPE_CHECKING:
    from flank.analyses.result import Result
    from flank.geometry.findings import Finding
    from flank.machines.machine import SpecifiedMachine
    from flank.plots.style import Picture

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


def findings_table(findings: Sequence[Finding]) -> str:
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
    "figure": figure,
    "view": view_of,
}
