"""Elastic materials of a spec, and the one that is always there."""

from collections.abc import Mapping

from pydantic import Field

from flank.elasticity.material import Material
from flank.errors import SpecError, suggestion
from flank.machines.quantities import Density, Modulus, PoissonRatio
from flank.machines.spec import Spec
from flank.texts import echo, listed


class MaterialSpec(Spec):
    """An isotropic, linearly elastic material."""

    youngs_modulus: Modulus = Field(description="Young's modulus E", examples=["206 GPa"])
    poisson_ratio: PoissonRatio = Field(description="Poisson's ratio ν", examples=[0.3])
    density: Density = Field(description="the density ρ", examples=["7850 kg/m^3"])

    @property
    def elastic(self) -> Material:
        """The material as the elasticity room knows it."""
        return Material(self.youngs_modulus, self.poisson_ratio, self.density)


STEEL = MaterialSpec(youngs_modulus=206e9, poisson_ratio=0.3, density=7850.0)
BUILT_IN_MATERIALS: Mapping[str, MaterialSpec] = {"steel": STEEL}


def find_material(name: str, defined: Mapping[str, MaterialSpec]) -> MaterialSpec:
    """The material called `name`: one of the spec's own, or a built-in one."""
    known = {**BUILT_IN_MATERIALS, **defined}
    if name not in known:
        raise SpecError(unknown_material(name, defined))
    return known[name]


def unknown_material(name: str, defined: Mapping[str, MaterialSpec]) -> str:
    """The sentence about a name that is no material."""
    known = sorted({*BUILT_IN_MATERIALS, *defined})
    return f"'{echo(name)}' is not a material{suggestion(name, known)} Known: {listed(known)}"
