"""Two flanks under load in positions that are given: the exact ratio held, or a torque.

The second gear lags behind where the flanks touch without load, as `FlankPair.start` has it, by

    φ₂ = c + i φ₁ - push δ,

so that teeth press the more the greater δ is. Held at one δ for all positions this is rolling at
the exact ratio; under a torque T on the second gear Newton's method finds δ, by the tangent of the
force, and where it would leave the teeth apart by halving.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from flank.arrays import Floats, Integers
from flank.contact.load_distribution import SOLVED
from flank.contact.spatial.flank_forces import (
    ACROSS_R,
    METHODS,
    NORMAL,
    FlankWork,
    evaluate_flanks,
    flank_work,
)
from flank.contact.spatial.flank_laws import LOG_CURVATURE, TILT
from flank.contact.spatial.flank_search import TIP_SCALE, FlankMesh
from flank.contact.spatial.flank_sections import FlankLoading, flank_mesh, gear_poses
from flank.contact.spatial.flank_tangent import flank_tangent

NEWTON_STEPS = 60
CLOSE = 1e-10
"""Of the torque."""

FIRST_LAG = 1e-4
"""rad: where a search for a torque begins."""

LARGEST_LAG = 0.05

SAME_LAG = 1e-12
"""rad: where torques on both sides are those before and after a jump."""


DELETIONS = 60
"""Steps of deletion that are kept."""


class NoEquilibrium(ValueError):
    """No lag within reach gives the torque."""


@dataclass(frozen=True, eq=False)
class FlankLoad:
    """Flanks in one position: arrays over points that may touch."""

    lag: float  # rad, δ
    torque: float  # N·m on the second gear, the way it is pushed
    first_torque: float  # N·m on the first gear, against the way it pushes
    stiffness: float  # N·m/rad, of the torque by δ
    loss: float  # W that friction takes, at 1 rad/s of the first gear
    solved: bool
    circling: int  # points that printed proportions took out since they went round in circles
    pulling: int  # and since they pulled
    tooth: Integers  # of the carrier of the sections
    section: Integers
    force: Floats  # N
    length: Floats  # m, of the contact line in the section
    pressure: Floats  # Pa, Hertz's greatest
    places: Floats  # (points, 4): v of the carrier, u and v of the mate, then the penetration in m
    curvature: Floats  # 1/m, relative, across the contact line
    spread: Floats  # m, of the penetration within a section
    flank_angle: Floats  # rad, γ between the flanks along the contact line
    edge_distance: Floats  # m up the profile to the nearer of both tips' edges; negative: past it
    steps: Floats  # N (step, point): forces of the steps of deletion, not a number once deleted


@dataclass(frozen=True, eq=False)
class LoadedFlanks:
    """A pair made ready for loads, the way of sharing them, and the mounting it runs in."""

    loading: FlankLoading
    method: str = "proportion"

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            allowed = ", ".join(METHODS)
            raise ValueError(f"{self.method!r} is no way to share a load; there are {allowed}")

    @cached_property
    def mesh(self) -> FlankMesh:
        return flank_mesh(self.loading)

    @cached_property
    def work(self) -> FlankWork:
        return flank_work(self.mesh, DELETIONS)

    @property
    def sections(self) -> int:
        return self.loading.sections

    def at(self, first_angle: float, lag: float, tangent: bool = True) -> FlankLoad:
        """Forces with the first gear at an angle and the second behind by δ; no stiffness without
        the tangent."""
        pair, work = self.loading.pair, self.work
        position, matrix = self._poses(first_angle, lag)
        velocity = self._velocities(matrix)
        force, block = np.zeros(12), np.zeros((12, 12))
        a, b = self.loading.carrier, 1 - self.loading.carrier
        method = METHODS[self.method]
        work.history[:] = math.nan
        status, power = evaluate_flanks(
            self.mesh, method, position, matrix, velocity, a, b, work, force
        )
        if tangent:
            flank_tangent(self.mesh, position, matrix, a, b, 0.0, 1.0, work, block)
        of_first, of_second = (force[:6], force[6:]) if a == 0 else (force[6:], force[:6])
        row = 9 if a == 0 else 3
        axis = matrix[1][:, 2]
        turning = axis @ block[row : row + 3, row : row + 3] @ axis
        first_axis = matrix[0][:, 2]
        driven = -pair.push * pair.sense
        return FlankLoad(
            lag,
            float(pair.push * (axis @ of_second[3:])),
            float(driven * (first_axis @ of_first[3:])),
            float(turning),
            float(power),
            status == SOLVED,
            int(work.counts[1]),
            int(work.counts[2]),
            *self._points(),
        )

    def under(self, first_angle: float, torque: float, lag: float = math.nan) -> FlankLoad:
        """The same with the lag that a torque on the second gear needs; `lag` is a first guess."""
        low, high = -LARGEST_LAG, LARGEST_LAG
        lag = FIRST_LAG if math.isnan(lag) else lag
        for _ in range(NEWTON_STEPS):
            load = self.at(first_angle, lag)
            missing = torque - load.torque
            if abs(missing) <= CLOSE * torque:
                return load
            low, high = (max(low, lag), high) if missing > 0 else (low, min(high, lag))
            if high - low < SAME_LAG:  # a method that jumps here
                return load
            step = missing / load.stiffness if load.stiffness > 0 else math.inf
            following = lag + step
            lag = following if low < following < high else self._halved(low, high, lag, missing)
        raise NoEquilibrium(
            f"no wind-up up to {math.degrees(LARGEST_LAG):.3g} deg gives a torque of {torque:.4g} "
            f"N·m with the first gear at {math.degrees(first_angle):.4g} deg; look at the mounting "
            "and the torque"
        )

    @staticmethod
    def _halved(low: float, high: float, lag: float, missing: float) -> float:
        """Between bounds; from open teeth on, in growing steps."""
        if high < LARGEST_LAG:
            return 0.5 * (low + high)
        return min(max(lag, 0.0) * 2 + FIRST_LAG, 0.5 * (lag + high))

    def _poses(self, first_angle: float, lag: float) -> tuple[Floats, Floats]:
        pair = self.loading.pair
        first, *_, second = pair.start
        turned = second + pair.ratio * (first_angle - first) - pair.push * lag
        (origin_1, turn_1), (origin_2, turn_2) = gear_poses(pair, (first_angle, float(turned)))
        return np.array([origin_1, origin_2]), np.array([turn_1, turn_2])

    def _velocities(self, matrix: Floats) -> Floats:
        """Of both gears, the first at 1 rad/s the way it drives."""
        pair, velocity = self.loading.pair, np.zeros((2, 6))
        driving = pair.push * pair.sense
        velocity[0, 3:] = driving * matrix[0][:, 2]
        velocity[1, 3:] = driving * pair.ratio * matrix[1][:, 2]
        return velocity

    def _points(self) -> tuple[Any, ...]:
        """Fields of `FlankLoad` from `tooth` on."""
        work, mesh, count = self.work, self.mesh, int(self.work.counts[0])
        force, length = work.loads.force[:count].copy(), work.points.length[:count].copy()
        curvature = np.exp(work.laws[:count, LOG_CURVATURE])
        pressure = np.sqrt(np.maximum(force, 0.0) / length * curvature / (math.pi**2 * mesh.slope))
        tooth, section = work.tooth[:count].T.copy()
        places = np.column_stack((work.places[:count], work.points.depth[:count]))
        across = work.vectors[:count, ACROSS_R]
        lean = np.einsum("kc,kc->k", work.vectors[:count, NORMAL], across)
        to_edges = (1 - places[:, [0, 2]]) * np.column_stack(
            (mesh.section[section, TIP_SCALE], np.full(count, mesh.mate_scale))
        )
        known = ~np.isnan(work.history[:, :count]).all(axis=1)
        return (
            tooth,
            section,
            force,
            length,
            pressure,
            places,
            curvature,
            work.laws[:count, TILT].copy(),
            np.arcsin(lean / np.linalg.norm(across, axis=-1)),
            to_edges.min(axis=1),
            work.history[known, :count].copy(),
        )
