"""Where a gear and the ring around it collide outside their mesh.

Past the line of action the leading corner of a pinion's tip leaves the ring where the two tip
circles cross, at the angles δ_1 and δ_2 from the line of centres:

    cos δ_1 = (r_a2² - r_a1² - a²) / (2 a r_a1),   cos δ_2 = (r_a2² - r_a1² + a²) / (2 a r_a2).

The corner of the ring's tooth that it touched in mesh must be ahead of it there,

    G_s = z_1 (inv α_a1 + δ_1) - z_2 (inv α_a2 + δ_2) + (z_2 - z_1) inv α_w > 0,

by r_a2 G_s / z_2 along the ring's tip circle.
"""

import math
from collections.abc import Iterator

from flank.geometry.findings import Finding
from flank.geometry.gear import involute
from flank.geometry.gear_pair import GearPair


def tip_crossing(pair: GearPair) -> tuple[float, float]:
    """δ_1 and δ_2 where the tip circles cross; π where the gear's encloses the ring's."""
    a, first, second = pair.centre_distance, pair.first.tip_radius, pair.second.tip_radius
    of_first = (second**2 - first**2 - a**2) / (2 * a * first)
    of_second = (second**2 - first**2 + a**2) / (2 * a * second)
    return math.acos(min(max(of_first, -1), 1)), math.acos(min(max(of_second, -1), 1))


def tip_overlap_number(pair: GearPair) -> float:
    """G_s, in rad times teeth; above zero the tips clear each other."""
    crossing = tip_crossing(pair)
    first, second = pair.first, pair.second
    of_first = involute(first.pressure_angle_at(first.tip_radius)) + crossing[0]
    of_second = involute(second.pressure_angle_at(second.tip_radius)) + crossing[1]
    turned = (second.teeth - first.teeth) * involute(pair.working_angle)
    return first.teeth * of_first - second.teeth * of_second + turned


def tip_margin(pair: GearPair) -> float:
    """How far apart, along the ring's tip circle, the tips' corners pass each other, in m."""
    return pair.second.tip_radius * tip_overlap_number(pair) / pair.second.teeth


def radial_assembly_margin(pair: GearPair) -> float:
    """Room between the tips' corners while the gear is pushed into the ring along a radius, in m.

    Without turning: each corner of the gear moves at its own distance from the line of centres and
    must pass inside the ring's corner next to it. The better one of a tooth and of a space on the
    line counts.
    """
    return max(_straight_in(pair, 0.0), _straight_in(pair, 0.5))


def _straight_in(pair: GearPair, start: float) -> float:
    """Least margin of all teeth, with the gear's tooth `start` pitches off the line of centres."""
    first, second = pair.first, pair.second
    ahead = first.half_angle(first.tip_radius)
    behind = second.half_angle(second.tip_radius)
    least = math.inf
    for k in range(first.teeth // 2 + 1):
        angle = first.pitch_angle * (k + start) + ahead
        other = second.pitch_angle * (k + start + 0.5) - behind
        inside = pair.centre_distance + first.tip_radius * math.cos(angle)
        if max(angle, other) >= math.pi or inside <= second.tip_radius * math.cos(other):
            break
        room = second.tip_radius * math.sin(other) - first.tip_radius * math.sin(angle)
        least = min(least, room)
    return least


def check_ring_pair(pair: GearPair, names: tuple[str, str]) -> Iterator[Finding]:
    """Findings of tips outside the mesh and of putting the gears together."""
    margin = tip_margin(pair)
    if margin <= 0:
        yield Finding(
            "tip-interference",
            "error",
            f"tips of the {names[0]} and the {names[1]} overlap by {-margin * 1e3:.3g} mm where "
            "their tip circles cross",
            margin,
            0.0,
            "m",
            "shorten the teeth, move the ring's teeth further outward (a lower profile shift, "
            "ISO 21771 sign), or use more teeth in the ring",
        )
        return
    room = radial_assembly_margin(pair)
    if room <= 0:
        yield Finding(
            "no-radial-assembly",
            "warning",
            f"the {names[0]} cannot be pushed into the {names[1]} along a radius: corners of their "
            f"tips overlap by {-room * 1e3:.3g} mm on the way",
            room,
            0.0,
            "m",
            "put them together along the axis, or shorten the teeth",
        )
