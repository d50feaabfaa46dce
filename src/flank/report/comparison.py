"""Machines beside one another as a document: what differs, whose figures are better, curves."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from flank._version import __version__
from flank.io.shown import prose, unit_text
from flank.io.tables import MISSING, Table, summary_rows
from flank.report.document import STUDY, Alert, Document, Outline
from flank.texts import as_in_specs, joined

if TYPE_CHECKING:
    from flank.design.comparison import Comparison, Row, Side

SPECS = "differences"
SHEETS = (SPECS,)

BETTER = "*"
"""Behind the better figure."""

MOST_DIFFERENCES = 80
"""Keys that are shown; all are in the table for other programs."""

NOT_GIVEN = "not given"

LONGEST_VALUE = 60


def comparison_outline(analyses: Iterable[str] = ()) -> Outline:
    """What a comparison may write, before anything is computed."""
    from flank.plots.comparison import NAMES

    return Outline(STUDY, (*SHEETS, *map(sheet_of, analyses)), NAMES)


def sheet_of(analysis: str) -> str:
    return f"figures-{analysis}"


def comparison_document(comparison: Comparison) -> Document:
    """The document of a comparison."""
    from flank.plots.comparison import draw

    differences = _differences(comparison)
    shown = differences._replace(rows=differences.rows[:MOST_DIFFERENCES])
    made = {sheet_of(name): _figures(comparison, name) for name in comparison.analyses}
    figures = {name: each for name, each in made.items() if each.rows}
    tables = ({SPECS: shown} if shown.rows else {}) | figures
    sheets: dict[str, Any] = {
        name: (lambda each=each: each) for name, each in ({SPECS: differences} | figures).items()
    }
    names = joined([side.name for side in comparison.sides], "and")
    return Document(
        STUDY,
        "Comparison",
        names,
        _lead(comparison),
        f"Written by Flank {__version__}.",
        tables,
        draw(comparison),
        sheets,
        alerts=_alerts(comparison),
        findings=[prose(text) for text in _findings(comparison, len(differences.rows))],
    )


def _lead(comparison: Comparison) -> str:
    titles = "; ".join(f"{side.name}: {side.title}" for side in comparison.sides)
    asked = f" Asked for {joined(comparison.analyses, 'and')}." if comparison.analyses else ""
    marked = f" The better figure is marked by {BETTER}, where one way is better in itself."
    return prose(f"{titles}.{asked}{marked if comparison.rows else ''}")


def _alerts(comparison: Comparison) -> list[Alert]:
    failed: list[str] = []
    warned: list[str] = []
    for side in comparison.sides:
        for name in comparison.analyses:
            result = side.results[name]
            if not result.complete:
                failed.append(f"{side.name}, {name}: {result.outcome}")
        warned += _warnings(side)
    alerts = [Alert([prose(text) for text in failed], failure=True)] if failed else []
    if warned:
        alerts.append(Alert([prose(text) for text in warned], "Warnings"))
    return alerts


def _warnings(side: Side) -> Iterator[str]:
    """Each once, with the analyses that it is of; without them where it is of all."""
    of: dict[str, list[str]] = {}
    for name, result in side.results.items():
        for text in dict.fromkeys(result.warnings):
            of.setdefault(text, []).append(name)
    for text, names in of.items():
        among = f", {joined(names, 'and')}" if len(names) < len(side.results) else ""
        yield f"{side.name}{among}: {text}"


def _findings(comparison: Comparison, different: int) -> Iterable[str]:
    kinds = [str(side.spec.get("machine")) for side in comparison.sides]
    if not comparison.one_kind:
        yield (
            f"These are machines of different kinds ({joined(dict.fromkeys(kinds), 'and')}): only "
            "keys that all have are compared."
        )
    if not different:
        yield "No key differs." if comparison.one_kind else "No key that all have differs."
    if different > MOST_DIFFERENCES:
        yield f"{different} keys differ; the first {MOST_DIFFERENCES} are shown."
    wins = [row.better for row in comparison.rows if row.better >= 0]
    for number, side in enumerate(comparison.sides):
        if wins:
            yield f"{side.name} has the better one of {wins.count(number)} of {len(wins)} figures."
    yield from comparison.left_out


def _differences(comparison: Comparison) -> Table:
    rows = [
        [
            each.key,
            *(
                _value(value, default)
                for value, default in zip(each.values, each.defaults, strict=True)
            ),
            prose(each.meaning),
        ]
        for each in comparison.differences
    ]
    names = [side.name for side in comparison.sides]
    words = [True, *(True for _ in names), True]
    return Table("What differs in the specs", ["key", *names, "meaning"], words, rows)


def _value(value: Any, default: bool) -> str:
    if value is None:
        return NOT_GIVEN
    text = prose(as_in_specs(value))
    if len(text) > LONGEST_VALUE:
        text = f"{text[: LONGEST_VALUE - 3]}..."
    return f"{text} (default)" if default else text


def _figures(comparison: Comparison, analysis: str) -> Table:
    rows = [row for row in comparison.rows if row.analysis == analysis]
    texts = [
        dict(zip([f.name for f in result.figures()], summary_rows(result), strict=True))
        for result in (side.results[analysis] for side in comparison.sides)
    ]
    names = [side.name for side in comparison.sides]
    change = len(names) == 2
    told = []
    for row in rows:
        cells = []
        for number, known in enumerate(texts):
            text = known[row.name].number if row.name in known else MISSING
            cells.append(f"{text} {BETTER}" if row.better == number else text)
        cells += [_change(row) if set(cells) != {"0"} else "0"] if change else []
        told.append([prose(row.title), unit_text(row.shown_unit), *cells])
    heads = ["figure", "unit", *names, *(["change, %"] if change else [])]
    words = [True, True, *(False for _ in names), *([False] if change else [])]
    return Table(analysis.replace("-", " ").capitalize(), heads, words, told)


def _change(row: Row) -> str:
    first, second = row.values
    if not (math.isfinite(first) and math.isfinite(second)) or first == 0.0:
        return MISSING
    change = 100.0 * (second / first - 1.0)
    return "0" if abs(change) < 5e-4 else f"{change:+.3g}"
