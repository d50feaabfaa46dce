"""The backend of GPUs: loops of thousands of samples at once, and the processor for the rest.

A GPU takes loops (`hysteresis`), static and in time, of machines whose model follows their errors
by polynomials (deviations.py), and of which errors vary. Samples that it does not finish, as where
an equilibrium needs continuation, go to the processor, while the GPU works on the next ones; so
does one of a thousand, to be compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from flank.analyses.hysteresis import (
    HysteresisSettings,
    dynamic_times,
    five_stages,
    march_settings,
    record_stride,
    with_damping,
)
from flank.arrays import Floats
from flank.blas import one_blas_thread, usable_cores
from flank.dynamics.ensemble import words_of
from flank.dynamics.functions import constant
from flank.dynamics.predictor import bends, smooth_steps
from flank.dynamics.run import DEFAULT_STATICS
from flank.dynamics.run import march_settings as numbers_of_march
from flank.dynamics.static_path import Course
from flank.dynamics.statics import StaticTolerances
from flank.errors import SpecError
from flank.machines.base import Drive, Reducer
from flank.studies.backends import Chunk, Done
from flank.studies.comparison import (
    BY_GPU,
    BY_GPU_COMPARED,
    BY_GPU_OTHERWISE,
    FOR_GPU,
    difference,
)
from flank.studies.deviations import Nominal, find_deviations
from flank.studies.gpu import Batch, Device, GpuPaths, all_gpus
from flank.studies.loop_figures import LoopFigures
from flank.studies.samples import COMPLETE, MAPPED, Ask, Outcome, Sampler
from flank.studies.walks import Walk, along_equilibria, in_time

LARGEST_BATCH = 67_584
"""Samples at a time: twice as many as an H200 has threads for."""

CHECKED = 1000
"""One of so many samples is computed again on the processor."""


class _Loops(NamedTuple):
    """What all GPUs are told, once: the machine, its path, and how figures are read."""

    ask: Ask
    nominal: Nominal
    walk: Walk
    figures: LoopFigures


@dataclass
class Cuda:
    """The GPUs of this machine, all of them if none is named, with its processor."""

    batch: int = LARGEST_BATCH
    threads: int | None = None
    devices: Sequence[Device] | None = None
    _known: tuple[Sampler, _Loops] | None = None

    def refuse(self, sampler: Sampler) -> None:
        """SpecError if there is no GPU, or it does not take this."""
        if self.devices is None:
            self.devices = all_gpus()
        self._loops(sampler)

    def _loops(self, sampler: Sampler) -> _Loops:
        """To learn what errors change takes seconds, so once; the same digits on any cores."""
        if self._known is None or self._known[0] is not sampler:
            with one_blas_thread():
                self._known = sampler, _loops(sampler, _loop_asked(sampler))
        return self._known[1]

    def run(
        self, sampler: Sampler, chunks: Iterable[Chunk], done: Done
    ) -> Iterator[tuple[Chunk, list[Outcome]]]:
        self.refuse(sampler)
        given, loops, devices = list(chunks), self._loops(sampler), self.devices or ()
        if not given:
            return
        samples = sum(len(chunk.computed) for chunk in given)
        part = min(self.batch, -(-samples // len(devices)))
        how = loops.nominal, loops.walk, part
        paths = [GpuPaths(device, *how) for device in devices]
        batches = _batches(given, min(each.samples for each in paths))
        pools = [ThreadPoolExecutor(1) for _ in paths]
        processor = ThreadPoolExecutor(self.threads or usable_cores())
        try:
            with one_blas_thread():
                for batch, values, computed in _computed(sampler, batches, paths, pools):
                    yield from _completed(sampler, loops, batch, values, computed, done, processor)
        finally:
            for pool in (*pools, processor):
                pool.shutdown(wait=False, cancel_futures=True)


def _computed(
    sampler: Sampler,
    batches: Iterator[list[Chunk]],
    paths: Sequence[GpuPaths],
    pools: Sequence[ThreadPoolExecutor],
) -> Iterator[tuple[list[Chunk], Floats, Batch]]:
    """Batches as they are ready; each GPU works on its next one while the one before is completed
    here."""
    running: dict[Future[Batch], tuple[int, list[Chunk], Floats]] = {}

    def begin(number: int) -> None:
        if (batch := next(batches, None)) is not None:
            values = _draws(sampler, batch)
            running[pools[number].submit(paths[number].run, values)] = number, batch, values

    for number in range(len(paths)):
        begin(number)
    while running:
        ready, _ = wait(running, return_when=FIRST_COMPLETED)
        for job in ready:
            number, batch, values = running.pop(job)
            computed = job.result()
            begin(number)
            yield batch, values, computed


def _completed(
    sampler: Sampler,
    loops: _Loops,
    batch: list[Chunk],
    values: Floats,
    computed: Batch,
    done: Done,
    processor: ThreadPoolExecutor,
) -> Iterator[tuple[Chunk, list[Outcome]]]:
    """Outcomes of a batch, chunk by chunk; the processor has those that the GPU did not finish, and
    some to be compared."""
    ask, figures = loops.ask, loops.figures
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
            if computed.status[place] != 0:
                outcomes[k] = replace(again[place].result(), by=FOR_GPU)
                continue
            outcomes[k] = _outcome(ask, figures, computed, read, place)
            if place in again:
                sizes = figures.sizes(computed.readings, place)
                outcomes[k] = compared(outcomes[k], again[place].result(), sizes)
        done(len(chunk.computed))
        yield chunk, outcomes


def compared(ours: Outcome, theirs: Outcome, sizes: Mapping[str, float]) -> Outcome:
    """A GPU's sample, marked by how far it is from `theirs`, the processor's."""
    if ours.status != theirs.status:
        return replace(ours, by=BY_GPU_OTHERWISE)
    apart = difference(ours.figures, theirs.figures, sizes)
    return replace(ours, by=BY_GPU_COMPARED, apart=apart)


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
    return Outcome(COMPLETE, figures=numbers, curves=curves, by=BY_GPU)


def _loop_asked(sampler: Sampler) -> Ask:
    """SpecError unless one loop of a reducer is all that is asked."""
    for ask in sampler.asks:
        if ask.name != "hysteresis":
            raise SpecError(
                f"cuda computes loops, and {ask.name} is asked; use threads, or ask hysteresis "
                "alone"
            )
    (ask,) = sampler.asks
    return ask


def _loops(sampler: Sampler, ask: Ask) -> _Loops:
    machine, settings = sampler.machine, ask.settings
    assert isinstance(machine, Reducer)
    assert isinstance(settings, HysteresisSettings)
    peak = machine.rated_torque if settings.torque is None else abs(settings.torque)
    static = settings.mode == "static"
    torque = five_stages(peak, 1.0 if static else settings.stage_duration)
    drive = Drive.of_ends(constant(settings.crank_angle), torque, in_time=not static)
    nominal = find_deviations(machine, sampler.variables, drive, settings.crank_angle)
    if settings.damping is not None:
        nominal = _with_damping(nominal, settings.damping)
    figures = LoopFigures(machine, nominal.assembly, settings)
    walk = _static_walk(nominal, figures.times) if static else _walk_in_time(nominal, settings)
    return _Loops(ask, nominal, walk, figures)


def _with_damping(nominal: Nominal, damping: float) -> Nominal:
    assembly = with_damping(nominal.assembly, damping)
    contacts = words_of(assembly.planar.contacts)
    return replace(nominal, assembly=assembly, varied=nominal.varied._replace(contacts=contacts))


def _static_walk(nominal: Nominal, times: Floats) -> Walk:
    model = nominal.assembly.planar
    smooth = smooth_steps(times, bends(model, float(times[0]), float(times[-1])))
    # The processor's: with a tighter one paths part, and figures differ by 5e-8 (rv-320).
    tolerances = StaticTolerances(
        DEFAULT_STATICS.force_tolerance, DEFAULT_STATICS.maximum_iterations
    )
    return along_equilibria(Course(times, np.zeros((1, 1, 1)), smooth), tolerances)  # no guesses


def _walk_in_time(nominal: Nominal, settings: HysteresisSettings) -> Walk:
    model, times = nominal.assembly.planar, dynamic_times(settings)
    interval = float(times[-1]) / (len(times) - 1)
    numbers = numbers_of_march(model, march_settings(model, settings), interval)
    return in_time(model, nominal.varied.position, times, record_stride(settings), numbers)


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
