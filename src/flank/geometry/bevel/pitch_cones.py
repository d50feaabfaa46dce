"""Pitch cones of bevel and hypoid gear pairs by ISO 23509:2016, clause 6, methods 0 to 3.

Method 0 is a bevel pair without offset; 1 (Gleason) and 2 (Oerlikon) place the cones of a hypoid so
that the cutter's lengthwise curvature is the one at which the meshing teeth keep their pressure
angles along the face, 3 (Klingelnberg) likewise for teeth of constant height. Numbers in comments
are those of the standard's formulas. Loops start and stop where the standard's do, at one per cent
(methods 1 and 2) or 1e-4 (method 3): the cones of a hypoid are a choice, and every drawing follows
that one.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import acos, asin, atan, cos, sin, tan
from typing import NamedTuple

from flank.errors import SpecError

GLEASON, OERLIKON, KLINGELNBERG = 1, 2, 3
RIGHT_ANGLE = 0.5 * math.pi

TOLERANCE = 0.01
"""Of the ratios at which the trials of methods 1 and 2 end."""

DISTANCE_TOLERANCE = 1e-4
"""Of the pinion's cone distance, at which the loop of method 3 ends."""


@dataclass(frozen=True)
class PairData:
    """What ISO 23509 is given: angles in rad, lengths in m, 1 the pinion and 2 the wheel."""

    teeth: tuple[int, int]
    face_width: float  # b2, of the wheel
    diameter: float  # d_e2, outer, of the wheel; method 2: d_m2, mean
    spiral_angle: float  # β_m2, mean, of the wheel; method 1: β_m1 of the pinion, wanted
    cutter_radius: float  # r_c0
    method: int = 0
    offset: float = 0.0  # a
    shaft_angle: float = RIGHT_ANGLE  # Σ
    blade_groups: int = 0  # z0; zero: face milling
    pressure_angles: tuple[float, float] = (math.radians(20), math.radians(20))  # α_dD, α_dC
    limit_angle_factor: float = 0.0  # f_αlim
    profile_shift: float = 0.0  # x_hm1
    addendum_factor: float = 1.0  # k_hap
    dedendum_factor: float = 1.25  # k_hfp
    thickness_factor: float = 0.0  # x_smn
    addendum_angle: float = 0.0  # θ_a2
    dedendum_angle: float = 0.0  # θ_f2
    outer_normal_backlash: float = 0.0  # j_en
    outer_transverse_backlash: float = 0.0  # j_et2

    @property
    def ratio(self) -> float:
        return self.teeth[1] / self.teeth[0]


@dataclass(frozen=True)
class PitchCones:
    """What all methods come to."""

    pitch_angles: tuple[float, float]  # δ
    mean_distances: tuple[float, float]  # R_m, along the pitch cone
    spiral_angles: tuple[float, float]  # β_m
    face_width_factor: float  # c_be2: share of the wheel's face outside the calculation point

    @property
    def mean_diameters(self) -> tuple[float, float]:
        """d_m, of the pitch cones at the calculation point."""
        (first, second), (angle1, angle2) = self.mean_distances, self.pitch_angles
        return 2 * first * sin(angle1), 2 * second * sin(angle2)


def depth_factors(
    addendum: float, depth: float, clearance: float, thickness: float
) -> dict[str, float]:
    """Data of type II (c_ham, k_d, k_c, k_t) as those of type I, keys of PairData."""
    return {
        "profile_shift": depth * (0.5 - addendum),
        "addendum_factor": 0.5 * depth,
        "dedendum_factor": depth * (clearance + 0.5),
        "thickness_factor": 0.5 * thickness,
    }


def pitch_cones(data: PairData) -> PitchCones:
    if data.method == 0:
        return _without_offset(data)
    methods = {GLEASON: _gleason, OERLIKON: _oerlikon, KLINGELNBERG: _klingelnberg}
    try:
        return methods[data.method](data)
    except ValueError as reason:
        raise SpecError(
            f"No pitch cones exist for an offset of {data.offset * 1e3:.4g} mm with "
            f"{data.teeth[0]}/{data.teeth[1]} teeth and a wheel of {data.diameter * 1e3:.4g} mm; "
            "use a smaller offset or another spiral angle."
        ) from reason


def _without_offset(data: PairData) -> PitchCones:  # 1 to 7
    angle = data.shaft_angle
    pinion = math.atan2(sin(angle), cos(angle) + data.ratio)
    wheel = angle - pinion
    distance = data.diameter / (2 * sin(wheel)) - 0.5 * data.face_width
    spiral = data.spiral_angle
    return PitchCones((pinion, wheel), (distance, distance), (spiral, spiral), 0.5)


def _by_trials(residual: Callable[[float], float], first: float, second: float) -> float:
    """Where the residual is within the standard's tolerance: trials, then interpolation."""
    at_first = residual(first)
    if abs(at_first) <= TOLERANCE:
        return first
    for _ in range(50):
        at_second = residual(second)
        if abs(at_second) <= TOLERANCE:
            return second
        if at_second == at_first:
            break
        step = at_second * (second - first) / (at_second - at_first)
        first, at_first, second = second, at_second, second - step
    raise ValueError("no convergence")


def limit_pressure_angle(cones: PitchCones, offset_angle: float) -> float:
    """α_lim (32, 117), at which drive and coast side mesh alike; ζ_mp in the pitch plane."""
    (delta1, delta2), (distance1, distance2) = cones.pitch_angles, cones.mean_distances
    (beta1, beta2) = cones.spiral_angles
    arms = distance1 * sin(beta1), distance2 * sin(beta2)
    quotient = (arms[0] - arms[1]) / (distance1 * tan(delta1) + distance2 * tan(delta2))
    return atan(-tan(delta1) * tan(delta2) / cos(offset_angle) * quotient)


def _limit_radius(cones: PitchCones, offset_angle: float) -> float:
    """ρ_lim (33): lengthwise radius of curvature at which α_lim stays along the face."""
    alpha = limit_pressure_angle(cones, offset_angle)
    (beta1, beta2), (delta1, delta2) = cones.spiral_angles, cones.pitch_angles
    distance1, distance2 = cones.mean_distances
    curvature = tan(beta1) / (distance1 * tan(delta1)) + tan(beta2) / (distance2 * tan(delta2))
    curvature *= -tan(alpha)
    curvature += 1 / (distance1 * cos(beta1)) - 1 / (distance2 * cos(beta2))
    return (tan(beta1) - tan(beta2)) / (cos(alpha) * curvature)


def lengthwise_radius(data: PairData, cones: PitchCones) -> float:
    """ρ_mβ, of the teeth of the wheel's crown gear: the cutter's own, or the epicycloid's."""
    if not data.blade_groups:
        return data.cutter_radius  # 40
    distance, beta = cones.mean_distances[1], cones.spiral_angles[1]
    crown = data.teeth[1] / sin(cones.pitch_angles[1])  # 34, z_p
    lead = asin(distance * data.blade_groups / (data.cutter_radius * crown) * cos(beta))  # 35
    angle = RIGHT_ANGLE - beta + lead
    centre = _third_side(distance, data.cutter_radius, angle)  # 37
    second = acos(distance * cos(beta) / (centre * crown) * (crown + data.blade_groups))  # 38
    slope = tan(beta) + tan(second)
    return distance * cos(beta) * (tan(beta) + tan(second) / (1 + tan(lead) * slope))  # 39


def _third_side(first: float, second: float, angle: float) -> float:
    """Of a triangle, opposite to `angle`."""
    return math.sqrt(first**2 + second**2 - 2 * first * second * cos(angle))


def _gleason(data: PairData) -> PitchCones:
    u, a, departure = data.ratio, data.offset, data.shaft_angle - RIGHT_ANGLE
    wanted = data.spiral_angle
    wheel = atan(u * cos(departure) / (1.2 * (1 - u * sin(departure))))  # 11
    radius2 = 0.5 * (data.diameter - data.face_width * sin(wheel))  # 12
    offset_angle = asin(a * sin(wheel) / radius2)  # 13
    factor = tan(wanted) * sin(offset_angle) + cos(offset_angle)  # 14
    radius1 = radius2 * factor / u  # 15
    start = atan(a / (radius2 * (tan(wheel) * cos(departure) - sin(departure)) + radius1))  # 16

    def pinion_angle(eta: float, epsilon: float) -> float:  # 18, 24
        return atan(sin(eta) / (tan(epsilon) * cos(departure)) + tan(departure) * cos(eta))

    def cones(eta: float) -> tuple[PitchCones, float]:
        first = asin((a - radius1 * sin(eta)) / radius2)  # 17
        in_plane = asin(sin(first) * cos(departure) / cos(pinion_angle(eta, first)))  # 19
        spiral = (factor - cos(in_plane)) / sin(in_plane)  # 20
        increment = sin(in_plane) * (tan(wanted) - spiral)  # 21
        epsilon = asin(sin(first) - increment / u * sin(eta))  # 22, 23
        delta1 = pinion_angle(eta, epsilon)
        in_plane = asin(sin(epsilon) * cos(departure) / cos(delta1))  # 25
        beta1 = atan((factor + increment - cos(in_plane)) / sin(in_plane))  # 26
        delta2 = atan(sin(epsilon) / (tan(eta) * cos(departure)) + cos(epsilon) * tan(departure))
        distance1 = (radius1 + radius2 * increment / u) / sin(delta1)  # 29
        distance2 = radius2 / sin(delta2)  # 30
        outer = (data.diameter / (2 * sin(delta2)) - distance2) / data.face_width  # 41
        return PitchCones(
            (delta1, delta2), (distance1, distance2), (beta1, beta1 - in_plane), outer
        ), in_plane

    def residual(eta: float) -> float:
        result, in_plane = cones(eta)
        return lengthwise_radius(data, result) / _limit_radius(result, in_plane) - 1

    return cones(_by_trials(residual, start, 1.1 * start))[0]


class _OerlikonStart(NamedTuple):
    """What method 2 approximates before its trials (42 to 56)."""

    angle: float  # λ
    offset_angle: float  # ζ_mapp
    factor: float  # F_app
    diameter: float  # d_m1app
    second_angle: float  # η_1
    wheel_angle: float  # δ_2imp


def _oerlikon_start(data: PairData) -> _OerlikonStart:
    u, a, sigma = data.ratio, data.offset, data.shaft_angle
    beta, d2, cutter = data.spiral_angle, data.diameter, data.cutter_radius
    lead = asin(data.blade_groups * d2 * cos(beta) / (2 * data.teeth[1] * cutter))  # 42
    pinion = atan(sin(sigma) / (u + cos(sigma)))  # 45
    wheel = sigma - pinion
    zeta = asin((2 * a / d2) / (1 + cos(wheel) / (u * cos(pinion))))  # 47
    factor = cos(beta) / cos(beta + zeta)  # 48
    d1 = factor * d2 / u
    crown = atan(u * cos(zeta) / (u / tan(wheel) + (factor - 1) * sin(sigma)))  # 50
    radius = d2 / (2 * sin(crown))  # 51
    across = cutter * cos(lead) - radius * sin(beta)
    second = atan(across / (cutter * sin(lead) + radius * cos(beta)))  # 52
    third = atan(tan(beta + second) / sin(crown))  # 53
    length = d2 * cos(zeta) + d1 * cos(sigma) - 2 * a / tan(third + zeta)
    improved = atan(d1 * sin(sigma) / length)  # 54
    start = atan(tan(sigma - improved) * cos(zeta))  # 56
    return _OerlikonStart(RIGHT_ANGLE - beta + lead, zeta, factor, d1, second, start)


def _oerlikon(data: PairData) -> PitchCones:
    u, a, sigma = data.ratio, data.offset, data.shaft_angle
    beta, d2, cutter = data.spiral_angle, data.diameter, data.cutter_radius
    angle, zeta, factor, d1, second, start = _oerlikon_start(data)

    def cones(guess: float) -> tuple[PitchCones, float]:
        auxiliary = atan(sin(zeta) * cos(guess) / cos(sigma - guess))  # 57
        reach = d1 * cos(auxiliary) * sin(beta + second) / cos(sigma - guess)
        eta = atan(2 * a / (d2 * tan(guess) + reach))  # 58
        share = factor * tan(eta) * sin(guess) * cos(auxiliary) / (u * cos(sigma - guess))
        better = asin(2 * a / d2 - share)  # 59
        in_plane = atan(tan(better) * sin(sigma) / cos(sigma - guess))  # 60
        mean1 = cos(beta) / cos(beta + in_plane) * d2 / u  # 62
        fourth = atan(sin(angle) * sin(sigma) / (d2 / (2 * cutter) - cos(angle) * sin(guess)))  # 63
        length = d2 * cos(better) + mean1 * cos(sigma) * cos(auxiliary)
        projected = sigma - atan(mean1 * sin(sigma) / (length - 2 * a / tan(fourth + better)))
        delta2 = atan(tan(projected) * cos(in_plane))  # 66
        fifth = atan(tan(delta2) / cos(better))  # 67
        auxiliary = atan(tan(eta) * sin(fifth) / cos(sigma - fifth))  # 68
        reach = mean1 * cos(auxiliary) * sin(fifth) / cos(sigma - fifth)
        eta = atan(2 * a / (d2 * tan(delta2) + reach))  # 69
        axial = asin(tan(delta2) * tan(eta))  # 70
        in_plane = atan(tan(axial) * sin(sigma) / cos(sigma - delta2))  # 71
        mean1 = d2 * cos(beta) / (u * cos(beta + in_plane))  # 73
        # 74 and 75 in one: atan2 knows the right angle
        xi = math.atan2(sin(sigma) * cos(axial), cos(sigma)) - delta2
        delta1 = atan(tan(xi) * cos(in_plane))  # 76
        distances = mean1 / (2 * sin(delta1)), d2 / (2 * sin(delta2))
        return PitchCones((delta1, delta2), distances, (beta + in_plane, beta), 0.5), in_plane

    def residual(guess: float) -> float:
        result, in_plane = cones(guess)
        distance1, distance2 = result.mean_distances
        centre = _third_side(cutter, distance2, angle)  # 79
        sixth = asin(cutter * sin(angle) / centre)  # 80
        return distance1 / distance2 * sin(in_plane + sixth) / sin(sixth) - 1  # 81, 82

    return cones(_by_trials(residual, start, start + math.radians(1)))[0]


def _klingelnberg(data: PairData) -> PitchCones:
    sigma = data.shaft_angle
    factor, delta2 = 1.0, math.atan2(sin(sigma), 1 / data.ratio + cos(sigma))  # 85, 86
    delta1 = sigma - delta2
    for _ in range(200):
        cones, factor, zeta, radius = _klingelnberg_pass(data, factor, delta1, delta2)
        in_plane = cones.spiral_angles[0] - data.spiral_angle
        delta1 = asin(cones.mean_diameters[0] / (2 * radius))  # 107
        numerator = sin(delta1) * cos(zeta) * sin(sigma)
        numerator += cos(delta1) * cos(in_plane) * cos(sigma)
        delta2 = acos(numerator / (1 - (sin(sigma) * sin(zeta)) ** 2))  # 108
        if abs(radius / cones.mean_distances[0] - 1) <= DISTANCE_TOLERANCE:
            # 109 says a half; the wheel keeps the outer diameter that was given, as in annex F
            outer = 0.5 * data.diameter / sin(delta2) - cones.mean_distances[1]
            share = outer / data.face_width
            return replace(cones, pitch_angles=(delta1, delta2), face_width_factor=share)
    raise ValueError("no convergence")


def _klingelnberg_pass(
    data: PairData, factor: float, delta1: float, delta2: float
) -> tuple[PitchCones, float, float, float]:
    """Cones, F, ζ_m and R_mint (88 to 105)."""
    u, sigma, beta, cutter = data.ratio, data.shaft_angle, data.spiral_angle, data.cutter_radius
    mean2 = data.diameter - data.face_width * sin(delta2)
    zeta = asin(2 * data.offset / (mean2 * (1 + factor * cos(delta2) / (u * cos(delta1)))))
    delta1 = asin(cos(zeta) * sin(sigma) * cos(delta2) - cos(sigma) * sin(delta2))  # 90
    in_plane = asin(sin(zeta) * sin(sigma) / cos(delta1))
    beta1 = beta + in_plane
    factor = cos(beta) / cos(beta1)
    distance1 = mean2 / u * factor / (2 * sin(delta1))
    distance2 = mean2 / (2 * sin(delta2))
    lead = asin(data.blade_groups * cos(beta) * mean2 / data.teeth[1] / (2 * cutter))  # 98
    theta = atan(sin(delta2) * tan(zeta))
    a3 = cutter * cos(beta - lead) ** 2
    a4 = distance2 * cos(beta + theta) * cos(beta)
    a5 = sin(in_plane) * cos(theta) * cos(lead)
    a6 = distance2 * cos(beta) + cutter * sin(lead)
    a7 = cos(beta1) * cos(beta + theta)
    a7 -= sin(beta + theta - lead) * sin(in_plane) / cos(beta - lead)
    cones = PitchCones((delta1, delta2), (distance1, distance2), (beta1, beta), 0.5)
    return cones, factor, zeta, a3 * a4 / (a5 * a6 + a3 * a7)
