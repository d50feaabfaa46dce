"""Two gears on fixed centres, the first turned by hand, the second loaded: a test stand."""

import math
from dataclasses import dataclass

import numpy as np

from flank.arrays import Floats
from flank.contact.tooth_pair import GearPlace
from flank.dynamics.builder import ModelBuilder
from flank.dynamics.functions import constant, linear
from flank.dynamics.model import Model
from flank.dynamics.run import solve_statics
from flank.dynamics.tables import GROUND
from flank.elasticity.material import STEEL, Material
from flank.geometry.gear import Gear
from flank.geometry.gear_pair import GearPair
from flank.machines.gear_spec import MeshSpec
from flank.machines.meshes import MeshedPair, add_mesh

ANGLE = math.radians(20)
BOTH = (STEEL, STEEL)


def gear(teeth: int, shift: float = 0.0, internal: bool = False, tip: float = 0.0) -> Gear:
    """Of 10 mm module on the standard rack, edges rounded with 0.2 mm."""
    found = Gear(teeth, 10e-3, ANGLE, shift, internal, edge_radius=0.2e-3)
    return found.with_tip_radius(tip) if tip else found


def standard_pair(first: int, second: int) -> GearPair:
    return GearPair(gear(first), gear(second), face_width=0.1)


SUN, PLANET, RING = (
    gear(20, 0.582, tip=0.114815),
    gear(35, 0.419, tip=0.188185),
    gear(91, -0.84, True, tip=0.4544),
)
SUN_PLANET = GearPair(SUN, PLANET, face_width=0.21)
PLANET_RING = GearPair(PLANET, RING, face_width=0.21)
"""The meshes of the 500 kW stage without backlash."""


@dataclass(frozen=True)
class Stand:
    """A pair in one of the mesh models; `load` (N) is normal to the teeth, on flank +1."""

    pair: GearPair
    mesh_model: str
    load: float
    materials: tuple[Material, Material] = BOTH
    edges: bool = True  # whether those of tips touch beyond the path

    @property
    def ratio(self) -> float:
        return self.pair.signed_ratio

    def model(self) -> tuple[Model, Floats]:
        """Time stands for the angle of the first gear."""
        pair, b = self.pair, ModelBuilder(0.1)
        first = b.body("first", 1.0, 1e-3, (0.0, 0.0, 0.0))
        second = b.body("second", 1.0, 1e-3, (pair.sign * pair.centre_distance, 0.0, 0.0))
        tooth = (math.pi if pair.sign > 0 else 0.0) + math.pi / pair.second.teeth
        b.revolute(GROUND, first)
        b.rotation(GROUND, first, linear(1.0))
        b.revolute(GROUND, second, b.placed(second, (0.0, 0.0)))
        b.torque(second, constant(pair.sign * self.load * pair.second.base_radius))
        form = MeshSpec(model=self.mesh_model, tip_edge_contact=self.edges)
        meshed = MeshedPair(pair, self.materials, form, self.load)
        add_mesh(b, "mesh", meshed, GearPlace(first), GearPlace(second, tooth))
        return b.build(), b.pose()

    def approaches(self, positions: int = 32) -> Floats:
        """How far the second gear comes closer along the line of action, over one pitch, from where
        its flanks touch."""
        model, pose = self.model()
        angles = self.pair.first.pitch_angle * (np.arange(positions) + 0.5) / positions
        guesses = np.broadcast_to(pose, (positions, *pose.shape)).copy()
        guesses[:, 1, 2] = angles
        guesses[:, 2, 2] += angles / self.ratio
        run = solve_statics(model, guesses[0], angles, guesses)
        assert run.complete
        behind = run.position[:, 2, 2] - guesses[:, 2, 2]
        moved: Floats = self.pair.sign * behind * self.pair.second.base_radius
        return moved - 0.5 * self.pair.normal_backlash

    def stiffness(self, positions: int = 32) -> Floats:
        """Load over approach at every position, in N/m."""
        return self.load / self.approaches(positions)
