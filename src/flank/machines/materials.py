"""Elastic materials of a spec: those it defines, and those that are always there."""

from collections.abc import Mapping
from typing import NamedTuple

from flank.elasticity.material import Material
from flank.errors import SpecError, suggestion
from flank.machines.quantities import Density, Modulus, PoissonRatio
from flank.machines.spec import Spec, key
from flank.texts import echo, listed


class MaterialSpec(Spec):
    """An isotropic, linearly elastic material."""

    youngs_modulus: Modulus = key("Young's modulus E", "206 GPa")
    poisson_ratio: PoissonRatio = key("Poisson's ratio ν", 0.3)
    density: Density = key("the density ρ", "7850 kg/m^3")

    @property
    def elastic(self) -> Material:
        """The material as the elasticity room knows it."""
        return Material(self.youngs_modulus, self.poisson_ratio, self.density)


class KnownMaterial(NamedTuple):
    """What the material is, its constants, the range in GPa in which makers and standards give
    Young's modulus, and where the constants are from."""

    title: str
    spec: MaterialSpec
    moduli: tuple[float, float]
    source: str


def _known(
    words: tuple[str, str], constants: tuple[float, float, float], moduli: tuple[float, float]
) -> KnownMaterial:
    """By what it is and the source; E in GPa, ν and ρ in kg/m³; the range of E in GPa."""
    modulus, poisson, density = constants
    spec = MaterialSpec(youngs_modulus=modulus * 1e9, poisson_ratio=poisson, density=density)
    return KnownMaterial(words[0], spec, moduli, words[1])


KNOWN_MATERIALS: Mapping[str, KnownMaterial] = {
    "steel": _known(
        ("steel in general", "ISO 6336-2, E and ν of steel gears"),
        (206, 0.3, 7850),
        (200, 215),
    ),
    "100Cr6": _known(
        ("through-hardening bearing steel", "data sheets of 1.3505, ISO 683-17"),
        (210, 0.3, 7830),
        (205, 213),
    ),
    "16MnCr5": _known(
        (
            "case-hardening steel, also for 18CrNiMo7-6",
            "data sheets of 1.7131 and 1.6587, ISO 683-3",
        ),
        (210, 0.3, 7830),
        (205, 212),
    ),
    "EN-GJS-400": _known(
        ("nodular cast iron", "EN 1563, informative annex on physical properties"),
        (169, 0.275, 7100),
        (160, 175),
    ),
    "EN-GJL-250": _known(
        (
            "grey cast iron",
            "EN 1561, informative annex on physical properties; middle of its range",
        ),
        (110, 0.26, 7200),
        (103, 118),
    ),
    "EN-AW-7075": _known(
        ("aluminium, T6", "data sheets of 7075-T6, EN 573"),
        (71.7, 0.33, 2810),
        (70, 73),
    ),
    "CuSn12": _known(
        (
            "cast tin bronze, CC483K",
            "data sheets of CC483K and its neighbours, EN 1982; middle of their range",
        ),
        (100, 0.34, 8700),
        (88, 115),
    ),
    "POM": _known(
        ("polyoxymethylene, copolymer", "data sheets, ISO 527 at 23 °C and 1 mm/min"),
        (2.8, 0.38, 1410),
        (2.5, 3.1),
    ),
    "PA66-dry": _known(
        ("polyamide 66, dry as moulded", "data sheets, ISO 527 at 23 °C and 1 mm/min"),
        (3.1, 0.4, 1140),
        (2.9, 3.4),
    ),
    "PA66-conditioned": _known(
        (
            "polyamide 66, in balance with air of 50 % humidity",
            "data sheets, ISO 527 at 23 °C and 1 mm/min",
        ),
        (1.4, 0.42, 1140),
        (1.1, 1.7),
    ),
    "PEEK": _known(
        ("polyetheretherketone, unfilled", "data sheets, ISO 527 at 23 °C and 1 mm/min"),
        (4.0, 0.4, 1300),
        (3.5, 4.1),
    ),
}
"""The materials that a spec may name without defining them."""

BUILT_IN_MATERIALS: Mapping[str, MaterialSpec] = {
    name: known.spec for name, known in KNOWN_MATERIALS.items()
}
STEEL = BUILT_IN_MATERIALS["steel"]

MATERIALS_MEANING = (
    "materials of your own by name; flank list materials tells those that need no definition"
)


def find_material(name: str, defined: Mapping[str, MaterialSpec]) -> MaterialSpec:
    """The material called `name`: one of the spec's own, or a built-in one."""
    known = {**BUILT_IN_MATERIALS, **defined}
    if name not in known:
        raise SpecError(unknown_material(name, defined))
    return known[name]


def unknown_material(name: str, defined: Mapping[str, MaterialSpec]) -> str:
    """The sentence about a name that is no material: those there are, and how to define one."""
    known = [*BUILT_IN_MATERIALS, *(one for one in defined if one not in BUILT_IN_MATERIALS)]
    return (
        f"'{echo(name)}' is not a material{_hint(name, known)} Known: {listed(known)}; or define "
        f"your own as in {defined_as('my_material')}"
    )


def defined_as(name: str) -> str:
    """How a spec defines a material, on one line."""
    return (
        f"materials: {{{name}: "
        "{youngs_modulus: 110 GPa, poisson_ratio: 0.34, density: 8800 kg/m^3}}"
    )


def _hint(name: str, known: list[str]) -> str:
    """The material that is so called, or so described, as 'bronze' is in 'cast tin bronze'."""
    word = name.casefold().strip()
    for other, material in KNOWN_MATERIALS.items():
        if len(word) > 2 and word in f"{other} {material.title}".casefold():
            return f"; did you mean '{other}'?"
    return suggestion(name, known)
