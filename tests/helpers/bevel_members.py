"""Teeth and a quick mesh for tests of bevel finite elements."""

import numpy as np

from flank.elasticity.finite_elements.sector_mesh import MeshDensity
from flank.geometry.bevel.cutting import FlankGrid
from flank.geometry.bevel.tooth import BevelMember, ToothSide

QUICK = MeshDensity(tooth=2, flank=2, fillet=1, space=1, layers=3, growth=1.0)

MIRROR = np.array([1.0, -1.0, 1.0])


def mirrored_member(member):
    """By the plane y = 0: of the other hand."""
    return BevelMember(
        member.teeth,
        -member.hand,
        _mirrored(member.concave),
        _mirrored(member.convex),
        member.mean_place,
    )


def _mirrored(side):
    grids = (side.flank, side.fillet)
    return ToothSide(*(FlankGrid(grid.points * MIRROR, grid.normals * MIRROR) for grid in grids))
