"""Rollers of a carrier in holes of discs, which let a disc circle and keep it from turning."""

from collections.abc import Iterator

from flank.machines.holes import HoleProfileSpec
from flank.machines.quantities import PositiveLength, RollerCount
from flank.machines.spec import key, optional
from flank.texts import mm

LARGEST_ROLLER_PRELOAD = 0.01
"""Share of the roller radius up to which a tight hole is preload and not a jam."""


class RollersSpec(HoleProfileSpec):
    """The output rollers and the holes of the disc in which they run."""

    count: RollerCount = key("the number of rollers", 8)
    circle_radius: PositiveLength = key("the radius of the circle of roller centres", "42 mm")
    radius: PositiveLength = key("the radius of a roller", "5 mm")
    hole_radius: PositiveLength | None = optional(
        "the radius of a hole; roller radius plus eccentricity if absent", "6.31 mm"
    )
    length: PositiveLength | None = optional(
        "the length of a roller; the disc width if absent", "9 mm"
    )
    material: str = key("the name of a material", default="steel")

    def hole(self, eccentricity: float) -> float:
        """Radius of a hole, given or not."""
        return self.hole_radius or self.radius + eccentricity

    def hole_problems(self, block: str, eccentricity: float) -> Iterator[str]:
        """Whether a roller finds room in its hole."""
        hole, needed = self.hole(eccentricity), self.radius + eccentricity
        preload = LARGEST_ROLLER_PRELOAD * self.radius
        if hole < needed - preload:
            yield (
                f"{block}.hole_radius is {mm(hole)}; the roller needs "
                f"{mm(needed)} (roller radius plus eccentricity)"
            )
            return
        yield from self.chord_problems(block, hole, hole - needed + preload)
