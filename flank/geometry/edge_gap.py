"""How far teeth are apart that are not yet, or no longer, on the path of contact."""

import cmath
import math

from flank.geometry.gear import Gear, involute
from flank.geometry.gear_pair import GearPair


def edge_gap(pair: GearPair, roll: float) -> float:
    """Gap between the round tip edge of one tooth and the flank of the other, normal to it.

    `roll` is where the flanks of this pair would touch on the first gear's extended flank, with
    others of the mesh just touching. Zero on the path; infinite where the teeth do not meet.
    """
    first, second, sign = pair.first, pair.second, pair.sign
    past_first = roll > first.edge_roll_length
    past_second = sign * (pair.second_roll(roll) - second.edge_roll_length) > 0
    if not past_first and not past_second:
        return 0.0
    if past_first and past_second:
        return math.inf
    closed = first.base_radius * first.base_half_angle
    closed += second.base_radius * second.base_half_angle
    opening = pair.base_sum * involute(pair.working_angle) - closed
    tooth = roll / first.base_radius - first.base_half_angle - pair.working_angle
    other = math.pi if sign > 0 else 0.0
    mate = other + sign * (opening - first.base_radius * tooth) / second.base_radius
    centre = complex(sign * pair.centre_distance)
    if past_first:
        edge = cmath.rect(first.edge_centre[0], tooth + first.edge_centre[1])
        return _gap_to_flank(second, mate, edge - centre, first.edge_radius)
    edge = cmath.rect(second.edge_centre[0], mate + sign * second.edge_centre[1])
    return _gap_to_flank(first, tooth, edge + centre, second.edge_radius)


def _gap_to_flank(gear: Gear, tooth: float, point: complex, radius: float) -> float:
    """From a circle to the flank of a tooth, seen from the gear's centre; see contact/teeth.py."""
    if abs(point) <= gear.base_radius:
        return math.inf
    angle = math.acos(gear.base_radius / abs(point))
    past_tip = gear.sign * (
        gear.roll_length(abs(point)) - gear.sign * radius - gear.edge_roll_length
    )
    if past_tip > 0:
        return math.inf
    behind = math.remainder(tooth - cmath.phase(point), 2 * math.pi)
    gap = gear.sign * (involute(angle) - behind) - gear.base_half_angle
    return gear.base_radius * gap - radius
