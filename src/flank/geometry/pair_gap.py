"""How far apart two flanks stand along the line of action, tips included.

A pair of teeth is named by the roll length ρ of the first gear, as if its involutes were endless.
Inside the path of contact the flanks touch but for their reliefs. Beyond it the involute of one
gear has ended, and its rounded edge meets the flank of the other off the line of action. The
distance of a point p from an involute flank is the one between parallel involutes,

    d = r_b [ψ + inv α_p - ψ_b]  outside,   d = r_b [ψ - inv α_p - ψ_b]  for a ring,

ψ the angle of p from the middle of the tooth towards the flank. The separation is the approach
δ = -g of the involutes (see `gear_pair`), with the first gear where ρ says, at which the edge's
circle touches. With the edge on the first gear it is read off; with the edge on the second gear,
which moves with δ, it is solved for.

Where undercut took flank that the mate's tip would touch, the path ends at the corner which it
left. Beyond, the corner is off the line of action, and touches the mate's flank until it runs over
the edge of the tip; then the edge touches the flank above the corner. Flank that ends at its base
circle, because the mate's tip reaches beyond the line of action, counts in the same way. Where an
edge runs over the mate's tip, as it may in a ring, edge touches edge, and then nothing.

How deep the tip of a mate digs into a fillet is found by moving it through the mesh. With the
flanks of one side in contact, the edge of the mate's tip runs along a trochoid in the
frame of the gear. Where it is nearer to the middle of the tooth than the gear's outline at the same
radius, by the angle Δψ, it digs in by r_b Δψ along the line of action.
"""

import cmath
import math
from typing import NamedTuple

import numpy as np

from flank.arrays import ComplexNumbers, Floats
from flank.geometry.gear import Gear, involute
from flank.geometry.gear_pair import GearPair
from flank.geometry.tooth_outline import flank_start, half_outline

LARGEST_DEFLECTION = 0.05
"""Normal modules: pairs that stand apart by more are not looked at; no tooth bends as far."""

ROUNDS = 60

POSES = 2000
EDGE_POINTS = 9
FILLET_POINTS = 2000


def separation(pair: GearPair, roll: float) -> float:
    """In m along the line of action; zero inside the path of teeth without relief."""
    start, end = pair.path
    inside = min(max(roll, start), end)
    mated = pair.second_roll(inside)
    relief = pair.first.relieved(inside) + pair.second.relieved(mated)
    relief += pair.first.root_relieved(inside, start)
    relief += pair.second.root_relieved(mated, pair.second_roll(end))
    if roll > end:
        return relief + _after(pair, roll)
    if roll < start:
        return relief + _before(pair, roll)
    return relief


def _after(pair: GearPair, roll: float) -> float:
    """Past the path, where the first gear's tip is, or the foot of the second one's flank."""
    first, second = pair.first, pair.second
    if pair.path[1] < first.edge_roll_length:
        foot, reached = _second_circle(pair, roll, _foot(second))
        if reached <= first.edge_roll_length:
            return foot
    edge, reached = _first_circle(pair, roll, _edge(first))
    past = pair.sign * (reached - second.edge_roll_length) > 0
    return _edges(pair, roll) if past else edge


def _before(pair: GearPair, roll: float) -> float:
    """The same before the path, where the second gear's tip is."""
    first, second = pair.first, pair.second
    if pair.path[0] > pair.sign * (pair.action_length - second.edge_roll_length):
        foot, reached = _first_circle(pair, roll, _foot(first))
        if pair.sign * (second.edge_roll_length - reached) >= 0:
            return foot
    edge, reached = _second_circle(pair, roll, _edge(second))
    return _edges(pair, roll) if reached > first.edge_roll_length else edge


def steps_beyond(pair: GearPair, step: float) -> tuple[int, int]:
    """How many steps of roll before and after the path pairs of teeth may still touch."""
    start, end = pair.path
    return _steps_out(pair, start, -step), _steps_out(pair, end, step)


def _steps_out(pair: GearPair, end: float, step: float) -> int:
    most = int(0.5 * pair.first.teeth * pair.base_pitch / abs(step))  # half a turn
    for count in range(1, most):
        if separation(pair, end + count * step) > LARGEST_DEFLECTION * pair.first.normal_module:
            return count
    return most


class Round(NamedTuple):
    """A circle on a tooth: its centre's distance and angle from the middle, and its radius."""

    distance: float
    angle: float
    radius: float


def _edge(gear: Gear) -> Round:
    return Round(*gear.edge_centre, gear.edge_radius)


def _foot(gear: Gear) -> Round:
    """Where the flank of an external gear begins."""
    radius = math.hypot(gear.base_radius, flank_start(gear))
    return Round(radius, gear.half_angle(radius), 0.0)


def _first_circle(pair: GearPair, roll: float, circle: Round) -> tuple[float, float]:
    """Where a circle on the first gear touches the second's flank, and at which roll length."""
    second = pair.second
    at_first, at_second = _angles(pair, roll, 0.0)
    centre, other = _centres(pair)
    point = centre + cmath.rect(circle.distance, at_first + circle.angle) - other
    gap = _from_flank(second, point, at_second) - circle.radius
    return gap, second.roll_length(abs(point)) - second.sign * circle.radius


def _second_circle(pair: GearPair, roll: float, circle: Round) -> tuple[float, float]:
    """Where a circle on the second gear touches the first's flank, and at which roll length."""
    centre, other = _centres(pair)
    closed = 0.0
    for _ in range(ROUNDS):
        at_first, at_second = _angles(pair, roll, closed)
        turned = at_second + pair.sign * circle.angle
        point = other + cmath.rect(circle.distance, turned) - centre
        change = _from_flank(pair.first, point, at_first) - circle.radius
        closed += change  # moves the circle by about as much towards the flank
        if abs(change) < 1e-16:
            break
    return closed, pair.first.roll_length(abs(point)) - circle.radius


def _edges(pair: GearPair, roll: float) -> float:
    """Where the edges of both tips touch, |K_1 - K_2| = r_1 + r_2, while K_2 turns with its gear.

    Tips that miss each other are apart by more than is looked at.
    """
    second = pair.second
    first_edge, second_edge = _edge(pair.first), _edge(second)
    at_first, at_second = _angles(pair, roll, 0.0)
    centre, hub = _centres(pair)
    point = centre + cmath.rect(first_edge.distance, at_first + first_edge.angle) - hub
    squares = (
        abs(point) ** 2 + second_edge.distance**2 - (first_edge.radius + second_edge.radius) ** 2
    )
    cosine = squares / (2 * abs(point) * second_edge.distance)
    if cosine >= 1:
        return 2 * LARGEST_DEFLECTION * pair.first.normal_module
    ahead = math.remainder(
        cmath.phase(point) - at_second - pair.sign * second_edge.angle, 2 * math.pi
    )
    return second.base_radius * (pair.sign * ahead - math.acos(cosine))


def _centres(pair: GearPair) -> tuple[float, float]:
    """Of both gears on the line of centres, the mesh in its positive direction."""
    return (0.0, pair.centre_distance) if pair.sign > 0 else (pair.centre_distance, 0.0)


def _angles(pair: GearPair, roll: float, approach: float) -> tuple[float, float]:
    """Directions of both teeth, the involutes overlapping by `approach` on the flank +1."""
    first, second = pair.first, pair.second
    at_first = roll / first.base_radius - first.base_half_angle - pair.working_angle
    other = math.pi if pair.sign > 0 else 0.0
    open_by = pair.gap(1, at_first, other)
    return at_first, other + pair.sign * (open_by + approach) / second.base_radius


def _from_flank(gear: Gear, point: complex, tooth: float) -> float:
    """Distance of a point, seen from the gear's centre, outside the flank that faces the mate."""
    angle = math.remainder(cmath.phase(point) - tooth, 2 * math.pi)
    return gear.base_radius * (
        gear.sign * (angle + involute(gear.pressure_angle_at(abs(point)))) - gear.base_half_angle
    )


def fillet_depths(pair: GearPair) -> tuple[float, float]:
    """Of the second gear's tips in the first's fillets, and the other way round; zero if free."""
    first_angles, second_angles = _poses(pair)
    a = pair.centre_distance
    # The ring's centre is the origin of an internal pair, the first gear's that of an external one.
    centres = (0.0, a) if pair.sign > 0 else (a, 0.0)
    turns = np.exp(1j * first_angles), np.exp(1j * second_angles)
    first_edge, second_edge = _edge_points(pair.first), _edge_points(pair.second)
    if pair.sign < 0:  # the ring is touched on the other side of its teeth
        second_edge = second_edge.conj()
    on_first = centres[1] + second_edge[:, None] * turns[1] - centres[0]
    on_second = centres[0] + first_edge[:, None] * turns[0] - centres[1]
    seen = (on_first / turns[0]).ravel(), (on_second / turns[1]).ravel()
    return (
        _fillet_depth(pair.first, seen[0]),
        _fillet_depth(pair.second, seen[1] if pair.sign > 0 else seen[1].conj()),
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


def _edge_points(gear: Gear) -> ComplexNumbers:
    """Points from the end of the flank over the rounding of its edge."""
    edge = half_outline(gear).edge
    return edge.point(edge.spread(EDGE_POINTS))


def _fillet_depth(gear: Gear, points: ComplexNumbers) -> float:
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
