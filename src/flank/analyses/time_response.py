"""Time response: a machine under torques of your choice, its input free or at a speed.

The run begins in equilibrium under the output's torque, at the speeds that an initial speed of the
input gives the ideal machine. Where a torque jumps the run is cut, so that no step lies across it.
"""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np

from flank.analyses import run_forces, tilting
from flank.analyses.contact_states import (
    Contacts,
    check_room,
    state_numbers,
    state_values,
    states_over,
)
from flank.analyses.forces import (
    MESH_NAMES,
    MESH_TABLE,
    NUMBERS,
    mesh_force_values,
    mesh_forces_over,
    mesh_names,
)
from flank.analyses.quantities import Declared, Quantities, Read, Values
from flank.analyses.result import Result, make_result
from flank.analyses.runs import balancing_torque, ideal_velocity, loaded_equilibrium, mean_speed
from flank.analyses.settings import (
    TorqueCurve,
    TorqueCurves,
    TorquePoint,
    jumps,
    too_many_steps,
    torque_between,
    torque_curve_problems,
    value_after,
)
from flank.analyses.warnings import (
    coarse_step_warnings,
    contact_warnings,
    overload_warnings,
    slowed_input_warnings,
    uncovered_course_warnings,
    unresolved_torque_warnings,
)
from flank.arrays import Floats
from flank.dynamics.energy import energies
from flank.dynamics.functions import linear
from flank.dynamics.model import JOINTS, Model
from flank.dynamics.poses import AnyModel
from flank.dynamics.run import (
    ContinuedRun,
    DynamicSettings,
    Progress,
    settings_for,
    unstable_step,
)
from flank.dynamics.spatial.model import SpatialModel
from flank.dynamics.spatial.quaternions import product
from flank.dynamics.spatial.tables import ANGLE, TEETH
from flank.dynamics.tables import REVOLUTE
from flank.dynamics.trajectory import AnyTrajectory, Pose, SpatialPose, Trajectory, joined
from flank.errors import SpecError, suggestion
from flank.machines.base import Assembly, Drive, Transmission
from flank.machines.quantities import Angle, AngularSpeed, Fraction, PositiveTime, WholeNumber
from flank.machines.spec import Spec, key, optional

QUANTITIES = Quantities(
    "time-response",
    {
        "final_input_angle": Declared("Final angle of the {input}", "rad", "deg"),
        "final_input_speed": Declared("Final speed of the {input}", "rad/s", "rpm"),
        "final_output_angle": Declared("Final angle of the {output}", "rad", "deg"),
        "final_output_speed": Declared("Final speed of the {output}", "rad/s", "rpm"),
        "angle": Declared("Angle", "rad", "deg", "time body"),
        "speed": Declared("Speed", "rad/s", "rpm", "time body"),
        "transmission_error": Declared("Transmission error", "rad", "arcmin", "time"),
        **mesh_forces_over("time"),
        "lost_energy": Declared("Energy lost over the largest energy", "", "percent"),
        "kinetic_energy": Declared("Kinetic energy", "J", over="time"),
        "stored_energy": Declared("Energy stored in meshes and bearings", "J", over="time"),
        "work": Declared("Work of the torques", "J", over="time"),
        "lost_energy_course": Declared("Energy lost to damping", "J", over="time"),
        **run_forces.DECLARED,
        **tilting.tilts_over("time"),
        **states_over("time"),
    },
    {
        "time": Declared("Time", "s", over="time"),
        "body": Declared("Body", over="body"),
        **MESH_NAMES,
        **run_forces.COORDINATES,
        **tilting.COORDINATES,
        **NUMBERS,
    },
    MESH_TABLE,
    curves=(("time", "transmission_error"),),
)


MOST_STEPS = 1e9
"""Hours for the smallest machine."""

SPECTRAL_RADIUS = 0.8
"""Of generalized-alpha, where nobody gives one."""


class TimeResponseSettings(Spec):
    """What acts on the machine, and for how long."""

    duration: PositiveTime = key("how long", "5 s", default=1.0)
    step: PositiveTime = key("the time step", "0.1 ms", default=1e-4)
    drive: Literal["torque", "speed"] = key(
        "the input free under its torque, or at the initial speed throughout", default="torque"
    )
    torques: dict[str, TorqueCurve] = key(
        "torques by shaft, each constant, a file, a function or [time, torque] points of which two "
        "at one time are a jump; those of the operating point if none is given",
        "{carrier: [[0, -4], [2, -4], [2, 0]]}",
        default={},
    )
    initial_speed: AngularSpeed | None = optional(
        "the speed of the input at the start; the operating point's if absent", "0 rpm"
    )
    start_offsets: dict[str, Angle] = key(
        "angles by body by which it starts turned away from equilibrium, where nothing but springs "
        "holds it against the others",
        "{planet 1: 0.01 deg}",
        default={},
    )
    start_angle: Angle = key("the angle of the input at the start", "30 deg", default=0.0)
    spectral_radius: Fraction = key(
        "of generalized-alpha; 1 damps nothing", default=SPECTRAL_RADIUS
    )
    points: Annotated[int, WholeNumber(minimum=10, maximum=1_000_000)] = key(
        "points in time that are kept, about", default=2000
    )
    method: Literal["generalized-alpha", "runge-kutta"] | None = optional(
        "how time is stepped: implicitly by generalized-alpha, which is what holds if absent, or "
        "explicitly by Runge and Kutta's method of order four, in the plane",
        "runge-kutta",
    )
    keeps_tangent: bool | None = optional(
        "whether factors of the tangent are kept until contacts open or close or the iteration "
        "becomes slow, in the plane",
        True,
    )
    contacts: Contacts = None

    def cross_checks(self) -> Iterable[str]:
        yield from torque_curve_problems(self.torques)
        yield from too_many_steps(self.duration, self.step, MOST_STEPS)
        if self.method == "runge-kutta":
            if self.keeps_tangent:
                yield "keeps_tangent does nothing with the method 'runge-kutta'; remove it"
            if self.spectral_radius != SPECTRAL_RADIUS:
                yield "spectral_radius does nothing with the method 'runge-kutta'; remove it"
        if self.step > self.duration:
            yield "step is longer than duration; use a smaller step"


DEFAULTS = TimeResponseSettings()


@dataclass(frozen=True)
class Setup:
    """The machine, torques by the names of its shafts, and where and how it starts."""

    machine: Transmission
    ends: tuple[str, str]  # names of input and output
    torque_curves: TorqueCurves
    settings: TimeResponseSettings
    speed: float

    @property
    def edges(self) -> list[float]:
        """Where the run begins, is cut at jumps, and ends."""
        duration = self.settings.duration
        return [0.0, *jumps(self.torque_curves, duration), duration]

    def assembly(self, first: float, last: float) -> Assembly:
        """The machine between two times, time counted from the first."""
        torques = {
            name: torque_between(points, first, last) for name, points in self.torque_curves.items()
        }
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
    given = settings.initial_speed
    speed = machine.input_speed if given is None else given
    free = machine.assemble(Drive())
    how = _integration(free.model, settings)
    ends = free.input, free.output
    if settings.contacts == "full":
        check_room(free, settings.points)
    setup = Setup(machine, ends, _torque_curves(machine, free, settings), settings, speed)
    equilibrium = _initial_equilibrium(setup)
    assembly = setup.assembly(*setup.edges[:2])
    trajectory = _march(setup, equilibrium, progress) if equilibrium.complete else equilibrium
    values: Values = {}
    if len(trajectory.time) > 1:
        driven = settings.drive == "torque"
        work = _work(setup.torque_curves, assembly, trajectory) if driven else None
        values = {"time": trajectory.time}
        values |= _motion(machine, assembly, trajectory, settings.start_angle)
        values |= mesh_force_values(assembly, trajectory)
        values |= _energy(assembly, trajectory, work)
        values |= mesh_names(assembly)
        values |= run_forces.acting_forces(assembly, trajectory)
        values |= tilting.tilt_values(machine, assembly, trajectory)
        if settings.contacts == "full":
            values |= state_values(assembly, trajectory) | state_numbers(assembly)
    warnings = contact_warnings(assembly, trajectory, static=False)
    warnings += coarse_step_warnings(machine, settings.step, speed)
    if unstable := unstable_step(assembly.model, trajectory, how):
        warnings.append(unstable)
    warnings += unresolved_torque_warnings(setup.torque_curves, settings.step)
    files = {f"torque on the {name}": points for name, points in setup.torque_curves.items()}
    warnings += uncovered_course_warnings(files, settings.duration)
    warnings += overload_warnings(machine, _largest_output_torque(setup))
    if settings.drive == "torque" and not settings.torques and len(trajectory.time) > 1:
        turned = trajectory.angle(assembly.input_shaft)
        warnings += slowed_input_warnings(mean_speed(trajectory.time, turned), speed)
    return make_result(QUANTITIES, machine, settings, trajectory, values, warnings)


def _torque_curves(
    machine: Transmission, free: Assembly, settings: TimeResponseSettings
) -> TorqueCurves:
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
    points = setup.torque_curves.get(setup.ends[1], ())
    return max((point.torque for point in points), key=abs, default=0.0)


def _initial_equilibrium(setup: Setup) -> AnyTrajectory:
    """Equilibrium with the input locked, under what the output carries at the start."""
    points = setup.torque_curves.get(setup.ends[1])
    load = value_after(points, 0.0) if points else 0.0
    return loaded_equilibrium(setup.machine, setup.settings.start_angle, load)[0]


def _march(setup: Setup, equilibrium: AnyTrajectory, progress: Progress | None) -> AnyTrajectory:
    """Piece by piece between jumps; at a jump stands the end of one and the start of the next."""
    settings = setup.settings
    stride = max(round(settings.duration / settings.step / settings.points), 1)
    pose = _turned_away(setup, equilibrium.last)
    velocity = setup.speed * ideal_velocity(setup.machine, settings.start_angle)
    parts: list[AnyTrajectory] = []
    for first, last in itertools.pairwise(setup.edges):
        between = last - first
        shorter = min(stride, max(round(between / settings.step), 1))

        def report_progress(share: float, first: float = first, between: float = between) -> None:
            if progress is not None:
                progress((first + share * between) / settings.duration)

        model = setup.assembly(first, last).model
        run = ContinuedRun(model, pose, velocity)
        part = run.advance(
            between, _integration(model, settings), stride=shorter, progress=report_progress
        )
        parts.append(replace(part, time=part.time + first))
        if not part.complete:
            break
        pose, velocity = part.last, part.velocity[-1]
    return joined(parts)


def _integration(model: AnyModel, settings: TimeResponseSettings) -> DynamicSettings:
    """How to march; SpecError for what only models in the plane can do."""
    chosen = settings_for(model, settings.step, settings.spectral_radius)
    if isinstance(model, SpatialModel) and (settings.method == "runge-kutta"):
        raise SpecError(
            "method: 'runge-kutta' is for machines in the plane, and this one is in space; "
            "leave it out"
        )
    if isinstance(model, SpatialModel) and settings.keeps_tangent:
        raise SpecError(
            "keeps_tangent is for machines in the plane, and this one is in space; leave it out"
        )
    return replace(
        chosen,
        method=settings.method or chosen.method,
        keeps_tangent=bool(settings.keeps_tangent),
    )


def _turned_away(setup: Setup, pose: Pose) -> Pose:
    """The pose with bodies turned about their axes; SpecError for one that a joint keeps."""
    assembly = setup.assembly(*setup.edges[:2])
    kept = _kept_from_turning(assembly)
    for name, angle in setup.settings.start_offsets.items():
        known = assembly.body_names[1:]
        if name not in known:
            raise SpecError(
                f"start_offsets.{name}: there is no such body{suggestion(name, known)} "
                f"Bodies: {', '.join(known)}"
            )
        body = assembly.body(name)
        if body in kept:
            raise SpecError(
                f"start_offsets.{name}: a joint, a rigid mesh or its speed keeps it from turning; "
                "turn a body that springs hold, or use a soft mesh"
            )
        pose = _turn_body(pose, body, angle)
    return pose


def _kept_from_turning(assembly: Assembly) -> set[int]:
    if isinstance(assembly.model, Model):
        rows = assembly.model.joints[: assembly.model.counts[JOINTS]]
        rows = rows[rows["kind"] != REVOLUTE]
    else:
        rows = assembly.model.conditions[: assembly.model.counts[JOINTS]]
        rows = rows[np.isin(rows["kind"], (ANGLE, TEETH))]
    return {int(row[side]) for row in rows for side in ("body_a", "body_b")}


def _turn_body(pose: Pose, body: int, angle: float) -> Pose:
    """About its own axis, z, in space as well."""
    if not isinstance(pose, SpatialPose):
        turned = pose.copy()
        turned[body, 2] += angle
        return turned
    rotation = pose.rotation.copy()
    about = np.array([np.cos(0.5 * angle), 0.0, 0.0, np.sin(0.5 * angle)])
    rotation[body] = product(rotation[body], about)
    return replace(pose, rotation=rotation)


def _motion(
    machine: Transmission, assembly: Assembly, trajectory: AnyTrajectory, start_angle: float
) -> Values:
    """Angles and speeds of all bodies in the plane, of all shafts in space."""
    names, angles, speeds = _turning(assembly, trajectory)
    values: Values = {}
    turned = []
    ends = {"input": assembly.input_shaft, "output": assembly.output_shaft}
    for end, shaft in ends.items():
        begins = start_angle if end == "input" else start_angle / machine.ratio
        angle, speed = trajectory.angle(shaft, near=begins), trajectory.speed(shaft)
        body = assembly.body_names[shaft.body]
        words = {end: f"{end} ({body})" if body != end else end}
        values[f"final_{end}_angle"] = Read(angle[-1], words)
        values[f"final_{end}_speed"] = Read(speed[-1], words)
        turned.append(angle)
    return values | {
        "angle": angles,
        "speed": speeds,
        "transmission_error": turned[1] - turned[0] / machine.ratio,
        "body": np.array(names, dtype=str),
    }


def _turning(assembly: Assembly, trajectory: AnyTrajectory) -> tuple[Sequence[str], Floats, Floats]:
    """Who turns, with angles and speeds (time, body): in the plane every body does, in space the
    shafts have an axis to turn about."""
    if isinstance(trajectory, Trajectory):
        bodies = assembly.body_names[1:]
        return bodies, trajectory.position[:, 1:, 2], trajectory.velocity[:, 1:, 2]
    shafts = assembly.shafts.values()
    return (
        [assembly.body_names[shaft.body] for shaft in shafts],
        np.stack([trajectory.angle(shaft) for shaft in shafts], axis=1),
        np.stack([trajectory.speed(shaft) for shaft in shafts], axis=1),
    )


def _energy(assembly: Assembly, trajectory: AnyTrajectory, work: Floats | None) -> Values:
    """Kinetic and stored energy, and what has gone, where the work of all torques is known."""
    kinetic, stored = energies(assembly.model, trajectory)
    values: Values = {"kinetic_energy": kinetic, "stored_energy": stored}
    if work is None:
        return values
    gone = kinetic[0] + stored[0] + work - kinetic - stored
    largest = max(float(np.abs(kinetic + stored).max()), 1e-300)
    lost: Values = {"lost_energy": gone[-1] / largest}
    return lost | values | {"work": work, "lost_energy_course": gone}


def _work(torque_curves: TorqueCurves, assembly: Assembly, trajectory: AnyTrajectory) -> Floats:
    """∫ T dθ of all torques up to each time; a jump takes no time and does no work."""
    time, total = trajectory.time, np.zeros(len(trajectory.time))
    for name, points in torque_curves.items():
        turned = np.diff(trajectory.angle(assembly.shafts[name]))
        middle = np.array([value_after(points, t) for t in 0.5 * (time[1:] + time[:-1])])
        total[1:] += np.cumsum(middle * turned)
    return total
