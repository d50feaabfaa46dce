"""The play of an RV reducer with rigid parts, from its kinematics alone."""

import math

import numpy as np

from flank.machines.rv.reducer import RvReducer

SHARES = np.linspace(-0.3, 1.2, 3600)
"""How far a disc may roll on the pins as the carrier turns by one."""


def free_play(machine: RvReducer, clearance: float) -> float:
    """Backlash in rad of the rigid machine with turning-arm clearance c.

    The carrier turns by θ with the sun held, a crank by (1 + z1/z2) θ, and a disc rolls by φ on
    the pins: in hole k the eccentric moves against the disc by
    R_c (θ - φ) t_k + e ((1 + z1/z2) θ + z_c φ) n, n across the crank. A roller lets it move by c.
    """
    play = min(_play_of_disc(machine, phase, clearance) for phase in machine.layout.phases)
    return 2 * play


def _play_of_disc(machine: RvReducer, phase: float, clearance: float) -> float:
    """The farthest turn of the carrier that some rolling of the disc allows."""
    spec, count = machine.spec, machine.size.turning_arm.count
    stage = spec.first_stage
    follow = 1 + stage.sun_teeth / stage.planet_teeth
    rollers = 2 * math.pi * np.arange(count) / count
    normals = np.column_stack((np.cos(rollers), np.sin(rollers)))
    angles = np.asarray(machine.layout.crank_angles)
    along = np.column_stack((-np.sin(angles), np.cos(angles)))
    across = np.array([-math.sin(phase), math.cos(phase)])
    best = 0.0
    for share in SHARES:
        moves = spec.cranks.circle_radius * (1 - share) * along
        moves = moves + spec.eccentricity * (follow + machine.lobes * share) * across
        best = max(best, clearance / float((normals @ moves.T).max()))
    return best
