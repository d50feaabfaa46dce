"""Points that depend on several parameters, with exact first and second derivatives.

A chain of joints acts on them one after another. Of a rotation about a fixed axis e by an angle a,
d(R r)/da = e × (R r), so that derivatives by the parameters, on which the angle depends as well as
the point, follow from cross products alone.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from flank.arrays import Floats

X, Y, Z = range(3)

Slopes = dict[int, Floats | float]
"""Of an angle or a distance by the parameters, by their numbers; others are zero."""

NO_SLOPES: Slopes = {}


class Jet(NamedTuple):
    """Of n points with m parameters: values (n, 3), derivatives (m, n, 3) and (m, m, n, 3)."""

    value: Floats
    first: Floats
    second: Floats

    def turned(
        self,
        axis: int,
        angle: Floats | float,
        slopes: Mapping[int, Floats | float] = NO_SLOPES,
        bends: Mapping[int, Floats | float] = NO_SLOPES,
    ) -> "Jet":
        """Turned about an axis of coordinates; `bends` are second derivatives of the angle."""
        if isinstance(angle, float) and angle == 0 and not slopes:
            return self
        value, first, second = self._rotated(axis, angle)
        if not slopes:
            return Jet(value, first, second)
        rates = {k: np.asarray(rate)[..., None] for k, rate in slopes.items()}
        cross, crosses = _crossed(value, axis), _crossed(first, axis)
        twice = _crossed(cross, axis)
        for a, rate in rates.items():
            for b in range(len(first)):
                second[a, b] += rate * crosses[b]
                second[b, a] += rate * crosses[b]
            for b, other in rates.items():
                second[a, b] += rate * other * twice
        for a, bend in bends.items():
            second[a, a] += np.asarray(bend)[..., None] * cross
        for a, rate in rates.items():
            first[a] += rate * cross
        return Jet(value, first, second)

    def moved(
        self,
        axis: int,
        distance: Floats | float,
        slopes: Mapping[int, Floats | float] = NO_SLOPES,
        bends: Mapping[int, Floats | float] = NO_SLOPES,
    ) -> "Jet":
        """Moved along an axis of coordinates."""
        value, first, second = self.value.copy(), self.first.copy(), self.second.copy()
        value[:, axis] += distance
        for a, slope in slopes.items():
            first[a, :, axis] += slope
        for a, bend in bends.items():
            second[a, a, :, axis] += bend
        return Jet(value, first, second)

    def placed(self, rotation: Floats, position: Floats) -> "Jet":
        """In another frame, which rests."""
        value, first, second = (part @ rotation.T for part in self)
        return Jet(value + position, first, second)

    def mirrored(self) -> "Jet":
        """Seen in a mirror, y -> -y."""
        return Jet(*(part * np.array([1.0, -1.0, 1.0]) for part in self))

    def normal(self) -> Floats:
        """(n, 3): across the derivatives by the first two parameters, not of unit length."""
        return _across(self.first[0], self.first[1])

    def meshing(self) -> tuple[Floats, Floats]:
        """How fast each further parameter moves the surface of the first two along its normal,
        (m - 2, n), which is zero on the envelope; and derivatives by all of them (m - 2, m, n)."""
        normal = self.normal()
        values = np.einsum("nc,knc->kn", normal, self.first[2:])
        slopes = _across(self.second[0], self.first[1]) + _across(self.first[0], self.second[1])
        gradient = np.einsum("mnc,knc->kmn", slopes, self.first[2:])
        gradient += np.einsum("nc,kmnc->kmn", normal, self.second[2:])
        return values, gradient

    def _rotated(self, axis: int, angle: Floats | float) -> "Jet":
        """All vectors at once: a chain of joints asks this thousands of times, of few points."""
        variables, points = self.first.shape[:2]
        all_of_it = np.concatenate([self.value[None], self.first, *self.second])
        j, k = (axis + 1) % 3, (axis + 2) % 3
        cosine, sine = np.cos(angle), np.sin(angle)
        along, across = all_of_it[..., j].copy(), all_of_it[..., k].copy()
        all_of_it[..., j] = cosine * along - sine * across
        all_of_it[..., k] = sine * along + cosine * across
        second = all_of_it[1 + variables :].reshape((variables, variables, points, 3))
        return Jet(all_of_it[0], all_of_it[1 : 1 + variables], second)


def _across(first: Floats, second: Floats) -> Floats:
    """first × second, without the checks of the general product."""
    result = np.empty(np.broadcast_shapes(first.shape, second.shape))
    for axis in (X, Y, Z):
        j, k = (axis + 1) % 3, (axis + 2) % 3
        result[..., axis] = first[..., j] * second[..., k] - first[..., k] * second[..., j]
    return result


def _crossed(vectors: Floats, axis: int) -> Floats:
    """e × each vector."""
    j, k = (axis + 1) % 3, (axis + 2) % 3
    result = np.zeros_like(vectors)
    result[..., j], result[..., k] = -vectors[..., k], vectors[..., j]
    return result
