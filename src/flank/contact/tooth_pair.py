"""The rows that describe two gears in mesh: where their teeth are, how they end, how they give.

One row serves all contacts of a mesh, every pair of teeth on both flanks; tables of numbers lie in
one array that rows point into.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from flank.arrays import Floats, Rows, row_type
from flank.elasticity.tooth_curvature import SHARPEST
from flank.geometry.gear import Gear
from flank.geometry.gear_pair import GearPair

_GEAR = [
    ("base_radius", np.float64),
    ("half_angle", np.float64),  # ψ_b of a tooth on the base circle
    ("pitch_angle", np.float64),  # 2π/z
    ("tooth_angle", np.float64),  # of a tooth on the body, at the body's angle zero
    ("centre_x", np.float64),  # of the gear in the body's frame
    ("centre_y", np.float64),
    ("edge_roll", np.float64),  # roll length where the flank ends at the tip
    ("edge_distance", np.float64),  # of the edge's centre from the gear's
    ("edge_angle", np.float64),  # of the edge's centre from the middle of the tooth
    ("edge_radius", np.float64),
    ("relief", np.float64),  # amount, reach down the flank, and power of the tip relief
    ("relief_length", np.float64),
    ("relief_exponent", np.float64),
    ("root_roll", np.float64),  # roll length where the active flank begins at the root
    ("root_relief", np.float64),  # amount, reach up the flank, and power of the root relief
    ("root_relief_length", np.float64),
    ("root_relief_exponent", np.float64),
    ("table", np.int64),  # compliance of one tooth times width over roll length, in m²/N
    ("table_count", np.int64),
    ("table_start", np.float64),
    ("table_step", np.float64),
    ("modes", np.int64),  # coordinates of its elastic body, the row of the first, their table
    ("modal_row", np.int64),
    ("modal_table", np.int64),
]

TOOTH_PAIR = row_type(
    [
        ("sign", np.float64),  # +1 for two external gears, -1 for a ring around the first
        ("base_pitch", np.float64),
        ("middle", np.float64),  # roll length of the first gear in the middle of the path
        ("centred_gap", np.float64),  # of a tooth in the middle of its space, half the backlash
        ("start_direction", np.float64),  # of the mesh, less what the gears' angles make of it
        ("edge_width", np.float64),  # of roll beyond a flank's end, where half the edge counts
        *[(f"a_{name}", kind) for name, kind in _GEAR],
        *[(f"b_{name}", kind) for name, kind in _GEAR],
        ("profile_table", np.int64),  # removed from the first gear's flanks: by tooth, side, roll
        ("profile_count", np.int64),  # of one flank; zero where they are as generated
        ("profile_start", np.float64),
        ("profile_step", np.float64),
        ("pair_table", np.int64),  # stiffness of one pair, then its separation, over roll length
        ("pair_count", np.int64),
        ("pair_start", np.float64),
        ("pair_step", np.float64),
        ("pair_common", np.float64),  # m/N, what the bodies give way under all pairs together
        ("map_table", np.int64),  # energy of the whole mesh over position and depth (mesh_map)
        ("map_positions", np.int64),  # in a base pitch; zero where there is no map
        ("map_depths", np.int64),  # cells
        ("map_start", np.float64),  # roll length at the first position
        ("map_touch", np.float64),  # m, depth at which the first of all teeth touches
        ("map_deepest", np.float64),  # m beyond it
    ]
)


class ToothTables(NamedTuple):
    """Rows of TOOTH_PAIR and the data they point into."""

    rows: Rows
    data: Floats


@dataclass(frozen=True)
class GearPlace:
    """A gear on its body: direction of one tooth at the body's angle zero, its centre there, and
    the first row of its modes if it is elastic."""

    body: int
    tooth_angle: float = 0.0
    centre: tuple[float, float] = (0.0, 0.0)
    modal_row: int = 0


@dataclass(frozen=True)
class RollTable:
    """Values over the roll length, on a uniform grid."""

    start: float
    step: float
    values: tuple[float, ...]


def tooth_pair_row(
    pair: GearPair, first: GearPlace, second: GearPlace, edge_width: float = 0.0
) -> np.void:
    """The geometry of a mesh as one row; tables are put in by the builder.

    A contact has a width, so the curvature of a tip's edge comes in gradually beyond the flank's
    end: by half at `edge_width`, the half width of the contact there and not less than the edges.
    """
    row: np.void = np.zeros(1, dtype=TOOTH_PAIR)[0]
    row["sign"], row["base_pitch"] = pair.sign, pair.base_pitch
    row["middle"] = 0.5 * sum(pair.path)
    row["centred_gap"] = 0.5 * pair.normal_backlash
    start, end = pair.path
    _put_gear(row, "a", pair.first, first, start)
    _put_gear(row, "b", pair.second, second, pair.second_roll(end))
    row["edge_width"] = max(edge_width, pair.first.edge_radius, pair.second.edge_radius)
    return row


def _put_gear(row: np.void, side: str, gear: Gear, seat: GearPlace, start: float) -> None:
    gear = replace(gear, edge_radius=max(gear.edge_radius, SHARPEST * gear.normal_module))
    distance, angle = gear.edge_centre
    relief, root = gear.relief, gear.root_relief
    values = {
        "base_radius": gear.base_radius,
        "half_angle": gear.base_half_angle,
        "pitch_angle": gear.pitch_angle,
        "tooth_angle": seat.tooth_angle,
        "centre_x": seat.centre[0],
        "centre_y": seat.centre[1],
        "edge_roll": gear.edge_roll_length,
        "edge_distance": distance,
        "edge_angle": angle,
        "edge_radius": gear.edge_radius,
        "relief": relief.amount if relief else 0.0,
        "relief_length": relief.length if relief else 1.0,
        "relief_exponent": relief.exponent if relief else 1.0,
        "root_roll": start,
        "root_relief": root.amount if root else 0.0,
        "root_relief_length": root.length if root else 1.0,
        "root_relief_exponent": root.exponent if root else 1.0,
        "table_step": 1.0,
    }
    for name, value in values.items():
        row[f"{side}_{name}"] = value
