"""What a step of rolling gears costs: ours, and the paper's dense formulation in the same run.

    python benchmarks/rolling.py

Gears of the preset `spur-bruzzone`. Both sweeps of the paper have twelve million steps; of ours
115,000 over the same speeds are timed, of the dense one some hundred, and scaled.
"""

import os
import time

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np
from page import shown

import flank
from flank.blas import one_blas_thread
from flank.dynamics.rolling import READ, ROLLED, roll, rolling_work
from flank.dynamics.rolling_mesh import RollingPair
from flank.machines.gear_pair.rolling import rolling_pair
from flank.reproduce.spur import witness
from flank.reproduce.spur.finite_gear import contact_nodes
from flank.reproduce.spur.paper_pair import PAIR, POSITIONS
from flank.reproduce.spur.same_gears import (
    COMPLIANT,
    MODES,
    OFF_THE_JUMPS,
    SameGears,
    compared,
    paper_gears,
)

BODY_DAMPING = 0.01
STEPS, SPEEDS, TIMED_CYCLES = 12e6, (900.0, 4100.0), 1000
"""Of both sweeps; rpm; mesh cycles that are timed, half of them up and half down."""

COORDINATES, DENSE_STEPS = 229, 230
"""Of one reduced gear; steps of two of them that are timed."""

STEP_TITLE = "A step of the rolling spur pair `spur-bruzzone`, 24 modes a gear, and the paper's"
STEP_HEADER = ["formulation", "points across the face", "coordinates", "µs/step"]
STEP_HEADER += ["12 million steps, s", "cost against one point"]
RMS_TITLE = "The same gears of elements rolled by both, rms of the transmission error off the jumps"
RMS_HEADER = ["mesh frequency, Hz", "24 modes, µm", "dense, µm", "difference, %"]
RMS_HEADER += ["cycle without contact, %", "dense, %"]


def same_gears() -> tuple[SameGears, witness.RollingPair]:
    """Gears of the paper's number of coordinates: all nodes of the flanks in mesh are masters."""
    gears = paper_gears()
    masters = 1 + 3 * len(contact_nodes(gears.whole, (0, 1)))
    return gears, gears.dense(COORDINATES - masters)


def steps(dense: witness.RollingPair) -> list[list]:
    """Formulation, points, coordinates of both gears, µs a step, s for both sweeps, and ratio."""
    machine = flank.preset("spur-bruzzone")
    load = machine.load_torque / machine.output_base_radius
    rows: list[list] = []
    for points in (1, 5):
        pair = rolling_pair(machine, POSITIONS, points, MODES, BODY_DAMPING)
        rows.append(["modes", points, len(pair.modes.frequency), _step_of(pair, load)])
    rows.append(["the paper's, dense", 1, 2 * COORDINATES, _dense_step(dense)])
    return [[*row, 1e-6 * STEPS * row[-1], row[-1] / rows[0][-1]] for row in rows]


def _step_of(pair: RollingPair, load: float, repeats: int = 3) -> float:
    """Processor time in µs, the best of some runs."""
    mesh, modes = pair.mesh, pair.modes
    speeds = np.linspace(*SPEEDS, TIMED_CYCLES // 2)
    periods = 60 / (PAIR.first.teeth * np.concatenate((speeds, speeds[::-1])))
    loads, figures = np.full((TIMED_CYCLES, 1), load), np.zeros((TIMED_CYCLES, 6))
    record, work = np.zeros((0, POSITIONS, READ + mesh.slots)), rolling_work(modes, mesh)
    times = []
    for _ in range(repeats + 1):  # the first may compile
        state = pair.at_rest(load)
        start = time.process_time()
        status, _ = roll(mesh, modes, state, periods, loads, COMPLIANT, figures, record, work)
        times.append(time.process_time() - start)
        assert status == ROLLED
    return 1e6 * min(times[1:]) / (TIMED_CYCLES * POSITIONS)


def _dense_step(dense: witness.RollingPair) -> float:
    """Processor time in µs."""
    with one_blas_thread():
        start = time.process_time()
        witness.roll(dense, np.full(DENSE_STEPS, 1 / (2400.0 * POSITIONS)))
        return 1e6 * (time.process_time() - start) / DENSE_STEPS


def differences(gears: SameGears, dense: witness.RollingPair) -> list[list]:
    """Mesh frequency, rms of both and their difference, share of the cycle without contact."""
    return [
        [
            each.hertz,
            1e6 * each.fast.rms,
            1e6 * each.dense.rms,
            100 * each.difference,
            100 * each.fast.apart,
            100 * each.dense.apart,
        ]
        for each in compared(gears, dense, OFF_THE_JUMPS).each
    ]


def tables() -> list[tuple[str, list[str], list[list]]]:
    """Titles, headers and rows."""
    gears, dense = same_gears()
    return [
        (STEP_TITLE, STEP_HEADER, steps(dense)),
        (RMS_TITLE, RMS_HEADER, differences(gears, dense)),
    ]


if __name__ == "__main__":
    for table in tables():
        print(f"\n{shown(*table).as_markdown()}", flush=True)
