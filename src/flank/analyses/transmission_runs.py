"""How a machine is taken through a range of input angles: at rest, at a speed, under a torque."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flank.analyses.equilibria import along_crank
from flank.analyses.warnings import has_elastic_friction
from flank.arrays import Floats
from flank.dynamics.functions import constant, linear, run_up
from flank.dynamics.run import Progress
from flank.dynamics.solve import solve_dynamics, solve_statics
from flank.dynamics.trajectory import AnyTrajectory, SpatialPose, rates_between
from flank.errors import SpecError
from flank.machines.base import Assembly, Drive, Transmission

LEAD_IN = math.radians(5)
"""Input angle over which elastic friction turns from none to that of a running machine."""

ANGLE_STEP = 1e-6
"""Of the central difference from which velocities follow, in rad."""


@dataclass(frozen=True)
class Range:
    """Input angles asked for, the output's torque, and how a run in time is made."""

    angles: Floats
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


def static_run(machine: Transmission, asked: Range) -> tuple[AnyTrajectory, Assembly]:
    """Equilibria at every angle, those before the range that elastic friction needs left out."""
    assembly = machine.assemble(Drive.of_ends(linear(1.0), constant(asked.torque)))
    before = 0
    if has_elastic_friction(assembly.model):
        before = math.ceil(LEAD_IN / asked.interval)
    lead = asked.angles[0] - asked.interval * np.arange(before, 0, -1)
    angles = np.concatenate((lead, asked.angles))
    return along_crank(machine, assembly, angles, asked.progress).since(before), assembly


def run_at_speed(machine: Transmission, asked: Range) -> tuple[AnyTrajectory, Assembly]:
    """Start loaded and at rest, run up in the first half of the settling time, record after it."""
    speed = _speed(machine)
    between, before, stride = asked.timing(speed)
    ramp = 0.5 * before * between
    start = asked.angles[0] - speed * (before * between - 0.5 * ramp)
    rest, held = at_rest(machine, start, asked.torque)
    if not rest.complete:
        return rest, held
    turned, load = run_up(speed, ramp, start), constant(asked.torque)
    assembly = machine.assemble(Drive.of_ends(turned, load, in_time=True))
    whole = solve_dynamics(
        assembly.model,
        rest.last,
        (before + len(asked.angles) - 1) * between,
        between / stride,
        asked.spectral_radius,
        stride=stride,
        progress=asked.progress,
    )
    return whole.since(before), assembly


def run_under_torque(
    machine: Transmission, asked: Range, input_torque: float
) -> tuple[AnyTrajectory, Assembly]:
    """Start loaded and at speed, let the input go under its torque, record after settling."""
    speed = _speed(machine)
    between, before, stride = asked.timing(speed)
    start = asked.angles[0] - speed * before * between
    rest, held = at_rest(machine, start, asked.torque)
    if not rest.complete:
        return rest, held
    torques = {"input": constant(input_torque), "output": constant(asked.torque)}
    assembly = machine.assemble(Drive(torques=torques, in_time=True))
    whole = solve_dynamics(
        assembly.model,
        rest.last,
        (before + len(asked.angles) - 1) * between,
        between / stride,
        asked.spectral_radius,
        velocity=speed * ideal_velocity(machine, start),
        stride=stride,
        progress=asked.progress,
    )
    return whole.since(before), assembly


def balancing_torque(machine: Transmission, output_torque: float) -> float:
    """The input torque that holds an output torque in the machine without friction."""
    return -output_torque / machine.ratio


def ideal_velocity(machine: Transmission, input_angle: float) -> Floats:
    """How every coordinate moves with the input angle in the ideal machine."""
    pose = machine.ideal_pose(input_angle)
    if isinstance(pose, SpatialPose) and np.any(pose.velocity):
        return pose.velocity
    ahead, behind = (machine.ideal_pose(input_angle + s * ANGLE_STEP) for s in (1, -1))
    return rates_between(behind, ahead, 2 * ANGLE_STEP)


def mean_speed(time: Floats, angles: Floats) -> float:
    return float((angles[-1] - angles[0]) / (time[-1] - time[0]))


def stray_speed_warnings(mean_speed: float, machine: Transmission) -> Sequence[str]:
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


def _speed(machine: Transmission) -> float:
    if machine.input_speed <= 0:
        raise SpecError("operation.input_speed must be positive for a run at speed")
    return machine.input_speed


def at_rest(machine: Transmission, angle: float, torque: float) -> tuple[AnyTrajectory, Assembly]:
    """The loaded machine before it moves; friction builds up in the run itself."""
    drive = Drive.of_ends(constant(angle), constant(torque))
    held = machine.assemble(drive).frictionless()
    return solve_statics(held.model, machine.ideal_pose(angle), np.array([0.0])), held
