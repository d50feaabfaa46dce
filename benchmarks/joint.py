"""What a turn of a ball joint with friction costs, and what a map gains from all cores."""

import itertools
import time

import flank
from flank.analyses.joint_map import JointMapSettings, axes_of, run_point
from flank.analyses.joint_turns import JointTurnsSettings, compute_turns
from flank.blas import usable_cores

PRESETS = ("cv-joint", "cv-joint-marter")
SHORT = {"most_turns": 2, "points_per_turn": 16}
"""Two turns a point, few records: what is measured is the running."""


def turns(repeats: int = 3) -> list[list]:
    """Preset, s a turn, steps a turn, Newton iterations a step, µs an iteration, of one thread;
    the best of some runs to the periodic state."""
    rows: list[list] = []
    for name in PRESETS:
        joint = flank.preset(name)
        compute_turns(joint, JointTurnsSettings(**SHORT))  # compile
        times = []
        for _ in range(repeats):
            start = time.process_time()
            seen = compute_turns(joint, JointTurnsSettings())
            times.append(time.process_time() - start)
        steps, iterations = (
            seen.trajectory.counters[key] for key in ("steps", "newton_iterations")
        )
        spent = min(times)
        row = [name, spent / seen.turns_run, round(steps / seen.turns_run)]
        rows.append([*row, iterations / steps, 1e6 * spent / iterations])
    return rows


def maps() -> list[list]:
    """A map of 4 x 4 points: cores, wall time in s, time against one point after another."""
    joint, settings = flank.preset("cv-joint"), JointMapSettings(**SHORT)
    places = list(itertools.product(*axes_of(joint, settings)))
    run_point(joint, settings, places[0])  # compile
    start = time.perf_counter()
    for place in places:
        run_point(joint, settings, place)
    alone = time.perf_counter() - start
    start = time.perf_counter()
    flank.run(joint, "joint-map", **SHORT)
    together = time.perf_counter() - start
    return [[1, alone, 1.0], [usable_cores(), together, together / alone]]
