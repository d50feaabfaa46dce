"""How two flanks bend away from each other where they touch, and the lines along which they do.

With S₁ and S₂ the second fundamental forms of both flanks as tensors of space, counted so that a
convex body is positive, points at t in the common tangent plane are apart by ½ tᵀ(S₁ + S₂) t. The
direction of the smaller principal value κ is that of the line of contact; bodies are within a
distance s along it for √(2 s/κ) on either side.
"""

import numpy as np

from flank.arrays import Floats
from flank.geometry.flank_pair import FlankPair, Touching
from flank.geometry.spline_surface import BY_U, BY_V, fundamental_forms

LARGEST = 2.0
"""Half the length of a line in u and v, where flanks hardly bend away from each other."""


def relative_curvatures(pair: FlankPair, touching: Touching) -> tuple[Floats, Floats]:
    """Principal values (k, 2) in 1/m, the smaller first, and their directions (k, 2, 3) in the
    fixed frame."""
    places = touching.places
    total = _shape(pair.first_at(places[:, :2], touching.first_angle), pair.outward[0])
    total = total + _shape(pair.second_at(places[:, 2:], touching.second_angle), pair.outward[1])
    values, vectors = np.linalg.eigh(total)
    # the direction across the tangent plane has the value zero, and is left out
    along = np.abs(np.einsum("kij,kic->kcj", vectors, _tangents(pair, touching)))
    across = np.argmin(along.sum(axis=1), axis=1)
    kept = np.array([[j for j in range(3) if j != out] for out in across])
    rows = np.arange(len(values))[:, None]
    return values[rows, kept], np.swapaxes(vectors, 1, 2)[rows, kept]


def _tangents(pair: FlankPair, touching: Touching) -> Floats:
    """(k, 3, 2) of the second flank."""
    at = pair.second_at(touching.places[:, 2:], touching.second_angle)
    return np.swapaxes(at[:, BY_U : BY_V + 1], 1, 2)


def _shape(at: Floats, outward: int) -> Floats:
    """(k, 3, 3): curvature along directions of space, positive where the body is convex."""
    metric, bending = fundamental_forms(at)
    dual = np.linalg.solve(metric, at[:, BY_U : BY_V + 1])
    shape: Floats = -outward * np.einsum("kai,kab,kbj->kij", dual, bending, dual)
    return shape


def contact_lines(pair: FlankPair, touching: Touching, separation: float) -> Floats:
    """Ends (k, 2, 2), each (u, v) of the second flank, of lines along which flanks that touch are
    within a separation; not a number where an edge touches."""
    lines = np.full((len(touching.first_angle), 2, 2), np.nan)
    inside = np.flatnonzero((touching.edges == 0) & np.isfinite(touching.second_angle))
    chosen = Touching(
        touching.first_angle[inside],
        touching.second_angle[inside],
        touching.places[inside],
        touching.edges[inside],
        touching.points[inside],
    )
    values, directions = relative_curvatures(pair, chosen)
    tangents = _tangents(pair, chosen)
    metric = np.swapaxes(tangents, 1, 2) @ tangents
    along = np.einsum("kia,ki->ka", tangents, directions[:, 0])
    along = np.linalg.solve(metric, along[..., None])[..., 0]
    half = along * np.sqrt(2 * separation / np.maximum(values[:, :1], 1e-9))
    half /= np.maximum(np.abs(half).max(axis=1, keepdims=True) / LARGEST, 1.0)
    for row, centre, reach in zip(inside, chosen.places[:, 2:], half, strict=True):
        lines[row] = [_clipped(centre, -reach), _clipped(centre, reach)]
    return lines


def _clipped(centre: Floats, reach: Floats) -> Floats:
    """centre + reach, cut off where it leaves the flank."""
    with np.errstate(divide="ignore"):
        limits = np.where(reach == 0, np.inf, (np.sign(reach) - centre) / reach)
    return np.asarray(centre + reach * min(1.0, float(limits.min())))
