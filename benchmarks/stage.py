"""The planar stage that Flank and its peer both compute.

39 lobes, 40 pins r 3 mm on R 64 mm, e 1.3 mm, profile cut 0.01 mm equidistant and 0.01 mm radial,
1500 rpm, 200 N·m on the disc; contact as an elastic foundation of 1e12 N/m² along the flank.
"""

import math
import time

import numpy as np

from flank.dynamics.functions import constant, rise, run_up
from flank.dynamics.run import DynamicSettings, solve_dynamics, solve_statics
from flank.machines.base import Drive
from flank.machines.registry import machine_from_mapping

ARCSEC = 180 / math.pi * 3600

STAGE = {
    "machine": "cycloidal-drive",
    "rated_torque": 412,
    "eccentricity": "1.3 mm",
    "pins": {"count": 40, "circle_radius": "64 mm", "radius": "3 mm"},
    "discs": {
        "count": 1,
        "width": "12 mm",
        "bore_radius": "10 mm",
        "equidistant": "10 um",
        "radial": "10 um",
    },
    "output": {"kind": "disc"},
    "contact": {"law": "foundation", "stiffness": "1e12 N/m^2"},
    "operation": {"input_speed": "1500 rpm", "torque": "200 N*m"},
}


def run_stage(changes: dict | None = None, step: float = 1e-4, repeats: int = 3) -> dict:
    """Run 0.1 s from the touching pose; the least processor time per step of `repeats`."""
    machine = machine_from_mapping(STAGE, changes)
    touching = machine.assemble(Drive.of_ends(constant(0.0), constant(1e-2)))
    rest = solve_statics(touching.model, machine.ideal_pose(0.0), np.array([0.0]))
    assembly = machine.assemble(
        Drive.of_ends(run_up(machine.input_speed, 0.01), rise(machine.load_torque, 0.005))
    )
    settings = DynamicSettings(step, spectral_radius=0.7)
    solve_dynamics(assembly.model, rest.position[0], 10 * step, settings)  # compile
    times = []
    for _ in range(repeats):
        start = time.process_time()
        trajectory = solve_dynamics(assembly.model, rest.position[0], 0.1, settings)
        times.append(time.process_time() - start)
    late = trajectory.time > 0.05
    turned = trajectory.angle(assembly.output_shaft)
    error = (turned - trajectory.angle(assembly.input_shaft) / machine.ratio) * ARCSEC
    steps = trajectory.counters["steps"]
    return {
        "microseconds_per_step": 1e6 * min(times) / (len(trajectory.time) - 1),
        "newton_per_step": trajectory.counters["newton_iterations"] / steps,
        "transmission_error": float(np.ptp(error[late])),
        "wind_up": float(error[late].mean() - error[0]),
        "outcome": trajectory.status.sentence,
    }
