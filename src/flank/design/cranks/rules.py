"""Rules of reducers whose discs sit on cranks."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from flank.design.rule import GUIDE, Move, Put, Rule
from flank.design.rules_of_reducers import STATIC_PRESSURE, lower_peak, lower_rating

if TYPE_CHECKING:
    from flank.design.cranks.figures import CrankFigures

SMALLER_CRANK_CIRCLE = Move(
    "put the cranks on a smaller circle",
    ("cranks.circle_radius", "first_stage.module", "carrier.pillar_circle_radius"),
    up=False,
)
THINNER_ECCENTRICS = Move("use thinner eccentrics", ("cranks.pin_radius",), up=False)
THINNER_ROLLERS = Move("use thinner turning-arm rollers", ("turning_arm.radius",), up=False)
THINNER_PILLARS = Move("use thinner pillars", ("carrier.pillar_radius",), up=False)
SMALLER_BORE = Move("make the bore smaller", ("discs.bore_radius",), up=False)
LOWER_PEAK = lower_peak(1.0)


def least_wall(figures: CrankFigures) -> float:
    """Half of the sizing rule's."""
    return 0.0325 * figures.size.ring_radius


def wanted_life(figures: CrankFigures) -> float:
    return figures.machine.spec.rated_life


def crank_fatigue(figures: CrankFigures) -> float | None:
    strength = figures.softer("fatigue_strength", figures.machine.spec.cranks.material)
    return None if strength is None else strength / 1.5


def crank_yield(figures: CrankFigures) -> float | None:
    return figures.softer("yield_strength", figures.machine.spec.cranks.material)


def carrier_yield(figures: CrankFigures) -> float | None:
    return figures.softer("yield_strength", figures.machine.spec.carrier.material)


def bearing_pressure(figures: CrankFigures) -> float | None:
    spec = figures.machine.spec
    names = spec.turning_arm.material, spec.discs.material, spec.cranks.material
    return figures.softer("static_pressure", *names)


def support_pressure(figures: CrankFigures) -> float | None:
    spec = figures.machine.spec
    return figures.softer("static_pressure", spec.supports.material, spec.cranks.material)


def life_moves(block: str) -> tuple[Move, ...]:
    thicker = Move("use thicker rollers", (f"{block}.radius",), up=True, power=3.6)
    longer = Move("use longer rollers", (f"{block}.length",), up=True, power=2.6)
    lower = lower_rating(-3.3)
    return (longer, thicker, lower)


def safety_moves(block: str) -> tuple[Move, ...]:
    longer = Move("use longer rollers", (f"{block}.length",), up=True, power=1.0)
    lower = lower_peak(-1.0)
    return (longer, lower)


def _hunting(figures: CrankFigures) -> dict[str, int]:
    """The nearest numbers with the same sum and no common factor."""
    stage = figures.machine.spec.first_stage
    if stage is None:
        return {}
    step = next(k for k in range(1, 100) if _coprime(stage.sun_teeth - k, stage.planet_teeth + k))
    return {
        "first_stage.sun_teeth": stage.sun_teeth - step,
        "first_stage.planet_teeth": stage.planet_teeth + step,
    }


def _coprime(first: int, second: int) -> bool:
    return math.gcd(first, second) == 1


WALL = GUIDE + "half of the 0.065 of the ring's radius that the sizing rule keeps"
WALL_IS = "0.0325 of the ring's radius"
SOFTEST_IS = "the static pressure of the softest material, where one is known"


def bearing_rules(block: str, short: str, title: str) -> tuple[Rule, ...]:
    """Of turning arms and of supports alike; `short` begins codes and figures."""
    return (
        Rule(
            f"short-{short}-life",
            f"{short}_life",
            "at_least",
            wanted_life,
            f"{title} have less than the rated life at rated torque and speed",
            life_moves(block),
            "ISO 281, basic rating life, loads over a turn of a crank",
            limit_is="rated_life, 6000 h if absent",
        ),
        Rule(
            f"{short}-static-safety",
            f"{short}_safety",
            "at_least",
            1.0,
            f"{title} are dented for good at the peak torque",
            safety_moves(block),
            "ISO 76, S0 = C0/P0",
            severity="error",
            at_peak=True,
        ),
        Rule(
            f"{short}-rollers-few",
            f"{short}_filling",
            "at_least",
            0.5,
            f"rollers fill less than half of the circle of {title}: few carry, each much",
            (Move("use more rollers", (f"{block}.count",), up=True),),
            GUIDE + "catalogues fill 0.7 to 1; published units have 0.7 to 0.9",
        ),
        Rule(
            f"{short}-rollers-slender",
            f"{short}_slenderness",
            "at_most",
            10.0,
            f"rollers of {title} are so slender that they skew",
            (
                Move("use shorter rollers", (f"{block}.length",), up=False),
                Move("use thicker rollers", (f"{block}.radius",), up=True),
            ),
            GUIDE + "catalogues of needle rollers: 2.5 to 10 diameters long",
        ),
        Rule(
            f"{short}-rollers-short",
            f"{short}_slenderness",
            "at_least",
            0.5,
            f"rollers of {title} are short against their diameter and tip over",
            (
                Move("use longer rollers", (f"{block}.length",), up=True),
                Move("use thinner rollers", (f"{block}.radius",), up=False),
            ),
            GUIDE + "catalogues of cylindrical rollers begin at 0.5 to 1 diameters",
        ),
    )


def static_pressure_rule(
    short: str, block: str, limit: Callable[[CrankFigures], float | None], dented: str
) -> Rule:
    """At the peak torque, of the rollers of a bearing, `block` in a spec."""
    longer = Move("use longer rollers", (f"{block}.length",), up=True, power=-0.5)
    lower = lower_peak(0.5)
    return Rule(
        f"static-{short}-pressure",
        f"peak_{short}_pressure",
        "at_most",
        limit,
        f"rollers dent {dented} for good at the peak torque",
        (longer, lower),
        STATIC_PRESSURE,
        SOFTEST_IS,
        severity="error",
        at_peak=True,
    )


CRANK_RULES: tuple[Rule, ...] = (
    *bearing_rules("turning_arm", "arm", "the turning arms"),
    *bearing_rules("supports", "support", "the supports"),
    static_pressure_rule("arm", "turning_arm", bearing_pressure, "eccentrics or discs"),
    static_pressure_rule("support", "supports", support_pressure, "journals or their races"),
    Rule(
        "crank-tilts",
        "tilt",
        "at_most",
        math.radians(4 / 60),
        "cranks lean so much in their bearings that rollers bear at one end",
        (
            Move("use thicker eccentrics", ("cranks.pin_radius",), up=True, power=-2.0),
            lower_rating(1.0),
        ),
        "SKF's catalogue of rolling bearings: cylindrical rollers allow 3 to 4 arcmin",
    ),
    Rule(
        "loose-turning-arm",
        "arm_play",
        "at_most",
        0.01,
        "the turning arms have much clearance: lost motion",
        (
            Put(
                "use a smaller clearance",
                lambda figures: {
                    "turning_arm.clearance": 0.0099 * figures.size.turning_arm.roller_radius
                },
            ),
        ),
        GUIDE + "published units have 5 to 10 µm on rollers of 2.5 to 4 mm radius",
    ),
    Rule(
        "tight-support",
        "support_preload",
        "at_most",
        0.003,
        "the supports are preloaded so much that they wear and run hot",
        (
            Put(
                "preload them less",
                lambda figures: {
                    "supports.clearance": -0.0029 * figures.size.support.roller_radius
                },
            ),
        ),
        GUIDE + "0.3 % of the radius press a roller as 2000 MPa do; published preload is 1 µm",
    ),
    Rule(
        "journal-fatigue",
        "journal_bending",
        "at_most",
        crank_fatigue,
        "journals break in time at their shoulder: the load bends them as they turn",
        (
            Move("use thicker journals", ("cranks.journal_radius",), up=True, power=-3.0),
            Move("use shorter journals", ("cranks.journal_length",), up=False, power=1.0),
            lower_rating(1.0),
        ),
        GUIDE
        + "1.5 for the notch, on the fatigue strength in reversed bending (docs/materials.md)",
        "fatigue strength of the cranks over 1.5, where it is known",
    ),
    Rule(
        "journal-yields",
        "peak_journal_bending",
        "at_most",
        crank_yield,
        "journals stay bent after the peak torque",
        (
            Move("use thicker journals", ("cranks.journal_radius",), up=True, power=-3.0),
            Move("use shorter journals", ("cranks.journal_length",), up=False, power=1.0),
            LOWER_PEAK,
        ),
        "yield strength (docs/materials.md)",
        "yield strength of the cranks, where it is known",
        severity="error",
        at_peak=True,
    ),
    Rule(
        "pillars-yield",
        "pillar_bending",
        "at_most",
        carrier_yield,
        "pillars stay bent after the peak torque",
        (
            Move("use thicker pillars", ("carrier.pillar_radius",), up=True, power=-3.0),
            Move("use more pillars", ("carrier.pillar_count",), up=True),
            LOWER_PEAK,
        ),
        "yield strength (docs/materials.md); half of the torque over pillars clamped at both ends",
        "yield strength of the carrier, where it is known",
        severity="error",
        at_peak=True,
    ),
    Rule(
        "thin-crank-wall-to-root",
        "crank_wall_to_root",
        "at_least",
        least_wall,
        "the wall between crank holes and the valleys of the flank is thin",
        (THINNER_ROLLERS, THINNER_ECCENTRICS, SMALLER_CRANK_CIRCLE),
        WALL,
        WALL_IS,
    ),
    Rule(
        "thin-crank-wall-to-bore",
        "crank_wall_to_bore",
        "at_least",
        least_wall,
        "the wall between crank holes and the central bore is thin",
        (SMALLER_BORE, THINNER_ROLLERS, THINNER_ECCENTRICS),
        WALL,
        WALL_IS,
    ),
    Rule(
        "thin-crank-wall-to-pillar",
        "crank_wall_to_pillar",
        "at_least",
        least_wall,
        "the wall between crank holes and the pillars' holes is thin",
        (THINNER_PILLARS, THINNER_ROLLERS, THINNER_ECCENTRICS),
        WALL,
        WALL_IS,
    ),
    Rule(
        "thin-pillar-wall-to-root",
        "pillar_wall_to_root",
        "at_least",
        least_wall,
        "the wall between the pillars' holes and the valleys of the flank is thin",
        (THINNER_PILLARS, Move("move the pillars in", ("carrier.pillar_circle_radius",), up=False)),
        WALL,
        WALL_IS,
    ),
    Rule(
        "thin-flange",
        "flange_wall",
        "at_least",
        least_wall,
        "the wall of a flange between supports and main bearing is thin",
        (
            Move("use thinner rollers in the supports", ("supports.radius",), up=False),
            Move("use smaller supports", ("supports.race_radius", "supports.radius"), up=False),
        ),
        WALL,
        WALL_IS,
    ),
    Rule(
        "stage-contact-ratio",
        "stage_contact_ratio",
        "at_least",
        1.2,
        "sun and planets hardly keep two pairs of teeth in mesh: noise and shocks",
        (
            Move("use a smaller pressure angle", ("first_stage.pressure_angle",), up=False),
            Move("use more profile shift", ("first_stage.profile_shift",), True, amount=0.02),
            Move("use less profile shift", ("first_stage.profile_shift",), False, amount=0.02),
        ),
        "Niemann and Winter, Maschinenelemente II: 1.2 to 1.25 by the drawing",
    ),
    Rule(
        "not-hunting",
        "stage_factor",
        "at_most",
        1,
        "the same teeth of sun and planet meet again and again, and wear into each other",
        (Put("use other teeth, if the ratio may change", _hunting),),
        GUIDE + "hunting teeth, numbers without a common factor",
        severity="note",
    ),
    Rule(
        "wide-sun",
        "stage_width",
        "at_most",
        2.0,
        "the sun is wide against its diameter and twists: the load gathers at one end",
        (Move("use a smaller face width", ("first_stage.face_width",), up=False),),
        "b/d1 up to 1.1 to 2 by hardness and support (Niemann, Maschinenelemente II)",
    ),
    Rule(
        "planets-close",
        "planet_gap",
        "at_least",
        0.5e-3,
        "neighbouring planets nearly touch",
        (
            Move("use fewer cranks", ("cranks.count",), up=False),
            Move("use planets with fewer teeth", ("first_stage.planet_teeth",), up=False),
        ),
        GUIDE + "run-out and deflection stay below; oil has to leave",
    ),
    Rule(
        "too-fast",
        "speed_share",
        "at_most",
        4.0,
        "the output turns much faster than its rating is for",
        (Move("run slower", ("operation.input_speed",), up=False, power=1.0),),
        GUIDE + "catalogues of RV reducers rate at 15 rpm and allow 25 to 70 rpm of the output",
    ),
)
