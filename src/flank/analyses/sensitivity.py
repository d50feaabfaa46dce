"""Sensitivity: what each manufacturing error does to stiffness, lost motion, backlash and TE.

One static path with the input locked and one over an input turn are enough for all errors: the
derivatives of the output's angle follow at each equilibrium by implicit differentiation, those of
the figures from their definitions,

    K_T  slope of T(θ) over the last part of the torque, mean of both directions
    LM   θ(+3 %) - θ(-3 %) of the rated torque, without friction
    BL   θ(+0) - θ(-0): the limits at zero torque, taken at a millionth of the rated torque
    TE   dTE/dp over the crank angle; its peak-to-peak is the TE of the error alone, to first order.

All hold to first order: as long as the same contacts carry.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, Protocol

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from flank.analyses.derivatives import STEPS, Station, angle_derivatives, stations
from flank.analyses.equilibria import (
    along_crank,
    both_directions,
    locked,
    peak_torque,
    turning,
)
from flank.analyses.load_warnings import overload_warnings
from flank.analyses.loop import (
    FIT_POINTS,
    LOST_MOTION_SHARE,
    fitted_stiffness,
    fitted_stiffness_gradient,
)
from flank.analyses.result import Quantity, Result, make_result
from flank.analyses.sensitivity_quantities import MEASURES, by_error, by_kind, labels, nominal
from flank.analyses.warnings import contact_warnings
from flank.dynamics.run import Progress
from flank.dynamics.trajectory import AnyTrajectory, joined
from flank.errors import SpecError
from flank.machines.base import ErrorParameter, HasErrors, Reducer
from flank.machines.quantities import Angle, Torque, WholeNumber, quantity
from flank.machines.spec import Spec

NAME = "sensitivity"
TITLE = "Sensitivity"

LIMIT_SHARE = 1e-6
"""Share of the rated torque that stands for the limit at zero torque."""


class SensitivitySettings(Spec):
    """Where the machine is linearised."""

    torque: Torque | None = Field(
        default=None,
        description="the peak torque of the loop; the rated one if absent",
        examples=["412 N*m"],
    )
    crank_angle: Angle = Field(
        default=0.0, description="where the input is locked for the loop", examples=["30 deg"]
    )
    fit_from: Annotated[float, quantity("", "", positive=True, maximum=0.95)] = Field(
        default=0.66, description="share of the torque where the fit of K_T begins", examples=[0.66]
    )
    load_torque: Torque | None = Field(
        default=None,
        description="the torque under which TE is taken; the operating point's if absent",
        examples=["200 N*m"],
    )
    points: Annotated[int, WholeNumber(minimum=8, maximum=10_000)] = Field(
        default=72, description="crank angles on the input turn of TE", examples=[72]
    )
    difference: Literal["forward", "central"] = Field(
        default="forward", description="how forces are differenced", examples=["central"]
    )


DEFAULTS = SensitivitySettings()


class Erring(Reducer, HasErrors, Protocol):
    """What is asked here."""


@dataclass(frozen=True)
class Derivatives:
    """dθ/dp of every error (error, station) on the loop's two sides and along the crank."""

    loop: NDArray
    turn: NDArray


def run(
    machine: Erring,
    settings: SensitivitySettings = DEFAULTS,
    progress: Progress | None = None,
) -> Result:
    """Derivatives of four figures by every error that the machine knows."""
    errors = machine.error_parameters()
    peak = peak_torque(machine, settings.torque)
    load = machine.load_torque if settings.load_torque is None else settings.load_torque
    if load == 0:
        raise SpecError(
            "load_torque is zero and the output loose in its backlash; give the torque under "
            "which the transmission error is taken"
        )
    base = locked(machine, settings.crank_angle)
    torques = _torques(settings.fit_from, peak, machine.rated_torque)
    sides = both_directions(base, machine.ideal_pose(settings.crank_angle), torques, None)
    angles = np.asarray(np.arange(settings.points) * (2 * np.pi / settings.points))
    running = turning(machine, load)
    turn = along_crank(machine, running, angles)
    whole = joined([*sides, turn])
    warnings = contact_warnings(base, whole, static=True)
    warnings += overload_warnings(machine, max(peak, abs(load)))
    quantities: dict[str, Quantity] = {}
    coordinates: dict[str, Quantity] = {}
    tables = {}
    if whole.complete:
        loop_path = [station for side in sides for station in stations(base, side)]
        turn_path = stations(running, turn)
        found = _derivatives(machine, settings, load, errors, loop_path, turn_path, progress)
        loop_angles = [side.angle(base.output_shaft) for side in sides]
        te = turn.angle(base.output_shaft) - angles / machine.ratio
        effects = _effects(found, sides, loop_angles)
        figures = (*_loop_figures(sides, loop_angles), float(np.ptp(te)))
        quantities = nominal(figures, peak, load)
        quantities |= by_error(errors, effects, found.turn) | by_kind(errors, effects)
        coordinates = labels(errors, angles)
        warnings += _warnings(errors, [*loop_path, *turn_path])
        columns = tuple(f"{name}_of_kind" for name in MEASURES)
        tables = {"One tolerance of each kind": ("kind", "kind_count", *columns)}
    return make_result(NAME, machine, settings, whole, quantities, coordinates, warnings, tables)


def _torques(fit_from: float, peak: float, rated: float) -> NDArray:
    """Unloading: the fit's torques, that of the lost motion, and the limit at zero."""
    fit = peak * np.linspace(1.0, fit_from, FIT_POINTS)
    return np.array([*fit, LOST_MOTION_SHARE * rated, LIMIT_SHARE * rated])


def _derivatives(
    machine: Erring,
    settings: SensitivitySettings,
    load: float,
    errors: Sequence[ErrorParameter],
    loop_path: list[Station],
    turn_path: list[Station],
    progress: Progress | None,
) -> Derivatives:
    """One changed machine (two if central) for every error, at all equilibria."""
    signs = (1.0, -1.0) if settings.difference == "central" else (1.0,)
    loop, turn = [], []
    for k, error in enumerate(errors):
        step = STEPS[error.unit]
        changed = [machine.with_error(error.name, sign * step) for sign in signs]
        held = [locked(each, settings.crank_angle).planar for each in changed]
        run = [turning(each, load).planar for each in changed]
        loop.append(angle_derivatives(loop_path, step, *held))
        turn.append(angle_derivatives(turn_path, step, *run))
        if progress is not None:
            progress((k + 1) / len(errors))
    return Derivatives(np.array(loop), np.array(turn))


def _effects(
    found: Derivatives, sides: Sequence[AnyTrajectory], angles: Sequence[NDArray]
) -> dict[str, NDArray]:
    """Derivative of each figure by each error, in SI."""
    upper, lower = np.split(found.loop, 2, axis=1)
    fit = slice(0, FIT_POINTS)
    slopes = [
        part[:, fit] @ fitted_stiffness_gradient(side.time[fit], angle[fit])
        for part, side, angle in zip((upper, lower), sides, angles, strict=True)
    ]
    return {
        "torsional_stiffness": np.mean(slopes, axis=0),
        "lost_motion": upper[:, -2] - lower[:, -2],
        "backlash": upper[:, -1] - lower[:, -1],
        "transmission_error": np.ptp(found.turn, axis=1),
    }


def _loop_figures(
    sides: Sequence[AnyTrajectory], angles: Sequence[NDArray]
) -> tuple[float, float, float]:
    """K_T, lost motion and backlash of the machine as it is."""
    fit = slice(0, FIT_POINTS)
    slopes = [fitted_stiffness(s.time[fit], a[fit]) for s, a in zip(sides, angles, strict=True)]
    upper, lower = angles
    return float(np.mean(slopes)), upper[-2] - lower[-2], upper[-1] - lower[-1]


def _warnings(errors: Sequence[ErrorParameter], path: Sequence[Station]) -> list[str]:
    found = []
    if any(error.assumed for error in errors):
        found.append(
            "Tolerances that the spec does not give are Flank's own, not those of a drawing."
        )
    loose = sum(station.loose for station in path)
    if loose:
        found.append(
            f"At {loose} of {len(path)} equilibria the output is not held by contacts alone; "
            "derivatives there are the solver's own: use larger torques."
        )
    return found
