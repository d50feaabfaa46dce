"""Run a model of spatial bodies: statics along a path, or dynamics in time."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from flank.dynamics.spatial.model import SpatialModel
from flank.dynamics.status import Status

Progress = Callable[[float], None]
"""Called with the share done, 0 to 1."""


@dataclass(frozen=True)
class SpatialPose:
    """Where bodies are and how they move: (bodies, 3), quaternions (bodies, 4), (bodies, 6)."""

    position: NDArray
    rotation: NDArray
    velocity: NDArray


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
    method: Literal["generalized-alpha", "trapezoid"] = "generalized-alpha"
    spectral_radius: float = 0.8
    force_tolerance: float = 1e-8
    maximum_iterations: int = 15
    error_tolerance: float = np.inf
    shortest_step: float = 0.0  # step / 1024 if zero


@dataclass(frozen=True)
class SpatialTrajectory:
    """What a run leaves: times, poses, motion, contacts, energies and how it ended.

    position (time, body, 3), rotation (time, body, 4), velocity and acceleration (time, body, 6)
    along the axes of space, touches (time, contact), ledger (time, 4): energy lost to friction and
    damping, work done by drives and loads, in J since the start.
    """

    time: NDArray
    position: NDArray
    rotation: NDArray
    velocity: NDArray
    acceleration: NDArray
    multipliers: NDArray
    touches: NDArray
    ledger: NDArray
    status: Status
    counters: dict[str, int]

    def since(self, first: int) -> "SpatialTrajectory":
        """The same run without its first records."""
        names = ("time", *_ROWS)
        return replace(self, **{name: getattr(self, name)[first:] for name in names})

    @property
    def complete(self) -> bool:
        return self.status is Status.OK

    @property
    def last(self) -> SpatialPose:
        return SpatialPose(self.position[-1], self.rotation[-1], self.velocity[-1])


_ROWS = (
    "position",
    "rotation",
    "velocity",
    "acceleration",
    "multipliers",
    "touches",
    "ledger",
)


def solve_statics(
    model: SpatialModel,
    start: SpatialPose,
    times: NDArray,
    settings: SpatialStaticSettings = SpatialStaticSettings(),
    progress: Progress | None = None,
) -> SpatialTrajectory:
    """Equilibria at `times`, each found from the one before; friction by velocity does not act."""
    raise NotImplementedError


def solve_dynamics(
    model: SpatialModel,
    start: SpatialPose,
    duration: float,
    settings: SpatialDynamicSettings,
    records: int = 0,
    progress: Progress | None = None,
) -> SpatialTrajectory:
    """Integrate for `duration`; `records` equal intervals are recorded, every step if zero."""
    raise NotImplementedError
