"""One pair of involute teeth: where they touch, how deep, and how force and gap change with pose.

Four stages find it, none of them iterates. Screening: of all teeth only those whose numbers lie in
a window of `slots` about the middle of the path are looked at; a slot keeps its pair of teeth while
the window moves past (the warm start of friction's memory), for which the direction of the mesh
counts whole turns, as the gears' angles ask for. Partner: the tooth of B that comes
next, by rounding the gap to a base pitch. Analytic solve: both flanks have the common tangent of
the base circles as normal, so gap and place follow from angles (gap of geometry/gear_pair.py).
Tip probe: where that place lies beyond the end of a flank, the round edge of this tip touches
the other flank outside the line of action, and the distance from its centre K to an involute is

    r_b (inv α_K - ψ_b - s (C - φ)) outside,   r_b (s (C - φ) - ψ_b - inv α_K) inside a ring,

φ the direction of K from the gear's centre, cos α_K = r_b/|K|, C the direction of the tooth.

Whatever touches is, to the second order, two circles: about the point where the normal leaves a
base circle, or about the centre of an edge. So gradient and second derivative of the gap are those
of element.py with p the centre of B's circle.
"""

import math
from typing import NamedTuple

from flank.geometry.uniform_table import floor_index
from flank.kernel import kernel

FLANKS, EDGE_OF_A, EDGE_OF_B, APART = range(4)
"""Who touches whom."""


class Teeth(NamedTuple):
    """A pair of teeth as if their involutes were endless."""

    kind: int
    gap: float  # without reliefs
    roll_a: float  # roll lengths where the flanks are nearest
    roll_b: float
    cosine: float  # of the working angle
    sine: float
    angle: float
    direction: float  # of the mesh
    distance: float  # of the gears' centres
    tooth_a: float  # directions of both teeth
    tooth_b: float


class ContactCircles(NamedTuple):
    """Two circles that stand for what touches, A's and B's; p is the centre of B's."""

    touching: bool
    gap: float
    place_a: float  # roll lengths on each flank itself; at an edge the flank's end or beyond
    place_b: float
    px: float
    py: float
    nx: float  # out of A
    ny: float
    level_curvature: float  # of A's distance field at p
    reach: float  # from a base circle to the centre of an edge
    kx: float  # centre of A's edge, if that touches
    ky: float


@kernel(internal=True)
def find_teeth(contact, pair, ax, ay, bx, by, turn_a, turn_b):
    """The pair of teeth of a slot, from the gears' centres and angles."""
    side = float(contact.tooth_flank)
    dx = bx - ax
    dy = by - ay
    distance = math.sqrt(dx * dx + dy * dy)
    base_sum = pair.a_base_radius + pair.sign * pair.b_base_radius
    cosine = abs(base_sum) / distance
    if cosine >= 1.0:
        return Teeth(APART, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, distance, 0.0, 0.0)
    sine = math.sqrt(1.0 - cosine * cosine)
    alpha = math.acos(cosine)
    direction = math.atan2(pair.sign * dy, pair.sign * dx)
    turned = pair.a_base_radius * turn_a + pair.sign * pair.b_base_radius * turn_b
    ahead = pair.start_direction + turned / base_sum - direction
    direction += 2.0 * math.pi * math.floor(ahead / (2.0 * math.pi) + 0.5)
    tooth_a = turn_a + pair.a_tooth_angle + contact.tooth_roll_offset / pair.a_base_radius
    tooth_b = turn_b + pair.b_tooth_angle
    tooth_b -= pair.sign * contact.tooth_roll_offset / pair.b_base_radius
    roll = pair.a_base_radius * (side * (tooth_a - direction) + pair.a_half_angle + alpha)
    nearest = side * (pair.middle - roll) / pair.base_pitch
    number = contact.tooth_slot + contact.tooth_slots * floor_index(
        (nearest - contact.tooth_slot) / contact.tooth_slots + 0.5
    )
    tooth_a += number * pair.a_pitch_angle
    roll += side * number * pair.base_pitch
    other = direction + math.pi if pair.sign > 0.0 else direction
    phase = pair.a_base_radius * (tooth_a - direction)
    phase += pair.sign * pair.b_base_radius * (tooth_b - other)
    gap = base_sum * (sine / cosine - alpha) - side * phase
    gap -= pair.a_base_radius * pair.a_half_angle + pair.b_base_radius * pair.b_half_angle
    pitches = math.floor((gap - pair.centred_gap) / pair.base_pitch + 0.5)
    gap -= pitches * pair.base_pitch
    tooth_b += side * pair.sign * pitches * pair.b_pitch_angle
    second_roll = distance * sine - pair.sign * (roll + gap)
    kind = FLANKS
    if roll > pair.a_edge_roll:
        kind = EDGE_OF_A
    if pair.sign * (second_roll - pair.b_edge_roll) > 0.0:
        kind = EDGE_OF_B if kind == FLANKS else APART
    if kind == FLANKS and (roll <= 0.0 or second_roll <= 0.0):
        kind = APART
    return Teeth(
        kind,
        gap,
        roll,
        second_roll,
        cosine,
        sine,
        alpha,
        direction,
        distance,
        tooth_a,
        tooth_b,
    )


@kernel(internal=True)
def contact_circles(teeth, pair, side, ax, ay, bx, by):
    """Where the flanks touch, or the edge of one tip the other's flank."""
    if teeth.kind == EDGE_OF_A:
        return _edge_of_a(teeth, pair, side, ax, ay, bx, by)
    if teeth.kind == EDGE_OF_B:
        return _edge_of_b(teeth, pair, side, ax, ay, bx, by)
    foot = teeth.direction - side * teeth.angle
    c = math.cos(foot)
    s = math.sin(foot)
    return ContactCircles(
        teeth.kind == FLANKS,
        teeth.gap,
        teeth.roll_a,
        teeth.roll_b,
        bx - pair.sign * pair.b_base_radius * c,
        by - pair.sign * pair.b_base_radius * s,
        -side * s,
        side * c,
        pair.sign / max(teeth.distance * teeth.sine, 1e-12),
        0.0,
        0.0,
        0.0,
    )


@kernel(internal=True)
def _edge_of_a(teeth, pair, side, ax, ay, bx, by):
    turned = teeth.tooth_a + side * pair.a_edge_angle
    kx = ax + pair.a_edge_distance * math.cos(turned)
    ky = ay + pair.a_edge_distance * math.sin(turned)
    foot, distance, reach, ex, ey = probe_edge(
        side, pair.sign, kx, ky, bx, by, pair.b_base_radius, pair.b_half_angle, teeth.tooth_b
    )
    place = reach - pair.sign * distance
    return ContactCircles(
        foot and place > 0.0 and pair.sign * (pair.b_edge_roll - place) > 0.0,
        distance - pair.a_edge_radius,
        teeth.roll_a,
        place,
        kx - reach * ex,
        ky - reach * ey,
        -pair.sign * ex,
        -pair.sign * ey,
        pair.sign / max(reach, 1e-12),
        reach,
        kx,
        ky,
    )


@kernel(internal=True)
def _edge_of_b(teeth, pair, side, ax, ay, bx, by):
    turned = teeth.tooth_b + pair.sign * side * pair.b_edge_angle
    px = bx + pair.b_edge_distance * math.cos(turned)
    py = by + pair.b_edge_distance * math.sin(turned)
    foot, distance, reach, nx, ny = probe_edge(
        side, 1.0, px, py, ax, ay, pair.a_base_radius, pair.a_half_angle, teeth.tooth_a
    )
    place = reach - distance
    return ContactCircles(
        foot and place > 0.0 and place < pair.a_edge_roll,
        distance - pair.b_edge_radius,
        place,
        teeth.roll_b,
        px,
        py,
        nx,
        ny,
        1.0 / max(reach, 1e-12),
        reach,
        0.0,
        0.0,
    )


@kernel(internal=True)
def probe_edge(side, sign, kx, ky, cx, cy, base_radius, half_angle, tooth):
    """Distance from an edge's centre K to an involute flank about (cx, cy), and its foot.

    `sign` is -1 for the flank of a ring. Returns whether there is a foot, the distance, the normal
    length t from the base circle to K, and the direction of the normal, from the base circle to K.
    """
    rx = kx - cx
    ry = ky - cy
    squared = rx * rx + ry * ry - base_radius * base_radius
    if squared <= 0.0:
        return False, 1.0, 0.0, 0.0, 0.0
    tangent_length = math.sqrt(squared)
    ratio = tangent_length / base_radius
    angle = math.atan(ratio)
    azimuth = math.atan2(ry, rx)
    behind = tooth - azimuth
    behind -= 2.0 * math.pi * math.floor(behind / (2.0 * math.pi) + 0.5)
    distance = base_radius * (sign * (ratio - angle - side * behind) - half_angle)
    foot = azimuth - side * angle
    return True, distance, tangent_length, -side * math.sin(foot), side * math.cos(foot)
