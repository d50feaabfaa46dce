"""Run a model: statics along a path, or dynamics in time. Python orchestrates, kernels loop."""

import itertools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flank.dynamics import alpha, statics
from flank.dynamics.continuation import reach_equilibrium
from flank.dynamics.model import Model, Record, initial_state, record_of, workspace
from flank.dynamics.start import start_consistently
from flank.dynamics.status import Status
from flank.dynamics.trajectory import Trajectory

LONGEST_PIECE = 500
"""Intervals that a kernel integrates before Python is asked again."""

Progress = Callable[[float], None]
"""Called with the share done, 0 to 1."""


@dataclass(frozen=True)
class StaticSettings:
    """`force_tolerance` relative to the largest force at hand."""

    force_tolerance: float = 1e-9
    maximum_iterations: int = 120


DEFAULT_STATICS = StaticSettings()


@dataclass(frozen=True)
class DynamicSettings:
    """Generalized-alpha: time `step` in s, `spectral_radius` at infinite frequency.

    A step whose switched contacts carry more than `discontinuity_tolerance` of the largest contact
    force, or whose estimated position error exceeds `error_tolerance` of the deepest penetration,
    is halved, down to `step / 2**halvings`; one where Newton fails, down to
    `step / 2**rescue_halvings`.
    """

    step: float
    spectral_radius: float = 0.8
    force_tolerance: float = 1e-8
    maximum_iterations: int = 12
    discontinuity_tolerance: float = 0.1
    halvings: int = 6
    rescue_halvings: int = 10
    error_tolerance: float = 0.02


def solve_statics(
    model: Model,
    start: NDArray,
    times: NDArray,
    guesses: NDArray | None = None,
    settings: StaticSettings = DEFAULT_STATICS,
    progress: Progress | None = None,
) -> Trajectory:
    """Equilibria at `times`; `guesses` (time, body, 3) say how poses move between, if known."""
    times = np.ascontiguousarray(times, dtype=float)
    if guesses is None:
        guesses = np.broadcast_to(start, (len(times), *start.shape))
    guesses = np.ascontiguousarray(guesses)
    state, work = initial_state(model, start), workspace(model)
    record = record_of(state, len(times))
    counters = np.zeros(2, dtype=np.int64)
    numbers = statics.StaticTolerances(
        float(settings.force_tolerance), int(settings.maximum_iterations)
    )
    done, status, switches = 0, 0, 0
    for done, time in enumerate(times):
        before = max(done - 1, 0)
        shift = guesses[done] - guesses[before]
        status, switched = reach_equilibrium(
            model, state, (times[before], time), shift, numbers, work, counters
        )
        if status != 0:
            break
        switches += switched if done > 0 else 0
        record.put(done, state)
        if progress is not None:
            progress((done + 1) / len(times))
    found = done if status else len(times)
    return _trajectory(
        model,
        times[:found],
        record.rows(0, found),
        status,
        {
            "equilibria": found,
            "newton_iterations": int(counters[statics.ITERATIONS]),
            "rejected_steps": int(counters[statics.REJECTED]),
            "contact_switches": switches,
        },
    )


def solve_dynamics(
    model: Model,
    start: NDArray,
    duration: float,
    settings: DynamicSettings,
    velocity: NDArray | None = None,
    stride: int = 1,
    progress: Progress | None = None,
) -> Trajectory:
    """Integrate for `duration` from a pose; every `stride`-th step is recorded, start included."""
    records = max(round(duration / (settings.step * stride)), 1)
    times = np.linspace(0.0, duration, records * stride + 1)
    state, work = initial_state(model, start), workspace(model)
    if velocity is not None:
        state.velocity[:] = velocity
    record = record_of(state, records + 1)
    counters = np.zeros(4, dtype=np.int64)
    interval = float(times[1] - times[0])
    numbers = alpha.AlphaSettings(
        float(settings.spectral_radius),
        float(settings.force_tolerance),
        int(settings.maximum_iterations),
        float(settings.discontinuity_tolerance),
        float(settings.error_tolerance),
        interval / 2 ** max(settings.halvings, settings.rescue_halvings),
        interval / 2**settings.halvings,
    )
    step = np.array([interval, 0.0])
    status = start_consistently(model, state, work)
    record.put(0, state)
    done = 0
    for first, last in pieces(records, stride) if status == 0 else []:
        status, intervals = alpha.integrate(
            model,
            state,
            times[first * stride : last * stride + 1],
            stride,
            numbers,
            step,
            work,
            counters,
            record.rows(first + 1, last + 1),
        )
        done = first + intervals // stride
        if progress is not None:
            progress(done / records)
        if status != 0:
            break
    names = ("steps", "newton_iterations", "rejected_steps", "contact_switches")
    return _trajectory(
        model,
        times[: done * stride + 1 : stride],
        record.rows(0, done + 1),
        status,
        dict(zip(names, counters.tolist(), strict=True)),
    )


def _trajectory(
    model: Model, times: NDArray, record: Record, status: int, counters: dict[str, int]
) -> Trajectory:
    return Trajectory(
        times,
        record.position,
        record.velocity,
        record.multipliers[:, : model.constraint_count],
        record.touches[:, : model.counts[3]],
        Status(status),
        counters,
    )


def pieces(count: int, stride: int) -> list[tuple[int, int]]:
    """Pieces short enough for a progress bar to move and an interrupt to be heard."""
    parts = min(count, max(50, count * stride // LONGEST_PIECE))
    edges = np.linspace(0, count, parts + 1).astype(int)
    return [(int(a), int(b)) for a, b in itertools.pairwise(edges)]
