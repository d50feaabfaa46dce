"""Rules of machines whose cycloid discs roll in a ring of pins."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from flank.design.discs import UNBALANCE
from flank.design.rule import GUIDE, Move, Put, Rule
from flank.design.rules_of_reducers import STATIC_PRESSURE, lower_peak, lower_rating

if TYPE_CHECKING:
    from flank.design.pins.figures import PinFigures

LARGER_ECCENTRICITY = Move("enlarge the eccentricity", ("eccentricity",), up=True, most=100.0)
SMALLER_ECCENTRICITY = Move("reduce the eccentricity", ("eccentricity",), up=False)
THINNER_PINS = Move("use thinner pins", ("pins.radius",), up=False)
THICKER_PINS = Move("use thicker pins", ("pins.radius",), up=True)
WIDER_DISCS = Move("make the discs wider", ("discs.width",), up=True, most=100.0)
LESS_REMOVED = Move("remove less of the flank", ("discs.equidistant",), up=False, amount=1e-6)
MORE_REMOVED = Move("remove more of the flank", ("discs.equidistant",), up=True, amount=1e-6)
LOWER_RATING = lower_rating(0.5)

PRESSURE_MOVES = (
    Move("make the discs wider", ("discs.width",), up=True, power=-0.5, most=100.0),
    LOWER_RATING,
    LESS_REMOVED,
)
PEAK_PRESSURE_MOVES = (
    Move("make the discs wider", ("discs.width",), up=True, power=-0.5, most=100.0),
    lower_peak(0.5),
    LESS_REMOVED,
)

MATERIAL = "strength of the softer material, docs/materials.md"


def most_clearance(figures: PinFigures) -> float:
    """Twice the guide of the process, and a hundredth of the pin's radius."""
    return 2 * figures.guides.clearance + 0.01 * figures.machine.spec.pins.radius


def least_clearance(figures: PinFigures) -> float:
    return 0.5 * figures.guides.clearance


def pin_pressure(figures: PinFigures) -> float | None:
    return figures.softer("pressure", *figures.pin_materials)


def static_pin_pressure(figures: PinFigures) -> float | None:
    return figures.softer("static_pressure", *figures.pin_materials)


def pin_pressure_speed(figures: PinFigures) -> float | None:
    return figures.softer("pressure_speed", figures.pin_materials[0])


def cutter(figures: PinFigures) -> float | None:
    return figures.value("cutter")


def process_wall(figures: PinFigures) -> float:
    return figures.guides.least_wall


def _widest_cutter(figures: PinFigures) -> dict[str, float]:
    return {"making.cutter_radius": math.floor(figures.concave_radius * 0.99e5) * 1e-5}


def _process_places(figures: PinFigures) -> dict[str, float]:
    places = ("tolerances.pin_radial", "tolerances.pin_tangential")
    return dict.fromkeys(places, figures.guides.position)


def process_position(figures: PinFigures) -> float:
    return figures.guides.position


PIN_RULES: tuple[Rule, ...] = (
    Rule(
        "small-shortening",
        "shortening",
        "at_least",
        0.4,
        "the lobes are shallow, so that pins bear large forces at small levers",
        (LARGER_ECCENTRICITY,),
        GUIDE + "4 T/(K1 R z_c) is the largest pin force; at 0.4 it is twice that of 0.8",
    ),
    Rule(
        "large-shortening",
        "shortening",
        "at_most",
        0.9,
        "the flank's valleys are sharp: small cutters, large forces along the crank",
        (SMALLER_ECCENTRICITY,),
        GUIDE + "published drives lie between 0.5 and 0.9; valleys shrink by (1 - K1)²",
    ),
    Rule(
        "undercut-margin",
        "undercut_share",
        "at_most",
        0.85,
        "pins are nearly as large as the sharpest bend of their path: tips of lobes become thin "
        "and pointed, and errors of some hundredths undercut them",
        (THINNER_PINS, SMALLER_ECCENTRICITY),
        GUIDE + "15 % in hand, as cycloidgen 8 keeps",
    ),
    Rule(
        "crowded-pins",
        "pin_spacing",
        "at_least",
        1.1,
        "the housing's ridges between neighbouring pins are thin",
        (THINNER_PINS,),
        GUIDE + "a ridge of 0.2 pin radii at the pin circle, as cycloidgen 8 keeps",
    ),
    Rule(
        "thin-disc",
        "width_share",
        "at_least",
        0.06,
        "the discs are thin plates: they bend out of their plane, and pins press hard",
        (WIDER_DISCS,),
        GUIDE + "half of the 0.13 of the pin circle's radius that published RV reducers have",
    ),
    Rule(
        "slender-pins",
        "pin_slenderness",
        "at_most",
        4.0,
        "the discs are wide against the pins, which then bear at one end where axes lean",
        (
            Move("make the discs narrower", ("discs.width",), up=False),
            Move("use thicker pins", ("pins.radius",), up=True),
        ),
        GUIDE
        + "lengths of rollers in catalogues end at 3 diameters, of needles that bear much at 4",
    ),
    Rule(
        "too-much-clearance",
        "clearance",
        "at_most",
        most_clearance,
        "far more is removed from the flank than the process needs: backlash is large and few "
        "pins carry",
        (LESS_REMOVED,),
        GUIDE + "twice what the process needs; making.process says which, ground if absent",
        limit_is="twice the clearance guide of the process, and 0.01 r",
    ),
    Rule(
        "too-little-clearance",
        "made_clearance",
        "at_least",
        least_clearance,
        "the process does not hold flanks and pins as close as that: the drive jams",
        (MORE_REMOVED,),
        "half of the clearance guide of making.process (machines/processes.csv)",
        limit_is="half the clearance guide of the process, where one is given",
    ),
    Rule(
        "jams-within-tolerance",
        "tightest_share",
        "at_least",
        -0.01,
        "a drive within tolerance jams: where all tolerances meet, flank and pins interfere by "
        "more than a press can close",
        (
            MORE_REMOVED,
            Put("hold pins and flanks closer", lambda figures: _closer(figures)),
        ),
        GUIDE + "1 % of the pin's radius is preload, beyond it nothing assembles",
    ),
    Rule(
        "position-beyond-process",
        "pin_place",
        "at_least",
        process_position,
        "the tolerance of the pins' places is closer than the process holds",
        (Put("allow what the process holds, or name a better process", _process_places),),
        "position guide of making.process (machines/processes.csv)",
        limit_is="the position guide of the process, where one is given",
    ),
    Rule(
        "cutter-too-large",
        "concave_radius",
        "at_least",
        cutter,
        "the cutter does not reach into the valleys of the flank",
        (Put("use a smaller cutter", _widest_cutter), SMALLER_ECCENTRICITY),
        "geometry: what cuts a valley is not larger than it; only concave radii count",
        limit_is="making.cutter_radius, where it is given",
        severity="error",
    ),
    Rule(
        "few-pins-carry",
        "carrying_pins",
        "at_least",
        3,
        "so few pins carry a disc that the load jumps from one to the next",
        (LESS_REMOVED, Move("use more pins", ("pins.count",), up=True)),
        GUIDE + "one pin is enough for equilibrium, since a disc on its eccentric only turns; of 3 "
        "two go on carrying where one hands over",
        severity="note",
    ),
    Rule(
        "load-concentration",
        "pin_concentration",
        "at_most",
        3.0,
        "clearance, or interference, leaves the load to a few pins",
        (LESS_REMOVED, MORE_REMOVED),
        GUIDE
        + "presets with 5 to 10 µm of modification lie between 1.5 and 2.3; 3 times the force "
        "is 1.7 times the pressure, which has a rule of its own",
        severity="note",
    ),
    Rule(
        "pin-pressure",
        "pin_pressure",
        "at_most",
        pin_pressure,
        "pins and flanks pit: at the rated torque pressure is beyond what the softer material "
        "bears for good",
        PRESSURE_MOVES,
        MATERIAL,
        limit_is="the pressure of the softer material, where one is known",
    ),
    Rule(
        "pins-crushed",
        "pin_pressure",
        "at_most",
        static_pin_pressure,
        "pins and discs are dented for good at the rated torque already",
        PRESSURE_MOVES,
        STATIC_PRESSURE,
        limit_is="the static pressure of the softer material, where one is known",
        severity="error",
    ),
    Rule(
        "static-pin-pressure",
        "peak_pin_pressure",
        "at_most",
        static_pin_pressure,
        "pins and discs are dented for good at the peak torque",
        PEAK_PRESSURE_MOVES,
        STATIC_PRESSURE,
        limit_is="the static pressure of the softer material, where one is known",
        severity="error",
        at_peak=True,
    ),
    Rule(
        "pin-wear",
        "pin_pv",
        "at_most",
        pin_pressure_speed,
        "the discs' polymer wears away at the pins: pressure times speed is beyond its limit",
        (
            Move("run slower", ("operation.input_speed",), up=False, power=1.0, most=1e4),
            Move("make the discs wider", ("discs.width",), up=True, power=-1.0),
        ),
        MATERIAL,
        limit_is="pressure times speed of the disc's polymer, where it is known",
    ),
    Rule(
        "thin-film",
        "known_film",
        "at_least",
        1.0,
        "the oil film at the pins is thinner than the roughness: boundary lubrication, in which "
        "additives and grease keep flanks from wearing",
        (Move("use a thicker oil", ("lubrication.viscosity",), up=True, power=0.7, most=1e3),),
        "λ of Dowson's line film; below 1 boundary lubrication (Hamrock; ISO 281 speaks of κ)",
        severity="note",
    ),
    Rule(
        "open-groove",
        "groove_wrap",
        "at_least",
        math.radians(150.0),
        "grooves hold less than their pins need: the housing ends where discs pass",
        (THICKER_PINS, SMALLER_ECCENTRICITY),
        GUIDE + "forces of pins lean by up to 60° to the groove's middle",
    ),
    Rule(
        "loose-groove",
        "groove_play",
        "at_most",
        0.02,
        "pins have much play in their grooves: backlash, and they knock",
        (
            Put(
                "make the grooves tighter",
                lambda figures: {"pins.groove_radius": 1.0199 * figures.machine.spec.pins.radius},
            ),
        ),
        GUIDE + "published grooves are 0.3 % larger than their pins",
    ),
    UNBALANCE,
)


def _closer(figures: PinFigures) -> dict[str, float]:
    """Every tolerance at a pin by the same factor."""
    from flank.design.pins.figures import PIN_STACK

    spec = figures.machine.spec
    room = figures.clearance + 0.0099 * spec.pins.radius
    if room <= 0:
        return {}
    share = room / figures.tolerance_stack
    return {
        f"tolerances.{kind}": share * spec.tolerance(kind)
        for kind in PIN_STACK
        if kind in spec.error_kinds
    }
