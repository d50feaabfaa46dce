"""Mesh models: one interface by which every gear mesh of a machine becomes part of a model.

In the mesh model `rigid` a mesh is a joint, in `spring` a spring of constant stiffness, in `table`
springs whose stiffness depends on where teeth touch, in `contact` explicit contacts of teeth.
"""

from flank.contact import FRICTIONLESS, Friction, Surface, teeth
from flank.contact.tooth_pair import GearPlace, RollTable, tooth_pair_row
from flank.dynamics.builder import ModelBuilder
from flank.elasticity.line_contact import LineLaw, half_width
from flank.elasticity.material import contact_modulus
from flank.elasticity.mesh_stiffness import mean_stiffness, pair_table
from flank.elasticity.tooth import ToothTable, tooth_pair_hertz, tooth_tables
from flank.geometry.gear_pair import GearPair
from flank.geometry.pair_gap import LARGEST_DEFLECTION, separation
from flank.machines.base import MeshPlace
from flank.machines.meshed_pair import MeshedPair, centred_angle, start_direction

__all__ = ["GearPlace", "MeshPlace", "MeshedPair", "add_mesh"]

PHASES = 16
"""Of a base pitch, at which the pairs near the mesh are counted."""


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
    """Put the mesh of two gears into the model, by the mesh model that its form names.

    `flank` is the one that a rigid mesh, or a spring without separation, holds. Rigid meshes that
    share a multiplier carry equal forces: their sum of gaps is held. Friction acts in the mesh
    model `contact` alone.
    """
    model = meshed.form.model
    if model == "rigid":
        centres, radii = (first.centre, second.centre), meshed.base_radii
        number = builder.tooth_joint(
            first.body, second.body, radii, flank, *centres, shared_multiplier
        )
        return meshed.place(name, multiplier=number, flank=flank)
    if model == "spring":
        spring = _add_spring(builder, meshed, first, second, flank)
        return meshed.place(name, springs=(spring,), flank=flank)
    if model == "table":
        return meshed.place(name, springs=_add_table(builder, meshed, first, second))
    contacts = _add_contacts(builder, meshed, first, second, friction)
    return meshed.place(name, contacts=contacts, limits=None)  # they know their own pressure


def _add_spring(
    builder: ModelBuilder, meshed: MeshedPair, first: GearPlace, second: GearPlace, flank: int
) -> int:
    pair, form = meshed.pair, meshed.form
    stiffness = form.stiffness
    if stiffness is None:
        load = meshed.load / pair.face_width
        stiffness = mean_stiffness(pair, meshed.materials, load, len(meshed.slices()))
    return builder.mesh(
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


def _add_table(
    builder: ModelBuilder, meshed: MeshedPair, first: GearPlace, second: GearPlace
) -> tuple[int, ...]:
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
    return tuple(
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
    )


def _add_contacts(
    builder: ModelBuilder,
    meshed: MeshedPair,
    first: GearPlace,
    second: GearPlace,
    friction: Friction,
) -> tuple[int, ...]:
    """Every pair of teeth near the mesh on both flanks; by flank, then slice, then slot."""
    pair, form = meshed.pair, meshed.form
    tables = tooth_tables(pair, meshed.materials)
    row = tooth_pair_row(pair, first, second, contact_width(meshed))
    row["start_direction"] = start_direction(builder, meshed, first, second)
    number = builder.tooth_pair(row, (_rolled(tables[0]), _rolled(tables[1])))
    slices, slots = meshed.slices(), slot_count(pair)
    constant, slope = tooth_pair_hertz(pair, meshed.materials)
    law = LineLaw(constant, slope, pair.face_width / len(slices))
    surface = Surface(law, form.damping / meshed.load, friction)
    return tuple(
        builder.contact(
            teeth(
                number,
                (first.body, second.body),
                flank,
                (slot, slots),
                surface,
                pair.first.normal_module,
                at,
            )
        )
        for flank in (1, -1)
        for at in slices
        for slot in range(slots)
    )


def slot_count(pair: GearPair) -> int:
    """Pairs of teeth to look at about the middle of the path, at any position of the mesh."""
    reach, pitch = LARGEST_DEFLECTION * pair.first.normal_module, pair.base_pitch
    middle, farthest = 0.5 * sum(pair.path), 0
    most = min(pair.first.teeth, pair.second.teeth)
    for phase in range(PHASES):
        for side in (1, -1):
            for number in range(most):
                way = (phase / PHASES - 0.5 + side * number) * pitch
                if separation(pair, middle + way) >= reach:
                    break
                farthest = max(farthest, number)
    return min(2 * farthest + 1, most)


def contact_width(meshed: MeshedPair) -> float:
    """Half width of the contact at the ends of the path, at most a quarter of the base pitch."""
    pair = meshed.pair
    widths = [0.0]
    for roll in pair.path:
        mate = pair.second_roll(roll)
        if roll > 0 and mate > 0:
            radius = 1 / (1 / roll + pair.sign / mate)
            modulus = contact_modulus(*meshed.materials)
            widths.append(half_width(meshed.load, pair.face_width, radius, modulus))
    return min(max(widths), 0.25 * pair.base_pitch)


def _rolled(table: ToothTable) -> RollTable:
    return RollTable(table.start, table.step, tuple(table.values.tolist()))
