"""Samples a second of a study by threads: how near to linear in the cores there are.

    python benchmarks/studies.py [SAMPLES]

Loops of an RV reducer with all its pins drawn; each number of threads three times, in turns, of
which the best counts. On a machine that does something else besides, it says nothing.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import sys
import time

from flank.api import check_study
from flank.blas import usable_cores
from flank.studies.backends import Chunk, Threads

DATA = {
    "machine": "rv-320",
    "varies": {"errors.pin_radial": {}, "errors.pin_tangential": {}},
    "asks": {"hysteresis": {"points_per_stage": 15}},
    "samples": 10_000,
}
REPEATS = 3


def seconds(sampler, threads: int, samples: int) -> float:
    """Of so many samples on so many threads."""
    started = time.perf_counter()
    for _ in Threads(threads).run(sampler, [Chunk(0, 0, samples)], lambda _: None):
        pass
    return time.perf_counter() - started


def main() -> None:
    samples = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    sampler = check_study(DATA).sampler
    sampler.outcomes(0, 1)
    counts = [2**k for k in range(10) if 2**k <= usable_cores()]
    best = {count: float("inf") for count in counts}
    for _ in range(REPEATS):
        for count in counts:
            best[count] = min(best[count], seconds(sampler, count, samples * count))
    for count, taken in best.items():
        rate, linear = samples * count / taken, best[1] / taken
        print(f"{count:3} threads: {rate:7.2f} samples/s, {linear:.3f} of linear")


if __name__ == "__main__":
    main()
