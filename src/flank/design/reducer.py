"""Figures that every reducer has, from the static solves of loads.py."""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING, Any

from flank.design.figure import Figures, figure
from flank.design.loads import LoadLine

if TYPE_CHECKING:
    from flank.machines.machine import RatedMachine


class ReducerFigures(Figures):
    """Of a machine between one input and one output."""

    machine: RatedMachine

    @cached_property
    def line(self) -> LoadLine:
        """Angle of the output over the torque, the input locked."""
        machine: Any = self.solved
        return LoadLine(machine, self.machine.spec.largest_torque)

    @property
    def solved(self) -> Any:
        """The machine whose equilibria are sought: a check waits for no finite elements."""
        return getattr(self.machine, "by_formulas", self.machine)

    def present(self, key: str) -> Any:
        if key == "peak_torque":
            return self.machine.spec.largest_torque
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
        return self.machine.spec.largest_torque

    @figure("backlash", "rad", "arcmin", "Play and stiffness")
    def backlash(self) -> float:
        """Between ±0.1 % of the rated torque, the input locked at zero."""
        return self.line.backlash

    @figure("lost motion at ±3 % of the rated torque", "rad", "arcmin", "Play and stiffness")
    def lost_motion(self) -> float:
        return self.line.lost_motion

    @figure("torsional stiffness", "N*m/rad", "N*m/arcmin", "Play and stiffness")
    def stiffness(self) -> float:
        """Secant from 50 to 100 % of the rated torque."""
        return self.line.stiffness

    @figure("wind-up at rated torque", "rad", "arcmin", "Play and stiffness")
    def wind_up(self) -> float:
        """What elasticity alone gives way by at the rated torque: T/K."""
        return self.machine.rated_torque / self.stiffness if self.stiffness else math.nan
