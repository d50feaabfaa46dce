"""How a pair of teeth gives way where it touches: bending, curvature, reliefs.

Where an edge touches, the relative curvature grows from the flank's to the edge's with the roll u
beyond the end of the flank, by the share u²/(u² + b²): a contact has a width, about b.
"""

import math

from flank.contact.tooth_contact import EDGE_OF_A, EDGE_OF_B, FLANKS
from flank.geometry.uniform_table import floor_index, table_value
from flank.kernel import kernel

FLATTEST = 1e-3
"""Least relative curvature at the end of a flank, over the curvature of this flank there."""


@kernel(internal=True)
def reliefs(pair, kind, place_a, place_b):
    """What reliefs take off both flanks, and its slopes by both roll lengths."""
    off_a, slope_a = _relieved(
        pair.a_relief,
        pair.a_relief_length,
        pair.a_relief_exponent,
        min(place_a - pair.a_edge_roll, 0.0) + pair.a_relief_length,
    )
    off_b, slope_b = _relieved(
        pair.b_relief,
        pair.b_relief_length,
        pair.b_relief_exponent,
        min(pair.sign * (place_b - pair.b_edge_roll), 0.0) + pair.b_relief_length,
    )
    if kind == EDGE_OF_A:
        slope_a = 0.0
    if kind == EDGE_OF_B:
        slope_b = 0.0
    root_a, root_slope_a = _relieved(
        pair.a_root_relief,
        pair.a_root_relief_length,
        pair.a_root_relief_exponent,
        pair.a_root_relief_length - max(place_a - pair.a_root_roll, 0.0),
    )
    root_b, root_slope_b = _relieved(
        pair.b_root_relief,
        pair.b_root_relief_length,
        pair.b_root_relief_exponent,
        pair.b_root_relief_length - max(pair.sign * (place_b - pair.b_root_roll), 0.0),
    )
    slope_a -= root_slope_a if place_a > pair.a_root_roll else 0.0
    slope_b -= root_slope_b if pair.sign * (place_b - pair.b_root_roll) > 0.0 else 0.0
    return off_a + off_b + root_a + root_b, slope_a, pair.sign * slope_b


@kernel(internal=True)
def measured(pair, data, kind, side, tooth, place):
    """What is removed from the measured flank of the first gear's tooth, counted from that along
    its tooth angle, and its slope by the roll length."""
    count = floor_index(2.0 * math.pi / pair.a_pitch_angle + 0.5)
    flank = 2 * (tooth % count)
    if side < 0.0:
        flank += 1
    off, slope, _second = table_value(
        data,
        pair.profile_table + pair.profile_count * flank,
        pair.profile_count,
        pair.profile_start,
        pair.profile_step,
        min(place, pair.a_edge_roll),
    )
    if kind == EDGE_OF_A:
        slope = 0.0
    return off, slope


@kernel(internal=True)
def bending(pair, data, kind, place_a, place_b):
    """Compliance of both teeth, and its slopes by both roll lengths; none beyond a flank's end."""
    compliance_a, slope_a, _second_a = table_value(
        data,
        pair.a_table,
        pair.a_table_count,
        pair.a_table_start,
        pair.a_table_step,
        min(place_a, pair.a_edge_roll),
    )
    at_b = min(place_b, pair.b_edge_roll) if pair.sign > 0.0 else max(place_b, pair.b_edge_roll)
    compliance_b, slope_b, _second_b = table_value(
        data, pair.b_table, pair.b_table_count, pair.b_table_start, pair.b_table_step, at_b
    )
    if kind == EDGE_OF_A:
        slope_a = 0.0
    if kind == EDGE_OF_B:
        slope_b = 0.0
    return compliance_a + compliance_b, slope_a, slope_b


@kernel(internal=True)
def curvature_of(pair, kind, roll_a, roll_b, place_a, place_b):
    """κ, slopes of ln κ by both roll lengths, second one by an edge's; that comes in gradually."""
    if kind == FLANKS:
        curvature = 1.0 / roll_a + pair.sign / roll_b
        slope_a = -1.0 / (roll_a * roll_a * curvature)
        slope_b = -pair.sign / (roll_b * roll_b * curvature)
        return curvature, slope_a, slope_b, 0.0
    of_a = kind == EDGE_OF_A
    end = pair.a_edge_roll if of_a else pair.b_edge_roll
    beyond = roll_a - end if of_a else pair.sign * (roll_b - end)
    place = place_b if of_a else place_a
    facing = pair.sign if of_a else 1.0  # of the flank that the edge touches
    ending = 1.0 if of_a else pair.sign
    edge = 1.0 / (pair.a_edge_radius if of_a else pair.b_edge_radius) + facing / place
    flank = ending / end + facing / place
    place_slope = -facing / (place * place)
    by_flank = place_slope
    if flank < FLATTEST / end:  # far off the path a ring may be the flatter one
        flank = FLATTEST / end
        by_flank = 0.0
    squares = beyond * beyond + pair.edge_width * pair.edge_width
    share = beyond * beyond / squares
    ratio = math.log(edge / flank)
    slope_scale = 2.0 * ratio * pair.edge_width * pair.edge_width / (squares * squares)
    edge_slope = slope_scale * beyond
    edge_rate = slope_scale * (1.0 - 4.0 * share)
    mate_slope = (1.0 - share) * by_flank / flank + share * place_slope / edge
    curvature = flank * math.exp(share * ratio)
    if of_a:
        return curvature, edge_slope, mate_slope, edge_rate
    return curvature, mate_slope, pair.sign * edge_slope, edge_rate


@kernel(internal=True)
def _relieved(amount, length, exponent, past):
    """A relief and its slope, `past` how far beyond its beginning."""
    if amount == 0.0 or past <= 0.0:
        return 0.0, 0.0
    share = (past / length) ** (exponent - 1.0)
    return amount * share * past / length, amount * exponent * share / length
