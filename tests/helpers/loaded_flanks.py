"""Flanks under load: the NASA pair on quick teeth, involute teeth on rigid ones."""

from functools import cache

import nasa_pair
import numpy as np

from flank.contact.spatial.flank_forces import evaluate_flanks, flank_work
from flank.contact.spatial.flank_sections import FlankLoading, flank_mesh, gear_poses
from flank.elasticity.material import STEEL
from flank.elasticity.tooth_plate import ToothPlate
from flank.geometry.flank_pair import FlankPair
from flank.geometry.gear import Gear
from flank.geometry.spline_surface import SplineSurface

TOOTH_LENGTH = 30e-3
VIRTUAL = (
    Gear(23, 3.5e-3, np.radians(20), profile_shift=0.47, addendum=1.1, dedendum=1.35),
    Gear(207, 3.5e-3, np.radians(20), profile_shift=-0.47, addendum=1.1, dedendum=1.35),
)
"""Virtual spur gears of the pair in its normal section: z/(cos δ cos³β), its module and heights."""


class Rigid:
    """A gear that gives way only where it is touched, down to a depth."""

    def __init__(self, depth):
        self.depth = depth

    period = 1

    def depth_at(self, u, v):
        return np.full(len(u), self.depth)

    def influence(self, u, v, offset, tooth=0):
        return np.zeros((len(u), len(u)))


@cache
def bevel_pair():
    cuts = nasa_pair.PINION_CONCAVE, nasa_pair.MATCHED_CONVEX
    surfaces = [SplineSurface(nasa_pair.flank_grid(cut, 49, 35)) for cut in cuts]
    return FlankPair((surfaces[0], surfaces[1]), (12, 36))


@cache
def bevel_mesh(sections=40, carrier=0, friction=0.0):
    plates = [ToothPlate(gear, STEEL, TOOTH_LENGTH) for gear in VIRTUAL]
    loading = FlankLoading(
        bevel_pair(),
        (plates[0], plates[1]),
        (STEEL, STEEL),
        sections=sections,
        carrier=carrier,
        friction=friction,
    )
    return flank_mesh(loading)


class Stand:
    """Both gears of a pair as bodies 0 and 1; the second is held back by `press` (rad)."""

    def __init__(self, pair, mesh, carrier=0, method=0):
        self.pair, self.mesh, self.method = pair, mesh, method
        self.bodies = (0, 1) if carrier == 0 else (1, 0)
        self.work = flank_work(mesh, history=20)
        self.force = np.zeros(12)

    def poses(self, angle, press):
        start = self.pair.start
        second = start[5] + self.pair.ratio * (angle - start[0]) - self.pair.push * press
        first, other = gear_poses(self.pair, (angle, second))
        return np.array([first[0], other[0]]), np.array([first[1], other[1]])

    def evaluate(self, position, matrix, velocity=None):
        velocity = np.zeros((2, 6)) if velocity is None else velocity
        return evaluate_flanks(
            self.mesh, self.method, position, matrix, velocity, *self.bodies, self.work, self.force
        )

    def torque(self, angle, press):
        """On the first gear, about its axis, N m."""
        position, matrix = self.poses(angle, press)
        status, _ = self.evaluate(position, matrix)
        assert status == 0
        first = 6 * self.bodies.index(0)
        return float(self.force[first + 3 : first + 6] @ matrix[0][:, 2])

    @property
    def forces(self):
        return self.work.loads.force[: self.work.counts[0]]
