"""An elastic plate as the engine knows it: static modes, each with its mass, and their shapes
around the circles that contacts touch.

Of the compliance C between all loads on a plate (elasticity/finite_elements/elastic_plate.py) the
modes keep what is large. Waves of n around the rim are pressed by n⁻½ of what one pin presses, as
forces that go round evenly have it; with D of these weights the plate's displacements under the
first m eigenvectors of D C D are kept, and whatever loads them alone is exact. A mode
more is taken until no point of the rim or of a hole gives way by RESIDUAL of the mean less than
under C. Among these displacements, those that the mass T does not couple are the coordinates z,

    U = ½ Σ k z²,        T = ½ Σ m ż²,        C ≈ S k⁻¹ Sᵀ

with S the shapes of all modes as waves, and z as long as the way of the point that moves farthest.
They are fixed on the plate and turn with it.

A ring that is held has as many modes as its body tells. It gives way nearly where it is pressed
alone, which modes are slow to tell of one force; of forces that go round evenly they know all but
2 % (tests/elasticity/finite_elements/test_elastic_ring.py).
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from flank.arrays import Floats
from flank.blas import one_blas_thread
from flank.contact.plate_element import MOST_MODES
from flank.elasticity.finite_elements.elastic_plate import (
    HOLE_WAVES,
    PlateBody,
    plate_loads,
    wave_count,
    wave_values,
)
from flank.elasticity.finite_elements.elastic_ring import RingBody, ring_loads

ROW = 3
"""Coordinates of a row of the engine, so modes come in threes."""

RESIDUAL = 0.15
"""Of the mean compliance of a point on the rim, or on a hole, that may be left out at any."""

KNOTS = 6
"""Of a table on the shortest wave, at least."""

POINTS, DIRECTIONS = 120, 6
"""Of the rim, at which compliances are compared."""


@dataclass(frozen=True, eq=False)
class PlateModes:
    """k in N/m and m in kg of the modes, and their shapes around the rim and around each loaded
    hole: (knot, outward and around, mode), without the B-spline."""

    stiffness: Floats
    mass: Floats
    rim: Floats
    holes: tuple[Floats, ...]

    def __len__(self) -> int:
        return len(self.stiffness)

    def table(self, shape: Floats) -> Floats:
        """For kernels: the largest displacement of each mode, then coefficients knot by knot."""
        largest = np.linalg.norm(shape, axis=1).max(axis=0)
        return np.concatenate((OVERSHOOT * largest, spline_coefficients(shape).ravel()))


OVERSHOOT = 1.1
"""Of a spline between its knots, at most."""


@lru_cache(maxsize=16)
def plate_modes(body: PlateBody | RingBody, side: float | None = None) -> PlateModes:
    """Of a plate or a ring; its loads come from the disk if they were computed before."""
    if isinstance(body, RingBody):
        compliance, mass = ring_loads(body, side)
    else:
        compliance, mass = plate_loads(body, side)
    with one_blas_thread():  # small matrices
        kept = _kept(body, compliance)
        moved = compliance @ kept
        squares, vectors = _vibrations(kept.T @ moved, kept.T @ mass @ kept)
    shapes = moved @ vectors
    waves, first = wave_count(body.rim_waves), 0
    rim = _around(body.rim_waves, shapes[:waves], shapes[waves : 2 * waves])
    holes, first = [], 2 * waves
    for _ in body.loaded:
        outward = shapes[first : first + wave_count(HOLE_WAVES)]
        holes.append(_around(HOLE_WAVES, outward, np.zeros_like(outward)))
        first += len(outward)
    largest = np.max([np.linalg.norm(s, axis=1).max(axis=0) for s in (rim, *holes)], axis=0)
    scaled = [shape / largest for shape in (rim, *holes)]
    stiffness, masses = squares / largest**2, 1 / largest**2
    return PlateModes(stiffness, masses, scaled[0], tuple(scaled[1:]))


def _vibrations(stiffness: Floats, inertia: Floats) -> tuple[Floats, Floats]:
    """ω² and amplitudes with unit masses."""
    from scipy.linalg import eigh

    squares, vectors = eigh(stiffness, inertia)
    return squares, vectors


def _kept(body: PlateBody | RingBody, compliance: Floats) -> Floats:
    """Loads (load, mode) whose displacements are kept, by threes."""
    waves = wave_count(body.rim_waves)
    number = (np.arange(waves) + 1) // 2
    weights = np.ones(len(compliance))
    weights[: 2 * waves] = np.tile(1 / np.sqrt(np.maximum(number, 1)), 2)
    values, vectors = np.linalg.eigh(weights[:, None] * compliance * weights)
    ordered = weights[:, None] * vectors[:, ::-1]
    if isinstance(body, RingBody):
        return np.asarray(ordered[:, : body.modes] / np.sqrt(values[::-1][: body.modes]))
    points = _points(body, len(compliance))
    whole = [np.sum((at @ compliance) * at, axis=1) for at in points]
    for count in range(ROW, MOST_MODES + 1, ROW):
        kept = ordered[:, :count] / np.sqrt(values[::-1][:count])
        moved = compliance @ kept
        given = [np.sum((at @ moved) ** 2, axis=1) for at in points]
        left = max(np.max(w - g) / np.mean(w) for w, g in zip(whole, given, strict=True))
        if left <= RESIDUAL:
            break
    return np.asarray(kept)


def _points(body: PlateBody, loads: int) -> list[Floats]:
    """Unit forces at points of the rim in all directions, and on the walls of holes."""
    angle = 2 * np.pi * np.arange(POINTS) / POINTS
    waves, along = wave_values(body.rim_waves, angle).T, wave_values(HOLE_WAVES, angle).T
    width = waves.shape[1]
    rim = np.zeros((DIRECTIONS, POINTS, loads))
    for k, direction in enumerate(np.pi * np.arange(DIRECTIONS) / DIRECTIONS):
        rim[k, :, :width] = np.cos(direction) * waves
        rim[k, :, width : 2 * width] = np.sin(direction) * waves
    holes = np.zeros((len(body.loaded), POINTS, loads))
    for k in range(len(body.loaded)):
        first = 2 * width + along.shape[1] * k
        holes[k, :, first : first + along.shape[1]] = along
    return [rim.reshape(-1, loads), holes.reshape(-1, loads)]


def _around(waves: int, outward: Floats, around: Floats) -> Floats:
    """Shapes at the knots of a circle, (knot, 2, mode)."""
    knots = KNOTS * (waves + 1)
    values = wave_values(waves, 2 * np.pi * np.arange(knots) / knots).T
    return np.stack((values @ outward, values @ around), axis=1)


def spline_coefficients(values: Floats) -> Floats:
    """Of the cubic B-spline that goes around a circle through values at its knots."""
    knots = len(values)
    wave = 2 * np.pi * np.arange(knots // 2 + 1) / knots
    factor = 3 / (2 + np.cos(wave))  # the inverse of (1, 4, 1)/6
    turned = np.fft.rfft(values, axis=0) * factor.reshape(-1, *[1] * (values.ndim - 1))
    return np.asarray(np.fft.irfft(turned, knots, axis=0))
