"""Stress in a fillet by finite elements in plane strain, beside what ISO 6336-3 makes of it.

Elements give displacements; at the free surface of the fillet the strain along it, dε = d(u·t)/ds,
is all that its stress needs in plane strain: σ = E/(1 - ν²) ε.
"""

import math

import numpy as np
from scipy.interpolate import CubicSpline

from flank.elasticity.finite_elements.cyclic import cyclic_gear, static_response
from flank.elasticity.finite_elements.influence import flank_forces
from flank.elasticity.finite_elements.sector_mesh import GearBody, MeshDensity, sector_mesh
from flank.elasticity.material import STEEL
from flank.geometry.gear import Gear
from flank.geometry.tooth_outline import half_outline

DENSITY = MeshDensity(tooth=8, flank=8, fillet=6, space=2, layers=1, growth=0.4)


def fillet_stress(
    gear: Gear, roll: float, held: float, density: MeshDensity = DENSITY
) -> tuple[float, float]:
    """Largest tension in the loaded side's fillet in Pa under 1 N per metre of face, normal to the
    flank at a roll length; and the angle in rad that the tangent there has to the tooth's
    middle."""
    width = gear.normal_module
    mesh = sector_mesh(gear, GearBody(width, held), density)
    elastic = cyclic_gear(mesh, STEEL, None, plane=True)
    loads = np.zeros((gear.teeth, elastic.size))
    loads[0] = elastic.loads(flank_forces(gear, mesh, np.array([roll]), 1))[:, 0]
    moved = static_response(elastic, loads * width)
    displaced = (elastic.spread[0] @ moved[0] + elastic.spread[1] @ moved[1]).reshape(-1, 3)
    curve = half_outline(gear).fillet
    t = curve.spread(20001)
    line = curve.point(t)
    flat = np.abs(mesh.nodes[:, 2] - mesh.nodes[:, 2].min()) < 1e-9 * gear.tip_radius
    points = mesh.nodes[:, 0] + 1j * mesh.nodes[:, 1]
    near = np.array(
        [
            np.abs(line - point).min() if ok else math.inf
            for point, ok in zip(points, flat, strict=True)
        ]
    )
    nodes = np.flatnonzero(near < 1e-4 * gear.normal_module)
    place = np.array([int(np.argmin(np.abs(line - points[node]))) for node in nodes])
    order = np.argsort(place)
    nodes, place = nodes[order], place[order]
    along = np.concatenate(([0.0], np.cumsum(np.abs(np.diff(line)))))[place]
    ways = displaced[nodes, 0] + 1j * displaced[nodes, 1]
    path = CubicSpline(along, ways)
    s = np.linspace(along[0], along[-1], 2001)
    at = np.interp(s, along, t[place])
    tangent = curve.slope(at)
    tangent /= np.abs(tangent) * np.sign(t[-1] - t[0])
    strain = (path(s, 1) * tangent.conj()).real
    stress = STEEL.youngs_modulus / (1 - STEEL.poisson_ratio**2) * strain
    top = int(np.argmax(stress))
    angle = abs(math.atan(tangent[top].imag / tangent[top].real))
    return float(stress[top]), angle
