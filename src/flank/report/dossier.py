"""Everything that is to be said of one machine, in one dated document.

`Dossier.of` asks the machine all that fits it, one analysis after the other; one that fails is told
in its place and the others go on. `dossier_document` makes the document of it: a title block, the
verdict with its margins, the drawing with dimensions, gears, loads and lives, and a part for every
analysis.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from flank._version import __version__
from flank.analyses.registry import ANALYSES
from flank.analyses.result import Result, provenance
from flank.errors import SpecError
from flank.io.shown import count_text, factor, number_text, prose, unit_text
from flank.io.tables import MISSING, Column, Row, Table, table
from flank.machines.base import (
    HasDerived,
    HasGearData,
    HasMeasuredParts,
    HasRatedLoads,
    notes_of,
)
from flank.report.document import (
    ASSUMED,
    DOSSIER,
    Alert,
    Document,
    Outline,
    notes_alert,
    result_document,
)
from flank.report.verdict import judgement_of
from flank.texts import counted

if TYPE_CHECKING:
    from flank.design.figure import Figure
    from flank.design.verdict import Verdict
    from flank.machines.base import DataTable, Machine

Tell = Callable[[float, str], None]


class Asked(NamedTuple):
    """An analysis of the dossier: its heading there, settings, and what of the run's time it takes
    as far as that is known."""

    analysis: str
    heading: str
    settings: Mapping[str, Any] = {}
    share: float = 1.0
    pictures: tuple[str, ...] = ()  # of those that it draws; all but the machine if none is named


ASKED = (
    Asked("load-distribution", "Who carries the load", share=1.0),
    Asked("hysteresis", "Loop: stiffness, lost motion, backlash", share=2.0),
    Asked("transmission-error", "Transmission error, as drawn and within tolerance", share=6.0),
    Asked("stiffness-split", "What to make stiffer first", share=1.0),
    Asked("sensitivity", "What manufacturing errors do", share=6.0),
    Asked("load-sharing", "How planets share the load", share=4.0),
    Asked("mesh-phasing", "Phases of the meshes", share=0.1),
    Asked("contact-pattern", "Contact pattern without load", share=2.0),
    Asked("loaded-contact", "Contact under load", share=6.0),
    Asked("campbell", "Natural frequencies against the speed", share=2.0),
    Asked("efficiency", "Losses", share=3.0),
    Asked("joint-turns", "Turns of the joint", share=8.0),
    Asked("joint-resonance", "Resonances of the joint", share=2.0),
)
"""In the order of the dossier; those that do not fit a machine are left out."""

ROUND_OFF = 1e-12
"""Of pure numbers, lengths in m and angles in rad: what is smaller is none."""

DRAWS = 3
"""Machines within tolerance whose transmission error stands beside the one as drawn."""


@dataclass(frozen=True)
class Answer:
    """What came of one analysis: a result, or a sentence why there is none."""

    asked: Asked
    result: Result | None
    failure: str = ""

    @property
    def complete(self) -> bool:
        return self.result is not None and self.result.complete

    @property
    def told(self) -> str:
        """How it went, in one line."""
        if self.result is None:
            return self.failure
        warnings = len(self.result.warnings)
        done = "completed" if self.complete else f"incomplete: {self.result.outcome}"
        return done + (f", {counted(warnings, 'finding')}" if warnings else "")


@dataclass(frozen=True)
class Dossier:
    """A machine, its verdict and its answers; `revision` and `author` are the user's own."""

    machine: Machine
    answers: tuple[Answer, ...]
    verdict: Verdict
    revision: str = ""
    author: str = ""
    made_at: datetime = field(default_factory=lambda: datetime.now(UTC))

    @classmethod
    def of(
        cls, machine: Machine, revision: str = "", author: str = "", tell: Tell | None = None
    ) -> Dossier:
        """Asked now, one analysis after the other."""
        from flank.design.verdict import judge

        fitting = [asked for asked in ASKED if ANALYSES[asked.analysis].fits(machine)]
        whole, done = 1.0 + sum(asked.share for asked in fitting), 0.0
        answers = []
        for asked in fitting:
            progress = None if tell is None else _part_of(tell, asked, done / whole, whole)
            answers.append(_answer(machine, asked, progress))
            done += asked.share
        if tell is not None:
            tell(done / whole, "verdict")
        return cls(machine, tuple(answers), judge(machine), revision, author)

    @property
    def complete(self) -> bool:
        return all(answer.complete for answer in self.answers)

    @cached_property
    def document(self) -> Document:
        return dossier_document(self)


def dossier_outline() -> Outline:
    """What a dossier may write, before anything is computed."""
    drawn = [
        f"{asked.analysis}-{name}" for asked in ASKED for name in ANALYSES[asked.analysis].pictures
    ]
    return Outline(DOSSIER, (), ("drawing-dimensions", *drawn))


def _part_of(tell: Tell, asked: Asked, begun: float, whole: float) -> Callable[[float], None]:
    words = asked.analysis.replace("-", " ")
    tell(begun, words)
    return lambda share: tell(begun + share * asked.share / whole, words)


def _answer(machine: Machine, asked: Asked, progress: Callable[[float], None] | None) -> Answer:
    """Of one analysis, whatever becomes of it."""
    analysis = ANALYSES[asked.analysis]
    settings = dict(asked.settings)
    if asked.analysis == "transmission-error" and _can_be_drawn(machine):
        settings["draws"] = DRAWS
    try:
        return Answer(asked, analysis.run(machine, analysis.checked_settings(settings), progress))
    except SpecError as error:
        return Answer(asked, None, "; ".join(error.problems))
    except Exception as error:  # what nobody foresaw must not take the other parts along
        return Answer(asked, None, f"{type(error).__name__}: {error}")


def _can_be_drawn(machine: Machine) -> bool:
    """Whether machines within tolerance can be set beside one that has no errors."""
    return not getattr(machine, "deviates", True) and bool(
        getattr(machine, "error_parameters", tuple)()
    )


def dossier_document(dossier: Dossier) -> Document:
    """The document: what leads, and a part for every analysis."""
    machine, made = dossier.machine, provenance(dossier.machine.spec.to_mapping())
    parts = tuple(_parts(dossier))
    pictures = {
        f"{part.short}-{name}": picture for part in parts for name, picture in part.pictures.items()
    }
    failed = [answer for answer in dossier.answers if not answer.complete]
    return Document(
        DOSSIER,
        "Dossier",
        prose(machine.title),
        "",
        f"Computed by Flank {__version__} at {dossier.made_at.isoformat(timespec='seconds')} from "
        f"spec {made['spec_hash']}, kernels {made['kernel_hash']} for {made['kernel_target']}.",
        {},
        pictures,
        {},
        alerts=[
            *([Alert([_failed_words(failed)], failure=True)] if failed else []),
            *([notes_alert(notes)] if (notes := notes_of(machine)) else []),
        ],
        details={"Title": _title_block(dossier, made)},
        spec=machine.spec.to_mapping(),
        verdict=judgement_of(dossier.verdict),
        parts=parts,
        data={"verdict": dossier.verdict.to_mapping(), "provenance": made},
    )


def _failed_words(failed: list[Answer]) -> str:
    names = ", ".join(answer.asked.analysis.replace("-", " ") for answer in failed)
    return f"Not all of it completed: {names}. What is known stands in its place, and why not more."


def _title_block(dossier: Dossier, made: Mapping[str, Any]) -> dict[str, str]:
    """As it stands in the corner of a drawing."""
    spec: Any = dossier.machine.spec
    block = {
        "Title": prose(dossier.machine.title),
        "Machine": str(spec.machine).replace("-", " "),
        "Revision": dossier.revision,
        "Author": dossier.author,
        "Date": f"{dossier.made_at:%Y-%m-%d %H:%M} UTC",
        "Spec": str(made["spec_hash"]),
        "Kernels": str(made["kernel_hash"]),
        "Flank": __version__,
    }
    return {name: text for name, text in block.items() if text}


def _parts(dossier: Dossier) -> Iterator[Document]:
    if dossier.verdict.margins or dossier.verdict.findings or _groups(dossier.verdict):
        yield _verdict_part(dossier.verdict)
    yield _drawing_part(dossier)
    yield from _data_part(dossier.machine)
    for answer in dossier.answers:
        yield _answer_part(answer)


def _part(short: str, heading: str, **more: Any) -> Document:
    empty: dict[str, Any] = {"tables": {}, "pictures": {}, "sheets": {}, "lead": "", "closing": ""}
    return Document(DOSSIER, heading, heading, **(empty | more), short=short)


def _verdict_part(verdict: Verdict) -> Document:
    """Findings, the worst first, and figures group by group; margins follow."""
    findings = [
        Column("", [finding.severity for finding in verdict.findings]),
        Column("finding", [f"{prose(finding.sentence)}" for finding in verdict.findings]),
        Column("limit from", [prose(finding.source) for finding in verdict.findings]),
    ]
    margins = [margin for margin in verdict.margins if math.isfinite(margin.share)]
    declared = verdict.figures.declared()
    rules = [
        Column("rule", [margin.rule.code for margin in margins]),
        Column("figure", [declared[margin.rule.figure].title for margin in margins]),
        Column("value", [_figure_number(declared[m.rule.figure], m.value) for m in margins]),
        Column("limit", [_figure_number(declared[m.rule.figure], m.limit) for m in margins]),
        Column("left", [f"{margin.share:.0%}" for margin in margins]),
    ]
    tables = {}
    if verdict.findings:
        tables["findings"] = table("Findings", findings)
    if margins:
        made = table("Margins to the limits, the least first", rules)
        tables["margins"] = made._replace(words=[True, True, False, False, False])
    below = [_group(title, rows) for title, rows in _groups(verdict).items()]
    return _part("verdict", "Verdict", tables=tables, below=below)


def _figure_number(figure: Figure[Any], value: float) -> str:
    return _amount(value, figure.unit, figure.shown_unit)


def _amount(value: float, unit: str, shown_unit: str) -> str:
    if not math.isfinite(value):
        return MISSING
    if unit in ("", "m", "rad") and abs(value) < ROUND_OFF:
        value = 0.0
    if not shown_unit:
        return count_text(value)
    return f"{number_text(value * factor(unit, shown_unit))} {unit_text(shown_unit)}"


def _groups(verdict: Verdict) -> dict[str, list[Row]]:
    groups: dict[str, list[Row]] = {}
    for each in verdict.figures.shown():
        if math.isfinite(each.value):
            number, _, unit = _amount(each.value, each.unit, each.shown_unit).partition(" ")
            groups.setdefault(each.group, []).append(Row(each.title, number, unit))
    return groups


def _group(title: str, rows: list[Row]) -> Table:
    names = ("figure", "value", "unit")
    columns = [Column(name, [row[k] for row in rows]) for k, name in enumerate(names)]
    return table(title, columns)._replace(words=[True, False, True])


def _drawing_part(dossier: Dossier) -> Document:
    """The machine at rest with dimensions, read off its outlines."""
    from flank.analyses.drawing import drawing_at_rest
    from flank.plots.dimensioned import dimensioned_picture, features_table
    from flank.plots.style import styled

    drawing = drawing_at_rest(dossier.machine)
    if drawing is None:
        return _part("drawing", "Drawing", lead="The machine tells no outlines.")
    with styled():
        picture = dimensioned_picture(drawing)
    features = features_table(drawing)
    return _part(
        "drawing",
        "Drawing",
        pictures={} if picture is None else {"dimensions": picture},
        below=[] if features is None else [features],
    )


def _data_part(machine: Machine) -> Iterator[Document]:
    """What the spec leads to before anything is asked: gears, loads and lives, derived sizes."""
    tables: list[Table] = []
    if isinstance(machine, HasGearData):
        tables += [_data_table(each) for each in machine.gear_data()]
    if isinstance(machine, HasMeasuredParts):
        tables += [_data_table(each) for each in machine.measured_data()]
    if isinstance(machine, HasRatedLoads):
        tables += [_data_table(each) for each in machine.rated_loads()]
    if isinstance(machine, HasDerived) and (derived := machine.derived()):
        columns = [
            Column("key", [each.key for each in derived]),
            Column("value", [_amount(each.value, each.unit, each.shown_unit) for each in derived]),
        ]
        made = table(machine.derived_heading.rstrip(":"), columns)
        tables.append(made._replace(words=[True, False]))
    if tables:
        yield _part("data", "Parts, loads and lives", tables={each.title: each for each in tables})


def _data_table(data: DataTable) -> Table:
    columns = [
        Column("", [row.title for row in data.rows]),
        *(
            Column(name, [_data_cell(row, row.values[k]) for row in data.rows])
            for k, name in enumerate(data.columns)
        ),
        Column("unit", [unit_text(row.shown_unit) for row in data.rows]),
    ]
    made = table(data.title, columns)
    return made._replace(words=[True, *(False for _ in data.columns), True])


def _data_cell(row: Any, value: float) -> str:
    if math.isnan(value):
        return MISSING
    if not row.shown_unit:
        return count_text(value)
    return number_text(value * factor(row.unit, row.shown_unit), row.digits)


def _answer_part(answer: Answer) -> Document:
    asked = answer.asked
    if answer.result is None:
        failure = Alert([f"It was not computed: {prose(answer.failure)}"], failure=True)
        return _part(asked.analysis, asked.heading, alerts=[failure])
    from flank.plots import DRAWINGS, figures

    kept = {
        name: picture for name, picture in figures(answer.result).items() if name not in DRAWINGS
    }
    made = result_document(answer.result, kept)
    return replace(
        made,
        kind=DOSSIER,
        heading=asked.heading,
        title=asked.heading,
        lead="" if answer.complete else made.lead,
        alerts=[alert for alert in made.alerts if alert.title != ASSUMED],
        closing="",
        spec={},
        details={},
        drawing=None,
        short=asked.analysis,
    )
