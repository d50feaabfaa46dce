"""Beams in the engine: four rows of three coordinates each, their elastic forces and their mass.

The consistent mass of a Hermite element, ∫ ρA N_i N_j ds, couples rows and is the same for each of
their coordinates; it does not change with the pose.
"""

import numpy as np

from flank.arrays import Floats, Rows
from flank.dynamics.model import BEAMS, ROUND_OFF
from flank.dynamics.packing import new_row
from flank.dynamics.scatter import add_to_core
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
def add_beams(model, beams, position, target):
    """Add all beams to the forces and the tangent; returns (energy, largest force of one)."""
    energy = 0.0
    largest = 0.0
    table = target.element
    for k in range(model.counts[BEAMS]):
        beam = beams[k]
        rows = beam.rows
        for i in range(4):
            for c in range(3):
                table[NODES + i, c] = position[rows[i], c]
        energy += beam_energy(beam, target.geometric_factor, table)
        for i in range(4):
            body = rows[i]
            for c in range(3):
                value = table[GRADIENT, 3 * i + c]
                target.force[body, c] -= value
                largest = max(largest, abs(value) / model.weights[body, c])
                row = 3 * (body - 1) + c
                for j in range(12):
                    column = 3 * (rows[j // 3] - 1) + j % 3
                    add_to_core(target, row, column, table[HESSIAN + 3 * i + c, j])
    return energy, largest


@kernel(internal=True)
def add_beam_inertia(model, beams, acceleration, factor, target):
    """Take M a off the forces, add factor M to the tangent; returns the largest force of one."""
    largest = 0.0
    for k in range(model.counts[BEAMS]):
        beam = beams[k]
        rows = beam.rows
        for i in range(4):
            body = rows[i]
            for c in range(3):
                inertia = 0.0
                for j in range(4):
                    other = rows[j]
                    inertia += beam.mass[i, j] * acceleration[other, c]
                    share = factor * beam.mass[i, j]
                    add_to_core(target, 3 * (body - 1) + c, 3 * (other - 1) + c, share)
                target.force[body, c] -= inertia
                largest = max(largest, abs(inertia) / model.weights[body, c])
    return largest


def beam_row(
    rows: tuple[int, int, int, int], nodes: Floats, length: float, section: Section
) -> np.void:
    """The BEAM row of an element that is free of stress with its `nodes` (4, 3) as they are."""
    if not length > 0:
        raise ValueError("a beam needs a positive length")
    row = new_row(BEAM, rows=rows, length=length)
    row["axial_stiffness"] = section.axial_stiffness
    row["bending_stiffness"] = section.bending_stiffness
    row["mass"] = _consistent_mass(section.mass_per_length, length)
    for k in range(STRETCH_POINTS):
        tangent, _ = _derivatives(nodes, 0.5 * k, length)
        row["squared_slope"][k] = tangent @ tangent
    for k in range(BENDING_POINTS):
        tangent, second = _derivatives(nodes, 0.5 + (2 * k - 1) * GAUSS, length)
        curvature = np.cross(tangent, second) / (tangent @ tangent)
        if np.hypot(*curvature[:2]) * length > OUT_OF_PLANE:
            raise ValueError("a curved beam must lie in a plane of constant z")
        row["curvature"][k] = curvature[2]
    return row


def _derivatives(nodes: Floats, share: float, length: float) -> tuple[Floats, Floats]:
    """r' and r'' at s = `share` length, by the kernel's source: it has no Python entry."""
    table = np.zeros((TABLE_ROWS, 12))
    table[NODES : NODES + 4, :3] = nodes
    differentiate(share, length, table)
    return table[TANGENT, :3], table[TANGENT_RATE, :3]


def _consistent_mass(mass_per_length: float, length: float) -> Floats:
    """∫ ρA N_i N_j ds of the Hermite polynomials."""
    square = length**2
    pattern = [
        [156, 22 * length, 54, -13 * length],
        [22 * length, 4 * square, 13 * length, -3 * square],
        [54, 13 * length, 156, -22 * length],
        [-13 * length, -3 * square, -22 * length, 4 * square],
    ]
    return mass_per_length * length / 420 * np.array(pattern)


@kernel(internal=True)
def heaviest_beam(beams, count):
    """Largest mass that a node has of one beam."""
    heaviest = 0.0
    for k in range(count):
        heaviest = max(heaviest, beams[k].mass[0, 0])
    return heaviest


def mass_matrices(mass: Floats, beams: Rows) -> Floats:
    """(3, bodies, bodies): how the bodies' accelerations in each coordinate become forces."""
    matrices = np.array([np.diag(column) for column in mass.T])
    for beam in beams:
        matrices[:, beam["rows"][:, None], beam["rows"]] += beam["mass"]
    return matrices


def beam_floor(reach: float, beams: list[np.void]) -> float:
    """Force that the round-off of coordinates up to `reach` leaves along or across the worst beam:
    none can be balanced better."""
    stiffest = max(
        (
            max(b["axial_stiffness"] / length, 12 * b["bending_stiffness"] / length**3)
            for b in beams
            for length in [float(b["length"])]
        ),
        default=0.0,
    )
    return float(ROUND_OFF * reach * stiffest)
