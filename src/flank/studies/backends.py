"""Backends: who computes the chunks of a study. All give the same answers, in any order.

A backend is told chunks by number and gives back each when all of it is known. `Threads` is one
process, whose kernels let go of Python's lock; `Dask` is a cluster, one task a chunk; a GPU is in
cuda.py.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event
from typing import Any, Protocol

from flank.arrays import Floats
from flank.blas import one_blas_thread, usable_cores
from flank.errors import SpecError
from flank.native.sources import BYTES_HASH
from flank.studies.samples import MAPPED, Outcome, Sampler
from flank.texts import echo

SWITCH_SECONDS = 2e-4
"""After which a thread that computes in Python lets another go on; kernels come back for a moment
every millisecond or two, and would wait 5 ms each time."""

LOCAL = "local"
"""In place of a cluster's address: processes of this machine."""

CHUNKS_AHEAD = 3
"""Chunks that each worker of a cluster has been given, so that none waits for the next."""

SECONDS_TO_CONNECT = 10

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


@dataclass(frozen=True)
class Dask:
    """A cluster of dask.distributed: at an address, or processes of this machine.

    A task is a chunk; a worker computes it in as many threads as it has cores, or its part of them
    where a node has several workers: Python's lock lets a process use only so many.
    """

    address: str = LOCAL

    def run(
        self, sampler: Sampler, chunks: Iterable[Chunk], done: Done
    ) -> Iterator[tuple[Chunk, list[Outcome]]]:
        with self._client() as client:
            shared = client.scatter(sampler, broadcast=True, hash=False)
            waiting = iter(list(chunks))
            hosts = [each["host"] for each in client.scheduler_info()["workers"].values()]
            ahead = CHUNKS_AHEAD * max(len(hosts), 1)
            together = max((hosts.count(host) for host in set(hosts)), default=1)

            def submit(chunk: Chunk) -> Any:
                return client.submit(_outcomes, shared, chunk, BYTES_HASH, together, pure=False)

            ready = self._completed(submit(chunk) for chunk in itertools.islice(waiting, ahead))
            for future, (chunk, outcomes) in ready:
                future.release()
                for another in itertools.islice(waiting, 1):
                    ready.add(submit(another))
                done(len(chunk.computed))
                yield chunk, outcomes

    @staticmethod
    def _completed(futures: Iterable[Any]) -> Any:
        from distributed import as_completed

        return as_completed(list(futures), with_results=True)

    @contextmanager
    def _client(self) -> Iterator[Any]:
        try:
            from distributed import Client, LocalCluster
        except ImportError:
            raise SpecError(
                "dask.distributed is not installed; install it with: pip install 'flank[cluster]'"
            ) from None
        if self.address == LOCAL:
            # One process: its threads share the kernels, and the lock is seldom held.
            with (
                LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster,
                Client(cluster) as client,
            ):
                yield client
            return
        try:
            client = Client(self.address, timeout=SECONDS_TO_CONNECT)
        except (OSError, ValueError) as error:
            raise SpecError(
                f"no scheduler answers at '{echo(self.address)}' ({type(error).__name__}); start "
                "one with `dask scheduler`, or give 'local'"
            ) from None
        with client:
            yield client


def make_backend(threads: int | None, cluster: str | None, cuda: bool) -> Backend:
    """Threads of this process unless a cluster or a GPU is asked for; `threads` of the processor
    help a GPU."""
    if cuda:
        from flank.studies.cuda import Cuda

        return Cuda(threads=threads)
    return Threads(threads) if cluster is None else Dask(cluster)


def _outcomes(
    sampler: Sampler, chunk: Chunk, kernels: str, together: int = 1
) -> tuple[Chunk, list[Outcome]]:
    """A chunk in a worker's threads, as many as cores for each of those `together` on a node;
    SpecError if its kernels are others."""
    if kernels != BYTES_HASH:
        raise SpecError(
            f"a worker has kernels {BYTES_HASH}, and the study is computed with {kernels}; install "
            "the same Flank on all workers"
        )
    threads = Threads(max(usable_cores() // together, 1))
    ((_, outcomes),) = threads.run(sampler, [chunk], lambda _: None)
    return chunk, outcomes
