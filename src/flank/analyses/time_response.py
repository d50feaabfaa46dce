"""Time response: a machine under torques of your choice, its input free or at a speed.

The run begins in equilibrium under the output's torque, at the speeds that an initial speed of the
input gives the ideal machine. Where a torque jumps the run is cut, so that no step lies across it.
"""

import itertools
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from flank.analyses.load_warnings import overload_warnings
from flank.analyses.mesh_quantities import MESH_TABLE, mesh_force_quantities, mesh_names
from flank.analyses.response_quantities import (
    energy_quantities,
    motion_quantities,
    turning_names,
    work_of,
)
from flank.analyses.response_warnings import coarse_step_warnings, slowed_input_warnings
from flank.analyses.result import Quantity, Result, make_result
from flank.analyses.torque_courses import (
    Course,
    TorquePoint,
    course_problems,
    jumps,
    piece,
    value_after,
)
from flank.analyses.transmission_runs import (
    at_rest,
    balancing_torque,
    ideal_velocity,
    mean_speed,
)
from flank.analyses.warnings import contact_warnings
from flank.dynamics.functions import linear
from flank.dynamics.run import Progress, settings_for, solve_dynamics
from flank.dynamics.trajectory import AnyTrajectory, joined
from flank.errors import SpecError, suggestion
from flank.machines.base import Assembly, Drive, Transmission
from flank.machines.quantities import Angle, AngularSpeed, Fraction, PositiveTime, WholeNumber
from flank.machines.spec import Spec

NAME = "time-response"
TITLE = "Time response"

Courses = dict[str, tuple[TorquePoint, ...]]


class TimeResponseSettings(Spec):
    """What acts on the machine, and for how long."""

    duration: PositiveTime = Field(default=1.0, description="how long", examples=["5 s"])
    step: PositiveTime = Field(default=1e-4, description="the time step", examples=["0.1 ms"])
    drive: Literal["torque", "speed"] = Field(
        default="torque",
        description="the input free under its torque, or at the initial speed throughout",
        examples=["torque"],
    )
    torques: dict[str, Course] = Field(
        default={},
        description="torques by shaft, constant or as [time, torque] points of which two at one "
        "time are a jump; those of the operating point if none is given",
        examples=["{carrier: [[0, -4], [2, -4], [2, 0]]}"],
    )
    initial_speed: AngularSpeed | None = Field(
        default=None,
        description="the speed of the input at the start; the operating point's if absent",
        examples=["0 rpm"],
    )
    start_angle: Angle = Field(
        default=0.0, description="the angle of the input at the start", examples=["30 deg"]
    )
    spectral_radius: Fraction = Field(
        default=0.8, description="of generalized-alpha; 1 damps nothing", examples=[0.8]
    )
    points: Annotated[int, WholeNumber(minimum=10, maximum=1_000_000)] = Field(
        default=2000, description="points in time that are kept, about", examples=[2000]
    )

    def cross_checks(self) -> Iterable[str]:
        yield from course_problems(self.torques)
        if self.step > self.duration:
            yield "step is longer than duration; use a smaller step"


DEFAULTS = TimeResponseSettings()


@dataclass(frozen=True)
class Setup:
    """The machine, torques by the names of its shafts, and where and how it starts."""

    machine: Transmission
    ends: tuple[str, str]  # names of input and output
    courses: Courses
    settings: TimeResponseSettings
    speed: float

    @property
    def edges(self) -> list[float]:
        """Where the run begins, is cut at jumps, and ends."""
        duration = self.settings.duration
        return [0.0, *jumps(self.courses, duration), duration]

    def assembly(self, first: float, last: float) -> Assembly:
        """The machine between two times, time counted from the first."""
        torques = {name: piece(points, first, last) for name, points in self.courses.items()}
        angles = {}
        if self.settings.drive == "speed":
            angle = self.settings.start_angle + self.speed * first
            angles = {self.ends[0]: linear(self.speed, angle)}
        return self.machine.assemble(Drive(angles, torques, in_time=True))


def run(
    machine: Transmission,
    settings: TimeResponseSettings = DEFAULTS,
    progress: Progress | None = None,
) -> Result:
    """Angles, speeds, tooth forces and energies over time."""
    asked = settings.initial_speed
    speed = machine.input_speed if asked is None else asked
    free = machine.assemble(Drive())
    ends = free.input, free.output
    setup = Setup(machine, ends, _courses(machine, free, settings), settings, speed)
    rest = _at_rest(setup)
    assembly = setup.assembly(*setup.edges[:2])
    trajectory = _march(setup, rest, progress) if rest.complete else rest
    quantities: dict[str, Quantity] = {}
    coordinates: dict[str, Quantity] = {}
    if len(trajectory.time) > 1:
        driven = settings.drive == "torque"
        work = work_of(setup.courses, assembly, trajectory) if driven else None
        quantities = motion_quantities(machine, assembly, trajectory, settings.start_angle)
        quantities |= mesh_force_quantities(assembly, trajectory, "time")
        quantities |= energy_quantities(assembly, trajectory, work)
        names = np.array(turning_names(assembly, trajectory), dtype=str)
        coordinates = {
            "time": Quantity(("time",), trajectory.time, "s", "s", "Time"),
            "body": Quantity(("body",), names, "", "", "Body"),
        } | mesh_names(assembly)
    warnings = contact_warnings(assembly, trajectory, static=False)
    warnings += coarse_step_warnings(machine, settings.step, speed)
    warnings += overload_warnings(machine, _largest_output_torque(setup))
    if settings.drive == "torque" and not settings.torques and len(trajectory.time) > 1:
        turned = trajectory.angle(assembly.input_shaft)
        warnings += slowed_input_warnings(mean_speed(trajectory.time, turned), speed)
    tables = MESH_TABLE if "mesh_force" in quantities else {}
    return make_result(
        NAME, machine, settings, trajectory, quantities, coordinates, warnings, tables
    )


def _courses(machine: Transmission, free: Assembly, settings: TimeResponseSettings) -> Courses:
    """Torques by shaft; those of the operating point if none is given."""
    given = {_shaft_name(free, name): points for name, points in settings.torques.items()}
    if settings.drive == "speed" and free.input in given:
        raise SpecError(
            "torques: a torque on the input does nothing where it has its speed; set drive to "
            "'torque', or leave it out"
        )
    if given:
        return given
    load = machine.load_torque
    ends = {free.output: load}
    if settings.drive == "torque":
        ends[free.input] = balancing_torque(machine, load)
    return {name: (TorquePoint(time=0.0, torque=torque),) for name, torque in ends.items()}


def _shaft_name(free: Assembly, given: str) -> str:
    """The name of a shaft that is also known as 'input' or 'output'; SpecError if unknown."""
    name = {"input": free.input, "output": free.output}.get(given, given)
    if name in free.shafts:
        return name
    raise SpecError(
        f"torques.{given}: no torque can act there{suggestion(given, free.shafts)} "
        f"Shafts: {', '.join(free.shafts)}"
    )


def _largest_output_torque(setup: Setup) -> float:
    points = setup.courses.get(setup.ends[1], ())
    return max((point.torque for point in points), key=abs, default=0.0)


def _at_rest(setup: Setup) -> AnyTrajectory:
    """Equilibrium with the input locked, under what the output carries at the start."""
    points = setup.courses.get(setup.ends[1])
    load = value_after(points, 0.0) if points else 0.0
    return at_rest(setup.machine, setup.settings.start_angle, load)[0]


def _march(setup: Setup, rest: AnyTrajectory, progress: Progress | None) -> AnyTrajectory:
    """Piece by piece between jumps; at a jump stands the end of one and the start of the next."""
    settings = setup.settings
    stride = max(round(settings.duration / settings.step / settings.points), 1)
    pose = rest.last
    velocity = setup.speed * ideal_velocity(setup.machine, settings.start_angle)
    parts: list[AnyTrajectory] = []
    for first, last in itertools.pairwise(setup.edges):
        between = last - first
        own = min(stride, max(round(between / settings.step), 1))

        def report(share: float, first: float = first, between: float = between) -> None:
            if progress is not None:
                progress((first + share * between) / settings.duration)

        model = setup.assembly(first, last).model
        part = solve_dynamics(
            model,
            pose,
            between,
            settings_for(model, settings.step, settings.spectral_radius),
            velocity,
            stride=own,
            progress=report,
        )
        parts.append(replace(part, time=part.time + first))
        if not part.complete:
            break
        pose, velocity = part.last, part.velocity[-1]
    return joined(parts)
