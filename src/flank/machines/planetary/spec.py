"""The spec of a planetary gearbox: sun, planets on a carrier, ring."""

import math
from collections.abc import Iterable
from typing import ClassVar, Literal

from pydantic import Field

from flank.geometry.gear import Gear
from flank.geometry.gear_pair import GearPair
from flank.machines.error_kinds import Counts
from flank.machines.gear_spec import MeshSpec, RackSpec
from flank.machines.machine_spec import MachineSpec
from flank.machines.materials import MATERIALS_MEANING, MaterialSpec
from flank.machines.planetary.checks import problems_of
from flank.machines.planetary.errors import PlanetaryErrorsSpec, PlanetaryTolerancesSpec
from flank.machines.planetary.parts import (
    CarrierSpec,
    HeldSpec,
    PlanetaryOperationSpec,
    PlanetsSpec,
    RingSpec,
    WheelSpec,
)
from flank.machines.quantities import PositiveLength, PositiveTorque


class PlanetaryGearboxSpec(MachineSpec):
    """A planetary gearbox. The properties give what a key that was left out stands for."""

    machine: Literal["planetary-gearbox"] = Field(
        description="the kind of machine", examples=["planetary-gearbox"]
    )
    rated_torque: PositiveTorque = Field(
        description="the rated torque of the output", examples=["412 N*m"]
    )
    rack: RackSpec = Field(description="the basic rack of all gears")
    sun: WheelSpec = Field(description="the sun gear")
    planets: PlanetsSpec = Field(description="the planets")
    ring: RingSpec = Field(description="the ring gear")
    carrier: CarrierSpec = Field(default=CarrierSpec(), description="the carrier")
    centre_distance: PositiveLength | None = Field(
        default=None,
        description="the radius of the circle of planet pins; where sun and planets mesh without "
        "backlash if absent",
        examples=["284 mm"],
    )
    sun_mesh: MeshSpec = Field(default=MeshSpec(), description="how sun and planets mesh")
    ring_mesh: MeshSpec = Field(default=MeshSpec(), description="how planets and ring mesh")
    rigid_sharing: Literal["equal", "first"] = Field(
        default="equal",
        description="where rigid meshes leave the sharing open: equal forces of the sun on all "
        "planets, or the first planet alone in mesh with the sun",
        examples=["equal"],
    )
    held: HeldSpec = Field(
        default=HeldSpec(), description="how the member that is neither input nor output is held"
    )
    materials: dict[str, MaterialSpec] = Field(default={}, description=MATERIALS_MEANING)
    operation: PlanetaryOperationSpec = Field(description="the operating point")
    errors: PlanetaryErrorsSpec = Field(default=PlanetaryErrorsSpec(), description="deviations")
    tolerances: PlanetaryTolerancesSpec = Field(
        default=PlanetaryTolerancesSpec(), description="drawing tolerances"
    )

    def cross_checks(self) -> Iterable[str]:
        return problems_of(self)

    ratio_is: ClassVar[str] = (
        "it follows from the teeth and from who is held: 1 + ring.teeth / sun.teeth with "
        "the ring held; `flank design planetary --ratio ...` finds teeth for it"
    )

    @property
    def sun_gear(self) -> Gear:
        return self.sun.gear(self.rack)

    @property
    def planet_gear(self) -> Gear:
        return self.planets.gear(self.rack)

    @property
    def ring_gear(self) -> Gear:
        return self.ring.gear(self.rack, internal=True)

    @property
    def carrier_radius(self) -> float:
        """a, of the circle of planet pins."""
        return self.centre_distance or GearPair(self.sun_gear, self.planet_gear).centre_distance

    @property
    def planet_angles(self) -> tuple[float, ...]:
        """ψ_n of the planets on the carrier."""
        count = self.planets.count
        return self.planets.angles or tuple(2 * math.pi * n / count for n in range(count))

    @property
    def evenly_spaced(self) -> bool:
        even = (2 * math.pi * n / self.planets.count for n in range(self.planets.count))
        return all(
            abs(math.remainder(a - b - self.planet_angles[0], 2 * math.pi)) < 1e-9
            for a, b in zip(self.planet_angles, even, strict=True)
        )

    @property
    def redundant(self) -> bool:
        """Whether rigid meshes hold the planets more than once, so that statics alone cannot say
        how they share the load: more planets than central members can yield to."""
        if not (self.sun_mesh.model == self.ring_mesh.model == "rigid"):
            return False
        if self.planets.support.kind != "rigid":
            return False
        members = (self.sun, self.ring, self.carrier)
        yielding = 2 * sum(member.support.kind != "rigid" for member in members)
        return self.planets.count - 1 > yielding

    @property
    def counts(self) -> Counts:
        return {"planet": self.planets.count}
