"""Sensitivity: what each manufacturing error does to stiffness, lost motion, backlash and TE.

One static path with the input locked and one over an input turn are enough for all errors: the
derivatives of the output's angle follow at each equilibrium by implicit differentiation, those of
the figures from their definitions,

    K_T  slope of T(θ) from half to all of the rated torque, mean of both directions
    LM   θ(+3 %) - θ(-3 %) of the rated torque, without friction
    BL   θ(+0) - θ(-0): the limits at zero torque, taken at a millionth of the rated torque
    TE   dTE/dp over the crank angle; its peak-to-peak is the TE of the error alone, to first order.

All hold to first order: as long as the same contacts carry.

At an equilibrium r(q, λ; p) = 0 and c(q; p) = 0, an error p changes the pose by

    K dq + Cᵀ dλ = ∂(Q - Cᵀλ)/∂p dp,        C dq = -∂c/∂p dp.

The right sides are differences between the changed machine and the machine itself at the same pose,
joints and springs included. Only the output's angle is wanted, so one solve of the transposed
system at each equilibrium serves all errors:  dθ/dp = yᵀ ∂(Q - Cᵀλ)/∂p - μᵀ ∂c/∂p.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, Protocol

import numpy as np

from flank.analyses.loop import (
    FIT_POINTS,
    LOST_MOTION_SHARE,
    fit_torques,
    fitted_stiffness,
    fitted_stiffness_gradient,
)
from flank.analyses.quantities import LESS, MORE, Declared, Quantities, Values
from flank.analyses.registry import find_analysis
from flank.analyses.result import Result, make_result
from flank.analyses.runs import (
    LOOSE,
    assemble_locked,
    assemble_turning,
    linearize_at,
    peak_torque,
    solve_along_crank,
    solve_both_directions,
)
from flank.analyses.settings import FitSettings
from flank.analyses.warnings import contact_warnings, overload_warnings
from flank.arrays import Floats
from flank.dynamics.linearize import Linearization, unbalanced_forces, unit_turn
from flank.dynamics.model import Model
from flank.dynamics.run import Progress
from flank.dynamics.trajectory import AnyTrajectory, joined
from flank.errors import SpecError, suggestion
from flank.machines.base import Assembly, ErrorParameter, HasErrors, Reducer
from flank.machines.quantities import Angle, Torque, WholeNumber
from flank.machines.spec import key, optional
from flank.texts import echo

LIMIT_SHARE = 1e-6
"""Share of the rated torque that stands for the limit at zero torque."""

STEPS = {"m": 1e-12, "rad": 1e-11}
"""Changes over which forces are differenced. The lightest contacts of a path, at a millionth of the
torque, are pushed in by some 1e-10 m and must stay closed; positions carry some 1e-17 m."""

SHOWN_STEPS = {"m": 1e-6, "rad": np.deg2rad(0.001)}
"""Errors of a handy size: 1 um, or 0.001 deg, which is as much at a radius of 57 mm."""

MEASURES = {
    "torsional_stiffness": Declared("Torsional stiffness", "N*m/rad", "N*m/arcmin", better=MORE),
    "lost_motion": Declared("Lost motion", "rad", "arcsec", better=LESS),
    "backlash": Declared("Backlash", "rad", "arcsec", better=LESS),
    "transmission_error": Declared("TE of the error alone, peak to peak", "rad", "arcsec"),
}
"""What is differentiated."""

SHORT = {"transmission_error": "TE"}
NOMINAL = {"transmission_error": "Transmission error, peak to peak"}
"""Titles that differ in the table of kinds, and of the machine as specified."""


def _measures(
    name: str, title: str, over: str = "", others: Mapping[str, str] | None = None
) -> dict[str, Declared]:
    """All measures, the name and the title of each set into those given."""
    return {
        name.format(measure): Declared(
            title.format((others or {}).get(measure, declared.title)),
            declared.unit,
            declared.shown_unit,
            over,
        )
        for measure, declared in MEASURES.items()
    }


QUANTITIES = Quantities(
    "sensitivity",
    {
        "torque": Declared("Peak torque of the loop", "N*m"),
        "load_torque": Declared("Torque of the transmission error", "N*m"),
        **_measures("{}", "{}, as specified", others=NOMINAL),
        **_measures("{}_per_step", "{}, for 1 um or 0.001 deg", "parameter"),
        **_measures("{}_per_tolerance", "{}, for one tolerance", "parameter"),
        "transmission_error_curve": Declared(
            "First-order transmission error of one tolerance alone",
            "rad",
            "arcsec",
            "parameter crank_angle",
        ),
        "kind_count": Declared("Number", over="kind"),
        **_measures("{}_of_kind", "{}", "kind", SHORT),
        **_measures("{}_of_all", "{}, all tolerances, root of squares"),
    },
    {
        "parameter": Declared("Error", over="parameter"),
        "parameter_title": Declared("Error", over="parameter"),
        "parameter_kind": Declared("Kind of error", over="parameter"),
        "parameter_unit": Declared("Unit of the error", over="parameter"),
        "parameter_tolerance": Declared("Tolerance, m or rad", over="parameter"),
        "kind": Declared("Kind of error", over="kind"),
        "crank_angle": Declared("Crank angle", "rad", "deg", "crank_angle"),
    },
    {
        "One tolerance of each kind": (
            "kind",
            "kind_count",
            *(f"{name}_of_kind" for name in MEASURES),
        )
    },
)


class SensitivitySettings(FitSettings):
    """Where the machine is linearised."""

    torque: Torque | None = optional(
        "the peak torque of the loop; the rated one if absent", "412 N*m"
    )
    crank_angle: Angle = key("where the input is locked for the loop", "30 deg", default=0.0)
    load_torque: Torque | None = optional(
        "the torque under which TE is taken; the operating point's if absent", "200 N*m"
    )
    points: Annotated[int, WholeNumber(minimum=8, maximum=10_000)] = key(
        "crank angles on the input turn of TE", default=72
    )
    difference: Literal["forward", "central"] = key(
        "how forces are differenced", "central", default="forward"
    )
    kinds: tuple[str, ...] = key(
        "kinds of errors that are differentiated by; all if absent", "[pin_radius]", default=()
    )


DEFAULTS = SensitivitySettings()


@dataclass(frozen=True)
class Station:
    """An equilibrium, and what forces and open joints there do to the output's angle."""

    at: Linearization
    influence: Floats  # y, rad/N and rad/(N·m)
    joint_influence: Floats  # μ, rad per m or rad of c
    force: Floats  # Q - Cᵀλ of the machine itself, zero but for round-off
    residuals: Floats  # c of the machine itself
    loose: bool  # nothing but the solver's diagonal holds the output

    def turned_by(self, changed: Model) -> float:
        """Change of the output's angle, to first order in what differs between the models."""
        force, residuals = unbalanced_forces(changed, self.at)
        return float(
            self.influence @ (force - self.force)
            - self.joint_influence @ (residuals - self.residuals)
        )


def stations(assembly: Assembly, path: AnyTrajectory) -> list[Station]:
    """The equilibria of a static path, ready to be differentiated."""
    model = assembly.planar
    direction = unit_turn(model, assembly.output_shaft.body)
    return [
        _station(linearize_at(assembly, path, row), model, direction)
        for row in range(len(path.time))
    ]


def angle_derivatives(
    path: list[Station], step: float, above: Model, below: Model | None = None
) -> Floats:
    """dθ/dp at every station from the machine changed by +step, and by -step if central."""
    changes = np.array([station.turned_by(above) for station in path])
    if below is not None:
        changes = 0.5 * (changes - np.array([station.turned_by(below) for station in path]))
    return np.asarray(changes / step)


def _station(at: Linearization, model: Model, direction: Floats) -> Station:
    influence, joint_influence = at.influence(direction)
    force, residuals = unbalanced_forces(model, at)
    loose = at.regularization_share(influence, direction) > LOOSE
    return Station(at, influence, joint_influence, force, residuals, loose)


class Erring(Reducer, HasErrors, Protocol):
    """A reducer whose manufacturing errors can be told apart."""


Pair = tuple[Reducer, Reducer]
"""A machine with something a little larger, and a little smaller."""


@dataclass(frozen=True)
class Derivatives:
    """dθ/dp of every error (error, station) on the loop's two sides and along the crank."""

    loop: Floats
    turn: Floats


def run(
    machine: Erring,
    settings: SensitivitySettings = DEFAULTS,
    progress: Progress | None = None,
) -> Result:
    """Derivatives of four figures by every error that the machine knows."""
    find_analysis(QUANTITIES.analysis).check_machine(machine)
    errors = _chosen_errors(machine, settings.kinds)
    peak = peak_torque(machine, settings.torque)
    load = machine.load_torque if settings.load_torque is None else settings.load_torque
    if load == 0:
        raise SpecError(
            "load_torque is zero and the output loose in its backlash; give the torque under "
            "which the transmission error is taken"
        )
    base = assemble_locked(machine, settings.crank_angle)
    torques = _torques(settings, peak, machine.rated_torque)
    sides = solve_both_directions(base, machine.ideal_pose(settings.crank_angle), torques, None)
    angles = np.asarray(np.arange(settings.points) * (2 * np.pi / settings.points))
    running = assemble_turning(machine, load)
    turn = solve_along_crank(machine, running, angles)
    path = joined([*sides, turn])
    warnings = contact_warnings(base, path, static=True)
    warnings += overload_warnings(machine, max(peak, abs(load)))
    values: Values = {}
    if path.complete:
        loop_path = [station for side in sides for station in stations(base, side)]
        turn_path = stations(running, turn)
        changes = _derivatives(machine, settings, load, errors, loop_path, turn_path, progress)
        loop_angles = [side.angle(base.output_shaft) for side in sides]
        te = turn.angle(base.output_shaft) - angles / machine.ratio
        effects = _effects(changes, sides, loop_angles)
        figures = (*_loop_figures(sides, loop_angles), float(np.ptp(te)))
        values = {"torque": peak, "load_torque": load}
        values |= zip(MEASURES, figures, strict=True)
        values |= _by_error(errors, effects, changes.turn) | _by_kind(errors, effects)
        values |= _labels(errors) | {"crank_angle": angles}
        warnings += _warnings(errors, [*loop_path, *turn_path])
    return make_result(QUANTITIES, machine, settings, path, values, warnings)


def loop_slopes(
    machine: Reducer, settings: SensitivitySettings, step: float, changed: Sequence[Pair]
) -> dict[str, Floats]:
    """Derivatives of torsional stiffness, lost motion and backlash by what makes each pair of
    machines, `step` above and below; nothing where equilibria are not found or nothing holds the
    output."""
    base = assemble_locked(machine, settings.crank_angle)
    peak = peak_torque(machine, settings.torque)
    torques = _torques(settings, peak, machine.rated_torque)
    sides = solve_both_directions(base, machine.ideal_pose(settings.crank_angle), torques, None)
    if not all(side.complete for side in sides):
        return {}
    path = [station for side in sides for station in stations(base, side)]
    if any(station.loose for station in path):
        return {}
    slopes = [
        angle_derivatives(
            path, step, *(assemble_locked(each, settings.crank_angle).planar for each in pair)
        )
        for pair in changed
    ]
    angles = [side.angle(base.output_shaft) for side in sides]
    found = _effects(Derivatives(np.array(slopes), np.zeros((len(changed), 1))), sides, angles)
    return {name: values for name, values in found.items() if name != "transmission_error"}


def error_slopes(
    machine: Reducer, load: float, angles: Floats, step: float, changed: Sequence[Pair]
) -> Floats | None:
    """The same of the transmission error's peak to peak over crank angles: the derivative where it
    is highest less that where it is lowest."""
    running = assemble_turning(machine, load)
    turn = solve_along_crank(machine, running, angles)
    if not turn.complete:
        return None
    error = turn.angle(running.output_shaft) - angles / machine.ratio
    model = running.planar
    direction = unit_turn(model, running.output_shaft.body)
    ends = [
        _station(linearize_at(running, turn, int(row)), model, direction)
        for row in (np.argmax(error), np.argmin(error))
    ]
    if any(station.loose for station in ends):
        return None
    slopes = [
        angle_derivatives(ends, step, *(assemble_turning(each, load).planar for each in pair))
        for pair in changed
    ]
    return np.array([highest - lowest for highest, lowest in slopes])


def _chosen_errors(machine: Erring, kinds: Sequence[str]) -> list[ErrorParameter]:
    errors = machine.error_parameters()
    known = _kinds(errors)
    for kind in kinds:
        if kind not in known:
            raise SpecError(
                f"kinds: '{echo(kind)}' is not a kind of error of this machine"
                f"{suggestion(kind, known)} Known: {', '.join(known)}"
            )
    return [error for error in errors if not kinds or error.kind in kinds]


def _torques(settings: SensitivitySettings, peak: float, rated: float) -> Floats:
    """Unloading from the peak: the fit's torques, that of the lost motion, and the limit at zero;
    SpecError where the peak is below the fit's."""
    settings.check_fit(peak, rated)
    fit = fit_torques(settings.fit_from, settings.fit_to, peak, rated)
    assert fit is not None
    peaks = [peak] if peak > fit[-1] else []
    return np.array([*peaks, *fit[::-1], LOST_MOTION_SHARE * rated, LIMIT_SHARE * rated])


FIT = slice(-2 - FIT_POINTS, -2)
"""Of the torques, those of the fit."""


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
        locked_models = [assemble_locked(each, settings.crank_angle).planar for each in changed]
        running = [assemble_turning(each, load).planar for each in changed]
        loop.append(angle_derivatives(loop_path, step, *locked_models))
        turn.append(angle_derivatives(turn_path, step, *running))
        if progress is not None:
            progress((k + 1) / len(errors))
    return Derivatives(np.array(loop), np.array(turn))


def _effects(
    changes: Derivatives, sides: Sequence[AnyTrajectory], angles: Sequence[Floats]
) -> dict[str, Floats]:
    """Derivative of each figure by each error, in SI."""
    upper, lower = np.split(changes.loop, 2, axis=1)
    slopes = [
        part[:, FIT] @ fitted_stiffness_gradient(side.time[FIT], angle[FIT])
        for part, side, angle in zip((upper, lower), sides, angles, strict=True)
    ]
    return {
        "torsional_stiffness": np.mean(slopes, axis=0),
        "lost_motion": upper[:, -2] - lower[:, -2],
        "backlash": upper[:, -1] - lower[:, -1],
        "transmission_error": np.ptp(changes.turn, axis=1),
    }


def _loop_figures(
    sides: Sequence[AnyTrajectory], angles: Sequence[Floats]
) -> tuple[float, float, float]:
    """K_T, lost motion and backlash of the machine as it is."""
    slopes = [fitted_stiffness(s.time[FIT], a[FIT]) for s, a in zip(sides, angles, strict=True)]
    upper, lower = angles
    return float(np.mean(slopes)), upper[-2] - lower[-2], upper[-1] - lower[-1]


def _by_error(errors: Sequence[ErrorParameter], effects: dict[str, Floats], turn: Floats) -> Values:
    """Effects of a handy step and of one tolerance of every error."""
    tolerance = np.array([error.tolerance for error in errors])
    step = np.array([SHOWN_STEPS[error.unit] for error in errors])
    values: Values = {}
    for name in MEASURES:
        values[f"{name}_per_step"] = effects[name] * step
        values[f"{name}_per_tolerance"] = effects[name] * tolerance
    return values | {"transmission_error_curve": turn * tolerance[:, None]}


def _by_kind(errors: Sequence[ErrorParameter], effects: dict[str, Floats]) -> Values:
    """Root of the sum of squares over the errors of one kind, and over all."""
    tolerance = np.array([error.tolerance for error in errors])
    members = np.array([[error.kind == kind for error in errors] for kind in _kinds(errors)])
    values: Values = {"kind_count": members.sum(axis=1)}
    for name in MEASURES:
        squares = (effects[name] * tolerance) ** 2
        values[f"{name}_of_kind"] = np.sqrt(members @ squares)
        values[f"{name}_of_all"] = np.sqrt(squares.sum())
    return values


def _kinds(errors: Sequence[ErrorParameter]) -> list[str]:
    return list(dict.fromkeys(error.kind for error in errors))


def _labels(errors: Sequence[ErrorParameter]) -> Values:
    return {
        "parameter": np.array([error.name for error in errors], dtype=str),
        "parameter_title": np.array([error.title for error in errors], dtype=str),
        "parameter_kind": np.array([error.kind for error in errors], dtype=str),
        "parameter_unit": np.array([error.unit for error in errors], dtype=str),
        "parameter_tolerance": [error.tolerance for error in errors],
        "kind": np.array(_kinds(errors), dtype=str),
    }


def _warnings(errors: Sequence[ErrorParameter], path: Sequence[Station]) -> list[str]:
    sentences = []
    if any(error.assumed for error in errors):
        sentences.append(
            "Tolerances that the spec does not give are Flank's own, not those of a drawing."
        )
    loose = sum(station.loose for station in path)
    if loose:
        sentences.append(
            f"At {loose} of {len(path)} equilibria the output is not held by contacts alone; "
            "derivatives there are the solver's own: use larger torques."
        )
    return sentences
