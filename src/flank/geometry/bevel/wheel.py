"""Machine settings of a wheel from its blank, and the wheel that they cut.

The cradle's axis is across the root cone and runs through the pitch apex; the generating gear rolls
with the wheel without slip along the pitch cone. In its plane the cutter's circle, of radius r_c0,
passes the calculation point at the spiral angle β. With the cone distance A in that plane

    S² = A² + r² - 2 A r sin β,   cos q = (A² + S² - r²)/(2 A S),   R_a = cos θ_f / sin δ,

of face hobbing with β - ν for β, sin ν = z_0 m_n/(2 r_c0). The tip plane lies below the apex by
h_f cos θ_f - R_m sin θ_f. A blade that should cut the pressure angle α_n at the pitch cone has in
the root plane the angle α with sin α cos θ_f + σ cos α sin β sin θ_f = sin α_n.
"""

import math
from math import asin, cos, sin, tan

import numpy as np

from flank.errors import SpecError
from flank.geometry.bevel.blade import INSIDE, OUTSIDE, Blade
from flank.geometry.bevel.cradle import CradleSettings
from flank.geometry.bevel.cutting import Cut, CutFlank
from flank.geometry.bevel.section import Blank
from flank.geometry.bevel.tooth import (
    FILLET_POINTS,
    LENGTHWISE_POINTS,
    PROFILE_POINTS,
    BevelMember,
    azimuths,
    cut_member,
)
from flank.texts import mm

EDGE_SHARE = 0.4
"""Edge radius that is taken where none is given, of the largest that ends below the clearance."""

THICKNESS_TOLERANCE = 1e-12


def radial_setting(distance: float, cutter_radius: float, spiral_angle: float) -> float:
    """S_r."""
    arm = 2 * distance * cutter_radius * sin(spiral_angle)
    return math.sqrt(distance**2 + cutter_radius**2 - arm)


def cradle_angle(distance: float, radial: float, cutter_radius: float) -> float:
    """q of a cutter that passes the cone distance, unsigned."""
    cosine = (distance**2 + radial**2 - cutter_radius**2) / (2 * distance * radial)
    return math.acos(cosine)


def wheel_settings(
    blank: Blank, cutter_radius: float, blade_groups: int = 0, formate: bool = False
) -> CradleSettings:
    """Of both flanks, cut at once; zero blade groups are face milling."""
    angle, taper = blank.pitch_angle, blank.dedendum_angle
    distance = blank.mean_distance * cos(taper)
    module = blank.mean_diameter * cos(blank.spiral_angle) / blank.teeth
    sine = 0.5 * blade_groups * module / cutter_radius
    if sine >= 1:
        raise SpecError(
            f"{blade_groups} blade groups are too many for a cutter radius of "
            f"{mm(cutter_radius, 4)} and a module of {mm(module, 4)}; use fewer or a larger cutter."
        )
    lead = asin(sine)
    radial = radial_setting(distance, cutter_radius, blank.spiral_angle - lead)
    cradle = cradle_angle(distance, radial, cutter_radius)
    return CradleSettings(
        radial=radial,
        cradle_angle=-cradle,
        root_angle=blank.root_angle,
        ratio_of_roll=0.0 if formate else cos(taper) / sin(angle),
        sliding_base=blank.mean_distance * sin(taper) - blank.mean_dedendum * cos(taper),
        centre_to_back=blank.apex_beyond,
        indexing=blade_groups / blank.teeth,
        # the blades pass the calculation point in the machine's axial plane
        indexing_origin=math.atan2(distance * sin(cradle), distance * cos(cradle) - radial),
        lead_angle=lead,
        lead_radius=cutter_radius if blade_groups else 0.0,
    )


def blade_angle(blank: Blank, pressure_angle: float, side: int) -> float:
    """α in the root plane for a pressure angle at the pitch cone."""
    along = cos(blank.dedendum_angle)
    across = side * sin(blank.spiral_angle) * sin(blank.dedendum_angle)
    size = math.hypot(along, across)
    return asin(sin(pressure_angle) / size) - math.atan2(across, along)


def wheel_cuts(
    blank: Blank,
    hand: int,
    settings: CradleSettings,
    pressure_angles: tuple[float, float],
    cutter_radius: float,
    edge_radius: float | None = None,
) -> tuple[Cut, Cut]:
    """Outside and inside blade of a wheel whose teeth are as thick as the blank says; pressure
    angles are those of the drive side, which is the wheel's convex one, and of the coast side."""
    drive, coast = pressure_angles
    angles = blade_angle(blank, coast, OUTSIDE), blade_angle(blank, drive, INSIDE)
    if edge_radius is None:
        edge_radius = EDGE_SHARE * blank.clearance / (1 - sin(max(0.0, min(angles))))
    space = blank.mean_diameter * math.pi / blank.teeth - blank.transverse_thickness
    width = space * cos(blank.spiral_angle) - blank.mean_dedendum * sum(map(tan, angles))
    for _ in range(30):
        outside, inside = (
            Cut(
                settings,
                Blade(cutter_radius + 0.5 * side * width, angle, side, edge_radius),
                hand,
            )
            for side, angle in zip((OUTSIDE, INSIDE), angles, strict=True)
        )
        missing = space - _space(blank, outside, inside)
        if abs(missing) < THICKNESS_TOLERANCE * space:
            return outside, inside
        width += missing * cos(blank.spiral_angle)
    raise SpecError(
        f"No point width gives a wheel of {blank.teeth} teeth a thickness of "
        f"{mm(blank.thickness, 4)}; check the blank's thickness, dedendum and pressure angles."
    )


def _space(blank: Blank, outside: Cut, inside: Cut) -> float:
    """Along the circle of the calculation point, between the flanks that both blades cut."""
    section = blank.section()
    points = [CutFlank(cut, section).point(blank.mean_point) for cut in (outside, inside)]
    first, second = azimuths(np.array(points))
    # the concave flank of a left-hand space lies on the side of positive azimuths, as in a mirror
    return float(blank.mean_point[1] * abs(math.remainder(first - second, 2 * math.pi)))


def cut_wheel(
    blank: Blank,
    cuts: tuple[Cut, Cut],
    rows: int = PROFILE_POINTS,
    columns: int = LENGTHWISE_POINTS,
    fillet_rows: int = FILLET_POINTS,
) -> BevelMember:
    hand, section = cuts[0].hand, blank.section()
    return cut_member(
        blank.teeth, hand, cuts, section, blank.mean_point, rows, columns, fillet_rows
    )
