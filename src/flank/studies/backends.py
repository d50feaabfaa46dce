"""Backends: who computes the chunks of a study. All give the same answers, in any order.

A backend is told chunks by number and gives back each when all of it is known. `Threads` is one
process, whose kernels let go of Python's lock; a cluster is in cluster.py, a GPU in cuda.py.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event
from typing import Protocol

from flank.arrays import Floats
from flank.blas import one_blas_thread, usable_cores
from flank.errors import SpecError
from flank.studies.samples import MAPPED, Outcome, Sampler

SWITCH_SECONDS = 2e-4
"""After which a thread that computes in Python lets another go on; kernels come back for a moment
every millisecond or two, and would wait 5 ms each time."""

AHEAD = 4
"""Samples that are begun ahead for each thread, so that none waits while a chunk is written."""


@dataclass(frozen=True)
class Chunk:
    """Samples that are written together; those at `places` are computed, all if it is None."""

    number: int
    first: int
    count: int
    places: tuple[int, ...] | None = None

    @property
    def computed(self) -> tuple[int, ...]:
        return tuple(range(self.count)) if self.places is None else self.places


_MAPPED = Outcome(MAPPED)

Done = Callable[[int], None]
"""To be told how many more samples are known."""


class Backend(Protocol):
    """Computes chunks."""

    def refuse(self, sampler: Sampler) -> None:
        """SpecError if it cannot compute these samples, before anything is made for them."""
        ...

    def run(
        self, sampler: Sampler, chunks: Iterable[Chunk], done: Done
    ) -> Iterator[tuple[Chunk, list[Outcome]]]:
        """Chunks with the outcomes of all their samples in order, in whatever order chunks are
        ready; a sample that is not computed has the status MAPPED."""
        ...


@dataclass(frozen=True)
class Threads:
    """Threads of this process; as many as there are cores if no number is given."""

    count: int | None = None

    def refuse(self, sampler: Sampler) -> None:
        """Threads compute whatever is asked."""

    def run(
        self, sampler: Sampler, chunks: Iterable[Chunk], done: Done
    ) -> Iterator[tuple[Chunk, list[Outcome]]]:
        threads, stop = self.count or usable_cores(), Event()

        def check_stop(_: float) -> None:
            if stop.is_set():
                raise InterruptedError("the study was stopped")

        waiting: dict[Future[Outcome], tuple[Chunk, int]] = {}
        known: dict[int, dict[int, Outcome]] = {}
        with one_blas_thread(), _quick_switches(), ThreadPoolExecutor(threads) as pool:
            places = _places(sampler, chunks)
            try:
                while True:
                    for chunk, place, values in itertools.islice(
                        places, threads * AHEAD - len(waiting)
                    ):
                        waiting[pool.submit(sampler.outcome, values, check_stop)] = chunk, place
                    if not waiting:
                        return
                    ready, _ = wait(waiting, return_when=FIRST_COMPLETED)
                    for job in ready:
                        chunk, place = waiting.pop(job)
                        part = known.setdefault(chunk.number, {})
                        part[place] = job.result()
                        done(1)
                        if len(part) == len(chunk.computed):
                            del known[chunk.number]
                            yield chunk, [part.get(k, _MAPPED) for k in range(chunk.count)]
            except BaseException:  # an interrupt waits for no sample, begun or not
                stop.set()
                pool.shutdown(wait=False, cancel_futures=True)
                raise


def _places(sampler: Sampler, chunks: Iterable[Chunk]) -> Iterator[tuple[Chunk, int, Floats]]:
    """Every sample of every chunk, drawn a chunk at a time."""
    for chunk in chunks:
        values = sampler.plan.values(chunk.first, chunk.count)
        for place in chunk.computed:
            yield chunk, place, values[place]


@contextmanager
def _quick_switches() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_SECONDS)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def make_backend(threads: int | None, cluster: str | None, cuda: bool) -> Backend:
    """Threads of this process unless a cluster, a GPU or a cluster's GPUs are asked for; `threads`
    of the processor help a GPU."""
    if cuda and cluster is not None:
        from flank.studies.cluster import LOCAL, Dask

        if cluster == LOCAL:
            raise SpecError(
                "a local cluster has no GPUs but those that cuda uses without it; leave the "
                "cluster out"
            )
        return Dask(cluster, cuda=True)
    if cuda:
        from flank.studies.cuda import Cuda

        return Cuda(threads=threads)
    if cluster is not None:
        from flank.studies.cluster import Dask

        return Dask(cluster)
    return Threads(threads)
