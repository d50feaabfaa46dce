"""Cross-sections of slender parts: what a beam element needs to know of one."""

import math
from dataclasses import dataclass

from flank.elasticity.material import Material


@dataclass(frozen=True)
class Section:
    """`axial_stiffness` EA in N, `bending_stiffness` EI in N·m², `mass_per_length` ρA in kg/m."""

    axial_stiffness: float
    bending_stiffness: float
    mass_per_length: float

    def __post_init__(self) -> None:
        if not min(self.axial_stiffness, self.bending_stiffness, self.mass_per_length) > 0:
            raise ValueError("a section needs positive stiffnesses and a positive mass")


def round_section(material: Material, diameter: float, bore: float = 0.0) -> Section:
    """A round shaft, hollow if it has a bore: A = π (D² - d²)/4, I = π (D⁴ - d⁴)/64."""
    if not 0 <= bore < diameter:
        raise ValueError("a round section needs a bore smaller than its diameter")
    area = math.pi / 4 * (diameter**2 - bore**2)
    return _section(material, area, math.pi / 64 * (diameter**4 - bore**4))


def rectangular_section(material: Material, thickness: float, width: float) -> Section:
    """A rectangle that bends across its thickness: A = t b, I = b t³/12.

    For the wall of a ring, `thickness` is radial and `width` runs along the axis.
    """
    return _section(material, thickness * width, width * thickness**3 / 12)


def _section(material: Material, area: float, moment: float) -> Section:
    modulus = material.youngs_modulus
    return Section(modulus * area, modulus * moment, material.density * area)
