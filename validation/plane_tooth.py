"""A gear by finite elements in plane strain: what the beam model of a tooth is held against.

Deflections are those of the structure: the indentation of the contact is taken off and left to the
law of line contact, as in `flank.elasticity.finite_elements.influence`.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.interpolate import RectBivariateSpline

from flank.contact.gear_loading import GearLoading
from flank.contact.loaded_mesh import loaded_mesh
from flank.elasticity.finite_elements.influence import FlankGrid, FlankInfluence, flank_influence
from flank.elasticity.finite_elements.sector_mesh import GearBody, MeshDensity
from flank.elasticity.material import STEEL, Material
from flank.elasticity.tooth_beam import held_radius
from flank.geometry.gear import Gear
from flank.geometry.gear_pair import GearPair

DENSITY = MeshDensity(tooth=8, flank=8, fillet=2, layers=1, growth=0.2)
GRID = FlankGrid(profile=17, face=1, teeth=1)
MESH_GRID = FlankGrid(profile=9, face=1, teeth=3)


@dataclass(frozen=True)
class PlaneTooth:
    """A gear whose body does not move at the radius `held`; deflections are per force and width."""

    gear: Gear
    held: float
    material: Material = STEEL

    @cached_property
    def influence(self) -> FlankInfluence:
        body = GearBody(self.gear.normal_module, self.held)
        return flank_influence(self.gear, body, self.material, GRID, DENSITY, plane=True)

    def structure(self, roll: float) -> float:
        """Of the loaded point."""
        return self._deflection(0, roll, roll)

    def coupling(self, roll: float, other_roll: float, tooth: int) -> float:
        """At a point of the tooth after (1) or before (-1) the loaded one."""
        return self._deflection(tooth, other_roll, roll)

    def _deflection(self, tooth: int, roll: float, loaded: float) -> float:
        rolls, block = self.influence.roll, self.influence.compliance[1 + tooth]
        spline = RectBivariateSpline(rolls, rolls, block)
        return float(spline(np.array([roll]), np.array([loaded]))[0, 0]) * self.gear.normal_module


def plane_mesh_stiffness(
    pair: GearPair, load: float, materials: tuple[Material, Material] = (STEEL, STEEL)
) -> float:
    """Mean over a pitch of load over approach, N/m per face width, of two gears of elements in
    plane strain, held where the beam model holds them; twice as fine a mesh has it to 0.1 %."""
    influences = [
        flank_influence(
            gear,
            GearBody(pair.face_width, held_radius(gear)),
            material,
            MESH_GRID,
            DENSITY,
            plane=True,
        )
        for gear, material in zip((pair.first, pair.second), materials, strict=True)
    ]
    loading = GearLoading(pair, (influences[0], influences[1]), materials)
    torques = np.array([load * pair.first.base_radius])
    return float(loaded_mesh(loading, torques, 16).stiffness.mean()) / pair.face_width
