"""Transmission error: how far the output is from where an ideal ratio would put it.

    TE(θ_in) = θ_out - θ_in / i

under the load of the operating point, static (equilibrium at every angle) or dynamic (at speed).
"""

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from flank.analyses.contacts import force_quantities, index_coordinates, peak_quantities
from flank.analyses.equilibria import along_crank
from flank.analyses.result import Quantity, Result, make_result
from flank.analyses.settings import ModeSettings
from flank.analyses.warnings import contact_warnings
from flank.dynamics.functions import constant, linear, run_up
from flank.dynamics.run import (
    DynamicSettings,
    Progress,
    Trajectory,
    solve_dynamics,
    solve_statics,
)
from flank.errors import SpecError
from flank.machines.base import Assembly, Machine
from flank.machines.quantities import Angle, Fraction, PositiveTime, Torque, WholeNumber

NAME = "transmission-error"
TITLE = "Transmission error"

Turns = Annotated[int, WholeNumber(minimum=1, maximum=10_000)]
Points = Annotated[int, WholeNumber(minimum=8, maximum=100_000)]

POINTS_PER_PERIOD = 4
"""Points that the highest named order should have in one period."""

MOST_POINTS = 2_000_000


class TransmissionErrorSettings(ModeSettings):
    """What crank range is looked at, and how."""

    ONLY = {"static": (), "dynamic": ("step", "settling_turns", "spectral_radius")}  # noqa: RUF012
    turns: Turns = Field(default=1, description="turns of the input", examples=[1])
    points_per_turn: Points = Field(
        default=720, description="points on one turn of the input", examples=[720]
    )
    start_angle: Angle = Field(
        default=0.0, description="where the range begins", examples=["30 deg"]
    )
    torque: Torque | None = Field(
        default=None,
        description="the output torque; the operating point's if absent",
        examples=["200 N*m"],
    )
    step: PositiveTime = Field(
        default=1e-4, description="largest time step of a dynamic run", examples=["0.1 ms"]
    )
    settling_turns: Turns = Field(
        default=1, description="turns before the range in a dynamic run", examples=[1]
    )
    spectral_radius: Fraction = Field(
        default=0.8, description="of generalized-alpha, in a dynamic run", examples=[0.8]
    )

    def cross_checks(self) -> Iterable[str]:
        yield from super().cross_checks()
        if self.turns * self.points_per_turn > MOST_POINTS:
            yield (
                f"turns times points_per_turn is more than {MOST_POINTS:,}; "
                "look at fewer turns or points"
            )


DEFAULTS = TransmissionErrorSettings()


def run(
    machine: Machine,
    settings: TransmissionErrorSettings = DEFAULTS,
    progress: Progress | None = None,
) -> Result:
    """TE over the crank range with its spectrum, and the contact forces along the way."""
    count = settings.turns * settings.points_per_turn
    angles = settings.start_angle + np.arange(count) * (2 * math.pi / settings.points_per_turn)
    torque = machine.load_torque if settings.torque is None else settings.torque
    solve = _static if settings.mode == "static" else _dynamic
    trajectory, assembly = solve(machine, settings, angles, torque, progress)
    done = len(trajectory.time)
    angles = angles[:done]
    error = trajectory.position[:, assembly.output_body, 2] - angles / machine.ratio
    quantities: dict[str, Quantity] = {}
    coordinates = {
        "crank_angle": Quantity(("crank_angle",), angles, "rad", "deg", "Crank angle")
    } | index_coordinates(assembly.groups)
    if done:
        quantities |= _summary(error, torque)
        quantities |= peak_quantities(trajectory.touches, assembly.groups)
        quantities["transmission_error"] = Quantity(
            ("crank_angle",), error, "rad", "arcsec", "Transmission error"
        )
        quantities |= force_quantities(trajectory.touches, assembly.groups, ("crank_angle",))
    if trajectory.complete:
        orders, amplitudes = spectrum(error, settings.turns)
        coordinates["order"] = Quantity(("order",), orders, "", "", "Order of the input turn")
        quantities["amplitude"] = Quantity(
            ("order",), amplitudes, "rad", "arcsec", "Amplitude of the transmission error"
        )
        ratio = abs(machine.ratio)
        quantities["output_order"] = Quantity(
            ("order",), orders * ratio, "", "", "Order of the output turn"
        )
    warnings = [
        *contact_warnings(assembly, trajectory.touches, settings.mode == "static"),
        *_sampling_warnings(machine, settings),
    ]
    return make_result(NAME, machine, settings, trajectory, quantities, coordinates, warnings)


def spectrum(error: NDArray, turns: int) -> tuple[NDArray, NDArray]:
    """Orders of the input turn and one-sided amplitudes, the mean left out."""
    amplitudes = np.abs(np.fft.rfft(error - error.mean())) * 2 / len(error)
    if len(error) % 2 == 0:
        amplitudes[-1] *= 0.5
    return np.arange(len(amplitudes)) / turns, amplitudes


def _sampling_warnings(machine: Machine, settings: TransmissionErrorSettings) -> list[str]:
    name, order = max(machine.orders.items(), key=lambda item: item[1])
    wanted = math.ceil(POINTS_PER_PERIOD * order)
    if settings.points_per_turn >= wanted:
        return []
    return [
        f"{settings.points_per_turn} points a turn do not resolve the {name} order {order:g}; "
        f"use at least {wanted}."
    ]


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


def _static(
    machine: Machine,
    settings: TransmissionErrorSettings,
    angles: NDArray,
    torque: float,
    progress: Progress | None,
) -> tuple[Trajectory, Assembly]:
    assembly = machine.assemble(linear(1.0), constant(torque))
    return along_crank(machine, assembly, angles, progress), assembly


def _dynamic(
    machine: Machine,
    settings: TransmissionErrorSettings,
    angles: NDArray,
    torque: float,
    progress: Progress | None,
) -> tuple[Trajectory, Assembly]:
    """Start loaded and at rest, run up in the first half of the settling time, record after it."""
    speed = machine.input_speed
    if speed <= 0:
        raise SpecError("operation.input_speed must be positive for a run at speed")
    interval = 2 * math.pi / settings.points_per_turn / speed
    before = settings.settling_turns * settings.points_per_turn
    ramp = 0.5 * before * interval
    start = angles[0] - speed * (before * interval - 0.5 * ramp)
    held = machine.assemble(constant(start), constant(torque))
    rest = solve_statics(held.model, machine.ideal_pose(start), np.array([0.0]))
    if not rest.complete:
        return rest, held
    assembly = machine.assemble(run_up(speed, ramp, start), constant(torque))
    stride = math.ceil(interval / settings.step)
    whole = solve_dynamics(
        assembly.model,
        rest.position[0],
        (before + len(angles) - 1) * interval,
        DynamicSettings(interval / stride, spectral_radius=settings.spectral_radius),
        stride=stride,
        progress=progress,
    )
    recorded = slice(before, None)
    return (
        replace(
            whole,
            time=whole.time[recorded],
            position=whole.position[recorded],
            touches=whole.touches[recorded],
        ),
        assembly,
    )
