"""When the teeth of each planet mesh: the phase of every mesh against the first planet's.

Contact runs along the path as the sun turns towards its loaded flank, and against that where the
sun is driven. Up to whole pitches, and with the sign of the sun's turning against the carrier, the
phases are -z_s ψ_n/2π at the sun and z_r ψ_n/2π at the ring.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flank.machines.base import MeshPhases, pitches

if TYPE_CHECKING:
    from flank.machines.planetary.gearbox import PlanetaryGearbox


def mesh_phases(machine: PlanetaryGearbox) -> MeshPhases:
    """Of the loaded flanks, the input turning in its positive sense."""
    gears, flank = machine.layout.gears, machine.sun_flank
    turned = machine.kinematics.angles(machine.spec.operation.input, 1.0)
    sense = flank if turned.sun > turned.carrier else -flank
    positions = [gears.mesh_positions(n, 0.0, flank) for n in range(gears.planets)]
    sun, ring = sense * np.array(positions).T
    return MeshPhases(
        np.array(gears.directions),
        pitches(sun - sun[0]),
        pitches(ring - ring[0]),
        float(pitches(ring[0] - sun[0])),
    )
