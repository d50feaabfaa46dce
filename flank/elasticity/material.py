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
    def shear_modulus(self) -> float:
        """G = E / (2 (1 + ν)) in Pa."""
        return self.youngs_modulus / (2 * (1 + self.poisson_ratio))

    @property
    def line_compliance(self) -> float:
        """(1 - ν²)/(π E) in 1/Pa, the factor of every line-contact displacement."""
        return (1 - self.poisson_ratio**2) / (math.pi * self.youngs_modulus)


STEEL = Material(206e9, 0.3, 7850.0)


def contact_modulus(first: Material, second: Material) -> float:
    """E* with 1/E* = (1 - ν1²)/E1 + (1 - ν2²)/E2, in Pa."""
    return 1.0 / (math.pi * (first.line_compliance + second.line_compliance))
