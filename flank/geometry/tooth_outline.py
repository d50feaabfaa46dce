"""The outline of a tooth in the transverse plane, from the middle of a space to that of a tip.

Half a tooth is five pieces in a row, smooth where they meet: root arc, fillet, involute flank,
rounding of the edge, tip arc. Points are complex numbers in the frame of the gear, whose x axis is
the middle of the tooth; the half with y >= 0 is given.

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
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

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

    def point(self, t: NDArray) -> NDArray:
        """z(t)."""
        return _CURVES[self.kind](np.asarray(t, dtype=float), *self.numbers)[0]

    def slope(self, t: NDArray) -> NDArray:
        """dz/dt."""
        return _CURVES[self.kind](np.asarray(t, dtype=float), *self.numbers)[1]

    def spread(self, count: int) -> NDArray:
        """`count` parameters from end to end."""
        return np.linspace(self.start, self.end, count)


class HalfOutline(NamedTuple):
    """The pieces of half a tooth in order, and the roll length where its flank begins."""

    root: Piece
    fillet: Piece
    flank: Piece
    edge: Piece
    tip: Piece
    form_roll: float
    undercut: bool


@lru_cache(maxsize=256)
def half_outline(gear: Gear) -> HalfOutline:
    """Half a tooth; ValueError where space or tooth runs to a point or no flank is left."""
    fillet, form_roll, undercut = _ring_fillet(gear) if gear.internal else _rack_fillet(gear)
    edge_roll = gear.edge_roll_length
    if form_roll >= edge_roll if gear.sign > 0 else form_roll <= edge_roll:
        raise ValueError(f"the fillet of the gear with {gear.teeth} teeth leaves no involute flank")
    distance, angle = gear.edge_centre
    if angle <= 0:
        raise ValueError(
            f"the teeth of the gear with {gear.teeth} teeth run to a point below their tip circle"
        )
    sign = gear.sign
    centre = cmath.rect(distance, angle)
    leaves = gear.base_half_angle - sign * edge_roll / gear.base_radius + 0.5 * math.pi
    edge = _arc(centre, gear.edge_radius, leaves, angle if sign > 0 else angle + math.pi)
    end_of_root = float(np.angle(fillet.point(np.array(fillet.start))))
    half_pitch = 0.5 * gear.pitch_angle
    root = _arc(0.0, gear.root_radius, half_pitch, min(end_of_root, half_pitch))
    flank = Piece(
        INVOLUTE, form_roll, edge_roll, (gear.base_radius, gear.base_half_angle, float(sign))
    )
    tip = _arc(0.0, gear.tip_radius, angle, 0.0)
    return HalfOutline(root, fillet, flank, edge, tip, form_roll, undercut)


def form_radius(gear: Gear) -> float:
    """Where the involute begins, seen from the root."""
    return math.hypot(gear.base_radius, half_outline(gear).form_roll)


def tooth_points(gear: Gear, points: int = 40) -> NDArray:
    """Complex points of half a tooth, `points` on each piece that has a length."""
    parts: list[NDArray] = []
    for piece in half_outline(gear)[:5]:
        if abs(piece.end - piece.start) * _scale(piece) < 1e-12 * gear.tip_radius:
            continue
        found = piece.point(piece.spread(points))
        parts.append(found[1:] if parts else found)
    return np.concatenate(parts)


def gear_outline(gear: Gear, points: int = 40) -> tuple[NDArray, NDArray]:
    """x and y of the whole gear's closed outline, counter-clockwise, for drawing."""
    half = tooth_points(gear, points)
    tooth = np.concatenate((half.conj(), half[-2::-1]))[:-1]  # space, lower flank, tip, upper flank
    turns = np.exp(1j * gear.pitch_angle * np.arange(gear.teeth))
    line = (turns[:, None] * tooth[None, :]).ravel()
    closed = np.append(line, line[0])
    return closed.real, closed.imag


def half_thickness(gear: Gear, heights: NDArray) -> NDArray:
    """y of the outline at the places x along the middle of the tooth, fillet included."""
    line = tooth_points(gear, 400)
    order = np.argsort(line.real)
    return np.interp(heights, line.real[order], line.imag[order])


def enclosed_area(gear: Gear) -> float:
    """Of the region inside the outline; for a ring the hole."""
    return _enclosed(gear, 0)


def enclosed_polar_moment(gear: Gear) -> float:
    """∫r² dA of the region inside the outline; its centroid is the axis."""
    return _enclosed(gear, 2)


def _enclosed(gear: Gear, power: int) -> float:
    """∫r^power dA = Σ∮ r^power (x dy - y dx)/(power + 2), the spokes adding nothing."""
    nodes, weights = np.polynomial.legendre.leggauss(24)
    total = 0.0
    for piece in half_outline(gear)[:5]:
        half = 0.5 * (piece.end - piece.start)
        t = piece.start + half * (nodes + 1)
        z = piece.point(t)
        total += half * np.sum(weights * np.abs(z) ** power * (z.conj() * piece.slope(t)).imag)
    return -2 * gear.teeth * float(total) / (power + 2)  # pieces run clockwise


def _rack_fillet(gear: Gear) -> tuple[Piece, float, bool]:
    """Trochoid of the rack's rounded tip, roll length where the flank begins, undercut or not."""
    module, slant = gear.normal_module, gear.normal_pressure_angle
    cosine = math.cos(gear.helix_angle)
    half = gear.reference_radius * gear.half_angle(gear.reference_radius) * cosine
    deepest = (gear.profile_shift - gear.dedendum) * module
    narrowing = 1 / math.cos(slant) - math.tan(slant)
    widest = (0.5 * math.pi * module - half + deepest * math.tan(slant)) / narrowing
    if widest < 0:
        raise ValueError(f"the rack's teeth run to a point above the depth {gear.dedendum:g} m_n")
    rounding = min(gear.fillet_radius * module, widest)
    height = deepest + rounding
    along = half + rounding / math.cos(slant) - height * math.tan(slant)
    numbers = (gear.reference_radius, height, along, rounding, cosine)
    angle = gear.pressure_angle
    end = height - rounding * math.sin(slant)
    roll = gear.reference_radius * math.sin(angle) + end / math.sin(angle)
    if roll >= 0:
        return Piece(TROCHOID, 0.5 * math.pi, slant, numbers), roll, False
    whole = Piece(TROCHOID, 0.5 * math.pi, slant, numbers)
    crossing = _crossing(gear, whole)
    roll = gear.roll_length(float(abs(whole.point(np.array(crossing)))))
    return Piece(TROCHOID, 0.5 * math.pi, crossing, numbers), roll, True


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


def _ring_fillet(gear: Gear) -> tuple[Piece, float, bool]:
    """Arc between flank and root circle of a ring, and the roll length where it begins."""

    def centre(radius: float) -> tuple[float, float, float]:
        """Its distance and angle, and the roll length of the flank where it touches."""
        distance = gear.root_radius - radius
        along = gear.roll_length(distance)
        roll = along + radius
        turn = roll / gear.base_radius - math.atan(along / gear.base_radius)
        return distance, gear.base_half_angle + turn, roll

    def room(radius: float) -> float:
        return 0.5 * gear.pitch_angle - centre(radius)[1]

    if room(0.0) <= 0:
        raise ValueError(f"the spaces of the ring with {gear.teeth} teeth run to a point")
    radius = min(gear.fillet_radius * gear.normal_module, gear.root_radius - gear.base_radius)
    if room(radius) < 0:
        radius = zero_between(room, 0.0, radius)
    distance, angle, roll = centre(radius)
    touches = gear.base_half_angle + roll / gear.base_radius - 0.5 * math.pi
    return _arc(cmath.rect(distance, angle), radius, angle, touches), roll, False


def _arc(centre: complex, radius: float, start: float, end: float) -> Piece:
    """From direction to direction, the short way."""
    start += 2 * math.pi * round((end - start) / (2 * math.pi))
    return Piece(ARC, start, end, (complex(centre).real, complex(centre).imag, radius))


def _scale(piece: Piece) -> float:
    """Length per parameter, roughly."""
    return float(np.max(np.abs(piece.slope(piece.spread(5)))))


def _arc_curve(t: NDArray, x: float, y: float, radius: float) -> tuple[NDArray, NDArray]:
    spoke = radius * np.exp(1j * t)
    return x + 1j * y + spoke, 1j * spoke


def _involute_curve(roll: NDArray, base: float, half: float, sign: float) -> tuple:
    """z(ρ) = (r_b ± iρ) e^{i(ψ_b ∓ ρ/r_b)}."""
    turn = np.exp(1j * (half - sign * roll / base))
    return (base + 1j * sign * roll) * turn, roll / base * turn


def _trochoid_curve(
    theta: NDArray, radius: float, height: float, along: float, rounding: float, cosine: float
) -> tuple[NDArray, NDArray]:
    sine, cotangent = np.sin(theta), 1 / np.tan(theta)
    eta, eta_slope = height - rounding * sine, -rounding * np.cos(theta)
    xi, xi_slope = (along - rounding * np.cos(theta)) / cosine, rounding * sine / cosine
    v = eta * cosine * cotangent
    v_slope = cosine * (eta_slope * cotangent - eta / sine**2)
    u, u_slope = v - xi, v_slope - xi_slope
    turn = np.exp(-1j * u / radius)
    place = radius + eta + 1j * v
    return place * turn, (eta_slope + 1j * (v_slope - u_slope * place / radius)) * turn


_CURVES: dict[str, Callable[..., tuple]] = {
    ARC: _arc_curve,
    INVOLUTE: _involute_curve,
    TROCHOID: _trochoid_curve,
}
