"""What the body gives way under a tooth after published formulas, to be compared with `gear_body`.

A unit force makes the angle γ with the width of its tooth and crosses the middle of the tooth at
the distance u from the root, whose thickness is S. Per unit of face width

    δ E = cos²γ [L (u/S)² + M u/S + P (1 + Q tan²γ)].

`sainsot` (Sainsot, Velex and Duverger, J. Mech. Des. 126 (2004) 748): a ring held at its bore, in
plane strain with ν = 0.3. The root is where the fillet meets the root circle, of the half angle θ;
h is the radius there over that of the bore. L, M, P, Q are polynomials

    X = A/θ² + B h² + C h/θ + D/θ + E h + F.

L, P and PQ are the slope and the displacements in the middle of the strip, of a linear radial, a
constant shear and a constant radial stress. The exact ring has them within 4 % from h = 2 on
(tests), and 3.29 as the largest M, which the authors name and the polynomial misses by an eighth.

`cornell` (J. Mech. Des. 103 (1981) 447, after O'Donnell; Eq. 7 of arXiv 2604.02387 prints its form
of plane stress under the name of Ishikawa): a half plane under the root section of the beam, in
plane strain. P = 1.534 hides a depth; no bore is asked for.

Neither knows that teeth share a body: nothing of it is common to neighbours.
"""

import math
from typing import Literal

import numpy as np

from flank.arrays import Floats
from flank.elasticity.material import Material
from flank.elasticity.tooth_beam import held_radius, load_line, root_section
from flank.geometry.gear import Gear
from flank.geometry.tooth_outline import half_outline

Foundation = Literal["round-body", "sainsot", "cornell"]

SAINSOT = np.array(
    [
        [-5.574e-5, -1.9986e-3, -2.3015e-4, 4.7702e-3, 0.0271, 6.8045],
        [60.111e-5, 28.100e-3, -83.431e-4, -9.9256e-3, 0.1624, 0.9086],
        [-50.952e-5, 185.50e-3, 0.0538e-4, 53.300e-3, 0.2895, 0.9236],
        [-6.2042e-5, 9.0889e-3, -4.0964e-4, 7.8297e-3, -0.1472, 0.6904],
    ]
)
"""A to F of L, M, P and Q."""

RADIUS_RATIOS, HALF_ANGLES = (1.4, 7.0), (0.01, 0.12)
"""h and θ (rad) that the polynomials were fitted to."""


def sainsot_root(gear: Gear) -> tuple[float, float, float]:
    """h, θ and the radius of the root, where the fillet meets the root circle."""
    fillet = half_outline(gear).fillet
    foot = complex(fillet.point(np.array(fillet.start)))
    return abs(foot) / held_radius(gear), math.atan2(foot.imag, foot.real), abs(foot)


def sainsot_factors(radius_ratio: float, half_angle: float) -> Floats:
    """L, M, P and Q."""
    h, angle = radius_ratio, half_angle
    factors: Floats = SAINSOT @ [1 / angle**2, h * h, h / angle, 1 / angle, h, 1.0]
    return factors


def foundation_part(kind: Foundation, gear: Gear, material: Material, rolls: Floats) -> Floats:
    """Deflection × width / force in m²/N of a spur gear's body, at roll lengths of its flank."""
    if kind == "sainsot":
        ratio, half_angle, radius = sainsot_root(gear)
        factors, thickness, scale = sainsot_factors(ratio, half_angle), 2 * radius * half_angle, 1.0
    else:
        root, nu = root_section(gear)[1], material.poisson_ratio
        radius, thickness, scale = root.real, 2 * root.imag, 1 - nu**2
        factors = np.array([5.306, 2 * (1 - 2 * nu) / (1 - nu), 1.534, 0.4167 / (1 + nu)])
    bending, mixed, shift, radial = factors
    angles = np.array([load_line(gear, roll)[0] for roll in rolls])
    lever = gear.sign * (gear.base_radius / np.cos(angles) - radius) / thickness
    found = bending * lever**2 + mixed * lever + shift * (1 + radial * np.tan(angles) ** 2)
    part: Floats = scale * np.cos(angles) ** 2 * found / material.youngs_modulus
    return part
