"""Transmission error: how far the output is from where an ideal ratio would put it.

    TE(θ_in) = θ_out - θ_in / i

under the load of the operating point, static (equilibrium at every angle) or dynamic (the input at
a speed, or free under a torque).
"""

import math
from collections.abc import Iterable
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from flank.analyses.contacts import force_quantities, index_coordinates, peak_quantities
from flank.analyses.load_warnings import load_warnings
from flank.analyses.mesh_quantities import MESH_TABLE, mesh_force_quantities, mesh_names
from flank.analyses.orders import (
    NAMED_ORDERS,
    evenly_over_angle,
    folding_warnings,
    leakage_warnings,
    named_order_quantities,
    natural_shaft,
    sampling_warnings,
    shaft_order,
    spectrum,
)
from flank.analyses.response_warnings import coarse_step_warnings
from flank.analyses.result import Quantity, Result, make_result
from flank.analyses.settings import ModeSettings
from flank.analyses.transmission_runs import (
    Range,
    balancing_torque,
    mean_speed,
    run_at_speed,
    run_under_torque,
    static_run,
    stray_speed_warnings,
)
from flank.analyses.warnings import contact_warnings
from flank.dynamics.run import Progress
from flank.dynamics.trajectory import AnyTrajectory
from flank.machines.base import Assembly, Transmission
from flank.machines.quantities import Angle, Fraction, PositiveTime, Torque, WholeNumber

NAME = "transmission-error"
TITLE = "Transmission error"

Turns = Annotated[int, WholeNumber(minimum=1, maximum=10_000)]
Points = Annotated[int, WholeNumber(minimum=8, maximum=100_000)]

MOST_POINTS = 2_000_000

FEWEST_POINTS, POINTS_PER_TOOTH, DEFAULT_LIMIT = 720, 32, 6000
"""On a turn, where the settings name none."""


class TransmissionErrorSettings(ModeSettings):
    """What range is looked at, and how."""

    ONLY = {  # noqa: RUF012
        "static": (),
        "dynamic": ("drive", "input_torque", "step", "settling_turns", "spectral_radius"),
    }
    turns_of: Literal["input", "crank", "output"] | None = Field(
        default=None,
        description="the shaft whose turns are counted; if absent the first of input, crank and "
        "output in whose turn a whole number of pins or teeth passes",
        examples=["output"],
    )
    turns: Turns = Field(default=1, description="turns of that shaft", examples=[1])
    points_per_turn: Points | None = Field(
        default=None,
        description="points on one turn of that shaft; if absent 720, or 32 for each tooth that "
        "passes where gears have more, up to 6000",
        examples=[720],
    )
    start_angle: Angle = Field(
        default=0.0, description="the input angle where the range begins", examples=["30 deg"]
    )
    torque: Torque | None = Field(
        default=None,
        description="the output torque; the operating point's if absent",
        examples=["200 N*m"],
    )
    drive: Literal["speed", "torque"] = Field(
        default="speed",
        description="in a dynamic run, the input at its speed, or free under a torque",
        examples=["torque"],
    )
    input_torque: Torque | None = Field(
        default=None,
        description="the torque on a free input; what balances the output's if absent",
        examples=["5 N*m"],
    )
    step: PositiveTime = Field(
        default=1e-4, description="largest time step of a dynamic run", examples=["0.1 ms"]
    )
    settling_turns: Turns = Field(
        default=1, description="turns of the input before the range in a dynamic run", examples=[1]
    )
    spectral_radius: Fraction = Field(
        default=0.8, description="of generalized-alpha, in a dynamic run", examples=[0.8]
    )

    def cross_checks(self) -> Iterable[str]:
        yield from super().cross_checks()
        if self.turns * (self.points_per_turn or FEWEST_POINTS) > MOST_POINTS:
            yield (
                f"turns times points_per_turn is more than {MOST_POINTS:,}; "
                "look at fewer turns or points"
            )
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
    asked = _range(settings, points, order, torque, progress)
    trajectory, assembly = _solve(machine, settings, asked)
    angles = asked.angles[: len(trajectory.time)]
    if settings.drive == "torque":
        angles = trajectory.angle(assembly.input_shaft, near=asked.angles[0])
    ideal = angles / machine.ratio
    error = trajectory.angle(assembly.output_shaft, near=ideal[0] if len(ideal) else 0.0) - ideal
    quantities: dict[str, Quantity] = {}
    coordinates = _angles(angles, shaft, order) | index_coordinates(assembly)
    coordinates |= mesh_names(assembly)
    warnings = contact_warnings(assembly, trajectory, settings.mode == "static")
    warnings += load_warnings(machine, assembly, torque, trajectory)
    warnings += sampling_warnings(machine, shaft, points)
    if settings.mode == "dynamic":
        warnings += coarse_step_warnings(
            machine, asked.step_taken(machine.input_speed), machine.input_speed
        )
    if len(angles):
        quantities |= _summary(error, torque)
        quantities |= peak_quantities(assembly, trajectory)
        quantities["transmission_error"] = Quantity(
            ("crank_angle",), error, "rad", "arcsec", "Transmission error"
        )
        quantities |= force_quantities(assembly, trajectory, ("crank_angle",))
        quantities |= mesh_force_quantities(assembly, trajectory, "crank_angle")
    input_turns = settings.turns / order
    if settings.drive == "torque" and trajectory.complete:
        speed = mean_speed(trajectory.time, angles)
        quantities["mean_input_speed"] = Quantity(
            (), speed, "rad/s", "rpm", "Mean speed of the free input"
        )
        warnings += stray_speed_warnings(speed, machine)
        error, input_turns = evenly_over_angle(angles, error)
    tables = MESH_TABLE if "mesh_force" in quantities else {}
    if trajectory.complete and input_turns > 0:
        found = _spectrum(machine, error, input_turns)
        lines = (np.asarray(found[name].values) for name in ("order", "amplitude"))
        warnings += folding_warnings(*lines)
        coordinates |= {name: found.pop(name) for name in ("order", "named_order")}
        quantities |= found
        tables = NAMED_ORDERS | tables
        warnings += leakage_warnings(machine, np.asarray(coordinates["order"].values))
    return make_result(
        NAME, machine, settings, trajectory, quantities, coordinates, warnings, tables
    )


def default_points(machine: Transmission, order: float) -> int:
    """Points a turn of a shaft with that order where nobody says: teeth have harmonics."""
    teeth = max(machine.orders.get(name, 0.0) for name in ("mesh", "tooth")) / order
    return min(max(FEWEST_POINTS, math.ceil(POINTS_PER_TOOTH * teeth - 1e-9)), DEFAULT_LIMIT)


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
    machine: Transmission, settings: TransmissionErrorSettings, asked: Range
) -> tuple[AnyTrajectory, Assembly]:
    if settings.mode == "static":
        return static_run(machine, asked)
    if settings.drive == "speed":
        return run_at_speed(machine, asked)
    given = settings.input_torque
    input_torque = balancing_torque(machine, asked.torque) if given is None else given
    return run_under_torque(machine, asked, input_torque)


def _angles(angles: NDArray, shaft: str, order: float) -> dict[str, Quantity]:
    """The input's angle, and that of the shaft whose turns are counted, which pictures show."""
    over = ("crank_angle",)
    return {
        "crank_angle": Quantity(over, angles, "rad", "deg", "Input angle"),
        "shaft_angle": Quantity(over, angles * order, "rad", "deg", f"{shaft.capitalize()} angle"),
    }


def _spectrum(machine: Transmission, error: NDArray, input_turns: float) -> dict[str, Quantity]:
    orders, amplitudes = spectrum(error, input_turns)
    return {
        "order": Quantity(("order",), orders, "", "", "Order of the input turn"),
        "amplitude": Quantity(
            ("order",), amplitudes, "rad", "arcsec", "Amplitude of the transmission error"
        ),
        "output_order": Quantity(
            ("order",), orders * abs(machine.ratio), "", "", "Order of the output turn"
        ),
    } | named_order_quantities(machine.orders, orders, amplitudes)


def _summary(error: NDArray, torque: float) -> dict[str, Quantity]:
    return {
        "torque": Quantity((), torque, "N*m", "N*m", "Output torque"),
        "peak_to_peak": Quantity(
            (), np.ptp(error), "rad", "arcsec", "Transmission error, peak to peak"
        ),
        "mean_error": Quantity(
            (), error.mean(), "rad", "arcmin", "Mean error (backlash taken up and wind-up)"
        ),
    }
