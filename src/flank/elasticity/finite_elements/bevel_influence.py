"""Influence numbers of bevel and hypoid gears, from one sector with the real flanks.

As of cylindrical gears (`influence`): a unit force is spread evenly over a strip of the face at one
height of the profile, along the flank's inward normals; displacements are means over the same
strip; the answer with the tooth's middle surface held, the local indentation, is taken off the
block of the loaded tooth. Two things differ. Both flanks are computed, which are no mirror images.
And the indentation that a line-contact law gives back is counted to the depth of the middle
surface times what makes the law that of a layer on a held base (`layer_depth_factor`).

What one tooth's middle surface leaves out is not quite what those of all teeth would, so that the
numbers of all teeth together can have negative directions, of a few ten-thousandths. They are taken
out, harmonic by harmonic.

Round holes in a body make numbers depend on the tooth; they are as round as the cells that they
leave out. Sectors with different cells
left out are then condensed one by one and the ring of them is solved (`condensed`). The local
indentation, which ends at the middle of the tooth, stays that of the body without holes.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy import sparse

from flank.arrays import AnyArray, Flags, Floats, Integers
from flank.blas import one_blas_thread
from flank.cache_files import DIGEST
from flank.elasticity.finite_elements.bevel_mesh import (
    BEVEL_DENSITY,
    BevelBody,
    BevelMesh,
    bevel_mesh,
    cartesian,
    cylindrical,
    side_forces,
)
from flank.elasticity.finite_elements.condensed import (
    Condensed,
    alike,
    condensed,
    differing,
    joined,
    ring,
)
from flank.elasticity.finite_elements.sector_mesh import MeshDensity
from flank.elasticity.finite_elements.store import stored
from flank.elasticity.finite_elements.surface_influence import (
    SurfaceInfluence,
    layer_depth_factor,
    strip_centres,
)
from flank.elasticity.finite_elements.whole_gear import round_holes
from flank.elasticity.material import Material
from flank.geometry.bevel.section import RoundHoles
from flank.geometry.bevel.tooth import CONCAVE, CONVEX, BevelMember
from flank.geometry.spline_surface import BY_U, BY_V, FEWEST, POINT, SplineSurface

SIDES = (CONCAVE, CONVEX)

RAY_STEPS = 30


@dataclass(frozen=True)
class BevelGrid:
    """Points along the profile, both ends included, and strips of equal width from toe to heel;
    `teeth` are the neighbours on either side that are asked for."""

    profile: int = 7
    lengthwise: int = 9
    teeth: int = 2


BEVEL_GRID = BevelGrid()


@dataclass(frozen=True, eq=False)
class BevelInfluence:
    """Of both flanks of a member; `indentation` (P Q, P Q), by flank, is what the mesh had of it
    and was taken off the block of the loaded tooth."""

    concave: SurfaceInfluence
    convex: SurfaceInfluence
    indentation: dict[str, Floats]

    def side(self, name: str) -> SurfaceInfluence:
        return self.concave if name == CONCAVE else self.convex


def bevel_influence(
    member: BevelMember,
    body: BevelBody,
    material: Material,
    grid: BevelGrid = BEVEL_GRID,
    density: MeshDensity = BEVEL_DENSITY,
    holes: RoundHoles | None = None,
) -> BevelInfluence:
    """Influence numbers of a member, the held surface of its body rigid and at rest."""
    check_bevel_grid(member, grid, density)
    mesh = bevel_mesh(member, body, density)
    inputs = (_digest(member), member.teeth, body, material, grid, density)
    arrays = stored(
        "bevel-influence", inputs, lambda: _influence_arrays(member, mesh, material, grid)
    )
    if holes is None:
        return _influence(arrays)
    return _influence(
        stored(
            "bevel-holed",
            (*inputs, holes),
            lambda: arrays | _holed_compliances(member, mesh, material, grid, holes, arrays),
        )
    )


def _influence(arrays: dict[str, AnyArray]) -> BevelInfluence:
    sides = {
        name: SurfaceInfluence(arrays[f"{name}_compliance"], arrays[f"{name}_depths"])
        for name in SIDES
    }
    return BevelInfluence(
        sides[CONCAVE],
        sides[CONVEX],
        {name: arrays[f"{name}_indentation"] for name in SIDES},
    )


def _digest(member: BevelMember) -> str:
    """Of all points of a tooth."""
    digest = DIGEST()
    for name in SIDES:
        side = member.side(name)
        for array in (side.flank.points, side.flank.normals, side.fillet.points):
            digest.update(repr(array.shape).encode() + np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


def check_bevel_grid(member: BevelMember, grid: BevelGrid, density: MeshDensity) -> None:
    """ValueError, in one sentence, for points that a mesh cannot tell apart."""
    if min(grid.profile, grid.lengthwise) < FEWEST:
        raise ValueError(
            f"influence numbers on {grid.profile} by {grid.lengthwise} points cannot be read "
            f"between them; give at least {FEWEST} each way"
        )
    between = 1 if density.element == "hexahedron-8" else 2
    for points, cells, place, name in (
        (grid.lengthwise, density.layers, "lengthwise", "layers"),
        (grid.profile - 1, density.flank, "along the profile", "cells along the flank"),
    ):
        if points > between * cells:
            raise ValueError(
                f"the mesh is too coarse for the contact width: {points} parts of a flank {place} "
                f"are narrower than the nodes of {cells} {name}; take at least "
                f"{-(-points // between)} {name} or fewer points"
            )
    most = (member.teeth - 1) // 2
    if not 0 <= grid.teeth <= most:
        raise ValueError(
            f"a tooth has 0 to {most} neighbours on either side here, not {grid.teeth}"
        )


def grid_places(grid: BevelGrid) -> tuple[Floats, Floats]:
    """u and v (P Q,) of all points; u of the centres of strips."""
    u = np.tile(strip_centres(grid.lengthwise), grid.profile)
    return u, np.repeat(np.linspace(-1, 1, grid.profile), grid.lengthwise)


def flank_loads(member: BevelMember, mesh: BevelMesh, name: str, grid: BevelGrid) -> Floats:
    """Nodal forces (3 nodes, P Q) of unit normal forces on all points of a flank."""
    places, shares = _strip_shares(grid.lengthwise, mesh.flanks[name].shape[1])
    u = np.tile(places, grid.profile)
    v = np.repeat(np.linspace(-1, 1, grid.profile), len(places))
    forces = side_forces(mesh, name, u, v, -_normals(member, name, u, v))
    return np.asarray((forces @ sparse.kron(sparse.eye_array(grid.profile), shares)).toarray())


def _strip_shares(strips: int, layers: int) -> tuple[Floats, Floats]:
    """u of Gauss points of all strips, and their shares (points, strips) of the forces."""
    ends = np.linspace(-1, 1, strips + 1)
    knots = np.union1d(ends.round(14), np.linspace(-1, 1, layers + 1).round(14))
    nodes, weights = np.polynomial.legendre.leggauss(3)
    half = 0.5 * np.diff(knots)[:, None]
    places = (0.5 * (knots[1:] + knots[:-1])[:, None] + half * nodes).ravel()
    shares = np.zeros((len(places), strips))
    strip = np.searchsorted(ends, places) - 1
    shares[np.arange(len(places)), strip] = 0.5 * strips * (half * weights).ravel()
    return places, shares


def _normals(member: BevelMember, name: str, u: Floats, v: Floats) -> Floats:
    """Outward unit normals (points, 3)."""
    normals = SplineSurface(member.side(name).flank.normals).points(u, v)
    return np.asarray(normals / np.linalg.norm(normals, axis=-1, keepdims=True))


def _influence_arrays(
    member: BevelMember, mesh: BevelMesh, material: Material, grid: BevelGrid
) -> dict[str, AnyArray]:
    u, v = grid_places(grid)
    factor = layer_depth_factor(material.poisson_ratio)
    arrays: dict[str, AnyArray] = {}
    for name, answers in sector_answers(member, mesh, material, grid).items():
        around = without_negative_directions(answers.between)
        arrays[f"{name}_compliance"] = around[None, np.arange(-grid.teeth, grid.teeth + 1)]
        arrays[f"{name}_indentation"] = answers.indentation
        depth = factor * middle_depth(member, name, u, v)
        arrays[f"{name}_depths"] = depth.reshape(grid.profile, grid.lengthwise)
    return arrays


class SideAnswers(NamedTuple):
    """Of one flank: compliances `between` (z, P Q, P Q) a loaded tooth and the one k further, in
    the first block without the `indentation` (P Q, P Q)."""

    between: Floats
    indentation: Floats


@dataclass(frozen=True, eq=False)
class _Parts:
    """A sector's tooth and body, condensed one by one; forces (3 nodes, m) act on the tooth."""

    mesh: BevelMesh
    material: Material
    forces: Floats

    @cached_property
    def foot(self) -> Integers:
        """Nodes that tooth and body share."""
        elements, on_tooth = self.mesh.elements, self.mesh.on_tooth
        shared: Integers = np.intersect1d(elements[on_tooth], elements[~on_tooth])
        return shared

    def tooth(self, still: Integers) -> Condensed:
        """On its foot, with nodes at rest elsewhere."""
        mesh, cells = self.mesh, np.flatnonzero(self.mesh.on_tooth)
        still = np.setdiff1d(still, self.foot)
        return condensed(mesh, cells, self.foot, mesh.layers, self.material, self.forces, still)

    def body(self, left_out: Flags | None = None) -> Condensed:
        """On both cut faces and the foot of the tooth."""
        mesh, cells = self.mesh, ~self.mesh.on_tooth
        chosen = np.flatnonzero(cells if left_out is None else cells & ~left_out)
        sides = [side[~np.isin(side, mesh.held)] for side in (mesh.left, mesh.right)]
        shared, no_forces = np.concatenate((*sides, self.foot)), np.zeros((3 * len(mesh.nodes), 0))
        return condensed(mesh, chosen, shared, mesh.layers, self.material, no_forces, mesh.held)

    def sector(self, body: Condensed, still: Integers) -> Condensed:
        return joined(body, self.tooth(still), np.repeat(np.isin(self.foot, still), 3))


NOTHING = np.zeros(0, dtype=np.int64)


def _parts(member: BevelMember, mesh: BevelMesh, material: Material, grid: BevelGrid) -> _Parts:
    forces = [flank_loads(member, mesh, name, grid) for name in SIDES]
    return _Parts(mesh, material, np.hstack(forces))


def sector_answers(
    member: BevelMember, mesh: BevelMesh, material: Material, grid: BevelGrid
) -> dict[str, SideAnswers]:
    """Of both flanks, as the mesh gives them."""
    with one_blas_thread():
        parts = _parts(member, mesh, material, grid)
        body = parts.body()
        sector = parts.sector(body, NOTHING)
        between = alike(sector, member.teeth)
        indentation = differing(parts.sector(body, mesh.centre), sector, member.teeth)
        between[0] -= indentation
    count = len(indentation) // 2
    sides = slice(count), slice(count, None)
    return {
        name: SideAnswers(between[:, side, side], indentation[side, side])
        for name, side in zip(SIDES, sides, strict=True)
    }


def without_negative_directions(between: Floats) -> Floats:
    """The nearest blocks (z, n, n) between all teeth whose matrix has none."""
    harmonics = np.fft.rfft(between, axis=0)
    values, vectors = np.linalg.eigh(0.5 * (harmonics + harmonics.conj().swapaxes(1, 2)))
    positive = np.maximum(values, 0.0)[:, None, :] * vectors
    return np.fft.irfft(positive @ vectors.conj().swapaxes(1, 2), len(between), axis=0)


def _holed_compliances(
    member: BevelMember,
    mesh: BevelMesh,
    material: Material,
    grid: BevelGrid,
    holes: RoundHoles,
    symmetric: dict[str, AnyArray],
) -> dict[str, AnyArray]:
    """Compliances (T, 2 K + 1, P Q, P Q) by flank, T the teeth after which holes lie alike;
    `symmetric` has the indentation without holes."""
    left_out = round_holes(mesh, holes.count, holes.radius, holes.size)
    _check_holes(mesh, left_out)
    patterns, chosen = np.unique(left_out, axis=0, return_inverse=True)
    period = member.teeth // math.gcd(member.teeth, holes.count)
    loaded = np.arange(period)
    around = (loaded[:, None] + np.arange(-grid.teeth, grid.teeth + 1)) % member.teeth
    arrays: dict[str, AnyArray] = {}
    with one_blas_thread():
        parts = _parts(member, mesh, material, grid)
        tooth, moving = parts.tooth(NOTHING), np.zeros(3 * len(parts.foot), dtype=bool)
        sectors = [joined(parts.body(pattern), tooth, moving) for pattern in patterns]
        total = ring([sectors[k] for k in chosen])
        for name, blocks in zip(SIDES, _by_side(total), strict=True):
            for k in range(member.teeth):
                blocks[k, :, k] -= symmetric[f"{name}_indentation"]
            positive = _nearest_positive(blocks)
            arrays[f"{name}_compliance"] = positive[around, :, loaded[:, None], :]
    return arrays


def _by_side(total: Floats) -> list[Floats]:
    """Blocks (z, P Q, z, P Q) of either flank with itself."""
    count = total.shape[1] // 2
    return [total[:, part, :, part].copy() for part in (slice(count), slice(count, None))]


def _nearest_positive(blocks: Floats) -> Floats:
    """The nearest blocks (z, n, z, n) whose matrix has no negative directions."""
    size = blocks.shape[0] * blocks.shape[1]
    matrix = blocks.reshape(size, size)
    values, vectors = np.linalg.eigh(0.5 * (matrix + matrix.T))
    positive = (np.maximum(values, 0.0) * vectors) @ vectors.T
    return np.asarray(positive.reshape(blocks.shape))


def _check_holes(mesh: BevelMesh, left_out: Flags) -> None:
    """ValueError, in one sentence, for holes that are none or that teeth stand on."""
    if not left_out.any():
        raise ValueError(
            "no cell of the mesh lies in the holes; make them larger, move them, or take more cells"
        )
    needed = np.isin(mesh.elements, np.concatenate((mesh.centre, mesh.held))).any(axis=1)
    if left_out[:, needed].any():
        raise ValueError(
            "holes reach into teeth or into the bore; make them smaller or move them away"
        )


def middle_depth(member: BevelMember, name: str, u: Floats, v: Floats) -> Floats:
    """Way along the inward normal from places of a flank to the middle surface of the tooth, whose
    cubics go on where the normal leaves the tooth at an end."""
    surface = SplineSurface(member.side(name).flank.points)
    middle = _middle_surface(member)
    start, inward = surface.points(u, v), -_normals(member, name, u, v)
    unknown = np.column_stack((u, v, np.zeros(len(u))))
    for _ in range(RAY_STEPS):
        at = middle.at(unknown[:, 0], unknown[:, 1])
        away = at[:, POINT] - start - unknown[:, 2:] * inward
        slopes = np.stack((at[:, BY_U], at[:, BY_V], -inward), axis=-1)
        step = np.linalg.solve(slopes, away[..., None])[..., 0]
        unknown -= step
        if np.max(np.abs(step[:, :2])) < 1e-10:
            break
    return np.asarray(unknown[:, 2])


def _middle_surface(member: BevelMember) -> SplineSurface:
    """Half way between both flanks of a tooth, around its axis."""
    grids = [member.side(name).flank.points for name in SIDES]
    centre = grids[0][grids[0].shape[0] // 2, grids[0].shape[1] // 2]
    about = float(np.arctan2(centre[1], centre[0]))
    return SplineSurface(cartesian(np.mean([cylindrical(g, about) for g in grids], axis=0)))
