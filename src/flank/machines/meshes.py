"""The ladder: one interface by which every gear mesh of a machine becomes part of a model."""

from flank.contact import FRICTIONLESS, Friction
from flank.contact.tooth_pair import GearPlace
from flank.dynamics.builder import ModelBuilder
from flank.elasticity.mesh_stiffness import mean_stiffness
from flank.machines.base import MeshPlace
from flank.machines.meshed_pair import MeshedPair, centred_angle
from flank.machines.tooth_contacts import add_contacts
from flank.machines.tooth_limits import tooth_limits
from flank.machines.tooth_springs import add_table

__all__ = ["GearPlace", "MeshPlace", "MeshedPair", "add_mesh"]


def add_mesh(
    builder: ModelBuilder,
    name: str,
    meshed: MeshedPair,
    first: GearPlace,
    second: GearPlace,
    flank: int = 1,
    shared_multiplier: int = -1,
    friction: Friction = FRICTIONLESS,
) -> MeshPlace:
    """Put the mesh of two gears into the model, on the rung that its form names.

    `flank` is the one that a rigid mesh, or a spring without separation, holds. Rigid meshes that
    share a multiplier carry equal forces: their sum of gaps is held. Friction acts on the rung
    `contact` alone.
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
        return MeshPlace(
            name,
            form.model,
            multiplier=multiplier,
            flank=flank,
            working_angle=meshed.working_angle,
            limits=tooth_limits(meshed),
        )
    if form.model == "spring":
        return _add_spring(builder, name, meshed, first, second, flank)
    if form.model == "table":
        return add_table(builder, name, meshed, first, second)
    return add_contacts(builder, name, meshed, first, second, friction)


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
    if stiffness is None:
        load = meshed.load / pair.face_width
        stiffness = mean_stiffness(pair, meshed.materials, load, len(meshed.slices()))
    number = builder.mesh(
        first.body,
        second.body,
        stiffness,
        meshed.base_radii,
        pair.centre_distance,
        form.damping,
        centred_angle(builder, meshed, first, second),
        pair.normal_backlash if form.separation else 0.0,
        first.centre,
        second.centre,
        0 if form.separation else flank,
    )
    return MeshPlace(
        name,
        form.model,
        springs=(number,),
        flank=flank,
        working_angle=meshed.working_angle,
        limits=tooth_limits(meshed),
    )
