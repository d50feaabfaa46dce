"""Whether two involute gears can run together, as findings: contact, clearance, interference.

The tip edge of the mate touches a flank at the end of its path, at the roll length ρ_A. The
involute must reach that far, to ρ_F: else the tip digs into the fillet (trochoid interference), or
flank is missing that undercut took away. How deep a tip digs in decides: unshifted rings touch the
fillets of their pinions by less than the breaking of an edge takes off.

A gear and the ring around it may collide outside their mesh, too. Past the line of action the
leading corner of a pinion's tip leaves the ring where the two tip
circles cross, at the angles δ_1 and δ_2 from the line of centres:

    cos δ_1 = (r_a2² - r_a1² - a²) / (2 a r_a1),   cos δ_2 = (r_a2² - r_a1² + a²) / (2 a r_a2).

The corner of the ring's tooth that it touched in mesh must be ahead of it there,

    G_s = z_1 (inv α_a1 + δ_1) - z_2 (inv α_a2 + δ_2) + (z_2 - z_1) inv α_w > 0,

by r_a2 G_s / z_2 along the ring's tip circle.
"""

import math
from collections.abc import Iterator

from flank.geometry.findings import Finding, error, interference, warning
from flank.geometry.gear import Gear, involute
from flank.geometry.gear_checks import ROUND_OFF, check_gear, form_roll
from flank.geometry.gear_pair import GearPair
from flank.geometry.pair_gap import fillet_depths
from flank.geometry.tooth_fillet import rack_form_roll
from flank.texts import mm, short_length

LEAST_CLEARANCE = 0.1
"""Between a tip and the mate's root, in normal modules, below which errors may close it."""

LARGEST_PRELOAD = 0.01
"""Interference of teeth in their spaces, in normal modules, up to which it can be a preload."""

BROKEN_EDGE = 0.02
"""Depth of a tip in a fillet, in normal modules, up to which breaking its edge removes it."""

Names = tuple[str, str]


def check_gears(
    first: Gear,
    second: Gear,
    centre_distance: float = 0.0,
    face_width: float = 0.0,
    names: Names = ("pinion", "wheel"),
) -> Iterator[Finding]:
    """Findings of two gears at a centre distance; without it, where they have no backlash."""
    try:
        pair = GearPair(first, second, centre_distance, face_width)
    except ValueError:
        if first.internal:
            raise
        shifts = first.profile_shift + second.profile_shift
        yield error(
            "no-tight-mesh",
            (shifts, 0.0, ""),
            f"with profile shifts of {shifts:.4g} in all the {names[0]} and the {names[1]} mesh "
            "without backlash at no centre distance",
            "raise the sum of profile shifts"
            if second.sign > 0
            else "lower the sum of profile shifts (ISO 21771 sign: the ring's teeth move outward)",
        )
        return
    yield from check_pair(pair, names)


def check_pair(pair: GearPair, names: Names = ("pinion", "wheel")) -> Iterator[Finding]:
    """What is impossible or doubtful about both gears and their mesh."""
    gears = (pair.first, pair.second)
    findings = [f for gear, name in zip(gears, names, strict=True) for f in check_gear(gear, name)]
    findings += _check_action(pair, names)
    yield from findings
    if any(finding.severity == "error" for finding in findings):
        return
    yield from _check_contact(pair, names)
    yield from _check_clearance(pair, names)
    yield from check_backlash(pair, names)
    yield from _check_roots(pair, names)
    yield from _check_reliefs(pair, names)
    if pair.sign < 0:
        yield from _check_ring(pair, names)


def tip_clearances(pair: GearPair) -> tuple[float, float]:
    """Of the first gear's tips over the second's roots, and of the second's over the first's."""
    first, second, a = pair.first, pair.second, pair.centre_distance
    if pair.sign > 0:
        return a - first.tip_radius - second.root_radius, a - second.tip_radius - first.root_radius
    return second.root_radius - first.tip_radius - a, second.tip_radius - first.root_radius - a


def flank_reserves(pair: GearPair) -> tuple[float, float]:
    """Roll lengths by which the flanks of both gears reach past the tip edges of their mates."""
    first, second = pair.first, pair.second
    touched = pair.sign * (pair.action_length - second.edge_roll_length)
    other = pair.second_roll(first.edge_roll_length)
    return touched - form_roll(first), pair.sign * (other - form_roll(second))


def _check_action(pair: GearPair, names: Names) -> Iterator[Finding]:
    least = abs(pair.base_sum)
    if pair.centre_distance <= least:
        yield error(
            "no-line-of-action",
            (pair.centre_distance, least, "m"),
            f"at {mm(pair.centre_distance, 5)} the base circles of the {names[0]} and the "
            f"{names[1]} have no common tangent",
            f"use a centre distance well above {mm(least, 5)}",
        )


def _check_contact(pair: GearPair, names: Names) -> Iterator[Finding]:
    both = f"{names[0]} and the {names[1]}"
    remedy = "use longer teeth, more teeth, or less working pressure angle"
    if pair.contact_ratio <= 0:
        message = f"teeth of the {both} do not reach each other on the line of action"
        yield error("no-contact", (pair.contact_ratio, 0.0, ""), message, remedy)
    elif pair.total_contact_ratio < 1:
        ratio = pair.total_contact_ratio
        message = (
            f"the contact ratio of the {both} is {ratio:.3f}: between two pairs of teeth none "
            "touches"
        )
        yield warning("contact-ratio", (ratio, 1.0, ""), message, remedy)


def _check_clearance(pair: GearPair, names: Names) -> Iterator[Finding]:
    module = pair.first.normal_module
    for clearance, tip, root in zip(tip_clearances(pair), names, reversed(names), strict=True):
        remedy = f"shorten the teeth of the {tip} or use more dedendum"
        if clearance <= 0:
            yield error(
                "tip-in-root",
                (clearance, 0.0, "m"),
                f"tips of the {tip} reach {mm(-clearance, 3)} into the root of the {root}",
                remedy,
            )
        elif clearance < LEAST_CLEARANCE * module:
            yield warning(
                "small-tip-clearance",
                (clearance, LEAST_CLEARANCE * module, "m"),
                f"tips of the {tip} clear the root of the {root} by {mm(clearance, 3)}",
                remedy,
            )


def check_backlash(pair: GearPair, names: Names) -> Iterator[Finding]:
    """Whether the teeth find room in each other's spaces."""
    backlash, module = pair.normal_backlash, pair.first.normal_module
    if backlash >= -ROUND_OFF * module:
        return
    change = "increase" if pair.sign > 0 else "reduce"
    yield interference(
        "negative-backlash",
        backlash,
        -LARGEST_PRELOAD * module,
        f"teeth of the {names[0]} and the {names[1]} are {short_length(-backlash)} too thick for "
        "each other's spaces along the line of action",
        f"{change} the centre distance or give the teeth a negative thickness deviation",
    )


def _check_roots(pair: GearPair, names: Names) -> Iterator[Finding]:
    """Whether both flanks reach down to where the mate's tip edge touches them."""
    gears, reserves = (pair.first, pair.second), flank_reserves(pair)
    module = pair.first.normal_module
    if min(reserves) >= -ROUND_OFF * module:
        return
    depths = fillet_depths(pair)
    for k, gear in enumerate(gears):
        if reserves[k] >= -ROUND_OFF * module:
            continue
        if not gear.internal and rack_form_roll(gear) < 0:
            yield _undercut_flank(names[k], names[1 - k], gear, reserves[k])
        elif depths[k] > ROUND_OFF * module:
            yield _trochoid_interference(names[k], names[1 - k], depths[k], BROKEN_EDGE * module)


def _check_reliefs(pair: GearPair, names: Names) -> Iterator[Finding]:
    """Whether reliefs leave some of the path of contact as it is."""
    start, end = pair.path
    for gear, name in zip((pair.first, pair.second), names, strict=True):
        reliefs = ("tip", "down", gear.relief), ("root", "up", gear.root_relief)
        for place, way, relief in reliefs:
            if relief is not None and relief.amount and relief.length >= end - start:
                yield warning(
                    "relief-of-whole-flank",
                    (relief.length, end - start, "m"),
                    f"{place} relief of the {name} reaches {mm(relief.length, 4)} {way}, over "
                    f"all the path of contact of {(end - start) * 1e3:.4g} mm",
                    "make it shorter, so that some flank carries at light load",
                )


def _undercut_flank(name: str, mate: str, gear: Gear, reserve: float) -> Finding:
    begins = form_roll(gear)
    return error(
        "undercut-flank",
        (begins + reserve, begins, "m"),
        f"undercut takes {mm(-reserve, 3)} of roll from the {name} that tips of the {mate} need",
        f"use more profile shift or more teeth, or shorten the teeth of the {mate}",
    )


def _trochoid_interference(name: str, mate: str, depth: float, limit: float) -> Finding:
    return interference(
        "trochoid-interference",
        depth,
        limit,
        f"tips of the {mate} run {short_length(depth)} into fillets of the {name}",
        f"shorten or relieve the teeth of the {mate}, or give the {name} more profile shift or "
        "dedendum",
    )


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


def _check_ring(pair: GearPair, names: Names) -> Iterator[Finding]:
    """Findings of tips outside the mesh and of putting the gears together."""
    margin = tip_margin(pair)
    if margin <= 0:
        yield error(
            "tip-interference",
            (margin, 0.0, "m"),
            f"tips of the {names[0]} and the {names[1]} overlap by {mm(-margin, 3)} where "
            "their tip circles cross",
            "shorten the teeth, move the ring's teeth further outward (a lower profile shift, "
            "ISO 21771 sign), or use more teeth in the ring",
        )
        return
    room = radial_assembly_margin(pair)
    if room <= 0:
        yield warning(
            "no-radial-assembly",
            (room, 0.0, "m"),
            f"the {names[0]} cannot be pushed into the {names[1]} along a radius: corners of their "
            f"tips overlap by {mm(-room, 3)} on the way",
            "put them together along the axis, or shorten the teeth",
        )
