"""Rules of a cycloidal drive."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from flank.design.pins.rules import HOUSE
from flank.design.pins.rules import RULES as PIN_RULES
from flank.design.rule import Move, Put, Rule

if TYPE_CHECKING:
    from flank.design.cycloidal.figures import CycloidalFigures

SMALLER_CIRCLE = Move(
    "put the output rollers on a smaller circle", ("output.rollers.circle_radius",), up=False
)
LARGER_CIRCLE = Move(
    "put the output rollers on a larger circle", ("output.rollers.circle_radius",), up=True
)
THINNER_ROLLERS = Move("use thinner output rollers", ("output.rollers.radius",), up=False)
FEWER_ROLLERS = Move("use fewer output rollers", ("output.rollers.count",), up=False)
SMALLER_BORE = Move("make the bore smaller", ("discs.bore_radius",), up=False)


def least_wall(figures: CycloidalFigures) -> float:
    """0.0325 of the pin circle's radius."""
    return 0.0325 * figures.machine.spec.pins.circle_radius


WALL = HOUSE + "half of the 0.065 R that the sizing rule of RV reducers keeps"
WALL_IS = "0.0325 of the pin circle's radius"

RULES: tuple[Rule, ...] = (
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
)

MOVES: Mapping[str, tuple[Move | Put, ...]] = {
    "eccentricity-large": (Move("reduce the eccentricity", ("eccentricity",), up=False),),
    "negative-clearance": (
        Move("remove more of the flank", ("discs.equidistant",), up=True, amount=1e-6),
    ),
}
