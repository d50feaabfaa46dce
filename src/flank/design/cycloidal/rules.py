"""Rules of a cycloidal drive."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from flank.design.pins.rules import LOWER_RATING, MATERIAL, MORE_REMOVED, PIN_RULES, process_wall
from flank.design.rule import GUIDE, Move, Put, Rule
from flank.design.rules_of_reducers import REDUCER_RULES, STATIC_PRESSURE, lower_peak, lower_rating
from flank.machines.output_rollers import LARGEST_ROLLER_PRELOAD

if TYPE_CHECKING:
    from flank.design.cycloidal.figures import CycloidalFigures

SMALLER_CIRCLE = Move(
    "put the output rollers on a smaller circle", ("output.rollers.circle_radius",), up=False
)
LARGER_CIRCLE = Move(
    "put the output rollers on a larger circle", ("output.rollers.circle_radius",), up=True
)
THINNER_ROLLERS = Move("use thinner output rollers", ("output.rollers.radius",), up=False)
THICKER_ROLLERS = Move("use thicker output rollers", ("output.rollers.radius",), up=True)
FEWER_ROLLERS = Move("use fewer output rollers", ("output.rollers.count",), up=False)
MORE_ROLLERS = Move("use more output rollers", ("output.rollers.count",), up=True)
SMALLER_BORE = Move("make the bore smaller", ("discs.bore_radius",), up=False)
LARGER_BORE = Move("make the bore larger", ("discs.bore_radius",), up=True)
WIDER_DISCS = Move("make the discs wider", ("discs.width",), up=True, power=-1.0)
MORE_NEEDLES = Move("use longer needles", ("eccentric.needles.length", "discs.width"), up=True)
LARGER_HOLES = Put(
    "make the holes larger", lambda figures: {"output.rollers.hole_radius": _wider_hole(figures)}
)


def least_wall(figures: CycloidalFigures) -> float:
    """0.0325 of the pin circle's radius."""
    return 0.0325 * figures.machine.spec.pins.circle_radius


def roller_materials(figures: CycloidalFigures) -> tuple[str, str]:
    rollers = figures.rollers
    assert rollers is not None  # asked for only where there are some
    return figures.machine.spec.discs.material, rollers.material


def roller_pressure(figures: CycloidalFigures) -> float | None:
    return figures.softer("pressure", *roller_materials(figures))


def static_roller_pressure(figures: CycloidalFigures) -> float | None:
    return figures.softer("static_pressure", *roller_materials(figures))


def most_hole_clearance(figures: CycloidalFigures) -> float:
    assert figures.rollers is not None
    return 2 * figures.guides.hole_clearance + 0.01 * figures.rollers.radius


def disc_shear(figures: CycloidalFigures) -> float | None:
    """Yield in shear of the disc, by von Mises."""
    strength = figures.softer("yield_strength", figures.machine.spec.discs.material)
    return None if strength is None else 0.577 * strength


def _structure(figures: CycloidalFigures, part: str) -> str:
    name: str = getattr(figures.machine.spec.structure, part).material
    return name


def pin_fatigue(figures: CycloidalFigures) -> float | None:
    strength = figures.softer("fatigue_strength", _structure(figures, "output_pins"))
    return None if strength is None else strength / 1.5


def pin_yield(figures: CycloidalFigures) -> float | None:
    return figures.softer("yield_strength", _structure(figures, "output_pins"))


def shaft_shear(figures: CycloidalFigures) -> float | None:
    strength = figures.softer("yield_strength", _structure(figures, "shaft"))
    return None if strength is None else 0.577 * strength


def wanted_life(figures: CycloidalFigures) -> float:
    return figures.machine.spec.rated_life


def _wider_hole(figures: CycloidalFigures) -> float:
    """As much that tolerances leave half of the preload that a hole may have."""
    rollers = figures.rollers
    assert rollers is not None
    lacking = -figures.tightest_hole - 0.5 * LARGEST_ROLLER_PRELOAD
    return figures.machine.spec.roller_hole_radius + lacking * rollers.radius


def _tighter_hole(figures: CycloidalFigures) -> dict[str, float]:
    rollers = figures.rollers
    if rollers is None:
        return {}
    needed = rollers.radius + figures.machine.spec.eccentricity
    return {"output.rollers.hole_radius": needed + figures.guides.hole_clearance}


WALL = GUIDE + "half of the 0.065 R that the sizing rule of RV reducers keeps"
WALL_IS = "0.0325 of the pin circle's radius"
SLENDER = GUIDE + "catalogues of needle rollers: 2.5 to 10 diameters long"

RULES: tuple[Rule, ...] = (
    *REDUCER_RULES,
    *PIN_RULES,
    Rule(
        "thin-outer-wall",
        "wall_to_root",
        "at_least",
        least_wall,
        "the wall between the output holes and the valleys of the flank is thin",
        (SMALLER_CIRCLE, THINNER_ROLLERS, SMALLER_BORE),
        WALL,
        WALL_IS,
    ),
    Rule(
        "thin-inner-wall",
        "wall_to_bore",
        "at_least",
        least_wall,
        "the wall between the output holes and the bore is thin",
        (LARGER_CIRCLE, SMALLER_BORE, THINNER_ROLLERS),
        WALL,
        WALL_IS,
    ),
    Rule(
        "thin-wall-between-holes",
        "wall_between_holes",
        "at_least",
        least_wall,
        "the walls between neighbouring output holes are thin",
        (THINNER_ROLLERS, FEWER_ROLLERS),
        WALL,
        WALL_IS,
    ),
    Rule(
        "wall-beyond-process",
        "made_wall",
        "at_least",
        process_wall,
        "a wall is thinner than the process makes",
        (SMALLER_CIRCLE, LARGER_CIRCLE, THINNER_ROLLERS),
        "wall guide of making.process (machines/processes.csv)",
        limit_is="the thinnest wall of the process, where one is given",
    ),
    Rule(
        "web-shears",
        "web_shear",
        "at_most",
        disc_shear,
        "an output roller shears the wall beside its hole at the peak torque",
        (WIDER_DISCS, SMALLER_CIRCLE),
        "0.577 of the disc's yield strength (von Mises) over two sections F/(2 w B)",
        limit_is="0.577 of the disc's yield strength, where it is known",
        severity="error",
        at_peak=True,
    ),
    Rule(
        "few-rollers",
        "roller_count",
        "at_least",
        4,
        "so few output rollers carry a disc that one bears nearly all at some places",
        (MORE_ROLLERS,),
        GUIDE + "of n rollers about half carry; from 4 on two and more",
    ),
    Rule(
        "short-rollers",
        "roller_slenderness",
        "at_least",
        0.4,
        "output rollers are short discs that tip over",
        (WIDER_DISCS, THINNER_ROLLERS),
        GUIDE + "catalogues of rollers begin at 0.4 diameters",
    ),
    Rule(
        "slender-rollers",
        "roller_slenderness",
        "at_most",
        4.0,
        "output rollers are slender and bear at one end where axes lean",
        (THICKER_ROLLERS, Move("make the discs narrower", ("discs.width",), up=False)),
        GUIDE
        + "lengths of rollers in catalogues end at 3 diameters, of needles that bear much at 4",
    ),
    Rule(
        "tight-holes",
        "tightest_hole",
        "at_least",
        -LARGEST_ROLLER_PRELOAD,
        "within tolerance a roller jams in its hole",
        (LARGER_HOLES,),
        GUIDE + "1 % of the roller's radius is preload, beyond it nothing assembles",
    ),
    Rule(
        "loose-holes",
        "hole_clearance",
        "at_most",
        most_hole_clearance,
        "holes are far larger than their rollers need: backlash",
        (Put("make the holes tighter", _tighter_hole),),
        GUIDE + "twice what the process needs; making.process says which, ground if absent",
        limit_is="twice the hole clearance guide of the process, and 0.01 of the roller's radius",
    ),
    Rule(
        "roller-pressure",
        "roller_pressure",
        "at_most",
        roller_pressure,
        "output rollers and their holes pit at the rated torque",
        (
            Move("make the discs wider", ("discs.width",), up=True, power=-0.5),
            MORE_ROLLERS,
            LOWER_RATING,
        ),
        MATERIAL,
        limit_is="the pressure of the softer material, where one is known",
    ),
    Rule(
        "static-roller-pressure",
        "peak_roller_pressure",
        "at_most",
        static_roller_pressure,
        "output rollers dent their holes for good at the peak torque",
        (
            Move("make the discs wider", ("discs.width",), up=True, power=-0.5),
            lower_peak(0.5),
        ),
        STATIC_PRESSURE,
        limit_is="the static pressure of the softer material, where one is known",
        severity="error",
        at_peak=True,
    ),
    Rule(
        "output-pin-fatigue",
        "pin_bending",
        "at_most",
        pin_fatigue,
        "output pins break in time: they bend to and fro as the discs circle",
        (
            Move(
                "use thicker pins and rollers",
                ("structure.output_pins.radius", "output.rollers.radius"),
                up=True,
                power=-3.0,
            ),
            Put(
                "hold the pins at both ends",
                lambda figures: {"structure.output_pins.held": "both ends"},
            ),
            lower_rating(1.0),
        ),
        GUIDE + "a safety of 1.5 on the fatigue strength in reversed bending (docs/materials.md)",
        limit_is="fatigue strength of the pins over 1.5, where structure gives them",
    ),
    Rule(
        "output-pin-yields",
        "peak_pin_bending",
        "at_most",
        pin_yield,
        "output pins stay bent after the peak torque",
        (
            Move(
                "use thicker pins and rollers",
                ("structure.output_pins.radius", "output.rollers.radius"),
                up=True,
                power=-3.0,
            ),
            lower_peak(1.0),
        ),
        "yield strength (docs/materials.md)",
        limit_is="yield strength of the pins, where structure gives them",
        severity="error",
        at_peak=True,
    ),
    Rule(
        "shaft-yields",
        "shaft_torsion",
        "at_most",
        shaft_shear,
        "the input shaft stays twisted after the peak torque",
        (Move("use a thicker shaft", ("structure.shaft.radius",), up=True, power=-3.0),),
        "0.577 of the yield strength (von Mises)",
        limit_is="0.577 of the shaft's yield strength, where structure gives it",
        severity="error",
        at_peak=True,
    ),
    Rule(
        "thin-shaft",
        "shaft_share",
        "at_least",
        0.08,
        "the eccentric leaves the input a thin shaft, which bends",
        (LARGER_BORE,),
        GUIDE + "the journals of published RV cranks are 0.06 to 0.14 of the pin circle's radius",
    ),
    Rule(
        "short-needle-life",
        "needle_life",
        "at_least",
        wanted_life,
        "the needles of the eccentric do not last for the rated life",
        (
            Move("use longer needles and wider discs", MORE_NEEDLES.keys, up=True, power=2.6),
            lower_rating(-3.3),
        ),
        "ISO 281, basic rating life, load from pins and rollers together",
        limit_is="rated_life, 6000 h if absent",
    ),
    Rule(
        "needle-safety",
        "needle_safety",
        "at_least",
        1.0,
        "the needles of the eccentric are dented for good at the peak torque",
        (
            Move("use longer needles and wider discs", MORE_NEEDLES.keys, up=True, power=1.0),
            lower_peak(-1.0),
        ),
        "ISO 76, S0 = C0/P0",
        severity="error",
        at_peak=True,
    ),
    Rule(
        "few-needles",
        "needle_filling",
        "at_least",
        0.5,
        "the needles fill less than half of their circle: few carry, each much",
        (Move("use more needles", ("eccentric.needles.count",), up=True),),
        GUIDE + "catalogues fill 0.7 to 1",
    ),
    Rule(
        "slender-needles",
        "needle_slenderness",
        "at_most",
        10.0,
        "the needles are so slender that they skew",
        (Move("use shorter needles", ("eccentric.needles.length",), up=False),),
        SLENDER,
    ),
)

MOVES: Mapping[str, tuple[Move | Put, ...]] = {
    "eccentricity-large": (Move("reduce the eccentricity", ("eccentricity",), up=False),),
    "negative-clearance": (MORE_REMOVED,),
}
