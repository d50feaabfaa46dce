"""The lowest modes of a gear, whatever their number of waves, and how they look from the front.

Harmonics are gone through from n = 0 on. Short waves are stiff, so once a few harmonics in a row
(`IDLE`) have nothing among the lowest modes, none of the others has.

The front is what one sees of a gear along its axis from above: the upper sides of the cells that
have none above them, whose corners are the points here. Tooth t is the sector turned by 2πt/z, and
moves as the real part of displacement × e^{2πi n t/z}, turned alike; the imaginary part is the
second mode where 0 < n < z/2.
"""

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np

from flank.arrays import AnyArray, ComplexNumbers, Floats, Integers
from flank.blas import one_blas_thread
from flank.elasticity.finite_elements.cyclic import (
    HELD,
    Centre,
    CyclicGear,
    Modes,
    cyclic_gear,
    harmonic_matrix,
    harmonic_modes,
    harmonic_motions,
)
from flank.elasticity.finite_elements.influence import (
    FlankGrid,
    check_grid,
    check_support,
    flank_forces,
)
from flank.elasticity.finite_elements.sector_mesh import (
    ELEMENTS,
    GearBody,
    MeshDensity,
    SectorMesh,
    check_sector,
    sector_mesh,
)
from flank.elasticity.finite_elements.store import stored
from flank.elasticity.material import Material
from flank.geometry.gear import Gear

DENSITY = MeshDensity(tooth=4, flank=3, layers=3)
"""Fine enough for frequencies of bodies, see docs/theory/gear_finite_elements.md."""

GRID = FlankGrid(profile=5, face=1, teeth=0)
"""Means across the face: a load that is even there sees no more."""

IDLE = 2
"""Harmonics in a row without a mode among the lowest after which the search ends."""

CORNERS = ((0, 0), (1, 0), (1, 1), (0, 1))
"""Of a side of a cell, around it."""


@dataclass(frozen=True, eq=False)
class ModeShapes:
    """Elastic modes (m,) by rising frequency in Hz; a pair of one frequency counts once.

    `energy` (m, 3) are shares of the kinetic energy of radial, tangential and axial motion;
    `flank_amplitude` the effective value, over all flanks, of the displacement along their normal,
    in the mean across the face, over that of the displacement of the gear's mass. `points` (P, 3)
    and `cells` (C, 4) are the front of one sector, `displacement` (m, P, 3) its motion along x, y
    and z, over the largest of the mode anywhere in the gear.
    """

    harmonic: Integers
    frequency: Floats
    energy: Floats
    flank_amplitude: Floats
    points: Floats
    cells: Integers
    displacement: ComplexNumbers
    teeth: int

    @property
    def times(self) -> Integers:
        """How many modes have each frequency by symmetry: two where waves can be shifted."""
        return np.where(_alone(self.harmonic, self.teeth), 1, 2)


def mode_shapes(
    gear: Gear,
    body: GearBody,
    material: Material,
    count: int,
    centre: Centre = HELD,
    density: MeshDensity = DENSITY,
    support: float | None = None,
) -> ModeShapes:
    """The `count` lowest elastic modes of all harmonics; rigid motions that are free are none.
    `support` as in `flank_influence`."""
    check_sector(gear, body, density)
    check_grid(gear, GRID, density)
    if count < 1:
        raise ValueError(f"at least one mode is needed, not {count}")
    check_support(support)
    inputs = (gear, body, material, count, centre, density, support)
    arrays: dict[str, Any] = dict(stored("shapes", inputs, functools.partial(_arrays, *inputs)))
    return ModeShapes(**(arrays | {"teeth": gear.teeth}))


def _arrays(
    gear: Gear, body: GearBody, material: Material, count: int, centre: Centre,
    density: MeshDensity, support: float | None,
) -> dict[str, AnyArray]:  # fmt: skip
    mesh = sector_mesh(gear, body, density)
    rolls = np.linspace(mesh.roll_knots[0], mesh.roll_knots[-1], GRID.profile)
    front, cells = _front(mesh)
    with one_blas_thread():
        sector = cyclic_gear(mesh, material, support)
        flank = sector.loads(flank_forces(gear, mesh, rolls, GRID.face))
        lowest = _lowest_modes(sector, count, centre)
        read = [_read(sector, modes, flank, front) for modes in lowest]
    joined = {name: np.concatenate([part[name] for part in read]) for name in read[0]}
    order = np.argsort(joined["frequency"], kind="stable")[:count]
    return {
        **{name: values[order] for name, values in joined.items()},
        "points": mesh.nodes[front],
        "cells": cells,
    }


def _lowest_modes(sector: CyclicGear, count: int, centre: Centre) -> list[Modes]:
    """Elastic modes by harmonic, the `count` lowest of all among them."""
    searched: list[Modes] = []
    lowest = np.full(count, np.inf)
    idle = 0
    for harmonic in range(sector.teeth // 2 + 1):
        rigid = harmonic_motions(sector.positions[:0], harmonic, centre).shape[1]
        modes = harmonic_modes(sector, harmonic, count + rigid, centre)
        elastic = modes.frequencies[rigid:]
        idle = idle + 1 if elastic[0] > lowest[-1] else 0
        if idle == IDLE:
            break
        lowest = np.sort(np.append(lowest, elastic))[:count]
        searched.append(modes._replace(frequencies=elastic, shapes=modes.shapes[:, rigid:]))
    return searched


def _read(sector: CyclicGear, modes: Modes, flank: Floats, front: Integers) -> dict[str, AnyArray]:
    """What is kept of the modes of one harmonic, whose modal masses are one."""
    count, shapes = len(modes.frequencies), modes.shapes
    mass = harmonic_matrix(sector.mass, sector.teeth, modes.harmonic)
    energy = np.empty((count, 3))
    for axis in range(3):
        part = np.zeros_like(shapes)
        part[axis::3] = shapes[axis::3]
        energy[:, axis] = np.sum(part.conj() * (mass @ part), axis=0).real
    in_phase = 1.0 if _alone(np.array(modes.harmonic), sector.teeth) else 0.5
    square = in_phase * np.mean(np.abs(flank.T @ shapes) ** 2, axis=0)
    phase = np.exp(2j * np.pi * modes.harmonic / sector.teeth)
    moved = (sector.spread[0] @ shapes + phase * (sector.spread[1] @ shapes)).T
    moved = moved.reshape(count, -1, 3)
    largest = np.sqrt(np.sum(np.abs(moved) ** 2, axis=2)).max(axis=1)
    return {
        "harmonic": np.full(count, modes.harmonic),
        "frequency": modes.frequencies,
        "energy": energy / energy.sum(axis=1, keepdims=True),
        "flank_amplitude": np.sqrt(square * _mass(sector)),
        "displacement": (moved[:, front] / largest[:, None, None]).astype(complex),
    }


def _alone(harmonic: Integers, teeth: int) -> AnyArray:
    """Whether waves cannot be shifted: all teeth alike, or every other one."""
    return np.asarray(2 * harmonic % teeth == 0)


def _mass(sector: CyclicGear) -> float:
    """Of the whole gear."""
    shift = harmonic_motions(sector.positions, 0, Centre(axial=True))
    weighed = harmonic_matrix(sector.mass, sector.teeth, 0) @ shift
    return float(sector.teeth * (shift.T @ weighed).item())


def _front(mesh: SectorMesh) -> tuple[Integers, Integers]:
    """Nodes of the front, and its cells as four of them, counter-clockwise."""
    places = ELEMENTS[mesh.element]().doflocs.tolist()
    below, above = (
        mesh.elements[:, [places.index([*corner, float(side)]) for corner in CORNERS]]
        for side in (0, 1)
    )
    covered = {tuple(side) for side in np.sort(below, axis=1).tolist()}
    seen = [tuple(side) not in covered for side in np.sort(above, axis=1).tolist()]
    nodes, cells = np.unique(above[seen], return_inverse=True)
    return nodes, cells.reshape(-1, len(CORNERS))
