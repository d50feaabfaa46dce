"""Samples a second of a study by threads and by processes, and figures of loops by their points.

    python benchmarks/studies.py [SAMPLES]    prints the tables and writes them into docs/studies.md
    python benchmarks/studies.py points       those of points alone

Loops of an RV reducer with all its pins drawn. Rates are by the clock, between the first chunk and
the last, each number of threads three times, in turns, of which the best counts; on a machine that
does something else besides they say nothing and are left out. Processor times count the scheduler
and all processes, and not how long anybody waited; what runs beside a study all the time, as the
heartbeats of a cluster do, counts more where a study takes longer.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import sys
import time
from pathlib import Path

import numpy as np

import flank
from flank.api import check_study
from flank.blas import usable_cores
from flank.studies.backends import Chunk, Threads
from flank.studies.cluster import Dask
from flank.studies.loop_figures import figure_sizes

PAGE = Path(__file__).parents[1] / "docs" / "studies.md"
DATA = {
    "machine": "rv-320",
    "varies": {"errors.pin_radial": {}, "errors.pin_tangential": {}},
    "asks": {"hysteresis": {"points_per_stage": 15}},
    "samples": 10_000,
}
REPEATS = 3
CHUNKS = 6

PRESETS = ("rv-320", "cycloidal-drive")
POINTS = (15, 20, 30, 38, 50)
"""A stage; the last is what others are compared with."""

FINE, DRAWN = 400, 6
"""Points a stage of loops that are taken for exact, and machines with errors."""

FIGURES = ("torsional_stiffness", "lost_motion", "backlash", "loop_work", "friction_work")


def chunks(size, count=CHUNKS):
    """The same samples again and again: whatever is loaded for them is there after the first."""
    return [Chunk(k, 0, size) for k in range(count)]


def rate(backend, sampler, size):
    """Samples a second after the first chunk."""
    answers = backend.run(sampler, chunks(size), lambda _: None)
    marks = [time.perf_counter() for _ in answers]
    return (len(marks) - 1) * size / (marks[-1] - marks[0])


def processor(backend, sampler, size):
    """Processor seconds of a sample, of all processes; what is there but once falls out."""
    used = []
    for count in (1, 1 + CHUNKS):
        before = sum(os.times()[:4])
        for _ in backend.run(sampler, chunks(size, count), lambda _: None):
            pass
        used.append(sum(os.times()[:4]) - before)
    return (used[1] - used[0]) / (CHUNKS * size)


def backends():
    """By what the table calls them; threads alone first."""
    cores = usable_cores()
    rows = {f"threads: {n}": Threads(n) for k in range(10) if (n := 2**k) <= cores}
    rows[f"`--cluster local`: {max(cores // 2, 1)} of two threads"] = Dask()
    return rows


def rates_table(samples):
    sampler = check_study(DATA).sampler
    sampler.outcomes(0, 1)
    asked = backends()
    load = os.getloadavg()[0]
    busy = load > 1.0
    rates, times = dict.fromkeys(asked, 0.0), dict.fromkeys(asked, float("inf"))
    for _ in range(1 if busy else REPEATS):
        for name, backend in asked.items():
            if not busy:
                rates[name] = max(rates[name], rate(backend, sampler, samples))
            times[name] = min(times[name], processor(backend, sampler, samples))
    alone, threaded = next(iter(asked)), list(asked)[-2]
    lines = [
        "| computed by | samples/s | of linear | processor, ms a sample |",
        "|---|---|---|---|",
    ]
    for name, backend in asked.items():
        cores = backend.count if isinstance(backend, Threads) else usable_cores()
        clock = "| |"
        if not busy:
            clock = f"{rates[name]:.2f} | {rates[name] / (cores * rates[alone]):.2f} |"
        lines.append(f"| {name} | {clock} {1e3 * times[name]:.1f} |")
    more = times[list(asked)[-1]] / times[threaded] - 1.0
    lead = (
        f"`rv-320` with all pins drawn, loops of 101 points, tasks of {samples} samples, on "
        f"{usable_cores()} cores"
    )
    lead += f" that had {load:.0f} other processes to do, so without rates:" if busy else ":"
    after = f"Processor time of the cluster against threads: {more:+.1%}."
    return "\n".join([lead, "", *lines, "", after])


def points_table():
    return "\n\n".join([*map(figures_table, PRESETS), work_table()])


def loops(machine, points=POINTS):
    return {n: flank.run(machine, "hysteresis", points_per_stage=n) for n in points}


def length(result):
    return len(result.data["loop_angle"].values)


def figures_table(preset):
    """Of the drawing; figures that are more than round-off."""
    results = loops(flank.preset(preset))
    exact = results[POINTS[-1]]
    twist = float(np.ptp(exact.data["loop_angle"].values))
    sizes = figure_sizes(twist, float(exact["torque"]))
    known = [name for name in FIGURES if name in exact.data]
    names = [name for name in known if abs(exact[name]) > 1e-6 * sizes.get(name, 0.0)]
    lines = [
        f"| `points_per_stage` | points | {' | '.join(name.replace('_', ' ') for name in names)} |",
        "|---|---|" + "---|" * len(names),
    ]
    for n in POINTS[:-1]:
        apart = [f"{results[n][name] / exact[name] - 1:+.3%}" for name in names]
        lines.append(f"| {n} | {length(results[n])} | {' | '.join(apart)} |")
    lead = f"`{preset}`, figures of loops against that of {length(exact)} points:"
    return "\n".join([lead, "", *lines])


def work_table():
    """How well loops of few points know their work, of machines as they are built."""
    machines = [flank.preset("rv-320")]
    kinds = [f"errors.{kind}" for kind in machines[0].spec.error_kinds]
    varies = {name: {"distribution": "truncated-normal"} for name in kinds}
    sampler = check_study({**DATA, "varies": varies, "samples": DRAWN}).sampler
    machines += [sampler.machine_of(number) for number in range(DRAWN)]
    apart, counts = {n: [] for n in POINTS}, {}
    for machine in machines:
        exact = by_chords(*loops(machine, (FINE,)).values())
        for n, result in loops(machine).items():
            counts[n] = length(result)
            apart[n].append((by_chords(result) / exact - 1, result["loop_work"] / exact - 1))
    lines = [
        "| `points_per_stage` | points | by straight lines | by cubics |",
        "|---|---|---|---|",
    ]
    for n, rows in apart.items():
        each = [f"{size:.2%}" for size in np.sqrt(np.mean(np.square(rows), axis=0))]
        lines.append(f"| {n} | {counts[n]} | {' | '.join(each)} |")
    lead = (
        f"`rv-320` and {DRAWN} machines with all errors drawn, loop work against their loops of "
        f"{FINE} points a stage, root mean square:"
    )
    return "\n".join([lead, "", *lines])


def by_chords(result):
    """The work of a loop by straight lines between its points."""
    torque, angle, stage = (
        result.data[f"loop_{name}"].values for name in ("torque", "angle", "stage")
    )
    first = int(np.argmax(stage >= 1)) - 1
    return abs(float(np.trapezoid(torque[first:], angle[first:])))


def write(name, text):
    """Between two comments of the page."""
    begin, end = f"<!-- {name}: written by benchmarks/studies.py -->", f"<!-- end of {name} -->"
    before, _, rest = PAGE.read_text().partition(begin)
    PAGE.write_text(f"{before}{begin}\n\n{text}\n\n{end}{rest.partition(end)[2]}")
    print(text)


def main() -> None:
    write("points", points_table())
    if sys.argv[1:] == ["points"]:
        return
    write("rates", rates_table(int(sys.argv[1]) if len(sys.argv) > 1 else 40))


if __name__ == "__main__":
    main()
