"""How a machine is taken through a range of input angles: at rest, at a speed, under a torque."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flank.analyses.equilibria import along_crank, frictionless
from flank.analyses.warnings import has_elastic_friction
from flank.dynamics.functions import constant, linear, run_up
from flank.dynamics.run import DynamicSettings, Progress, solve_dynamics, solve_statics
from flank.dynamics.trajectory import Trajectory
from flank.errors import SpecError
from flank.machines.base import Assembly, Reducer

LEAD_IN = math.radians(5)
"""Input angle over which elastic friction turns from none to that of a running machine."""

ANGLE_STEP = 1e-6
"""Of the central difference from which velocities follow, in rad."""


@dataclass(frozen=True)
class Range:
    """Input angles asked for, the output's torque, and how a run in time is made."""

    angles: NDArray
    interval: float  # between two angles, in rad
    torque: float
    step: float
    settling_turns: int
    spectral_radius: float
    progress: Progress | None

    def timing(self, speed: float) -> tuple[float, int, int]:
        """Time between records, records before the range, and steps to a record."""
        between = self.interval / speed
        before = math.ceil(2 * math.pi * self.settling_turns / self.interval - 1e-9)
        return between, before, math.ceil(between / self.step)

    def step_taken(self, speed: float) -> float:
        """The step of a run in time: as asked, or shorter to meet every record."""
        between, _, steps = self.timing(speed)
        return between / steps


def static_run(machine: Reducer, asked: Range) -> tuple[Trajectory, Assembly]:
    """Equilibria at every angle, those before the range that elastic friction needs left out."""
    assembly = machine.assemble(linear(1.0), constant(asked.torque))
    before = 0
    if has_elastic_friction(assembly.model):
        before = math.ceil(LEAD_IN / asked.interval)
    lead = asked.angles[0] - asked.interval * np.arange(before, 0, -1)
    angles = np.concatenate((lead, asked.angles))
    return along_crank(machine, assembly, angles, asked.progress).since(before), assembly


def run_at_speed(machine: Reducer, asked: Range) -> tuple[Trajectory, Assembly]:
    """Start loaded and at rest, run up in the first half of the settling time, record after it."""
    speed = _speed(machine)
    between, before, stride = asked.timing(speed)
    ramp = 0.5 * before * between
    start = asked.angles[0] - speed * (before * between - 0.5 * ramp)
    rest, held = _at_rest(machine, start, asked.torque)
    if not rest.complete:
        return rest, held
    assembly = machine.assemble(run_up(speed, ramp, start), constant(asked.torque))
    whole = solve_dynamics(
        assembly.model,
        rest.position[0],
        (before + len(asked.angles) - 1) * between,
        DynamicSettings(between / stride, spectral_radius=asked.spectral_radius),
        stride=stride,
        progress=asked.progress,
    )
    return whole.since(before), assembly


def run_under_torque(
    machine: Reducer, asked: Range, input_torque: float
) -> tuple[Trajectory, Assembly]:
    """Start loaded and at speed, let the input go under its torque, record after settling."""
    speed = _speed(machine)
    between, before, stride = asked.timing(speed)
    start = asked.angles[0] - speed * before * between
    rest, held = _at_rest(machine, start, asked.torque)
    if not rest.complete:
        return rest, held
    assembly = machine.assemble_driven(constant(input_torque), constant(asked.torque))
    whole = solve_dynamics(
        assembly.model,
        rest.position[0],
        (before + len(asked.angles) - 1) * between,
        DynamicSettings(between / stride, spectral_radius=asked.spectral_radius),
        velocity=speed * ideal_velocity(machine, start),
        stride=stride,
        progress=asked.progress,
    )
    return whole.since(before), assembly


def balancing_torque(machine: Reducer, output_torque: float) -> float:
    """The input torque that holds an output torque in the machine without friction."""
    return -output_torque / machine.ratio


def ideal_velocity(machine: Reducer, input_angle: float) -> NDArray:
    """How every coordinate moves with the input angle in the ideal machine."""
    ahead, behind = (machine.ideal_pose(input_angle + s * ANGLE_STEP) for s in (1, -1))
    return (ahead - behind) / (2 * ANGLE_STEP)


def mean_speed(time: NDArray, angles: NDArray) -> float:
    return float((angles[-1] - angles[0]) / (time[-1] - time[0]))


def stray_speed_warnings(mean_speed: float, machine: Reducer) -> Sequence[str]:
    """That a free input does not keep the speed it was started at."""
    asked = machine.input_speed
    if abs(mean_speed - asked) <= 0.01 * asked:
        return []
    rpm = 30 / math.pi
    return [
        f"The free input runs at {mean_speed * rpm:.4g} rpm on average, not at the "
        f"{asked * rpm:.4g} rpm it was started at: give the input_torque that keeps its speed; "
        "friction asks for more than balances the output's."
    ]


def _speed(machine: Reducer) -> float:
    if machine.input_speed <= 0:
        raise SpecError("operation.input_speed must be positive for a run at speed")
    return machine.input_speed


def _at_rest(machine: Reducer, angle: float, torque: float) -> tuple[Trajectory, Assembly]:
    """The loaded machine before it moves; friction builds up in the run itself."""
    held = frictionless(machine.assemble(constant(angle), constant(torque)))
    return solve_statics(held.model, machine.ideal_pose(angle), np.array([0.0])), held
