"""Bevel gears that cannot be cut, put together or run are refused in a sentence that teaches."""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
from bevel_blanks import SAMPLES
from cases import Case
from gear_refusals import problems_of, told

import flank
from flank.arrays import Floats
from flank.errors import SpecError
from flank.geometry.bevel.blade import OUTSIDE, Blade
from flank.geometry.bevel.blank import pair_blanks
from flank.geometry.bevel.cradle import settings_of_vector_sum
from flank.geometry.bevel.cutting import LEFT, RIGHT, Cut, CutFlank, cut_flank
from flank.geometry.bevel.measured import member_from_grids
from flank.geometry.bevel.published import (
    GEAR_ANGLES,
    GEAR_CLEARANCE,
    INCH,
    MEAN_DISTANCE,
    PINION_ANGLES,
    PINION_CLEARANCE,
    nasa_gear_cuts,
    nasa_pinion,
    nasa_pinion_cuts,
    nasa_section,
)
from flank.geometry.bevel.tooth import cut_member

MACHINES = (
    # what it is, preset and changes, part of the sentence that refuses it
    (
        "a blade angle of 89°",
        "spiral-bevel-nasa",
        {"settings.pinion.concave.blade_angle": "89 deg"},
        "must be at most",
    ),
    ("4 points of a flank", "bevel-pair", {"mesh.points": 4}, "8"),
    ("an offset of a bevel pair", "bevel-pair", {"offset": "10 mm"}, "hypoid-pair"),
    ("the wheel 0.5 mm too deep", "bevel-pair", {"errors.wheel_axial": "-0.5 mm"}, "teeth jam"),
    (
        "an ease-off whose contact lies off the flank",
        "bevel-pair",
        {"ease_off.concave.spiral_angle": "300 um"},
        "touch nowhere near their middles",
    ),
)

PINION = nasa_section(PINION_ANGLES, PINION_CLEARANCE)
GEAR = nasa_section(GEAR_ANGLES, GEAR_CLEARANCE)
GEAR_PLACE = INCH * MEAN_DISTANCE * np.array([math.cos(1.249), math.sin(1.249)])

EDGE = {"ease_off.concave.spiral_angle": "135 um"}


def _undercut() -> object:
    """A cutter that reaches far below the root of a pinion takes its flank away."""
    root = math.radians(PINION_ANGLES[0] - PINION_ANGLES[1])
    blade = Blade(0.0762, math.radians(8), OUTSIDE, 0.3e-3)
    settings = replace(settings_of_vector_sum(0.0737, 1.07, root, 3.2), sliding_base=-2.5e-3)
    lower = PINION.bottom - 2.5e-3 * np.array([-math.sin(root), math.cos(root)])
    section = replace(PINION, bottom=lower).raised(0.6e-3)
    return CutFlank(Cut(settings, blade), section).grid(9, 9)


def _beside() -> object:
    cut = nasa_pinion_cuts()[0]
    return cut_flank(replace(cut, settings=replace(cut.settings, radial=0.3)), PINION, 9)


def _measured(change: Callable[[Floats], None]) -> object:
    pinion = nasa_pinion(9, 11)
    concave = pinion.concave.flank.points.copy()
    change(concave)
    return member_from_grids(12, LEFT, concave, pinion.convex.flank.points, PINION.bottom)


def _hole(grid: Floats) -> None:
    grid[7, 2] = np.nan


def _fold(grid: Floats) -> None:
    grid[[0, 1]] = grid[[1, 0]]


ATTEMPTS: tuple[tuple[str, Callable[[], object], str], ...] = (
    ("an undercut flank", _undercut, "undercut on"),
    ("a cutter 0.3 m off", _beside, "does not pass through the middle of the tooth"),
    (
        "edge radii of 1.3 mm",
        lambda: cut_member(36, RIGHT, nasa_gear_cuts(edge_radius=1.3e-3), GEAR, GEAR_PLACE, 9, 9),
        "no fillet is left",
    ),
    ("a measured grid with a hole", lambda: _measured(_hole), "1 holes, the first at row 8"),
    ("a measured grid that folds", lambda: _measured(_fold), "folds at row 1"),
    (
        "teeth without thickness",
        lambda: pair_blanks(replace(SAMPLES[0], outer_normal_backlash=10e-3)),
        "no thickness left",
    ),
)


def refusal_cases() -> Iterator[Case]:
    """One where the input is refused for the reason named."""
    for name, preset, changes, sentence in MACHINES:
        yield told(f"{name}: refused, '{sentence}'", sentence in problems_of(preset, changes))
    for name, attempt, sentence in ATTEMPTS:
        yield told(f"{name}: refused, '{sentence}'", sentence in _refusal(attempt))
    warned = flank.preset("bevel-pair", EDGE)
    words = " ".join(f"{finding.message} {finding.remedy}" for finding in warned.findings())
    yield told("contact on an edge alone: a warning that says where to move", "move the" in words)


def _refusal(attempt: Callable[[], object]) -> str:
    try:
        attempt()
    except SpecError as error:
        return " ".join(error.problems)
    return ""
