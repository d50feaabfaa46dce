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
whose depth is the way along the force to the middle of the tooth. The root section lies where the
outline makes 30° with the middle (Hofer): steeper material counts as tooth, flatter as body. Beam
stresses are in equilibrium but not quite the true ones, so their energy and with it the compliance
come out large: by 0 to 6 % at mid-flank against finite elements, up to 10 % at the tips of small
pinions. Only where a force passes below the root section, close to the root of a ring, is the model
too stiff, by 13 % of a small number (`validation/tooth_elasticity.py`).
"""

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from flank.elasticity.gear_body import root_compliance
from flank.elasticity.material import Material
from flank.geometry.gear import Gear
from flank.geometry.roots import zero_between
from flank.geometry.tooth_fillet import INVOLUTE, Piece
from flank.geometry.tooth_outline import HalfOutline, half_outline

ROOT_ANGLE = math.radians(30)
"""Between outline and middle of the tooth at the root section."""

GAUSS = 24
"""Points per piece of the outline; twelve give the same seven digits."""

MARGIN = 0.06
"""How far a table goes past both ends of the flank, so that its ends interpolate well."""

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


def normal_section(gear: Gear) -> Gear:
    """The spur gear that a helical one is in its normal section; its teeth are no whole number."""
    if not gear.helix_angle:
        return gear
    growth = 1 / math.cos(gear.base_helix_angle) ** 2
    teeth = gear.teeth * growth / math.cos(gear.helix_angle)
    section = replace(
        gear,
        teeth=teeth,  # type: ignore[arg-type]
        helix_angle=0.0,
        thickness_deviation=gear.thickness_deviation * math.cos(gear.helix_angle),
    )
    held = section.root_radius + held_radius(gear) - gear.root_radius
    if not gear.internal:
        held = section.root_radius * held_radius(gear) / gear.root_radius
    return replace(section, held_radius=held)


def root_section(gear: Gear) -> tuple[float, complex]:
    """Parameter of the fillet, and its point, where the outline makes 30° with the middle."""
    fillet = half_outline(gear).fillet
    forward = 1.0 if fillet.end > fillet.start else -1.0

    def excess(t: float) -> float:
        slope = forward * complex(fillet.slope(np.array(t)))
        return math.atan2(-slope.imag, gear.sign * slope.real) - ROOT_ANGLE

    if excess(fillet.end) >= 0:  # so steep a flank ends its fillet before 30°
        place = fillet.end
    elif excess(fillet.start) <= 0:
        place = fillet.start
    else:
        place = zero_between(excess, fillet.start, fillet.end)
    return place, complex(fillet.point(np.array(place)))


def beam_parts(gear: Gear, material: Material, rolls: NDArray) -> NDArray:
    """Bending, shear, compression and foundation of a spur gear's tooth."""
    outline = half_outline(gear)
    place, root = root_section(gear)
    radius, half_angle = abs(root), math.atan2(root.imag, root.real)
    own = root_compliance(radius, held_radius(gear), half_angle, 0.0, material)
    plane = (1 - material.poisson_ratio**2) / material.youngs_modulus
    found = np.empty((4, len(rolls)))
    for k, roll in enumerate(rolls):
        angle, _ = load_line(gear, roll)
        end = gear.base_radius / math.cos(angle)
        bent, length = _beam(outline, gear.sign, place, root, end)
        cosine, sine = math.cos(angle) ** 2, math.sin(angle) ** 2
        found[0, k] = plane * cosine * bent
        found[1, k] = 1.2 * cosine * length / material.shear_modulus
        found[2, k] = plane * sine * length
        loads = _root_loads(gear, roll, radius, root.real)
        found[3, k] = loads @ own @ loads
    return found


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


def _root_loads(gear: Gear, roll: float, radius: float, root: float) -> NDArray:
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

    Where the force passes below the root section, both go on with its thickness, backwards, so
    that they stay smooth.
    """
    beyond = sign * (end - root.real)
    if beyond <= 0:
        thickness = 2 * root.imag
        return 4 * beyond**3 / thickness**3, beyond / thickness
    flank_begins = complex(outline.flank.point(np.array(outline.flank.start))).real
    if sign * (end - flank_begins) <= 0:
        return _integrals(outline.fillet, sign, place, _where(outline.fillet, end, place), end)
    below = _integrals(outline.fillet, sign, place, outline.fillet.end, end)
    flank = outline.flank
    above = _integrals(flank, sign, flank.start, _where(flank, end, flank.start), end)
    return below[0] + above[0], below[1] + above[1]


def _where(piece: Piece, height: float, start: float) -> float:
    """Parameter of the piece at the height x; a flank goes on a little past its edge."""
    past = MARGIN * (piece.end - piece.start) if piece.kind == INVOLUTE else 0.0

    def above(t: float) -> float:
        return complex(piece.point(np.array(t))).real - height

    return zero_between(above, start, piece.end + past)


def _integrals(
    piece: Piece, sign: int, start: float, stop: float, end: float
) -> tuple[float, float]:
    nodes, weights = np.polynomial.legendre.leggauss(GAUSS)
    half = 0.5 * (stop - start)
    t = start + half * (nodes + 1)
    z = piece.point(t)
    advance = sign * half * weights * piece.slope(t).real
    thickness = 2 * z.imag
    bent = np.sum(12 * (end - z.real) ** 2 / thickness**3 * advance)
    return float(bent), float(np.sum(advance / thickness))
