"""Figures of a cycloidal drive."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from flank.design.figure import figure
from flank.design.pins.figures import PinFigures

if TYPE_CHECKING:
    from flank.machines.cycloidal.drive import CycloidalDrive


class CycloidalFigures(PinFigures):
    """Of a `CycloidalDrive`."""

    machine: CycloidalDrive

    def present(self, key: str) -> Any:
        if key == "output.rollers.hole_radius":
            return self.machine.spec.roller_hole_radius
        return super().present(key)

    @figure("wall between output hole and root", "m", "mm", "Walls")
    def wall_to_root(self) -> float | None:
        """Between the valleys of the flank and the output holes; to the bore without any."""
        spec, rollers = self.machine.spec, self.machine.spec.output.rollers
        if rollers is None:
            return self.profile.root_radius - spec.discs.bore_radius
        return self.profile.root_radius - rollers.circle_radius - spec.roller_hole_radius

    @figure("wall between output hole and bore", "m", "mm", "Walls")
    def wall_to_bore(self) -> float | None:
        spec, rollers = self.machine.spec, self.machine.spec.output.rollers
        if rollers is None:
            return None
        return rollers.circle_radius - spec.roller_hole_radius - spec.discs.bore_radius

    @figure("wall between output holes", "m", "mm", "Walls")
    def wall_between_holes(self) -> float | None:
        spec, rollers = self.machine.spec, self.machine.spec.output.rollers
        if rollers is None:
            return None
        apart = 2 * rollers.circle_radius * math.sin(math.pi / rollers.count)
        return apart - 2 * spec.roller_hole_radius
