"""Figures of every machine that is rated for a torque."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flank.design.figure import Figures, figure

if TYPE_CHECKING:
    from flank.machines.machine import RatedMachine


class RatedFigures(Figures):
    """Of a machine between one input and one output."""

    machine: RatedMachine

    @property
    def spec(self) -> Any:
        return self.machine.spec

    def present(self, key: str) -> Any:
        if key == "peak_torque":
            return self.spec.largest_torque
        return super().present(key)

    @figure("ratio", group="Ratio")
    def ratio(self) -> float:
        """Of input over output; negative where they turn against each other."""
        return self.machine.ratio

    @figure("rated torque", "N*m", "N*m", "Ratio")
    def rated_torque(self) -> float:
        return self.machine.rated_torque

    @figure("peak torque", "N*m", "N*m", "Ratio")
    def peak_torque(self) -> float:
        return float(self.spec.largest_torque)

    @figure("peak torque over rated torque", group="")
    def peak_share(self) -> float:
        return float(self.spec.largest_torque) / self.machine.rated_torque

    @figure("load at the operating point over the rated torque", group="")
    def operating_share(self) -> float:
        return float(abs(self.spec.operation.torque) / self.machine.rated_torque)
