"""How deep the tip of a mate digs into a fillet, by moving it through the mesh.

With the flanks of one side in contact, the edge of the mate's tip runs along a trochoid in the
frame of the gear. Where it is nearer to the middle of the tooth than the gear's outline at the same
radius, by the angle Δψ, it digs in by r_b Δψ along the line of action.
"""

import math

import numpy as np

from flank.arrays import ComplexNumbers, Floats
from flank.geometry.gear import Gear
from flank.geometry.gear_pair import GearPair
from flank.geometry.tooth_outline import half_outline

POSES = 2000
EDGE_POINTS = 9
FILLET_POINTS = 2000


def fillet_depths(pair: GearPair) -> tuple[float, float]:
    """Of the second gear's tips in the first's fillets, and the other way round; zero if free."""
    first_angles, second_angles = _poses(pair)
    a = pair.centre_distance
    # The ring's centre is the origin of an internal pair, the first gear's that of an external one.
    centres = (0.0, a) if pair.sign > 0 else (a, 0.0)
    turns = np.exp(1j * first_angles), np.exp(1j * second_angles)
    first_edge, second_edge = _edge(pair.first), _edge(pair.second)
    if pair.sign < 0:  # the ring is touched on the other side of its teeth
        second_edge = second_edge.conj()
    on_first = centres[1] + second_edge[:, None] * turns[1] - centres[0]
    on_second = centres[0] + first_edge[:, None] * turns[0] - centres[1]
    seen = (on_first / turns[0]).ravel(), (on_second / turns[1]).ravel()
    return (
        _depth(pair.first, seen[0]),
        _depth(pair.second, seen[1] if pair.sign > 0 else seen[1].conj()),
    )


def _poses(pair: GearPair) -> tuple[Floats, Floats]:
    """Angles of two teeth that touch on flank +1, from before to after their path of contact."""
    first, second = pair.first, pair.second
    start, end = pair.path
    rolls = np.linspace(start - pair.base_pitch, end + pair.base_pitch, POSES)
    angles = rolls / first.base_radius - first.base_half_angle - pair.working_angle
    opposite = math.pi if pair.sign > 0 else 0.0
    left = pair.gap(1, 0.0, opposite) - first.base_radius * angles
    return angles, opposite + pair.sign * left / second.base_radius


def _edge(gear: Gear) -> ComplexNumbers:
    """Points from the end of the flank over the rounding of its edge."""
    edge = half_outline(gear).edge
    return edge.point(edge.spread(EDGE_POINTS))


def _depth(gear: Gear, points: ComplexNumbers) -> float:
    outline = half_outline(gear)
    fillet = outline.fillet.point(outline.fillet.spread(FILLET_POINTS))
    radii, angles = np.abs(fillet), np.angle(fillet)
    order = np.argsort(radii)
    at = np.abs(points)
    inside = (at >= radii.min()) & (at <= radii.max())
    if not np.any(inside):
        return 0.0
    reached = np.interp(at[inside], radii[order], angles[order])
    return max(gear.base_radius * float(np.max(reached - np.angle(points[inside]))), 0.0)
