"""Output rollers of a reducer with cranks: on the carrier's pillars, in the holes of the discs.

One crank leaves a disc free to turn about its eccentric. Rollers on the carrier in holes of the
disc, wider than they by the eccentricity, hold it: whatever turns the disc turns the carrier with
it, as in a cycloidal drive. Their pins are the pillars that join the flanges, beams clamped in both
with a body at every disc.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from flank.contact import Disc, Surface
from flank.dynamics.builder import ModelBuilder
from flank.elasticity.line_contact import Cylinder
from flank.elasticity.material import contact_modulus, tangential_ratio
from flank.machines.base import LinePressure
from flank.machines.contact_laws import damping_law, friction_law, pair_law
from flank.machines.crank_reducer.geometry import flank_run_out
from flank.machines.holes import add_in_hole
from flank.machines.output_rollers import RollersSpec

if TYPE_CHECKING:
    from flank.machines.crank_reducer.reducer import CrankReducer


@dataclass(frozen=True)
class OutputRollers:
    """Puts the rollers of a reducer that has some into a model."""

    machine: CrankReducer
    spec: RollersSpec

    def add_to(self, builder: ModelBuilder) -> None:
        """A contact for every disc and roller."""
        rollers, spec, layout = self.spec, self.machine.spec, self.machine.layout
        size, length = self.machine.size, rollers.length or self.machine.size.disc_width
        disc, roller = spec.elastic(spec.discs.material), spec.elastic(rollers.material)
        ratio = tangential_ratio(disc, roller)
        friction = friction_law(spec.friction, spec.friction.rollers or 0.0, ratio)
        around = Cylinder(size.pillar_hole_radius, disc)
        law = pair_law(spec.contact, around, Cylinder(rollers.radius, roller), length)
        surface = Surface(law, damping_law(spec.contact), friction)
        pressure = LinePressure(length, contact_modulus(disc, roller))
        sizes = {"disc": spec.discs.count, "roller": rollers.count}
        with builder.part("roller", "output rollers", sizes, pressure):
            for (j, k), pin in np.ndenumerate(layout.roller_pin):
                x, y = layout.roller_places(j)[k]
                first = layout.phases[j] / layout.crank_ratio
                off_x, off_y = flank_run_out(self.machine.errors, j, first)
                hole = Disc(layout.web[j], x - off_x, y - off_y, size.pillar_hole_radius)
                centre = layout.roller_places()[k] if pin == layout.flange[0] else (0.0, 0.0)
                inside = Disc(int(pin), *centre, rollers.radius)
                add_in_hole(builder, hole, [inside], surface, rollers.wall_segments)
