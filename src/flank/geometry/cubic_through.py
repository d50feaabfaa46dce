"""A cubic spline through values at nodes that need not be uniform, twice continuously
differentiable, its third derivative without a jump at the last but one nodes (not-a-knot).

Through two points it is a straight line, through three a parabola. The slopes at the nodes are
solved for (de Boor, A Practical Guide to Splines, chapter IV). What is read here has some tens of
nodes: a library's own splines take longer to load than these to solve.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from flank.arrays import Floats


@dataclass(frozen=True, eq=False)
class CubicThrough:
    """Two nodes or more, growing, and a value at each."""

    nodes: Floats
    values: Floats

    @cached_property
    def slopes(self) -> Floats:
        """At the nodes."""
        steps = np.diff(self.nodes)
        chords = np.diff(self.values) / steps
        count = len(self.nodes)
        if count == 2:
            return np.repeat(chords, 2)
        before, after = steps[:-1], steps[1:]
        inner = 3 * (after * chords[:-1] + before * chords[1:])
        if count == 3:  # a parabola
            first = last = 1.0, 1.0
            ends = 2 * chords
        else:
            first, start = _not_a_knot(steps[:2], chords[:2])
            last, end = _not_a_knot(steps[:-3:-1], chords[:-3:-1])
            ends = np.array([start, end])
        return _tridiagonal(
            [*after, last[1]],
            [first[0], *(2 * (before + after)), last[0]],
            [first[1], *before],
            [ends[0], *inner, ends[1]],
        )

    def at(self, places: Floats) -> tuple[Floats, Floats]:
        """Values and slopes; beyond the ends the last cubic goes on."""
        cell = np.clip(
            np.searchsorted(self.nodes, places, side="right") - 1, 0, len(self.nodes) - 2
        )
        step = self.nodes[cell + 1] - self.nodes[cell]
        t = places - self.nodes[cell]
        first, second = self.slopes[cell], self.slopes[cell + 1]
        chord = (self.values[cell + 1] - self.values[cell]) / step
        bend = (3 * chord - 2 * first - second) / step
        twist = (first + second - 2 * chord) / step**2
        value = self.values[cell] + t * (first + t * (bend + t * twist))
        return value, first + t * (2 * bend + 3 * t * twist)


def _not_a_knot(steps: Floats, chords: Floats) -> tuple[tuple[float, float], float]:
    """The row of an end: weights of its slope and of the next, and the right side."""
    both = steps[0] + steps[1]
    right = (steps[0] + 2 * both) * steps[1] * chords[0] + steps[0] ** 2 * chords[1]
    return (steps[1], both), right / both


def _tridiagonal(
    below: list[float], diagonal: list[float], above: list[float], right: list[float]
) -> Floats:
    """Gauss without pivoting: rows of splines need none once the first is gone."""
    for k in range(1, len(diagonal)):
        factor = below[k - 1] / diagonal[k - 1]
        diagonal[k] -= factor * above[k - 1]
        right[k] -= factor * right[k - 1]
    right[-1] /= diagonal[-1]
    for k in range(len(diagonal) - 2, -1, -1):
        right[k] = (right[k] - above[k] * right[k + 1]) / diagonal[k]
    return np.array(right)
