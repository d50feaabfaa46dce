"""Geometry and tables of all gear meshes of a model, while it is built."""

import numpy as np

from flank.contact.tooth_pair import TOOTH_PAIR, RollTable, ToothTables
from flank.dynamics.packing import rows_of


class ToothStore:
    """Collects rows of TOOTH_PAIR and the values they point into; equal tables are kept once."""

    def __init__(self) -> None:
        self.pairs: list[np.void] = []
        self._values: list[float] = []
        self._known: dict[tuple[RollTable, ...], int] = {}

    def add(
        self,
        row: np.void,
        teeth: tuple[RollTable, RollTable] | None = None,
        pairs: tuple[RollTable, RollTable] | None = None,
        common: float = 0.0,
    ) -> int:
        """Add the geometry of a mesh with its tables; returns the number of its row.

        `teeth` are the compliances of both gears' teeth, for contacts; `pairs` stiffness and
        separation of a pair of teeth on one grid, for springs, with `common` the compliance in m/N
        that all pairs share.
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
        self.pairs.append(row)
        return len(self.pairs) - 1

    def values(self, first: int, count: int) -> list[float]:
        """The values of one table."""
        return self._values[first : first + count]

    def packed(self, needed: bool) -> ToothTables | None:
        """All of it for kernels; None where they need know nothing of teeth."""
        if not self.pairs and not needed:
            return None
        return ToothTables(rows_of(self.pairs, TOOTH_PAIR), np.array([*self._values, 0.0]))

    def _put(self, tables: tuple[RollTable, ...]) -> int:
        """Where the values of tables begin, one behind the other."""
        if tables not in self._known:
            self._known[tables] = len(self._values)
            for table in tables:
                self._values += table.values
        return self._known[tables]
