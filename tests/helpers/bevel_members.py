"""Teeth for tests of bevel finite elements that are those of cylindrical gears, tapered or not."""

import math

import numpy as np

from flank.elasticity.finite_elements.sector_mesh import MeshDensity
from flank.geometry.bevel.cutting import FlankGrid
from flank.geometry.bevel.tooth import BevelMember, ToothSide
from flank.geometry.tooth_outline import half_outline

QUICK = MeshDensity(tooth=2, flank=2, fillet=1, space=1, layers=3, growth=1.0)


def tapered_member(gear, face_width, cone_angle=0.0, rows=15, columns=9):
    """A spur gear whose sections shrink towards an apex on its axis; by nothing: a cylinder."""
    outline = half_outline(gear)
    flank = np.linspace(outline.form_roll, gear.edge_roll_length, rows)
    fillet = outline.fillet.spread(11)[::-1]
    z = np.linspace(-0.5, 0.5, columns) * face_width
    growth = math.tan(cone_angle) / gear.reference_radius
    grids = [
        _grid(piece.point(t), piece.slope(t), z, growth)
        for piece, t in ((outline.flank, flank), (outline.fillet, fillet))
    ]
    side = ToothSide(*grids)
    place = np.array([0.0, gear.reference_radius])
    return BevelMember(gear.teeth, 1, side, mirrored_side(side), place)


def _grid(line, slope, z, growth):
    points = np.empty((len(line), len(z), 3))
    section = line[:, None] * (1 + growth * z)
    points[..., 0], points[..., 1], points[..., 2] = section.real, section.imag, z
    up = np.stack((slope.real, slope.imag, 0 * slope.real), axis=-1)
    along = np.stack((growth * line.real, growth * line.imag, np.ones(len(line))), axis=-1)
    normals = np.cross(along, up)
    normals *= (np.sign(normals[:, 1]) / np.linalg.norm(normals, axis=1))[:, None]
    return FlankGrid(points, np.repeat(normals[:, None], len(z), axis=1))


def mirrored_side(side):
    """By the plane y = 0."""
    mirror = np.array([1.0, -1.0, 1.0])
    return ToothSide(
        *(
            FlankGrid(grid.points * mirror, grid.normals * mirror)
            for grid in (side.flank, side.fillet)
        )
    )


def mirrored_member(member):
    """Of the other hand."""
    return BevelMember(
        member.teeth,
        -member.hand,
        mirrored_side(member.concave),
        mirrored_side(member.convex),
        member.mean_place,
    )
