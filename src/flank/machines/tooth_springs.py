"""The rung `table`: pairs of teeth as springs whose stiffness depends on where they touch."""

from flank.contact.tooth_pair import GearPlace, RollTable, tooth_pair_row
from flank.dynamics.builder import ModelBuilder
from flank.elasticity.mesh_stiffness import pair_table
from flank.machines.base import MeshPlace
from flank.machines.meshed_pair import MeshedPair, centred_angle
from flank.machines.tooth_limits import tooth_limits


def add_table(
    builder: ModelBuilder, name: str, meshed: MeshedPair, first: GearPlace, second: GearPlace
) -> MeshPlace:
    """One spring for every slice across the face; it knows both flanks and all pairs of teeth."""
    pair, form, slices = meshed.pair, meshed.form, meshed.slices()
    table = pair_table(pair, meshed.materials, meshed.load / pair.face_width)
    columns = tuple(
        RollTable(table.start, table.step, tuple(values.tolist()))
        for values in (table.stiffness, table.separation)
    )
    number = builder.tooth_pair(
        tooth_pair_row(pair, first, second), pairs=(columns[0], columns[1]), common=table.common
    )
    angle = centred_angle(builder, meshed, first, second)
    springs = [
        builder.mesh(
            first.body,
            second.body,
            1 / len(slices),
            meshed.base_radii,
            pair.centre_distance,
            form.damping / len(slices),
            angle,
            pair.normal_backlash,
            first.centre,
            second.centre,
            pair=number,
            roll_offset=ahead,
            separation=taken_off,
        )
        for ahead, taken_off in slices
    ]
    return MeshPlace(
        name,
        form.model,
        springs=tuple(springs),
        working_angle=meshed.working_angle,
        limits=tooth_limits(meshed),
    )
