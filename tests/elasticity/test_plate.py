"""The plate with holes against closed forms, symmetry, and its own refinement."""

import math

import numpy as np
import pytest

from flank.elasticity.material import STEEL, Material
from flank.elasticity.plate import Holes, Plate, plate_compliance

DISC = Plate(
    0.1123, 0.015, 0.027, STEEL, Holes(3, 0.063, 0.031), (Holes(3, 0.063, 0.024, math.pi / 3),)
)


def harmonic_compliance(order: int, inner: float, outer: float, width: float) -> float:
    """Radial displacement of a hole's wall per generalized force of the harmonic cos nφ.

    u_r = U(r) cos nφ, u_φ = V(r) sin nφ in a plane-stress ring held at its rim, by quadratic finite
    elements along the radius: ε_r = U', ε_φ = (U + n V)/r, γ = V' - (V + n U)/r.
    """
    elements, poisson = 200, STEEL.poisson_ratio
    radii = np.linspace(inner, outer, 2 * elements + 1)
    stiffness = np.zeros((2 * len(radii), 2 * len(radii)))
    law = STEEL.youngs_modulus / (1 - poisson**2)
    law_matrix = law * np.array([[1, poisson, 0], [poisson, 1, 0], [0, 0, (1 - poisson) / 2]])
    around = math.pi * np.array([1.0, 1.0, 1.0]) if order else 2 * math.pi * np.array([1, 1, 0])
    points, weights = np.polynomial.legendre.leggauss(3)
    for k in range(elements):
        half = 0.5 * (radii[2 * k + 2] - radii[2 * k])
        for s, weight in zip(points, weights, strict=True):
            r = radii[2 * k + 1] + half * s
            shape = np.array([0.5 * s * (s - 1), 1 - s * s, 0.5 * s * (s + 1)])
            slope = np.array([s - 0.5, -2 * s, s + 0.5]) / half
            strain = np.zeros((3, 6))
            strain[0, ::2] = slope
            strain[1, ::2], strain[1, 1::2] = shape / r, order * shape / r
            strain[2, ::2], strain[2, 1::2] = -order * shape / r, slope - shape / r
            scale = np.sqrt(around * weight * half * r * width)
            block = (scale[:, None] * strain).T @ law_matrix @ (scale[:, None] * strain)
            unknowns = np.arange(4 * k, 4 * k + 6)
            stiffness[np.ix_(unknowns, unknowns)] += block
    if order == 0:
        stiffness = stiffness[::2, ::2]  # no turning without torque
        return float(np.linalg.inv(stiffness[:-1, :-1])[0, 0])
    return float(np.linalg.inv(stiffness[:-2, :-2])[0, 0])


def test_central_hole_of_a_round_plate():
    """Harmonics of the pressure: max(cos φ, 0) = 1/π + cos φ/2 + (2/π) Σ ±cos 2kφ/(4k² - 1)."""
    inner, outer, width = 0.03, 0.1, 0.01
    forces = {0: 4 / math.pi, 1: 1.0}
    forces |= {2 * k: 4 / math.pi / (4 * k * k - 1) for k in range(1, 12)}
    expected = sum(
        force**2 * harmonic_compliance(order, inner, outer, width)
        for order, force in forces.items()
    )
    plate = Plate(outer, width, 0.0, STEEL, Holes(1, 0.0, inner))
    errors = [plate_compliance(plate, n).shift / expected - 1 for n in (80, 320)]
    assert abs(errors[1]) < 0.02
    assert abs(errors[1]) < 0.5 * abs(errors[0])


def test_refinement_converges():
    coarse, middle, fine = (plate_compliance(DISC, n).turn for n in (60, 120, 240))
    assert abs(fine - middle) < 0.6 * abs(middle - coarse)
    assert abs(middle / fine - 1) < 0.03


def test_scales_with_modulus_and_width():
    found = plate_compliance(DISC, 60)
    soft = Material(STEEL.youngs_modulus / 2, STEEL.poisson_ratio, STEEL.density)
    softer = plate_compliance(Plate(**{**vars(DISC), "material": soft}), 60)
    wider = plate_compliance(Plate(**{**vars(DISC), "width": 0.03}), 60)
    assert softer.shift == pytest.approx(2 * found.shift, rel=1e-9)
    assert wider.turn == pytest.approx(found.turn / 2, rel=1e-9)


def test_size_alone_does_not_matter():
    """Plane stress: the same plate twice as large has the same compliance in m/N."""
    large = Plate(
        0.2246, 0.015, 0.054, STEEL, Holes(3, 0.126, 0.062), (Holes(3, 0.126, 0.048, math.pi / 3),)
    )
    assert plate_compliance(large, 60) == pytest.approx(plate_compliance(DISC, 60), rel=1e-9)


def test_openings_soften():
    solid = Plate(**{**vars(DISC), "openings": ()})
    assert plate_compliance(solid, 80).turn < 0.8 * plate_compliance(DISC, 80).turn


def test_pillars_hold_a_flange():
    flange = Plate(
        0.1, 0.024, 0.02, STEEL, Holes(3, 0.063, 0.02), (), Holes(3, 0.063, 0.02, math.pi / 3)
    )
    thick = plate_compliance(flange, 80)
    assert 0 < thick.turn < plate_compliance(DISC, 80).turn
