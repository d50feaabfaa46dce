"""Runs a study that is killed again and again at random moments until it is done.

A process of one thread forks each run, so that kernels are loaded once: python killed_study.py FILE
FOLDER KILLS SAMPLES SEED. Most runs are killed up to 0.1 s after one of their first SAMPLES, some
after their begin; prints how many chunks each left, and fails if a chunk that was there is written
again.
"""

import os
import random
import signal
import sys
import time
from pathlib import Path

import zarr  # noqa: F401  loaded before any run

from flank.api import check_study
from flank.studies.backends import Threads

CHUNKS = Path("status") / "c"


def chunks_of(path):
    return {file.name: file.stat().st_mtime_ns for file in (path / CHUNKS).glob("*[0-9]")}


def run_in_child(study, path, begun):
    """A byte comes out of the pipe `begun` with every sample."""
    pid = os.fork()
    if pid == 0:
        try:
            study.run(study.open(path), Threads(2), lambda pace: os.write(begun, b"."))
            os._exit(0)
        except BaseException as error:
            print(repr(error), file=sys.stderr)
            os._exit(1)
    return pid


def main(file, folder, kills, samples, seed):
    study = check_study(file)
    assert study.quantities  # the machine itself, computed before any run
    path, moments, seen = Path(folder) / "study.zarr", random.Random(seed), {}
    left = []
    for number in range(kills):
        out, begun = os.pipe()
        pid = run_in_child(study, path, begun)
        os.close(begun)
        for _ in range(moments.randint(1, samples) if number % 3 else 0):
            os.read(out, 1)
        time.sleep(moments.uniform(0.0, 0.1))
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.close(out)
        now = chunks_of(path)
        if any(now.get(name) != at for name, at in seen.items()):
            sys.exit("a chunk that was there was written again")
        seen = now
        left.append(len(now))
    _, status = os.waitpid(run_in_child(study, path, os.open(os.devnull, os.O_WRONLY)), 0)
    now = chunks_of(path)
    if status or any(now.get(name) != at for name, at in seen.items()):
        sys.exit("the last run failed, or wrote a chunk again")
    print(*left)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], *map(int, sys.argv[3:6]))
