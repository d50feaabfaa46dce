"""Rules of machines whose cycloid discs roll in a ring of pins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flank.design.rule import Move, Rule

if TYPE_CHECKING:
    from flank.design.pins.figures import PinFigures

HOUSE = "guide of this house: "

STATIC_PRESSURE = 4000e6
"""Pa, of line contact: ISO 76, where a rolling element leaves a dent of 1e-4 of its diameter."""

LARGER_ECCENTRICITY = Move("enlarge the eccentricity", ("eccentricity",), up=True, most=100.0)
SMALLER_ECCENTRICITY = Move("reduce the eccentricity", ("eccentricity",), up=False)
THINNER_PINS = Move("use thinner pins", ("pins.radius",), up=False)
WIDER_DISCS = Move("make the discs wider", ("discs.width",), up=True, most=100.0)
LESS_REMOVED = Move("remove less of the flank", ("discs.equidistant",), up=False, amount=1e-6)

PEAK_PRESSURE_MOVES = (
    Move("make the discs wider", ("discs.width",), up=True, power=-0.5, most=100.0),
    Move("give a smaller peak torque", ("peak_torque",), up=False, power=0.5, most=1e3),
)


def _clearance_guide(figures: PinFigures) -> float:
    """A hundredth of the pin's radius, and 5 µm."""
    return 0.01 * figures.machine.spec.pins.radius + 5e-6


RULES: tuple[Rule, ...] = (
    Rule(
        "small-shortening",
        "shortening",
        "at_least",
        0.4,
        "the lobes are shallow, so that pins bear large forces at small levers",
        (LARGER_ECCENTRICITY,),
        HOUSE + "4T/(K1 R z_c) is the largest pin force; at 0.4 it is twice that of 0.8",
    ),
    Rule(
        "undercut-margin",
        "undercut_share",
        "at_most",
        0.85,
        "pins are nearly as large as the sharpest bend of their path: tips of lobes become thin "
        "and pointed, and errors of some hundredths undercut them",
        (THINNER_PINS, SMALLER_ECCENTRICITY),
        HOUSE + "15 % in hand, as cycloidgen 8 keeps",
    ),
    Rule(
        "crowded-pins",
        "pin_spacing",
        "at_least",
        1.1,
        "the housing's ridges between neighbouring pins are thin",
        (THINNER_PINS,),
        HOUSE + "a ridge of 0.2 pin radii at the pin circle, as cycloidgen 8 keeps",
    ),
    Rule(
        "thin-disc",
        "width_share",
        "at_least",
        0.06,
        "the discs are thin plates: they bend out of their plane, and pins press hard",
        (WIDER_DISCS,),
        HOUSE + "half of the 0.13 of the pin circle's radius that published RV reducers have",
    ),
    Rule(
        "too-much-clearance",
        "clearance",
        "at_most",
        _clearance_guide,
        "far more is removed from the flank than errors need: backlash is large and few pins carry",
        (LESS_REMOVED,),
        HOUSE + "modifications of ground drives are 5 to 20 µm",
        limit_is="a hundredth of the pin's radius and 5 µm",
    ),
    Rule(
        "static-pressure",
        "peak_pin_pressure",
        "at_most",
        STATIC_PRESSURE,
        "pins and discs are dented for good at the peak torque",
        PEAK_PRESSURE_MOVES,
        "ISO 76, line contact",
        severity="error",
    ),
)
