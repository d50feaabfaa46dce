"""A gear by finite elements in plane strain: what the beam model of a tooth is held against.

Deflections are those of the structure: the indentation of the contact is taken off and left to the
law of line contact, as in `flank.elasticity.finite_elements.influence`.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.interpolate import RectBivariateSpline

from flank.elasticity.finite_elements.influence import FlankGrid, FlankInfluence, flank_influence
from flank.elasticity.finite_elements.sector_mesh import GearBody, MeshDensity
from flank.elasticity.material import STEEL, Material
from flank.geometry.gear import Gear

DENSITY = MeshDensity(tooth=8, flank=8, fillet=2, layers=1, growth=0.2)
GRID = FlankGrid(profile=17, face=1, teeth=1)


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
