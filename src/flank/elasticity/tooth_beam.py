"""One tooth as a beam of its true outline on a round body, loaded normal to its flank.

The force at the roll length ρ makes the angle γ with the tooth's width and crosses the middle of
the tooth at x_0:

    γ = ρ/r_b ∓ ψ_b,   x_0 = r_b/cos γ   (upper sign outside),

The energy of its stresses between the root section x_F and x_0, as Weber does, is that of slices
across it, each a slice of the wedge that the flanks make there (`tooth_slice`), in plane strain
(faces are wide against teeth):

    bending       (1 - ν²)/E ∫∫ σ_b² dy dx
    shear         1/G ∫∫ τ² dy dx
    compression   (1 - ν²)/E ∫∫ σ_n² dy dx
    body          the forces and the moment of the root on an annulus (`gear_body`)

What happens between x_0 and the contact belongs to the contact, whose depth is the way along the
force to the middle of the tooth. The body ends at an arc through both ends of the root section,
r_F = |z_F|, and what stands between that arc and the section is counted once: outside, slices
leave out what the body has; of a ring, whose arc lies beyond the section, they add what it has not.
For 10 teeth the arc stands 0.12 modules over the section. On the arc a uniform radial stress R, a
parabola of shear T and a linear radial stress M have together the torque and both forces of the
load only if, with 2ω the arc and b = 3 (sin ω - ω cos ω)/ω³,

    T = r_b/r_F,   M = r_b - r_F cos γ/b,   R = sin γ ω/sin ω.

On the flank x_0 lies below the contact while γ > 0. Only of short teeth, at the foot of whose flank
the force points outward (-γ > α_a), does its line leave the tooth through the tip: the beam then
goes on with the thickness that it has at the end of the flank. Where it passes below the root
section the material between is taken off, with the slope that the outline has at the section. Value
and slope are continuous in both places but for what the slope of a tip does to a small term. Beyond
the end of the flank no force acts, and two involutes that are imagined to go on cross soon: nothing
is computed there (`tooth`). The root section lies where the outline makes 30° with the middle
(Hofer): steeper material counts as tooth, flatter as body.

Against finite elements in plane strain teeth of 10 to 100 and of rings are within 3 % from the
middle of the flank to its tip, of 8 within 4 %. At the foot the force enters next to the root, and
has no way to spread into the stresses of a beam: teeth of 10 are 11 % too soft at an eighth of the
flank, of 17 5 %, of 30 2 %, those of rings 10 to 13 % too stiff, of a small number
(`validation/tooth_elasticity.py`).
"""

import math
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from flank.arrays import Floats
from flank.elasticity.gear_body import root_compliance
from flank.elasticity.material import Material
from flank.elasticity.tooth_slice import slice_factors
from flank.geometry.gear import Gear
from flank.geometry.roots import zero_between
from flank.geometry.tooth_fillet import Piece
from flank.geometry.tooth_outline import HalfOutline, half_outline, normal_section

ROOT_ANGLE = math.radians(30)
"""Between outline and middle of the tooth at the root section."""

GAUSS = 24
"""Points per piece of the outline; twelve give the same seven digits."""

RIM, SMALLEST_BORE = 3.5, 0.5
"""A gear that does not say where it is held has an elastic rim of 3.5 normal modules, from which on
ISO 6336-3 counts a ring as solid, on a body that is as rigid as the machine's model makes it; a
small pinion is held at half its root radius."""


def held_radius(gear: Gear) -> float:
    """Where the gear's body does not move: its bore, or the outside of a ring."""
    if gear.held_radius is not None:
        return gear.held_radius
    rim = gear.root_radius - gear.sign * RIM * gear.normal_module
    return rim if gear.internal else max(rim, SMALLEST_BORE * gear.root_radius)


def load_line(gear: Gear, roll: float) -> tuple[float, float]:
    """γ, and the depth along the force from the flank to the middle of the tooth."""
    angle = roll / gear.base_radius - gear.sign * gear.base_half_angle
    return angle, abs(gear.base_radius * math.tan(angle) - roll)


def held_section(gear: Gear) -> Gear:
    """The normal section of a gear, held where the gear is."""
    if not gear.helix_angle:
        return gear
    section = normal_section(gear)
    held = section.root_radius + held_radius(gear) - gear.root_radius
    if not gear.internal:
        held = section.root_radius * held_radius(gear) / gear.root_radius
    return replace(section, held_radius=held)


def root_section(gear: Gear, angle: float = ROOT_ANGLE) -> tuple[float, complex]:
    """Parameter of the fillet, and its point, where the outline makes 30° with the middle."""
    fillet = half_outline(gear).fillet
    forward = 1.0 if fillet.end > fillet.start else -1.0

    def excess(t: float) -> float:
        slope = forward * complex(fillet.slope(np.array(t)))
        return math.atan2(-slope.imag, gear.sign * slope.real) - angle

    if excess(fillet.end) >= 0:  # so steep a flank ends its fillet before 30°
        place = fillet.end
    elif excess(fillet.start) <= 0:
        place = fillet.start
    else:
        place = zero_between(excess, fillet.start, fillet.end)
    return place, _point_at(fillet, place)


def beam_parts(gear: Gear, material: Material, rolls: Floats, on_arc: bool = True) -> Floats:
    """Bending, shear, compression and foundation of a spur gear's tooth.

    A foundation of another kind that begins at the root section itself has no arc: not `on_arc`.
    """
    outline, root = half_outline(gear), _root(gear)
    radius, half_angle = abs(root.section), math.atan2(root.section.imag, root.section.real)
    root_matrix = root_compliance(radius, held_radius(gear), half_angle, 0.0, material)
    plane = (1 - material.poisson_ratio**2) / material.youngs_modulus
    moduli = np.array([plane, 1 / material.shear_modulus, plane])
    parts = np.empty((4, len(rolls)))
    for k, roll in enumerate(rolls):
        angle, _ = load_line(gear, roll)
        load = Load(gear.base_radius / math.cos(angle), math.cos(angle), math.sin(angle))
        parts[:3, k] = moduli * _beam(outline, root, load, gear.sign)
        if on_arc:
            parts[:3, k] -= gear.sign * moduli * load.energies(root.segment)
        loads = _root_loads(gear, roll, root.section)
        parts[3, k] = loads @ root_matrix @ loads
    return parts


def common_part(gear: Gear, material: Material, middle: float) -> float:
    """Deflection of a tooth whose neighbour carries the load, half a base pitch off the middle."""
    _, root = root_section(gear)
    radius, half_angle = abs(root), math.atan2(root.imag, root.real)
    across = root_compliance(radius, held_radius(gear), half_angle, gear.pitch_angle, material)
    near, far = (
        _root_loads(gear, middle + k * gear.sign * 0.5 * gear.base_pitch, root) for k in (-1, 1)
    )
    return float(far @ across @ near)


def _root_loads(gear: Gear, roll: float, root: complex) -> Floats:
    """(R, T, M) of a unit force on the body, about the middle of the arc of the root.

    Only the tangential stress has a torque about the gear's centre; the moment is what, with it,
    leaves the force across the tooth.
    """
    angle, _ = load_line(gear, roll)
    radius, half = abs(root), math.atan2(root.imag, root.real)
    bent = 3 * (math.sin(half) - half * math.cos(half)) / half**3
    along = -gear.sign * math.sin(angle) * half / math.sin(half)
    moment = gear.base_radius - radius * math.cos(angle) / bent
    return np.array([along, -gear.base_radius / radius, moment])


class Load(NamedTuple):
    """A unit force on a tooth: where it crosses the middle, its parts across and along it."""

    end: float
    across: float
    along: float

    def energies(self, strip: "Strip") -> Floats:
        """∫∫σ_b², ∫∫τ², ∫∫σ_n² of a strip of the tooth."""
        moment, force = self.across * (self.end - strip.height), self.across
        if strip.inward:
            moment = -moment
        products = np.array([moment**2, moment * force, np.full(len(moment), force**2)])
        bent, sheared = (np.sum(products * strip.factors[k : k + 3]) for k in (0, 3))
        return np.array([bent, sheared, self.along**2 * np.sum(strip.factors[6])])


class Strip(NamedTuple):
    """Slices at Gauss points, from the root to the tip: their heights, the factors of their
    energies (`slice_factors`) times their shares of the height, whether the tip lies inward."""

    height: Floats
    factors: Floats
    inward: bool


class Root(NamedTuple):
    """What all places of a load have in common: the root section's parameter, point and slope, the
    fillet above it, and what its chord parts from the arc of the body."""

    place: float
    section: complex
    slope: float
    fillet: Strip
    segment: Strip


def _root(gear: Gear) -> Root:
    fillet = half_outline(gear).fillet
    place, section = root_section(gear)
    slope = float(_slopes(fillet, np.array([place]), gear.sign)[0])
    whole = _piece(fillet, place, fillet.end, gear.sign)
    return Root(place, section, slope, whole, _segment(section, slope, gear.sign))


def _beam(outline: HalfOutline, root: Root, load: Load, sign: int) -> Floats:
    """The three integrals over the tooth from its root section to where the force crosses it."""
    fillet, flank = outline.fillet, outline.flank
    if sign * (load.end - root.section.real) <= 0:
        return load.energies(_straight(root.section, load.end, root.slope, sign))
    if sign * (load.end - _point_at(flank, flank.start).real) <= 0:
        stop = _parameter_at(fillet, sign, load.end, root.place)
        return load.energies(_piece(fillet, root.place, stop, sign))
    tip = _point_at(flank, flank.end)
    past = sign * (load.end - tip.real) > 0
    stop = flank.end if past else _parameter_at(flank, sign, load.end, flank.start)
    total = load.energies(root.fillet) + load.energies(_piece(flank, flank.start, stop, sign))
    return total + load.energies(_straight(tip, load.end, 0.0, sign)) if past else total


def _segment(root: complex, slope: float, sign: int) -> Strip:
    """Between the root section and the arc of the body through its ends."""
    nodes, weights = _gauss(GAUSS)
    turn = 0.5 * math.atan2(root.imag, root.real) * (nodes + 1)
    height, width = abs(root) * np.cos(turn), abs(root) * np.sin(turn)
    half = root.imag - sign * slope * (height - root.real)
    factors = slice_factors(half, np.full(GAUSS, slope), np.zeros(GAUSS), width)
    return Strip(height, factors * weights * turn[-1] / (1 + nodes[-1]) * width, sign < 0)


def _straight(section: complex, end: float, slope: float, sign: int) -> Strip:
    """From a section to the height `end`, between straight flanks; shares are negative where that
    lies below."""
    nodes, weights = _gauss(GAUSS)
    way = end - section.real
    height = section.real + 0.5 * way * (nodes + 1)
    half = section.imag - sign * slope * (height - section.real)
    factors = slice_factors(half, np.full(GAUSS, slope), np.zeros(GAUSS), half)
    return Strip(height, factors * weights * 0.5 * sign * way, sign < 0)


def _piece(piece: Piece, start: float, stop: float, sign: int) -> Strip:
    """Of the tooth along a piece of its outline."""
    nodes, weights = _gauss(GAUSS)
    share = 0.5 * (stop - start)
    t = start + share * (nodes + 1)
    z = piece.point(t)
    advance = sign * share * weights * piece.slope(t).real
    factors = slice_factors(z.imag, _slopes(piece, t, sign), np.zeros(GAUSS), z.imag)
    return Strip(z.real, factors * advance, sign < 0)


def _slopes(piece: Piece, t: Floats, sign: int) -> Floats:
    """How half the thickness grows towards the root."""
    dz = piece.slope(t)
    return np.asarray(-sign * dz.imag / dz.real)


def _point_at(piece: Piece, t: float) -> complex:
    return complex(piece.point(np.array(t)))


def _parameter_at(piece: Piece, sign: int, height: float, start: float) -> float:
    """Parameter of the piece at the height x, which lies between its ends but for round-off."""

    def above(t: float) -> float:
        return sign * (_point_at(piece, t).real - height)

    return piece.end if above(piece.end) <= 0 else zero_between(above, start, piece.end)


@lru_cache(maxsize=4)
def _gauss(points: int) -> tuple[Floats, Floats]:
    return np.polynomial.legendre.leggauss(points)
