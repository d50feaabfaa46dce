"""Meshes for tests of finite elements: small gears, round bodies, blocks."""

import math

import numpy as np

from flank.elasticity.finite_elements.sector_mesh import (
    GearBody,
    Lattice,
    MeshDensity,
    hexahedra,
)
from flank.elasticity.material import Material
from flank.geometry.gear import Gear

ANGLE = math.radians(20)
PAPER_STEEL = Material(207e9, 0.3, 7600.0)

SMALL = Gear(9, 2e-3, ANGLE, 0.5)
SMALL_BODY = GearBody(6e-3, 3e-3)
COARSE = MeshDensity(tooth=2, flank=2, fillet=1, space=1, layers=1, growth=1.0)

PAPER = Gear(50, 3e-3, ANGLE)
PAPER_BODY = GearBody(20e-3, 30.6e-3)


def skewed_block(element, cells=2, size=1.0, skew=0.15):
    """A cube of cells whose inner corners are moved, with straight edges."""
    steps = np.linspace(0, 1, 2 * cells + 1)
    flat = Lattice(
        steps[:, None] + 1j * steps[None, :], steps, np.ones((cells, cells, cells), dtype=bool)
    )
    nodes, elements, places = hexahedra(flat, element)
    random = np.random.default_rng(3)
    corners = random.uniform(-skew, skew, (cells + 1, cells + 1, cells + 1, 3)) / cells
    ends = np.zeros((cells + 1,) * 3, dtype=bool)
    for axis in range(3):
        for end in (0, cells):
            index = [slice(None)] * 3
            index[axis] = end
            ends[tuple(index)] = True
    corners[ends] = 0.0
    low, high = places // 2, (places + 1) // 2
    moved = np.zeros_like(nodes)
    for pick in np.ndindex(2, 2, 2):
        index = np.where(np.array(pick), high, low)
        moved += corners[tuple(index.T)] / 8
    return size * (nodes + moved), elements
