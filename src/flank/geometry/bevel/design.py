"""Pairs from their blanks alone: the wheel as a machine cuts it, the pinion conjugate to it.

Any tooth numbers, shaft angle and offset get a working contact this way, without settings for the
pinion that somebody would have to find first: what the pinion's machine is asked for instead is
the ease-off.
"""

from dataclasses import dataclass

import numpy as np

from flank.arrays import Floats
from flank.geometry.bevel.blank import PairBlanks, pair_blanks
from flank.geometry.bevel.conjugate import CONJUGATE, ConjugateFlank, EaseOff
from flank.geometry.bevel.cutting import LEFT, Cut, CutFlank, FlankGrid
from flank.geometry.bevel.fillet import blended_fillets, with_normals
from flank.geometry.bevel.pair import BevelPair
from flank.geometry.bevel.pitch_cones import PairData
from flank.geometry.bevel.section import AxialSection
from flank.geometry.bevel.tooth import (
    FILLET_POINTS,
    LENGTHWISE_POINTS,
    PROFILE_POINTS,
    BevelMember,
    ToothSide,
    assemble_tooth,
    check_counts,
)
from flank.geometry.bevel.wheel import cut_wheel, wheel_cuts, wheel_settings
from flank.geometry.mounting import Mounting


@dataclass(frozen=True)
class PairDesign:
    """A pair to be made: its blanks' data, its ease-offs, the pinion's hand and the wheel's cut."""

    data: PairData
    drive: EaseOff = CONJUGATE  # of the pinion's concave flank
    coast: EaseOff = CONJUGATE  # of its convex one
    pinion_hand: int = LEFT
    formate: bool = False
    edge_radius: float | None = None  # of the wheel's blades; none: as large as the clearance lets

    @property
    def mounting(self) -> Mounting:
        return Mounting(self.data.shaft_angle, self.pinion_hand * self.data.offset)

    def conjugate_flanks(self, blanks: PairBlanks) -> tuple[ConjugateFlank, ConjugateFlank]:
        """Concave and convex flank of the pinion."""
        data, wheel = self.data, blanks.wheel
        settings = wheel_settings(wheel, data.cutter_radius, data.blade_groups, self.formate)
        outside, inside = wheel_cuts(
            wheel,
            -self.pinion_hand,
            settings,
            blanks.pressure_angles,
            data.cutter_radius,
            self.edge_radius,
        )
        sections = blanks.pinion.section(), wheel.section()
        return conjugate_flanks((outside, inside), data.teeth, self.mounting, sections)


def conjugate_flanks(
    cuts: tuple[Cut, Cut],
    teeth: tuple[int, int],
    mounting: Mounting,
    sections: tuple[AxialSection, AxialSection],
) -> tuple[ConjugateFlank, ConjugateFlank]:
    """Concave and convex flank of the pinion to a wheel by its outside and its inside cut; sections
    are those of pinion and wheel."""
    outside, inside = cuts
    concave, convex = (
        ConjugateFlank(CutFlank(cut, sections[1]), teeth, mounting, sections[0])
        for cut in (inside, outside)
    )
    return concave, convex


def conjugate_member(
    hand: int,
    flanks: tuple[ConjugateFlank, ConjugateFlank],
    ease_offs: tuple[EaseOff, EaseOff],
    mean_place: Floats,
    rows: int = PROFILE_POINTS,
    columns: int = LENGTHWISE_POINTS,
    fillet_rows: int = FILLET_POINTS,
) -> BevelMember:
    """A pinion of concave and convex flanks less their ease-offs, without backlash."""
    teeth, section = flanks[0].teeth[0], flanks[0].section
    grids = [
        eased(flank.grid(rows, columns), ease_off)
        for flank, ease_off in zip(flanks, ease_offs, strict=True)
    ]
    fillets = blended_fillets(grids[0], grids[1], section, 2 * np.pi / teeth, fillet_rows)
    concave, convex = (ToothSide(grid, fillet) for grid, fillet in zip(grids, fillets, strict=True))
    return assemble_tooth(teeth, hand, concave, convex, mean_place)


def designed_pair(
    design: PairDesign,
    rows: int = PROFILE_POINTS,
    columns: int = LENGTHWISE_POINTS,
    fillet_rows: int = FILLET_POINTS,
) -> BevelPair:
    """Pinion and wheel with the backlash of the blank; SpecError where they cannot be made."""
    check_counts(rows, columns, fillet_rows)
    blanks = pair_blanks(design.data)
    concave, convex = design.conjugate_flanks(blanks)
    cuts = convex.gear.cut, concave.gear.cut
    wheel = cut_wheel(blanks.wheel, cuts, rows, columns, fillet_rows)
    place, ease_offs = blanks.pinion.mean_point, (design.drive, design.coast)
    tight = conjugate_member(
        design.pinion_hand, (concave, convex), ease_offs, place, rows, columns, fillet_rows
    )
    # the pinion is thinner by the whole backlash
    play = 2 * blanks.transverse_backlash / blanks.wheel.mean_diameter
    play *= blanks.wheel.teeth / blanks.pinion.teeth * float(place[1])
    pinion = tight.with_thickness(tight.thickness - play)
    return BevelPair(pinion, wheel, design.mounting)


def eased(flank: FlankGrid, ease_off: EaseOff) -> FlankGrid:
    """Less the ease-off, along its normals."""
    rows, columns = flank.points.shape[:2]
    relief = ease_off(np.linspace(-1, 1, columns)[None], np.linspace(-1, 1, rows)[:, None])
    if not relief.any():
        return flank
    points = flank.points - relief[..., None] * flank.normals
    return with_normals(points, flank.normals[rows // 2, columns // 2])
