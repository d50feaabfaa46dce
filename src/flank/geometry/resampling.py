"""Points at equal arc lengths along a smooth closed curve (arXiv 2604.02387, Eq. 3)."""

import numpy as np

from flank.arrays import Floats
from flank.geometry.curve import Shape, evaluate, period

NODES, WEIGHTS = np.polynomial.legendre.leggauss(8)


def equal_arc_length_parameters(shape: Shape, count: int, tolerance: float = 1e-13) -> Floats:
    """Parameters u_i with s(u_i) = i L / count, by Newton u <- u - (s(u) - s_i)/|dP/du|.

    Arc length is integrated by Gauss-Legendre between fine knots, so that the equality holds to
    `tolerance` of the length L and not to the size of a sampling chord.
    """
    knots = np.linspace(0.0, period(shape), max(8 * count, 4000) + 1)
    lengths = np.concatenate(([0.0], np.cumsum(_gauss(shape, knots[:-1], knots[1:]))))
    targets = np.arange(count) * (lengths[-1] / count)
    parameters: Floats = np.interp(targets, lengths, knots)
    for _ in range(50):
        below = np.clip(np.searchsorted(knots, parameters, side="right") - 1, 0, len(knots) - 2)
        error = lengths[below] + _gauss(shape, knots[below], parameters) - targets
        parameters = parameters - error / evaluate(shape, parameters)[:, 4]
        if np.max(np.abs(error)) < tolerance * lengths[-1]:
            break
    return parameters


def equal_arc_length_points(shape: Shape, count: int) -> Floats:
    """`count` points (n, 2) at equal arc lengths."""
    return evaluate(shape, equal_arc_length_parameters(shape, count))[:, :2]


def _gauss(shape: Shape, start: Floats, end: Floats) -> Floats:
    half = 0.5 * (end - start)
    u = (0.5 * (end + start))[:, None] + half[:, None] * NODES
    speed = evaluate(shape, u.ravel())[:, 4].reshape(u.shape)
    return half * (speed @ WEIGHTS)
