"""Rules of a gear pair."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from flank.design.gears.rules import GearKeys, MeshKeys, gear_rules, mesh_rules
from flank.design.gears.strength_rules import SHAFT_STRESS, strength_rules
from flank.design.rule import GUIDE, Move, Put, Rule
from flank.design.rules_of_reducers import TORQUE_RULES, lower_peak, lower_rating

if TYPE_CHECKING:
    from flank.design.gear_pair.figures import GearPairFigures

WIDTHS = ("pinion.face_width", "wheel.face_width")
THICKNESSES = ("pinion.thickness_deviation", "wheel.thickness_deviation")


def hunting(figures: GearPairFigures) -> dict[str, Any]:
    """A wheel with a few teeth more or less that has no factor in common with its pinion, and the
    centre distance that goes with it."""
    spec = figures.machine.spec
    pinion, wheel, sign = spec.pinion.teeth, spec.wheel.teeth, spec.pair.sign
    teeth = next(
        teeth
        for teeth in (wheel + 1, wheel - 1, wheel + 2, wheel - 2, wheel + 3)
        if math.gcd(pinion, teeth) == 1
    )
    changes: dict[str, Any] = {"wheel.teeth": teeth}
    if spec.centre_distance is not None:
        distance = spec.centre_distance * (teeth + sign * pinion) / (wheel + sign * pinion)
        changes["centre_distance"] = f"{distance * 1e3:.7g} mm"
    if spec.wheel.tip_radius is not None:
        radius = spec.wheel.tip_radius + 0.5 * (teeth - wheel) * spec.wheel_gear.transverse_module
        changes["wheel.tip_radius"] = f"{radius * 1e3:.7g} mm"
    return changes


def _shaft(name: str) -> Rule:
    return Rule(
        f"weak-shaft-{name}",
        f"{name}_shaft_stress",
        "at_most",
        SHAFT_STRESS,
        f"a shaft that fills the bore of the {name} yields at the peak torque",
        (
            Move(
                "make bore and shaft thicker", (f"{name}.body.bore_diameter",), up=True, power=-3.0
            ),
            lower_peak(),
        ),
        GUIDE + "two thirds of the shear yield strength of E335 (EN 10025-2)",
    )


RULES: tuple[Rule, ...] = (
    *TORQUE_RULES,
    *mesh_rules(MeshKeys("mesh", "", "", WIDTHS, THICKNESSES, hunting)),
    *gear_rules(GearKeys("pinion", WIDTHS, "pinion", "pinion.body.bore_diameter")),
    *gear_rules(GearKeys("wheel", WIDTHS, "wheel", "wheel.body.bore_diameter")),
    _shaft("pinion"),
    _shaft("wheel"),
    *strength_rules("pinion", "wheel"),
)

LARGER_DISTANCE = Move("enlarge the centre distance", ("centre_distance",), up=True, most=1.2)

MOVES: Mapping[str, tuple[Move | Put, ...]] = {
    "negative-backlash": (
        Move("make the teeth thinner", THICKNESSES, up=False, amount=5e-6),
        LARGER_DISTANCE,
    ),
    "small-tip-clearance": (
        Move("use more dedendum", ("rack.dedendum",), up=True, most=2.0),
        Move("shorten the teeth", ("pinion.tip_radius", "wheel.tip_radius"), up=False, most=1.2),
    ),
    "thin-tip": (Move("use less profile shift", ("pinion.profile_shift",), up=False, amount=0.01),),
    "undercut": (Move("use more profile shift", ("pinion.profile_shift",), up=True, amount=0.01),),
    "undercut-flank": (
        Move("use more profile shift", ("pinion.profile_shift",), up=True, amount=0.01),
    ),
    "contact-ratio": (Move("make the teeth taller", ("rack.addendum",), up=True, most=2.0),),
    "contact-wider-than-teeth": (lower_rating(0.0, most=1e9),),
}
