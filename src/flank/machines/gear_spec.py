"""How a spec names an involute gear and its mesh, by the words of ISO 21771."""

import math
from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import Field

from flank.geometry.gear import Gear, Relief
from flank.machines.quantities import (
    Coefficient,
    Deviation,
    Number,
    PositiveLength,
    WholeNumber,
    quantity,
)
from flank.machines.spec import Spec

EDGE_RADIUS = 0.02
"""Rounding of a tip's edge in normal modules, where a spec gives none."""

MOST_TEETH = 2000
"""On one wheel: of module 1 mm it is 2 m large."""

PressureAngle = Annotated[float, quantity("rad", "deg", minimum=0.17, maximum=0.53)]
HelixAngle = Annotated[float, quantity("rad", "deg", minimum=0.0, maximum=0.79)]
Stiffness = Annotated[float, quantity("N/m", "N/m", positive=True)]
Damping = Annotated[float, quantity("N*s/m", "N*s/m", minimum=0.0)]
ToothCount = Annotated[int, WholeNumber(minimum=4, maximum=MOST_TEETH)]
NonNegativeLength = Annotated[float, quantity("m", "mm", minimum=0.0)]
NonNegativeDeviation = Annotated[float, quantity("m", "um", minimum=0.0)]


class RackSpec(Spec):
    """The basic rack that all gears of a mesh share."""

    normal_module: PositiveLength = Field(
        description="the normal module m_n; for spur gears the module", examples=["2 mm"]
    )
    normal_pressure_angle: PressureAngle = Field(
        default=math.radians(20), description="the normal pressure angle α_n", examples=["20 deg"]
    )
    helix_angle: HelixAngle = Field(
        default=0.0,
        description="the helix angle β at the reference cylinder; zero for spur gears",
        examples=["15 deg"],
    )
    addendum: Coefficient = Field(
        default=1.0, description="the addendum h_aP of the rack over the module", examples=[1.0]
    )
    dedendum: Coefficient = Field(
        default=1.25, description="the dedendum h_fP of the rack over the module", examples=[1.25]
    )
    fillet_radius: Coefficient = Field(
        default=0.38, description="the fillet radius ρ_fP over the module", examples=[0.38]
    )


class TipReliefSpec(Spec):
    """Material taken off the flank towards the tip."""

    amount: NonNegativeDeviation = Field(description="the relief at the tip", examples=["20 um"])
    length: PositiveLength = Field(
        description="roll length over which it reaches down the flank", examples=["3 mm"]
    )
    exponent: Annotated[float, quantity("", "", minimum=1.0)] = Field(
        default=2.0, description="1 for a straight relief, 2 for a parabola", examples=[2]
    )


class TeethSpec(Spec):
    """The teeth of one involute gear."""

    teeth: ToothCount = Field(description="the number of teeth z", examples=[35])
    profile_shift: Number = Field(
        default=0.0,
        description="the profile shift coefficient x with the sign of ISO 21771: on an internal "
        "gear a negative x moves the teeth outward",
        examples=[0.4],
    )
    tip_radius: PositiveLength | None = Field(
        default=None,
        description="the radius of the tip circle; from rack and profile shift if absent",
        examples=["40 mm"],
    )
    thickness_deviation: Deviation = Field(
        default=0.0,
        description="deviation of the tooth thickness at the reference circle; negative for "
        "backlash",
        examples=["-30 um"],
    )
    edge_radius: NonNegativeLength | None = Field(
        default=None,
        description="the rounding between flank and tip; 0.02 modules if absent",
        examples=["0.1 mm"],
    )
    tip_relief: TipReliefSpec | None = Field(default=None, description="tip relief")
    crowning: NonNegativeDeviation = Field(
        default=0.0, description="taken off the flank at both ends of the face", examples=["5 um"]
    )
    material: str = Field(default="steel", description="the name of a material", examples=["steel"])

    def gear(self, rack: RackSpec, internal: bool = False) -> Gear:
        """The gear as the geometry room knows it."""
        module = rack.normal_module
        relief = self.tip_relief
        edge = EDGE_RADIUS * module if self.edge_radius is None else self.edge_radius
        gear = Gear(
            self.teeth,
            module,
            rack.normal_pressure_angle,
            self.profile_shift,
            internal,
            rack.helix_angle,
            rack.addendum,
            rack.dedendum,
            rack.fillet_radius,
            0.0,
            self.thickness_deviation,
            edge,
            None if relief is None else Relief(relief.amount, relief.length, relief.exponent),
            self.crowning,
        )
        if self.tip_radius is None:
            return gear
        return gear.with_tip_radius(self.tip_radius)


class GearSpec(TeethSpec):
    """One involute gear."""

    face_width: PositiveLength = Field(description="the face width b", examples=["20 mm"])


class MeshSpec(Spec):
    """How the teeth of a mesh are modelled, from rigid to explicit contact.

    rigid: a constraint on the loaded flank. spring: constant stiffness along the line of action.
    table: stiffness over the position of contact, tooth pair by tooth pair. contact: every pair of
    teeth near the mesh as explicit flanks and tip edges.
    """

    model: Literal["rigid", "spring", "table", "contact"] = Field(
        default="table",
        description="how the teeth are modelled, from a constraint to explicit contact",
        examples=["table"],
    )
    stiffness: Stiffness | None = Field(
        default=None,
        description="the constant stiffness of 'spring'; the mean of the table if absent",
        examples=["4e8 N/m"],
    )
    damping: Damping = Field(
        default=0.0,
        description="damping along the line of action; a rigid mesh has none",
        examples=["2e4 N*s/m"],
    )
    separation: bool = Field(
        default=True,
        description="whether teeth part and have backlash; without it a 'spring' also pulls",
        examples=[True],
    )
    slices: Annotated[int, WholeNumber(minimum=1, maximum=64)] | None = Field(
        default=None,
        description="slices across the face; if absent 1 for spur gears without crowning, else 9",
        examples=[9],
    )

    def too_few_slices(self, key: str, varies: bool) -> Iterable[str]:
        """A sentence if one slice stands for teeth that vary across the face."""
        if varies and self.slices == 1:
            yield (
                f"{key}.slices: 1 slice knows nothing of crowning or a helix, which change across "
                "the face; leave it out for 9, or name more"
            )

    def cross_checks(self) -> Iterable[str]:
        if self.stiffness is not None and self.model != "spring":
            yield f"stiffness does nothing with the model '{self.model}'; remove it"
        if not self.separation and self.model != "spring":
            yield f"separation can be switched off for 'spring' only, not for '{self.model}'"
        if self.slices is not None and self.model in ("rigid", "spring"):
            yield f"slices do nothing with the model '{self.model}'; remove them"
