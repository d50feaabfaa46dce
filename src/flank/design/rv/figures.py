"""Figures of an RV reducer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flank.design.cranks.figures import CrankFigures
from flank.design.pins.figures import PinFigures

if TYPE_CHECKING:
    from flank.machines.rv.reducer import RvReducer


class RvFigures(PinFigures, CrankFigures):
    """Of an `RvReducer`: those of its pins, and those of its cranks."""

    machine: RvReducer

    thinnest_wall = CrankFigures.thinnest_wall

    @property
    def disc_bodies(self) -> list[int]:
        return [int(body) for body in self.machine.layout.rim]

    def mesh_loss(self) -> float:
        return self.pin_loss()

    def loss_share(self) -> float:
        return CrankFigures.loss_share(self)
