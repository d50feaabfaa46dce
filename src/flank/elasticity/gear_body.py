"""The body under the teeth: a round disc or ring that the roots load, held at a bore or a rim.

Plane strain in an annulus is solved harmonic by harmonic. With u_r = U(r) cos nθ and
u_θ = V(r) sin nθ, Navier's equations have the powers r^p, p = ±n ± 1, and four of them meet what is
prescribed: no displacement where the body is held, the harmonic's tractions where the teeth stand.
For n = 1 two powers are zero, a shift of the whole body, and the fourth solution is
U = ln r, V = -ln r - (λ + μ)/(λ + 3μ).

A root presses on the strip 2ω with a uniform radial stress (force R), a parabola of shear (force T)
and a linear radial stress (moment M), the stresses of a beam. The displacements that these do work
on give a compliance C(φ) between the roots of two teeth at the angle φ, so δ = q(0)ᵀ C(φ) q(φ) with
q = (R, T, M). On a half plane the part of M is Weber's 18 (1 - ν²)/(π E H²) (H the strip's width);
R and T have no finite answer there, which is why the place where the body is held must be known.
"""

import math
from functools import lru_cache

import numpy as np

from flank.arrays import Floats
from flank.elasticity.material import Material
from flank.elasticity.small_systems import product, solved

HARMONICS_PER_STRIP = 60
"""Harmonics n up to this over ω; the tail of the slowest sum falls with n⁻²."""


@lru_cache(maxsize=256)
def root_compliance(
    radius: float, held_radius: float, half_angle: float, angle: float, material: Material
) -> Floats:
    """C(φ), 3 x 3 in 1/Pa, 1/Pa, 1/(Pa m²): displacements at the strip at `angle` × width / force.

    Rows: R, T, M of the strip at `angle`; columns: those of the loaded one.
    """
    count = int(HARMONICS_PER_STRIP / half_angle)
    order = np.arange(1, count + 1, dtype=float)
    radial, mixed, tangential = _harmonics(order, radius, held_radius, material)
    x = order * half_angle
    flat = np.sin(x) / x
    # sin x - x cos x loses its digits for small x; its series does not
    bent = np.where(
        x < 1e-2, 1 - 0.1 * x * x, 3 * (np.sin(x) - x * np.cos(x)) / np.maximum(x, 1e-6) ** 3
    )
    turn = order / radius * bent
    cosine, sine = np.cos(order * angle), np.sin(order * angle)
    total = np.empty((3, 3))
    total[0, 0] = np.sum(radial * flat * flat * cosine)
    total[1, 1] = np.sum(tangential * bent * bent * cosine)
    total[2, 2] = np.sum(radial * turn * turn * cosine)
    total[0, 1] = -np.sum(mixed * flat * bent * sine)
    total[1, 0] = -total[0, 1]
    total[0, 2] = np.sum(radial * flat * turn * sine)
    total[2, 0] = -total[0, 2]
    total[2, 1] = total[1, 2] = -np.sum(mixed * bent * turn * cosine)
    total /= math.pi * radius
    pressed, twisted = _uniform(radius, held_radius, material)
    total[0, 0] += pressed / (2 * math.pi * radius)
    total[1, 1] += twisted / (2 * math.pi * radius)
    return total


def _lame(material: Material) -> tuple[float, float]:
    poisson, shear = material.poisson_ratio, material.shear_modulus
    return 2 * shear * poisson / (1 - 2 * poisson), shear


def _uniform(radius: float, held_radius: float, material: Material) -> tuple[float, float]:
    """Displacement at the teeth per uniform traction: radial (Lamé), and along (twist)."""
    bulk, shear = _lame(material)
    ratio = (held_radius / radius) ** 2
    side = 1.0 if radius > held_radius else -1.0
    # u = A (r - held²/r), σ_r = 2 (λ + μ) A + 2 μ A held²/r²
    pressed = radius * (1 - ratio) / (2 * (bulk + shear) + 2 * shear * ratio)
    twisted = radius * (1 / ratio - 1) / (2 * shear)
    return side * pressed, side * twisted


def _amplitudes(n: Floats, power: Floats, bulk: float, shear: float) -> tuple[Floats, Floats]:
    """(U, V) of a power of r, from the one of the two equilibria that says more about them."""
    u = -n * ((bulk + shear) * power - (bulk + 3 * shear))
    v = (bulk + 2 * shear) * (power**2 - 1) - shear * n**2
    other_u = shear * (power**2 - 1) - (bulk + 2 * shear) * n**2
    other_v = n * ((bulk + shear) * power + (bulk + 3 * shear))
    first, second = np.hypot(u, v), np.hypot(other_u, other_v)
    better = first > second
    scale = np.maximum(first, second)
    return np.where(better, u, other_u) / scale, np.where(better, v, other_v) / scale


def _harmonics(
    n: Floats, radius: float, held_radius: float, material: Material
) -> tuple[Floats, Floats, Floats]:
    """(U, V) at the teeth per harmonic tractions: U of radial, U of tangential, V of tangential."""
    bulk, shear = _lame(material)
    side = 1.0 if radius > held_radius else -1.0
    system = np.zeros((len(n), 4, 4))
    displaced = np.zeros((len(n), 2, 4))
    for k, power in enumerate((n + 1, n - 1, 1 - n, -n - 1)):
        grows_outward = k < 2
        start = max(radius, held_radius) if grows_outward else min(radius, held_radius)
        u, v = _amplitudes(n, power, bulk, shear)
        far, near = (held_radius / start) ** power, (radius / start) ** power
        system[:, 0, k], system[:, 1, k] = u * far, v * far
        stress = (bulk + 2 * shear) * power * u + bulk * (u + n * v)
        shearing = shear * (power * v - v - n * u)
        system[:, 2, k] = side * stress * near / radius / shear
        system[:, 3, k] = side * shearing * near / radius / shear
        displaced[:, 0, k], displaced[:, 1, k] = u * near, v * near
    for first in np.flatnonzero(n == 1):
        _put_logarithm(
            system[first, :, 2], displaced[first, :, 2], radius, held_radius, bulk, shear
        )
    tractions = np.zeros((len(n), 4, 2))
    tractions[:, 2, 0] = tractions[:, 3, 1] = 1 / shear
    compliance = product(displaced, solved(system, tractions))
    return compliance[:, 0, 0], compliance[:, 0, 1], compliance[:, 1, 1]


def _put_logarithm(
    system: Floats, displaced: Floats, radius: float, held_radius: float, bulk: float, shear: float
) -> None:
    """The fourth solution of n = 1, its logarithm counted from where the body is held."""
    side = 1.0 if radius > held_radius else -1.0
    shifted = -(bulk + shear) / (bulk + 3 * shear)
    away = math.log(radius / held_radius)
    system[:] = 0.0, shifted, bulk + 2 * shear + bulk * shifted, -shear * (1 + shifted)
    system[2:] *= side / radius / shear
    displaced[:] = away, shifted - away
