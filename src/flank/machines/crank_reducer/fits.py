"""Fits of bearings and bolted joints that give way: springs in series with what they hold, each a
part of its own. A compliance of zero is none, and then there is no body between.

    fit of a bearing    1/c against shifts, r²/c against turns, r the seat's radius: what slips in
                        its seat along the circle gives way as it does across
    joint of flange 1   1/c at each of n pillars on the radius R: n/c, and n R²/c against turns
    joint of flange 2   the driven part turns by c T
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from flank.dynamics.builder import ORIGIN, ModelBuilder
from flank.dynamics.tables import GROUND
from flank.machines.round_parts import Point

if TYPE_CHECKING:
    from flank.machines.crank_reducer.reducer import CrankReducer


@dataclass(frozen=True)
class Fits:
    """Puts what gives way between parts into a model."""

    machine: CrankReducer
    builder: ModelBuilder

    def add_all(self) -> None:
        """Those that the spec gives."""
        spec = self.machine.spec
        if compliance := spec.turning_arm.fit_compliance:
            with self.builder.part("turning_arm_fits", "fits of the turning arms"):
                self._add_arms(compliance)
        if compliance := spec.supports.fit_compliance:
            with self.builder.part("support_fits", "fits of the supports"):
                self._add_supports(compliance)
        if compliance := spec.main_bearings.fit_compliance:
            with self.builder.part("main_bearing_fits", "fits of the main bearings"):
                self._add_main_bearings(compliance)
        if compliance := spec.carrier.joint_compliance:
            with self.builder.part("carrier_joint", "joint of flange 1 with its pillars"):
                self._add_joint(compliance)
        if compliance := spec.carrier.output_compliance:
            with self.builder.part("output_joint", "joint of flange 2 with the driven part"):
                self._add_output(compliance)

    def _add_arms(self, compliance: float) -> None:
        layout, radius = self.machine.layout, self.machine.size.turning_arm.race_radius
        for (k, j), race in np.ndenumerate(layout.arm_race):
            place = self.machine.eccentric_place(k, j)
            self._fit(int(layout.eccentric[k, j]), int(race), compliance, radius, place)

    def _add_supports(self, compliance: float) -> None:
        layout, radius = self.machine.layout, self.machine.size.support.race_radius
        for at, race in np.ndenumerate(layout.support_race):
            self._fit(int(layout.journal[at]), int(race), compliance, radius)

    def _add_main_bearings(self, compliance: float) -> None:
        size = self.machine.size
        radius = size.main_circle_radius + size.ball_radius
        for seat in self.machine.layout.main_seat:
            self._fit(GROUND, seat, compliance, radius)

    def _add_joint(self, compliance: float) -> None:
        size, layout = self.machine.size, self.machine.layout
        radius, all_pillars = size.pillar_circle_radius, compliance / size.pillar_count
        self._fit(layout.pillar_head, layout.flange[0], all_pillars, radius)

    def _add_output(self, compliance: float) -> None:
        layout, damping = self.machine.layout, self.machine.spec.structural_damping
        self.builder.revolute(layout.flange[-1], layout.output_body)
        ends = layout.flange[-1], layout.output_body
        self.builder.torsion_spring(*ends, 1 / compliance, damping / compliance)

    def _fit(
        self, holder: int, held: int, compliance: float, radius: float, place: Point = ORIGIN
    ) -> None:
        """A body in its seat, which is at a place of the holder."""
        shift, damping = 1 / compliance, self.machine.spec.structural_damping
        turn = shift * radius**2
        self.builder.bushing(holder, held, shift, damping * shift, at_a=place)
        self.builder.torsion_spring(holder, held, turn, damping * turn)
