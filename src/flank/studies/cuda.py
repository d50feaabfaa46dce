"""The backend of a GPU: loops of thousands of samples at once, and the processor for the rest.

A GPU takes static loops (`hysteresis`) of planar machines of which errors vary. Samples whose
equilibria it does not find go to the processor, with its continuation, while the GPU works on the
next ones; so does one of a thousand, to be compared.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np

from flank.analyses.hysteresis import HysteresisSettings, five_stages
from flank.arrays import Floats
from flank.blas import one_blas_thread, usable_cores
from flank.dynamics.functions import constant
from flank.dynamics.predictor import bends, smooth_steps
from flank.dynamics.run import DEFAULT_STATICS
from flank.dynamics.static_path import Course
from flank.dynamics.statics import StaticTolerances
from flank.errors import SpecError
from flank.machines.base import Drive, Reducer
from flank.studies.backends import Chunk, Done
from flank.studies.deviations import find_deviations
from flank.studies.gpu import Batch, GpuPaths, find_gpu
from flank.studies.loop_figures import LoopFigures
from flank.studies.samples import COMPLETE, MAPPED, Ask, Outcome, Sampler

LARGEST_BATCH = 67_584
"""Samples at a time: twice as many as an H200 has threads for."""

CHECKED = 1000
"""One of so many samples is computed again on the processor."""


@dataclass
class Check:
    """What the comparison of a GPU's samples with the processor's has told so far."""

    samples: int = 0
    by_processor: int = 0  # that the GPU did not finish
    largest: float = 0.0  # difference of a figure over its range, or its size
    worst: str = ""
    differing: list[int] = field(default_factory=list)  # samples that ended otherwise

    def add(self, number: int, ours: Outcome, theirs: Outcome, sizes: Mapping[str, float]) -> None:
        """`theirs` is the processor's; `sizes` are those of figures that are not their own."""
        self.samples += 1
        if ours.status != theirs.status:
            self.differing.append(number)
            return
        for name, value in theirs.figures.items():
            size = sizes.get(name.partition(".")[2], abs(value)) or 1.0
            apart = abs(ours.figures.get(name, math.nan) - value) / size
            if not apart <= self.largest:
                self.largest, self.worst = apart, name

    @property
    def sentence(self) -> str:
        if not self.samples:
            return "No sample of a GPU was computed again on the processor."
        told = (
            f"{self.samples} samples of the GPU were computed again on the processor; figures "
            f"differ by at most {self.largest:.1e} of their range"
            f"{f' ({self.worst})' if self.worst else ''}."
        )
        if self.by_processor:
            told += f" {self.by_processor} samples that the GPU did not finish are the processor's."
        if self.differing:
            told += f" Ended otherwise on the processor: sample {self.differing[0]}, one of "
            told += f"{len(self.differing)}; do not rely on this study."
        return f"{told} Findings and warnings of the GPU's samples are not looked for."


@dataclass
class Cuda:
    """One GPU of this machine, with its processor."""

    batch: int = LARGEST_BATCH
    threads: int | None = None
    check: Check = field(default_factory=Check)

    @property
    def note(self) -> str:
        """For the report."""
        return self.check.sentence

    def refuse(self, sampler: Sampler) -> None:
        """SpecError if a GPU does not take this, or there is none."""
        find_gpu()
        _loop_asked(sampler)

    def run(
        self, sampler: Sampler, chunks: Iterable[Chunk], done: Done
    ) -> Iterator[tuple[Chunk, list[Outcome]]]:
        ask = _loop_asked(sampler)
        find_gpu()  # before anything is assembled
        batches = list(_batches(list(chunks), self.batch))
        if not batches:
            return
        with (
            one_blas_thread(),
            ThreadPoolExecutor(1) as gpu,
            ThreadPoolExecutor(self.threads or usable_cores()) as processor,
        ):
            try:
                yield from self._computed(sampler, ask, batches, done, gpu, processor)
            except BaseException:
                gpu.shutdown(wait=False, cancel_futures=True)
                processor.shutdown(wait=False, cancel_futures=True)
                raise

    def _computed(
        self,
        sampler: Sampler,
        ask: Ask,
        batches: list[list[Chunk]],
        done: Done,
        gpu: ThreadPoolExecutor,
        processor: ThreadPoolExecutor,
    ) -> Iterator[tuple[Chunk, list[Outcome]]]:
        """The next batch is on the GPU while the one before is completed here."""
        most = max(sum(len(chunk.computed) for chunk in batch) for batch in batches)
        paths, figures = _paths(sampler, ask, most)
        values = _draws(sampler, batches[0])
        running = gpu.submit(paths.run, values)
        for batch, following in itertools.zip_longest(batches, batches[1:], fillvalue=None):
            assert batch is not None
            computed, drawn = running.result(), values
            if following is not None:
                values = _draws(sampler, following)
                running = gpu.submit(paths.run, values)
            yield from self._completed(
                sampler, ask, figures, batch, drawn, computed, done, processor
            )

    def _completed(
        self,
        sampler: Sampler,
        ask: Ask,
        figures: LoopFigures,
        batch: list[Chunk],
        values: Floats,
        computed: Batch,
        done: Done,
        processor: ThreadPoolExecutor,
    ) -> Iterator[tuple[Chunk, list[Outcome]]]:
        """Outcomes of a batch, chunk by chunk."""
        numbers = [chunk.first + k for chunk in batch for k in chunk.computed]
        again: dict[int, Future[Outcome]] = {
            place: processor.submit(sampler.outcome, values[place])
            for place, number in enumerate(numbers)
            if computed.status[place] != 0 or number % CHECKED == 0
        }
        read = {f"{ask.name}.{k}": v.tolist() for k, v in figures.read(computed.readings).items()}
        places = iter(range(len(numbers)))
        for chunk in batch:
            outcomes = [Outcome(MAPPED)] * chunk.count
            for k, place in zip(chunk.computed, places, strict=False):
                outcome = self._outcome(ask, figures, computed, read, place)
                if place in again:
                    exact = again[place].result()
                    if computed.status[place] == 0:
                        sizes = figures.sizes(computed.readings, place)
                        self.check.add(numbers[place], outcome, exact, sizes)
                    else:
                        self.check.by_processor += 1
                        outcome = exact
                outcomes[k] = outcome
            done(len(chunk.computed))
            yield chunk, outcomes

    @staticmethod
    def _outcome(
        ask: Ask, figures: LoopFigures, computed: Batch, read: dict[str, list[float]], place: int
    ) -> Outcome:
        curves = {}
        numbers = {name: column[place] for name, column in read.items()}
        if ask.curves or ask.instances:
            known = figures.curves(computed.readings, place)
            curves = {f"{ask.name}.{name}": known[name] for name in ask.curves if name in known}
            for name in ask.instances:  # points are numbered from zero
                curve, _, point = name.partition(".")
                numbers[f"{ask.name}.{name}"] = float(known[curve][int(point)])
        return Outcome(COMPLETE, figures=numbers, curves=curves)


def _loop_asked(sampler: Sampler) -> Ask:
    """SpecError unless one static loop of a reducer is all that is asked."""
    for ask in sampler.asks:
        if ask.name != "hysteresis" or getattr(ask.settings, "mode", "") != "static":
            mode = "" if ask.name != "hysteresis" else ", in time,"
            raise SpecError(
                f"cuda computes static loops, and {ask.name}{mode} is asked; use threads, or ask "
                "hysteresis alone"
            )
    (ask,) = sampler.asks
    return ask


def _paths(sampler: Sampler, ask: Ask, samples: int) -> tuple[GpuPaths, LoopFigures]:
    machine, settings = sampler.machine, ask.settings
    assert isinstance(machine, Reducer)
    assert isinstance(settings, HysteresisSettings)
    peak = machine.rated_torque if settings.torque is None else abs(settings.torque)
    drive = Drive.of_ends(constant(settings.crank_angle), five_stages(peak, 1.0))
    nominal = find_deviations(machine, sampler.variables, drive, settings.crank_angle)
    figures = LoopFigures(machine, nominal.assembly, settings)
    times, model = figures.times, nominal.assembly.planar
    smooth = smooth_steps(times, bends(model, float(times[0]), float(times[-1])))
    course = Course(times, np.zeros((1, 1, 1)), smooth)  # nothing is guessed
    tolerances = StaticTolerances(
        DEFAULT_STATICS.force_tolerance, DEFAULT_STATICS.maximum_iterations
    )
    return GpuPaths(nominal, course, tolerances, samples), figures


def _draws(sampler: Sampler, batch: list[Chunk]) -> Floats:
    """(sample, place)."""
    return np.vstack(
        [sampler.plan.values(chunk.first, chunk.count)[list(chunk.computed)] for chunk in batch]
    )


def _batches(chunks: list[Chunk], most: int) -> Iterator[list[Chunk]]:
    """Chunks together, as many as a batch holds; one at least."""
    batch: list[Chunk] = []
    for chunk in chunks:
        if batch and sum(len(each.computed) for each in (*batch, chunk)) > most:
            yield batch
            batch = []
        batch.append(chunk)
    if batch:
        yield batch
