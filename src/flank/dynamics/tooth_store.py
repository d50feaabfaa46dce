"""Geometry and tables of all gear meshes of a model, while it is built."""

import numpy as np

from flank.arrays import Floats
from flank.contact.mesh_map import MeshMap
from flank.contact.registry import TEETH_NUMBER
from flank.contact.tooth_pair import TOOTH_PAIR, RollTable, ToothTables
from flank.dynamics.model import ROUND_OFF
from flank.dynamics.packing import rows_of
from flank.dynamics.tables import FLEXIBLE_MESH, MESH
from flank.geometry.measured_teeth import MeasuredFlanks


class ToothStore:
    """Collects rows of TOOTH_PAIR and the values they point into; equal tables are kept once."""

    def __init__(self) -> None:
        self.pairs: list[np.void] = []
        self._values: list[float] = []
        self._known: dict[tuple[RollTable, ...] | MeshMap, int] = {}

    def add(
        self,
        row: np.void,
        teeth: tuple[RollTable, RollTable] | None = None,
        pairs: tuple[RollTable, RollTable] | None = None,
        common: float = 0.0,
        mesh_map: MeshMap | None = None,
        measured: MeasuredFlanks | None = None,
    ) -> int:
        """Add the geometry of a mesh with its tables; returns the number of its row.

        `teeth` are the compliances of both gears' teeth, for contacts; `pairs` stiffness and
        separation of a pair of teeth on one grid, for springs, with `common` the compliance in m/N
        that all pairs share; `mesh_map` is the energy of all pairs together, for one spring;
        `measured` what the first gear's flanks lack, for contacts.
        """
        if teeth is not None:
            for side, table in zip("ab", teeth, strict=True):
                row[f"{side}_table"] = self._put((table,))
                row[f"{side}_table_count"] = len(table.values)
                row[f"{side}_table_start"], row[f"{side}_table_step"] = table.start, table.step
        if pairs is not None:
            row["pair_table"], row["pair_count"] = self._put(pairs), len(pairs[0].values)
            row["pair_start"], row["pair_step"] = pairs[0].start, pairs[0].step
            row["pair_common"] = common
        if mesh_map is not None:
            if mesh_map not in self._known:
                self._known[mesh_map] = len(self._values)
                self._values += mesh_map.energy.ravel().tolist()
            row["map_table"], row["map_start"] = self._known[mesh_map], mesh_map.start
            row["map_positions"], row["map_depths"] = mesh_map.positions, mesh_map.cells
            row["map_touch"], row["map_deepest"] = mesh_map.touch, mesh_map.deepest
        if measured is not None:
            row["profile_table"] = self.put(measured.removed)
            row["profile_count"] = measured.removed.shape[2]
            row["profile_start"], row["profile_step"] = measured.start, measured.step
        self.pairs.append(row)
        return len(self.pairs) - 1

    def put_modes(self, pair: int, side: str, first_row: int, table: Floats) -> None:
        """Give a gear of a mesh the modes of its body, rows of numbers (gear_modes.NUMBERS)."""
        row = self.pairs[pair]
        row[f"{side}_modes"], row[f"{side}_modal_row"] = len(table), first_row
        row[f"{side}_modal_table"] = self.put(table)

    def put(self, values: Floats) -> int:
        """Where numbers begin in the data."""
        first = len(self._values)
        self._values += values.ravel().tolist()
        return first

    def modal_rows(self, pair: int) -> list[int]:
        """Rows of coordinates that a mesh moves."""
        row = self.pairs[pair]
        each = [(int(row[f"{side}_modal_row"]), int(row[f"{side}_modes"])) for side in "ab"]
        return [first + k for first, count in each for k in range(count // 3)]

    def values(self, first: int, count: int) -> list[float]:
        """The values of one table."""
        return self._values[first : first + count]

    def packed(self) -> ToothTables:
        """All of it for kernels."""
        return ToothTables(rows_of(self.pairs, TOOTH_PAIR), np.array([*self._values, 0.0]))

    def _put(self, tables: tuple[RollTable, ...]) -> int:
        """Where the values of tables begin, one behind the other."""
        if tables not in self._known:
            self._known[tables] = len(self._values)
            for table in tables:
                self._values += table.values
        return self._known[tables]


def mesh_floor(springs: list[np.void], contacts: list[np.void], teeth: ToothStore) -> float:
    """Force that round-off leaves in meshes: stiffness of a pair of teeth times that of the arcs of
    its base circles."""
    floors = [0.0]
    for spring in springs:
        if spring["kind"] in (MESH, FLEXIBLE_MESH):
            stiffness = spring["stiffness"]
            if spring["pair"] >= 0:
                stiffness *= _largest_stiffness(teeth.pairs[spring["pair"]], teeth)
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


def _largest_stiffness(pair: np.void, teeth: ToothStore) -> float:
    """Of a pair of teeth, or of a whole mesh pressed as deep as its map goes."""
    if pair["map_positions"]:
        count = pair["map_positions"] * (pair["map_depths"] + 3)
        stored = max(teeth.values(pair["map_table"], count))
        return float(2 * stored / pair["map_deepest"] ** 2)
    return max(teeth.values(pair["pair_table"], pair["pair_count"]))


def _arcs(row: np.void) -> float:
    """Of both base circles for one radian."""
    return float(abs(row["a_base_radius"]) + abs(row["b_base_radius"]))
