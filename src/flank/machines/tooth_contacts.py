"""The mesh model `contact`: every pair of teeth near the mesh as contacts, on both flanks."""

from flank.contact import Friction, Surface, teeth
from flank.contact.tooth_pair import GearPlace, RollTable, tooth_pair_row
from flank.dynamics.builder import ModelBuilder
from flank.elasticity.line_contact import LineLaw, half_width
from flank.elasticity.material import contact_modulus
from flank.elasticity.tooth import ToothTable, tooth_pair_hertz, tooth_tables
from flank.geometry.gear_pair import GearPair
from flank.geometry.pair_gap import DEEPEST, separation
from flank.machines.meshed_pair import MeshedPair, start_direction

PHASES = 16
"""Of a base pitch, at which the pairs near the mesh are counted."""


def add_contacts(
    builder: ModelBuilder,
    meshed: MeshedPair,
    first: GearPlace,
    second: GearPlace,
    friction: Friction,
) -> tuple[int, ...]:
    """Contacts by flank, then slice, then slot."""
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
    reach, pitch = DEEPEST * pair.first.normal_module, pair.base_pitch
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
