"""Two flanks in space: how they touch without load.

Each gear has a frame with z along its axis; its flank of tooth 0 is a surface S(u, v) there (a
`SplineSurface`, u from toe to heel, v from root to tip) and a gear that has turned by φ has it at
Rz(φ) S, in the frames of a `Mounting`. Both turn as φ₂ = -φ₁ z₁/z₂ does, with the opposite sense
where the second is a ring.

Two surfaces touch where they have a point and the normal in common: for a given φ₁ five equations
for (u₁, v₁, u₂, v₂, φ₂). Where the touching point would lie beyond a border of one flank, its edge
touches: that coordinate stays at ±1, and of the normal's conditions only those of free directions
are left, N₁ · ∂S₂ = 0 for an edge of the second, N₂ · ∂S₁ = 0 for one of the first. With two
coordinates at borders it is a corner, or two edges that cross.

Which way the second gear is pushed follows from the surfaces: they bend away from each other, so
that along N = S₁ᵤ x S₁ᵥ the first gear lies on the side towards which S₁ bends more.
"""

import math
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import ArrayLike

from flank.arrays import Flags, Floats, Integers
from flank.geometry.mounting import Mounting
from flank.geometry.rotations import about_z
from flank.geometry.spline_surface import (
    BY_U,
    BY_UU,
    BY_UV,
    BY_V,
    BY_VV,
    POINT,
    SplineSurface,
    fundamental_forms,
    unit_normals,
)

STAGES = 12
"""From a contact near the middles of both flanks to the angles in question."""

SMALLER = 5
"""So many times as many stages where a search has lost its way."""

TRIALS = 8
"""First angles on either side, up to a pitch away, from which such a contact is looked for."""

FARTHEST = 1.5
"""Of u and v, for a contact to count as one of these flanks."""

AT_END = 1.01
"""Of u of both flanks, for a contact to be at the end of a face."""

FAR = 20.0
"""Where a search that has lost its way is kept."""

NEWTON_STEPS = 25
CLOSE = 1e-9
"""Of parameters and angles: a step of Newton whose square is round-off."""

SAME = 1e-7
"""Singular values over the largest, below which contacts count as one: flanks without crowning
touch along a line, and a search stays where on it it is."""

SOLVED = 1e-5
"""Of lengths and of angles between normals: where no step makes more of a contact that is none."""

BORDER = 1.0 + 1e-9

SECOND_AXIS = np.array([0.0, 0.0, 1.0])


class NoContact(ValueError):
    """No point of the flanks touches where one was looked for."""


@dataclass(frozen=True, eq=False)
class Touching:
    """Where flanks touch, by position of the first gear; places (k, 4) are u₁, v₁, u₂, v₂."""

    first_angle: Floats
    second_angle: Floats
    places: Floats
    edges: Integers  # how many coordinates lie at a border: 0 inside, 1 an edge, 2 a corner
    points: Floats  # (k, 3) in the fixed frame


@dataclass(frozen=True, eq=False)
class FlankPair:
    """One flank of each of two gears, with their tooth numbers; `sense` is -1 for two gears that
    turn against each other (seen along their axes), 1 for a ring around the first."""

    surfaces: tuple[SplineSurface, SplineSurface]
    teeth: tuple[int, int]
    mounting: Mounting = field(default_factory=Mounting)
    sense: int = -1

    @property
    def ratio(self) -> float:
        """dφ₂/dφ₁ of the exact ratio, with its sign."""
        return self.sense * self.teeth[0] / self.teeth[1]

    @property
    def pitch(self) -> float:
        """Angle of the first gear from tooth to tooth."""
        return 2 * math.pi / self.teeth[0]

    def misaligned(self, **misalignment: float) -> "FlankPair":
        """The same with e, p, g or alpha."""
        return replace(self, mounting=replace(self.mounting, **misalignment))

    def first_at(self, places: Floats, angle: Floats) -> Floats:
        """What the first flank is (k, 6, 3) at places (k, 2), in the fixed frame."""
        turn = self.mounting.first_axes @ about_z(angle)
        at = self.surfaces[0].at(places[:, 0], places[:, 1]) @ np.swapaxes(turn, -1, -2)
        at[:, POINT] += self.mounting.first_origin
        return at

    def second_at(self, places: Floats, angle: Floats) -> Floats:
        """The same of the second flank."""
        turn = about_z(angle)
        at = self.surfaces[1].at(places[:, 0], places[:, 1]) @ np.swapaxes(turn, -1, -2)
        at[:, POINT] += self.mounting.second_origin
        return at

    @property
    def start(self) -> Floats:
        """First angle, and (u₁, v₁, u₂, v₂, φ₂) of a contact near the middles of both flanks, or at
        an end of their faces where they have none."""
        return self._begin[0]

    @property
    def starts_on_edge(self) -> bool:
        """Whether it is the edge at an end of a face that touches there."""
        return bool(self._begin[1].any())

    @cached_property
    def _begin(self) -> tuple[Floats, Floats]:
        """The start, and which of its coordinates (4,) are at borders.

        Of first angles around those at which the middles come closest, the one from which Newton's
        method ends nearest to the middles.
        """
        centre, second = np.zeros((2 * TRIALS + 1, 2)), np.linspace(-math.pi, math.pi, 720)
        middle = self.second_at(np.zeros((len(second), 2)), second)[:, POINT]
        turns = np.linspace(-math.pi, math.pi, 180, endpoint=False)
        apart = self._apart(np.zeros((len(turns), 2)), turns, middle)
        first = turns[np.argmin(apart.min(axis=1))] + self.pitch * np.linspace(
            -1.0, 1.0, 2 * TRIALS + 1
        )
        guess = np.zeros((len(first), 5))
        guess[:, 4] = second[np.argmin(self._apart(centre, first, middle), axis=1)]
        free = np.zeros(4)
        start, off = self._nearest(guess, first, free)
        # flanks of little crowning leave their faces by the smallest turn of parallel axes
        left = off >= FARTHEST and self.mounting.shaft_angle == 0.0
        ends = self._at_ends(guess, first) if left else []
        if off >= FARTHEST and not ends:
            raise NoContact(
                "these flanks touch nowhere near their middles; look at the mounting (shaft angle, "
                "offset, E, P, G) and whether they are flanks of mating sides"
            )
        return max(ends, key=lambda each: each[0])[1:] if ends else (start, free)

    def _nearest(self, guess: Floats, first: Floats, fixed: Floats) -> tuple[Floats, float]:
        """Of contacts from all guesses the one nearest to the middles, of an end the middles of
        profiles, and how far it is off them."""
        borders = np.tile(fixed, (len(first), 1))
        found, settled = self._newton(guess, first, borders, bool(fixed[:2].any()))
        free = found[:, 1:4:2] if fixed.any() else found[:, :4]
        off = np.where(settled, np.abs(free).max(axis=1), math.inf)
        best = int(np.argmin(off))
        return np.append(first[best], found[best]), float(off[best])

    def _at_ends(self, guess: Floats, first: Floats) -> list[tuple[float, Floats, Floats]]:
        """Where flanks touch that have no common normal, as they do without crowning on axes that
        are misaligned: how far the second gear is pushed, the contact at an end of a face, and the
        border."""
        ends = []
        for coordinate, end in product((0, 2), (-1.0, 1.0)):
            fixed, there = np.zeros(4), guess.copy()
            fixed[coordinate] = there[:, [0, 2]] = end
            start, off = self._nearest(there, first, fixed)
            if off < FARTHEST and np.abs(start[[1, 3]]).max() < AT_END:
                way = self._push_of(start, self._outward_of(start)[0])
                ends.append((way * (start[5] - self.ratio * start[0]), start, fixed))
        return ends

    def _apart(self, places: Floats, first_angle: Floats, middle: Floats) -> Floats:
        """Distances of points of the first flank from middles of the second."""
        points = self.first_at(places, first_angle)[:, POINT]
        apart: Floats = np.linalg.norm(points[:, None] - middle[None], axis=-1)
        return apart

    @cached_property
    def outward(self) -> tuple[int, int]:
        """Signs with which S_u x S_v of either flank points out of its gear."""
        return self._outward_of(self.start)

    def _outward_of(self, contact: Floats) -> tuple[int, int]:
        start = contact[None]
        first = self.first_at(start[:, 1:3], start[:, 0])
        second = self.second_at(start[:, 3:5], start[:, 5])
        same = 1 if unit_normals(first)[0] @ unit_normals(second)[0] > 0 else -1
        bends = []
        for at in (first, second):
            metric, bending = fundamental_forms(at)
            bends.append(float(np.trace(np.linalg.solve(metric[0], bending[0]))))
        of_first = -1 if bends[0] > same * bends[1] else 1
        return of_first, -of_first * same

    @cached_property
    def push(self) -> int:
        """Which way the first gear pushes the second: the sign of its torque about z₂."""
        return self._push_of(self.start, self.outward[0])

    def _push_of(self, contact: Floats, outward: int) -> int:
        start = contact[None]
        first = self.first_at(start[:, 1:3], start[:, 0])
        lever = np.cross(SECOND_AXIS, first[0, POINT]) @ unit_normals(first)[0]
        return 1 if lever * outward > 0 else -1

    def touching(self, first_angle: ArrayLike, within: bool = True) -> Touching:
        """Where tooth 0 of both gears touches with the first gear at these angles; not a number
        where it does not.

        `within` lets edges touch where surfaces would beyond their borders; without it surfaces
        go on, as they do below the root's border in any case, where the fillet would begin.
        """
        first_angle = np.atleast_1d(np.asarray(first_angle, float))
        x, fixed, settled = self._followed(first_angle, within, STAGES)
        lost = np.flatnonzero(~settled)
        if len(lost):  # a step too far beyond an edge, as a rule
            x[lost], fixed[lost], settled[lost] = self._followed(
                first_angle[lost], within, SMALLER * STAGES
            )
        if within:  # teeth that have parted: tip past tip, or an edge far below the other's root
            profile = x[:, 1:4:2]
            settled &= (profile.min(axis=1) > -FARTHEST) & (profile.min(axis=1) < 1.0)
        x[~settled] = math.nan
        points = self.first_at(x[:, :2], first_angle)[:, POINT]
        return Touching(first_angle, x[:, 4], x[:, :4], np.count_nonzero(fixed, axis=1), points)

    def _followed(
        self, first_angle: Floats, within: bool, stages: int
    ) -> tuple[Floats, Floats, Flags]:
        """Contacts from the start on, in stages: what is solved for, borders, and where settled."""
        start = self.start[0]
        x = np.tile(self.start[1:], (len(first_angle), 1))
        fixed, settled = np.tile(self._begin[1], (len(x), 1)), np.ones(len(x), dtype=bool)
        for share in np.linspace(0.0, 1.0, stages + 1)[1:]:
            x[:, 4] += self.ratio * (first_angle - start) / stages
            stage = start + share * (first_angle - start)
            x, settled = self._solved(x, stage, fixed)
            if within:
                self._keep_within(x, stage, fixed, settled)
        return x, fixed, settled

    def _keep_within(self, x: Floats, first_angle: Floats, fixed: Floats, settled: Flags) -> None:
        """Let edges touch where contacts lie beyond borders; a tooth that goes out of mesh over an
        edge does not come back, so that coordinates stay there."""
        for _ in range(2):
            border = np.full_like(fixed, BORDER)
            border[:, ::2][fixed[:, 2::-2] != 0] = AT_END  # ends of faces that are as long
            beyond = np.where(fixed == 0, np.abs(x[:, :4]) - border, -1.0)
            beyond[:, 1::2] = np.where(x[:, 1:4:2] > 0, beyond[:, 1::2], -1.0)
            worst = np.argmax(beyond, axis=1)
            more = (beyond.max(axis=1) > 0) & (np.count_nonzero(fixed, axis=1) < 2)
            rows = np.flatnonzero(more)
            if not len(rows):
                return
            fixed[rows, worst[rows]] = np.sign(x[rows, worst[rows]])
            x[rows, worst[rows]] = fixed[rows, worst[rows]]
            x[rows], settled[rows] = self._solved(x[rows], first_angle[rows], fixed[rows])

    def _solved(self, x: Floats, first_angle: Floats, fixed: Floats) -> tuple[Floats, Flags]:
        """Contacts, of positions whose conditions are of one kind at once."""
        x, settled = x.copy(), np.ones(len(x), dtype=bool)
        of_first = np.any(fixed[:, :2], axis=1) & ~np.any(fixed[:, 2:], axis=1)
        for edge_of_first in (False, True):
            rows = np.flatnonzero(of_first == edge_of_first)
            if len(rows):
                x[rows], settled[rows] = self._newton(
                    x[rows], first_angle[rows], fixed[rows], edge_of_first
                )
        return x, settled

    def _newton(
        self, x: Floats, first_angle: Floats, fixed: Floats, edge_of_first: bool
    ) -> tuple[Floats, Flags]:
        """Where Newton's method ends, and whether it settled there."""
        settled = np.zeros(len(x), dtype=bool)
        for _ in range(NEWTON_STEPS):
            residual, jacobian = self._equations(x, first_angle, edge_of_first)
            for rows in (slice(3), slice(3, 5)):  # lengths, and angles of normals
                scale = np.abs(jacobian[:, rows]).max(axis=(1, 2))[:, None]
                scale = np.where(scale > 0, scale, 1.0)
                residual[:, rows] /= scale
                jacobian[:, rows] /= scale[..., None]
            _put_borders(x, fixed, edge_of_first, residual, jacobian)
            lost = ~np.isfinite(jacobian).all(axis=(1, 2))
            jacobian[lost] = 0.0
            inverse = np.linalg.pinv(jacobian, rcond=SAME)
            step = np.einsum("kij,kj->ki", inverse, residual)
            x = np.clip(x - np.clip(step, -0.3, 0.3), -FAR, FAR)
            settled = (np.abs(step).max(axis=1) < CLOSE) & ~lost
            settled &= np.abs(residual).max(axis=1) < SOLVED
            if settled.all():
                break
        return x, settled

    def _equations(
        self, x: Floats, first_angle: Floats, edge_of_first: bool
    ) -> tuple[Floats, Floats]:
        """Residuals (k, 5) and their Jacobian (k, 5, 5): common point, then the normal of one flank
        against both tangents of the other, which is the one that may have an edge."""
        first = self.first_at(x[:, :2], first_angle)
        second = self.second_at(x[:, 2:4], x[:, 4])
        residual = np.empty((len(x), 5))
        jacobian = np.empty((len(x), 5, 5))
        residual[:, :3] = first[:, POINT] - second[:, POINT]
        jacobian[:, :3, :2] = np.swapaxes(first[:, BY_U : BY_V + 1], 1, 2)
        jacobian[:, :3, 2:4] = -np.swapaxes(second[:, BY_U : BY_V + 1], 1, 2)
        jacobian[:, :3, 4] = -np.cross(SECOND_AXIS, second[:, POINT])
        one, other = (second, first) if edge_of_first else (first, second)
        here, there = (slice(2, 4), slice(2)) if edge_of_first else (slice(2), slice(2, 4))
        tangents = other[:, BY_U : BY_V + 1]
        normal, slopes = normal_and_slopes(one)
        residual[:, 3:] = np.einsum("kc,kac->ka", normal, tangents)
        jacobian[:, 3:, here] = np.einsum("kbc,kac->kab", slopes, tangents)
        bent = other[:, [BY_UU, BY_UV, BY_UV, BY_VV]].reshape(-1, 2, 2, 3)
        jacobian[:, 3:, there] = np.einsum("kc,kabc->kab", normal, bent)
        turning = np.einsum("kc,kac->ka", normal, np.cross(SECOND_AXIS, tangents))
        jacobian[:, 3:, 4] = -turning if edge_of_first else turning
        return residual, jacobian


def normal_and_slopes(at: Floats) -> tuple[Floats, Floats]:
    """S_u x S_v (k, 3) and its derivatives by u and v (k, 2, 3)."""
    s_u, s_v = at[:, BY_U], at[:, BY_V]
    by_u = np.cross(at[:, BY_UU], s_v) + np.cross(s_u, at[:, BY_UV])
    by_v = np.cross(at[:, BY_UV], s_v) + np.cross(s_u, at[:, BY_VV])
    return np.cross(s_u, s_v), np.stack((by_u, by_v), axis=1)


def _put_borders(
    x: Floats, fixed: Floats, edge_of_first: bool, residual: Floats, jacobian: Floats
) -> None:
    """Coordinates that stay at a border, in place of the normal's condition along them."""
    for coordinate in range(4):
        rows = np.flatnonzero(fixed[:, coordinate])
        if not len(rows):
            continue
        row = np.full(len(rows), 3 + coordinate % 2)
        if (coordinate < 2) != edge_of_first:  # edges that cross: the place that is left
            row = np.where(fixed[rows, 2] != 0, 4, 3)
        residual[rows, row] = x[rows, coordinate] - fixed[rows, coordinate]
        jacobian[rows, row] = 0.0
        jacobian[rows, row, coordinate] = 1.0
