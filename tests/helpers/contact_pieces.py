"""Gaps and forces of single contacts, from their rows."""

import numpy as np

from flank.contact import Disc, PowerLaw, Surface, circle_in_hole, circle_pair, needle_between
from flank.contact.dispatch import elastic, find_gap
from flank.contact.laws import FoundationLaw
from flank.contact.table import MEMORY
from flank.geometry.curve import Circle, pack_curves
from flank.kernel import kernel

NO_CURVES = pack_curves([Circle(1.0)])
SURFACE = Surface(PowerLaw(1e9, 1.5))


@kernel
def _gaps(contacts, curves, data, memory, points, known, starts, out):
    for i in range(points.shape[0]):
        memory[0].known = known
        memory[0].parameter = starts[i]
        gap = find_gap(contacts[0], curves, data, memory[0], points[i, 0], points[i, 1], 0.0, 0.0)
        for j in range(6):
            out[i, j] = gap[j]


@kernel
def _elastic(contacts, depth, curvature):
    return elastic(contacts[0], depth, curvature)


def gaps_of(row, points, starts=None, curves=NO_CURVES):
    """Rows gap, n_x, n_y, bend, curvature, parameter at many points; cold without `starts`."""
    points = np.ascontiguousarray(points, dtype=float).reshape(-1, 2)
    known = 0 if starts is None else 1
    starts = np.zeros(len(points)) if starts is None else np.asarray(starts, dtype=float)
    out = np.empty((len(points), 6))
    memory = np.zeros(1, dtype=MEMORY)
    _gaps(np.array([row]), *curves, memory, points, known, starts, out)
    return out


def circle_outside(px, py, a_radius, b_radius):
    row = circle_pair(Disc(1, 0.0, 0.0, a_radius), Disc(2, 0.0, 0.0, b_radius), SURFACE)
    return tuple(gaps_of(row, [px, py])[0].tolist())


def circle_inside(px, py, a_radius, b_radius):
    row = circle_in_hole(Disc(1, 0.0, 0.0, a_radius), Disc(2, 0.0, 0.0, b_radius), SURFACE)
    return tuple(gaps_of(row, [px, py])[0].tolist())


def needle(px, py, direction, clearance):
    races = Disc(1, 0.0, 0.0, 0.01), Disc(2, 0.0, 0.0, 0.02)
    row = needle_between(*races, direction, clearance, SURFACE.law, 0.0)
    return tuple(gaps_of(row, [px, py])[0].tolist())


def force_of(law, depth, curvature):
    """Force, stiffness and energy of a law."""
    row = circle_pair(Disc(1, 0.0, 0.0, 1.0), Disc(2, 0.0, 0.0, 1.0), Surface(law))
    return _elastic(np.array([row]), depth, curvature)


def power(depth, stiffness, exponent):
    return force_of(PowerLaw(stiffness, exponent), depth, 1.0)


def foundation(depth, stiffness, curvature):
    return force_of(FoundationLaw(stiffness), depth, curvature)
