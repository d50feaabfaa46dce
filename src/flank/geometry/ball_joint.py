"""A ball joint with straight crossed tracks: its track axes, and where rigid ones hold the balls.

Ball k of m stands at φ_k = 2πk/m. Along radius, tangent and axis of its race, the axis of an outer
track has the direction

    d = (sin β_k, sin α_k cos β_k, cos α_k cos β_k),   (α_k, β_k) = (-1)^k (α, β)         (1)

with the skew α and the radial inclination β; an inner track has (α_k, β_k) = -(-1)^k (α, β) and is
the mirror image of the outer one in the plane z = 0 if its angles are the same. Seen along +z a
track of even number goes outwards and the way of positive rotation.

Space: the outer race turns by θ about z. The inner axis leans from z to +x by the deflection δ,
(sin δ, 0, cos δ); the inner race is turned by R_y(δ) R_z(θ) and shifted by the plunge p along its
axis. For mirrored races with δ or p zero, inner and outer race are mirror images in the plane
that halves the angle,

    n · (x - m) = 0,   n = (sin δ/2, 0, cos δ/2),   m = p (sin δ, 0, cos δ)/2              (2)

whatever θ, and each outer axis meets its inner one in it, at s = n·(m - o)/(n·d) along the axis
from its origin o: the joint turns with constant velocity. With both, δ and p, mirrored axes pierce
(2) at two points, p sin δ/2 apart, and the ball stands halfway. Axes that are no mirror images
may miss each other too; then it stands in the middle of the shortest way between them.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from flank.arrays import AnyArray, Floats
from flank.geometry.rotations import Numbers, about_y, about_z

OUTER, INNER = range(2)
COMPLEX_STEP = 1e-150
"""Of the derivative Im f(x + ih)/h, which subtracts nothing and is exact to round-off."""

"""Real, or complex where they carry derivatives."""


class TrackAngles(NamedTuple):
    """Skew α and radial inclination β of a race's tracks, in rad."""

    skew: float
    inclination: float


class BallPlaces(NamedTuple):
    """Where balls are, for each pose and ball: centre in space (..., ball, 3), places along the
    outer and the inner axis (..., ball, race), and how far the axes miss each other (..., ball)."""

    centre: Floats
    track_position: Floats
    miss: Floats


@dataclass(frozen=True)
class BallJoint:
    """Even number of `balls` on the `pitch_radius` in m; a race's tracks have its angles."""

    balls: int
    pitch_radius: float
    outer: TrackAngles
    inner: TrackAngles

    def __post_init__(self) -> None:
        if self.balls < 2 or self.balls % 2:
            raise ValueError(
                f"{self.balls} balls are given; their number must be even, because neighbouring "
                "tracks cross in opposite ways"
            )

    @property
    def mirrored(self) -> bool:
        """Whether inner tracks are mirror images of the outer ones."""
        return self.inner == self.outer

    @property
    def angles(self) -> Floats:
        """φ_k."""
        return 2 * math.pi * np.arange(self.balls) / self.balls

    @property
    def origins(self) -> Floats:
        """(ball, 3): centres of the balls in the straight joint, in either race's axes."""
        return self.pitch_radius * self.radial

    @property
    def radial(self) -> Floats:
        """(ball, 3) unit vectors to the balls."""
        angles = self.angles
        return np.stack([np.cos(angles), np.sin(angles), np.zeros(self.balls)], axis=-1)

    @property
    def tangential(self) -> Floats:
        """(ball, 3) unit vectors, the way of positive rotation."""
        angles = self.angles
        return np.stack([-np.sin(angles), np.cos(angles), np.zeros(self.balls)], axis=-1)

    def frames(
        self,
        race: int,
        skew_error: Floats | float = 0.0,
        inclination_error: Floats | float = 0.0,
    ) -> Floats:
        """(ball, 3, 3) track frames in the race's axes: rows x to the bottom of the track, y across
        it, z along it, Eq. (1); errors (ball,) add to the angles α and β of each track."""
        given = self.inner if race == INNER else self.outer
        sign = np.where(np.arange(self.balls) % 2 == race, 1.0, -1.0)
        skew = (sign * (given.skew + skew_error))[:, None]
        slope = (sign * (given.inclination + inclination_error))[:, None]
        axial = np.array([0.0, 0.0, 1.0])
        flat = np.sin(skew) * self.tangential + np.cos(skew) * axial
        z = np.sin(slope) * self.radial + np.cos(slope) * flat
        x = np.cos(slope) * self.radial - np.sin(slope) * flat
        x = x if race == OUTER else -x
        return np.stack([x, np.cross(z, x), z], axis=-2)

    def places(self, rotation: Floats | float, deflection: float, plunge: float) -> BallPlaces:
        """Where rigid tracks hold the balls; `rotation` may have any shape."""
        centre, track_position, offset = self._solve_places(
            np.asarray(rotation, dtype=float), deflection, plunge
        )
        return BallPlaces(centre, track_position, np.linalg.norm(offset, axis=-1))

    def velocities(
        self, place: tuple[float, float, float], rate: tuple[float, float, float]
    ) -> Floats:
        """(ball, 3) of the centres where rotation, deflection and plunge have `rate`."""
        varied = [
            value + 1j * COMPLEX_STEP * speed for value, speed in zip(place, rate, strict=True)
        ]
        return np.asarray(self._solve_places(*varied)[0].imag / COMPLEX_STEP)

    def crossing(self, rotation: Floats | float, deflection: float) -> Floats:
        """(..., ball) sine of the angle between outer and inner axis."""
        outer, inner = self._directions(np.asarray(rotation, dtype=float), deflection)
        return np.asarray(np.linalg.norm(np.cross(outer, inner), axis=-1))

    def _directions(self, rotation: Numbers, deflection: complex) -> tuple[AnyArray, AnyArray]:
        turned, leaning = about_z(rotation), about_y(deflection)
        outer = self.frames(OUTER)[:, 2] @ np.swapaxes(turned, -1, -2)
        inner = self.frames(INNER)[:, 2] @ np.swapaxes(leaning @ turned, -1, -2)
        return outer, inner

    def _solve_places(
        self, rotation: Numbers, deflection: complex, plunge: complex
    ) -> tuple[AnyArray, AnyArray, AnyArray]:
        """Centres, places along the axes, and the way from outer to inner axis. Every step is
        analytic, so that complex numbers carry derivatives."""
        turned, leaning = about_z(rotation), about_y(deflection)
        shift = plunge * leaning[:, 2]
        outer = self.origins @ np.swapaxes(turned, -1, -2)
        inner = self.origins @ np.swapaxes(leaning @ turned, -1, -2) + shift
        directions = self._directions(rotation, deflection)
        if self.mirrored:
            normal = about_y(0.5 * deflection)[:, 2]
            track_position = [
                ((0.5 * shift - origin) @ normal) / (direction @ normal)
                for origin, direction in zip((outer, inner), directions, strict=True)
            ]
        else:
            track_position = _nearest(inner - outer, *directions)
        ends = [
            origin + place[..., None] * direction
            for origin, place, direction in zip(
                (outer, inner), track_position, directions, strict=True
            )
        ]
        return 0.5 * (ends[0] + ends[1]), np.stack(track_position, axis=-1), ends[1] - ends[0]


def _nearest(between: Floats, first: Floats, second: Floats) -> list[Floats]:
    """Places along two lines where they come nearest; `between` leads from one origin to the
    other, the directions are unit vectors."""
    cosine = np.sum(first * second, axis=-1)
    on_first, on_second = np.sum(between * first, axis=-1), np.sum(between * second, axis=-1)
    square = 1 - cosine**2
    return [(on_first - cosine * on_second) / square, (cosine * on_first - on_second) / square]
