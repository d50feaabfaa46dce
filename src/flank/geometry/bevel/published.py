"""Published pairs with complete machine settings.

The 12/36 spiral bevel pair of NASA CR-191009 (Bibel, Reddy and Kumar 1994), the same as in NASA
TP-3096 (Handschuh and Litvin). With the printed blade angle of the gear, 22°, four flank points are
published; with 21° 25' both flanks of the pair match in the middle of the face, which they do not
as printed. The report gives no edge radii.
"""

import math
from dataclasses import dataclass
from math import cos, radians, sin

import numpy as np

from flank.arrays import Floats
from flank.geometry.bevel.blade import INSIDE, OUTSIDE, Blade
from flank.geometry.bevel.cradle import settings_of_vector_sum
from flank.geometry.bevel.cutting import LEFT, RIGHT, Cut
from flank.geometry.bevel.pair import BevelPair
from flank.geometry.bevel.section import AxialSection, root_cone_section
from flank.geometry.bevel.tooth import (
    CONVEX,
    FILLET_POINTS,
    LENGTHWISE_POINTS,
    PROFILE_POINTS,
    BevelMember,
    cut_member,
)

INCH = 0.0254

PRINTED_GEAR_BLADE_ANGLE = radians(22)

MATCHED_GEAR_BLADE_ANGLE = radians(21 + 25 / 60)

EDGE_RADIUS = 0.4e-3
"""Ours: the fillet ends below the clearance, and both fit into the spaces."""


BACKLASH = 0.1e-3
"""Ours as well: as printed the teeth are 2 um thicker than their spaces."""


@dataclass(frozen=True)
class NasaSettings:
    """A row of the report, in inch and degrees as printed."""

    cutter_radius: float
    blade_angle: float
    radial: float
    cradle_angle: float
    ratio: float  # cradle per work
    blank_offset: float = 0.0
    vector_sum: float = 0.0

    def cut(self, root_angle: float, side: int, hand: int, edge_radius: float) -> Cut:
        settings = settings_of_vector_sum(
            self.radial * INCH,
            radians(self.cradle_angle),
            root_angle,
            1 / self.ratio,
            self.blank_offset * INCH,
            self.vector_sum * INCH,
        )
        blade = Blade(self.cutter_radius * INCH, radians(self.blade_angle), side, edge_radius)
        return Cut(settings, blade, hand)


PINION_CONCAVE = NasaSettings(
    2.96562137806,
    180 - 161.954330248,
    2.94780202969,
    63.9420304635,
    0.30838512709,
    0.154575896,
    0.0384999977874,
)
PINION_CONVEX = NasaSettings(
    3.071306157,
    24.337423854,
    2.80104946,
    53.9259945467,
    0.3220428536,
    -0.17426159493,
    -0.0518138227,
)
GEAR = 2.85995004691, 59.2342023, 0.9508646
"""Radial setting, cradle angle and ratio of both flanks of the gear."""

GEAR_RADII = {OUTSIDE: 3.0325, INSIDE: 2.9675}

MEAN_DISTANCE, FACE_WIDTH = 3.191, 1.0

PINION_ANGLES = 18.4333333, 1.56666666, 3.8833334
GEAR_ANGLES = 71.5666666, 3.8833333333, 1.5666666
"""Pitch, dedendum and addendum angle, in degrees."""

PINION_CLEARANCE, GEAR_CLEARANCE = 0.03, 0.0366


def nasa_section(angles: tuple[float, float, float], clearance: float) -> AxialSection:
    """Root cones run through the pitch apex."""
    pitch, dedendum, addendum = map(radians, angles)
    return root_cone_section(
        INCH * MEAN_DISTANCE, INCH * FACE_WIDTH, pitch, addendum, dedendum, INCH * clearance
    )


def _mean_place(angles: tuple[float, float, float]) -> Floats:
    pitch = radians(angles[0])
    return INCH * MEAN_DISTANCE * np.array([cos(pitch), sin(pitch)])


def nasa_pinion_cuts(edge_radius: float = EDGE_RADIUS) -> tuple[Cut, Cut]:
    root = radians(PINION_ANGLES[0] - PINION_ANGLES[1])
    return (
        PINION_CONCAVE.cut(root, OUTSIDE, LEFT, edge_radius),
        PINION_CONVEX.cut(root, INSIDE, LEFT, edge_radius),
    )


def nasa_gear_cuts(
    blade_angle: float = MATCHED_GEAR_BLADE_ANGLE, edge_radius: float = EDGE_RADIUS
) -> tuple[Cut, Cut]:
    root = radians(GEAR_ANGLES[0] - GEAR_ANGLES[1])
    outside, inside = (
        NasaSettings(GEAR_RADII[side], math.degrees(blade_angle), *GEAR).cut(
            root, side, RIGHT, edge_radius
        )
        for side in (OUTSIDE, INSIDE)
    )
    return outside, inside


def nasa_pinion(
    rows: int = PROFILE_POINTS, columns: int = LENGTHWISE_POINTS, fillet_rows: int = FILLET_POINTS
) -> BevelMember:
    section = nasa_section(PINION_ANGLES, PINION_CLEARANCE)
    cuts, place = nasa_pinion_cuts(), _mean_place(PINION_ANGLES)
    return cut_member(12, LEFT, cuts, section, place, rows, columns, fillet_rows)


def nasa_gear(
    rows: int = PROFILE_POINTS,
    columns: int = LENGTHWISE_POINTS,
    fillet_rows: int = FILLET_POINTS,
    blade_angle: float = MATCHED_GEAR_BLADE_ANGLE,
) -> BevelMember:
    section = nasa_section(GEAR_ANGLES, GEAR_CLEARANCE)
    cuts, place = nasa_gear_cuts(blade_angle), _mean_place(GEAR_ANGLES)
    return cut_member(36, RIGHT, cuts, section, place, rows, columns, fillet_rows)


def nasa_pair(
    backlash: float = BACKLASH,
    rows: int = PROFILE_POINTS,
    columns: int = LENGTHWISE_POINTS,
    fillet_rows: int = FILLET_POINTS,
) -> BevelPair:
    """Both, with a transverse backlash at the mean point that is taken off the gear's concave
    flanks: the driving side stays where it was cut, and the pinion keeps its narrow tips."""
    pinion, gear = nasa_pinion(rows, columns, fillet_rows), nasa_gear(rows, columns, fillet_rows)
    space = gear.pitch_angle * float(gear.mean_place[1]) - pinion.thickness
    return BevelPair(pinion, gear.with_thickness(space - backlash, resting=CONVEX))
