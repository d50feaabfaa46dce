"""Whether one involute gear can be cut: form circle, undercut, pointed teeth, as findings.

The straight flank of a basic rack ends at h_Ff = h_fP - ρ_fP (1 - sin α_n) below its datum. On the
generating line of action that point cuts the flank at the roll length

    ρ_F = r sin α_t - (h_Ff - x) m_n / sin α_t,

where the involute of an external gear begins. Below zero the rack reaches past the base circle
and undercuts: the least profile shift without is x_min = h_Ff - z sin² α_t / (2 cos β).
"""

import math
from collections.abc import Iterator

from flank.geometry.findings import Finding
from flank.geometry.gear import Gear
from flank.geometry.tooth_outline import half_outline, normal_section

THINNEST_TIP = 0.2
"""Tooth thickness at the tip, in normal modules, below which a hardened tip is brittle."""

ROUND_OFF = 1e-9
"""In normal modules: what counts as zero."""


def rounding_of_rack(gear: Gear) -> float:
    """ρ of the rack's tip: as asked, or the full round where its teeth are too narrow for that.

    Below zero where the flanks of the rack's tooth cross before they reach its depth.
    """
    slant = gear.normal_pressure_angle
    module = gear.normal_module
    half_tooth = 0.5 * gear.thickness(gear.reference_radius) * math.cos(gear.helix_angle)
    half_space = 0.5 * math.pi * module - half_tooth
    half_tip = half_space - (gear.dedendum - gear.profile_shift) * module * math.tan(slant)
    widest = half_tip / (1 / math.cos(slant) - math.tan(slant))
    return min(gear.fillet_radius * module, widest)


def rack_form_roll(gear: Gear) -> float:
    """ρ_F where the straight flank of the rack ends; below zero for an undercut gear."""
    depth = _straight_depth(gear) - gear.profile_shift * gear.normal_module
    sine = math.sin(gear.pressure_angle)
    return gear.reference_radius * sine - depth / sine


def least_profile_shift(gear: Gear) -> float:
    """x_min below which the gear's own rack undercuts it."""
    sine = math.sin(gear.pressure_angle)
    return (_straight_depth(gear) - gear.reference_radius * sine**2) / gear.normal_module


def form_roll(gear: Gear) -> float:
    """Roll length where the involute begins, at the fillet or where undercut left off.

    ValueError where nothing is left of the flank.
    """
    return half_outline(gear).form_roll


def check_gear(gear: Gear, name: str = "gear") -> Iterator[Finding]:
    """What is impossible or doubtful about a gear by itself; `name` is how sentences call it."""
    found = [*_check_tip(gear, name), *_check_root(gear, name)]
    yield from found
    if any(finding.severity == "error" for finding in found):
        return
    if missing := _missing_flank(gear):
        yield Finding(
            "no-flank",
            "error",
            f"the {name} has no teeth to mesh with: {missing}",
            gear.profile_shift,
            0.0 if gear.internal else least_profile_shift(gear),
            "",
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


def _straight_depth(gear: Gear) -> float:
    """h_Ff in m."""
    rounding = max(rounding_of_rack(gear), 0.0)
    straight = rounding * (1 - math.sin(gear.normal_pressure_angle))
    return gear.dedendum * gear.normal_module - straight


def _check_tip(gear: Gear, name: str) -> Iterator[Finding]:
    thickness = gear.thickness(gear.tip_radius)
    limit = THINNEST_TIP * gear.normal_module
    remedy = "shorten the teeth or use less profile shift"
    if gear.internal and gear.tip_radius <= gear.base_radius:
        yield Finding(
            "tip-inside-base-circle",
            "error",
            f"the {name}'s tips at {gear.tip_radius * 1e3:.5g} mm reach inside its base circle of "
            f"{gear.base_radius * 1e3:.5g} mm, where there is no involute",
            gear.tip_radius,
            gear.base_radius,
            "m",
            "shorten its teeth, use more teeth, or a profile shift further outward",
        )
    elif thickness <= ROUND_OFF * gear.normal_module:
        message = f"the {name}'s flanks cross before they reach the tip circle"
        yield Finding("pointed-tip", "error", message, thickness, 0.0, "m", remedy)
    elif thickness < limit:
        message = f"the {name}'s teeth are {thickness * 1e3:.3g} mm thick at their tips"
        yield Finding("thin-tip", "warning", message, thickness, limit, "m", remedy)


def _check_root(gear: Gear, name: str) -> Iterator[Finding]:
    """Whether what cuts the spaces can be as deep as it should be."""
    if gear.internal:
        room = 0.5 * gear.pitch_angle - gear.half_angle(gear.root_radius)
        if room <= 0:
            yield Finding(
                "pointed-space",
                "error",
                f"the spaces of the {name} close before they reach its root circle",
                2 * gear.root_radius * room,
                0.0,
                "m",
                "use less dedendum or a profile shift further inward",
            )
    elif rounding_of_rack(gear) < 0:
        yield Finding(
            "pointed-rack",
            "error",
            f"the rack that cuts the {name} runs to a point above its depth of "
            f"{gear.dedendum:.4g} modules",
            rounding_of_rack(gear),
            0.0,
            "m",
            "use less dedendum or a smaller pressure angle",
        )


def _check_fillet(gear: Gear, name: str) -> Iterator[Finding]:
    """Whether the tip of the rack is wide enough for its rounding."""
    wanted, rounding = gear.fillet_radius * gear.normal_module, rounding_of_rack(gear)
    if rounding < wanted - ROUND_OFF * gear.normal_module:
        fits = math.floor(1e3 * rounding / gear.normal_module) / 1e3
        yield Finding(
            "fillet-reduced",
            "warning",
            f"the rack that cuts the {name} has room for a fillet of {rounding * 1e3:.3g} mm, not "
            f"of {wanted * 1e3:.3g} mm, and the smaller one is taken",
            wanted,
            rounding,
            "m",
            f"use a fillet radius of {fits:g} modules or less dedendum",
        )


def _check_undercut(gear: Gear, name: str) -> Iterator[Finding]:
    """A warning: whether flank is missing that the mate needs is a question of the pair."""
    least = least_profile_shift(gear)
    if gear.profile_shift < least - ROUND_OFF:
        yield Finding(
            "undercut",
            "warning",
            f"the rack undercuts the {name}, whose profile shift is {gear.profile_shift:.4g}",
            gear.profile_shift,
            least,
            "",
            f"use a profile shift of at least {math.ceil(1e4 * least) / 1e4:g}, or more teeth",
        )
