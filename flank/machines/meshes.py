"""The ladder: one interface by which every gear mesh of a machine becomes part of a model."""

from dataclasses import dataclass

from flank.dynamics.builder import ModelBuilder
from flank.elasticity.material import Material
from flank.geometry.gear_pair import GearPair
from flank.machines.gear_spec import MeshSpec

Point = tuple[float, float]
ORIGIN: Point = (0.0, 0.0)


@dataclass(frozen=True)
class MeshedPair:
    """Two gears, what they are made of, and how their mesh is modelled.

    `load` (N, normal, transverse) is where the table is taken, whose Hertz part depends on load.
    """

    pair: GearPair
    materials: tuple[Material, Material]
    form: MeshSpec
    load: float


@dataclass(frozen=True)
class GearPlace:
    """Where a gear sits on its body: direction of a tooth at angle zero, and its centre.

    A centre off the body's origin is a run-out.
    """

    body: int
    tooth_angle: float = 0.0
    centre: Point = ORIGIN


@dataclass(frozen=True)
class MeshPlace:
    """A mesh in the model: its name and the rows that carry its force, one kind of them."""

    name: str
    model: str
    springs: tuple[int, ...] = ()
    contacts: tuple[int, ...] = ()  # flank +1 first, then flank -1, equally many
    multiplier: int = -1


def add_mesh(
    builder: ModelBuilder,
    name: str,
    meshed: MeshedPair,
    first: GearPlace,
    second: GearPlace,
    flank: int = 1,
    shared_multiplier: int = -1,
) -> MeshPlace:
    """Put the mesh of two gears into the model, on the rung that its form names.

    `flank` is the loaded one of a rigid mesh. Rigid meshes that share a multiplier carry equal
    forces: their sum of gaps is held.
    """
    raise NotImplementedError
