"""The curves of a tooth's outline and its fillet, as complex functions of a parameter.

The fillet of an external gear is cut by the rounded tip of its basic rack. The rack's transverse
section is the normal one stretched by 1/cos β, so the rounding is an ellipse there. With θ the
direction of the rounding's normal from the pitch line, (ξ, η) its point along and above the pitch
line, the law of gearing (the normal passes through the pitch point) places the rack at

    u = v - ξ,   v = η cos β cot θ,   z(θ) = (r + η + i v) e^{-i u/r},

from the end of the flank, θ = α_n, to the root circle, θ = π/2. Where the rack reaches below the
point of interference it undercuts: the flank then begins where the trochoid crosses it.

A ring is shaped, not hobbed: its fillet depends on a cutter that no basic rack names. It is an arc
of the radius ρ_fP m_n, tangent to flank and root circle, smaller where the space is too narrow.
"""

import cmath
import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from flank.arrays import ComplexNumbers, Floats
from flank.geometry.gear import Gear
from flank.geometry.roots import zero_between

ARC, TROCHOID, INVOLUTE = "arc", "trochoid", "involute"


@dataclass(frozen=True)
class Piece:
    """A curve z(t) for t from `start` to `end`; `numbers` are those of its kind."""

    kind: str
    start: float
    end: float
    numbers: tuple[float, ...]

    def point(self, t: Floats) -> ComplexNumbers:
        """z(t)."""
        return _CURVES[self.kind](np.asarray(t, dtype=float), *self.numbers)[0]

    def slope(self, t: Floats) -> ComplexNumbers:
        """dz/dt."""
        return _CURVES[self.kind](np.asarray(t, dtype=float), *self.numbers)[1]

    def spread(self, count: int) -> Floats:
        """`count` parameters from end to end."""
        return np.linspace(self.start, self.end, count)


def rack_fillet(gear: Gear) -> tuple[Piece, float, bool]:
    """Trochoid of the rack's rounded tip, roll length where the flank begins, undercut or not."""
    rounding, slant = rounding_of_rack(gear), gear.normal_pressure_angle
    if rounding < 0:
        raise ValueError(f"the rack's teeth run to a point above the depth {gear.dedendum:g} m_n")
    cosine = math.cos(gear.helix_angle)
    half_tooth = gear.reference_radius * gear.half_angle(gear.reference_radius) * cosine
    height = (gear.profile_shift - gear.dedendum) * gear.normal_module + rounding
    lateral = half_tooth + rounding / math.cos(slant) - height * math.tan(slant)
    numbers = (gear.reference_radius, height, lateral, rounding, cosine)
    trochoid = Piece(TROCHOID, 0.5 * math.pi, slant, numbers)
    roll = rack_form_roll(gear)
    if roll >= 0:
        return trochoid, roll, False
    crossing = _crossing(gear, trochoid)
    roll = gear.roll_length(float(abs(trochoid.point(np.array(crossing)))))
    return replace(trochoid, end=crossing), roll, True


def rounding_of_rack(gear: Gear) -> float:
    """ρ of the rack's tip: as asked, or the full round where its teeth are too narrow for that.

    Below zero where the flanks of the rack's tooth cross before they reach its depth.
    """
    slant = gear.normal_pressure_angle
    module = gear.normal_module
    half_tooth = 0.5 * gear.thickness(gear.reference_radius) * math.cos(gear.helix_angle)
    half_space = 0.5 * math.pi * module - half_tooth
    half_tip = half_space - (gear.dedendum - gear.profile_shift) * module * math.tan(slant)
    widest = half_tip / (1 / math.cos(slant) - math.tan(slant))
    return min(gear.fillet_radius * module, widest)


def rack_form_roll(gear: Gear) -> float:
    """ρ_F where the straight flank of the rack ends; below zero for an undercut gear."""
    depth = straight_depth(gear) - gear.profile_shift * gear.normal_module
    sine = math.sin(gear.pressure_angle)
    return gear.reference_radius * sine - depth / sine


def straight_depth(gear: Gear) -> float:
    """h_Ff = h_fP - ρ_fP (1 - sin α_n) in m, where the straight flank of the rack ends."""
    rounding = max(rounding_of_rack(gear), 0.0)
    straight = rounding * (1 - math.sin(gear.normal_pressure_angle))
    return gear.dedendum * gear.normal_module - straight


def _crossing(gear: Gear, trochoid: Piece) -> float:
    """θ where an undercut trochoid crosses the involute, the first one seen from the root."""

    def beyond(theta: float) -> float:
        point = complex(trochoid.point(np.array(theta)))
        return cmath.phase(point) - gear.half_angle(abs(point))

    def outside(theta: float) -> float:
        return float(abs(trochoid.point(np.array(theta)))) - gear.base_radius

    # The trochoid leaves the base circle inside the flank and ends outside it, on the branch that
    # the involute would have beyond its cusp.
    if outside(trochoid.end) <= 0:  # undercut by round-off, and so below
        return trochoid.end
    at_base = zero_between(outside, trochoid.start, trochoid.end)
    if beyond(at_base) >= 0 or beyond(trochoid.end) <= 0:
        return at_base
    return zero_between(beyond, at_base, trochoid.end)


def ring_fillet(gear: Gear) -> tuple[Piece, float, bool]:
    """Arc between flank and root circle of a ring, and the roll length where it begins."""

    def centre(radius: float) -> tuple[float, float, float]:
        """Its distance and angle, and the roll length of the flank where it touches."""
        distance = gear.root_radius - radius
        centre_roll = gear.roll_length(distance)
        roll = centre_roll + radius
        turn = roll / gear.base_radius - math.atan(centre_roll / gear.base_radius)
        return distance, gear.base_half_angle + turn, roll

    def room(radius: float) -> float:
        return 0.5 * gear.pitch_angle - centre(radius)[1]

    if room(0.0) <= 0:
        raise ValueError(f"the spaces of the ring with {gear.teeth:.4g} teeth run to a point")
    radius = min(gear.fillet_radius * gear.normal_module, gear.root_radius - gear.base_radius)
    if room(radius) < 0:
        radius = zero_between(room, 0.0, radius)
    distance, angle, roll = centre(radius)
    contact = gear.base_half_angle + roll / gear.base_radius - 0.5 * math.pi
    return arc(cmath.rect(distance, angle), radius, angle, contact), roll, False


def arc(centre: complex, radius: float, start: float, end: float) -> Piece:
    """From direction to direction, the short way."""
    start += 2 * math.pi * round((end - start) / (2 * math.pi))
    return Piece(ARC, start, end, (complex(centre).real, complex(centre).imag, radius))


def _arc_curve(
    t: Floats, x: float, y: float, radius: float
) -> tuple[ComplexNumbers, ComplexNumbers]:
    spoke = radius * np.exp(1j * t)
    return x + 1j * y + spoke, 1j * spoke


def _involute_curve(
    roll: Floats, base: float, half: float, sign: float
) -> tuple[ComplexNumbers, ComplexNumbers]:
    """z(ρ) = (r_b ± iρ) e^{i(ψ_b ∓ ρ/r_b)}."""
    turn = np.exp(1j * (half - sign * roll / base))
    return (base + 1j * sign * roll) * turn, roll / base * turn


def _trochoid_curve(
    theta: Floats, radius: float, height: float, lateral: float, rounding: float, cosine: float
) -> tuple[ComplexNumbers, ComplexNumbers]:
    sine, cotangent = np.sin(theta), 1 / np.tan(theta)
    eta, eta_slope = height - rounding * sine, -rounding * np.cos(theta)
    xi, xi_slope = (lateral - rounding * np.cos(theta)) / cosine, rounding * sine / cosine
    v = eta * cosine * cotangent
    v_slope = cosine * (eta_slope * cotangent - eta / sine**2)
    u, u_slope = v - xi, v_slope - xi_slope
    turn = np.exp(-1j * u / radius)
    place = radius + eta + 1j * v
    return place * turn, (eta_slope + 1j * (v_slope - u_slope * place / radius)) * turn


_CURVES: dict[str, Callable[..., tuple[ComplexNumbers, ComplexNumbers]]] = {
    ARC: _arc_curve,
    INVOLUTE: _involute_curve,
    TROCHOID: _trochoid_curve,
}
