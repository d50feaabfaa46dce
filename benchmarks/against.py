"""Time and answers of this checkout against another one, in turns on the same machine.

    python benchmarks/against.py OTHER [--cold] [--repeats 7]

OTHER is another checkout, or a commit: `HEAD`, with changes that are not committed, or `HEAD^`. A
commit is checked out into build/against, with its own library of kernels where it has one.

Each side has a process of its own, and every run is asked of one and then of the other, so that
what else the machine does meets both. The least processor time of each counts. `--cold` also
compiles all kernels of a first run into an empty cache, which takes minutes.

All figures that a result holds are compared too: the largest relative difference is printed.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

RUNS = {
    "equilibria of a cycloidal drive": ("cycloidal-drive", "transmission-error", {}),
    "a cycloidal drive in time": (
        "cycloidal-drive",
        "transmission-error",
        {"mode": "dynamic", "turns": 1},
    ),
    "loop of an RV reducer": ("rv-320", "hysteresis", {}),
    "planetary gearbox in time": ("planetary-500kw", "time-response", {"duration": 0.1}),
    "planetary springs in time": ("planetary-lin-parker", "time-response", {"duration": 0.2}),
    "loop of a few-teeth reducer": ("few-teeth-38", "hysteresis", {}),
    "turns of a joint": ("cv-joint", "joint-turns", {}),
}

COLD = ("equilibria of a cycloidal drive", "loop of an RV reducer", "turns of a joint")


def answer(name: str) -> tuple[float, dict[str, list[float]]]:
    """Processor time of one run and its figures."""
    import numpy as np

    import flank

    preset, analysis, settings = RUNS[name]
    machine = flank.preset(preset)
    start = time.process_time()
    result = flank.run(machine, analysis, **settings)
    taken = time.process_time() - start
    figures = {
        key: np.ravel(variable.values).astype(float).tolist()
        for key, variable in result.dataset.data_vars.items()
        if variable.dtype.kind in "fi" and variable.size < 5000
    }
    return taken, figures


def serve() -> None:
    for line in sys.stdin:
        taken, figures = answer(line.strip())
        print(json.dumps({"time": taken, "figures": figures}), flush=True)


HERE = Path(__file__).resolve().parent.parent


def checkout_of(named: str) -> Path:
    """A folder as it is, or a commit in a place of its own."""
    if (Path(named) / "src" / "flank").is_dir():
        return Path(named).resolve()
    git = ["git", "-C", str(HERE)]
    found = subprocess.run(
        [*git, "rev-parse", "--verify", "--quiet", f"{named}^{{commit}}"],
        capture_output=True,
        text=True,
        check=False,
    )
    if found.returncode:
        sys.exit(f"'{named}' is neither a folder with src/flank nor a commit of this repository")
    place = HERE / "build" / "against" / found.stdout.strip()[:12]
    if not place.exists():
        subprocess.run([*git, "worktree", "prune"], check=True)
        add = [*git, "worktree", "add", "--quiet", "--detach", str(place), found.stdout.strip()]
        subprocess.run(add, check=True)
    return place


def build_library(checkout: Path) -> None:
    if (checkout / "src" / "flank" / "native" / "build.py").exists():
        environment = dict(os.environ, PYTHONPATH=str(checkout / "src"))
        command = [sys.executable, "-m", "flank.native.build"]
        subprocess.run(command, env=environment, check=True)


class Side:
    """A process that runs what it is asked with one checkout's package."""

    def __init__(self, checkout: Path, cache: str | None = None) -> None:
        environment = dict(os.environ, PYTHONPATH=str(checkout / "src"), OMP_NUM_THREADS="1")
        if cache:
            environment["FLANK_CACHE_DIR"] = cache
        self.process = subprocess.Popen(
            [sys.executable, __file__, "--serve"],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, name: str) -> dict:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(name + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"a checkout failed at '{name}'")
        return json.loads(line)

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def difference(first: dict[str, list[float]], second: dict[str, list[float]]) -> float:
    """Largest difference of a figure that both have, over the largest of its values."""
    import numpy as np

    largest = 0.0
    for key in first.keys() & second.keys():
        one, other = np.array(first[key]), np.array(second[key])
        if one.shape != other.shape:
            return np.inf
        size = np.nanmax(np.abs(one), initial=0.0)
        if size > 0:
            largest = max(largest, float(np.nanmax(np.abs(one - other)) / size))
    return largest


HEADER = ["run", "this, s", "other, s", "ratio", "figures differ by"]


def compared(other: Path, repeats: int) -> Iterator[list]:
    """A row for each run, under HEADER."""
    for checkout in (HERE, other):
        build_library(checkout)
    sides = Side(HERE), Side(other)
    for name in RUNS:
        answers = [[side.ask(name) for side in sides] for _ in range(repeats + 1)][1:]
        ours, theirs = (min(pair[k]["time"] for pair in answers) for k in range(2))
        apart = difference(answers[-1][0]["figures"], answers[-1][1]["figures"])
        yield [name, ours, theirs, ours / theirs, apart]
    for side in sides:
        side.close()


def warm(other: Path, repeats: int) -> None:
    print(f"| {' | '.join(HEADER)} |\n|---|---|---|---|---|")
    for name, ours, theirs, ratio, apart in compared(other, repeats):
        print(f"| {name} | {ours:.3f} | {theirs:.3f} | {ratio:.3f} | {apart:.1e} |", flush=True)


def cold(other: Path) -> None:
    print("\n| first run, kernels compiled | this, s | other, s | ratio |\n|---|---|---|---|")
    for name in COLD:
        times = []
        for checkout in (HERE, other):
            with tempfile.TemporaryDirectory() as cache:
                side = Side(checkout, cache)
                times.append(side.ask(name)["time"])
                side.close()
        print(
            f"| {name} | {times[0]:.1f} | {times[1]:.1f} | {times[0] / times[1]:.2f} |", flush=True
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("other", nargs="?")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--cold", action="store_true")
    parser.add_argument("--repeats", type=int, default=7)
    given = parser.parse_args()
    if given.serve:
        serve()
    elif given.other is None:
        parser.error("name another checkout, or a commit")
    else:
        other = checkout_of(given.other)
        warm(other, given.repeats)
        if given.cold:
            cold(other)


if __name__ == "__main__":
    main()
