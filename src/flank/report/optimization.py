"""An optimisation as a document: start and optimum side by side, what holds it, how it came."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from flank._version import __version__
from flank.design.optimization import AROUND, POINTS
from flank.io.shown import count_text, factor, number_text, prose, unit_text
from flank.io.tables import EXACT, MISSING, Column, Table, table
from flank.report.document import DESIGN, Alert, Document, Outline
from flank.texts import counted, joined

if TYPE_CHECKING:
    from flank.design.asked_figures import AskedFigure
    from flank.design.optimization import Optimum
    from flank.design.problem import Limit, Trial
    from flank.design.vary import Varied

COMPARED, ABOUT, SLOPES = "start-and-optimum", "about-the-optimum", "slopes"
FRONT, TRIALS = "front", "trials"
SHEETS = (COMPARED, ABOUT, SLOPES, FRONT, TRIALS)

OPTIMUM_FILE = "optimum.yaml"


def front_file(number: int) -> str:
    return f"front-{number}.yaml"


def optimization_outline(objectives: int, points: int) -> Outline:
    """What an optimisation may write, before anything is computed."""
    from flank.plots.optimization import NAMES

    specs = [OPTIMUM_FILE] if objectives == 1 else [front_file(k + 1) for k in range(points)]
    return Outline(DESIGN, SHEETS, NAMES, tuple(specs))


def optimization_document(optimum: Optimum, points: int = POINTS) -> Document:
    """The document of a search, whatever it found."""
    from flank.plots.optimization import draw

    chosen = _chosen(optimum, points)
    made = {
        COMPARED: _compared(optimum, chosen),
        ABOUT: _about(optimum),
        SLOPES: _slopes(optimum),
        FRONT: _front(optimum, chosen),
    }
    tables = {name: each for name, each in made.items() if each.rows}
    sheets: dict[str, Any] = {name: (lambda each=each: each) for name, each in tables.items()}
    sheets[TRIALS] = lambda: _trials(optimum)
    return Document(
        DESIGN,
        "Optimisation",
        prose(optimum.problem.machine.title),
        _lead(optimum),
        f"Written by Flank {__version__}; {optimum.stopped}.",
        tables,
        draw(optimum, chosen),
        sheets,
        alerts=_alerts(optimum),
        findings=[prose(text) for text in _findings(optimum, chosen)],
        specs=_specs(optimum, chosen),
    )


def _chosen(optimum: Optimum, points: int) -> list[Trial]:
    """What is told in full: the best, or points of the front."""
    if optimum.front is not None:
        return optimum.front.spread(points)
    return [] if optimum.best is None else [optimum.best]


def _specs(optimum: Optimum, chosen: Sequence[Trial]) -> dict[str, Any]:
    names = [OPTIMUM_FILE] if optimum.front is None else map(front_file, range(1, len(chosen) + 1))
    return {
        name: optimum.problem.spec_of(trial.values)
        for name, trial in zip(names, chosen, strict=False)
    }


def _lead(optimum: Optimum) -> str:
    problem = optimum.problem
    wanted = joined([f"the {each.words}" for each in problem.objectives], "and")
    keys = joined(
        [
            f"{each.key} from {each.text(each.low)} to {each.text(each.high)}"
            for each in problem.varied
        ],
        "and",
    )
    kept = joined([each.words for each in problem.limits], "and") if problem.limits else ""
    rules = f"{counted(len(problem.rules), 'rule')} of the check" if problem.rules else ""
    limits = joined([each for each in (kept, rules) if each], "and") if kept or rules else ""
    refused = sum(not each.allowed for each in optimum.path)
    return prose(
        f"Looked for: {wanted}, with {keys}"
        + (f", within {limits}" if limits else "")
        + f". {counted(len(optimum.path), 'spec')} were tried by real runs"
        + (f", {refused} of them not allowed" if refused else "")
        + "."
    )


def _alerts(optimum: Optimum) -> list[Alert]:
    alerts = []
    if optimum.interrupted:
        alerts.append(Alert(["It was stopped: what follows is the best until then."]))
    if optimum.best is None:
        alerts.append(Alert([prose(optimum.why_none)], failure=True))
    if optimum.idle:
        moved = joined(optimum.idle, "and")
        alerts.append(
            Alert([f"{moved} moved no figure wherever it was tried alone; leave it out."])
        )
    if optimum.best is not None and optimum.best.warnings:
        warnings = [prose(text[:1].upper() + text[1:]) for text in optimum.best.warnings]
        alerts.append(Alert(warnings, "Warnings of the optimum's runs"))
    return alerts


def _findings(optimum: Optimum, chosen: Sequence[Trial]) -> Iterable[str]:
    problem, best = optimum.problem, optimum.best
    if best is not None and optimum.front is None:
        objective = problem.objectives[0]
        name = objective.figure.full
        own, found = problem.own.figures[name], best.figures[name]
        broken = _broken(optimum)
        yield (
            f"{name} is {objective.figure.text(found)} and was {objective.figure.text(own)}"
            + _by_factor(own, found)
            + (f"; the machine as it is does not keep {joined(broken, 'and')}" if broken else "")
            + "."
        )
        active = optimum.active
        yield (
            f"It is held by {joined(active, 'and')}."
            if active
            else "No limit and no bound holds it: it lies inside all of them."
        )
        if better := _better_around(optimum):
            yield f"Not settled: {better} is better yet; give more evaluations."
    if optimum.front is not None and chosen:
        yield (
            f"{counted(len(chosen), 'point')} of the front are told; none is better than another "
            f"in both figures. {counted(len(optimum.goods), 'spec')} that were tried keep all "
            "limits."
        )
    yield f"The search ended: {optimum.stopped}."


def _by_factor(own: float, found: float) -> str:
    if own == 0.0 or not math.isfinite(found / own):
        return ""
    return f", {100.0 * (found / own - 1.0):+.3g} %"


def _broken(optimum: Optimum) -> list[str]:
    """Limits that the machine does not keep to begin with."""
    own = optimum.problem.own
    return [
        each.words
        for each in optimum.problem.limits
        if each.excess(own.figures[each.figure.full]) > 0.0
    ]


def _better_around(optimum: Optimum) -> str:
    """A neighbour of what was the best that is better; the search takes it for the best then."""
    assert optimum.best is not None
    around = [each for row in optimum.around for each in (row.below, row.above)]
    if not any(each is optimum.best for each in around):
        return ""
    return "a neighbour of what the search had found, which is taken for the optimum,"


def _compared(optimum: Optimum, chosen: Sequence[Trial]) -> Table:
    """Keys and figures of the machine as it is beside what was found."""
    problem = optimum.problem
    heads = [f"front {k + 1}" for k in range(len(chosen))]
    if optimum.front is None:
        heads = ["optimum"] * len(chosen)
    trials = [problem.own, *chosen]
    rows = []
    for k, varied in enumerate(problem.varied):
        numbers = [_value(varied, trial.values[k]) for trial in trials]
        bounds = f"{_value(varied, varied.low)} to {_value(varied, varied.high)}"
        rows.append([varied.key, unit_text(varied.measure.shown_unit), *numbers, bounds])
    for name, figure in _figures(optimum).items():
        numbers = [_number(figure, trial.figures.get(name, math.nan)) for trial in trials]
        limits = [each for each in problem.limits if each.figure.full == name]
        rows.append([name, unit_text(figure.shown_unit), *numbers, _limits_text(limits)])
    words = [True, True, *(False for _ in trials), True]
    return Table(
        "As it is, and best", ["key or figure", "unit", "as it is", *heads, "may be"], words, rows
    )


def _figures(optimum: Optimum) -> dict[str, AskedFigure]:
    return optimum.problem.figures


def _value(varied: Varied, value: float) -> str:
    if math.isnan(value):
        return MISSING
    if varied.whole:
        return str(int(value))
    return f"{value * factor(varied.measure.si_unit, varied.measure.shown_unit):.6g}"


def _number(figure: AskedFigure, value: float) -> str:
    if not math.isfinite(value):
        return MISSING
    form = number_text if figure.shown_unit else count_text
    return form(value * factor(figure.unit, figure.shown_unit))


def _limits_text(limits: Sequence[Limit]) -> str:
    return ", ".join(
        f"{sign} {bound * factor(each.figure.unit, each.figure.shown_unit):.6g}"
        for each in limits
        for sign, bound in ((">=", each.low), ("<=", each.high))
        if math.isfinite(bound)
    )


def _about(optimum: Optimum) -> Table:
    """Figures a little below and above the optimum along every key."""
    figures = list(_figures(optimum).values())
    heads = [
        f"{each.full}{', ' + unit_text(each.shown_unit) if each.shown_unit else ''}"
        for each in figures
    ]
    rows = []
    for row in optimum.around:
        for sign, trial in (("-", row.below), ("+", row.above)):
            if trial is None:
                continue
            k = [each.key for each in optimum.problem.varied].index(row.varied.key)
            where = row.varied.text(trial.values[k])
            told = [_number(each, trial.figures.get(each.full, math.nan)) for each in figures]
            reply = optimum.problem.reply(trial)
            kept = "yes" if reply.good else "not allowed" if not reply.allowed else "no"
            rows.append([f"{row.varied.key} {sign}", prose(where), *told, kept])
    title = f"About the optimum, {100 * AROUND:.0f} % of the way between bounds to either side"
    words = [True, True, *(False for _ in figures), True]
    return Table(title, ["key", "at", *heads, "keeps limits"], words, rows)


def _slopes(optimum: Optimum) -> Table:
    """Derivatives at the optimum, where implicit differentiation gives them."""
    figures = _figures(optimum)
    names = [name for name in figures if any(of == name for _, of in optimum.slopes)]
    rows = []
    for varied in optimum.problem.varied:
        if not any(key == varied.key for key, _ in optimum.slopes):
            continue
        unit = varied.measure.shown_unit
        cells = []
        for name in names:
            figure, slope = figures[name], optimum.slopes.get((varied.key, name))
            scale = factor(figure.unit, figure.shown_unit) / factor(varied.measure.si_unit, unit)
            cells.append(MISSING if slope is None else f"{slope * scale:+.4g}")
        rows.append([varied.key, f"1 {unit_text(unit)}", *cells])
    heads = [f"{name}, {unit_text(figures[name].shown_unit)}".rstrip(", ") for name in names]
    words = [True, True, *(False for _ in names)]
    title = "Derivatives at the optimum, by implicit differentiation"
    return Table(title, ["key", "for", *heads], words, rows)


def _front(optimum: Optimum, chosen: Sequence[Trial]) -> Table:
    if optimum.front is None:
        return Table("Front", [], [], [])
    figures = [each.figure for each in optimum.problem.objectives]
    columns = [Column("point", range(1, len(chosen) + 1), "d")]
    for each in figures:
        scale = factor(each.unit, each.shown_unit)
        unit = f", {unit_text(each.shown_unit)}" if each.shown_unit else ""
        columns.append(
            Column(f"{each.full}{unit}", [t.figures[each.full] * scale for t in chosen], ".4g")
        )
    for k, varied in enumerate(optimum.problem.varied):
        unit = unit_text(varied.measure.shown_unit)
        scale = factor(varied.measure.si_unit, varied.measure.shown_unit)
        columns.append(
            Column(
                f"{varied.key}, {unit}".rstrip(", "), [t.values[k] * scale for t in chosen], ".6g"
            )
        )
    return table("Front: none is better in both", columns)


def _trials(optimum: Optimum) -> Table:
    """Everything that was tried, for other programs."""
    problem, path = optimum.problem, optimum.path
    columns = [Column("trial", [each.number for each in path], "d")]
    for k, varied in enumerate(problem.varied):
        scale = factor(varied.measure.si_unit, varied.measure.shown_unit)
        unit = unit_text(varied.measure.shown_unit)
        heading = f"{varied.key}, {unit}".rstrip(", ")
        columns.append(Column(heading, [each.values[k] * scale for each in path], EXACT))
    for name, figure in _figures(optimum).items():
        scale, unit = factor(figure.unit, figure.shown_unit), unit_text(figure.shown_unit)
        values = [each.figures.get(name, math.nan) * scale for each in path]
        columns.append(Column(f"{name}, {unit}".rstrip(", "), values, EXACT))
    replies = [problem.reply(each) for each in path]
    columns.append(Column("keeps limits", ["yes" if each.good else "no" for each in replies]))
    columns.append(Column("not allowed since", [prose(each.refusal) for each in path]))
    return table("Trials", columns)
