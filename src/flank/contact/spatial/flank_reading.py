"""Loaded flanks read from Python: what sections carry, and where a torque holds the gears."""

import math
from dataclasses import dataclass
from functools import cached_property

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
from flank.contact.spatial.flank_search import TIP_SCALE, FlankMesh
from flank.contact.spatial.flank_sections import FlankLoading, flank_mesh, gear_poses
from flank.elasticity.material import contact_modulus
from flank.geometry.roots import zero_between

FARTHEST = 0.05
"""rad of the second gear, beyond which no torque is looked for."""


@dataclass(frozen=True, eq=False)
class LoadedPoints:
    """Sections that may touch at one position, (k,) each; SI units."""

    tooth: Integers  # of the gear that carries the sections
    section: Integers
    v: Floats  # on that gear
    mate: Floats  # (k, 2): u and v on the other
    penetration: Floats
    spread: Floats
    flank_angle: Floats  # γ between the flanks along the contact line, rad
    length: Floats
    curvature: Floats  # relative, across the contact line
    edge_distance: Floats  # to the nearer of both tips' edges up the profile; negative: past it
    force: Floats
    pressure: Floats  # Hertz's greatest
    steps: Floats  # (steps, k): forces of the steps of deletion, not a number once deleted


@dataclass(frozen=True, eq=False)
class LoadedPosition:
    """Forces of one position: torques about both axes (first, second), and its points."""

    angles: tuple[float, float]
    torques: tuple[float, float]
    points: LoadedPoints


@dataclass(frozen=True, eq=False)
class LoadedFlanks:
    """A pair ready to be loaded, by one of the METHODS."""

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
    def _work(self) -> FlankWork:
        return flank_work(self.mesh, history=60)

    def exact(self, first_angle: float) -> float:
        """Angle of the second gear at the exact ratio, tooth 0 at its start."""
        start = self.loading.pair.start
        return float(start[5] + self.loading.pair.ratio * (first_angle - start[0]))

    def at(self, first_angle: float, second_angle: float) -> LoadedPosition:
        """Both gears at rest at these angles."""
        poses = gear_poses(self.loading.pair, (first_angle, second_angle))
        position, matrix = (np.array([pose[k] for pose in poses]) for k in (0, 1))
        bodies = (0, 1) if self.loading.carrier == 0 else (1, 0)
        force, work = np.zeros(12), self._work
        work.history[:] = math.nan
        status, _ = evaluate_flanks(
            self.mesh,
            METHODS[self.method],
            position,
            matrix,
            np.zeros((2, 6)),
            *bodies,
            work,
            force,
        )
        if status != SOLVED:
            raise ArithmeticError(
                f"the load on the flanks does not settle by {self.method!r} with the first gear at "
                f"{math.degrees(first_angle):.4g} deg; 'proportion' always does"
            )
        torques = [
            float(force[6 * row + 3 : 6 * row + 6] @ matrix[body][:, 2])
            for body, row in sorted(zip(bodies, (0, 1), strict=True))
        ]
        return LoadedPosition((first_angle, second_angle), (torques[0], torques[1]), self._points())

    def held(self, first_angle: float, torque: float) -> LoadedPosition:
        """Where the first gear passes on `torque` (N m, its size) through these flanks."""
        pair = self.loading.pair
        exact = self.exact(first_angle)

        def excess(press: float) -> float:
            return abs(self.at(first_angle, exact - pair.push * press).torques[0]) - torque

        low, high = -1e-3, 1e-4
        while excess(high) < 0:
            low, high = high, 2 * high
            if high > FARTHEST:
                raise ValueError(
                    f"a torque of {torque:.4g} N m is beyond what these flanks bear; give less"
                )
        return self.at(first_angle, exact - pair.push * zero_between(excess, low, high))

    def _points(self) -> LoadedPoints:
        work, mesh = self._work, self.mesh
        count = int(work.counts[0])
        tooth, section = work.tooth[:count].T.copy()
        v, u_b, v_b = work.places[:count].T.copy()
        force, length = work.loads.force[:count].copy(), work.points.length[:count].copy()
        curvature = np.exp((work.points.constant[:count] - mesh.constant) / mesh.slope)
        along = np.linalg.norm(work.vectors[:count, ACROSS_R], axis=-1)
        lean = np.einsum("kc,kc->k", work.vectors[:count, NORMAL], work.vectors[:count, ACROSS_R])
        modulus = contact_modulus(*self.loading.materials)
        own, other = (1 - v) * mesh.section[section, TIP_SCALE], (1 - v_b) * mesh.mate_scale
        known = ~np.isnan(work.history[:, :count]).all(axis=1)
        return LoadedPoints(
            tooth=tooth,
            section=section,
            v=v,
            mate=np.stack((u_b, v_b), axis=-1),
            penetration=work.points.depth[:count].copy(),
            spread=work.points.spread[:count].copy(),
            flank_angle=np.arcsin(lean / along),
            length=length,
            curvature=curvature,
            edge_distance=np.minimum(own, other),
            force=force,
            pressure=np.sqrt(force / length * modulus * curvature / math.pi),
            steps=work.history[known, :count].copy(),
        )
