"""What the specs of all reducers with cranks have in common; the carrier is the output."""

from abc import abstractmethod

from pydantic import Field

from flank.machines.contact_spec import ContactSpec
from flank.machines.crank_reducer.parts import (
    BearingFrictionSpec,
    CarrierSpec,
    CranksSpec,
    DiscsSpec,
    FirstStageSpec,
    MainBearingsSpec,
    OperationSpec,
    RollersBearingSpec,
    SupportBearingSpec,
)
from flank.machines.crank_reducer.rules import Dimensions, Toothing, dimensions
from flank.machines.error_kinds import Counts
from flank.machines.machine_spec import MachineSpec
from flank.machines.materials import MATERIALS_MEANING, MaterialSpec
from flank.machines.quantities import NonNegativeTime, PositiveTorque


class CrankReducerSpec(MachineSpec):
    """Discs on cranks inside a ring; a machine's spec adds the ring."""

    rated_torque: PositiveTorque = Field(
        description="the rated torque of the output", examples=["50 N*m"]
    )
    discs: DiscsSpec = Field(description="the discs")
    cranks: CranksSpec = Field(description="the crankshafts")
    turning_arm: RollersBearingSpec = Field(
        default=RollersBearingSpec(), description="the bearings between eccentrics and discs"
    )
    supports: SupportBearingSpec = Field(
        default=SupportBearingSpec(), description="the bearings between cranks and carrier"
    )
    first_stage: FirstStageSpec | None = Field(default=None, description="sun and planets")
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
    friction: BearingFrictionSpec = Field(default=BearingFrictionSpec(), description="the friction")
    materials: dict[str, MaterialSpec] = Field(default={}, description=MATERIALS_MEANING)
    operation: OperationSpec = Field(description="the operating point")

    @property
    @abstractmethod
    def toothing(self) -> Toothing:
        """What the mesh of discs and housing tells the other parts."""

    @property
    @abstractmethod
    def crank_turns(self) -> float:
        """u, turns of a crank for one of the output, against it."""

    @property
    def dimensions(self) -> Dimensions:
        """Every dimension, those left out by the sizing rule."""
        return dimensions(self)

    @property
    def ratio(self) -> float:
        """i = 1 + (u + 1) z2/z1, ring fixed and carrier out; -u where the input turns the cranks.

        The planet on a crank turns against the carrier by u + 1 for one turn of the output.
        """
        stage = self.first_stage
        if stage is None:
            return -float(self.crank_turns)
        return 1 + (self.crank_turns + 1) * stage.planet_teeth / stage.sun_teeth

    @property
    def counts(self) -> Counts:
        return {"crank": self.cranks.count, "disc": self.discs.count, "side": 2}
