"""An elastic ring that is pressed on inside and held outside or at its bolts, by finite elements.

Plane stress, the elements of the plate (elastic_plate.py). Loads are waves around the inner circle,
pressure and shear, and a force there is spread as on a plate's rim. Where the ring is held it does
not move: over its whole outer face, or on the walls of bolt holes, whose bolts press it against
something rigid. With the loads L, the stiffness K of what is free and the mass M

    C = Lᵀ K⁻¹ L,        T = Xᵀ M X,        X = K⁻¹ L

are the compliance between all loads and the mass of the displacements that they cause.
"""

import math
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from flank.arrays import Floats, Integers
from flank.blas import one_blas_thread
from flank.elasticity.finite_elements.elastic_plate import (
    COARSEST,
    FINEST,
    SIDES,
    PlateBody,
    PlateElements,
    PlateLoads,
    spread_share,
    waves_of_spread,
)
from flank.elasticity.finite_elements.plate_mesh import Circle, thinnest_wall
from flank.elasticity.finite_elements.store import Arrays, stored
from flank.elasticity.material import Material

ACROSS = 3
"""Sides of triangles across the thinnest wall, at least; sides are parabolas."""


@dataclass(frozen=True)
class RingBody:
    """A ring from `inside` to `outside`, radii, and as wide as `width`.

    `spread` is the half width of the arc inside that takes up a force. `bolts` are holes whose
    walls stand still; without any the outer face does. All in m. `modes` says how many of its
    displacements the engine knows.
    """

    inside: float
    outside: float
    width: float
    material: Material
    spread: float
    bolts: tuple[Circle, ...] = ()
    modes: int = 24
    loaded: ClassVar[tuple[int, ...]] = ()

    def __post_init__(self) -> None:
        if not min(self.inside, self.width, self.spread, self.thinnest_wall) > 0:
            raise ValueError(
                f"there is no ring from {self.inside:g} m to {self.outside:g} m and of width "
                f"{self.width:g} m whose thinnest wall is {self.thinnest_wall:g} m and whose loads "
                f"are spread by {self.spread:g} m; all must be positive"
            )

    @property
    def holes(self) -> tuple[Circle, ...]:
        """The inside, and the bolts."""
        return Circle(0.0, 0.0, self.inside), *self.bolts

    @property
    def thinnest_wall(self) -> float:
        """Between two of its circles, in m; negative where they cut."""
        return thinnest_wall(self.outside, self.holes)

    @property
    def rim_waves(self) -> int:
        """N, of the shortest wave that counts in a spread force."""
        return waves_of_spread(self.spread / self.inside)

    @property
    def side(self) -> float:
        """Of a triangle, in m."""
        wave = 2 * math.pi * self.inside / (SIDES * self.rim_waves)
        usual = min(max(wave, FINEST * self.outside), COARSEST * self.outside)
        return min(usual, self.thinnest_wall / ACROSS)


def ring_loads(body: RingBody, side: float | None = None) -> PlateLoads:
    """Of a ring; computed once and kept on disk. Rows are pressure and shear inside."""
    geometry = replace(body, modes=0)
    found = stored("ring", (geometry, side), lambda: _computed(body, side or body.side))
    return PlateLoads(found["compliance"], found["mass"])


def _computed(body: RingBody, side: float) -> Arrays:
    from scipy.sparse.linalg import splu

    plate = PlateBody(body.outside, body.width, body.holes, (), body.material, body.spread)
    elements = PlateElements(plate, side)
    loads, free = _loads(elements, body), _free(elements, body)
    with one_blas_thread():
        found = np.zeros_like(loads)
        found[free] = splu(elements.stiffness[free][:, free].tocsc()).solve(loads[free])
        compliance = loads.T @ found
        moved = found.T @ (elements.mass @ found)
    return {"compliance": 0.5 * (compliance + compliance.T), "mass": 0.5 * (moved + moved.T)}


def _loads(elements: PlateElements, body: RingBody) -> Floats:
    """All loads, as forces on the unknowns (unknown, load)."""
    inside, waves = body.holes[0], range(body.rim_waves + 1)
    shares = [1.0 if n < 2 else spread_share(n * body.spread / body.inside) for n in waves]
    return np.column_stack(
        [elements.around(inside, shares, across) for across in (0.0, 0.5 * math.pi)]
    )


def _free(elements: PlateElements, body: RingBody) -> Integers:
    """Unknowns but those of what is held."""
    held = body.bolts or (Circle(0.0, 0.0, body.outside),)
    facets = np.concatenate([elements.facets[circle] for circle in held])
    fixed = elements.basis.get_dofs(facets).all()
    return np.setdiff1d(np.arange(elements.basis.N), fixed)
