"""Run a model of spatial bodies: statics along a path, or dynamics in time."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from flank.contact.table import FRICTION_NONE
from flank.dynamics.run import Progress, pieces
from flank.dynamics.spatial import statics
from flank.dynamics.spatial.consistent import make_consistent
from flank.dynamics.spatial.ledger import fill_powers
from flank.dynamics.spatial.march import MarchSettings, march
from flank.dynamics.spatial.model import (
    SpatialModel,
    SpatialRecord,
    SpatialState,
    initial_state,
    record_of,
    workspace,
)
from flank.dynamics.spatial.motion import fill_matrices
from flank.dynamics.spatial.quaternions import inverse, product
from flank.dynamics.status import Status
from flank.dynamics.trajectory import SpatialPose, SpatialTrajectory

Method = Literal["generalized-alpha", "trapezoid"]


@dataclass(frozen=True)
class SpatialStaticSettings:
    """`force_tolerance` relative to the largest force at hand."""

    force_tolerance: float = 1e-9
    maximum_iterations: int = 200


@dataclass(frozen=True)
class SpatialDynamicSettings:
    """How to march: `method`, the longest `step` in s, and what error a step may have.

    'generalized-alpha' damps what the step does not resolve, by `spectral_radius`; 'trapezoid' is
    the implicit trapezoidal rule, which damps nothing. A step whose estimated error of position
    exceeds `error_tolerance` in m is shortened, to no less than `shortest_step`.
    """

    step: float
    method: Method = "generalized-alpha"
    spectral_radius: float = 0.8
    force_tolerance: float = 1e-8
    maximum_iterations: int = 12
    error_tolerance: float = np.inf
    shortest_step: float = 0.0  # step / 2**14 if zero: friction takes hold within 1e-7 s

    def __post_init__(self) -> None:
        if self.method not in get_args(Method):
            raise ValueError(
                f"there is no method {self.method!r}; choose one of {', '.join(get_args(Method))}"
            )
        if not 0 <= self.spectral_radius <= 1:
            raise ValueError(
                f"a spectral radius of {self.spectral_radius:g} must lie between 0 (strongest "
                "damping of what the step does not resolve) and 1 (none)"
            )
        if not self.step > 0:
            raise ValueError(f"a time step of {self.step:g} s must be positive")


DEFAULT_STATICS = SpatialStaticSettings()


def solve_statics(
    model: SpatialModel,
    start: SpatialPose,
    times: NDArray,
    guesses: Sequence[SpatialPose] | None = None,
    settings: SpatialStaticSettings = DEFAULT_STATICS,
    progress: Progress | None = None,
) -> SpatialTrajectory:
    """Equilibria at `times`, each found from the one before; friction by velocity does not act.

    `guesses`, a pose a time, say how bodies move from one time to the next, if that is known.
    """
    times = np.ascontiguousarray(times, dtype=float)
    state, work = initial_state(model, start.position, start.rotation), workspace(model)
    record = record_of(state, len(times))
    counters = np.zeros(2, dtype=np.int64)
    tolerances = statics.SpatialStaticTolerances(
        float(settings.force_tolerance), int(settings.maximum_iterations)
    )
    found, status = 0, 0
    for row, time in enumerate(times):
        if guesses is not None and row > 0:
            _follow(state, guesses[row - 1], guesses[row])
        fill_matrices(state)
        status = statics.equilibrium(model, state, float(time), tolerances, work, counters)
        if status != 0:
            break
        _put(record, row, state)
        found = row + 1
        if progress is not None:
            progress(found / len(times))
    names = ("newton_iterations", "rejected_steps")
    counted = {"equilibria": found} | dict(zip(names, counters.tolist(), strict=True))
    return _trajectory(model, times, record, found, status, counted)


def solve_dynamics(
    model: SpatialModel,
    start: SpatialPose,
    duration: float,
    settings: SpatialDynamicSettings,
    records: int = 0,
    progress: Progress | None = None,
    begin: float = 0.0,
) -> SpatialTrajectory:
    """Integrate for `duration` from the time `begin` on; `records` equal intervals are recorded,
    every step if zero."""
    intervals = records or max(round(duration / settings.step), 1)
    times = begin + np.linspace(0.0, duration, intervals + 1)
    state = initial_state(model, start.position, start.rotation, start.velocity)
    work = workspace(model)
    fill_matrices(state)
    record = record_of(state, intervals + 1)
    counters = np.zeros(3, dtype=np.int64)
    step = np.array([min(settings.step, duration / intervals), 0.0])
    numbers = _numbers(model, settings)
    status = make_consistent(model, state, begin, work)
    fill_powers(model, state, begin, work, work.power[1])
    _put(record, 0, state)
    found = 1
    for first, last in pieces(intervals, 1) if status == 0 else []:
        status, done = march(
            model,
            state,
            times[first : last + 1],
            numbers,
            step,
            work,
            counters,
            SpatialRecord(*(field[first + 1 : last + 1] for field in record)),
        )
        found = first + done + 1
        if progress is not None:
            progress((found - 1) / intervals)
        if status != 0:
            break
    names = ("steps", "newton_iterations", "rejected_steps")
    counted = dict(zip(names, counters.tolist(), strict=True))
    return _trajectory(model, times, record, found, status, counted)


def _numbers(model: SpatialModel, settings: SpatialDynamicSettings) -> MarchSettings:
    """Coefficients of the method (Chung and Hulbert 1993), and tolerances."""
    trapezoid = settings.method == "trapezoid"
    rho = settings.spectral_radius
    alpha_m = 0.0 if trapezoid else (2 * rho - 1) / (rho + 1)
    alpha_f = 0.0 if trapezoid else rho / (rho + 1)
    gamma = 0.5 + alpha_f - alpha_m
    return MarchSettings(
        float(alpha_m),
        float(alpha_f),
        float(gamma),
        float((gamma + 0.5) ** 2 / 4),
        trapezoid,
        bool(np.any(model.contacts["friction_form"] != FRICTION_NONE)),
        float(settings.force_tolerance),
        int(settings.maximum_iterations),
        float(settings.error_tolerance),
        float(settings.step),
        float(settings.shortest_step or settings.step / 2**14),
    )


def _follow(state: SpatialState, before: SpatialPose, after: SpatialPose) -> None:
    """Move the state as one pose moves to the other."""
    state.position[:] += after.position - before.position
    moved = product(after.rotation, inverse(before.rotation))
    turned = product(moved, state.rotation)
    state.rotation[:] = turned / np.linalg.norm(turned, axis=-1, keepdims=True)


def _put(record: SpatialRecord, row: int, state: SpatialState) -> None:
    for name in SpatialRecord._fields:
        getattr(record, name)[row] = getattr(state, name)


def _trajectory(
    model: SpatialModel,
    times: NDArray,
    record: SpatialRecord,
    found: int,
    status: int,
    counters: dict[str, int],
) -> SpatialTrajectory:
    rows = {name: getattr(record, name)[:found] for name in SpatialRecord._fields}
    for name in ("multipliers", "impulse"):
        rows[name] = rows[name][:, : model.constraint_count]
    rows["touches"] = rows["touches"][:, : model.counts[3]]
    return SpatialTrajectory(time=times[:found], **rows, status=Status(status), counters=counters)
