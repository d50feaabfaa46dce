"""Elastic materials of a spec: those it defines, and those that are always there."""

import csv
from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files
from typing import Annotated, NamedTuple

from flank.elasticity.material import Material
from flank.errors import suggestion
from flank.machines.quantities import Density, Modulus, PoissonRatio, quantity
from flank.machines.spec import Spec, key, optional
from flank.strength.materials import ROWS, GearStrength, strength_of
from flank.texts import echo, listed

Strength = Annotated[float, quantity("Pa", "MPa", positive=True)]
PressureSpeed = Annotated[float, quantity("Pa*m/s", "MPa*m/s", positive=True)]

HARDENED = 1200e6
"""Pa: flanks that bear more for good are hardened."""

STATIC_PRESSURE = 4000e6
"""Pa, of line contact: ISO 76, where a rolling element leaves a dent of 1e-4 of its diameter."""

YIELDS_AT = 1.67


class MaterialSpec(Spec):
    """An isotropic, linearly elastic material."""

    youngs_modulus: Modulus = key("Young's modulus E", "206 GPa")
    poisson_ratio: PoissonRatio = key("Poisson's ratio ν", 0.3)
    density: Density = key("the density ρ", "7850 kg/m^3")
    gear_strength: str | None = optional(
        "the class of ISO 6336-5 that rates its gears, as St-MQ, V-alloy-MQ, Eh-MQ, IF-MQ, "
        "NT-MQ, NV-MQ, GGG-MQ or GG-MQ; not rated by a class if absent",
        "Eh-MQ",
    )
    hardness: Annotated[float, quantity("", "", positive=True)] | None = optional(
        "its surface hardness, in HBW of soft and HV of hard classes; the middle of the class if "
        "absent",
        700,
    )

    def cross_checks(self) -> Iterable[str]:
        if self.gear_strength is None:
            if self.hardness is not None:
                yield "hardness does nothing without gear_strength; give a class, as Eh-MQ"
            return
        try:
            strength_of(self.gear_strength, self.hardness)
        except ValueError as problem:
            name = "gear_strength" if self.gear_strength not in ROWS else "hardness"
            yield f"{name}: {problem}"

    @property
    def strength(self) -> GearStrength | None:
        """What gears of it bear; None where no class is given."""
        if self.gear_strength is None:
            return None
        return strength_of(self.gear_strength, self.hardness)

    pressure: Strength | None = optional(
        "the pressure that its flanks and races bear for good, for a check; none known if absent",
        "1500 MPa",
    )
    yield_strength: Strength | None = optional("the yield strength, for a check", "650 MPa")
    fatigue_strength: Strength | None = optional(
        "the fatigue strength in reversed bending, for a check", "360 MPa"
    )
    pressure_speed: PressureSpeed | None = optional(
        "pressure times sliding speed that it bears without wearing away, of polymers, for a check",
        "0.1 MPa*m/s",
    )

    @property
    def static_pressure(self) -> float | None:
        """Of line contact, in Pa: 4000 MPa of what is hardened (ISO 76), else where it yields below
        the surface, 1.67 times the yield strength (Tresca, Johnson, Contact Mechanics, 4.3)."""
        if self.pressure is not None and self.pressure >= HARDENED:
            return STATIC_PRESSURE
        return None if self.yield_strength is None else YIELDS_AT * self.yield_strength

    @property
    def elastic(self) -> Material:
        """The material as the elasticity room knows it."""
        return Material(self.youngs_modulus, self.poisson_ratio, self.density)


class KnownMaterial(NamedTuple):
    """What the material is, its constants, the range in GPa in which makers and standards give
    Young's modulus, and where constants and strengths are from."""

    title: str
    spec: MaterialSpec
    moduli: tuple[float, float]
    source: str
    strength_source: str


STRENGTHS = {
    "pressure": "pressure in MPa",
    "yield_strength": "yield in MPa",
    "fatigue_strength": "fatigue in MPa",
    "pressure_speed": "pv in MPa m/s",
}
"""Columns of the table by the key of a spec."""


def _known_materials() -> Iterator[tuple[str, KnownMaterial]]:
    """E and its range in GPa, ρ in kg/m³."""
    with files(__package__).joinpath("materials.csv").open(encoding="utf-8") as table:
        for row in csv.DictReader(table):
            spec = MaterialSpec(
                youngs_modulus=float(row["E in GPa"]) * 1e9,
                poisson_ratio=float(row["poisson_ratio"]),
                density=float(row["density"]),
                **{
                    name: float(row[column]) * 1e6
                    for name, column in STRENGTHS.items()
                    if row[column]
                },
                gear_strength=row["gear strength"] or None,
            )
            moduli = float(row["E from"]), float(row["E to"])
            sources = row["source"], row["strength source"]
            yield row["name"], KnownMaterial(row["title"], spec, moduli, *sources)


KNOWN_MATERIALS: Mapping[str, KnownMaterial] = dict(_known_materials())
"""The materials that a spec may name without defining them."""

BUILT_IN_MATERIALS: dict[str, MaterialSpec] = {
    name: known.spec for name, known in KNOWN_MATERIALS.items()
}
STEEL = BUILT_IN_MATERIALS["steel"]

MATERIALS_MEANING = (
    "materials of your own by name; flank list materials tells those that need no definition"
)


def unknown_material(name: str, defined: dict[str, MaterialSpec]) -> str:
    """The sentence about a name that is no material: those there are, and how to define one."""
    known = not_among(name, list(BUILT_IN_MATERIALS | defined))
    return f"{known}; or define your own as in {defined_as('my_material')}"


def not_among(name: str, known: list[str]) -> str:
    """The sentence about a name that is none of some materials."""
    return f"'{echo(name)}' is not a material{_hint(name, known)} Known: {listed(known)}"


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
