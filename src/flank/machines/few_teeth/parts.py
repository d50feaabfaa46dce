"""The blocks of a few-teeth reducer's spec that are its own: toothed discs, ring, coupling."""

from collections.abc import Iterable
from typing import Annotated

from pydantic import Field

from flank.machines.crank_reducer.parts import BearingFrictionSpec, DiscsSpec
from flank.machines.gear_spec import TeethSpec
from flank.machines.quantities import Coefficient, PositiveLength, quantity
from flank.machines.spec import Spec

TorsionalStiffness = Annotated[float, quantity("N*m/rad", "N*m/rad", positive=True)]
Play = Annotated[float, quantity("rad", "deg", minimum=0.0, maximum=0.1)]


class ToothedDiscsSpec(TeethSpec, DiscsSpec):
    """The external gears on the cranks, evenly spread in phase."""


class RingSpec(TeethSpec):
    """The internal gear in the housing, as wide as all discs."""

    tip_radius: PositiveLength | None = Field(
        default=None,
        description="the radius of the tip circle; if absent it leaves the rack's bottom clearance "
        "over the discs' roots",
        examples=["122.1 mm"],
    )


class CouplingSpec(Spec):
    """What turns all cranks with the input where there is no first stage."""

    stiffness: TorsionalStiffness | None = Field(
        default=None,
        description="the torsional stiffness between the input and one crank; rigid if absent",
        examples=["1e7 N*m/rad"],
    )
    backlash: Play = Field(
        default=0.0, description="the whole angle of play of one crank", examples=["0.002 deg"]
    )

    def cross_checks(self) -> Iterable[str]:
        if self.backlash and self.stiffness is None:
            yield "backlash needs a stiffness beside it: behind its play a coupling is a spring"


class FewTeethFrictionSpec(BearingFrictionSpec):
    """Coulomb friction at every kind of contact."""

    teeth: Coefficient = Field(
        default=0.0,
        description="the coefficient between the flanks; with the mesh model 'contact' only",
        examples=[0.05],
    )
