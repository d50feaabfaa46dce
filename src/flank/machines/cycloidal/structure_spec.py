"""The structure of a cycloidal drive: what bends and twists besides its contacts."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Literal

from flank.machines.quantities import NonNegativeLength, NonNegativeTime, PositiveLength
from flank.machines.spec import Spec, key, optional
from flank.texts import mm

if TYPE_CHECKING:
    from flank.machines.cycloidal.spec import CycloidalDriveSpec


class OutputPinsSpec(Spec):
    """The pins under the output rollers, beams held in flanges of the carrier."""

    held: Literal["one end", "both ends"] = key(
        "whether pins stand out of one flange, or bear a second one at their other end", "one end"
    )
    radius: PositiveLength | None = optional("the radius of a pin; a roller's if absent", "4 mm")
    gap: NonNegativeLength = key("the gap between flange and disc, and between discs", "1 mm")
    material: str = key("the name of a material", default="steel")


class FlangesSpec(Spec):
    """The flanges of the carrier: pins press on them, and the first twists towards the output."""

    width: PositiveLength = key("the thickness of a flange", "15 mm")
    output_radius: PositiveLength = key(
        "the radius of the circle on which the first flange gives its torque to the output: of "
        "bolts, or of a hub",
        "20 mm",
    )
    material: str = key("the name of a material", default="steel")


class InputShaftSpec(Spec):
    """The input shaft between where it is driven and the eccentrics, which twists."""

    length: PositiveLength = key("the length that twists", "60 mm")
    radius: PositiveLength = key("its radius", "12 mm")
    bore_radius: NonNegativeLength = key("the radius of its bore", "4 mm", default=0.0)
    material: str = key("the name of a material", default="steel")

    def cross_checks(self) -> Iterable[str]:
        if self.bore_radius >= self.radius:
            yield (
                f"bore_radius is {mm(self.bore_radius)}; it must be less than the shaft's radius "
                f"of {mm(self.radius)}"
            )


class HousingTubeSpec(Spec):
    """The housing from the pins to where it is bolted, a tube that twists."""

    wall: PositiveLength = key("its wall outside of the pins", "8 mm")
    length: PositiveLength = key("the length from the discs to where it is held", "30 mm")
    material: str = key("the name of a material", default="steel")


class DriveStructureSpec(Spec):
    """What of it is absent counts as rigid."""

    output_pins: OutputPinsSpec | None = optional("the pins under the output rollers")
    flanges: FlangesSpec | None = optional("the flanges that hold these pins")
    shaft: InputShaftSpec | None = optional("the input shaft")
    housing: HousingTubeSpec | None = optional("the housing")
    damping: NonNegativeTime = key(
        "damping over stiffness of all of it, a loss factor of 1 % near 1.6 kHz if absent",
        "1e-6 s",
        default=1e-6,
    )

    @property
    def parts(self) -> tuple[str, ...]:
        """Keys of the parts that are given."""
        return tuple(name for name in PARTS if getattr(self, name) is not None)

    def cross_checks(self) -> Iterable[str]:
        if not self.parts:
            yield f"no part is given; give one or more of {', '.join(PARTS)}, or leave it out"
        if self.flanges is not None and self.output_pins is None:
            yield "flanges need output_pins, which press on them; give the block output_pins"

    def problems(self, spec: "CycloidalDriveSpec") -> Iterator[str]:
        """What does not fit the rest of the drive."""
        pins, flanges, rollers = self.output_pins, self.flanges, spec.output.rollers
        if pins is None:
            return
        if rollers is None:
            yield (
                "structure.output_pins does nothing when the disc is the output; remove it, or set "
                "output.kind to 'rollers'"
            )
            return
        radius = pins.radius or rollers.radius
        if radius > rollers.radius:
            yield (
                f"structure.output_pins.radius is {mm(radius)} and output.rollers.radius "
                f"{mm(rollers.radius)}; a pin must fit into its roller"
            )
        if flanges is not None and flanges.output_radius > rollers.circle_radius + 10 * radius:
            yield (
                f"structure.flanges.output_radius is {mm(flanges.output_radius)}, far outside of "
                f"the rollers' circle of {mm(rollers.circle_radius)}; check its unit"
            )


PARTS = ("output_pins", "flanges", "shaft", "housing")
