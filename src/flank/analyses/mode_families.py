"""Modes sorted into the families that a machine's symmetry gives them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flank.analyses.modes import Modes, by_body
from flank.analyses.result import Quantity
from flank.dynamics.linearize import Linearization
from flank.dynamics.model import Model
from flank.machines.base import Assembly, HasModeFamilies, Transmission

SAME = 1e-6
"""Relative distance of frequencies up to which modes count as one multiple mode."""


@dataclass(frozen=True)
class Families:
    """How a machine sorts its modes at an equilibrium; not at all if it knows no families."""

    machine: Transmission
    assembly: Assembly
    at: Linearization

    def of(self, shapes: NDArray) -> Sequence[str]:
        """The families of shapes (row, mode)."""
        model = self.assembly.model
        if not (isinstance(self.machine, HasModeFamilies) and isinstance(model, Model)):
            return []
        weighed = by_body(model, shapes) * np.sqrt(model.mass)
        return self.machine.mode_families(weighed, self.at.state.position)

    def table(self, modes: Modes) -> dict[str, Quantity]:
        """The family of each mode, if the machine knows any."""
        names = self.of(modes.shapes)
        if not len(names):
            return {}
        return {"family": Quantity(("mode",), np.array(names, dtype=str), "", "", "Family")}

    def counts(self, modes: Modes) -> dict[str, Quantity]:
        """How many modes of each family there are, free motions counted at zero frequency."""
        names = np.array([*self.of(modes.free), *self.of(modes.shapes)], dtype=str)
        if not len(names):
            return {}
        zeros = np.zeros(modes.free.shape[1])
        frequencies = np.concatenate((zeros, modes.frequencies))
        found = list(dict.fromkeys(sorted(names.tolist())))
        own = [np.sort(frequencies[names == name]) for name in found]
        over = ("family_name",)
        return {
            "family_name": Quantity(over, np.array(found, dtype=str), "", "", "Family"),
            "family_count": Quantity(
                over, [len(f) for f in own], "", "", "Modes, free motions included"
            ),
            "family_distinct": Quantity(
                over, [_distinct(f) for f in own], "", "", "Different frequencies"
            ),
        }


def _distinct(frequencies: NDArray) -> int:
    """Frequencies apart by more than round-off, of sorted ones."""
    steps = np.diff(frequencies)
    return 1 + int(np.sum(steps > SAME * frequencies[1:])) if len(frequencies) else 0
