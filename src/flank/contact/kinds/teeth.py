"""Teeth of two involute gears, evaluated by `teeth_element` in a way of their own."""

import numpy as np

from flank.contact.declare import ContactKind, Field
from flank.contact.surface import Disc, Surface, contact_row
from flank.elasticity.line_contact import LineLaw

TEETH = ContactKind(
    name="teeth",
    fields=(
        Field("tooth_pair", "row of the tooth pairs", np.int64),
        Field("tooth_flank", "+1 where A pushes turning counter-clockwise, -1 else", np.int64),
        Field("tooth_slot", "teeth of A with this number modulo `tooth_slots`", np.int64),
        Field("tooth_slots", "how many slots there are", np.int64),
        Field("tooth_roll_offset", "m, how far a slice across the face is ahead"),
        Field("tooth_clearance", "m, taken off the flanks of a slice"),
    ),
)


def teeth(
    pair: int,
    bodies: tuple[int, int],
    flank: int,
    slot: tuple[int, int],
    surface: Surface,
    depth: float,
    slice_at: tuple[float, float] = (0.0, 0.0),
) -> np.void:
    """The teeth in one slot of a mesh, on one flank; `pair` is a row made by builder.tooth_pair.

    `slot` is its number and how many there are; `depth` about how deep teeth may go, as their
    module; `slice_at` is how far a slice across the face is ahead in roll length, and what is
    taken off its flanks.
    """
    if not isinstance(surface.law, LineLaw):
        raise ValueError("teeth touch along lines; give them a line law")
    first, second = (Disc(body, 0.0, 0.0, depth) for body in bodies)
    return contact_row(
        TEETH,
        first,
        second,
        surface,
        tooth_pair=pair,
        tooth_flank=flank,
        tooth_slot=slot[0],
        tooth_slots=slot[1],
        tooth_roll_offset=slice_at[0],
        tooth_clearance=slice_at[1],
    )
