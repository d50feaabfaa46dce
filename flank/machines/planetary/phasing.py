"""When the teeth of each planet mesh: the phase of every mesh against the first planet's.

The phase is where a pair of teeth stands on its path of contact, in base pitches, from the roll
length of the first gear's flank at one pose of the gearbox. Up to whole pitches and with the sign
of the sun's turning against the carrier it is -z_s ψ_n/2π at the sun and z_r ψ_n/2π at the ring.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from flank.geometry.gear_pair import GearPair
from flank.machines.base import MeshPhases

if TYPE_CHECKING:
    from flank.machines.planetary.gearbox import PlanetaryGearbox


def mesh_phases(machine: PlanetaryGearbox) -> MeshPhases:
    """Of the loaded flanks, the input turning in its positive sense."""
    layout = machine.layout
    sun, ring, flank = machine.sun_pair(0).pair, machine.ring_pair(0).pair, machine.sun_flank
    speeds = machine.willis.angles(machine.spec.operation.input, 1.0)
    forward = flank if speeds.sun > speeds.carrier else -flank  # whether contact runs to the tip
    angles = np.array(machine.spec.planet_angles)
    pairs = zip(layout.planet_tooth_angles, angles, strict=True)
    at_sun = [_travelled(sun, flank, 0.0, psi, forward) for psi in angles]
    at_ring = [_travelled(ring, -flank, tooth, psi, forward) for tooth, psi in pairs]
    return MeshPhases(
        angles,
        _pitches(np.array(at_sun) - at_sun[0]),
        _pitches(np.array(at_ring) - at_ring[0]),
        float(_pitches(at_ring[0] - at_sun[0])),
        sun.first.teeth,
        ring.second.teeth,
    )


def _travelled(pair: GearPair, flank: int, tooth: float, direction: float, forward: int) -> float:
    """Base pitches that a pair of teeth has travelled since it came into contact."""
    start = pair.path[0] if forward > 0 else pair.path[1]
    return forward * (pair.roll(flank, tooth, direction) - start) / pair.base_pitch


def _pitches(travelled: NDArray | float) -> NDArray:
    """From 0 to 1, whole pitches and round-off taken away."""
    phase = np.mod(np.asarray(travelled), 1.0)
    return np.where(phase > 1.0 - 1e-9, 0.0, phase)
