"""The spec of an RV reducer: sun and planets, cranks, cycloid discs, pins, carrier."""

from collections.abc import Iterable
from typing import Literal

from pydantic import Field

from flank.machines.contact_spec import ContactSpec
from flank.machines.materials import MaterialSpec, find_material
from flank.machines.quantities import NonNegativeTime, PositiveLength, PositiveTorque
from flank.machines.rv.checks import problems_of
from flank.machines.rv.errors import Counts, ErrorsSpec, TolerancesSpec
from flank.machines.rv.parts import (
    CarrierSpec,
    CranksSpec,
    FirstStageSpec,
    MainBearingsSpec,
    RollersBearingSpec,
    RvDiscsSpec,
    RvFrictionSpec,
    RvOperationSpec,
    RvPinsSpec,
    SupportBearingSpec,
)
from flank.machines.rv.rules import Dimensions, dimensions
from flank.machines.spec import Spec


class RvReducerSpec(Spec):
    """An RV reducer; pins stand still, the carrier is the output."""

    machine: Literal["rv-reducer"] = Field(
        description="the kind of machine", examples=["rv-reducer"]
    )
    title: str = Field(default="", description="a name for people", examples=["320 class"])
    source: str = Field(default="", description="where the numbers come from", examples=["..."])
    assumptions: tuple[str, ...] = Field(
        default=(), description="what the source does not give", examples=["[disc width]"]
    )
    rated_torque: PositiveTorque = Field(
        description="the rated torque of the output", examples=["3136 N*m"]
    )
    eccentricity: PositiveLength = Field(
        description="the eccentricity of the cranks", examples=["2.2 mm"]
    )
    pins: RvPinsSpec = Field(description="the ring of pins")
    discs: RvDiscsSpec = Field(default=RvDiscsSpec(), description="the cycloid discs")
    cranks: CranksSpec = Field(description="the crankshafts")
    turning_arm: RollersBearingSpec = Field(
        default=RollersBearingSpec(), description="the bearings between eccentrics and discs"
    )
    supports: SupportBearingSpec = Field(
        default=SupportBearingSpec(), description="the bearings between cranks and carrier"
    )
    first_stage: FirstStageSpec = Field(description="sun and planets")
    carrier: CarrierSpec = Field(default=CarrierSpec(), description="the carrier")
    main_bearings: MainBearingsSpec = Field(
        default=MainBearingsSpec(), description="the bearings of the carrier in the housing"
    )
    contact: ContactSpec = Field(default=ContactSpec(), description="the law of contact")
    structural_damping: NonNegativeTime = Field(
        default=1e-6,
        description="damping over stiffness of everything that bends or twists, a loss factor of "
        "1 % near 1.6 kHz if absent",
        examples=["1e-6 s"],
    )
    friction: RvFrictionSpec = Field(default=RvFrictionSpec(), description="the friction")
    materials: dict[str, MaterialSpec] = Field(
        default={}, description="materials by name; 'steel' is always there"
    )
    operation: RvOperationSpec = Field(description="the operating point")
    errors: ErrorsSpec = Field(default=ErrorsSpec(), description="deviations")
    tolerances: TolerancesSpec = Field(default=TolerancesSpec(), description="drawing tolerances")

    def cross_checks(self) -> Iterable[str]:
        return problems_of(self)

    def material(self, name: str) -> MaterialSpec:
        """The material called `name` in this spec."""
        return find_material(name, self.materials)

    @property
    def dimensions(self) -> Dimensions:
        """Every dimension, those left out by the sizing rule."""
        return dimensions(self)

    @property
    def lobe_count(self) -> int:
        return self.pins.count - 1

    @property
    def ratio(self) -> float:
        """i = 1 + z_p z2/z1, pins fixed and carrier out."""
        stage = self.first_stage
        return 1 + self.pins.count * stage.planet_teeth / stage.sun_teeth

    @property
    def root_radius(self) -> float:
        """Radius of the unmodified flank's valleys, R - r - e."""
        return self.pins.circle_radius - self.pins.radius - self.eccentricity

    @property
    def counts(self) -> Counts:
        return {
            "crank": self.cranks.count,
            "disc": self.discs.count,
            "side": 2,
            "pin": self.pins.count,
        }
