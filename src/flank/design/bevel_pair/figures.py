"""Figures of two gears in space, from their loaded flanks in one position.

Pressures are those of the contact itself, crowned and misaligned as it is, not of a norm: ISO 10300
is not computed. Bodies that are finite elements by the spec are taken as beams and plates here, as
a check waits for no elements.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from flank.contact.spatial.loaded_flanks import NoEquilibrium
from flank.design.figure import figure
from flank.design.gears.figures import torsion
from flank.design.gears.strength_figures import GearFigures
from flank.design.kept import kept

if TYPE_CHECKING:
    from flank.contact.spatial.loaded_flanks import FlankLoad, LoadedFlanks
    from flank.machines.bevel_pair.machine import BevelPairMachine

UNREAD: dict[str, Any] = {
    "title": True,
    "rated_torque": True,
    "peak_torque": True,
    "operation": True,
    "input_shaft": True,
    "output_shaft": True,
}
"""Of the spec, by flanks under a torque on rigid axes."""

CARRIES = 1e-3
"""Of the largest force of a section: below, it carries nothing to speak of."""


class BevelFigures(GearFigures):
    """Of a `BevelPairMachine`."""

    machine: BevelPairMachine

    @cached_property
    def _flanks(self) -> LoadedFlanks:
        machine: Any = self.machine
        if machine.spec.mesh.influence == "fe":
            machine = type(machine)(machine.spec.with_changes({"mesh.influence": "beam"}))

        def made() -> LoadedFlanks:
            flanks: LoadedFlanks = machine.loaded_flanks(friction=0.0)
            return flanks

        return made() if machine.extra else kept("flanks", machine.spec, UNREAD, made)

    def _under(self, torque: float) -> FlankLoad | None:
        if self.machine.extra:
            return self._solved(torque)
        name = f"load under {torque!r}"
        return kept(name, self.machine.spec, UNREAD, lambda: self._solved(torque))

    def _solved(self, torque: float) -> FlankLoad | None:
        try:
            load = self._flanks.under(0.0, torque)
        except NoEquilibrium:
            return None
        return load if load.solved else None

    @cached_property
    def _rated(self) -> FlankLoad | None:
        return self._under(self.machine.rated_torque)

    @cached_property
    def _peak(self) -> FlankLoad | None:
        return self._under(self.machine.spec.largest_torque)

    @cached_property
    def weaker_flank(self) -> float | None:
        """σ_Hlim of the softer material in Pa, None where one is not known."""
        first, second = self.strengths(*self.blocks)
        return None if first is None or second is None else min(first.flank, second.flank)

    @figure("common factor of the teeth", group="Ratio")
    def common_factor(self) -> float:
        spec = self.machine.spec
        return math.gcd(spec.pinion.teeth, spec.wheel.teeth)

    @figure("largest pressure on the flanks", "Pa", "MPa", "At rated torque")
    def pressure(self) -> float:
        return math.nan if self._rated is None else float(self._rated.pressure.max())

    @figure("pairs of teeth that carry", group="At rated torque")
    def carrying(self) -> float:
        load = self._rated
        if load is None:
            return math.nan
        return len(np.unique(load.tooth[load.force > CARRIES * load.force.max()]))

    @figure("distance of the contact from the tips' edges", "m", "mm", "At rated torque")
    def edge_distance(self) -> float:
        """Up the profile, of sections that carry; zero or less where an edge bears."""
        load = self._rated
        if load is None:
            return math.nan
        return float(load.edge_distance[load.force > 0.05 * load.force.max()].min())

    @figure("largest pressure on the flanks", "Pa", "MPa", "At peak torque")
    def peak_pressure(self) -> float:
        return math.nan if self._peak is None else float(self._peak.pressure.max())

    @figure("pressure over strength σ_Hlim", group="Strength")
    def pressure_share(self) -> float | None:
        return None if self.weaker_flank is None else self.pressure / self.weaker_flank

    @figure("pressure over strength σ_Hlim at peak", group="Strength")
    def peak_pressure_share(self) -> float | None:
        return None if self.weaker_flank is None else self.peak_pressure / self.weaker_flank

    @figure("stiffness of the mesh about the wheel", "N*m/rad", "N*m/arcmin", "Play and stiffness")
    def stiffness(self) -> float:
        return math.nan if self._rated is None else self._rated.stiffness

    @figure("mesh over natural frequency N", group="Vibration")
    def resonance(self) -> float:
        """Of both members turning against each other on the mesh."""
        machine = self.machine
        pinion, wheel = machine.inertias
        natural = math.sqrt(self.stiffness * (1 / wheel + 1 / (pinion * machine.ratio**2)))
        return machine.spec.pinion.teeth * abs(machine.spec.operation.input_speed) / natural

    @figure("distance of N from 1", group="")
    def resonance_distance(self) -> float:
        return abs(self.resonance - 1)

    @figure("shear stress in a shaft that fills the wheel's bore", "Pa", "MPa", "At peak torque")
    def wheel_shaft_stress(self) -> float | None:
        """Pinions mostly are one piece with their shafts, so that none is asked of them."""
        spec = self.machine.spec
        bore = spec.wheel.body.bore_diameter
        return None if not bore else torsion(spec.largest_torque, 0.5 * bore)
