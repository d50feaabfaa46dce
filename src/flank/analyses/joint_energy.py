"""Where the energy of a joint goes in its turns.

    work of drives + work of loads = friction + damping + change of kinetic and stored energy
                                     + remainder

The remainder is what the integrator lost or made: with its damping of what the step does not
resolve it is not zero, and tells whether the step was short enough.
"""

from dataclasses import dataclass

import numpy as np

from flank.dynamics.energy import energies
from flank.dynamics.spatial.model import DAMPING, DRIVES, FRICTION, LOADS, SpatialModel
from flank.dynamics.trajectory import SpatialTrajectory


@dataclass(frozen=True)
class EnergyBalance:
    """Energies in J from the first to the last record of a run, and the time between."""

    input: float  # work of the drives
    output: float  # work done on the loads
    friction: float
    damping: float
    kept: float  # change of kinetic and stored energy
    duration: float

    @property
    def remainder(self) -> float:
        """What the integrator lost."""
        return self.input - self.output - self.friction - self.damping - self.kept

    @property
    def passed(self) -> float:
        """The larger of the two works: what the joint passes on, whichever side drives."""
        return max(abs(self.input), abs(self.output))

    @property
    def efficiency(self) -> float:
        """Work that comes out over work that goes in; not a number where none comes out."""
        ways = {self.output: self.input, -self.input: -self.output}
        works = [out / given for out, given in ways.items() if out > 0 and given > 0]
        return works[0] if works else float("nan")


def energy_balance(model: SpatialModel, trajectory: SpatialTrajectory) -> EnergyBalance:
    """Energies over the whole of a run."""
    spent = trajectory.ledger[-1] - trajectory.ledger[0]
    held = np.sum(energies(model, trajectory), axis=0)
    return EnergyBalance(
        input=float(spent[DRIVES]),
        output=-float(spent[LOADS]),
        friction=float(spent[FRICTION]),
        damping=float(spent[DAMPING]),
        kept=float(held[-1] - held[0]),
        duration=float(trajectory.time[-1] - trajectory.time[0]),
    )
