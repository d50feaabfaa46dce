"""The blocks of an RV reducer's spec that are its own: pins, cycloid discs, their friction."""

from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import Field

from flank.machines.crank_reducer.parts import BearingFrictionSpec, DiscsSpec
from flank.machines.quantities import (
    MOST_PINS,
    Coefficient,
    Deviation,
    PositiveLength,
    WholeNumber,
)
from flank.machines.spec import Spec


class RvPinsSpec(Spec):
    """The ring of pins in the housing."""

    count: Annotated[int, WholeNumber(minimum=4, most=MOST_PINS)] = Field(
        description="the number of pins", examples=[40]
    )
    circle_radius: PositiveLength = Field(
        description="the radius of the circle of pin centres", examples=["119.5 mm"]
    )
    radius: PositiveLength = Field(description="the radius of a pin", examples=["5 mm"])
    mounting: Literal["fixed", "floating"] = Field(
        default="fixed", description="pins fixed, or floating in grooves", examples=["fixed"]
    )
    groove_radius: PositiveLength | None = Field(
        default=None, description="the radius of a floating pin's groove", examples=["5.01 mm"]
    )
    material: str = Field(default="steel", description="the name of a material", examples=["steel"])

    def cross_checks(self) -> Iterable[str]:
        if self.mounting == "fixed" and self.groove_radius is not None:
            yield (
                "groove_radius does nothing with fixed pins; "
                "remove it, or set pins.mounting to 'floating'"
            )
        if self.mounting == "floating" and self.groove_radius is None:
            yield "groove_radius is missing: floating pins need it, and it must exceed pins.radius"
        if self.groove_radius is not None and self.groove_radius <= self.radius:
            yield "groove_radius must exceed pins.radius; a pin must fit into its groove"


class RvDiscsSpec(DiscsSpec):
    """The cycloid discs, evenly spread in phase."""

    contact_depth: PositiveLength | None = Field(
        default=None,
        description="the depth below the flank at which the body counts as rigid; "
        "the wall behind the root if absent",
        examples=["10 mm"],
    )
    equidistant: Deviation = Field(
        default=0.0, description="equidistant modification, positive removes", examples=["5 um"]
    )
    radial: Deviation = Field(
        default=0.0, description="radial modification, positive removes", examples=["5 um"]
    )


class RvFrictionSpec(BearingFrictionSpec):
    """Coulomb friction at every kind of contact."""

    pins: Coefficient = Field(
        default=0.0, description="the coefficient between discs and pins", examples=[0.05]
    )
    grooves: Coefficient = Field(
        default=0.0, description="the coefficient between pins and grooves", examples=[0.05]
    )
