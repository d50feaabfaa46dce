"""A study as a document: what share is good, how figures spread, what drives them, what failed."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

from flank._version import __version__
from flank.io.shown import factor, number_text, prose, quantity_text, unit_text
from flank.io.tables import EXACT, Column, Table, table
from flank.machines.base import notes_of
from flank.report.document import STUDY, Alert, Document, Outline, notes_alert
from flank.studies.assisted import gain_sentences
from flank.texts import counted

if TYPE_CHECKING:
    from flank.studies.allocation import Allocation, Trial
    from flank.studies.evaluation import Evaluation
    from flank.studies.statistics import Estimate
    from flank.studies.study import Limit

FIGURES, LIMITS, QUANTILES, FAILED, SAMPLES = (
    "figures",
    "limits",
    "quantiles",
    "failed",
    "samples",
)
QUANTILE_SHARES = (0.01, 0.05, 0.5, 0.95, 0.99)

MOST_LISTED = 20_000
"""Samples that are written as a table too; of more the store is for other programs."""

MOST_WARNINGS = 12
"""Kinds of them that are told."""

SHEETS = (FIGURES, LIMITS, QUANTILES, FAILED, SAMPLES)


def study_outline() -> Outline:
    """What a study may write, before anything is computed."""
    from flank.plots.study import NAMES

    return Outline(STUDY, SHEETS, NAMES)


def study_document(evaluation: Evaluation) -> Document:
    """The document of a study as far as it is computed."""
    from flank.plots.study import draw, why_none

    store, study = evaluation.store, evaluation.study
    waiting = evaluation.states.get("waiting", 0)
    tables = _tables(evaluation)
    known = {name: each for name, each in tables.items() if each.rows}
    sheets: dict[str, Any] = {name: partial(tables.__getitem__, name) for name in SHEETS[:-1]}
    sheets[QUANTILES] = partial(_quantiles_table, evaluation, evaluation.figures)
    if study.samples <= MOST_LISTED:
        sheets[SAMPLES] = partial(_samples_sheet, evaluation)
    return Document(
        STUDY,
        "Study",
        study.title,
        _lead(evaluation, waiting),
        _closing(evaluation),
        known,
        draw(evaluation),
        sheets,
        alerts=_alerts(evaluation, waiting),
        findings=_findings(evaluation),
        notes=_notes(evaluation, why_none(evaluation)),
        spec=store.manifest["study"],
    )


def _lead(evaluation: Evaluation, waiting: int) -> str:
    study, plan = evaluation.study, evaluation.study.sampler.plan
    varied = len(study.variables.places)
    asked = " and ".join(study.spec.asks)
    progress = f" {plan.samples - waiting} of them are known by now." if waiting else ""
    assisted = evaluation.assisted
    method = (
        f" By the linear map, with {evaluation.store.exactly_known()} of them exact: the first "
        f"{assisted.exact}, and those near a limit."
        if assisted
        else ""
    )
    # A study without a title has the machine's, which stands above this.
    of = f" of {study.machine.title}" if study.title != study.machine.title else ""
    return (
        f"{counted(plan.samples, 'sample')}{of}, {counted(varied, 'number')} varied "
        f"({plan.sampling} sampling, seed {plan.seed}), each asked for {asked}.{progress}{method}"
    )


def _closing(evaluation: Evaluation) -> str:
    manifest = evaluation.store.manifest
    versions = ", ".join(f"{name} {number}" for name, number in manifest["versions"].items())
    hashes = ", ".join(manifest["kernel_hashes"])
    return (
        f"Written by Flank {__version__}. Computed with kernels {hashes} for "
        f"{manifest['kernel_target']}, with {versions}."
    )


def _alerts(evaluation: Evaluation, waiting: int) -> list[Alert]:
    alerts = []
    if waiting:
        share = 1.0 - waiting / evaluation.study.samples
        alerts.append(Alert([f"The study is not finished: {share:.1%} of its samples are known."]))
    states = {word: n for word, n in evaluation.states.items() if word not in ("waiting",)}
    if evaluation.failed:
        words = ", ".join(f"{n} {word}" for word, n in states.items() if word != "complete")
        alerts.append(
            Alert([f"{words} of {sum(states.values())} samples; they count apart, see below."])
        )
    if evaluation.nothing_varied:
        alerts.append(
            Alert(
                [
                    "No figure varies: what is varied changes nothing of what is asked; vary "
                    "something else, or ask for another analysis."
                ]
            )
        )
    if warnings := _warning_words(evaluation):
        alerts.append(Alert(warnings, "Warnings of samples"))
    if notes := notes_of(evaluation.study.machine):
        alerts.append(notes_alert(notes))
    if evaluation.study.refusals:
        alerts.append(Alert(list(evaluation.study.refusals), "Draws that are refused"))
    return alerts


def _warning_words(evaluation: Evaluation) -> list[str]:
    """Each kind of warning with how many samples have it, the numbers those of the first."""
    told, computed = evaluation.warnings(), evaluation.store.exactly_known()
    words = [
        f"{n} of {counted(computed, 'sample')}: {prose(sentence)}" for sentence, n in told.items()
    ]
    more = len(words) - MOST_WARNINGS
    return words[:MOST_WARNINGS] + ([f"and {more} other kinds"] if more > 0 else [])


def _findings(evaluation: Evaluation) -> list[str]:
    sentences = []
    for each in evaluation.yields() if evaluation.statistical else ():
        what = "All limits are kept" if each.limit is None else _limit_words(evaluation, each.limit)
        sentence = (
            f"{what} by {each.within} of {each.known} samples"
            f"{' and the linear map of all' if evaluation.assisted else ''}: a yield of "
            f"{_percent(each.share)}"
        )
        if each.failed:
            total = each.known + each.failed
            sentence += f"; with failed samples as outside {each.within / total:.1%}"
        sentences.append(f"{sentence}.")
    if evaluation.map:
        titles = {name: q.title.lower() for name, q in evaluation.store.quantities.items()}
        sentences += gain_sentences(evaluation.map, titles)
    for name in evaluation.main_figures:
        sentences += _worst_words(evaluation, name)
    return sentences


def _worst_words(evaluation: Evaluation, name: str) -> list[str]:
    numbers = evaluation.numbers(name)
    if not evaluation.statistical or not len(numbers):
        return []
    worst, title = evaluation.worst(name), evaluation.figures[name].title.lower()
    shown = ", ".join(str(numbers[k]) for k in worst[:5])
    common = evaluation.common(name)
    if not common:
        words = "no drawn number stands out among them"
    else:
        listed = ", ".join(f"{row.name} {row.shift:+.2f} σ" for row in common)
        words = f"what they have in common: {listed} (means against those of all)"
    limited = any(limit.figure == name for limit in evaluation.limits)
    which = f"Worst of {title}" if limited else f"Largest {title} (no limit says what is worse)"
    of = f"{len(worst)} of {len(numbers)} samples"
    return [f"{which}: {of}, first {shown}; {words}."]


def _limit_words(evaluation: Evaluation, limit: Limit) -> str:
    quantity = evaluation.store.quantities[limit.figure]
    bounds = [
        f"{word} {quantity_text(bound, quantity.unit, quantity.shown_unit, 4)}"
        for word, bound in (("at least", limit.low), ("at most", limit.high))
        if math.isfinite(bound)
    ]
    return f"{quantity.title} {' and '.join(bounds)} is kept"


def _percent(estimate: Estimate) -> str:
    return f"{estimate.value:.2%} ({estimate.low:.2%} to {estimate.high:.2%})"


def _notes(evaluation: Evaluation, no_pictures: str) -> dict[str, str]:
    notes = [no_pictures] if no_pictures else []
    if evaluation.statistical:
        level = f"{evaluation.confidence:.4g}"
        if evaluation.assisted:
            notes.append(
                f"Intervals hold the true value with a confidence of {level}. Means, deviations "
                "and yields are those of all samples by the linear map, corrected by the exact "
                "ones that it did not choose, without bias; ranges, drivers and pictures are of "
                "those alone."
            )
        else:
            notes.append(
                f"Intervals hold the true value with a confidence of {level}: of yields by Clopper "
                "and Pearson, of quantiles by order statistics, of means by Student."
            )
        if evaluation.study.sampler.plan.sampling != "random":
            notes.append(
                "Samples of a Latin hypercube or of Sobol points are spread more evenly than "
                "independent ones; intervals take them for independent and are mostly too wide."
            )
    if note := evaluation.store.comparison().sentence:
        notes.append(note)
    return {str(number): note for number, note in enumerate(notes, start=1)}


def _tables(evaluation: Evaluation) -> dict[str, Table]:
    tables = {
        LIMITS: _limits_table(evaluation),
        FIGURES: _figures_table(evaluation),
        QUANTILES: _quantiles_table(evaluation, evaluation.main_figures),
    }
    for name in evaluation.main_figures if evaluation.statistical else ():
        tables[f"drivers of {name}"] = _drivers_table(evaluation, name)
        if indices := _indices_table(evaluation, name):
            tables[f"indices of {name}"] = indices
    tables[FAILED] = _failed_table(evaluation)
    return tables


def _shown(evaluation: Evaluation, name: str, values: list[float]) -> list[str]:
    quantity = evaluation.store.quantities[name]
    scale = factor(quantity.unit, quantity.shown_unit)
    return [number_text(value * scale) if math.isfinite(value) else "-" for value in values]


def _figures_table(evaluation: Evaluation) -> Table:
    rows = []
    for name, quantity in evaluation.figures.items():
        values, mean = evaluation.values(name), evaluation.mean(name)
        numbers = evaluation.numbers(name)
        cells = _shown(
            evaluation,
            name,
            [
                evaluation.nominal(name),
                mean.value,
                evaluation.deviation(name),
                float(values.min()),
                float(values.max()),
            ],
        )
        least, most = numbers[values.argmin()], numbers[values.argmax()]
        rows.append([_title(evaluation, name), unit_text(quantity.shown_unit), *cells, least, most])
    headings = [
        "figure",
        "unit",
        "nothing varied",
        "mean",
        "deviation",
        "least",
        "largest",
        "sample of the least",
        "of the largest",
    ]
    return _text_table("Figures", headings, rows, words=2)


def _title(evaluation: Evaluation, name: str) -> str:
    title = evaluation.store.quantities[name].title
    several = len(evaluation.study.spec.asks) > 1
    return f"{title} ({name.partition('.')[0]})" if several else title


def _text_table(title: str, headings: list[str], rows: list[list[Any]], words: int) -> Table:
    sides = [k < words for k in range(len(headings))]
    return Table(title, headings, sides, [[str(cell) for cell in row] for row in rows])


def _limits_table(evaluation: Evaluation) -> Table:
    rows = []
    for each in evaluation.yields() if evaluation.statistical else ():
        limit = each.limit
        bounds = ["", "all limits", ""]
        if limit is not None:
            low, high = _shown(evaluation, limit.figure, [limit.low, limit.high])
            words = f"at least {low}, at most {high}"
            words = words.removeprefix("at least -, ").removesuffix(", at most -")
            unit = unit_text(evaluation.store.quantities[limit.figure].shown_unit)
            bounds = [_title(evaluation, limit.figure), words, unit]
        shares = [f"{100 * x:.2f}" for x in each.share]
        rows.append([*bounds, each.within, each.known, each.failed, *shares])
    headings = ["figure", "limit", "unit", "within", "of", "failed", "yield, %", "from", "to"]
    return _text_table("Limits", headings, rows, words=3)


def _quantiles_table(evaluation: Evaluation, names: Iterable[str]) -> Table:
    rows = []
    for name in names if evaluation.statistical else ():
        unit = unit_text(evaluation.figures[name].shown_unit)
        for share in QUANTILE_SHARES:
            cells = _shown(evaluation, name, list(evaluation.quantile(name, share)))
            rows.append([_title(evaluation, name), unit, f"{100 * share:g}", *cells])
    headings = ["figure", "unit", "quantile, %", "value", "from", "to"]
    return _text_table("Quantiles with their intervals", headings, rows, words=2)


def _drivers_table(evaluation: Evaluation, name: str) -> Table:
    drivers, quantity = evaluation.drivers(name), evaluation.figures[name]
    scale = factor(quantity.unit, quantity.shown_unit)
    unit = unit_text(quantity.shown_unit)
    known = sorted((d.first_order for d in drivers if math.isfinite(d.first_order)), reverse=True)
    ranks = [
        known.index(d.first_order) + 1 if math.isfinite(d.first_order) else math.nan
        for d in drivers
    ]
    columns = [
        Column("varied", [driver.entry for driver in drivers]),
        Column("numbers", [driver.places for driver in drivers], "d"),
        Column("share of variance, %", [100 * driver.share.value for driver in drivers], ".1f"),
        Column("from", [100 * driver.share.low for driver in drivers], ".1f"),
        Column("to", [100 * driver.share.high for driver in drivers], ".1f"),
        Column(f"deviation, {unit}", [driver.deviation * scale for driver in drivers], ".4g"),
        Column(
            f"to first order, {unit}", [driver.first_order * scale for driver in drivers], ".4g"
        ),
        Column("rank to first order", ranks, ".0f"),
    ]
    return table(f"What drives {_title(evaluation, name).lower()}", columns)


def _indices_table(evaluation: Evaluation, name: str) -> Table | None:
    indices = evaluation.indices(name)
    if not indices:
        return None
    columns = [Column("varied", list(indices))]
    for heading, kind in (("alone (first order)", "first"), ("with all (total)", "total")):
        estimates = [getattr(index, kind) for index in indices.values()]
        columns += [
            Column(heading, [each.value for each in estimates], ".3f"),
            Column("from", [each.low for each in estimates], ".3f"),
            Column("to", [each.high for each in estimates], ".3f"),
        ]
    return table(f"Sobol indices of {_title(evaluation, name).lower()}", columns)


def _failed_table(evaluation: Evaluation) -> Table:
    failures = evaluation.store.failures()
    columns = [
        Column("sample", [number for number, _, _ in failures], "d"),
        Column("status", [status for _, status, _ in failures]),
        Column("why", [sentence for _, _, sentence in failures]),
    ]
    title = "Samples that failed"
    if evaluation.failed > len(failures):
        title += f", the first {len(failures)} of {evaluation.failed}"
    return table(title, columns)


def _samples_sheet(evaluation: Evaluation) -> Table:
    """Every figure of every sample, for other programs."""
    from flank.studies.samples import STATUS_WORDS

    status = evaluation.status
    columns = [
        Column("sample", range(len(status)), "d"),
        Column("status", [STATUS_WORDS[int(code)] for code in status]),
    ]
    for name, quantity in evaluation.store.quantities.items():
        if not quantity.shape:
            unit = unit_text(quantity.shown_unit)
            scale = factor(quantity.unit, quantity.shown_unit)
            heading = f"{_title(evaluation, name)}, {unit}" if unit else _title(evaluation, name)
            columns.append(Column(heading, evaluation.store.values(name) * scale, EXACT))
    return table("Samples", columns)


def allocation_document(allocation: Allocation) -> Document:
    """Grades of tolerances that keep a yield at the least cost, and what was tried before."""
    tables = {"grades": _grades_table(allocation), "trials": _trials_table(allocation)}
    study = allocation.study
    lead = (
        f"{study.title}: {allocation.combinations} combinations of grades, predicted by a map of "
        f"{study.samples} exact samples; {len(allocation.trials)} of them computed exactly, with "
        f"{study.spec.confidence:.4g} confidence."
    )
    return Document(
        STUDY,
        "Allocation of tolerances",
        study.title,
        lead,
        f"Written by Flank {__version__}. The folder of every trial holds its study and report.",
        {name: each for name, each in tables.items() if each.rows},
        {},
        {name: partial(tables.__getitem__, name) for name in tables},
        findings=[_allocation_words(allocation)],
        spec=study.spec.to_mapping(),
    )


def _allocation_words(allocation: Allocation) -> str:
    asked = f"{allocation.at_least:.4g}"
    if (proved := allocation.proved) is not None:
        return (
            f"The cheapest grades cost {proved.cost:.6g} and have a yield of "
            f"{_percent(proved.verified)}, at least {asked} as asked. Cheaper ones have less by "
            "the map, which knows every combination, or by the studies listed."
        )
    if not allocation.trials:
        return f"No combination of grades reaches a yield of {asked} by the map: give finer grades."
    return (
        f"No grades are proved to have a yield of {asked}: of those listed none has it, and no "
        "other reaches it by the map; give finer grades, or more samples where an interval is wide."
    )


def _grades_table(allocation: Allocation) -> Table:
    proved, rows = allocation.proved, []
    entries = {entry.name: entry for entry in allocation.study.variables.entries}
    for name, grades in allocation.grades.items():
        entry = entries[name]
        scale, unit = factor(entry.unit, entry.shown_unit), unit_text(entry.shown_unit)
        for k, grade in enumerate(grades):
            taken = "taken" if proved is not None and proved.grades[name] == k else ""
            tolerance = number_text(grade.tolerance * scale)
            rows.append([name, unit, k + 1, tolerance, f"{grade.cost:g}", taken])
    headings = ["varied", "unit", "grade", "tolerance", "cost", "the cheapest"]
    return _text_table("Grades", headings, rows, words=2)


def _trials_table(allocation: Allocation) -> Table:
    def cells(trial: Trial) -> list[Any]:
        shares = [trial.predicted, *trial.verified]
        return [f"{trial.cost:g}", *(f"{100 * share:.2f}" for share in shares)]

    rows = [[trial.name, *cells(trial)] for trial in allocation.trials]
    headings = ["grades", "cost", "predicted yield, %", "exactly, %", "from", "to"]
    return _text_table("Combinations that were computed exactly", headings, rows, words=1)
