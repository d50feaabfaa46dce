"""One lobe of a cycloid disc under a pin: how far its body gives way besides the contact.

The law of contact counts the disc as a half plane from the flank down to a depth d. What a lobe
does besides is the difference of two solutions under the same pressure, a Hertz ellipse of half
width w on the flank: finite elements of the lobe, its neighbours and the body under them, held at
the depth d below the root circle, less the half plane,

    q(t) = u_FE E/F' - [2 ln(2d/w) - ν]/π                            plane stress
    q(t) = u_FE E/F' - (1 - ν²) [2 ln(2d/w) - ν/(1 - ν)]/π           plane strain,

u the displacement of the loaded point along the force, F' the load per width. Near the load both
have the same singularity, so q does not depend on w once w is small.

Beside it stands the lobe as a beam (arXiv 2604.02387, Eqs. 5 to 7): from the root section, as wide
as a pitch of lobes, to the height of the contact. A lobe is several times as wide as it is high, so
that is no beam; how far the two are apart is what `validation/cycloid_lobe.py` tells.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import linalg
from skfem import Basis, ElementQuad2, ElementVector, MeshQuad
from skfem.models.elasticity import lame_parameters, linear_elasticity

from flank.arrays import Floats, Integers
from flank.elasticity.material import Material
from flank.geometry.cycloid import Cycloid, cycloid_point

NEIGHBOURS = 4
"""Lobes on either side of the loaded one; one more changes a compliance by less than 1 %."""

GROWTH = 1.4
"""Of neighbouring elements, away from the load."""

GAUSS, FACET_POINTS, OUTLINE = 64, 6, 4001
"""Points of integrals over the beam and over a facet, and of the outline between root and tip."""

SMALL = 1e-6
"""Of the parameter, for its speed."""


@dataclass(frozen=True)
class LobeBody:
    """A lobe on the body of its disc, which is held at `depth` below the root circle.

    `plane` is 'stress' or 'strain'. The loaded strip is 2 `share` of a pitch of lobes wide and has
    `elements` of them on half of it.
    """

    profile: Cycloid
    material: Material
    depth: float
    plane: str = "stress"
    share: float = 0.03
    elements: int = 4
    neighbours: int = NEIGHBOURS

    @property
    def period(self) -> float:
        """Of the parameter t, one lobe."""
        return 2 * math.pi / self.profile.lobes

    @property
    def half_width(self) -> float:
        """w in m."""
        middle = 0.5 * (self.profile.tip_radius + self.profile.root_radius)
        return self.share * self.period * middle

    def compliance(self, t: float) -> float:
        """q: E δ × width / force of the lobe's body under a load at the parameter t, 0 at the root
        and half a period at the tip."""
        counted = half_plane(self.material, self.plane, self.depth, self.half_width)
        return self._finite_elements(t) - counted

    def _finite_elements(self, t: float) -> float:
        """E u/F' of the loaded point."""
        mesh, flank, held, loaded = self._mesh(t)
        nu = self.material.poisson_ratio
        if self.plane == "stress":  # the moduli of plane strain whose plane has those of a sheet
            modulus, ratio = (1 + 2 * nu) / (1 + nu) ** 2, nu / (1 + nu)
        else:
            modulus, ratio = 1.0, nu
        element = ElementVector(ElementQuad2())
        basis = Basis(mesh, element)
        stiffness = linear_elasticity(*lame_parameters(modulus, ratio)).assemble(basis)
        load = self._pressure(t, mesh, flank, basis)
        fixed = basis.get_dofs(facets=held).all()
        free = np.setdiff1d(np.arange(basis.N), fixed)
        moved = np.zeros(basis.N)
        moved[free] = linalg.spsolve(stiffness[free][:, free].tocsc(), load[free])
        normal = flank_normals(self.profile, np.array([t]))[0]
        at = basis.nodal_dofs[:, loaded]
        return float(-(moved[at[0]] * normal.real + moved[at[1]] * normal.imag))

    def _pressure(self, t: float, mesh: MeshQuad, flank: Integers, basis: Basis) -> Floats:
        """A unit force per width as a Hertz ellipse about the loaded point, along its normal; on
        straight facets with three nodes each."""
        centre, normal = (
            flank_points(self.profile, np.array([t]))[0],
            flank_normals(self.profile, np.array([t]))[0],
        )
        nodes, weights = np.polynomial.legendre.leggauss(FACET_POINTS)
        shares = 0.5 * (nodes + 1)
        first, last = (mesh.p[0, ends] + 1j * mesh.p[1, ends] for ends in mesh.facets[:, flank])
        places = first[:, None] * (1 - shares) + last[:, None] * shares
        away, w = np.abs(places - centre) / self.half_width, self.half_width
        size = 2 / (math.pi * w) * np.sqrt(np.maximum(1 - away**2, 0.0))
        size *= 0.5 * weights * np.abs(last - first)[:, None]
        size /= size.sum()
        shapes = (
            (1 - shares) * (1 - 2 * shares),
            shares * (2 * shares - 1),
            4 * shares * (1 - shares),
        )
        ends = [basis.nodal_dofs[:, mesh.facets[k, flank]] for k in (0, 1)]
        load = np.zeros(basis.N)
        for shape, numbers in zip(shapes, (*ends, basis.facet_dofs[:, flank]), strict=True):
            force = (size * shape).sum(axis=1)
            np.add.at(load, numbers[0], -force * normal.real)
            np.add.at(load, numbers[1], -force * normal.imag)
        return load

    def _mesh(self, t: float) -> tuple[MeshQuad, Integers, Integers, int]:
        """Elements graded towards the load, facets of the flank and of what is held, and the
        number of the loaded vertex."""
        middle = 0.5 * self.period
        first = self.half_width / self.elements
        near = flank_points(self.profile, np.array([t - SMALL, t + SMALL]))
        speed = abs(near[1] - near[0]) / (2 * SMALL)
        beside = min(self.neighbours, (self.profile.lobes - 2) // 2)
        reach = (beside + 0.5) * self.period
        before = _graded(t - (middle - reach), first / speed, self.period / 24)
        after = _graded(middle + reach - t, first / speed, self.period / 24)
        places = np.concatenate((t - before[:0:-1], t + after))
        below = self.depth + self.profile.tip_radius - self.profile.root_radius
        inward = _graded(below, first, self.depth / 6)
        share = inward / inward[-1]
        flank = flank_points(self.profile, places)
        bottom = (self.profile.root_radius - self.depth) * np.exp(1j * np.angle(flank))
        grid = flank[:, None] * (1 - share) + bottom[:, None] * share
        rows, columns = grid.shape
        number = np.arange(rows * columns).reshape(rows, columns)
        cells = np.stack((number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]))
        mesh = MeshQuad(np.stack((grid.real.ravel(), grid.imag.ravel())), cells.reshape(4, -1))
        row, column = mesh.facets // columns, mesh.facets % columns
        along = (column == 0).all(axis=0)
        ends = (row == 0).all(axis=0) | (row == rows - 1).all(axis=0)
        held = (column == columns - 1).all(axis=0) | ends
        return mesh, np.flatnonzero(along), np.flatnonzero(held), int(number[len(before) - 1, 0])


def flank_points(profile: Cycloid, t: Floats) -> Any:
    """Of a flank from its root on, complex numbers."""
    centres = profile.generating_radius * np.exp(1j * t)
    centres = centres - profile.eccentricity * np.exp(1j * profile.pins * t)
    return centres - profile.offset * flank_normals(profile, t)


def flank_normals(profile: Cycloid, t: Floats) -> Any:
    """Out of the disc."""
    direction = np.exp(1j * t) - profile.shortening * np.exp(1j * profile.pins * t)
    return direction / np.abs(direction)


def flank_curvature(profile: Cycloid, t: float) -> float:
    """1/m, positive where the flank is convex."""
    arguments = profile.generating_radius, profile.eccentricity, profile.pins, profile.offset
    return float(cycloid_point(t, *map(float, arguments), 0.0)[5])


def _graded(length: float, first: float, largest: float) -> Floats:
    """Places from 0 to `length`, steps growing from `first` up to about the `largest`."""
    steps = [min(first, length)]
    while sum(steps) < length:
        steps.append(min(GROWTH * steps[-1], largest))
    places = np.concatenate(([0.0], np.cumsum(steps)))
    return np.asarray(places * (length / places[-1]))


def half_plane(material: Material, plane: str, depth: float, half_width: float) -> float:
    """E δ/F' of a half plane from its surface, under a Hertz ellipse, to a depth."""
    nu = material.poisson_ratio
    if plane == "stress":
        return (2 * math.log(2 * depth / half_width) - nu) / math.pi
    return (1 - nu**2) * (2 * math.log(2 * depth / half_width) - nu / (1 - nu)) / math.pi


@dataclass(frozen=True)
class LobeBeam:
    """E δ × width / force of a lobe as a beam: bending, shear and foundation."""

    bending: float
    shear: float
    foundation: float

    @property
    def total(self) -> float:
        return self.bending + self.shear + self.foundation


def lobe_beam(profile: Cycloid, material: Material, t: float) -> LobeBeam:
    """Eqs. 5 to 7 of arXiv 2604.02387: L from the root circle to the height of the contact, β the
    angle of the force against the width of the lobe, H the chord between equal heights."""
    half = math.pi / profile.lobes
    turn = np.exp(-1j * half)  # the middle of the lobe along x
    outline = flank_points(profile, np.linspace(0.0, half, OUTLINE)) * turn
    point, normal = (
        complex(of(profile, np.array([t]))[0] * turn) for of in (flank_points, flank_normals)
    )
    cosine = abs(normal.imag)
    root = outline[0].real
    length = max(point.real - root, 0.0)
    nodes, weights = np.polynomial.legendre.leggauss(GAUSS)
    x = 0.5 * length * (nodes + 1)
    thickness = 2 * np.interp(root + x, outline.real, np.abs(outline.imag))
    advance = 0.5 * length * weights
    nu, base = material.poisson_ratio, 2 * abs(outline[0].imag)
    ratio, tangent = length / base, math.sqrt(max(1 - cosine**2, 0.0)) / max(cosine, 1e-12)
    found = 5.306 * ratio**2 + 2 * (1 - nu) * ratio
    found += 1.534 * (1 + 0.4167 * tangent**2 / (1 + nu))
    return LobeBeam(
        bending=cosine**2 * float(np.sum(12 * (length - x) ** 2 / thickness**3 * advance)),
        shear=cosine**2 * 2.4 * (1 + nu) * float(np.sum(advance / thickness)),
        foundation=cosine**2 * found,
    )


def middle_depth(profile: Cycloid, t: float) -> float:
    """From the flank along the force to the middle of the lobe, to which Weber counts a contact; no
    more than to where the force leaves the lobe's height."""
    turn = np.exp(-1j * math.pi / profile.lobes)
    point = complex(flank_points(profile, np.array([t]))[0] * turn)
    normal = complex(flank_normals(profile, np.array([t]))[0] * turn)
    across = abs(point.imag) / max(abs(normal.imag), 1e-12)
    return min(across, math.pi * profile.root_radius / profile.lobes)
