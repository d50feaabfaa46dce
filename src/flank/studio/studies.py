"""Studies from the page: what may vary, how they run into a folder of their own below the start
folder, and what is known of them meanwhile."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from flank.drawing.packing import exact
from flank.errors import SpecError
from flank.io.shown import factor, number_text, prose, unit_text
from flank.studio import saving, sources
from flank.studio.form import blank_fields, form_of
from flank.texts import counted, describe

if TYPE_CHECKING:
    from flank.analyses.registry import Analysis
    from flank.machines.base import Machine
    from flank.studies.evaluation import Evaluation, Yield
    from flank.studies.store import Store
    from flank.studies.study import Pace as Progress
    from flank.studies.study import Study
    from flank.studio.jobs import Pace

ASKED = ("sampling", "samples", "seed", "method", "confidence")
"""Keys of a study that the page asks for beside what varies and what is asked."""

OFTEN = 1.0
"""s between two looks at what is known while a study runs."""

CLASSES = 24
"""Of a histogram."""

MOST_STUDIES = 50
"""Below the start folder, that are offered to be gone on with."""


def form(machine: Any, start: Path) -> dict[str, Any]:
    """What may vary and how, what may be asked, and which studies there are."""
    from flank.analyses.registry import ANALYSES
    from flank.studies.spec import USES, StudySpec, VariableSpec

    fields = {each["path"]: each for each in blank_fields(StudySpec)}
    return {
        "variables": list(_variables(machine.spec)),
        "uses": {name: [*needed, *known] for name, (needed, known) in USES.items()},
        "amounts": blank_fields(VariableSpec),
        "fields": [{**fields[name], "required": False} for name in ASKED],
        "analyses": [
            {"name": each.name, "figures": list(_figures(each))}
            for each in ANALYSES.values()
            if each.fits(machine)
        ],
        "studies": found(start),
    }


def _variables(spec: Any) -> Iterator[dict[str, str]]:
    """Kinds of errors first, then numbers that the spec has."""
    for name, kind in spec.error_kinds.items():
        if name not in spec.absent_errors:
            told = {"title": prose(kind.words), "unit": unit_text(kind.shown_unit)}
            yield {"path": f"errors.{name}", **told}
    for block in form_of(spec):
        if block["path"].partition(".")[0] in ("errors", "tolerances"):
            continue
        for field in block["fields"]:
            if field["slider"] is not None:
                title = f"{field['meaning']}, now {field['value']}"
                yield {"path": field["path"], "title": title, "unit": field["unit"]}


def _figures(analysis: Analysis) -> Iterator[dict[str, str]]:
    for name, declared in analysis.quantities.declared.items():
        if not declared.over and "{" not in name:
            unit = unit_text(declared.units)
            yield {
                "name": f"{analysis.name}.{name}",
                "title": prose(declared.meaning),
                "unit": unit,
            }


def found(start: Path) -> list[str]:
    """Folders of studies, straight below the start folder."""
    from flank.studies.store import STORE_FOLDER

    names = [
        path.name
        for path in sources.inside(start)
        if not path.is_symlink() and (path / STORE_FOLDER / "zarr.json").is_file()
    ]
    return names[:MOST_STUDIES]


def make(machine: Any, given: Any, start: Path) -> Callable[[], Study]:
    """The study that a page asks for; SpecError when it is made, if it cannot be."""

    def made() -> Study:
        from flank.studies.spec import StudySpec
        from flank.studies.study import make_study

        asked = _spec(given)
        sources.refuse_foreign_files(asked, start)  # those of the machine were looked at before
        spec = {"machine": machine().spec.to_mapping(), **asked}
        return make_study(StudySpec.from_mapping(spec), machine(), start)

    return made


def _spec(given: Any) -> dict[str, Any]:
    """Blocks of a study's spec: texts by key, empty ones left out."""
    if not isinstance(given, Mapping) or not set(given) <= {"varies", "asks", "limits", "fields"}:
        raise SpecError(f"{describe(given)} is given; a study is what varies and what is asked")
    spec: dict[str, Any] = sources.given_values(given.get("fields", {}))
    for name in ("varies", "limits"):
        block = given.get(name, {})
        if not isinstance(block, Mapping):
            raise SpecError(f"{name}: {describe(block)} is given; name keys with their values")
        spec[name] = {str(key): sources.given_values(each) for key, each in block.items()}
    asked = given.get("asks", "")
    spec["asks"] = {str(asked): {}} if asked else {}
    return spec


def run(start: Path, folder: str, made: Callable[[], Study] | None, pace: Pace) -> dict[str, Any]:
    """Run a new study into a folder, or go on with the one that is there, and write its report."""
    from flank.report.folder import write_document
    from flank.report.study import study_document
    from flank.studies.assisted import run_study
    from flank.studies.evaluation import Evaluation
    from flank.studies.store import STORE_FOLDER, Store
    from flank.studies.study import study_of

    pace(0.0, "the machine itself, nothing varied")
    if made is not None:
        place = saving.check_folder(folder, start)
        study = made()
        store = study.open(place / STORE_FOLDER)
    else:
        place = saving.known_folder(folder, start)
        store = Store(place / STORE_FOLDER, writable=True)
        sources.refuse_foreign_files(store.manifest, start)
        study = study_of(store)
        store = study.open(store.path)
    look = _Look(study, store, place.name, pace)
    run_study(study, store, None, look.tell)
    evaluation = Evaluation(study, store)
    pace(1.0, "derivatives and report")
    evaluation.differentiate()
    with saving.written(place):
        write_document(study_document(evaluation), place)
    failed = counted(evaluation.failed, "sample")
    words = [*study.refusals, *([f"{failed} failed"] if evaluation.failed else [])]
    told = {"name": place.name, "folder": str(start), "words": [prose(each) for each in words]}
    return {**told, **known(evaluation)}


class _Look:
    """Tells how far a study is, and now and then what is known of it."""

    def __init__(self, study: Study, store: Store, name: str, pace: Pace) -> None:
        self._study, self._store, self._name, self._pace = study, store, name, pace
        self._next = 0.0

    def tell(self, progress: Progress) -> None:
        from flank.studies.evaluation import Evaluation

        share = progress.known / max(progress.samples, 1)
        words = f"{progress.known} of {progress.samples} samples; they are kept in {self._name}"
        more: dict[str, Any] = {}
        if time.monotonic() > self._next:
            more = {"known": known(Evaluation(self._study, self._store))}
            self._next = time.monotonic() + OFTEN
        self._pace(share, words, **more)


def known(evaluation: Evaluation) -> dict[str, Any]:
    """Histograms of the main figures, and yields, as far as samples are known."""
    names = evaluation.main_figures
    return {
        "title": prose(evaluation.study.title),
        "samples": evaluation.study.samples,
        "states": evaluation.states,
        "curves": [_histogram(evaluation, name) for name in names],
        "figures": [_figure(evaluation, name) for name in names],
        "yields": [_yield(evaluation, each) for each in evaluation.yields()],
    }


def _histogram(evaluation: Evaluation, name: str) -> dict[str, Any]:
    """Numbers of samples in classes of equal width, as a line with steps."""
    figure = evaluation.store.quantities[name]
    values = evaluation.values(name) * factor(figure.unit, figure.shown_unit)
    counts, edges = np.histogram(values, min(CLASSES, max(math.isqrt(len(values)), 1)))
    return {
        "name": name,
        "picture": name,
        "kind": "lines",
        "title": f"{prose(figure.title)}, {counted(len(values), 'sample')}",
        "x": {"title": prose(figure.title), "unit": unit_text(figure.shown_unit), "along": ""},
        "y": {"unit": "samples"},
        "abscissa": exact(np.repeat(edges, 2)),
        "lines": [{"name": "samples", "values": exact(np.pad(np.repeat(counts, 2), 1))}],
        "left_out": 0,
        "marks": _limit_marks(evaluation, name),
    }


def _limit_marks(evaluation: Evaluation, name: str) -> list[dict[str, Any]]:
    figure = evaluation.store.quantities[name]
    scale = factor(figure.unit, figure.shown_unit)
    ends = [
        end for each in evaluation.limits if each.figure == name for end in (each.low, each.high)
    ]
    return [{"name": "limit", "at": end * scale} for end in ends if math.isfinite(end)]


def _figure(evaluation: Evaluation, name: str) -> list[str]:
    """Title, as drawn, mean, deviation, nineteen of twenty below, unit."""
    figure = evaluation.store.quantities[name]
    scale = factor(figure.unit, figure.shown_unit)
    values = (
        evaluation.nominal(name),
        evaluation.mean(name).value,
        evaluation.deviation(name),
        evaluation.quantile(name, 0.05).value,
        evaluation.quantile(name, 0.95).value,
    )
    texts = [number_text(each * scale, 4) if math.isfinite(each) else "" for each in values]
    return [prose(figure.title), *texts, unit_text(figure.shown_unit)]


def _yield(evaluation: Evaluation, each: Yield) -> list[str]:
    """What is kept, and the share of samples that keep it with its interval in percent."""
    title = "all limits"
    if each.limit is not None:
        title = prose(evaluation.store.quantities[each.limit.figure].title)
    value, low, high = (f"{100 * number:.1f}" for number in each.share)
    return [title, f"{each.within} of {each.known}", value, low, high]


def machine_maker(source: Any, given: Any, start: Path) -> Callable[[], Machine]:
    """The machine of a spec with changes, made once, when it is asked for."""
    made: list[Machine] = []

    def machine() -> Machine:
        if not made:
            made.append(source.machine(sources.checked_changes(given, start)))
        return made[0]

    return machine
