"""The spec of a cycloidal drive: pins in the housing, discs on an eccentric, an output."""

from collections.abc import Iterable
from typing import Any, Literal

from pydantic import Field

from flank.machines.contact_spec import ContactSpec, FrictionSpec
from flank.machines.cycloidal.checks import problems_of
from flank.machines.cycloidal.parts import (
    DiscsSpec,
    EccentricSpec,
    OperationSpec,
    OutputSpec,
    PinsSpec,
)
from flank.machines.materials import MATERIALS_MEANING, MaterialSpec, find_material
from flank.machines.quantities import PositiveLength, PositiveTorque, WholeNumber
from flank.machines.spec import RATIO_KEYS, Spec

SEGMENTS_PER_LOBE = 200


LOBE_KEYS = ("lobes", "lobe_count")
"""What people call the lobes of a disc, whose number is the ratio."""


def _pins_for(ratio: Any) -> str:
    try:
        lobes = WholeNumber(minimum=2).parse(ratio)
    except ValueError:
        return ", one more than the ratio"
    return f": for {lobes} give pins.count: {lobes + 1}"


class CycloidalDriveSpec(Spec):
    """A cycloidal drive. The properties give what a key that was left out stands for."""

    machine: Literal["cycloidal-drive"] = Field(
        description="the kind of machine", examples=["cycloidal-drive"]
    )
    title: str = Field(default="", description="a name for people", examples=["40 pins"])
    source: str = Field(default="", description="where the numbers come from", examples=["..."])
    assumptions: tuple[str, ...] = Field(
        default=(), description="what the source does not give", examples=["[disc width]"]
    )
    rated_torque: PositiveTorque = Field(
        description="the rated torque of the output", examples=["412 N*m"]
    )
    eccentricity: PositiveLength = Field(
        description="the eccentricity of the input shaft", examples=["1.3 mm"]
    )
    pins: PinsSpec = Field(description="the ring of pins")
    discs: DiscsSpec = Field(description="the cycloidal discs")
    eccentric: EccentricSpec = Field(default=EccentricSpec(), description="the eccentric")
    output: OutputSpec = Field(description="the output")
    contact: ContactSpec = Field(default=ContactSpec(), description="the law of contact")
    friction: FrictionSpec = Field(default=FrictionSpec(), description="the friction")
    materials: dict[str, MaterialSpec] = Field(default={}, description=MATERIALS_MEANING)
    operation: OperationSpec = Field(description="the operating point")

    def cross_checks(self) -> Iterable[str]:
        return problems_of(self)

    @classmethod
    def elsewhere(cls, key: str, given: Any) -> str | None:
        if key.rpartition(".")[2] in (*RATIO_KEYS, *LOBE_KEYS):
            return f"it follows from pins.count{_pins_for(given)}"
        return None

    def material(self, name: str) -> MaterialSpec:
        """The material called `name` in this spec."""
        return find_material(name, self.materials)

    @property
    def lobe_count(self) -> int:
        """Lobes of a disc, one fewer than pins; also the ratio of the drive."""
        return self.pins.count - 1

    @property
    def root_radius(self) -> float:
        """Radius of the unmodified flank's valleys, R - r - e of the generating tool."""
        return self.generating_circle_radius - self.generating_pin_radius - self.eccentricity

    @property
    def pin_length(self) -> float:
        return self.pins.length or self.discs.width

    @property
    def generating_circle_radius(self) -> float:
        return self.discs.generating_circle_radius or self.pins.circle_radius

    @property
    def generating_pin_radius(self) -> float:
        return self.discs.generating_pin_radius or self.pins.radius

    @property
    def segments_per_lobe(self) -> int:
        return self.discs.segments_per_lobe or SEGMENTS_PER_LOBE

    @property
    def eccentric_radius(self) -> float:
        """Radius of the eccentric: what needles and their clearance leave of the bore."""
        needles = self.eccentric.needles
        taken = 2.0 * needles.radius + needles.clearance if needles else 0.0
        return self.discs.bore_radius - taken

    @property
    def roller_hole_radius(self) -> float:
        """Radius of the output holes; 0 without output rollers."""
        rollers = self.output.rollers
        if rollers is None:
            return 0.0
        return rollers.hole_radius or rollers.radius + self.eccentricity

    @property
    def roller_length(self) -> float:
        """Length of the output rollers; 0 without them."""
        rollers = self.output.rollers
        if rollers is None:
            return 0.0
        return rollers.length or self.discs.width
