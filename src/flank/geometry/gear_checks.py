"""Whether one involute gear can be cut: form circle, undercut, pointed teeth, as findings.

The straight flank of a basic rack ends at h_Ff = h_fP - ρ_fP (1 - sin α_n) below its datum. On the
generating line of action that point cuts the flank at the roll length

    ρ_F = r sin α_t - (h_Ff - x) m_n / sin α_t,

where the involute of an external gear begins. Below zero the rack reaches past the base circle
and undercuts: the least profile shift without is x_min = h_Ff - z sin² α_t / (2 cos β).
"""

import math
from collections.abc import Iterator

from flank.geometry.findings import Finding, error, warning
from flank.geometry.gear import Gear
from flank.geometry.tooth_fillet import rounding_of_rack, straight_depth
from flank.geometry.tooth_outline import half_outline, normal_section
from flank.texts import mm

THINNEST_TIP = 0.2
"""Tooth thickness at the tip, in normal modules, below which a hardened tip is brittle."""

ROUND_OFF = 1e-9
"""In normal modules: what counts as zero."""


def least_profile_shift(gear: Gear) -> float:
    """x_min below which the gear's own rack undercuts it."""
    sine = math.sin(gear.pressure_angle)
    return (straight_depth(gear) - gear.reference_radius * sine**2) / gear.normal_module


def form_roll(gear: Gear) -> float:
    """Roll length where the involute begins, at the fillet or where undercut left off.

    ValueError where nothing is left of the flank.
    """
    return half_outline(gear).form_roll


def check_gear(gear: Gear, name: str = "gear") -> Iterator[Finding]:
    """What is impossible or doubtful about a gear by itself; `name` is how sentences call it."""
    findings = [*_check_tip(gear, name), *_check_root(gear, name)]
    yield from findings
    if any(finding.severity == "error" for finding in findings):
        return
    if missing := _missing_flank(gear):
        yield error(
            "no-flank",
            (gear.profile_shift, 0.0 if gear.internal else least_profile_shift(gear), ""),
            f"the {name} has no teeth to mesh with: {missing}",
            "use another profile shift, less dedendum, or a smaller fillet or edge radius",
        )
        return
    if not gear.internal:
        yield from _check_fillet(gear, name)
        yield from _check_undercut(gear, name)


def _missing_flank(gear: Gear) -> str:
    """Why there is no flank; helical teeth are beams of their normal section, which must exist."""
    for section, where in ((gear, ""), (normal_section(gear), " (its normal section)")):
        try:
            form_roll(section)
        except ValueError as error:
            return f"{error}{where}"
    return ""


def _check_tip(gear: Gear, name: str) -> Iterator[Finding]:
    thickness = gear.thickness(gear.tip_radius)
    limit = THINNEST_TIP * gear.normal_module
    remedy = "shorten the teeth or use less profile shift"
    if gear.internal and gear.tip_radius <= gear.base_radius:
        yield error(
            "tip-inside-base-circle",
            (gear.tip_radius, gear.base_radius, "m"),
            f"the {name}'s tips at {mm(gear.tip_radius, 5)} reach inside its base circle of "
            f"{mm(gear.base_radius, 5)}, where there is no involute",
            "shorten its teeth, use more teeth, or a profile shift further outward",
        )
    elif thickness <= ROUND_OFF * gear.normal_module:
        message = f"the {name}'s flanks cross before they reach the tip circle"
        yield error("pointed-tip", (thickness, 0.0, "m"), message, remedy)
    elif thickness < limit:
        message = f"the {name}'s teeth are {mm(thickness, 3)} thick at their tips"
        yield warning("thin-tip", (thickness, limit, "m"), message, remedy)


def _check_root(gear: Gear, name: str) -> Iterator[Finding]:
    """Whether what cuts the spaces can be as deep as it should be."""
    if gear.internal:
        room = 0.5 * gear.pitch_angle - gear.half_angle(gear.root_radius)
        if room <= 0:
            yield error(
                "pointed-space",
                (2 * gear.root_radius * room, 0.0, "m"),
                f"the spaces of the {name} close before they reach its root circle",
                "use less dedendum or a profile shift further inward",
            )
    elif rounding_of_rack(gear) < 0:
        yield error(
            "pointed-rack",
            (rounding_of_rack(gear), 0.0, "m"),
            f"the rack that cuts the {name} runs to a point above its depth of "
            f"{gear.dedendum:.4g} modules",
            "use less dedendum or a smaller pressure angle",
        )


def _check_fillet(gear: Gear, name: str) -> Iterator[Finding]:
    """Whether the tip of the rack is wide enough for its rounding."""
    specified, rounding = gear.fillet_radius * gear.normal_module, rounding_of_rack(gear)
    if rounding < specified - ROUND_OFF * gear.normal_module:
        fits = math.floor(1e3 * rounding / gear.normal_module) / 1e3
        yield warning(
            "fillet-reduced",
            (specified, rounding, "m"),
            f"the rack that cuts the {name} has room for a fillet of {mm(rounding, 3)}, not "
            f"of {mm(specified, 3)}, and the smaller one is taken",
            f"use a fillet radius of {fits:g} modules or less dedendum",
        )


def _check_undercut(gear: Gear, name: str) -> Iterator[Finding]:
    """A warning: whether flank is missing that the mate needs is a question of the pair."""
    least = least_profile_shift(gear)
    if gear.profile_shift < least - ROUND_OFF:
        yield warning(
            "undercut",
            (gear.profile_shift, least, ""),
            f"the rack undercuts the {name}, whose profile shift is {gear.profile_shift:.4g}",
            f"use a profile shift of at least {math.ceil(1e4 * least) / 1e4:g}, or more teeth",
        )
