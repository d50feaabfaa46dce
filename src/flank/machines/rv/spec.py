"""The spec of an RV reducer: sun and planets, cranks, cycloid discs, pins, carrier."""

from collections.abc import Iterable
from typing import ClassVar, Literal

from pydantic import Field

from flank.machines.crank_reducer.parts import FirstStageSpec
from flank.machines.crank_reducer.rules import Toothing
from flank.machines.crank_reducer.spec import CrankReducerSpec
from flank.machines.error_kinds import Counts, Kinds
from flank.machines.quantities import PositiveLength
from flank.machines.rv.checks import problems_of
from flank.machines.rv.errors import KINDS, ErrorsSpec, TolerancesSpec
from flank.machines.rv.parts import RvDiscsSpec, RvFrictionSpec, RvPinsSpec


class RvReducerSpec(CrankReducerSpec):
    """An RV reducer; pins stand still, the carrier is the output."""

    error_kinds: ClassVar[Kinds] = KINDS

    machine: Literal["rv-reducer"] = Field(
        description="the kind of machine", examples=["rv-reducer"]
    )
    eccentricity: PositiveLength = Field(
        description="the eccentricity of the cranks", examples=["2.2 mm"]
    )
    pins: RvPinsSpec = Field(description="the ring of pins")
    discs: RvDiscsSpec = Field(default=RvDiscsSpec(), description="the cycloid discs")
    first_stage: FirstStageSpec = Field(description="sun and planets")
    friction: RvFrictionSpec = Field(default=RvFrictionSpec(), description="the friction")
    errors: ErrorsSpec = Field(default=ErrorsSpec(), description="deviations")
    tolerances: TolerancesSpec = Field(default=TolerancesSpec(), description="drawing tolerances")

    def cross_checks(self) -> Iterable[str]:
        return problems_of(self)

    ratio_is: ClassVar[str] = (
        "it follows from pins.count and the first stage: "
        "1 + pins.count * first_stage.planet_teeth / first_stage.sun_teeth"
    )

    @property
    def lobe_count(self) -> int:
        return self.pins.count - 1

    @property
    def crank_turns(self) -> float:
        return self.lobe_count

    @property
    def root_radius(self) -> float:
        """Radius of the unmodified flank's valleys, R - r - e."""
        return self.pins.circle_radius - self.pins.radius - self.eccentricity

    @property
    def toothing(self) -> Toothing:
        pins = self.pins
        return Toothing(
            ring_radius=pins.circle_radius,
            disc_radius=pins.circle_radius - pins.radius,
            root_radius=self.root_radius,
            split_radius=0.5 * (self.cranks.circle_radius + pins.circle_radius - pins.radius),
            eccentricity=self.eccentricity,
        )

    @property
    def counts(self) -> Counts:
        return {**super().counts, "pin": self.pins.count}
