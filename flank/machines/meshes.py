"""The ladder: one interface by which every gear mesh of a machine becomes part of a model."""

import math
from dataclasses import dataclass

from flank.contact.tooth_pair import GearPlace
from flank.dynamics.builder import ModelBuilder
from flank.elasticity.material import Material
from flank.geometry.gear_pair import GearPair
from flank.machines.base import MeshPlace
from flank.machines.gear_spec import MeshSpec


@dataclass(frozen=True)
class MeshedPair:
    """Two gears, what they are made of, and how their mesh is modelled.

    `load` (N, normal, transverse) is where the table is taken, whose Hertz part depends on load.
    """

    pair: GearPair
    materials: tuple[Material, Material]
    form: MeshSpec
    load: float

    @property
    def base_radii(self) -> tuple[float, float]:
        """With the sign that a ring has in the model."""
        pair = self.pair
        return pair.first.base_radius, pair.sign * pair.second.base_radius


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

    `flank` is the one that a rigid mesh, or a spring without separation, holds. Rigid meshes that
    share a multiplier carry equal forces: their sum of gaps is held.
    """
    form = meshed.form
    if form.model == "rigid":
        multiplier = builder.tooth_joint(
            first.body,
            second.body,
            meshed.base_radii,
            flank,
            first.centre,
            second.centre,
            shared_multiplier,
        )
        return MeshPlace(name, form.model, multiplier=multiplier, flank=flank)
    if form.model == "spring":
        return _add_spring(builder, name, meshed, first, second, flank)
    raise NotImplementedError(form.model)


def _add_spring(
    builder: ModelBuilder,
    name: str,
    meshed: MeshedPair,
    first: GearPlace,
    second: GearPlace,
    flank: int,
) -> MeshPlace:
    pair, form = meshed.pair, meshed.form
    stiffness = form.stiffness
    assert stiffness is not None
    number = builder.mesh(
        first.body,
        second.body,
        stiffness,
        meshed.base_radii,
        pair.centre_distance,
        form.damping,
        centred_angle(builder, meshed, first, second, held=not form.separation),
        pair.normal_backlash if form.separation else 0.0,
        first.centre,
        second.centre,
        0 if form.separation else flank,
    )
    return MeshPlace(name, form.model, springs=(number,), flank=flank)


def centred_angle(
    builder: ModelBuilder,
    meshed: MeshedPair,
    first: GearPlace,
    second: GearPlace,
    held: bool = False,
) -> float:
    """θ_b where the second gear stands centred in the mesh, r_a θ_a = R β; see dynamics/mesh.py.

    Of all teeth those count that are in mesh where the bodies begin. `held` takes the gears as
    centred there, wherever their teeth are.
    """
    pair, pose = meshed.pair, builder.pose()
    radius_a, radius_b = meshed.base_radii
    ax, ay = builder.placed(first.body, first.centre)
    bx, by = builder.placed(second.body, second.centre)
    direction = math.atan2(pair.sign * (by - ay), pair.sign * (bx - ax))
    turn_a, turn_b = float(pose[first.body, 2]), float(pose[second.body, 2])
    off = 0.0
    if not held:
        other = direction + (math.pi if pair.sign > 0 else 0.0)
        phase = radius_a * (turn_a + first.tooth_angle - direction)
        phase += radius_b * (turn_b + second.tooth_angle - other)
        off = math.remainder(phase - 0.5 * pair.base_pitch, pair.base_pitch)
    radii = radius_a + radius_b
    return turn_b + (radius_a * turn_a - radii * direction - off) / radius_b
