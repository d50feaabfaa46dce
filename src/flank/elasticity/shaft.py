"""A stepped round shaft as seen from a few stations along it: lateral and torsional stiffness.

Timoshenko beams between all steps and stations (exact for end loads), everything but the lateral
displacements of the stations condensed away:

    k = E I / (L³ (1 + Φ)) [12, 6L, -12, 6L; ...],   Φ = 12 E I / (κ G A L²),
    κ = 6 (1 + ν) / (7 + 6 ν)                                  (Cowper 1966, round section).

The result K (stations x stations) does not resist a common shift or a common tilt, and it is the
same in every direction across the axis, so it holds for a shaft that turns.
"""

import functools
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flank.arrays import Floats, Integers
from flank.elasticity.material import Material
from flank.elasticity.small_systems import product, solved

SAME_PLACE = 1e-9
"""m: positions along the axis closer than this are one."""


@dataclass(frozen=True)
class Segment:
    """A round piece of a shaft, in m."""

    length: float
    radius: float

    @property
    def area(self) -> float:
        return math.pi * self.radius**2

    @property
    def second_moment(self) -> float:
        return math.pi * self.radius**4 / 4


@dataclass(frozen=True)
class Shaft:
    """Segments one after the other from z = 0, and the z of its stations, rising."""

    segments: tuple[Segment, ...]
    stations: tuple[float, ...]
    material: Material

    @property
    def length(self) -> float:
        return sum(segment.length for segment in self.segments)

    def pieces(self) -> list[tuple[float, float, Segment]]:
        """(from, to, segment) between neighbouring steps and stations."""
        ends = np.concatenate(([0.0], np.cumsum([s.length for s in self.segments])))
        cuts = np.unique(np.round([*ends, *self.stations], 12))
        cuts = cuts[np.concatenate(([True], np.diff(cuts) > SAME_PLACE))]
        return [
            (float(low), float(high), self.segments[np.searchsorted(ends, 0.5 * (low + high)) - 1])
            for low, high in itertools.pairwise(cuts)
        ]

    def places(self) -> list[float]:
        """z of every step and station: the ends of the pieces."""
        pieces = self.pieces()
        return [pieces[0][0], *(high for _, high, _ in pieces)]

    def station_places(self) -> list[int]:
        """Numbers of the stations among the places."""
        places = np.array(self.places())
        return [int(np.argmin(np.abs(places - z))) for z in self.stations]

    def lateral_stiffness(self) -> Floats:
        """K in N/m: forces across the axis at the stations per displacement there."""
        return _lateral_stiffness(self).copy()

    def slopes(self) -> Floats:
        """Slope dw/dz at every station per displacement of every station (stations x stations),
        in 1/m, no force between them."""
        return _slopes(self).copy()

    def clamped_lateral_stiffness(self) -> Floats:
        """The same of a shaft whose ends, its first and last stations, may shift and do not
        tilt."""
        return _lateral_stiffness(self, clamped=True).copy()

    def torsional_stiffness(self) -> list[float]:
        """Stiffness in N·m/rad between each station and the next."""
        shear = self.material.shear_modulus
        stiffness = []
        for low, high in itertools.pairwise(self.stations):
            twist = sum(
                (b - a) / (shear * 2 * segment.second_moment)
                for a, b, segment in self.pieces()
                if low - SAME_PLACE < a and b < high + SAME_PLACE
            )
            stiffness.append(1 / twist)
        return stiffness


@functools.lru_cache(maxsize=64)
def _lateral_stiffness(shaft: Shaft, clamped: bool = False) -> Floats:
    """The cranks of a machine are alike, and so are those of machines with other errors."""
    stiffness = _assembled(shaft)
    kept = [2 * k for k in shaft.station_places()]
    if clamped:
        tilts = [1, len(stiffness) - 1]
        stiffness = np.delete(np.delete(stiffness, tilts, axis=0), tilts, axis=1)
        kept = [k - (k > 1) for k in kept]
    return condensed(stiffness, kept)


@functools.lru_cache(maxsize=64)
def _slopes(shaft: Shaft) -> Floats:
    """Of the free coordinates, which follow the kept ones, those that are slopes at stations; a
    slope without forces follows from K_ff x_f + K_fk w_k = 0."""
    stiffness = _assembled(shaft)
    kept = 2 * np.array(shaft.station_places())
    free = np.setdiff1d(np.arange(len(stiffness)), kept)
    follow = -solved(stiffness[np.ix_(free, free)], stiffness[np.ix_(free, kept)])
    return np.asarray(follow[np.searchsorted(free, kept + 1)])


def _assembled(shaft: Shaft) -> Floats:
    """Stiffness of (w, φ) at every step and station."""
    pieces = shaft.pieces()
    stiffness = np.zeros((2 * len(pieces) + 2, 2 * len(pieces) + 2))
    for k, (low, high, segment) in enumerate(pieces):
        rows = slice(2 * k, 2 * k + 4)
        stiffness[rows, rows] += beam_stiffness(high - low, segment, shaft.material)
    return stiffness


def beam_stiffness(length: float, segment: Segment, material: Material) -> Floats:
    """4 x 4 of a Timoshenko beam in (w1, φ1, w2, φ2), φ = dw/dz of the section."""
    bending = material.youngs_modulus * segment.second_moment
    poisson = material.poisson_ratio
    shear_factor = 6 * (1 + poisson) / (7 + 6 * poisson)
    shear = shear_factor * material.shear_modulus * segment.area
    phi = 12 * bending / (shear * length**2)
    a, b = 6 * length, length**2
    return (bending / (length**3 * (1 + phi))) * np.array(
        [
            [12, a, -12, a],
            [a, (4 + phi) * b, -a, (2 - phi) * b],
            [-12, -a, 12, -a],
            [a, (2 - phi) * b, -a, (4 + phi) * b],
        ]
    )


def condensed(stiffness: Floats, kept: Integers | Sequence[int]) -> Floats:
    """Stiffness seen from some coordinates, no force on the others."""
    kept = np.asarray(kept)
    free = np.setdiff1d(np.arange(len(stiffness)), kept)
    direct = stiffness[np.ix_(kept, kept)]
    inner = solved(stiffness[np.ix_(free, free)], stiffness[np.ix_(free, kept)])
    return np.asarray(direct - product(stiffness[np.ix_(kept, free)], inner))


def clamped_stiffness(length: float, segment: Segment, material: Material) -> float:
    """N/m of a beam between two ends that shift and do not tilt, bending and shear: a pillar."""
    return float(beam_stiffness(length, segment, material)[0, 0])
