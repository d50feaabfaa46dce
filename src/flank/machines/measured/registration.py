"""Where measured points lie against a nominal outline: the best fit of angle and centre.

Points p of a file are those of the outline turned by φ and moved by c, q = R(-φ)(p - c) in the
frame of the outline. With d(q) the distance along the outline's outward normal n, positive where
there is too much material, Gauss and Newton's steps for the least Σ d² need

    ∂d/∂c = -R(φ) n,      ∂d/∂φ = -n · (ẑ × q),

in which the foot of the normal does not appear: to first order it moves along the outline. Noise
of the deviation σ along the normals leaves the covariance σ² (JᵀJ)⁻¹, the bound of Cramér and Rao.

The start comes from the points alone, in any order: the circle nearest to them by linear least
squares, and the phase of the harmonic of the radius that has as many waves as there are lobes or
teeth. An outline of z equal lobes fits z times; the angle is the one within half a pitch.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from flank.arrays import Floats, Integers
from flank.geometry.curve import evaluate
from flank.geometry.cycloid import Cycloid
from flank.geometry.tooth_outline import half_outline

if TYPE_CHECKING:
    from flank.geometry.gear import Gear

MOST_STEPS = 60
SMALLEST_STEP = 1e-14
"""Of an angle, or of a length over the size of the outline: the fit has arrived."""

NO_BETTER, PATIENCE = 1e-6, 5
"""A fit whose squares fall by a smaller share in so many steps stays where it is."""

ROUND_OFF = 1e-9
"""m of roll length."""

FOOT_STEPS = 6
SAMPLES_PER_LOBE = 200
MOST_FOR_WAVES = 4000
"""Points that are enough to count waves of the radius."""


class Placement(NamedTuple):
    """How the outline lies in the frame of the points: turned by an angle in rad, moved in m."""

    angle: float = 0.0
    x: float = 0.0
    y: float = 0.0

    def in_outline(self, points: Floats) -> Floats:
        """Points of the file, seen from the outline."""
        turned = (points - [self.x, self.y]) @ [1, 1j] * np.exp(-1j * self.angle)
        return np.column_stack((turned.real, turned.imag))

    @property
    def offset(self) -> float:
        """Of the centre, in m."""
        return math.hypot(self.x, self.y)


class Distances(NamedTuple):
    """Of those points that lie on flanks: which, how far outside, and the normal there."""

    rows: Integers
    distance: Floats
    normal: Floats


DistanceOf = Callable[[Floats], Distances]


@dataclass(frozen=True)
class Fit:
    """A placement, and what is left along the normals: `standard_errors` are of angle, x and y by
    the scatter that is left."""

    placement: Placement
    distances: Distances
    standard_errors: tuple[float, float, float]

    @property
    def rms(self) -> float:
        return float(np.sqrt(np.mean(self.distances.distance**2)))

    @property
    def mean(self) -> float:
        return float(np.mean(self.distances.distance))

    @property
    def largest(self) -> float:
        """The deviation of the largest size, with its sign."""
        return float(self.distances.distance[np.argmax(np.abs(self.distances.distance))])


def best_fit(
    points: Floats, distance_of: DistanceOf, start: Placement, free: tuple[bool, bool, bool]
) -> Fit:
    """The placement with the least squares of distances; of angle, x and y those are `free`."""
    chosen, size = np.flatnonzero(free), float(np.hypot(*(points - start[1:]).T).mean())
    scale = np.array([1.0, size, size])
    placement, best, idle = start, math.inf, 0
    found = distance_of(placement.in_outline(points))
    for _ in range(MOST_STEPS if len(chosen) else 0):
        squares = float(np.mean(found.distance**2)) if len(found.rows) else math.inf
        if not math.isfinite(squares) or squares > 4 * best + SMALLEST_STEP * size**2:
            break
        idle = idle + 1 if squares > best * (1 - NO_BETTER) else 0
        if idle == PATIENCE:
            break
        best = min(best, squares)
        rows = _gradient(placement, points, found)[:, chosen] * scale[chosen]
        step = np.zeros(3)
        step[chosen] = scale[chosen] * np.linalg.lstsq(rows, -found.distance, rcond=None)[0]
        placement = Placement(*(np.array(placement) + step).tolist())
        found = distance_of(placement.in_outline(points))
        if np.all(np.abs(step) <= SMALLEST_STEP * scale):
            break
    return Fit(placement, found, _standard_errors(placement, points, found, chosen))


def _gradient(placement: Placement, points: Floats, found: Distances) -> Floats:
    """∂d/∂(φ, x, y)."""
    seen, normal = placement.in_outline(points)[found.rows], found.normal
    turned = normal @ [1, 1j] * np.exp(1j * placement.angle)
    by_angle = normal[:, 0] * seen[:, 1] - normal[:, 1] * seen[:, 0]
    return np.column_stack((by_angle, -turned.real, -turned.imag))


def _standard_errors(
    placement: Placement, points: Floats, found: Distances, chosen: Integers
) -> tuple[float, float, float]:
    """σ √diag (JᵀJ)⁻¹, of the mean freed as well, which wear moves."""
    errors = np.zeros(3)
    if len(chosen) and len(found.rows) > len(chosen):
        rows = _gradient(placement, points, found)[:, chosen]
        left = found.distance - found.distance.mean()
        sigma2 = float(left @ left) / max(len(left) - len(chosen) - 1, 1)
        errors[chosen] = np.sqrt(np.maximum(np.diag(sigma2 * np.linalg.pinv(rows.T @ rows)), 0.0))
    return float(errors[0]), float(errors[1]), float(errors[2])


def start_of(points: Floats, waves: int, on_crest: bool, centred: bool = False) -> Placement:
    """Whence to begin: `waves` of the radius, with a crest on the outline's x axis or a valley.
    Where the points are `centred` their own centre stays."""
    x, y = (0.0, 0.0) if centred else circle_centre(points)
    cosine, sine = _wave(points - [x, y], waves)
    sign = 1.0 if on_crest else -1.0
    return Placement(math.atan2(sign * sine, sign * cosine) / waves, x, y)


def circle_centre(points: Floats) -> tuple[float, float]:
    """Of the circle nearest to points, |p|² = 2 c·p + k by least squares (Kåsa)."""
    middle = points.mean(axis=0)
    seen = points - middle
    size = float(np.abs(seen).max()) or 1.0
    seen = seen / size
    rows = np.column_stack((2 * seen, np.ones(len(seen))))
    solved = np.linalg.lstsq(rows, np.sum(seen**2, axis=1), rcond=None)[0]
    return float(middle[0] + size * solved[0]), float(middle[1] + size * solved[1])


def _wave(points: Floats, waves: int) -> tuple[float, float]:
    """Cosine and sine of a harmonic of the radius, of evenly or unevenly spread points."""
    angle, radius = np.arctan2(points[:, 1], points[:, 0]), np.hypot(*points.T)
    harmonics = [np.ones(len(angle))]
    for k in {1, waves}:
        harmonics += [np.cos(k * angle), np.sin(k * angle)]
    if waves == 1:
        return 0.0, 0.0
    solved = np.linalg.lstsq(np.column_stack(harmonics), radius, rcond=None)[0]
    place = 1 + 2 * [*{1, waves}].index(waves)
    return float(solved[place]), float(solved[place + 1])


def counted_waves(points: Floats, most: int) -> int:
    """How many lobes or teeth points have: the harmonic of the radius that is largest."""
    few = points[:: max(len(points) // MOST_FOR_WAVES, 1)]
    few = few - circle_centre(few)
    sizes = [math.hypot(*_wave(few, waves)) for waves in range(2, most + 1)]
    return 2 + int(np.argmax(sizes))


@lru_cache(maxsize=4)
def _samples(nominal: Cycloid) -> tuple[Floats, Any]:
    from scipy.spatial import cKDTree

    t = np.linspace(0.0, 2 * math.pi, SAMPLES_PER_LOBE * nominal.lobes, endpoint=False)
    return t, cKDTree(evaluate(nominal, t)[:, :2])


def feet(points: Floats, nominal: Cycloid) -> tuple[Floats, Floats]:
    """Parameters of the nearest points of a generated flank, exact, and rows of `evaluate` there.

    From the nearest of samples by Newton, Δs = (p - P)·t/(1 + κ d).
    """
    known, tree = _samples(nominal)
    t = known[tree.query(points)[1]]
    longest = math.pi / (nominal.lobes * SAMPLES_PER_LOBE)
    for _ in range(FOOT_STEPS):
        rows = evaluate(nominal, t)
        along, outside = _along(points, rows)
        step = along / (rows[:, 4] * np.maximum(1 + rows[:, 5] * outside, 0.2))
        t = t + np.clip(step, -4 * longest, 4 * longest)
    return t, evaluate(nominal, t)


def _along(points: Floats, rows: Floats) -> tuple[Floats, Floats]:
    """Of the way from a foot to its point, what is along the tangent and along the normal."""
    x, y = (points - rows[:, :2]).T
    return x * rows[:, 2] + y * rows[:, 3], x * rows[:, 3] - y * rows[:, 2]


def from_cycloid(nominal: Cycloid) -> DistanceOf:
    """Distances from a generated flank."""

    def distance_of(points: Floats) -> Distances:
        rows = feet(points, nominal)[1]
        normal = np.column_stack((rows[:, 3], -rows[:, 2]))
        return Distances(np.arange(len(points)), _along(points, rows)[1], normal)

    return distance_of


def from_gear(gear: Gear) -> DistanceOf:
    """Distances from the involutes of an external gear; fillets, edges and tips have none.

    As in `geometry.measured_teeth`: at the radius r and the angle ϑ from the middle of its tooth a
    point stands out by r_b (|ϑ| - ψ(r)); the normal there touches the base circle.
    """
    start, end, base = half_outline(gear).form_roll, gear.edge_roll_length, gear.base_radius

    def distance_of(points: Floats) -> Distances:
        radius = np.hypot(*points.T)
        roll = np.sqrt(np.maximum(radius**2 - base**2, 0.0))
        rows = np.flatnonzero((roll >= start - ROUND_OFF) & (roll <= end + ROUND_OFF))
        radius, roll, outward = radius[rows], roll[rows], points[rows] / radius[rows, None]
        place = np.arctan2(outward[:, 1], outward[:, 0])
        angle = place - gear.pitch_angle * np.round(place / gear.pitch_angle)
        half = gear.base_half_angle - (roll / base - np.arctan(roll / base))
        around = np.column_stack((-outward[:, 1], outward[:, 0]))
        normal = (np.sign(angle) * base / radius)[:, None] * around
        normal += (roll / radius)[:, None] * outward
        return Distances(rows, base * (np.abs(angle) - half), normal)

    return distance_of
