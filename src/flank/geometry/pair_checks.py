"""Whether two involute gears can run together, as findings: contact, clearance, interference.

The tip edge of the mate touches a flank at the end of its path, at the roll length ρ_A. The
involute must reach that far, to ρ_F: else the tip digs into the fillet (trochoid interference), or
flank is missing that undercut took away. How deep a tip digs in decides: unshifted rings touch the
fillets of their pinions by less than the breaking of an edge takes off.
"""

from collections.abc import Iterator

from flank.geometry.fillet_contact import fillet_depths
from flank.geometry.findings import Finding
from flank.geometry.gear import Gear
from flank.geometry.gear_checks import ROUND_OFF, check_gear, form_roll, rack_form_roll
from flank.geometry.gear_pair import GearPair
from flank.geometry.ring_checks import check_ring_pair

LEAST_CLEARANCE = 0.1
"""Between a tip and the mate's root, in normal modules, below which errors may close it."""

LARGEST_PRELOAD = 0.01
"""Interference of teeth in their spaces, in normal modules, up to which it can be a preload."""

BROKEN_EDGE = 0.02
"""Depth of a tip in a fillet, in normal modules, up to which breaking its edge removes it."""

Names = tuple[str, str]


def shown(length: float) -> str:
    """A small length in um, a larger one in mm."""
    return f"{length * 1e6:.3g} um" if length < 1e-3 else f"{length * 1e3:.3g} mm"


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
        yield Finding(
            "no-tight-mesh",
            "error",
            f"with profile shifts of {shifts:.4g} in all the {names[0]} and the {names[1]} mesh "
            "without backlash at no centre distance",
            shifts,
            0.0,
            "",
            "raise the sum of profile shifts"
            if second.sign > 0
            else "lower the sum of profile shifts (ISO 21771 sign: the ring's teeth move outward)",
        )
        return
    yield from check_pair(pair, names)


def check_pair(pair: GearPair, names: Names = ("pinion", "wheel")) -> Iterator[Finding]:
    """What is impossible or doubtful about both gears and their mesh."""
    gears = (pair.first, pair.second)
    found = [f for gear, name in zip(gears, names, strict=True) for f in check_gear(gear, name)]
    found += _check_action(pair, names)
    yield from found
    if any(finding.severity == "error" for finding in found):
        return
    yield from _check_contact(pair, names)
    yield from _check_clearance(pair, names)
    yield from check_backlash(pair, names)
    yield from _check_roots(pair, names)
    yield from _check_reliefs(pair, names)
    if pair.sign < 0:
        yield from check_ring_pair(pair, names)


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
        yield Finding(
            "no-line-of-action",
            "error",
            f"at {pair.centre_distance * 1e3:.5g} mm the base circles of the {names[0]} and the "
            f"{names[1]} have no common tangent",
            pair.centre_distance,
            least,
            "m",
            f"use a centre distance well above {least * 1e3:.5g} mm",
        )


def _check_contact(pair: GearPair, names: Names) -> Iterator[Finding]:
    both = f"{names[0]} and the {names[1]}"
    remedy = "use longer teeth, more teeth, or less working pressure angle"
    if pair.contact_ratio <= 0:
        message = f"teeth of the {both} do not reach each other on the line of action"
        yield Finding("no-contact", "error", message, pair.contact_ratio, 0.0, "", remedy)
    elif pair.total_contact_ratio < 1:
        ratio = pair.total_contact_ratio
        message = (
            f"the contact ratio of the {both} is {ratio:.3f}: between two pairs of teeth none "
            "touches"
        )
        yield Finding("contact-ratio", "warning", message, ratio, 1.0, "", remedy)


def _check_clearance(pair: GearPair, names: Names) -> Iterator[Finding]:
    module = pair.first.normal_module
    for clearance, tip, root in zip(tip_clearances(pair), names, reversed(names), strict=True):
        remedy = f"shorten the teeth of the {tip} or use more dedendum"
        if clearance <= 0:
            yield Finding(
                "tip-in-root",
                "error",
                f"tips of the {tip} reach {-clearance * 1e3:.3g} mm into the root of the {root}",
                clearance,
                0.0,
                "m",
                remedy,
            )
        elif clearance < LEAST_CLEARANCE * module:
            yield Finding(
                "small-tip-clearance",
                "warning",
                f"tips of the {tip} clear the root of the {root} by {clearance * 1e3:.3g} mm",
                clearance,
                LEAST_CLEARANCE * module,
                "m",
                remedy,
            )


def check_backlash(pair: GearPair, names: Names) -> Iterator[Finding]:
    """Whether the teeth find room in each other's spaces."""
    backlash, module = pair.normal_backlash, pair.first.normal_module
    if backlash >= -ROUND_OFF * module:
        return
    limit = -LARGEST_PRELOAD * module
    impossible = backlash < limit
    apart = "increase" if pair.sign > 0 else "reduce"
    yield Finding(
        "negative-backlash",
        "error" if impossible else "warning",
        f"teeth of the {names[0]} and the {names[1]} are {shown(-backlash)} too thick for each "
        "other's spaces along the line of action",
        backlash,
        limit if impossible else 0.0,
        "m",
        f"{apart} the centre distance or give the teeth a negative thickness deviation",
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
    """Whether tip reliefs leave some of the path of contact as it is."""
    start, end = pair.path
    for gear, name in zip((pair.first, pair.second), names, strict=True):
        if gear.relief is not None and gear.relief.amount and gear.relief.length >= end - start:
            yield Finding(
                "relief-of-whole-flank",
                "warning",
                f"tip relief of the {name} reaches {gear.relief.length * 1e3:.4g} mm down, over "
                f"all the path of contact of {(end - start) * 1e3:.4g} mm",
                gear.relief.length,
                end - start,
                "m",
                "make it shorter, so that some flank carries at light load",
            )


def _undercut_flank(name: str, mate: str, gear: Gear, reserve: float) -> Finding:
    begins = form_roll(gear)
    return Finding(
        "undercut-flank",
        "error",
        f"undercut takes {-reserve * 1e3:.3g} mm of roll from the {name} that tips of the {mate} "
        "need",
        begins + reserve,
        begins,
        "m",
        f"use more profile shift or more teeth, or shorten the teeth of the {mate}",
    )


def _trochoid_interference(name: str, mate: str, depth: float, limit: float) -> Finding:
    return Finding(
        "trochoid-interference",
        "error" if depth > limit else "warning",
        f"tips of the {mate} run {shown(depth)} into fillets of the {name}",
        depth,
        limit if depth > limit else 0.0,
        "m",
        f"shorten or relieve the teeth of the {mate}, or give the {name} more profile shift or "
        "dedendum",
    )
