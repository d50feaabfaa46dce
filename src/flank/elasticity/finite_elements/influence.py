"""Influence numbers of a gear: how flanks give way under normal forces on any teeth.

A unit force on a grid point is spread evenly over the strip of face that the point stands for, at
one roll length, along the flank's inward normal; displacements are taken as the mean of the same
strip, so that compliances are symmetric. Finite elements would put an indentation under so narrow
a load that depends on their size. It is taken off (Andersson and Vedmar): the answer of the same
mesh to the same load with the middle surface of the tooth held. What is left,

    C - (C - C_uh C_hh⁻¹ C_hu) = C_uh C_hh⁻¹ C_hu,

h the displacements of the middle surface, is how the flank follows that surface. It depends little
on the mesh. A line-contact law to the depth of the middle of the tooth
(`line_contact`, `depth`) gives the indentation back, by load; what an indentation towards a held
surface has beyond that law (`law_remainder`) is added to the structure, so that both together are
the answer of a mesh which resolves the contact.

Only the nodes of the cut faces know of harmonics. All others, i, are eliminated once for all of
them (A, B their coupling with the left and the right face):

    C_n = Lᵀ K_ii⁻¹ L + G_nᴴ S_n⁻¹ G_n,   G_n = (A + e^{iφ} B)ᴴ K_ii⁻¹ L,
    S_n = K_ff,n - (A + e^{iφ} B)ᴴ K_ii⁻¹ (A + e^{iφ} B).
"""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.linalg import cholesky, solve_triangular
from scipy.spatial import cKDTree

from flank.arrays import AnyArray, Floats, Integers
from flank.blas import one_blas_thread
from flank.elasticity.finite_elements.cyclic import CyclicGear, cyclic_gear, unknowns
from flank.elasticity.finite_elements.elements import shapes_at
from flank.elasticity.finite_elements.factorization import factorized
from flank.elasticity.finite_elements.sector_mesh import (
    GearBody,
    MeshDensity,
    SectorMesh,
    check_sector,
    sector_mesh,
)
from flank.elasticity.finite_elements.store import stored, told
from flank.elasticity.material import Material
from flank.elasticity.tooth_beam import held_radius, load_line
from flank.geometry.gear import Gear
from flank.geometry.tooth_outline import half_outline, normal_section

RESOLVED = MeshDensity(tooth=12, flank=32, fillet=4, space=2, layers=1, growth=0.4)
"""Fine enough for a pressure that is narrow against the tooth."""

PATCH = 2.0
"""Half width of that pressure, in cells."""


@dataclass(frozen=True)
class FlankGrid:
    """Points on a flank: along the profile, both ends included, and strips of equal width across
    the face; `teeth` are the neighbours on either side that are asked for, None is all teeth."""

    profile: int = 9
    face: int = 5
    teeth: int | None = 2


GRID, DENSITY = FlankGrid(), MeshDensity()


@dataclass(frozen=True, eq=False)
class FlankInfluence:
    """Compliances between points of the flanks y > 0 of a gear whose centre node is held, m/N.

    `compliance` (2K + 1, P Q, P Q) is the displacement along the inward normal at point i of tooth
    t + k, k = -K ... K in the sense of rising angles, under a unit normal force at point j of tooth
    t; point (p, q) is row p Q + q. With all teeth there are as many blocks as teeth, k from
    -(z // 2) on. In the block of the loaded tooth the local indentation is taken off; `indentation`
    (P Q, P Q) is what the mesh had of it. `roll` (P,) are roll lengths in the transverse plane,
    rising, `face` (Q,) heights over mid-face, `depth` (P,) the way along the normal to the middle
    of the tooth, for the law that gives the indentation back.

    Forces act along the true normal, whose transverse part is cos β_b. A turn of the centre node by
    an angle moves every point by `lever` times the angle against its inward normal, so a force has
    the torque `lever`, and the compliance of a shaft adds its share times lever².
    """

    roll: Floats
    face: Floats
    compliance: Floats
    depth: Floats
    indentation: Floats
    lever: float

    @property
    def neighbours(self) -> Integers:
        """k of each block."""
        return np.arange(len(self.compliance)) - len(self.compliance) // 2

    def other_flank(self) -> "FlankInfluence":
        """The same between the flanks y < 0.

        Turned over about the middle of a tooth (by 180° about the x axis) a gear is the same gear,
        helical or not; tooth k becomes -k, the height z becomes -z, and the other flank the first.
        """
        count, size = len(self.compliance), len(self.face)
        order = np.arange(len(self.roll) * size).reshape(-1, size)[:, ::-1].ravel()
        blocks = self.compliance[(count // 2 - self.neighbours) % count]
        return replace(
            self,
            face=-self.face[::-1],
            compliance=blocks[:, order][:, :, order],
            indentation=self.indentation[order][:, order],
        )


def flank_influence(
    gear: Gear,
    body: GearBody,
    material: Material,
    grid: FlankGrid = GRID,
    density: MeshDensity = DENSITY,
    support: float | None = None,
    plane: bool = False,
) -> FlankInfluence:
    """Influence numbers of a gear. `support` in N/m³ ties the held surface by springs in place of
    rigidly; `plane` is plane strain, as in the middle of a wide face."""
    check_sector(gear, body, density)
    check_grid(gear, grid, density)
    check_support(support)
    inputs = (gear, body, material, grid, density, support, plane)
    arrays = stored("influence", inputs, lambda: _influence_arrays(*inputs))
    return FlankInfluence(**{name: _constant(array) for name, array in arrays.items()})


def _constant(array: AnyArray) -> Any:
    """What nobody writes to; a number where that is all."""
    array.flags.writeable = False
    return array if array.ndim else float(array)


def _influence_arrays(
    gear: Gear,
    body: GearBody,
    material: Material,
    grid: FlankGrid,
    density: MeshDensity,
    support: float | None,
    plane: bool,
) -> dict[str, AnyArray]:
    """Of a `FlankInfluence`, computed."""
    mesh = sector_mesh(gear, body, density)
    rolls = np.linspace(mesh.roll_knots[0], mesh.roll_knots[-1], grid.profile)
    forces = flank_forces(gear, mesh, rolls, grid.face)
    with one_blas_thread():
        elastic = cyclic_gear(mesh, material, support, plane)
        centre = unknowns(elastic.place[mesh.centre])
        middle = centre[~elastic.fixed[centre]]
        held = np.zeros((elastic.size, len(middle)))
        held[middle, np.arange(len(middle))] = 1.0
        loads = np.hstack((elastic.loads(forces), held))
        own, between = tooth_compliances(elastic, loads, forces.shape[1])
        indentation, structure = split_indentation(own, forces.shape[1])
        remainder = law_remainder(gear, material, grid.profile)
    strips = np.eye(grid.face) * grid.face * math.cos(gear.base_helix_angle) / body.face_width
    # between rolls of the same strip too, so that what is interpolated has it once
    more = np.kron(0.5 * (remainder[:, None] + remainder), strips)
    around = gear.teeth if grid.teeth is None else 2 * grid.teeth + 1
    compliance = between[(np.arange(around) - around // 2) % gear.teeth]
    compliance[around // 2] = structure + more
    scale, section = math.cos(gear.base_helix_angle), normal_section(gear)
    return {
        "roll": rolls,
        "face": strip_middles(mesh, grid.face),
        "compliance": compliance,
        "depth": np.array([load_line(section, roll / scale)[1] for roll in rolls]),
        "indentation": indentation - more,
        "lever": np.array(gear.base_radius * scale),
    }


def check_grid(gear: Gear, grid: FlankGrid, density: MeshDensity) -> None:
    """ValueError, in one sentence, for points that a mesh cannot tell apart."""
    between = 1 if density.element == "hexahedron-8" else 2
    if grid.profile < 2 or grid.face < 1:
        raise ValueError(
            "a flank grid needs two points along the profile and one across the face, "
            f"not {grid.profile} and {grid.face}"
        )
    if grid.face > between * density.layers:
        raise ValueError(
            f"the mesh is too coarse for the contact width: {grid.face} strips across the face are "
            f"narrower than the nodes of {density.layers} layers; take at least "
            f"{math.ceil(grid.face / between)} layers or fewer strips"
        )
    if grid.profile > between * density.flank + 1:
        raise ValueError(
            f"the mesh is too coarse for {grid.profile} points along the profile: they are closer "
            f"than the nodes of {density.flank} cells; take at least "
            f"{math.ceil((grid.profile - 1) / between)} cells along the flank or fewer points"
        )
    most = (gear.teeth - 1) // 2
    if grid.teeth is not None and not 0 <= grid.teeth <= most:
        raise ValueError(
            f"a tooth has 0 to {most} neighbours on either side here, not {grid.teeth}; "
            "leave `teeth` out for all"
        )


def check_support(support: float | None) -> None:
    """ValueError for springs that hold nothing."""
    if support is not None and support <= 0:
        raise ValueError(
            f"a support of {support:g} N/m³ does not hold the gear; give a positive one"
        )


def strip_middles(mesh: SectorMesh, count: int) -> Floats:
    """Heights of the middles of equal strips of the face."""
    ends = np.linspace(mesh.layer_knots[0], mesh.layer_knots[-1], count + 1)
    return 0.5 * (ends[1:] + ends[:-1])


def flank_forces(gear: Gear, mesh: SectorMesh, rolls: Floats, strips: int) -> Floats:
    """Consistent nodal forces (3 nodes, P Q) along x, y, z of unit normal forces on all points."""
    strip, layer, inside, heights, shares = _strip_points(mesh, strips)
    knots = mesh.roll_knots**2  # rows have equal lengths of arc
    place = (rolls**2 - knots[0]) / (knots[-1] - knots[0]) * (len(knots) - 1)
    row = np.clip(place.astype(int), 0, len(knots) - 2)
    p, s = (index.ravel() for index in np.indices((len(rolls), len(heights))))
    local = np.vstack(((place - row)[p], np.ones(len(p)), inside[s]))
    values = shapes_at(mesh.element, local)[0] * shares[s]
    normals = flank_normals(gear, mesh.twist, rolls[p], heights[s])
    nodes = mesh.elements[mesh.flank[row[p], layer[s]]].T
    forces = np.zeros((len(mesh.nodes), 3, len(rolls) * strips))
    point = np.broadcast_to(p * strips + strip[s], nodes.shape)
    for axis in range(3):
        np.add.at(forces[:, axis], (nodes, point), values * normals[axis])
    return forces.reshape(-1, forces.shape[2])


def other_flank_forces(mesh: SectorMesh, forces: Floats, strips: int) -> Floats:
    """The same on the other flank, y < 0: turned over about the x axis a gear is the same gear."""
    mirrored = mesh.nodes * (1.0, -1.0, -1.0)
    distance, partner = cKDTree(mesh.nodes).query(mirrored)
    assert distance.max() < 1e-9 * np.abs(mesh.nodes).max()
    by_point = forces.reshape(len(mesh.nodes), 3, -1, strips)[partner, :, :, ::-1]
    turned = by_point * np.array([1.0, -1.0, -1.0])[:, None, None]
    return np.asarray(turned.reshape(forces.shape))


def flank_normals(gear: Gear, twist: float, rolls: Floats, heights: Floats) -> Floats:
    """Inward normals (3, points) of the flank y > 0 at roll lengths and heights."""
    angles = np.array([load_line(gear, roll)[0] for roll in rolls])
    across = -1j * np.exp(-1j * gear.sign * angles)
    points = half_outline(gear).flank.point(rolls)
    along = -twist * (across.conj() * 1j * points).real  # no part of it along the tooth trace
    turned = across * np.exp(1j * twist * heights)
    return np.array((turned.real, turned.imag, along)) * math.cos(gear.base_helix_angle)


def _strip_points(
    mesh: SectorMesh, strips: int
) -> tuple[Integers, Integers, Floats, Floats, Floats]:
    """Gauss points of all strips: strip, layer, place in the layer, height, share of the force."""
    ends = np.linspace(mesh.layer_knots[0], mesh.layer_knots[-1], strips + 1)
    knots = np.union1d(ends.round(15), mesh.layer_knots.round(15))
    nodes, weights = np.polynomial.legendre.leggauss(3)
    half = 0.5 * np.diff(knots)[:, None]
    heights = (0.5 * (knots[1:] + knots[:-1])[:, None] + half * nodes).ravel()
    strip = np.searchsorted(ends, heights) - 1
    layer = np.searchsorted(mesh.layer_knots, heights) - 1
    low, high = mesh.layer_knots[layer], mesh.layer_knots[layer + 1]
    shares = (half * weights).ravel() / (ends[1] - ends[0])
    return strip, layer, (heights - low) / (high - low), heights, shares


def tooth_compliances(elastic: CyclicGear, loads: Floats, count: int) -> tuple[Floats, Floats]:
    """Of all loads on one tooth (m, m), and of the first `count` between teeth (z, count, count).

    Block k of the latter is the answer k teeth further than the load.
    """
    first, second = (a + b for a, b in zip(elastic.stiffness, elastic.support, strict=True))
    free = elastic.free
    on_face = np.zeros_like(free)
    on_face[unknowns(elastic.left)] = True
    inner, face = np.flatnonzero(free & ~on_face), np.flatnonzero(free & on_face)
    cut = [part[inner][:, face].toarray() for part in (first, second)]
    answers = factorized(first[inner][:, inner].tocsc())(np.hstack((*cut, loads[inner])))
    by_cut, moved = np.split(answers, [2 * len(face)], axis=1)
    inside = [[a.T @ b for b in np.hsplit(by_cut, 2)] for a in cut]
    turned = [a.T @ moved for a in cut]
    base = loads[inner].T @ moved
    corner = [part[face][:, face].toarray() for part in (first, second)]
    own, harmonics = base.copy(), []
    for n in told(range(elastic.teeth // 2 + 1)):
        phase = np.exp(2j * np.pi * n / elastic.teeth)
        ahead = phase * (corner[1] - inside[0][1])
        reduced = corner[0] - inside[0][0] - inside[1][1] + ahead + ahead.conj().T
        factor = cholesky(reduced, lower=True)
        part = solve_triangular(factor, turned[0] + phase.conj() * turned[1], lower=True)
        pair = 1 if 2 * n % elastic.teeth == 0 else 2
        own += pair / elastic.teeth * (part.conj().T @ part).real
        harmonics.append(base[:count, :count] + part[:, :count].conj().T @ part[:, :count])
    return own, np.fft.irfft(np.array(harmonics), elastic.teeth, axis=0)


def split_indentation(own: Floats, count: int) -> tuple[Floats, Floats]:
    """Local indentation and structure of the first `count` loads, the others being unit forces on
    the middle surface of the tooth."""
    coupling = own[:count, count:]
    following = coupling @ np.linalg.solve(own[count:, count:], coupling.T)
    structure = 0.5 * (following + following.T)
    return own[:count, :count] - structure, structure


def law_remainder(gear: Gear, material: Material, count: int) -> Floats:
    """What the law leaves of the indentation towards a held middle surface, m²/N, at `count` rolls.

    The law counts down to one point of the middle, which moves more than the surface around it. In
    plane strain, under a Hertzian pressure of the half width w that the mesh resolves,

        indentation - (1 - ν²)/(π E) [2 ln(2 d/w) - ν/(1 - ν) - 1/2],

    the latter the mean of the law over the pressure. It hardly depends on w; at the ends of the
    flank it is that of the nearest place where the pressure has room.
    """
    section = normal_section(gear)
    section = replace(section, teeth=max(round(section.teeth), 3), held_radius=None)
    body = GearBody(section.normal_module, held_radius(section))
    mesh = sector_mesh(section, body, RESOLVED)
    squares, base = mesh.roll_knots[[0, -1]] ** 2, section.base_radius
    width = PATCH * (squares[1] - squares[0]) / (2 * base * RESOLVED.flank)
    ends = np.sqrt(squares + 2 * base * width * np.array([1.5, -1.5]))
    middles = np.clip(np.linspace(mesh.roll_knots[0], mesh.roll_knots[-1], count), *ends)
    angles = np.arange(1, 9) * math.pi / 9  # Gauss and Chebyshev: exact for a half ellipse
    rolls = np.sqrt(middles[:, None] ** 2 + 2 * base * width * np.cos(angles))
    forces = flank_forces(section, mesh, rolls.ravel(), 1).reshape(-1, count, len(angles))
    pressure = forces @ (np.sin(angles) ** 2 / np.sum(np.sin(angles) ** 2))
    indentation = _indentation(mesh, material, pressure)
    depths = np.array([load_line(section, roll)[1] for roll in middles])
    poisson = material.poisson_ratio
    law = 2 * np.log(2 * depths / width) - poisson / (1 - poisson) - 0.5
    return np.asarray(indentation * body.face_width - material.line_compliance * law)


def _indentation(mesh: SectorMesh, material: Material, forces: Floats) -> Floats:
    """Of loads on one tooth with the middle surfaces of all teeth held, plane strain.

    Loads that are equal on all teeth, and loads of alternating sign: in the mean of both the
    direct neighbours cancel, and those behind them move no more.
    """
    elastic = cyclic_gear(mesh, material, plane=True)
    free = elastic.free
    free[unknowns(elastic.place[mesh.centre])] = False
    loads = elastic.loads(forces)[free]
    first, second = (part[free][:, free] for part in elastic.stiffness)
    moved = [factorized((first + sign * (second + second.T)).tocsc())(loads) for sign in (1, -1)]
    mean: Floats = 0.5 * np.sum(loads * (moved[0] + moved[1]), axis=0)
    return mean
