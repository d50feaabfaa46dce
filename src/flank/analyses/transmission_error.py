"""Transmission error: how far the output is from where an ideal ratio would put it.

    TE(θ_in) = θ_out - θ_in / i

under the load of the operating point, static (equilibrium at every angle) or dynamic (the input at
a speed, or free under a torque).
"""

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import Annotated, Any, Literal

import numpy as np

from flank.analyses.contact_states import (
    Contacts,
    check_room,
    running_velocity,
    state_numbers,
    state_values,
    states_over,
)
from flank.analyses.forces import (
    MESH_NAMES,
    MESH_TABLE,
    NUMBERS,
    PEAKS,
    contact_numbers,
    force_values,
    mesh_force_values,
    mesh_forces_over,
    mesh_names,
    peak_values,
)
from flank.analyses.measured_curves import (
    ERROR_DECLARED,
    MeasuredError,
    error_values,
    inside_of,
    read_error,
)
from flank.analyses.orders import (
    FEWEST_POINTS,
    NAMED_ORDERS,
    default_points,
    evenly_over_angle,
    folding_warnings,
    leakage_warnings,
    named_order_values,
    natural_shaft,
    sampling_warnings,
    shaft_order,
    spectrum,
)
from flank.analyses.quantities import LESS, Declared, Quantities, Read, Values
from flank.analyses.result import Result, make_result
from flank.analyses.runs import (
    Range,
    balancing_torque,
    mean_speed,
    run_at_speed,
    run_under_torque,
    solve_static,
)
from flank.analyses.settings import LoadTorque, StaticOrDynamic
from flank.analyses.warnings import (
    coarse_step_warnings,
    contact_warnings,
    load_warnings,
    stray_speed_warnings,
)
from flank.arrays import Floats
from flank.dynamics.run import Progress
from flank.dynamics.trajectory import AnyTrajectory, SpatialTrajectory
from flank.errors import SpecError
from flank.machines.base import Assembly, Drive, Transmission
from flank.machines.quantities import Angle, Fraction, PositiveTime, Torque, WholeNumber
from flank.machines.spec import key, optional

QUANTITIES = Quantities(
    "transmission-error",
    {
        "torque": Declared("Output torque", "N*m"),
        "peak_to_peak": Declared("Transmission error, peak to peak", "rad", "arcsec", better=LESS),
        "drawn_largest": Declared(
            "The same within tolerance, largest draw", "rad", "arcsec", better=LESS
        ),
        "mean_error": Declared("Mean error (backlash taken up and wind-up)", "rad", "arcmin"),
        "mean_input_speed": Declared("Mean speed of the free input", "rad/s", "rpm"),
        **PEAKS,
        "transmission_error": Declared("Transmission error", "rad", "arcsec", "crank_angle"),
        "drawn_peak_to_peak": Declared("Peak to peak", "rad", "arcsec", "draw"),
        "drawn_error": Declared(
            "Transmission error within tolerance", "rad", "arcsec", "draw crank_angle"
        ),
        **states_over("crank_angle"),
        **mesh_forces_over("crank_angle"),
        "amplitude": Declared("Amplitude of the transmission error", "rad", "arcsec", "order"),
        "output_order": Declared("Order of the output turn", over="order"),
        **NAMED_ORDERS,
        **ERROR_DECLARED,
    },
    {
        "crank_angle": Declared("Input angle", "rad", "deg", "crank_angle"),
        "shaft_angle": Declared("{Shaft} angle", "rad", "deg", "crank_angle"),
        **NUMBERS,
        **MESH_NAMES,
        "draw": Declared("Draw of all errors within tolerance, by its seed", over="draw"),
        "order": Declared("Order of the input turn", over="order"),
        "named_order": Declared("Name", over="named_order"),
    },
    {
        "Within tolerance": ("draw", "drawn_peak_to_peak"),
        "Named orders": ("named_order", *NAMED_ORDERS),
        **MESH_TABLE,
    },
    curves=(("crank_angle", "transmission_error"), ("order", "amplitude")),
)

Turns = Annotated[int, WholeNumber(minimum=1, maximum=10_000)]
Points = Annotated[int, WholeNumber(minimum=8, maximum=100_000)]

MOST_POINTS = 2_000_000


class TransmissionErrorSettings(StaticOrDynamic):
    """What range is looked at, and how."""

    ONLY = {  # noqa: RUF012
        "static": (),
        "dynamic": ("drive", "input_torque", "step", "settling_turns", "spectral_radius"),
    }
    turns_of: Literal["input", "crank", "output"] | None = optional(
        "the shaft whose turns are counted; if absent the first of input, crank and "
        "output in whose turn a whole number of pins or teeth passes",
        "output",
    )
    turns: Turns = key("turns of that shaft", default=1)
    points_per_turn: Points | None = optional(
        "points on one turn of that shaft; if absent 720, or 32 for each tooth that "
        "passes where gears have more, up to 6000",
        720,
    )
    start_angle: Angle = key("the input angle where the range begins", "30 deg", default=0.0)
    torque: LoadTorque = None
    drive: Literal["speed", "torque"] = key(
        "in a dynamic run, the input at its speed, or free under a torque",
        "torque",
        default="speed",
    )
    input_torque: Torque | None = optional(
        "the torque on a free input; what balances the output's if absent", "5 N*m"
    )
    step: PositiveTime = key("largest time step of a dynamic run", "0.1 ms", default=1e-4)
    settling_turns: Turns = key("turns of the input before the range in a dynamic run", default=1)
    spectral_radius: Fraction = key("of generalized-alpha, in a dynamic run", default=0.8)
    draws: Annotated[int, WholeNumber(minimum=0, maximum=100)] | None = optional(
        "machines with errors drawn within tolerance that are shown beside the one without, seeds "
        "1, 2, ...; if absent 3 for RV reducers without errors in a static run, else none",
        3,
    )
    contacts: Contacts = None
    measured: str | None = optional(
        "a file with a measured transmission error over the angle of the input or the output, with "
        "units, that is laid over the computed one",
        "error.csv",
    )
    measured_shift: Angle = key(
        "added to the input angles of the measurement, whose zero may be another",
        "12 deg",
        default=0.0,
    )

    def cross_checks(self) -> Iterable[str]:
        yield from super().cross_checks()
        if self.turns * (self.points_per_turn or FEWEST_POINTS) > MOST_POINTS:
            yield (
                f"turns times points_per_turn is more than {MOST_POINTS:,}; "
                "look at fewer turns or points"
            )
        if self.measured is None and self.measured_shift:
            yield "measured_shift does nothing without a file measured; remove it"
        if self.mode == "dynamic" and self.draws:
            yield "draws does nothing in dynamic mode; set mode to 'static'"
        if self.mode == "dynamic" and self.drive == "speed" and self.input_torque is not None:
            yield "input_torque does nothing where the input has its speed; set drive to 'torque'"


DEFAULTS = TransmissionErrorSettings()


def run(
    machine: Transmission,
    settings: TransmissionErrorSettings = DEFAULTS,
    progress: Progress | None = None,
) -> Result:
    """TE over the range with its spectrum, and the contact forces along the way."""
    shaft = settings.turns_of or natural_shaft(machine)
    order = shaft_order(machine, shaft)
    torque = machine.load_torque if settings.torque is None else settings.torque
    points = settings.points_per_turn or default_points(machine, order)
    over = _range(settings, points, order, torque, progress)
    measured = _measured(machine, settings, over)
    if settings.contacts == "full":
        check_room(machine.assemble(Drive()), len(over.angles))
    trajectory, assembly = _solve(machine, settings, over)
    angles = over.angles[: len(trajectory.time)]
    if settings.drive == "torque":
        angles = trajectory.angle(assembly.input_shaft, near=over.angles[0])
    ideal = angles / machine.ratio
    error = trajectory.angle(assembly.output_shaft, near=ideal[0] if len(ideal) else 0.0) - ideal
    if isinstance(trajectory, SpatialTrajectory):  # equilibria far apart do not tell whole turns
        error -= 2 * np.pi * np.round(error / (2 * np.pi))
    values: Values = {}
    if len(angles):
        values = {"torque": torque, "peak_to_peak": np.ptp(error), "mean_error": error.mean()}
        values |= peak_values(assembly, trajectory) | {"transmission_error": error}
        values |= force_values(assembly, trajectory) | mesh_force_values(assembly, trajectory)
    if trajectory.complete:
        values |= _within_tolerance(machine, settings, over)
        values |= {} if measured is None else error_values(measured, angles, error)
    values |= {
        "crank_angle": angles,
        "shaft_angle": Read(angles * order, {"Shaft": shaft.capitalize()}),
    }
    values |= contact_numbers(assembly) | mesh_names(assembly)
    if settings.contacts == "full" and len(angles):
        running = running_velocity(machine, angles) if settings.mode == "static" else None
        values |= state_values(assembly, trajectory, running) | state_numbers(assembly)
    warnings = contact_warnings(assembly, trajectory, settings.mode == "static")
    warnings += load_warnings(machine, assembly, torque, trajectory)
    warnings += sampling_warnings(machine, shaft, points)
    if settings.mode == "dynamic":
        step = over.step_taken(machine.input_speed)
        warnings += coarse_step_warnings(machine, step, machine.input_speed)
    input_turns = settings.turns / order
    if settings.drive == "torque" and trajectory.complete:
        speed = mean_speed(trajectory.time, angles)
        values["mean_input_speed"] = speed
        warnings += stray_speed_warnings(speed, machine.input_speed)
        error, input_turns = evenly_over_angle(angles, error)
    if trajectory.complete and input_turns > 0:
        orders, amplitudes = spectrum(error, input_turns)
        values |= {
            "order": orders,
            "amplitude": amplitudes,
            "output_order": orders * abs(machine.ratio),
        }
        values |= named_order_values(machine.orders, orders, amplitudes)
        warnings += folding_warnings(orders, amplitudes)
        warnings += leakage_warnings(machine, orders)
    return make_result(QUANTITIES, machine, settings, trajectory, values, warnings)


def _measured(
    machine: Transmission, settings: TransmissionErrorSettings, over: Range
) -> MeasuredError | None:
    """What was measured, shifted; SpecError where little of it is within the range."""
    if settings.measured is None:
        return None
    read = read_error(settings.measured, machine.ratio)
    shifted = read._replace(angle=read.angle + settings.measured_shift)
    inside_of(shifted, float(over.angles[0]), float(over.angles[-1]))
    return shifted


def _within_tolerance(
    machine: Transmission, settings: TransmissionErrorSettings, over: Range
) -> Values:
    """The transmission errors of drawn machines over the same range; those that cannot be made, or
    whose equilibria are not found, are left out."""
    drawn: dict[int, Floats] = {}
    for seed in range(1, _draws(machine, settings) + 1):
        try:
            one = _drawn(machine, seed)
        except SpecError:
            continue
        path, assembly = solve_static(one, replace(over, progress=None))
        if path.complete:
            ideal = over.angles / machine.ratio
            drawn[seed] = path.angle(assembly.output_shaft, near=ideal[0]) - ideal
    if not drawn:
        return {}
    errors = np.array(list(drawn.values()))
    sizes = np.ptp(errors, axis=1)
    return {
        "draw": np.array(list(drawn)),
        "drawn_peak_to_peak": sizes,
        "drawn_error": errors,
        "drawn_largest": sizes.max(),
    }


def _draws(machine: Transmission, settings: TransmissionErrorSettings) -> int:
    if settings.draws is not None:
        return settings.draws
    if settings.mode == "dynamic" or getattr(machine, "deviates", True):
        return 0
    return int(getattr(machine, "draws_shown", 0))


def _drawn(machine: Any, seed: int) -> Any:
    """The same machine with errors drawn on top of its own."""
    return type(machine)(machine.spec.with_changes({"errors.seed": seed}))


def _range(
    settings: TransmissionErrorSettings,
    points: int,
    order: float,
    torque: float,
    progress: Progress | None,
) -> Range:
    interval = 2 * math.pi / (order * points)
    count = settings.turns * points
    return Range(
        np.asarray(settings.start_angle + np.arange(count) * interval),
        interval,
        torque,
        settings.step,
        settings.settling_turns,
        settings.spectral_radius,
        progress,
    )


def _solve(
    machine: Transmission, settings: TransmissionErrorSettings, over: Range
) -> tuple[AnyTrajectory, Assembly]:
    if settings.mode == "static":
        return solve_static(machine, over)
    if settings.drive == "speed":
        return run_at_speed(machine, over)
    given = settings.input_torque
    input_torque = balancing_torque(machine, over.torque) if given is None else given
    return run_under_torque(machine, over, input_torque)
