"""One tooth as a beam of its true outline on a round body, loaded normal to its flank.

The force at the roll length ρ makes the angle γ with the tooth's width and crosses the middle of
the tooth at x_0:

    γ = ρ/r_b ∓ ψ_b,   x_0 = r_b/cos γ   (upper sign outside),

and with H the thickness, x_F the root section and plane strain (faces are wide against teeth)

    bending       (1 - ν²)/E cos²γ ∫ 12 (x_0 - x)²/H³ dx
    shear         2.4 (1 + ν)/E cos²γ ∫ dx/H
    compression   (1 - ν²)/E sin²γ ∫ dx/H
    body          the forces and the moment of the root section on an annulus (`gear_body`)

from x_F to x_0, as Weber does: what happens between x_0 and the contact belongs to the contact,
whose depth is the way along the force to the middle of the tooth. On the flank x_0 lies below the
contact while γ > 0. Only of short teeth, at the foot of whose flank the force points outward
(-γ > α_a), does its line leave the tooth through the tip: the beam then goes on with the thickness
that it has at the end of the flank, as it does, backwards, below the root section. Value and slope
are continuous in both places. Beyond the end of the flank no force acts, and two involutes that are
imagined to go on cross soon: nothing is computed there (`tooth`). The root section lies where the
outline makes 30° with the middle (Hofer): steeper material counts as tooth, flatter as body. Beam
stresses are in equilibrium but not quite the true ones, so their energy and with it the compliance
come out large: by 1 to 6 % at mid-flank against finite elements, up to 11 % at the tips of small
pinions and 20 % at the foot of 10 teeth. Only where a force passes below the root section, close to
the root of a ring, is the model too stiff, by 10 % of a small number
(`validation/tooth_elasticity.py`).
"""

import math
from dataclasses import replace
from functools import lru_cache

import numpy as np

from flank.arrays import Floats
from flank.elasticity.gear_body import root_compliance
from flank.elasticity.material import Material
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


def beam_parts(gear: Gear, material: Material, rolls: Floats) -> Floats:
    """Bending, shear, compression and foundation of a spur gear's tooth."""
    outline = half_outline(gear)
    place, root = root_section(gear)
    radius, half_angle = abs(root), math.atan2(root.imag, root.real)
    root_matrix = root_compliance(radius, held_radius(gear), half_angle, 0.0, material)
    plane = (1 - material.poisson_ratio**2) / material.youngs_modulus
    parts = np.empty((4, len(rolls)))
    for k, roll in enumerate(rolls):
        angle, _ = load_line(gear, roll)
        end = gear.base_radius / math.cos(angle)
        bent, length = _beam(outline, gear.sign, place, root, end)
        cosine, sine = math.cos(angle) ** 2, math.sin(angle) ** 2
        parts[0, k] = plane * cosine * bent
        parts[1, k] = 1.2 * cosine * length / material.shear_modulus
        parts[2, k] = plane * sine * length
        loads = _root_loads(gear, roll, radius, root.real)
        parts[3, k] = loads @ root_matrix @ loads
    return parts


def common_part(gear: Gear, material: Material, middle: float) -> float:
    """Deflection of a tooth whose neighbour carries the load, half a base pitch off the middle."""
    _, root = root_section(gear)
    radius, half_angle = abs(root), math.atan2(root.imag, root.real)
    across = root_compliance(radius, held_radius(gear), half_angle, gear.pitch_angle, material)
    near, far = (
        _root_loads(gear, middle + k * gear.sign * 0.5 * gear.base_pitch, radius, root.real)
        for k in (-1, 1)
    )
    return float(far @ across @ near)


def _root_loads(gear: Gear, roll: float, radius: float, root: float) -> Floats:
    """(R, T, M) of a unit force on the body, about the middle of the root section.

    A linear radial stress on an arc has no torque about the gear's centre, so the tangential force
    is the one that has all of it, r_b.
    """
    angle, _ = load_line(gear, roll)
    lever = gear.base_radius - root * math.cos(angle)  # (x_0 - x_F) cos γ
    return np.array([-gear.sign * math.sin(angle), -gear.base_radius / radius, lever])


def _beam(
    outline: HalfOutline, sign: int, place: float, root: complex, end: float
) -> tuple[float, float]:
    """∫12 (x_0 - x)²/H³ dx and ∫dx/H from the root section to x_0 = `end`.

    Where the force passes below the root section, or above the end of the flank, both go on with
    the thickness there, so that they stay smooth.
    """
    fillet, flank = outline.fillet, outline.flank
    beyond = sign * (end - root.real)
    if beyond <= 0:
        return _prism(beyond, root)
    if sign * (end - _point_at(flank, flank.start).real) <= 0:
        return _integrals(fillet, sign, place, _parameter_at(fillet, sign, end, place), end)
    parts = [_integrals(fillet, sign, place, fillet.end, end)]
    tip = _point_at(flank, flank.end)
    past = sign * (end - tip.real)
    stop = flank.end if past >= 0 else _parameter_at(flank, sign, end, flank.start)
    parts.append(_integrals(flank, sign, flank.start, stop, end))
    if past > 0:
        parts.append(_prism(past, tip))
    return sum(part[0] for part in parts), sum(part[1] for part in parts)


def _prism(length: float, section: complex) -> tuple[float, float]:
    """Both integrals over a length that is as thick all along as the section where it begins."""
    thickness = 2 * section.imag
    return 4 * length**3 / thickness**3, length / thickness


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


def _integrals(
    piece: Piece, sign: int, start: float, stop: float, end: float
) -> tuple[float, float]:
    nodes, weights = _gauss(GAUSS)
    half = 0.5 * (stop - start)
    t = start + half * (nodes + 1)
    z = piece.point(t)
    advance = sign * half * weights * piece.slope(t).real
    thickness = 2 * z.imag
    bent = np.sum(12 * (end - z.real) ** 2 / thickness**3 * advance)
    return float(bent), float(np.sum(advance / thickness))
