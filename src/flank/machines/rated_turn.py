"""A machine at its rated torque, at places that are evenly spread over a turn of its input."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from flank.arrays import Floats
from flank.dynamics.functions import constant, table
from flank.dynamics.grouping import ContactGroup
from flank.dynamics.run import solve_statics
from flank.dynamics.trajectory import Trajectory
from flank.machines.base import Assembly, DataRow, DataTable, Drive, Reducer

ANGLES = 24
"""Places in the turn."""

LEAST_SHARE = 1e-3
"""Share of the largest force below which a contact carries nothing to speak of."""


@dataclass(frozen=True)
class RatedTurn:
    """Equilibria under the rated torque while the input turns by `turn`, the end left out."""

    machine: Reducer
    turn: float

    @cached_property
    def _solved(self) -> tuple[Assembly, Trajectory]:
        machine = self.machine
        load = -math.copysign(machine.rated_torque, machine.ratio)
        angle = table([(0.0, 0.0), (1.0, self.turn)])
        assembly = machine.assemble(Drive.of_ends(angle, constant(load)))
        times = np.arange(ANGLES) / ANGLES
        trajectory = solve_statics(assembly.model, machine.ideal_pose(0.0), times)
        assert isinstance(trajectory, Trajectory)
        return assembly, trajectory

    @property
    def known(self) -> bool:
        """Whether there are equilibria at the rated torque."""
        return self.trajectory.complete

    @property
    def trajectory(self) -> Trajectory:
        return self._solved[1]

    def group(self, name: str) -> ContactGroup:
        return self._solved[0].groups[name]

    def pins(self) -> DataTable:
        """How many pins carry each disc over the turn, and how hard; a group (disc, pin)."""
        group = self.group("pin")
        forces: Floats = self.trajectory.force(group)
        pressures = self.trajectory.pressure(group)
        carrying = (forces > LEAST_SHARE * forces.max()).sum(axis=2)
        rows = (
            _row("pins that carry, fewest", carrying.min(axis=0)),
            _row("pins that carry, most", carrying.max(axis=0)),
            _row("largest force of a pin", forces.max(axis=(0, 2)), "N", "kN"),
            _row("largest pressure of a pin", pressures.max(axis=(0, 2)), "Pa", "MPa"),
        )
        discs = tuple(f"disc {j + 1}" for j in range(forces.shape[1]))
        return DataTable("Pins at rated torque", discs, rows)


def _row(title: str, values: np.ndarray, unit: str = "", shown: str = "") -> DataRow:
    return DataRow(title, tuple(float(value) for value in values), unit, shown, 4)
