"""What is written of a result or of a study, whatever the format: its parts in their order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from flank.analyses.registry import ANALYSES
from flank.drawing import document_of
from flank.io.ownership import goes_with_page
from flank.io.shown import prose
from flank.io.tables import Row, Table, result_sheets, summary_rows, tables
from flank.plots import why_no_drawing
from flank.report.loop_table import loop_tables

if TYPE_CHECKING:
    from flank.analyses.result import Result
    from flank.plots.style import Picture
    from flank.report.verdict import Judgement

RUN, STUDY, DESIGN, DOSSIER = "run", "study", "design", "dossier"
"""Kinds of documents: one analysis of a machine, a published study computed anew, machines that
were found, with their specs, or all that is to be said of one machine."""


ASSUMED = "Assumed where the spec is silent"
"""Title of the alert of what a machine assumes."""


class Outline(NamedTuple):
    """Names of what a document holds, as far as they are known before it is computed."""

    kind: str
    sheets: tuple[str, ...]
    pictures: tuple[str, ...]
    specs: tuple[str, ...] = ()


class Alert(NamedTuple):
    """Sentences that must not be overlooked."""

    sentences: list[str]
    title: str = ""
    failure: bool = False


@dataclass(frozen=True)
class Document:
    """Parts that a document does not have are empty.

    `tables` are shown, `below` those that follow the pictures; `sheets` are all numbers, for other
    programs. `notes` go by the mark with which tables cite them. `files` are the names of all
    files that are written with it, `specs` those of machines by the names of their files. `drawing`
    makes the document of `flank.drawing`, `verdict` judges the machine. A dossier has `parts`,
    documents of their own whose pictures are also its own, by names that begin with their `short`
    one, and `data` for programs that no table has.
    """

    kind: str
    heading: str
    title: str
    lead: str
    closing: str
    tables: dict[str, Table]
    pictures: Mapping[str, Picture]
    sheets: Mapping[str, Callable[[], Table]]
    alerts: list[Alert] = field(default_factory=list)
    findings: list[str] = field(default_factory=list)
    summary: list[Row] = field(default_factory=list)
    notes: dict[str, str] = field(default_factory=dict)
    below: list[Table] = field(default_factory=list)
    details: dict[str, dict[str, str]] = field(default_factory=dict)
    spec: Mapping[str, Any] = field(default_factory=dict)
    result: Result | None = None
    drawing: Callable[[], Mapping[str, Any]] | None = None
    verdict: Judgement | None = None
    files: tuple[str, ...] = ()
    specs: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    parts: tuple[Document, ...] = ()
    short: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)

    @property
    def outline(self) -> Outline:
        return Outline(self.kind, tuple(self.sheets), tuple(self.pictures), tuple(self.specs))


class Writer(NamedTuple):
    """A format of files.

    `names` are its files of a document, `content` gives one of them by its name. `is_ours` tells
    whether Flank wrote a file with this `suffix`; one that bears no mark is known by the page
    beside it. Documents of the kinds `always` have it in any case, others of `kinds` if it is asked
    for. What it `needs` is a library of an extra, without which documents that always have it go
    without.
    """

    suffix: str
    names: Callable[[Outline], Iterable[str]]
    content: Callable[[Document, str], bytes | str]
    is_ours: Callable[[Path], bool] = goes_with_page
    always: tuple[str, ...] = ()
    kinds: tuple[str, ...] = (RUN, STUDY, DESIGN, DOSSIER)
    needs: str = ""


def result_document(
    result: Result, pictures: Mapping[str, Picture], verdict: Judgement | None = None
) -> Document:
    """The parts of a result, below the verdict on its machine if it is known."""
    known = ANALYSES.get(result.analysis)
    summary = known.summary if known else result.analysis
    ended = (
        "The computation completed."
        if result.complete
        else "The computation did not complete; this page shows what was found until then."
    )
    return Document(
        RUN,
        result.analysis.replace("-", " ").capitalize(),
        prose(result.title),
        f"Asked for: {summary}. {ended}",
        _closing(result),
        {table.title: table for table in tables(result)},
        pictures,
        result_sheets(result),
        alerts=_alerts(result),
        summary=summary_rows(result),
        below=loop_tables(result),
        details={
            "Settings": {_words(key): prose(str(value)) for key, value in result.settings.items()},
            "Solver": {_words(key): f"{value:,}" for key, value in result.counters.items()},
        },
        spec=result.spec,
        result=result,
        drawing=partial(document_of, result),
        verdict=verdict,
    )


def _alerts(result: Result) -> list[Alert]:
    alerts = [] if result.complete else [Alert([result.outcome], failure=True)]
    if result.warnings:
        sentences = [prose(text[:1].upper() + text[1:]) for text in result.warnings]
        alerts.append(Alert(sentences, "Findings"))
    if result.notes:
        alerts.append(notes_alert(result.notes))
    return alerts


def notes_alert(notes: Sequence[str]) -> Alert:
    return Alert([prose(text[:1].upper() + text[1:]) for text in notes], ASSUMED)


def _closing(result: Result) -> str:
    """Why the machine is not drawn, if so; what made the result, and how it ended."""
    undrawn = why_no_drawing(result) if result.complete else ""
    return f"{undrawn} {_made_with(result)} Outcome: {result.outcome}".lstrip()


def _words(key: str) -> str:
    return key.replace("_", " ").capitalize()


def _made_with(result: Result) -> str:
    """One sentence that tells two runs of one spec apart."""
    version = result.data.attrs.get("flank_version", "")
    made = result.provenance
    if not made:
        return f"Computed by Flank {version}."
    libraries = ", ".join(
        f"{name} {number}" for name, number in made["versions"].items() if name != "flank"
    )
    blas = ", ".join(
        f"{library['name']} {library['version']} ({library['architecture']}, threads: "
        f"{library['threads']})"
        for library in made["blas"]
    )
    return (
        f"Computed by Flank {version} at {made['made_at']} from spec {made['spec_hash']}, kernels "
        f"{made['kernel_hash']} for {made['kernel_target']}, with {libraries}; {blas}."
    )
