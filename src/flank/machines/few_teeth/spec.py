"""The spec of a reducer with few teeth of difference: toothed discs on cranks in a ring."""

from collections.abc import Iterable
from functools import cached_property
from typing import ClassVar, Literal

from pydantic import Field

from flank.geometry.gear import Gear
from flank.geometry.gear_pair import GearPair
from flank.machines.contact_spec import ContactSpec
from flank.machines.crank_reducer.parts import FirstStageSpec
from flank.machines.crank_reducer.rules import Toothing
from flank.machines.crank_reducer.spec import CrankReducerSpec
from flank.machines.error_kinds import Kinds
from flank.machines.few_teeth.checks import problems_of
from flank.machines.few_teeth.errors import KINDS, ErrorsSpec, TolerancesSpec
from flank.machines.few_teeth.parts import (
    CouplingSpec,
    FewTeethFrictionSpec,
    RingSpec,
    ToothedDiscsSpec,
)
from flank.machines.gear_spec import MeshSpec, RackSpec
from flank.machines.quantities import PositiveLength


class FewTeethReducerSpec(CrankReducerSpec):
    """External gears on cranks inside a ring; the ring stands still, the carrier is the output."""

    error_kinds: ClassVar[Kinds] = KINDS

    machine: Literal["few-teeth-reducer"] = Field(
        description="the kind of machine", examples=["few-teeth-reducer"]
    )
    rack: RackSpec = Field(description="the basic rack of discs and ring")
    discs: ToothedDiscsSpec = Field(description="the external gears on the cranks")
    ring: RingSpec = Field(description="the ring gear")
    eccentricity: PositiveLength | None = Field(
        default=None,
        description="the eccentricity of the cranks; where the teeth have no backlash if absent",
        examples=["4.69 mm"],
    )
    mesh: MeshSpec = Field(
        default=MeshSpec(model="contact"), description="how the teeth are modelled"
    )
    contact: ContactSpec = Field(
        default=ContactSpec(), description="the law of the rollers' contacts; teeth have the mesh's"
    )
    first_stage: FirstStageSpec | None = Field(
        default=None,
        description="sun and planets; without it the input turns all cranks by the coupling",
    )
    coupling: CouplingSpec | None = Field(
        default=None, description="what turns the cranks without a first stage; rigid if absent"
    )
    friction: FewTeethFrictionSpec = Field(
        default=FewTeethFrictionSpec(), description="the friction"
    )
    errors: ErrorsSpec = Field(default=ErrorsSpec(), description="deviations")
    tolerances: TolerancesSpec = Field(default=TolerancesSpec(), description="drawing tolerances")

    def cross_checks(self) -> Iterable[str]:
        return problems_of(self)

    ratio_is: ClassVar[str] = (
        "it follows from discs.teeth / (ring.teeth - discs.teeth), and from the teeth of "
        "the first_stage if there is one"
    )

    @property
    def teeth_of_difference(self) -> int:
        """Δ = z2 - z1."""
        return self.ring.teeth - self.discs.teeth

    @property
    def crank_turns(self) -> float:
        """u = z1/Δ: a disc turns by -Δ/z1 of its crank."""
        return self.discs.teeth / self.teeth_of_difference

    @cached_property
    def pair(self) -> GearPair:
        """Disc and ring without errors, at the eccentricity."""
        disc, ring = self.discs.gear(self.rack), self.ring.gear(self.rack, internal=True)
        distance = self.eccentricity or GearPair(disc, ring).centre_distance
        if self.ring.tip_radius is None:
            ring = ring.with_tip_radius(_clear_tip_radius(disc, distance))
        return GearPair(disc, ring, distance)

    @property
    def toothing(self) -> Toothing:
        disc, ring = self.pair.first, self.pair.second
        return Toothing(
            ring_radius=ring.reference_radius,
            disc_radius=disc.reference_radius,
            root_radius=disc.root_radius,
            split_radius=0.5 * (self.cranks.circle_radius + disc.reference_radius),
            eccentricity=self.pair.centre_distance,
        )


def _clear_tip_radius(disc: Gear, distance: float) -> float:
    """Tip circle of a ring that leaves the rack's bottom clearance over the disc's root.

    r_a2 = e + r_f1 + c* m: what tooth corrections of a ring come to (its tip shortened by -Δy m).
    """
    clearance = (disc.dedendum - disc.addendum) * disc.normal_module
    return distance + disc.root_radius + clearance
