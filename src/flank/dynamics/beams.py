"""Beams in the engine: four rows of three coordinates each, their elastic forces and their mass.

The consistent mass of a Hermite element, ∫ ρA N_i N_j ds, couples rows and is the same for each of
their coordinates; it does not change with the pose.
"""

import numpy as np

from flank.arrays import Floats, Rows
from flank.dynamics.tables import BEAM
from flank.elasticity.ancf import (
    BENDING_POINTS,
    GAUSS,
    GRADIENT,
    HESSIAN,
    NODES,
    STRETCH_POINTS,
    TABLE_ROWS,
    TANGENT,
    TANGENT_RATE,
    beam_energy,
    differentiate,
)
from flank.elasticity.section import Section
from flank.kernel import kernel

OUT_OF_PLANE = 1e-9
"""Turn of a curved element's tangent out of the plane, in rad, that counts as none."""


@kernel(internal=True)
def add_beams(beams, count, weights, position, geometric_factor, table, force, core):
    """Add all beams to the forces and the tangent; returns (energy, largest force of one).

    None for a model without beams, whose kernels are then compiled without them.
    """
    energy = 0.0
    largest = 0.0
    if beams is None:
        return energy, largest
    for k in range(count):
        beam = beams[k]
        rows = beam.rows
        for i in range(4):
            for c in range(3):
                table[NODES + i, c] = position[rows[i], c]
        energy += beam_energy(beam, geometric_factor, table)
        for i in range(4):
            body = rows[i]
            for c in range(3):
                value = table[GRADIENT, 3 * i + c]
                force[body, c] -= value
                largest = max(largest, abs(value) / weights[body, c])
                row = 3 * (body - 1) + c
                for j in range(12):
                    core[row, 3 * (rows[j // 3] - 1) + j % 3] += table[HESSIAN + 3 * i + c, j]
    return energy, largest


@kernel(internal=True)
def add_beam_inertia(beams, count, weights, acceleration, factor, force, core):
    """Take M a off the forces, add factor M to the tangent; returns the largest force of one."""
    largest = 0.0
    if beams is None:
        return largest
    for k in range(count):
        beam = beams[k]
        rows = beam.rows
        for i in range(4):
            body = rows[i]
            for c in range(3):
                inertia = 0.0
                for j in range(4):
                    other = rows[j]
                    inertia += beam.mass[i, j] * acceleration[other, c]
                    core[3 * (body - 1) + c, 3 * (other - 1) + c] += factor * beam.mass[i, j]
                force[body, c] -= inertia
                largest = max(largest, abs(inertia) / weights[body, c])
    return largest


def beam_row(
    rows: tuple[int, int, int, int], nodes: Floats, length: float, section: Section
) -> np.void:
    """The BEAM row of an element that is free of stress with its `nodes` (4, 3) as they are."""
    if not length > 0:
        raise ValueError("a beam needs a positive length")
    row: np.void = np.zeros(1, dtype=BEAM)[0]
    row["rows"], row["length"] = rows, length
    row["axial_stiffness"] = section.axial_stiffness
    row["bending_stiffness"] = section.bending_stiffness
    row["mass"] = _consistent_mass(section.mass_per_length, length)
    for k in range(STRETCH_POINTS):
        tangent, _ = _derivatives(nodes, 0.5 * k, length)
        row["squared_slope"][k] = tangent @ tangent
    for k in range(BENDING_POINTS):
        tangent, bend = _derivatives(nodes, 0.5 + (2 * k - 1) * GAUSS, length)
        curvature = np.cross(tangent, bend) / (tangent @ tangent)
        if np.hypot(*curvature[:2]) * length > OUT_OF_PLANE:
            raise ValueError("a curved beam must lie in a plane of constant z")
        row["curvature"][k] = curvature[2]
    return row


def _derivatives(nodes: Floats, share: float, length: float) -> tuple[Floats, Floats]:
    """r' and r'' at s = `share` length, by the kernel's source: it has no Python entry."""
    table = np.zeros((TABLE_ROWS, 12))
    table[NODES : NODES + 4, :3] = nodes
    differentiate.py_func(share, length, table)
    return table[TANGENT, :3], table[TANGENT_RATE, :3]


def _consistent_mass(mass_per_length: float, length: float) -> Floats:
    """∫ ρA N_i N_j ds of the Hermite polynomials."""
    one, two = length, length**2
    pattern = [
        [156, 22 * one, 54, -13 * one],
        [22 * one, 4 * two, 13 * one, -3 * two],
        [54, 13 * one, 156, -22 * one],
        [-13 * one, -3 * two, -22 * one, 4 * two],
    ]
    return mass_per_length * length / 420 * np.array(pattern)


@kernel(internal=True)
def heaviest_beam(beams, count):
    """Largest mass that a node has of one beam."""
    heaviest = 0.0
    if beams is None:
        return heaviest
    for k in range(count):
        heaviest = max(heaviest, beams[k].mass[0, 0])
    return heaviest


def mass_matrices(mass: Floats, beams: Rows | None) -> Floats:
    """(3, bodies, bodies): how the bodies' accelerations in each coordinate become forces."""
    matrices = np.array([np.diag(column) for column in mass.T])
    for beam in () if beams is None else beams:
        matrices[:, beam["rows"][:, None], beam["rows"]] += beam["mass"]
    return matrices
