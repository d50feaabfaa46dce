"""A million samples on paper: rates that are measured here, and a simulation of the whole of it.

    python benchmarks/scale.py [SAMPLES]      prints the tables and writes them into docs/scale.md

Times are processor times, so that a busy machine may be measured on: of one thread, and for the
scheduler of its process. What 64 cores do follows from a simulation, sample by sample: threads that
compute in kernels at the same time but in Python one after the other, a scheduler, and one process
that writes.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import heapq
import pickle
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from flank.api import check_study
from flank.dynamics import static_path
from flank.studies.backends import Chunk
from flank.studies.cluster import Dask
from flank.studies.store import bytes_of

PAGE = Path(__file__).parents[1] / "docs" / "scale.md"
BEGIN, END = "<!-- scale: written by benchmarks/scale.py -->", "<!-- end of scale -->"

GPU_LOOPS = 561.0
GPU_SOURCE = "one H200, a team of 32 threads a sample, loops of 126 points, compiling left out"
GPU_UNFOUND = 0.026
"""Samples a second on one GPU, how they were measured, and the share that the CPU has to finish.
Newer ones go here; nothing else of this file speaks of GPUs."""

CORE_PRICE, GPU_PRICE = 0.05, 4.0
"""Assumed, USD an hour of a core and of a GPU."""

MILLION, CHUNK, TASKS = 1_000_000, 1000, 1000
CORES = 64
THREADS = (64, 16, 4, 2, 1)
"""Threads of one process, on a node of 64 cores."""


def reducer():
    """Loops of an RV reducer with all its errors drawn."""
    data = {
        "machine": "rv-320",
        "asks": {"hysteresis": {"points_per_stage": 15}},
        "samples": MILLION,
        "chunk": CHUNK,
        "seed": 1,
    }
    kinds = check_study({**data, "varies": {"errors.pin_radius": {}}}).machine.spec.error_kinds
    varies = {f"errors.{kind}": {"distribution": "truncated-normal"} for kind in kinds}
    return check_study({**data, "varies": varies})


def sample_times(study, samples):
    """Processor seconds of each sample, in kernels and in Python, and their outcomes."""
    inside, kernel = [0.0], static_path.equilibria

    def timed(*given):
        started = time.thread_time()
        try:
            return kernel(*given)
        finally:
            inside[0] += time.thread_time() - started

    study.sampler.outcomes(0, 1)
    static_path.equilibria = timed
    rows, outcomes = [], []
    try:
        for number in range(samples):
            inside[0], started = 0.0, time.thread_time()
            outcomes += study.sampler.outcomes(number, 1)
            rows.append([inside[0], time.thread_time() - started - inside[0]])
    finally:
        static_path.equilibria = kernel
    return np.array(rows), outcomes


class Nothing:
    """A sampler whose samples take no time, and say as much as those of a reducer."""

    def __init__(self, outcome):
        self.plan, self._outcome = self, outcome

    def values(self, first, count):
        return np.zeros((count, 1))

    def fresh(self):
        return self

    def outcome(self, values, progress=None):
        return self._outcome


def plain_loop(sampler, chunks):
    for chunk in chunks:
        yield chunk, [sampler.outcome(row) for row in sampler.plan.values(chunk.first, chunk.count)]


def scheduler_overhead(outcome):
    """Processor seconds of the process that schedules, for each task of a cluster on this machine,
    against a plain loop: 1,000 tasks of one sample, and 20 of 1,000, whose answers travel."""
    rows = {}
    for tasks, count in ((TASKS, 1), (20, 1000)):
        chunks = [Chunk(k, k * count, count) for k in range(tasks)]
        cluster, loop = Dask(), Nothing(outcome)
        answers = cluster.run(loop, chunks, lambda _: None)
        marks = [time.process_time() for _ in answers]
        started = time.process_time()
        for _ in plain_loop(loop, chunks):
            pass
        rows[count] = (
            (marks[-1] - marks[0]) / (len(marks) - 1),
            (time.process_time() - started) / tasks,
        )
    return rows


def writing_time(study, outcomes):
    """Processor seconds in which a chunk is written, and bytes a sample on the disk."""
    chunk = Chunk(0, 0, CHUNK)
    generator = np.random.default_rng(0)
    rows = [  # other digits for each, which a packed store would not take apart otherwise
        replace(
            each,
            figures={
                name: value * generator.uniform(0.9, 1.1) for name, value in each.figures.items()
            },
        )
        for each in (outcomes * (CHUNK // len(outcomes) + 1))[:CHUNK]
    ]
    with tempfile.TemporaryDirectory() as folder:
        store = study.open(Path(folder) / "study.zarr")
        store.write(chunk, rows)
        started = time.process_time()
        store.write(chunk, rows)
        seconds = time.process_time() - started
        files = [each for each in store.path.rglob("*") if each.is_file() and "c" in each.parts]
        return seconds, sum(each.stat().st_size for each in files) / CHUNK


def simulate(times, threads, processes, overhead, writing, samples, seed=0):
    """Seconds of a study, and how busy cores, Python's lock, scheduler and writer were.

    In a process a thread computes kernels beside others, but Python alone: each sample is Python's
    part behind the lock, then the kernels'. A process takes chunk after chunk, with the next one at
    hand; scheduler and writer serve one chunk at a time.
    """
    generator = np.random.default_rng(seed)
    per_process = samples // processes
    kernels, python = times[generator.integers(len(times), size=per_process)].T
    free = [0.0] * threads
    lock = finished = 0.0
    for busy, held in zip(kernels, python, strict=True):
        start = max(heapq.heappop(free), lock)
        lock = start + held
        heapq.heappush(free, lock + busy)
        finished = max(finished, lock + busy)
    chunks = samples / CHUNK
    whole = max(finished, chunks * overhead, chunks * writing)
    cores = processes * float(kernels.sum() + python.sum()) / (processes * threads * whole)
    use = {
        "cores": cores,
        "Python's lock": float(python.sum()) / whole,
        "scheduler": chunks * overhead / whole,
        "writer": chunks * writing / whole,
    }
    return whole, use


def table(headings, rows):
    lines = ["| " + " | ".join(headings) + " |", "|" + "---|" * len(headings)]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows])


def hours(seconds):
    return f"{seconds / 3600:.2f} h" if seconds >= 3600 else f"{seconds / 60:.1f} min"


def measured_table(times, overhead, writing, size, study, outcomes):
    kernels, python = times.mean(axis=0)
    kept = list(study.quantities.values())
    travelling = len(pickle.dumps(outcomes)) / len(outcomes)
    return table(
        ["measured", "value"],
        [
            ["a sample, processor time of one thread", f"{1e3 * (kernels + python):.0f} ms"],
            ["of it in kernels, which hold no lock", f"{kernels / (kernels + python):.3f}"],
            [
                "two threads of one process, of linear, if all Python held the lock (simulated)",
                f"{simulate(times, 2, 1, 0.0, 0.0, 10_000)[1]['cores']:.2f}",
            ],
            ["scheduler, a task of one sample", f"{1e3 * overhead[1][0]:.1f} ms"],
            ["the same by a plain loop", f"{1e3 * overhead[1][1]:.3f} ms"],
            ["scheduler, a task of 1,000 samples", f"{1e3 * overhead[1000][0]:.0f} ms"],
            [
                "of the time that such a task takes on two cores",
                f"{overhead[1000][0] / (500 * (kernels + python)):.2%}",
            ],
            ["a chunk of 1,000 samples written", f"{1e3 * writing:.0f} ms"],
            ["bytes of a sample, on the disk", f"{size:.0f}"],
            [
                "at most, as estimated before the start",
                f"{bytes_of(kept, MILLION, CHUNK) / 1e6:.0f}",
            ],
            ["bytes of a sample, on the way from a worker", f"{travelling:.0f}"],
        ],
    )


def million_table(times, overhead, writing):
    """Rows of the table, one for each way to compute a million samples."""
    rows, task = [], overhead[1000][0]
    for threads in THREADS:
        processes = CORES // threads
        seconds, use = simulate(times, threads, processes, task, writing, MILLION)
        busiest = max(use, key=use.get) if max(use.values()) > 0.5 else "none"
        where = f"64 cores, {processes} process{'es' if processes > 1 else ''} of {threads} threads"
        busy = ", ".join(f"{name} {share:.2f}" for name, share in use.items())
        price = seconds / 3600 * CORES * CORE_PRICE
        rows.append(
            [where, f"{MILLION / seconds:.0f}", hours(seconds), f"{price:.2f}", busiest, busy]
        )
    sample = float(times.sum(axis=1).mean())
    for gpus in (1, 8):
        compute = MILLION / (GPU_LOOPS * gpus)
        rescue = MILLION * GPU_UNFOUND * sample / (16 * gpus)
        serial = MILLION / CHUNK * (writing + task)
        seconds = max(compute, rescue, serial)
        use = {"GPU": compute, "rescue by 16 cores a GPU": rescue, "scheduler and writer": serial}
        busy = ", ".join(f"{name} {value / seconds:.2f}" for name, value in use.items())
        price = seconds / 3600 * gpus * GPU_PRICE
        where = f"{gpus} GPU{'s' if gpus > 1 else ''}"
        busiest = max(use, key=use.get)
        rows.append(
            [where, f"{MILLION / seconds:.0f}", hours(seconds), f"{price:.2f}", busiest, busy]
        )
    headings = ["on", "samples/s", "a million in", "USD", "bottleneck", "how busy"]
    return table(headings, rows)


def main():
    samples = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    study = reducer()
    times, outcomes = sample_times(study, samples)
    overhead = scheduler_overhead(max(outcomes, key=lambda each: len(each.figures)))
    writing, size = writing_time(study, outcomes)
    text = "\n\n".join(
        [
            f"Measured on {samples} samples of `rv-320`, all errors drawn, loops of 101 points:",
            measured_table(times, overhead, writing, size, study, outcomes),
            f"Rows of cores are simulated with them. Rows of GPUs are divided: a million by "
            f"{GPU_LOOPS:g} loops/s, measured once ({GPU_SOURCE}), and by eight times that, which "
            f"no machine has shown. A core-hour at {CORE_PRICE} USD, a GPU-hour at {GPU_PRICE:g} "
            "USD (assumed).",
            million_table(times, overhead, writing),
        ]
    )
    print(text)
    before, _, rest = PAGE.read_text().partition(BEGIN)
    PAGE.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{rest.partition(END)[2]}")


if __name__ == "__main__":
    main()
