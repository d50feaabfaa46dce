"""Forces that the round-off of coordinates leaves in stiff parts; none can be balanced better."""

import numpy as np

from flank.contact.registry import TEETH_NUMBER
from flank.dynamics.tables import MESH
from flank.dynamics.tooth_store import ToothStore

ROUND_OFF = 1e-15
"""Of coordinates, relative: some units in the last place."""


def beam_floor(reach: float, beams: list[np.void]) -> float:
    """Stiffness along or across the worst beam times the round-off of coordinates up to `reach`."""
    stiffest = max(
        (
            max(b["axial_stiffness"] / length, 12 * b["bending_stiffness"] / length**3)
            for b in beams
            for length in [float(b["length"])]
        ),
        default=0.0,
    )
    return float(ROUND_OFF * reach * stiffest)


def mesh_floor(springs: list[np.void], contacts: list[np.void], teeth: ToothStore) -> float:
    """Stiffness of a pair of teeth times the round-off of the arcs of its base circles."""
    floors = [0.0]
    for spring in springs:
        if spring["kind"] == MESH:
            stiffness = spring["stiffness"]
            if spring["pair"] >= 0:
                pair = teeth.pairs[spring["pair"]]
                stiffness *= max(teeth.values(pair["pair_table"], pair["pair_count"]))
            floors.append(_arcs(spring) * stiffness)
    for contact in contacts:
        if contact["kind"] == TEETH_NUMBER:
            pair = teeth.pairs[contact["tooth_pair"]]
            give = sum(
                min(teeth.values(pair[f"{side}_table"], pair[f"{side}_table_count"]))
                for side in "ab"
            )
            floors.append(_arcs(pair) * contact["line_length"] / give)
    return float(ROUND_OFF * max(floors))


def _arcs(row: np.void) -> float:
    """Of both base circles for one radian."""
    return float(abs(row["a_base_radius"]) + abs(row["b_base_radius"]))
