"""Rules of a reducer with few teeth of difference."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from flank.design.cranks.rules import CRANK_RULES
from flank.design.discs import UNBALANCE
from flank.design.rule import GUIDE, Move, Put, Rule
from flank.design.rules_of_reducers import REDUCER_RULES, STATIC_PRESSURE, lower_peak, lower_rating

if TYPE_CHECKING:
    from flank.design.few_teeth.figures import FewTeethFigures

WIDER = Move("make the discs wider", ("discs.width",), up=True, most=100.0)


def materials(figures: FewTeethFigures) -> tuple[str, str]:
    spec = figures.machine.spec
    return spec.discs.material, spec.ring.material


def tooth_pressure(figures: FewTeethFigures) -> float | None:
    return figures.softer("pressure", *materials(figures))


def static_tooth_pressure(figures: FewTeethFigures) -> float | None:
    return figures.softer("static_pressure", *materials(figures))


def tooth_fatigue(figures: FewTeethFigures) -> float | None:
    return figures.softer("fatigue_strength", *materials(figures))


def _relief(figures: FewTeethFigures) -> dict[str, Any]:
    """Of both gears by two thirds of what teeth bend at the rated torque, from three quarters of a
    module below the tips on."""
    module = figures.pair.first.normal_module
    bent = figures.wind_up * figures.pair.second.base_radius
    amount, length = max(0.67e6 * bent, 5.0), 300 * module
    relief = {"amount": f"{amount:.1f} um", "length": f"{length:.3g} mm"}
    return {"discs.tip_relief": relief, "ring.tip_relief": relief}


TOOTH_RULES: tuple[Rule, ...] = (
    Rule(
        "steep-mesh",
        "working_angle",
        "at_most",
        math.radians(55.0),
        "teeth push the disc out of the ring more than they turn it: large forces on cranks",
        (
            Move("shift the ring's teeth less far out", ("ring.profile_shift",), True, amount=0.02),
            Move("use lower teeth", ("rack.addendum",), up=False),
        ),
        GUIDE + "tan 55° is 1.4 times the useful force; published sets lie between 37° and 52°",
    ),
    Rule(
        "tips-pass-close",
        "tip_gap",
        "at_least",
        0.02,
        "tips of disc and ring pass each other closely beside the mesh: errors make them strike",
        (
            Move("use lower teeth", ("rack.addendum",), up=False),
            Move("shift the ring's teeth out", ("ring.profile_shift",), False, amount=0.02),
        ),
        GUIDE + "20 µm for each mm of module, what run-out and deflection take",
    ),
    Rule(
        "thin-ring",
        "ring_rim",
        "at_least",
        1.5,
        "the ring's rim is thin behind its teeth and gives way",
        (Move("make the ring larger outside", ("ring.outer_radius",), up=True),),
        "ISO 6336-3, rim thickness factor: 1.75 modules of rims in no housing, 1.5 held by one",
    ),
    Rule(
        "teeth-jam-within-tolerance",
        "tightest_backlash",
        "at_least",
        -0.03,
        "within tolerance the teeth jam",
        (Move("cut the teeth thinner", ("discs.thickness_deviation",), False, amount=2e-6),),
        GUIDE + "3 % of a module is what teeth and bearings of published units close",
    ),
    Rule(
        "tooth-pressure",
        "flank_pressure",
        "at_most",
        tooth_pressure,
        "teeth pit: at the rated torque pressure is beyond what the softer material bears for good",
        (
            Move("make the discs wider", ("discs.width",), up=True, power=-0.5, most=100.0),
            lower_rating(0.5),
        ),
        "strength of the softer material, docs/materials.md",
        limit_is="the pressure of the softer material, where one is known",
    ),
    Rule(
        "edges-press",
        "tooth_pressure",
        "at_most",
        static_tooth_pressure,
        "edges of tips press into flanks at the rated torque and scrape them",
        (
            Put("relieve the tips", _relief),
            Move("make the discs wider", ("discs.width",), up=True, power=-0.5, most=100.0),
        ),
        STATIC_PRESSURE,
        limit_is="the static pressure of the softer material, where one is known",
    ),
    Rule(
        "static-tooth-pressure",
        "peak_flank_pressure",
        "at_most",
        static_tooth_pressure,
        "teeth are dented for good at the peak torque",
        (
            Move("make the discs wider", ("discs.width",), up=True, power=-0.5, most=100.0),
            lower_peak(0.5),
        ),
        STATIC_PRESSURE,
        limit_is="the static pressure of the softer material, where one is known",
        severity="error",
        at_peak=True,
    ),
    Rule(
        "root-fatigue",
        "root_bending",
        "at_most",
        tooth_fatigue,
        "one tooth of a disc would not bear the disc's whole force for good",
        (
            Move("make the discs wider", ("discs.width",), up=True, power=-1.0, most=100.0),
            lower_rating(1.0),
        ),
        "fatigue strength in reversed bending (docs/materials.md), a tooth as a beam: errors may "
        "leave one tooth alone",
        limit_is="fatigue strength of the weaker material, where one is known",
    ),
    Rule(
        "thin-discs",
        "width_share",
        "at_least",
        0.05,
        "the discs are thin plates: they bend out of their plane, and the ring presses hard",
        (WIDER,),
        GUIDE + "less than half of the 0.10 to 0.17 that published sets have",
    ),
    UNBALANCE,
)

RULES: tuple[Rule, ...] = (*REDUCER_RULES, *TOOTH_RULES, *CRANK_RULES)

MOVES: Mapping[str, tuple[Move | Put, ...]] = {
    "small-tip-clearance": (Move("use lower teeth", ("rack.addendum",), up=False),),
    "negative-backlash": (
        Move("cut the discs' teeth thinner", ("discs.thickness_deviation",), False, amount=2e-6),
    ),
}
