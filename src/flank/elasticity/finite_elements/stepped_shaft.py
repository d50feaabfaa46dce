"""A stepped round shaft that bends, in space: lateral stiffness between its stations.

Displacements go once around the axis with the load, u_r = U cos φ, u_φ = -V sin φ, u_z = W cos φ,
so that the shaft is its half section, meshed by quadratic rectangles, and

    ε_r = U_r,    ε_φ = (U - V)/r,    ε_z = W_z,
    γ_rz = U_z + W_r,    γ_rφ = (V - U)/r - V_r,    γ_φz = -V_z - W/r

times cos φ or sin φ. On the axis U = V and W = 0. A step bends what is near it, which a beam that
ends abruptly does not know.

A station's force is spread evenly through a length of the shaft about it, and its displacement is
the mean of that. The stiffness K of the stations resists neither a common shift nor
a common tilt: with P all forces in balance and G what they move on any two supports,
K = P (Pᵀ G P)⁻¹ Pᵀ.
"""

import functools
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import null_space

from flank.arrays import Floats
from flank.elasticity.finite_elements.factorization import superlu
from flank.elasticity.finite_elements.store import stored
from flank.elasticity.shaft import Shaft

CELLS = 6
"""Cells over the smallest radius."""


@functools.lru_cache(maxsize=64)
def solid_lateral_stiffness(shaft: Shaft, lengths: tuple[float, ...], cells: int = CELLS) -> Floats:
    """K in N/m of stations that are loaded along these lengths, from the disk if known."""
    inputs = (shaft, lengths, cells)
    arrays = stored("stepped_shaft", inputs, lambda: {"stiffness": _stiffness(*inputs)})
    arrays["stiffness"].flags.writeable = False
    return arrays["stiffness"]


def _stiffness(shaft: Shaft, lengths: tuple[float, ...], cells: int) -> Floats:
    loaded = [
        _Loaded(z - 0.5 * length, z + 0.5 * length, _radius_at(shaft, z))
        for z, length in zip(shaft.stations, lengths, strict=True)
    ]
    moved = _moved(shaft, loaded, cells)
    places = np.array(shaft.stations) / shaft.length
    balanced = null_space(np.vstack((np.ones(len(places)), places)))
    inner = balanced.T @ moved @ balanced
    stiffness = balanced @ np.linalg.solve(inner, balanced.T)
    return np.asarray(0.5 * (stiffness + stiffness.T))


class _Loaded(NamedTuple):
    """Where a station's force is."""

    low: float
    high: float
    radius: float


def _ends(shaft: Shaft) -> Floats:
    return np.concatenate(([0.0], np.cumsum([s.length for s in shaft.segments])))


def _radius_at(shaft: Shaft, z: float) -> float:
    k = int(np.searchsorted(_ends(shaft), z, "right")) - 1
    return shaft.segments[min(k, len(shaft.segments) - 1)].radius


def _moved(shaft: Shaft, loaded: Sequence[_Loaded], cells: int) -> Floats:
    """G: displacements of the stations by their forces, held at two places of the axis."""
    from skfem import Basis, BilinearForm, ElementQuad2, LinearForm

    element = ElementQuad2() * ElementQuad2() * ElementQuad2()
    basis = Basis(_half_section(shaft, loaded, cells), element, intorder=5)
    shear, poisson = shaft.material.shear_modulus, shaft.material.poisson_ratio
    spread = 2 * shear * poisson / (1 - 2 * poisson)

    def energy(u: Any, d: Any, w: Any, u2: Any, d2: Any, w2: Any, at: Any) -> Any:
        r = at.x[0]
        first, second = _strains(u, d, w, r), _strains(u2, d2, w2, r)
        swell = sum(first[:3]) * sum(second[:3])
        straight = sum(a * b for a, b in zip(first[:3], second[:3], strict=True))
        sheared = sum(a * b for a, b in zip(first[3:], second[3:], strict=True))
        return np.pi * r * (spread * swell + shear * (2 * straight + sheared))

    def even(u2: Any, d2: Any, _w2: Any, at: Any) -> Any:
        r, z = at.x
        inside = (z > at.low) & (z < at.high)
        return inside * r * (2 * u2 - d2) / (at.radius**2 * (at.high - at.low))

    forces = np.column_stack(
        [LinearForm(even).assemble(basis, **part._asdict()) for part in loaded]
    )
    x, y = basis.doflocs
    across, between, along = (basis.split_indices()[k] for k in range(3))
    on_axis = x < 1e-9 * shaft.length
    held = {*between[on_axis[between]].tolist(), *along[on_axis[along]].tolist()}
    axis = across[on_axis[across]]
    held |= {int(axis[np.argmin(y[axis])]), int(axis[np.argmax(y[axis])])}
    free = np.setdiff1d(np.arange(basis.N), list(held))
    stiffness = BilinearForm(energy).assemble(basis).tocsr()[free][:, free]
    return np.asarray(forces[free].T @ superlu(stiffness.tocsc()).solve(forces[free]))


def _strains(u: Any, d: Any, w: Any, r: Floats) -> tuple[Any, ...]:
    """ε_r, ε_φ, ε_z, γ_rz, γ_rφ, γ_φz of U, D = U - V and W."""
    v_r, v_z = u.grad[0] - d.grad[0], u.grad[1] - d.grad[1]
    return (
        u.grad[0],
        d / r,
        w.grad[1],
        u.grad[1] + w.grad[0],
        -d / r - v_r,
        -v_z - w / r,
    )


def _half_section(shaft: Shaft, loaded: Sequence[_Loaded], cells: int) -> Any:
    """Rectangles of about one size from the axis to the surface of every segment, with edges where
    loads begin and end."""
    from skfem import MeshQuad

    size = min(s.radius for s in shaft.segments) / cells
    ends, cuts = _ends(shaft), [z for part in loaded for z in (part.low, part.high)]
    heights = np.unique(np.round([*ends, *cuts], 9))
    radii = sorted({0.0, *(s.radius for s in shaft.segments)})
    mesh = MeshQuad.init_tensor(_divided(radii, size), _divided(heights.tolist(), size))
    r, z = mesh.p[:, mesh.t].mean(axis=1)
    segment = np.minimum(np.searchsorted(ends, z, "right") - 1, len(shaft.segments) - 1)
    outside = r > np.array([s.radius for s in shaft.segments])[segment]
    return mesh.remove_elements(np.flatnonzero(outside)) if outside.any() else mesh


def _divided(cuts: list[float], size: float) -> Floats:
    """Places between cuts, at most a size apart."""
    parts = [np.linspace(a, b, max(1, round((b - a) / size)) + 1)[:-1] for a, b in pairwise(cuts)]
    return np.array([*np.concatenate(parts), cuts[-1]])
