"""How a machine is taken through equilibria, and through time at a speed or under a torque.

On static paths time stands for the output's torque where the input is locked, else for the input's
angle.
"""

import math
from dataclasses import dataclass

import numpy as np

from flank.arrays import Floats
from flank.contact.table import (
    FRICTION_ELASTIC,
    FRICTION_LINEAR,
    FRICTION_SMOOTH,
    FRICTION_STICK,
)
from flank.dynamics.functions import constant, linear, run_up
from flank.dynamics.linearize import Linearization, linearize, unit_turn
from flank.dynamics.model import CONTACTS, Model
from flank.dynamics.run import Progress, settings_for, solve_dynamics, solve_statics
from flank.dynamics.spatial.model import SpatialModel, SpatialState
from flank.dynamics.trajectory import AnyTrajectory, Pose, SpatialPose, rates_between
from flank.errors import SpecError
from flank.machines.base import Assembly, Drive, Reducer, Transmission

LEAD_IN = math.radians(5)
"""Input angle over which elastic friction turns from none to that of a running machine."""

ANGLE_STEP = 1e-6
"""Of the central difference from which velocities follow, in rad."""

LOOSE = 1e-3
"""Share of the output's compliance owed to the solver's own diagonal above which it is loose."""

VELOCITY_FORMS = (FRICTION_SMOOTH, FRICTION_LINEAR, FRICTION_STICK)
"""Friction that is there only where surfaces slide."""


def has_elastic_friction(model: Model | SpatialModel) -> bool:
    forms = model.contacts["friction_form"][: model.counts[CONTACTS]]
    return bool(np.any(forms == FRICTION_ELASTIC))


def has_velocity_friction(model: Model | SpatialModel) -> bool:
    contacts = model.contacts[: model.counts[CONTACTS]]
    return bool(np.any(np.isin(contacts["friction_form"], VELOCITY_FORMS)))


def linearize_at(assembly: Assembly, path: AnyTrajectory, row: int) -> Linearization:
    """The model at an equilibrium of a static path."""
    return linearize(assembly.model, path.pose(row), float(path.time[row]))


def output_is_loose(assembly: Assembly, path: AnyTrajectory) -> bool:
    """Whether nothing but the solver's diagonal holds the output where a path begins."""
    at, shaft = linearize_at(assembly, path, 0), assembly.output_shaft
    axis = np.array(shaft.axis)
    if isinstance(at.state, SpatialState):
        axis = at.state.matrix[shaft.reference] @ axis
    direction = unit_turn(assembly.model, shaft.body, axis)
    return at.regularization_share(at.influence(direction)[0], direction) > LOOSE


def partial_progress(progress: Progress | None, number: int, count: int) -> Progress | None:
    """Progress of one of several runs of equal length, counted from 0."""
    if progress is None:
        return None
    return lambda share: progress((number + share) / count)


def assemble_locked(machine: Transmission, crank_angle: float) -> Assembly:
    """The frictionless machine, its input held at an angle, an output torque of `time` N·m."""
    return machine.assemble(Drive.of_ends(constant(crank_angle), linear(1.0))).frictionless()


def assemble_turning(machine: Transmission, torque: float) -> Assembly:
    """The frictionless machine under one torque; time stands for the crank angle."""
    return machine.assemble(Drive.of_ends(linear(1.0), constant(torque))).frictionless()


def peak_torque(machine: Reducer, torque: float | None) -> float:
    """The size of the torque given, the rated one if none is; SpecError if it is zero."""
    peak = machine.rated_torque if torque is None else abs(torque)
    if peak == 0:
        raise SpecError("torque is zero; a stiffness needs a load, for example the rated torque")
    return peak


def solve_both_directions(
    model_of: Assembly, start: Pose, torques: Floats, progress: Progress | None
) -> list[AnyTrajectory]:
    """Equilibria at +torques and at -torques, each from the unloaded pose `start`."""
    return [
        solve_statics(
            model_of.model, start, sign * torques, progress=partial_progress(progress, half, 2)
        )
        for half, sign in enumerate((1.0, -1.0))
    ]


def solve_along_crank(
    machine: Transmission, assembly: Assembly, angles: Floats, progress: Progress | None = None
) -> AnyTrajectory:
    """Equilibria at crank angles; time stands for the crank angle."""
    guesses = [machine.ideal_pose(angle) for angle in angles]
    return solve_statics(assembly.model, guesses[0], angles, guesses, progress=progress)


@dataclass(frozen=True)
class Range:
    """Input angles, the output's torque, and how a run in time is made."""

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
        """The step of a run in time: as set, or shorter to meet every record."""
        between, _, steps = self.timing(speed)
        return between / steps


def solve_static(machine: Transmission, over: Range) -> tuple[AnyTrajectory, Assembly]:
    """Equilibria at every angle, those before the range that elastic friction needs left out."""
    assembly = machine.assemble(Drive.of_ends(linear(1.0), constant(over.torque)))
    before = 0
    if has_elastic_friction(assembly.model):
        before = math.ceil(LEAD_IN / over.interval)
    lead_in = over.angles[0] - over.interval * np.arange(before, 0, -1)
    angles = np.concatenate((lead_in, over.angles))
    return solve_along_crank(machine, assembly, angles, over.progress).since(before), assembly


def run_at_speed(machine: Transmission, over: Range) -> tuple[AnyTrajectory, Assembly]:
    """Start loaded and at rest, run up in the first half of the settling time, record after it."""
    speed = _speed(machine)
    between, before, _ = over.timing(speed)
    ramp = 0.5 * before * between
    start = over.angles[0] - speed * (before * between - 0.5 * ramp)
    turned, load = run_up(speed, ramp, start), constant(over.torque)
    return _run_in_time(machine, over, start, Drive.of_ends(turned, load, in_time=True))


def run_under_torque(
    machine: Transmission, over: Range, input_torque: float
) -> tuple[AnyTrajectory, Assembly]:
    """Start loaded and at speed, let the input go under its torque, record after settling."""
    speed = _speed(machine)
    between, before, _ = over.timing(speed)
    start = over.angles[0] - speed * before * between
    torques = {"input": constant(input_torque), "output": constant(over.torque)}
    drive = Drive(torques=torques, in_time=True)
    return _run_in_time(machine, over, start, drive, speed * ideal_velocity(machine, start))


def _run_in_time(
    machine: Transmission, over: Range, start: float, drive: Drive, velocity: Floats | None = None
) -> tuple[AnyTrajectory, Assembly]:
    """From the loaded equilibrium at an input angle; the settling time is left out of the run."""
    equilibrium, locked_machine = loaded_equilibrium(machine, start, over.torque)
    if not equilibrium.complete:
        return equilibrium, locked_machine
    between, before, stride = over.timing(machine.input_speed)
    assembly = machine.assemble(drive)
    trajectory = solve_dynamics(
        assembly.model,
        equilibrium.last,
        (before + len(over.angles) - 1) * between,
        settings_for(assembly.model, between / stride, over.spectral_radius),
        velocity=velocity,
        stride=stride,
        progress=over.progress,
    )
    return trajectory.since(before), assembly


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


@dataclass(frozen=True)
class MotionState:
    """Where a machine is, and how it moves, when one speed ends and the next begins."""

    pose: Pose
    velocity: Floats | None  # none at rest
    angle: float
    speed: float

    def at_speed(self, machine: Transmission, speed: float) -> Floats:
        """Its velocities, changed as those of the ideal machine are at another input speed."""
        change = (speed - self.speed) * ideal_velocity(machine, self.angle)
        return change if self.velocity is None else self.velocity + change


def mean_speed(time: Floats, angles: Floats) -> float:
    return float((angles[-1] - angles[0]) / (time[-1] - time[0]))


def _speed(machine: Transmission) -> float:
    if machine.input_speed <= 0:
        raise SpecError("operation.input_speed must be positive for a run at speed")
    return machine.input_speed


def loaded_equilibrium(
    machine: Transmission, angle: float, torque: float
) -> tuple[AnyTrajectory, Assembly]:
    """The loaded machine before it moves; friction builds up in the run itself."""
    drive = Drive.of_ends(constant(angle), constant(torque))
    assembly = machine.assemble(drive).frictionless()
    return solve_statics(assembly.model, machine.ideal_pose(angle), np.array([0.0])), assembly
