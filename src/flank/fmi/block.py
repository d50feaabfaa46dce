"""Any machine as a block with two shafts, for co-simulation.

Torques act on the shafts, angles and speeds come out; or the input shaft has the speed that the
host gives it, and its torque comes out. The block begins as a time response does: in equilibrium
under the output's torque, every body at the speed that the ideal machine gives it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from flank.analyses.runs import balancing_torque, ideal_velocity, loaded_equilibrium
from flank.analyses.settings import LoadTorque
from flank.analyses.warnings import coarse_step_warnings, overload_warnings
from flank.arrays import Floats, Rows
from flank.dynamics.functions import Function, constant, speeds
from flank.dynamics.march import march
from flank.dynamics.poses import AnyState, record_of, state_at, workspace
from flank.dynamics.run import march_settings, settings_for, solve_dynamics
from flank.dynamics.spatial.flanks import warm_starts
from flank.dynamics.spatial.model import SpatialState, SpatialWorkspace
from flank.dynamics.spatial.turning import SHAFT, TURNING, read_turning
from flank.dynamics.trajectory import AnyTrajectory, Shaft
from flank.errors import SpecError
from flank.fmi.parameters import parameters_of
from flank.fmi.unit import Call, Place, Ramp, Stepping, Unit, Variable, arrays_of, place
from flank.io.spec_files import write_yaml
from flank.machines.base import Drive, Machine, Transmission
from flank.machines.capabilities import CAPABILITIES
from flank.machines.quantities import Angle, AngularSpeed, Fraction, PositiveTime
from flank.machines.spec import Spec, key, optional

TIMES_ARGUMENT = 2
"""Of `march`."""

NEEDED = "an input and an output"


class BlockSettings(Spec):
    """How a machine becomes a block: what drives it, where it begins, and its longest step."""

    step: PositiveTime = key("the longest time step inside the unit", "0.1 ms", default=1e-4)
    drive: Literal["torque", "speed"] = key(
        "what the host gives the input shaft: a torque, or its speed", default="torque"
    )
    torque: LoadTorque = None
    initial_speed: AngularSpeed | None = optional(
        "the speed of the input at the start; the operating point's if absent", "0 rpm"
    )
    start_angle: Angle = key("the angle of the input at the start", "30 deg", default=0.0)
    spectral_radius: Fraction = key("of generalized-alpha; 1 damps nothing", default=0.8)


DEFAULTS = BlockSettings()


@dataclass(frozen=True)
class Start:
    """Where and how a block begins, in SI."""

    angle: float
    speed: float
    input_torque: float
    output_torque: float
    pose: AnyTrajectory  # its last is the equilibrium


def two_shaft_block(machine: Machine, settings: BlockSettings = DEFAULTS) -> Unit:
    """The unit of a machine; SpecError if it cannot be one."""
    if not isinstance(machine, Transmission):
        raise SpecError(
            f"an FMU of a machine needs {NEEDED}, and '{machine.title}' "
            f"{CAPABILITIES[NEEDED].absence}"
        )
    start = _start(machine, settings)
    _try_first_step(machine, settings, start)
    return _Block(machine, settings, start).unit()


def _start(machine: Transmission, settings: BlockSettings) -> Start:
    given, load = settings.initial_speed, settings.torque
    torque = machine.load_torque if load is None else load
    equilibrium, _ = loaded_equilibrium(machine, settings.start_angle, torque)
    if not equilibrium.complete:
        raise SpecError(
            f"'{machine.title}' has no equilibrium under {torque:.6g} N·m to begin from: "
            f"{equilibrium.status.sentence} Give another torque"
        )
    speed = machine.input_speed if given is None else given
    balance = balancing_torque(machine, torque)
    return Start(settings.start_angle, speed, balance, torque, equilibrium)


def _drive(settings: BlockSettings, start: Start) -> Drive:
    torques = {"input": constant(start.input_torque), "output": constant(start.output_torque)}
    if settings.drive == "torque":
        return Drive(torques=torques, in_time=True)
    del torques["input"]
    return Drive({"input": _turned(start)}, torques, in_time=True)


def _turned(start: Start) -> Function:
    """The input's angle at a constant speed, as a function whose speed a unit changes."""
    return speeds([(0.0, start.speed), (1.0, start.speed)], start.angle)


def _try_first_step(machine: Transmission, settings: BlockSettings, start: Start) -> None:
    model = machine.assemble(_drive(settings, start)).model
    velocity = start.speed * ideal_velocity(machine, start.angle)
    how = settings_for(model, settings.step, settings.spectral_radius)
    run = solve_dynamics(model, start.pose.last, settings.step, how, velocity)
    if not run.complete:
        raise SpecError(f"'{machine.title}' cannot take its first step: {run.status.sentence}")


class _Block:
    """One machine on its way to a unit."""

    def __init__(self, machine: Transmission, settings: BlockSettings, start: Start) -> None:
        self.machine, self.settings, self.start = machine, settings, start
        self.assembly = machine.assemble(_drive(settings, start))
        self.model = self.assembly.model
        velocity = start.speed * ideal_velocity(machine, start.angle)
        self.state = state_at(self.model, start.pose.last, velocity)
        self.times, self.counters = np.zeros(2), np.zeros(4, dtype=np.int64)
        self.turning = np.zeros(2, TURNING)
        self.turning["angle"] = start.angle, start.angle / machine.ratio
        self.turning["speed"] = start.speed, start.speed / machine.ratio

    def unit(self) -> Unit:
        how = settings_for(self.model, self.settings.step, self.settings.spectral_radius)
        numbers = march_settings(self.model, how, self.settings.step)
        step = np.array([numbers.longest_step, 0.0])
        work = workspace(self.model)
        scratch = (work, self.counters, record_of(self.state, 1))
        calls = [Call(march, (self.model, self.state, self.times, 1, numbers, step, *scratch))]
        changing = [*arrays_of(self.state), step, self.counters]
        if isinstance(work, SpatialWorkspace):
            arguments = (self.state, self._shafts(), self.times, self.turning)
            calls.append(Call(read_turning, arguments))
            changing += [self.turning, *warm_starts(work.flanks)]
        driven = list(self._driven())
        outputs, parameters = list(self._outputs()), parameters_of(self.assembly)
        return Unit(
            title=self.machine.title,
            description=self._description(),
            variables=(*(variable for variable, _ in driven), *outputs, *parameters),
            calls=tuple(calls),
            changing=tuple(changing),
            way=Stepping(
                self.times,
                TIMES_ARGUMENT,
                self.counters,
                numbers.longest_step,
                numbers.shortest_step,
                tuple(ramp for _, ramp in driven if ramp),
            ),
            fixed=tuple(self._fixed()),
            spec=write_yaml(self.machine.spec.to_mapping()),
            warnings=tuple(self._warnings()),
        )

    def _shafts(self) -> Rows:
        table = np.zeros(2, SHAFT)
        for row, shaft in zip(table, self._ends, strict=True):
            row["body"], row["reference"] = shaft.body, shaft.reference
            row["axis"], row["built"] = shaft.axis, shaft.built
        return table

    @property
    def _ends(self) -> tuple[Shaft, Shaft]:
        return self.assembly.input_shaft, self.assembly.output_shaft

    def _driven(self) -> Iterator[tuple[Variable, Ramp | None]]:
        """What the host sets in every step."""
        start = self.start
        if self.settings.drive == "torque":
            places = self._torque_places("input")
            text = "torque on the input shaft"
            yield Variable("input.torque", "input", "N.m", text, places, start.input_torque), None
        else:
            text = "speed of the input shaft at the end of the step"
            variable = Variable("input.speed", "input", "rad/s", text, (), start.speed)
            yield variable, self._ramp(variable)
        places = self._torque_places("output")
        text = "torque on the output shaft"
        yield Variable("output.torque", "input", "N.m", text, places, start.output_torque), None

    def _torque_places(self, end: str) -> tuple[Place, ...]:
        """Where the model changes with a torque: the functions of its loads."""
        drive = _drive(self.settings, self.start)
        larger = constant(drive.torques[end].offset + 1.0)
        other = self.machine.assemble(Drive(drive.angles, {**drive.torques, end: larger}, True))
        functions = self.model.functions
        changes = other.model.functions["offset"] - functions["offset"]
        changes = np.round(changes, 9)  # a torque of one, and the round-off of those around it
        return tuple(
            place(functions, "offset", int(k), weight=float(changes[k]))
            for k in np.flatnonzero(changes)
        )

    def _ramp(self, variable: Variable) -> Ramp:
        functions, start = self.model.functions, self.start
        (number,) = np.flatnonzero(functions["kind"] == _turned(start).kind)
        return Ramp(
            variable,
            place(functions, "offset", int(number)),
            place(self.model.function_data, int(functions["data_start"][number])),
            start.angle,
            start.speed,
        )

    def _outputs(self) -> Iterator[Variable]:
        angles = [self._reading(shaft, k, "angle") for k, shaft in enumerate(self._ends)]
        for k, (end, shaft) in enumerate(zip(("input", "output"), self._ends, strict=True)):
            yield Variable(f"{end}.angle", "output", "rad", f"angle of the {end} shaft", angles[k])
            if shaft.multiplier < 0:
                speed = self._reading(shaft, k, "speed")
                yield Variable(
                    f"{end}.speed", "output", "rad/s", f"speed of the {end} shaft", speed
                )
            else:
                text = f"torque that turns the {end} shaft"
                yield Variable(f"{end}.torque", "output", "N.m", text, (self._reaction(shaft),))
        ahead = [
            Place(each.array, each.offset, -each.weight / self.machine.ratio) for each in angles[0]
        ]
        text = "angle of the output less that of the ideal machine"
        yield Variable("transmission_error", "output", "rad", text, (*angles[1], *ahead))

    def _reading(
        self, shaft: Shaft, number: int, what: Literal["angle", "speed"]
    ) -> tuple[Place, ...]:
        """Angle or speed of a shaft against its reference."""
        state: AnyState = self.state
        if isinstance(state, SpatialState):
            return (place(self.turning, what, number),)
        rows: Floats = state.position if what == "angle" else state.velocity
        return place(rows, shaft.body, 2), place(rows, shaft.reference, 2, weight=-1.0)

    def _reaction(self, shaft: Shaft) -> Place:
        """The multiplier of a shaft's angle: a torque in space, minus one in the plane."""
        sign = 1.0 if isinstance(self.state, SpatialState) else -1.0
        return place(self.state.multipliers, shaft.multiplier, weight=sign)

    def _description(self) -> str:
        names = (self.assembly.input, self.assembly.output)
        ends = " and ".join(
            end if end == name else f"{end} ({name})"
            for end, name in zip(("input", "output"), names, strict=True)
        )
        return f"{self.machine.title}: a block with the shafts {ends}"

    def _fixed(self) -> Iterator[tuple[str, str]]:
        start, settings = self.start, self.settings
        yield "geometry", "All dimensions, clearances, errors and masses of the machine."
        yield (
            "start",
            f"Equilibrium under an output torque of {start.output_torque:.6g} N·m with the input "
            f"at {np.degrees(start.angle):.6g}°, then turning at {start.speed:.6g} rad/s. Values "
            "set before the start act from then on; the equilibrium stays that of the export.",
        )
        yield (
            "ratio",
            f"The transmission error counts from the ratio {self.machine.ratio:.9g} of the ideal "
            "machine.",
        )
        yield (
            "integration",
            f"Steps of at most {settings.step:.6g} s, shortened where contacts ask for it; "
            f"generalized-alpha, spectral radius {settings.spectral_radius:g}.",
        )
        if settings.drive == "speed":
            yield (
                "drive",
                "The input's speed goes linearly from its last value to the new one over each "
                "step of the host.",
            )
        else:
            yield "drive", "Torques are held over each step of the host."

    def _warnings(self) -> Iterator[str]:
        yield from coarse_step_warnings(self.machine, self.settings.step, self.start.speed)
        yield from overload_warnings(self.machine, self.start.output_torque)
