"""Rules of two gears in space."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from flank.design.gears.strength_rules import SHAFT_STRESS, strength_rules
from flank.design.rule import GUIDE, Move, Put, Rule
from flank.design.rules_of_reducers import TORQUE_RULES, lower_peak, lower_rating

if TYPE_CHECKING:
    from flank.design.bevel_pair.figures import BevelFigures

STATIC = 1.6
"""Static strength of flanks over σ_Hlim, ISO 6336-2."""

LESS_TORQUE = lower_rating(0.45)
LESS_PEAK = lower_peak(0.45)
SLOWER = Move("run slower", ("operation.input_speed",), up=False)


def hunting(figures: BevelFigures) -> dict[str, Any]:
    """A wheel with a few teeth more or less."""
    spec = figures.machine.spec
    pinion, wheel = spec.pinion.teeth, spec.wheel.teeth
    near = (wheel + 1, wheel - 1, wheel + 2, wheel - 2, wheel + 3)
    return {"wheel.teeth": next(teeth for teeth in near if math.gcd(pinion, teeth) == 1)}


RULES: tuple[Rule, ...] = (
    *TORQUE_RULES,
    Rule(
        "pressed-flanks",
        "pressure_share",
        "at_most",
        1.0,
        "the contact presses harder than the flanks endure",
        (LESS_TORQUE,),
        "σ_Hlim of ISO 6336-5 against the pressure of the contact itself; ISO 10300 is not "
        "computed",
    ),
    Rule(
        "dented-flanks",
        "peak_pressure_share",
        "at_most",
        STATIC,
        "the contact dents the flanks for good at the peak torque",
        (LESS_PEAK,),
        "static strength of 1.6 σ_Hlim, ISO 6336-2 and -5, against the pressure of the contact "
        "itself",
    ),
    Rule(
        "edge-bears",
        "edge_distance",
        "at_least",
        0.0,
        "the edge of a tip bears at the rated torque, and ploughs through its mate",
        (LESS_TORQUE, lower_rating(0.0)),
        "the loaded contact of the spec",
    ),
    Rule(
        "no-hunting-teeth",
        "common_factor",
        "at_most",
        1.0,
        "the same teeth meet again and again, so that one bad tooth marks its few mates",
        (Put("change a number of teeth by few", hunting),),
        GUIDE + "numbers of teeth without a common factor",
        severity="note",
    ),
    Rule(
        "mesh-resonance",
        "resonance_distance",
        "at_least",
        0.15,
        "the teeth come in at nearly the frequency at which both gears swing on them",
        (SLOWER,),
        "ISO 6336-1: main resonance from N = 0.85 to 1.15",
    ),
    Rule(
        "weak-shaft-wheel",
        "wheel_shaft_stress",
        "at_most",
        SHAFT_STRESS,
        "a shaft that fills the bore of the wheel yields at the peak torque",
        (
            Move("make bore and shaft thicker", ("wheel.body.bore_diameter",), up=True),
            lower_peak(),
        ),
        GUIDE + "two thirds of the shear yield strength of E335 (EN 10025-2)",
    ),
    *strength_rules("pinion", "wheel"),
)

MOVES: Mapping[str, tuple[Move | Put, ...]] = {}
