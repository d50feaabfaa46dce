"""Mesh phasing: when the teeth of each planet mesh, and which modes this excites.

Harmonic l of the mesh frequency acts on planet n with the phase l z_s ψ_n. Summed over evenly
spaced planets only a torque is left of it if l z_s is a multiple of N, only a force if it is one
more or one less, and neither otherwise.
"""

from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from flank.analyses.load_sharing import Sharing
from flank.analyses.result import Ending, Quantity, Result, make_result
from flank.dynamics.run import Progress
from flank.dynamics.status import Status
from flank.machines.quantities import WholeNumber
from flank.machines.spec import Spec

NAME = "mesh-phasing"
TITLE = "Mesh phasing"


class MeshPhasingSettings(Spec):
    """How far to look."""

    harmonics: Annotated[int, WholeNumber(minimum=1, maximum=100)] = Field(
        default=8, description="harmonics of the mesh frequency in the table", examples=[8]
    )


DEFAULTS = MeshPhasingSettings()


def run(
    machine: Sharing,
    settings: MeshPhasingSettings = DEFAULTS,
    progress: Progress | None = None,
) -> Result:
    """Phases of all meshes from the geometry, and the families of modes that harmonics excite."""
    phases = machine.mesh_phases()
    count = len(phases.angle)
    frequency = machine.planet_mesh_order * machine.input_speed / (2 * np.pi)
    harmonics = np.arange(1, settings.harmonics + 1)
    turns = np.exp(-2j * np.pi * np.outer(harmonics, phases.sun))
    torque = _left(turns)
    space = np.exp(1j * phases.angle)
    force = np.maximum(_left(turns * space), _left(turns / space))
    families = [machine.excited_family(int(harmonic)) for harmonic in harmonics]
    over, along = ("planet",), ("harmonic",)
    title = "Ring mesh ahead of the sun mesh of a planet, in pitches"
    ahead = Quantity((), phases.between, "", "", title)
    quantities = {
        "mesh_frequency": Quantity((), frequency, "1/s", "Hz", "Mesh frequency at input speed"),
        **({} if phases.ring is None else {"between": ahead}),
        "sequential": Quantity((), _distinct(phases.sun), "", "", "Planets apart in phase"),
        "planet_angle": Quantity(over, phases.angle, "rad", "deg", "Angle on the carrier"),
        "sun_phase": Quantity(over, phases.sun, "", "", "Phase of the sun mesh, pitches"),
        "harmonic_frequency": Quantity(along, harmonics * frequency, "1/s", "Hz", "Frequency"),
        "torque_share": Quantity(along, torque, "", "percent", "Left of the torques' sum"),
        "force_share": Quantity(along, force, "", "percent", "Left of the forces' sum"),
    }
    by_planet = ["planet", "planet_angle", "sun_phase"]
    if phases.ring is not None:
        title = "Phase of the ring mesh, pitches"
        quantities["ring_phase"] = Quantity(over, phases.ring, "", "", title)
        by_planet.append("ring_phase")
    columns = ["harmonic", "harmonic_frequency", "torque_share", "force_share"]
    if all(families):
        quantities["excited_family"] = Quantity(
            along, np.array(families, dtype=str), "", "", "Modes excited"
        )
        columns.append("excited_family")
    tables = {
        "Phases": tuple(by_planet),
        "Harmonics of the mesh frequency": tuple(columns),
    }
    coordinates = {
        "planet": Quantity(over, np.arange(1, count + 1), "", "", "Planet"),
        "harmonic": Quantity(along, harmonics, "", "", "Harmonic"),
    }
    done = Ending(Status.OK.sentence, True, {})
    return make_result(NAME, machine, settings, done, quantities, coordinates, (), tables)


def _left(turns: NDArray) -> NDArray:
    """Size of the mean over the planets, round-off taken away."""
    return np.round(np.abs(turns.mean(axis=1)), 9)


def _distinct(phases: NDArray) -> int:
    """Different phases among the planets."""
    return len(np.unique(np.round(phases, 6) % 1.0))
