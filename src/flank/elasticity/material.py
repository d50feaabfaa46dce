"""Linear elastic, isotropic material."""

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Material:
    """`youngs_modulus` E in Pa, `poisson_ratio` ν, `density` ρ in kg/m³."""

    youngs_modulus: float
    poisson_ratio: float
    density: float

    @property
    def line_compliance(self) -> float:
        """(1 - ν²)/(π E) in 1/Pa, the factor of every line-contact displacement."""
        return (1 - self.poisson_ratio**2) / (math.pi * self.youngs_modulus)

    @property
    def shear_modulus(self) -> float:
        """G = E/(2 (1 + ν)) in Pa."""
        return self.youngs_modulus / (2 * (1 + self.poisson_ratio))


STEEL = Material(206e9, 0.3, 7850.0)


def contact_modulus(first: Material, second: Material) -> float:
    """E* with 1/E* = (1 - ν1²)/E1 + (1 - ν2²)/E2, in Pa."""
    return 1.0 / (math.pi * (first.line_compliance + second.line_compliance))


def tangential_ratio(first: Material, second: Material) -> float:
    """Tangential over normal stiffness of a contact that sticks (Mindlin 1949).

    k_t/k_n = 2 Σ(1 - ν)/G / Σ(2 - ν)/G over both bodies, 2 (1 - ν)/(2 - ν) for one material.
    """
    normal = (1 - first.poisson_ratio) / first.shear_modulus
    normal += (1 - second.poisson_ratio) / second.shear_modulus
    tangential = (2 - first.poisson_ratio) / first.shear_modulus
    tangential += (2 - second.poisson_ratio) / second.shear_modulus
    return 2 * normal / tangential
