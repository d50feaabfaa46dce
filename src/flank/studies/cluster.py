"""The backend of a cluster: dask.distributed at an address, or processes of this machine. Workers
compute by their cores, or by their GPUs.

A task is a chunk and carries all that it needs, so that any worker can compute it, one that comes
later too, and nothing is lost with a worker: the scheduler gives its chunks to another. Only where
nobody is left to compute does a study end, with a sentence and with all that is written.
"""

from __future__ import annotations

import hashlib
import pickle
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from queue import Empty, Queue
from threading import Lock
from typing import Any
from urllib.parse import urlsplit

from flank.blas import usable_cores
from flank.errors import SpecError
from flank.native.sources import BYTES_HASH
from flank.studies.backends import Backend, Chunk, Done, Threads
from flank.studies.samples import Outcome, Sampler
from flank.texts import echo, listed

LOCAL = "local"
"""In place of a cluster's address: processes of this machine."""

THREADS_OF_A_PROCESS = 2
"""That a process of this machine computes with: three would wait for Python's lock (docs/scale)."""

CHUNKS_AHEAD = 3
"""Chunks that each worker of a cluster has been given, so that none waits for the next."""

SECONDS_TO_CONNECT = 10
SECONDS_WITHOUT_WORKERS = 60
"""After which a study whose workers are all gone ends."""

SECONDS_BETWEEN_LOOKS = 5
"""At who is there to compute."""

MOST_TIMES_GIVEN = 3
"""That a chunk is given to a scheduler that has forgotten it."""


@dataclass(frozen=True)
class Dask:
    """A cluster of dask.distributed: at an address, or `processes` of this machine, one for every
    two cores if no number is given.

    A worker computes a chunk in as many threads as it has cores, or its part of them where a node
    has several workers: Python's lock lets a process use only so many. With `cuda` it does so on
    all GPUs that it sees.
    """

    address: str = LOCAL
    processes: int | None = None
    cuda: bool = False

    def refuse(self, sampler: Sampler) -> None:
        """SpecError if nobody is there to compute, or a worker has no GPU though one is asked."""
        if self.address == LOCAL:
            _distributed()
            return
        with self._client() as client:
            if self.cuda:
                _refuse_for_gpus(sampler)
                self._refuse_workers(client)

    def _refuse_workers(self, client: Any) -> None:
        told = {address: words for address, words in client.run(gpu_refusal).items() if words}
        for address, words in sorted(told.items()):
            raise SpecError(f"the worker {address} {self._words} computes by no GPU: {words}")

    def run(
        self, sampler: Sampler, chunks: Iterable[Chunk], done: Done
    ) -> Iterator[tuple[Chunk, list[Outcome]]]:
        with self._client() as client:
            sent = sampler.fresh()
            key = hashlib.sha256(pickle.dumps(sent)).hexdigest() if self.cuda else ""
            work = _Work(client, self._words, sent, iter(list(chunks)), key)
            for chunk, outcomes in work.results():
                done(len(chunk.computed))
                yield chunk, outcomes

    @property
    def _words(self) -> str:
        return "of this machine" if self.address == LOCAL else f"at '{echo(self.address)}'"

    @contextmanager
    def _client(self) -> Iterator[Any]:
        """A client of a cluster that has a worker at least."""
        distributed = _distributed()
        if self.address == LOCAL:
            count = self.processes or max(usable_cores() // THREADS_OF_A_PROCESS, 1)
            with (
                _without_profiler(),
                distributed.LocalCluster(
                    n_workers=count, threads_per_worker=1, dashboard_address=":0"
                ) as cluster,
                distributed.Client(cluster) as client,
            ):
                yield client
            return
        try:
            client = distributed.Client(self.address, timeout=SECONDS_TO_CONNECT)
        except (OSError, ValueError) as error:
            raise SpecError(
                f"no scheduler answers at '{echo(self.address)}' ({type(error).__name__}); start "
                "one with `dask scheduler`, or give 'local'"
            ) from None
        with client:
            try:
                client.wait_for_workers(1, timeout=SECONDS_TO_CONNECT)
            except TimeoutError:
                raise SpecError(
                    f"the scheduler {self._words} has no worker; start some with `dask worker "
                    f"{echo(self.address)} --nthreads 1`, or give 'local'"
                ) from None
            yield client


def _without_profiler() -> Any:
    """Workers that are started inside do not look every 10 ms at what their threads do."""
    import dask

    return dask.config.set({"distributed.worker.profile.enabled": False})


def _distributed() -> Any:
    """The library; SpecError if it is not installed."""
    try:
        import distributed
    except ImportError:
        raise SpecError(
            "dask.distributed is not installed; install it with: pip install 'flank[cluster]'"
        ) from None
    return distributed


@dataclass
class _Work:
    """Chunks on their way to workers and back."""

    client: Any
    where: str
    sampler: Sampler
    waiting: Iterator[Chunk]
    for_gpus: str = ""  # what workers know the study by, where their GPUs compute
    ready: Queue[Any] = field(default_factory=Queue)
    running: dict[str, tuple[Any, Chunk]] = field(default_factory=dict)  # by key of the task
    given: Counter[int] = field(default_factory=Counter)  # by number of the chunk
    deadly: list[int] = field(default_factory=list)  # chunks that ended several workers
    together: int = 1
    workers: int = 1
    without_since: float | None = None

    def results(self) -> Iterator[tuple[Chunk, list[Outcome]]]:
        self._look()
        self._fill()
        while self.running:
            future, chunk = self._next()
            outcomes = self._outcomes_of(future, chunk)
            self._fill()
            if outcomes is not None:
                yield chunk, outcomes
        if self.deadly:
            raise SpecError(
                f"chunks {listed(list(map(str, self.deadly)))} ended every worker {self.where} "
                "that computed them, for want of memory as a rule, and are missing; all others are "
                "kept: give the workers more memory, or a smaller chunk, and go on with `flank "
                "study resume`"
            )

    def _fill(self) -> None:
        """Give workers as much as they should have ahead."""
        while len(self.running) < CHUNKS_AHEAD * max(self.workers, 1):
            if (chunk := next(self.waiting, None)) is None:
                return
            self._submit(chunk)

    def _submit(self, chunk: Chunk) -> None:
        self.given[chunk.number] += 1
        arguments = (self.sampler, chunk, BYTES_HASH, self.together, self.for_gpus)
        future = self.client.submit(compute_chunk, *arguments, pure=False)
        self.running[future.key] = future, chunk
        future.add_done_callback(self.ready.put)

    def _next(self) -> tuple[Any, Chunk]:
        """The next task that has ended, one way or another."""
        while True:
            try:
                future = self.ready.get(timeout=SECONDS_BETWEEN_LOOKS)
            except Empty:
                self._look()
                continue
            if future.key in self.running:
                return self.running.pop(future.key)

    def _outcomes_of(self, future: Any, chunk: Chunk) -> list[Outcome] | None:
        """None where a chunk has no answer, yet or at all."""
        if future.status == "finished":
            outcomes: list[Outcome] = future.result(timeout=SECONDS_WITHOUT_WORKERS)
            return outcomes
        if future.status != "error":  # forgotten: a scheduler that came back knows no tasks
            self._look()
            if self.given[chunk.number] >= MOST_TIMES_GIVEN:
                raise self._lost("has forgotten what it was given")
            self._submit(chunk)
            return None
        from distributed.scheduler import KilledWorker

        error = future.exception()
        if isinstance(error, KilledWorker):
            self.deadly.append(chunk.number)
            return None
        if isinstance(error, SpecError):
            raise error
        raise SpecError(
            f"a worker {self.where} cannot compute: {type(error).__name__}: {error}; install the "
            "same Flank and Python on all workers"
        ) from error

    def _look(self) -> None:
        """Count workers; SpecError if the scheduler is gone, or has had none for long."""
        self._await_scheduler()
        try:
            hosts = [urlsplit(address).hostname for address in self.client.nthreads()]
        except (OSError, ValueError) as error:
            raise self._lost(f"does not answer any more ({type(error).__name__})") from None
        self.workers = len(hosts)
        self.together = max(Counter(hosts).values(), default=1)
        now = time.monotonic()
        self.without_since = None if hosts else self.without_since or now
        if self.without_since is not None and now - self.without_since > SECONDS_WITHOUT_WORKERS:
            raise self._lost(f"has had no worker for {SECONDS_WITHOUT_WORKERS} s")

    def _await_scheduler(self) -> None:
        """A client whose scheduler is gone tries to find it again for a while."""
        until = time.monotonic() + SECONDS_TO_CONNECT
        while self.client.status != "running":
            if self.client.status == "closed" or time.monotonic() > until:
                raise self._lost("does not answer any more")
            time.sleep(0.1)

    def _lost(self, what: str) -> SpecError:
        return SpecError(
            f"the scheduler {self.where} {what}; what was computed is kept, go on with `flank "
            "study resume` when it is there again, or by threads"
        )


def compute_chunk(
    sampler: Sampler, chunk: Chunk, kernels: str, together: int = 1, for_gpus: str = ""
) -> list[Outcome]:
    """A chunk in a worker's threads, as many as cores for each of those `together` on a node, or
    `for_gpus`; SpecError if its kernels are others."""
    if kernels != BYTES_HASH:
        raise SpecError(
            f"a worker has kernels {BYTES_HASH}, and the study is computed with {kernels}; install "
            "the same Flank on all workers"
        )
    threads = max(usable_cores() // together, 1)
    if for_gpus:
        return _by_gpus(for_gpus, sampler, chunk, threads)
    ((_, outcomes),) = Threads(threads).run(sampler, [chunk], lambda _: None)
    return outcomes


_GPUS = Lock()
"""Whoever computes by the GPUs of this process."""

_KNOWN: dict[str, tuple[Sampler, Backend]] = {}
"""The study that they compute: what errors change in its machine is learnt once."""


def _by_gpus(study: str, sampler: Sampler, chunk: Chunk, threads: int) -> list[Outcome]:
    """A chunk by the GPUs that this process sees."""
    with _GPUS:
        if study not in _KNOWN:
            from flank.studies.cuda import Cuda

            _KNOWN.clear()
            _KNOWN[study] = sampler, Cuda(threads=threads)
        known, gpus = _KNOWN[study]
        ((_, outcomes),) = gpus.run(known, [chunk], lambda _: None)
        return outcomes


def _refuse_for_gpus(sampler: Sampler) -> None:
    """SpecError if no GPU takes these samples; none is needed here to know."""
    from flank.studies.cuda import Cuda

    Cuda(devices=()).refuse(sampler)


def gpu_refusal() -> str:
    """Why a worker has no GPU; nothing if it has."""
    from flank.studies.gpu import all_gpus

    try:
        all_gpus()
    except SpecError as error:
        return str(error)
    return ""
