"""A free round plate with holes, pressed on at its rim and in its holes, by finite elements.

Plane stress, triangles with six nodes whose sides follow the circles. Loads are waves around each
circle: on the rim pressure and shear, in a hole pressure,

    rim     e_r, e_t times cos nθ, sin nθ,       n = 0 .. N, pin forces are sums of these
    hole    e_r times cos nφ, sin nφ,            n = 0 .. 2: a roller presses anywhere on its wall,
                                                 a hole grows, shifts and becomes oval

A force on the rim is spread over an arc of half width s with the pressure 1 + cos(π x/s), because
under a point force a plate gives way without end. What is spread is what the law of contact counts
besides: of a half plane it takes the compression down to a depth d, and under a pressure so spread
the surface moves, on the mean over the same pressure, as a point at the depth

    d = s exp(E ln|x - x'|/s + (1 + ν)/2)

under a force does (Flamant). Waves longer than the rim's radius are not spread: a rim that only
shifts is not bent.

Rigid motions are free. Loads that are not in balance are balanced by the plate's own inertia
(inertia relief), and displacements are those about the plate's centre of mass, ∫ρ u = ∫ρ r × u = 0:
so a plate is a rigid body with its whole mass, and what it is bent, which is of no account for that
body. With loads L, the inertia taken off them by P, stiffness K and mass M,

    C = Lᵀ Pᵀ K⁻¹ P L,        T = Xᵀ M X,        X = Pᵀ K⁻¹ P L

are the compliance between all loads and the mass of the displacements that they cause.

Where a joint holds the plate in a hole, its *seat*, that wall stays round and displacements are
those about its middle. With N the net force of the loads and e the pressure cos φ, sin φ in the
seat of a unit force, loads are balanced there, A = 1 - e N, and what else the wall would do is
taken back by pressures B = 1 - e_s (e_sᵀ C' e_s)⁻¹ e_sᵀ C', e_s its other waves:

    C' = Aᵀ C A,     T' = Aᵀ T A + m tᵀ t,  t = eᵀ C A,     C" = Bᵀ C' B,     T" = Bᵀ T' B

with t how far the seat moves on the plate of the mass m. That displacements are accelerated with
the seat is left out.
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from flank.arrays import Floats, Integers
from flank.blas import one_blas_thread
from flank.elasticity.finite_elements.plate_mesh import Circle, plate_mesh, thinnest_wall
from flank.elasticity.finite_elements.store import Arrays, stored
from flank.elasticity.material import Material

HOLE_WAVES = 2
"""Of pressure around a hole: even, towards one side, on two sides. Shorter ones are as local as
what the law of contact counts of the wall behind a roller."""

SHORTEST = 0.1
"""Of a wave's share in a spread force, below which it is left out; compliance goes by its
square."""

FEWEST_WAVES, MOST_WAVES = 4, 48
"""Around the rim, however far a force is spread."""

LOG_DISTANCE = -1.279545
"""Mean of ln|x - x'|/s of two points by the pressure (1 + cos πx/s)/(2 s)."""

SIDES = 5
"""Sides of triangles on the shortest wave around the rim, at least."""

FINEST, COARSEST = 1 / 60, 1 / 25
"""Of the plate's radius: how long sides of triangles are."""

THINNEST_WALL = 1 / 40
"""Of the plate's radius: in thinner walls such triangles are too stiff by more than a percent."""


@dataclass(frozen=True)
class PlateBody:
    """A plate of `radius` and `width` with round holes; some carry loads.

    `spread` is the half width of the arc on the rim that takes up a force, in m.
    """

    radius: float
    width: float
    holes: tuple[Circle, ...]
    loaded: tuple[int, ...]  # numbers of the holes that carry loads
    material: Material
    spread: float
    seat: int | None = None  # the loaded hole in which a joint holds it, free where none does

    def __post_init__(self) -> None:
        if not min(self.radius, self.width, self.spread, self.thinnest_wall) > 0:
            raise ValueError(
                f"there is no plate of radius {self.radius:g} m and width {self.width:g} m whose "
                f"thinnest wall is {self.thinnest_wall:g} m and whose loads are spread by "
                f"{self.spread:g} m; all must be positive"
            )

    @property
    def thinnest_wall(self) -> float:
        """Between two of its circles, in m; negative where they cut."""
        return thinnest_wall(self.radius, self.holes)

    @property
    def mass(self) -> float:
        """In kg."""
        area = self.radius**2 - sum(hole.radius**2 for hole in self.holes)
        return math.pi * area * self.width * self.material.density

    @property
    def rim_waves(self) -> int:
        """N, of the shortest wave that counts in a spread force."""
        return waves_of_spread(self.spread / self.radius)

    @property
    def side(self) -> float:
        """Of a triangle, in m."""
        wave = 2 * math.pi * self.radius / (SIDES * self.rim_waves)
        return min(max(wave, FINEST * self.radius), COARSEST * self.radius)


def waves_of_spread(angle: float) -> int:
    """Of the shortest wave around a circle that counts in a force spread by ± `angle`."""
    waves = range(1, MOST_WAVES + 1)
    return max([FEWEST_WAVES, *(n for n in waves if abs(spread_share(n * angle)) > SHORTEST)])


def spread_of(depth: float, material: Material) -> float:
    """Half width s of the pressure whose surface moves as a point at `depth` does."""
    return depth * math.exp(-LOG_DISTANCE - 0.5 * (1 + material.poisson_ratio))


def spread_share(x: float) -> float:
    """Share of a wave in the pressure (1 + cos πx/s)/(2 s), x = 2π s over its length."""
    if x < 1e-6:
        return 1.0
    if abs(x - math.pi) < 1e-6:
        return 0.5
    return math.sin(x) / x / (1 - (x / math.pi) ** 2)


ROUND_OFF = 1e-9
"""Of a circle's radius: corners of the mesh that are so near lie on it."""


class PlateLoads(NamedTuple):
    """Compliance in m/N between all loads, and the mass in kg·m²/N² of what they cause.

    Rows of the rim are pressure and shear, n = 0 .. N with cosine and sine of each; those of holes
    follow in the order of `PlateBody.loaded`.
    """

    compliance: Floats
    mass: Floats


def plate_loads(body: PlateBody, side: float | None = None) -> PlateLoads:
    """Of a plate; computed once and kept on disk."""
    free = replace(body, seat=None)
    found = stored("plate", (free, side), lambda: _computed(free, side or body.side))
    loads = PlateLoads(found["compliance"], found["mass"])
    return loads if body.seat is None else _held_in_seat(body, body.seat, loads)


def _held_in_seat(body: PlateBody, seat: int, loads: PlateLoads) -> PlateLoads:
    """C" and T" of a plate that a joint holds."""
    rim, hole, unit = wave_count(body.rim_waves), wave_count(HOLE_WAVES), math.sqrt(math.pi)
    net = np.zeros((2, len(loads.compliance)))
    # ∫ e_r cos θ and so on over the first waves; shear is pressure turned by a right angle
    net[0, 1] = net[1, 2] = net[1, rim + 1] = unit
    net[0, rim + 2] = -unit
    for first in range(2 * rim, len(loads.compliance), hole):
        net[0, first + 1] = net[1, first + 2] = unit
    first = 2 * rim + hole * body.loaded.index(seat)
    held = np.zeros((len(loads.compliance), 2))
    held[first + 1, 0] = held[first + 2, 1] = 1 / unit
    balanced = np.eye(len(held)) - held @ net
    moved = held.T @ loads.compliance @ balanced
    compliance = balanced.T @ loads.compliance @ balanced
    mass = balanced.T @ loads.mass @ balanced + body.mass * moved.T @ moved
    others = [first, *range(first + 3, first + hole)]
    round_ = np.eye(len(held))
    inside = compliance[np.ix_(others, others)]
    round_[others] -= np.linalg.solve(inside, compliance[others])
    compliance, mass = round_.T @ compliance @ round_, round_.T @ mass @ round_
    return PlateLoads(0.5 * (compliance + compliance.T), 0.5 * (mass + mass.T))


def wave_count(waves: int) -> int:
    """Functions 1, cos θ, sin θ .. cos nθ, sin nθ."""
    return 2 * waves + 1


def wave_values(waves: int, angle: Floats) -> Floats:
    """(function, angle) of the waves by which a unit force is written: Σ f(θ) f(θ') is a force at
    θ as seen at θ'."""
    angle = np.asarray(angle)
    values = [np.full(angle.shape, math.sqrt(1 / (2 * math.pi)))]
    for n in range(1, waves + 1):
        values += [math.sqrt(1 / math.pi) * np.cos(n * angle)]
        values += [math.sqrt(1 / math.pi) * np.sin(n * angle)]
    return np.array(values)


def _computed(body: PlateBody, side: float) -> Arrays:
    from scipy.sparse.linalg import splu

    elements = PlateElements(body, side)
    loads = elements.loads()
    stiffness, mass, rigid = elements.stiffness, elements.mass, elements.rigid
    carried = mass @ rigid  # orthonormal: rigidᵀ M rigid = 1
    balanced = loads - carried @ (rigid.T @ loads)
    free = np.setdiff1d(np.arange(len(rigid)), elements.three())
    with one_blas_thread():
        found = np.zeros_like(balanced)
        found[free] = splu(stiffness[free][:, free].tocsc()).solve(balanced[free])
        found -= rigid @ (carried.T @ found)
        compliance = loads.T @ found
        moved = found.T @ (mass @ found)
    return {"compliance": 0.5 * (compliance + compliance.T), "mass": 0.5 * (moved + moved.T)}


class PlateElements:
    """Matrices of one plate, displacements node by node."""

    def __init__(self, body: PlateBody, side: float) -> None:
        from skfem import Basis, ElementTriP2, ElementVector
        from skfem.models.elasticity import lame_parameters, linear_elasticity

        self.body = body
        self.mesh, self.facets = _curved_mesh(body, side)
        element = ElementVector(ElementTriP2())
        self.basis = Basis(self.mesh, element, intorder=4)
        modulus, nu = body.material.youngs_modulus, body.material.poisson_ratio
        # the moduli of plane strain whose plane has those of a sheet
        moduli = lame_parameters(modulus * (1 + 2 * nu) / (1 + nu) ** 2, nu / (1 + nu))
        self.stiffness = body.width * linear_elasticity(*moduli).assemble(self.basis)
        self.mass = body.width * body.material.density * _mass_form().assemble(self.basis)

    @cached_property
    def rigid(self) -> Floats:
        """Shifts and turn, orthonormal by the mass."""
        x, y = self.basis.doflocs
        along = np.zeros((len(x), 3))
        first, second = self._axes()
        along[first, 0] = along[second, 1] = 1.0
        along[first, 2], along[second, 2] = -y[first], x[second]
        factor = np.linalg.cholesky(along.T @ (self.mass @ along))
        return np.asarray(np.linalg.solve(factor, along.T).T)

    def _axes(self) -> tuple[Integers, Integers]:
        """Unknowns along x and along y."""
        names = self.basis.get_dofs(elements=True)
        return names.all(["u^1"]), names.all(["u^2"])

    def three(self) -> Integers:
        """Unknowns that hold the plate just so: a point, and another's way across."""
        first, second = self._axes()
        x, y = self.basis.doflocs
        at = int(first[np.argmin(x[first])])
        across = int(second[np.argmin(np.hypot(x[second] - x[at], y[second] - y[at]))])
        far = int(second[np.argmax(x[second])])
        return np.array([at, across, far])

    def loads(self) -> Floats:
        """All loads, as forces on the unknowns (unknown, load)."""
        body, rim = self.body, Circle(0.0, 0.0, self.body.radius)
        waves = range(body.rim_waves + 1)
        shares = [1.0 if n < 2 else spread_share(n * body.spread / body.radius) for n in waves]
        holes = [body.holes[number] for number in body.loaded]
        return np.column_stack(
            [
                *(self.around(rim, shares, across) for across in (0.0, 0.5 * math.pi)),
                *(self.around(hole, [1.0] * (HOLE_WAVES + 1), 0.0) for hole in holes),
            ]
        )

    def around(self, circle: Circle, shares: list[float], across: float) -> Floats:
        """Waves around a circle; `across` is zero for pressure, a right angle for shear."""
        from skfem import FacetBasis

        basis = FacetBasis(self.mesh, self.basis.elem, facets=self.facets[circle], intorder=6)
        x, y = basis.global_coordinates()
        angle = np.arctan2(y - circle.y, x - circle.x)
        towards = np.cos(angle + across), np.sin(angle + across)
        waves = wave_values(len(shares) - 1, angle) * (basis.dx / circle.radius)
        loads = np.zeros((self.basis.N, len(waves)))
        for place, (shape,) in zip(basis.element_dofs, basis.basis, strict=True):
            along = towards[0] * shape[0] + towards[1] * shape[1]
            np.add.at(loads, place, np.einsum("wfq,fq->fw", waves, along))
        order = (np.arange(len(waves)) + 1) // 2
        return np.asarray(loads * np.array(shares)[order])


def _mass_form() -> Any:
    from skfem import BilinearForm

    return BilinearForm(lambda u, v, w: u[0] * v[0] + u[1] * v[1])


def _curved_mesh(body: PlateBody, side: float) -> tuple[Any, dict[Circle, Integers]]:
    """Triangles whose sides on circles are bent as these are, and which sides those are."""
    from skfem import MeshTri, MeshTri2

    flat = plate_mesh(body.radius, body.holes, side)
    mesh = MeshTri2.from_mesh(MeshTri(flat.points.T.copy(), flat.triangles.T.copy()))
    places, edges = mesh.doflocs.copy(), mesh.boundary_facets()
    corners = flat.points[mesh.facets[:, edges]]
    middle = corners.mean(axis=0)
    facets: dict[Circle, Integers] = {}
    for circle in (Circle(0.0, 0.0, body.radius), *body.holes):
        away = np.hypot(corners[..., 0] - circle.x, corners[..., 1] - circle.y)
        on = np.all(np.abs(away / circle.radius - 1) < ROUND_OFF, axis=0)
        facets[circle] = edges[on]
        x, y = middle[on, 0] - circle.x, middle[on, 1] - circle.y
        longer = circle.radius / np.hypot(x, y)
        numbers = len(flat.points) + edges[on]
        places[0, numbers], places[1, numbers] = circle.x + longer * x, circle.y + longer * y
    return MeshTri2(places, mesh.t), facets
