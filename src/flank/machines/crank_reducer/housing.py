"""The housing around a main bearing: a ring that gives way where the bearing presses on it.

A bearing presses on the inside of a ring, radius a, with p cos φ; the outside, b = a + wall, is
held. Plane stress, harmonic n = 1 (Michell), κ = (3 - ν)/(1 + ν), times 2μ for displacements:

    rigid shift      u_r = 1,               u_φ = -1
    r³ cos φ         u_r = (κ - 2) r²,      u_φ = (κ + 2) r²,        σ_r = 2 r,        τ = 2 r
    cos φ/r          u_r = 1/r²,            u_φ = 1/r²,              σ_r = -2/r³,      τ = -2/r³
    force            u_r = 2κ ln r - 1,     u_φ = -2κ ln r - 1,      σ_r = (κ + 3)/r,  τ = (1 - κ)/r

of which four amplitudes meet σ_r = -p, τ = 0 inside and u = 0 outside. The force is F = π a B p,
and it does work on the amplitude of u_r.
"""

import math
from collections.abc import Iterable

import numpy as np

from flank.elasticity.material import Material
from flank.machines.quantities import PositiveLength, Stiffness
from flank.machines.spec import Spec, key, optional


class HousingSpec(Spec):
    """The housing around each main bearing, as a ring or by its stiffness."""

    stiffness: Stiffness | None = optional("its radial stiffness at one bearing", "2e9 N/m")
    wall: PositiveLength | None = optional("the wall of the ring, held outside", "12 mm")
    width: PositiveLength | None = optional(
        "the width of the ring; that of a flange if absent", "20 mm"
    )
    material: str = key("the name of the ring's material", default="steel")

    def cross_checks(self) -> Iterable[str]:
        if (self.stiffness is None) == (self.wall is None):
            yield "give either stiffness or wall: a number for the housing, or a ring to find it by"
        if self.stiffness is not None and self.width is not None:
            yield "width does nothing beside stiffness; remove one of them"


def ring_stiffness(inside: float, wall: float, width: float, material: Material) -> float:
    """N/m of the shift of a bearing in a ring that is held outside."""
    nu = material.poisson_ratio
    kappa = (3 - nu) / (1 + nu)
    outside = 1 + wall / inside  # lengths over the inner radius
    log = math.log(outside)
    system = np.array(
        [
            [0.0, 2.0, -2.0, kappa + 3],
            [0.0, 2.0, -2.0, 1 - kappa],
            [1.0, (kappa - 2) * outside**2, outside**-2, 2 * kappa * log - 1],
            [-1.0, (kappa + 2) * outside**2, outside**-2, -2 * kappa * log - 1],
        ]
    )
    shift, grown, decayed, force = np.linalg.solve(system, [-1.0, 0.0, 0.0, 0.0])
    moved = shift + (kappa - 2) * grown + decayed - force  # 2μ u_r/(p a), against the pressure
    compliance = abs(moved) / (2 * material.shear_modulus)
    return float(math.pi * width / compliance)
