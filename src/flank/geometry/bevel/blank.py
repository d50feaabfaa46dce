"""Blanks of bevel and hypoid gears by ISO 23509:2016, clause 7: cones, depths, thicknesses."""

import math
from dataclasses import dataclass
from functools import cached_property
from math import asin, atan, cos, sin, tan

from flank.errors import SpecError
from flank.geometry.bevel.pitch_cones import (
    GLEASON,
    KLINGELNBERG,
    OERLIKON,
    RIGHT_ANGLE,
    PairData,
    PitchCones,
    limit_pressure_angle,
    pitch_cones,
)
from flank.geometry.bevel.section import Blank
from flank.texts import mm

FEWEST_TEETH = 3

MOST_TEETH = 2000


@dataclass(frozen=True)
class PairBlanks:
    """Both members' blanks, and what belongs to the pair."""

    pinion: Blank
    wheel: Blank
    shaft_angle: float
    offset: float
    normal_module: float  # m_mn
    limit_pressure_angle: float  # α_lim
    pressure_angles: tuple[float, float]  # α_nD, α_nC: generated, drive and coast side
    working_depth: float  # h_mw
    transverse_backlash: float  # j_mt2, at the wheel's calculation point
    offset_angle: float  # ζ_m, in the pinion's axial plane
    pitch_plane_offset_angle: float  # ζ_mp

    @property
    def effective_pressure_angles(self) -> tuple[float, float]:
        drive, coast = self.pressure_angles
        return drive - self.limit_pressure_angle, coast + self.limit_pressure_angle


@dataclass(frozen=True)
class _Basics:
    """7.2 and 7.3: what the rest is computed from."""

    data: PairData
    cones: PitchCones
    zeta_m: float
    zeta_mp: float
    module: float

    @property
    def addenda(self) -> tuple[float, float]:
        data, module = self.data, self.module
        return (
            module * (data.addendum_factor + data.profile_shift),
            module * (data.addendum_factor - data.profile_shift),
        )

    @property
    def dedenda(self) -> tuple[float, float]:
        data, module = self.data, self.module
        return (
            module * (data.dedendum_factor - data.profile_shift),
            module * (data.dedendum_factor + data.profile_shift),
        )

    @property
    def clearance(self) -> float:
        return self.module * (self.data.dedendum_factor - self.data.addendum_factor)

    @property
    def outer_distance(self) -> float:
        return self.cones.mean_distances[1] + self.cones.face_width_factor * self.data.face_width

    @cached_property
    def apexes(self) -> tuple[float, float]:
        """t_z1 and t_z2, pitch apexes beyond the crossing point (129 to 131)."""
        (delta1, delta2), (mean1, mean2) = self.cones.pitch_angles, self.cones.mean_diameters
        departure = self.data.shaft_angle - RIGHT_ANGLE
        sum_ = mean2 + mean1 * cos(delta2) / cos(delta1)
        wheel = mean1 * sin(delta2) / (2 * cos(delta1))
        wheel -= 0.5 * cos(self.zeta_m) * tan(departure) * sum_
        pinion = 0.5 * mean2 * cos(self.zeta_m) * cos(departure) - wheel * sin(departure)
        first, second = self.cones.mean_distances
        return first * cos(delta1) - pinion, second * cos(delta2) - wheel


def pair_blanks(data: PairData) -> PairBlanks:
    """Blanks of pinion and wheel; SpecError where there are none."""
    _check(data)
    try:
        return _pair_blanks(_basics(data))
    except (ValueError, ZeroDivisionError) as reason:
        raise SpecError(
            f"No blanks exist for {data.teeth[0]}/{data.teeth[1]} teeth with a face width of "
            f"{mm(data.face_width, 4)}, a cutter radius of {mm(data.cutter_radius, 4)} and these "
            "angles: a formula of ISO 23509 has no real solution; use a narrower face, a larger "
            "cutter or smaller angles."
        ) from reason


def _pair_blanks(basics: _Basics) -> PairBlanks:
    data = basics.data
    pressure = limit_pressure_angle(basics.cones, basics.zeta_mp)
    drive = data.pressure_angles[0] + data.limit_angle_factor * pressure
    coast = data.pressure_angles[1] - data.limit_angle_factor * pressure
    pinion_angles, offset_angle_root = _pinion_angles(basics)
    outer, inner = _pinion_widths(basics, pinion_angles, offset_angle_root)
    spirals = _spiral_angles(basics, outer, inner)
    thicknesses, backlash = _thicknesses(basics, 0.5 * (drive + coast), spirals[1][0])
    wheel_outer = basics.outer_distance - basics.cones.mean_distances[1]
    widths = (outer, inner), (wheel_outer, data.face_width - wheel_outer)
    taper = pinion_angles, (data.addendum_angle, data.dedendum_angle)
    pinion, wheel = (
        Blank(
            teeth=data.teeth[k],
            pitch_angle=basics.cones.pitch_angles[k],
            mean_distance=basics.cones.mean_distances[k],
            spiral_angle=basics.cones.spiral_angles[k],
            mean_addendum=basics.addenda[k],
            mean_dedendum=basics.dedenda[k],
            addendum_angle=taper[k][0],
            dedendum_angle=taper[k][1],
            outer_width=widths[k][0],
            inner_width=widths[k][1],
            thickness=thicknesses[k],
            clearance=basics.clearance,
            apex_beyond=basics.apexes[k],
            outer_spiral_angle=spirals[k][0],
            inner_spiral_angle=spirals[k][1],
        )
        for k in (0, 1)
    )
    return PairBlanks(
        pinion,
        wheel,
        data.shaft_angle,
        data.offset,
        basics.module,
        pressure,
        (drive, coast),
        2 * basics.module * data.addendum_factor,
        backlash,
        basics.zeta_m,
        basics.zeta_mp,
    )


def _check(data: PairData) -> None:
    problems = []
    for name, teeth in zip(("pinion", "wheel"), data.teeth, strict=True):
        if not FEWEST_TEETH <= teeth <= MOST_TEETH:
            problems.append(
                f"The {name} has {teeth} teeth; blanks exist from {FEWEST_TEETH} to {MOST_TEETH}."
            )
    if data.method not in (0, GLEASON, OERLIKON, KLINGELNBERG):
        problems.append(f"ISO 23509 has the methods 0, 1, 2 and 3, and no method {data.method}.")
    elif data.method == 0 and data.offset:
        problems.append(
            f"Method 0 is for pairs without offset, and this one has {data.offset * 1e3:.4g} mm; "
            "use method 1, 2 or 3."
        )
    elif data.method and data.offset <= 0:
        problems.append(
            f"Method {data.method} needs an offset above zero, not {data.offset * 1e3:.4g} mm; "
            "use method 0 without offset."
        )
    if data.method in (OERLIKON, KLINGELNBERG) and data.blade_groups < 1:
        problems.append(
            f"Method {data.method} is for face hobbing: give the number of blade groups."
        )
    if problems:
        raise SpecError(problems)


def _basics(data: PairData) -> _Basics:
    cones = pitch_cones(data)
    (delta1, delta2), (mean1, mean2) = cones.pitch_angles, cones.mean_diameters
    zeta_m = asin(2 * data.offset / (mean2 + mean1 * cos(delta2) / cos(delta1)))  # 113
    zeta_mp = asin(sin(zeta_m) * sin(data.shaft_angle) / cos(delta1))  # 114
    module = mean2 * cos(cones.spiral_angles[1]) / data.teeth[1]  # 116
    return _Basics(data, cones, zeta_m, zeta_mp, module)


def _pinion_angles(basics: _Basics) -> tuple[tuple[float, float], float]:
    """θ_a1 and θ_f1: the pinion's face cone follows the wheel's root, and its root the wheel's face
    (140 to 149); and ζ_R, the offset angle in the root plane."""
    data, delta2 = basics.data, basics.cones.pitch_angles[1]
    face, face_offset = _mating_angle(basics, delta2 - data.dedendum_angle, data.dedendum_angle)
    root, _ = _mating_angle(basics, delta2 + data.addendum_angle, data.addendum_angle)
    delta1 = basics.cones.pitch_angles[0]
    return (face - delta1, delta1 - root), face_offset


def _mating_angle(basics: _Basics, wheel: float, taper: float) -> tuple[float, float]:
    """Of the pinion's cone that runs along a cone of the wheel, and the offset angle there."""
    departure = basics.data.shaft_angle - RIGHT_ANGLE
    length = basics.cones.mean_distances[1] * cos(taper) - basics.apexes[1] * cos(wheel)
    phi = atan(basics.data.offset * tan(departure) * cos(wheel) / length)
    offset = asin(basics.data.offset * cos(phi) * sin(wheel) / length) - phi
    cosine = cos(departure) * cos(wheel) * cos(offset)
    return asin(sin(departure) * sin(wheel) + cosine), offset


def _pinion_widths(
    basics: _Basics, taper: tuple[float, float], root_offset: float
) -> tuple[float, float]:
    """b_e1 and b_i1 (154 to 173)."""
    data, share = basics.data, basics.cones.face_width_factor
    width = data.face_width
    if data.method == 0:
        return share * width, (1 - share) * width
    if data.method == OERLIKON:
        width *= 1 + tan(basics.zeta_mp) ** 2  # 167
        return share * width, (1 - share) * width
    if data.method == KLINGELNBERG:
        return _widths_in_pitch_plane(basics)
    delta1, delta2 = basics.cones.pitch_angles
    face, (theta_a, _) = delta1 + taper[0], taper
    shear = atan(
        sin(basics.zeta_mp)
        * cos(delta2)
        / (data.ratio * cos(delta1) + cos(delta2) * cos(basics.zeta_mp))
    )  # 159
    projected = width * cos(shear) / cos(basics.zeta_mp - shear)  # 160
    depth = 2 * basics.module * data.addendum_factor
    increment = depth * sin(root_offset) * (1 - 1 / data.ratio)  # 161
    lift = (basics.dedenda[1] - basics.clearance) * sin(delta1)
    along = projected / cos(theta_a) * cos(face)
    rise = basics.addenda[0] * sin(delta1)
    outer = (share * along + increment - lift + rise) / cos(face) * cos(theta_a)  # 162, 164
    inner = ((1 - share) * along + increment + lift - rise) / (
        cos(delta1) - tan(theta_a) * sin(delta1)
    )  # 163, 165
    return outer, inner


def _widths_in_pitch_plane(basics: _Basics) -> tuple[float, float]:
    """Of method 3, whose pinion is as wide as whole millimetres (170 to 173)."""
    offset = basics.cones.mean_distances[1] * sin(basics.zeta_mp)
    outer, inner = basics.outer_distance, basics.outer_distance - basics.data.face_width
    mean = basics.cones.mean_distances[1]
    reach = [math.sqrt(distance**2 - offset**2) for distance in (outer, mean, inner)]
    in_plane = reach[0] - reach[2]
    wider = in_plane + 3 * basics.module * abs(tan(basics.zeta_mp))
    width = 1e-3 * math.floor(1e3 * wider + 1)
    inner_width = reach[1] - reach[2] + 0.5 * (width - in_plane)
    return width - inner_width, inner_width


def _spiral_angles(
    basics: _Basics, outer: float, inner: float
) -> tuple[tuple[float, float], tuple[float, float]]:
    """(β_e, β_i) of pinion and wheel (174 to 194)."""
    mean, offset = basics.cones.mean_distances[1], basics.zeta_mp
    squares = [mean**2 + w**2 + 2 * mean * w * cos(offset) for w in (outer, -inner)]
    pinion = []
    for distance in map(math.sqrt, squares):
        beyond = asin(mean * sin(offset) / distance)
        pinion.append(_wheel_spiral_angle(basics, distance) + beyond)
    ends = basics.outer_distance, basics.outer_distance - basics.data.face_width
    wheel = [_wheel_spiral_angle(basics, distance) for distance in ends]
    return (pinion[0], pinion[1]), (wheel[0], wheel[1])


def _wheel_spiral_angle(basics: _Basics, distance: float) -> float:
    """At a cone distance: of the cutter's circle, or of the extended epicycloid."""
    data, mean = basics.data, basics.cones.mean_distances[1]
    beta, cutter = basics.cones.spiral_angles[1], data.cutter_radius
    if not data.blade_groups:
        arm = 2 * mean * cutter * sin(beta) - mean**2 + distance**2
        return asin(arm / (2 * distance * cutter))  # 183, 193
    lead = asin(data.blade_groups * basics.module / (2 * cutter))  # 176
    centre = math.sqrt(mean**2 + cutter**2 - 2 * mean * cutter * sin(beta - lead))  # 177
    share = data.blade_groups / data.teeth[1] * sin(basics.cones.pitch_angles[1])
    base = centre / (1 + share)  # 178
    phi = math.acos((distance**2 + centre**2 - cutter**2) / (2 * distance * centre))
    return atan((distance - base * cos(phi)) / (base * sin(phi)))  # 181, 191


def _thicknesses(
    basics: _Basics, alpha: float, outer_spiral: float
) -> tuple[tuple[float, float], float]:
    """s_mn of both and the mean transverse backlash of the wheel (201 to 211)."""
    data, module = basics.data, basics.module
    mean, beta = basics.cones.mean_distances[1], basics.cones.spiral_angles[1]
    inward = mean * cos(beta) / (basics.outer_distance * cos(outer_spiral))
    normal = data.outer_normal_backlash * inward / cos(alpha)
    normal += data.outer_transverse_backlash * mean * cos(beta) / basics.outer_distance
    half = 0.5 * math.pi * module
    shift = 2 * module * (data.thickness_factor + data.profile_shift * tan(alpha))
    thicknesses = half + shift - 0.5 * normal, half - shift - 0.5 * normal
    if min(thicknesses) <= 0:
        name = "pinion" if thicknesses[0] <= 0 else "wheel"
        raise SpecError(
            f"The teeth of the {name} have no thickness left, {mm(min(thicknesses), 3)} at the "
            "calculation point; use less backlash or less shift of profile and thickness."
        )
    return thicknesses, normal / cos(beta)
