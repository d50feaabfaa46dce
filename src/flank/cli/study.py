"""What `flank study` does: run a study, go on with it, say how far it is, show a sample, report."""

from __future__ import annotations

import math
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

from flank.cli.places import check_writable, folder_of, writing
from flank.cli.terminal import interrupts, say, show, shown_pace
from flank.errors import SpecError
from flank.texts import counted, echo_path

if TYPE_CHECKING:
    from flank.analyses.result import Result
    from flank.report.document import Document
    from flank.studies.backends import Backend
    from flank.studies.evaluation import Evaluation
    from flank.studies.store import Store
    from flank.studies.study import Pace, Study

SECONDS_BETWEEN_REPORTS = 30.0
REPORT_SHARE = 0.05
"""Of the time, that reports may take while a study runs."""

RECENT = 20
"""Chunks by whose times the rate of a running study is known."""


def run_study(
    file: str, out: str | None, backend: Backend, open_report: bool, other_kernels: bool
) -> bool:
    """Run the study of a file, or go on with it; True if no sample failed."""
    from flank.api import check_study
    from flank.studies.store import STORE_FOLDER

    study = check_study(file)
    folder = folder_of(out, f"study-{Path(file).stem}")
    check_writable(folder)
    for sentence in study.refusals:
        say(sentence)
    backend.refuse(study.sampler)
    with writing(folder):
        store = study.open(folder / STORE_FOLDER, other_kernels)
    say(
        f"{counted(study.samples, 'sample')} of "
        f"{counted(len(study.variables.places), 'varied number')}; the store takes "
        f"at most {study.bytes / 1e6:.3g} MB"
    )
    return _compute(study, store, folder, backend, open_report)


def resume_study(folder: str, backend: Backend, open_report: bool, other_kernels: bool) -> bool:
    """Go on with the study in a folder; True if no sample failed."""
    from flank.studies.study import study_of

    store = open_store(folder)
    study = study_of(store)
    backend.refuse(study.sampler)
    store = study.open(store.path, other_kernels)
    return _compute(study, store, store.path.parent, backend, open_report)


def allocate_grades(
    file: str, out: str | None, threads: int | None, cluster: str | None, open_report: bool
) -> bool:
    """Find the cheapest grades of a study's tolerances; True if they are proved."""
    from flank.api import allocate
    from flank.report.folder import write_document
    from flank.report.study import allocation_document
    from flank.report.text import study_text

    chosen_backend(threads, cluster, cuda=False)
    folder = folder_of(out, f"allocate-{Path(file).stem}")
    check_writable(folder)
    with shown_pace("Allocation") as tell:
        allocation = allocate(file, folder, threads, tell, cluster, say)
    for trial in allocation.trials:
        trial.evaluation.differentiate()
        write_report(trial.evaluation, trial.evaluation.store.path.parent)
    document = allocation_document(allocation)
    with writing(folder):
        written = write_document(document, folder)
    say(study_text(document))
    say(f"\nWritten to {folder}{os.sep}: {', '.join(path.name for path in written)}")
    if open_report:
        show(written)
    return allocation.proved is not None


def chosen_backend(threads: int | None, cluster: str | None, cuda: bool) -> Backend:
    """Threads of this process, the workers of a cluster, or GPUs of either."""
    from flank.studies.backends import make_backend

    if threads is not None and cluster is not None:
        raise SpecError("--threads does nothing with --cluster, whose workers have their own")
    return make_backend(threads, cluster, cuda)


def open_store(folder: str) -> Store:
    """The store in a folder, or that is the folder itself."""
    from flank.studies.store import STORE_FOLDER, Store

    path = Path(folder)
    return Store(path if path.name == STORE_FOLDER else path / STORE_FOLDER, writable=True)


def _compute(study: Study, store: Store, folder: Path, backend: Backend, open_report: bool) -> bool:
    from flank.report.folder import check_folder
    from flank.report.study import study_outline
    from flank.report.text import study_text
    from flank.studies.assisted import run_study
    from flank.studies.evaluation import Evaluation

    with writing(folder):
        check_folder(folder, study_outline())
    with interrupts(lambda: _kept_words(store)):
        with shown_pace(study.title) as tell:
            reports = _Reports(study, store, folder)

            def tell_all(pace: Pace) -> None:
                if tell is not None:
                    tell(pace)
                reports.tell(pace)

            run_study(study, store, backend, tell_all, say)
        evaluation = Evaluation(study, store)
        evaluation.differentiate()
        document, written = write_report(evaluation, folder)
        say(study_text(document))
        say(f"\nWritten to {folder}{os.sep}: {', '.join(path.name for path in written)}")
        if open_report:
            show(written)
    return evaluation.failed == 0


def _kept_words(store: Store) -> str:
    return (
        f"{store.known()} of {store.samples} samples are kept; go on with: flank study resume "
        f"{echo_path(store.path.parent)}"
    )


def write_report(evaluation: Evaluation, folder: Path) -> tuple[Document, list[Path]]:
    """The report as far as a study is computed, and the paths of its files."""
    from flank.report.folder import write_document
    from flank.report.study import study_document

    document = study_document(evaluation)
    with writing(folder):
        return document, write_document(document, folder)


class _Reports:
    """Writes the report anew while a study runs, seldom enough not to hold it up."""

    def __init__(self, study: Study, store: Store, folder: Path) -> None:
        self._study, self._store, self._folder = study, store, folder
        self._next = time.monotonic() + SECONDS_BETWEEN_REPORTS

    def tell(self, pace: Pace) -> None:
        from flank.studies.evaluation import Evaluation

        started = time.monotonic()
        if started < self._next or pace.remaining < SECONDS_BETWEEN_REPORTS:
            return
        try:
            write_report(Evaluation(self._study, self._store), self._folder)
        except Exception as error:  # a study goes on, whatever became of a picture of it
            say(f"The report of what is known by now failed ({type(error).__name__}: {error}).")
            self._next = math.inf
            return
        took = time.monotonic() - started
        self._next = time.monotonic() + max(SECONDS_BETWEEN_REPORTS, took / REPORT_SHARE)


def report_study(folder: str, open_report: bool) -> None:
    """Write the report of what a study has by now."""
    from flank.report.text import study_text
    from flank.studies.evaluation import Evaluation
    from flank.studies.study import study_of

    store = open_store(folder)
    document, written = write_report(Evaluation(study_of(store), store), store.path.parent)
    say(study_text(document))
    if open_report:
        show(written)


def study_status(folder: str) -> None:
    """Print how far a study is."""
    from flank.studies.samples import STATUS_WORDS

    store = open_store(folder)
    counts = {word: 0 for word in STATUS_WORDS.values()}
    for code in store.status():
        counts[STATUS_WORDS[int(code)]] += 1
    waiting = counts.pop("waiting")
    words = ", ".join(f"{count} {word}" for word, count in counts.items() if count)
    say(f"{store.manifest['title']}: {store.samples - waiting} of {store.samples} samples known")
    say(f"  {words or 'none yet'}")
    if waiting:
        say(f"  {_pace_words(store, waiting)}")
    for number, status, sentence in store.failures(most=5):
        say(f"  sample {number} {status}: {sentence}")


def _pace_words(store: Store, waiting: int) -> str:
    """By when the last chunks were written, and whether somebody writes."""
    if not store.is_written():
        return f"nobody computes it; go on with: flank study resume {store.path.parent}"
    times = sorted(store.written_at())[-RECENT:]
    if len(times) < 2:
        return "it is being computed; too little is known to tell its rate"
    rate = (len(times) - 1) * int(store.manifest["chunk"]) / (times[-1] - times[0])
    return f"it is being computed: {rate:.3g} samples/s, {duration_words(waiting / rate)} left"


def duration_words(seconds: float) -> str:
    """A time that is left, as people say it."""
    if not math.isfinite(seconds):
        return "an unknown time"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def show_sample(folder: str, number: int, out: str | None) -> bool:
    """Compute one sample again, in full; True if it completed."""
    from flank.report.folder import write_folder
    from flank.report.text import summary_text
    from flank.studies.study import study_of

    store = open_store(folder)
    if not 0 <= number < store.samples:
        raise SpecError(
            f"there is no sample {number}; the study has {store.samples}, numbered from 0 to "
            f"{store.samples - 1}"
        )
    study = study_of(store)
    base = Path(out) if out else store.path.parent
    complete = True
    for result in study.sampler.results(number):
        place = base / f"sample-{number}-{result.analysis}"
        with writing(place):
            write_folder(result, place)
        say(summary_text(result))
        say(f"\nWritten to {place}{os.sep}")
        differing = _differing(store, number, result)
        if differing:
            say(f"Different from what the study holds: {', '.join(differing)}")
        complete = complete and result.complete
    return complete


def _differing(store: Store, number: int, result: Result) -> list[str]:
    """Figures that are others than the store's, where it has them; of a GPU's sample, by more than
    they may be."""
    from flank.studies.comparison import AGREEMENT, BY_PROCESSOR, FOR_GPU, difference
    from flank.studies.loop_figures import figure_sizes

    by_gpu = store.comparison().by[number] not in (BY_PROCESSOR, FOR_GPU)
    allowed, sizes = 0.0, {}
    if by_gpu:  # which computes loops alone
        angle, allowed = result.data["loop_angle"].values, AGREEMENT
        sizes = figure_sizes(
            float(angle.max() - angle.min()),
            result["torque"],
        )
    names = []
    for figure in result.figures():
        name = f"{result.analysis}.{figure.name}"
        stored = store.value(name, number) if name in store.quantities else math.nan
        apart = difference({name: stored}, {name: figure.value}, sizes)
        if not math.isnan(stored) and not apart <= allowed:
            names.append(figure.title)
    return names
