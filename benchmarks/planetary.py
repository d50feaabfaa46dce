"""Implicit steps per second of the 500 kW planetary stage (six bodies) by mesh model."""

import time

import numpy as np

import flank
from flank.analyses.runs import ideal_velocity
from flank.dynamics.functions import constant
from flank.dynamics.run import DynamicSettings, solve_dynamics, solve_statics
from flank.machines.base import Drive

DURATION, STEP = 0.5, 5e-5
RUNGS = ("rigid", "spring", "table", "contact", "fe")


def mesh_models(repeats: int = 3) -> list[list]:
    """Rung, steps per second of processor time, Newton iterations a step; the best of some runs."""
    rows: list[list] = []
    for model in RUNGS:
        mesh = {"model": model} | ({} if model == "rigid" else {"damping": "2e4 N*s/m"})
        machine = flank.preset("planetary-500kw", {"sun_mesh": mesh, "ring_mesh": mesh})
        load = machine.load_torque
        held = machine.assemble(Drive.of_ends(constant(0.0), constant(load)))
        rest = solve_statics(held.model, machine.ideal_pose(0.0), np.array([0.0])).position[0]
        free = machine.assemble(
            Drive.of_ends(None, constant(load), constant(-load / machine.ratio))
        ).model
        speed = machine.input_speed * ideal_velocity(machine, 0.0)
        settings = DynamicSettings(STEP)
        solve_dynamics(free, rest, 10 * STEP, settings, velocity=speed)  # compile
        times = []
        for _ in range(repeats):
            start = time.process_time()
            run = solve_dynamics(free, rest, DURATION, settings, velocity=speed, stride=10)
            times.append(time.process_time() - start)
        steps = run.counters["steps"]
        rows.append([model, steps / min(times), run.counters["newton_iterations"] / steps])
    return rows
