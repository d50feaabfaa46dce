"""Forces and approaches of gear meshes that are springs, read from recorded poses."""

import numpy as np
from numpy.typing import NDArray

from flank.dynamics.mesh import fill_gap_row, flank_answer, flank_force, mesh_gap, mesh_line
from flank.dynamics.model import Model
from flank.kernel import kernel


def spring_mesh_forces(
    model: Model, springs: NDArray, position: NDArray, velocity: NDArray
) -> NDArray:
    """Normal forces (time, spring, flank) of some springs, flank +1 first; a pull is negative."""
    forces = np.zeros((len(position), len(springs), 2))
    _read(
        model.springs,
        np.ascontiguousarray(springs, dtype=np.int64),
        model.gears,
        np.ascontiguousarray(position),
        np.ascontiguousarray(velocity),
        np.zeros(6),
        forces,
    )
    return forces


def spring_mesh_approaches(model: Model, springs: NDArray, position: NDArray) -> NDArray:
    """How far flanks are pressed into each other (time, spring), in m; negative where they part."""
    found = np.zeros((len(position), len(springs)))
    numbers = np.ascontiguousarray(springs, dtype=np.int64)
    _read_approach(model.springs, numbers, np.ascontiguousarray(position), found)
    return found


@kernel
def _read_approach(springs, numbers, position, found):
    for t in range(position.shape[0]):
        for k in range(numbers.shape[0]):
            spring = springs[numbers[k]]
            line = mesh_line(spring, position[t])
            gap = min(mesh_gap(spring, line, 1.0), mesh_gap(spring, line, -1.0))
            if spring.flank != 0.0:  # of a mesh that also pulls, either way counts
                gap = -abs(mesh_gap(spring, line, float(spring.flank)))
            found[t, k] = -gap if line.exists else 0.0


@kernel
def _read(springs, numbers, gears, position, velocity, row, forces):
    for t in range(position.shape[0]):
        for k in range(numbers.shape[0]):
            spring = springs[numbers[k]]
            a = spring.body_a
            b = spring.body_b
            line = mesh_line(spring, position[t])
            for flank in range(2):
                side = 1.0 - 2.0 * flank
                if not line.exists or spring.flank * side < 0.0:
                    continue
                gap = mesh_gap(spring, line, side)
                force, stiffness, _energy, _pull, _cross, _bend = flank_answer(
                    spring, gears, line, side, position[t, a, 2], gap, 0.0
                )
                fill_gap_row(row, line, side, spring.a_base_radius, spring.b_base_radius)
                rate = 0.0
                for i in range(3):
                    rate += row[i] * velocity[t, a, i] + row[3 + i] * velocity[t, b, i]
                forces[t, k, flank] = flank_force(spring, force, stiffness, rate)
