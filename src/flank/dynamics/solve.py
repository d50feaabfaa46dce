"""Run a model of either engine by the same arguments: statics along a path, dynamics in time."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from flank.arrays import Floats
from flank.dynamics import run
from flank.dynamics.model import Model
from flank.dynamics.run import DynamicSettings, Progress
from flank.dynamics.spatial import run as spatial
from flank.dynamics.spatial.model import SpatialModel
from flank.dynamics.spatial.run import SpatialDynamicSettings
from flank.dynamics.trajectory import AnyTrajectory, Pose, SpatialPose

STEP_ERROR = 1e-8
"""m, of a position: a step in space with a larger one is shortened."""

SHORTEST = 1e-5
"""Over the longest step in space: friction sets balls spinning within microseconds."""


def solve_statics(
    model: Model | SpatialModel,
    start: Pose,
    times: Floats,
    guesses: Sequence[Pose] | None = None,
    progress: Progress | None = None,
) -> AnyTrajectory:
    """Equilibria at `times`; `guesses`, a pose a time, say how poses move between, if known."""
    if isinstance(model, Model):
        assert not isinstance(start, SpatialPose)
        poses = None if guesses is None else np.array(guesses)
        return run.solve_statics(model, start, times, poses, progress=progress)
    assert isinstance(start, SpatialPose)
    known = None if guesses is None else [p for p in guesses if isinstance(p, SpatialPose)]
    return spatial.solve_statics(model, start, times, known, progress=progress)


def solve_dynamics(
    model: Model | SpatialModel,
    start: Pose,
    duration: float,
    step: float,
    spectral_radius: float = 0.8,
    velocity: Floats | None = None,
    stride: int = 1,
    progress: Progress | None = None,
) -> AnyTrajectory:
    """Integrate for `duration` from a pose, at rest or with velocities (bodies, 3 or 6); every
    `stride`-th step is recorded, start included. In space steps are shortened where they err."""
    if isinstance(model, Model):
        assert not isinstance(start, SpatialPose)
        settings = DynamicSettings(step, spectral_radius=spectral_radius)
        return run.solve_dynamics(model, start, duration, settings, velocity, stride, progress)
    assert isinstance(start, SpatialPose)
    moving = np.zeros_like(start.velocity) if velocity is None else velocity
    return spatial.solve_dynamics(
        model,
        replace(start, velocity=moving),
        duration,
        SpatialDynamicSettings(
            step,
            spectral_radius=spectral_radius,
            error_tolerance=STEP_ERROR,
            shortest_step=SHORTEST * step,
        ),
        records=max(round(duration / (step * stride)), 1),
        progress=progress,
    )
