"""Mesh phasing: when the teeth of each planet mesh, and which modes this excites.

Harmonic l of the mesh frequency acts on planet n with the phase l z_s ψ_n. Summed over evenly
spaced planets only a torque is left of it if l z_s is a multiple of N, only a force if it is one
more or one less, and neither otherwise.
"""

from typing import Annotated

import numpy as np

from flank.analyses.load_sharing import Sharing
from flank.analyses.quantities import Declared, Quantities, Values
from flank.analyses.result import Ending, Result, make_result
from flank.arrays import AnyArray, Floats
from flank.dynamics.run import Progress
from flank.dynamics.status import Status
from flank.machines.quantities import WholeNumber
from flank.machines.spec import Spec, key

QUANTITIES = Quantities(
    "mesh-phasing",
    {
        "mesh_frequency": Declared("Mesh frequency at input speed", "1/s", "Hz"),
        "between": Declared("Ring mesh ahead of the sun mesh of a planet, in pitches"),
        "sequential": Declared("Planets apart in phase"),
        "planet_angle": Declared("Angle on the carrier", "rad", "deg", "planet"),
        "sun_phase": Declared("Phase of the sun mesh, pitches", over="planet"),
        "harmonic_frequency": Declared("Frequency", "1/s", "Hz", "harmonic"),
        "torque_share": Declared("Left of the torques' sum", "", "percent", "harmonic"),
        "force_share": Declared("Left of the forces' sum", "", "percent", "harmonic"),
        "ring_phase": Declared("Phase of the ring mesh, pitches", over="planet"),
        "excited_family": Declared("Modes excited", over="harmonic"),
    },
    {
        "planet": Declared("Planet", over="planet"),
        "harmonic": Declared("Harmonic", over="harmonic"),
    },
    {
        "Phases": ("planet", "planet_angle", "sun_phase", "ring_phase"),
        "Harmonics of the mesh frequency": (
            "harmonic",
            "harmonic_frequency",
            "torque_share",
            "force_share",
            "excited_family",
        ),
    },
)


class MeshPhasingSettings(Spec):
    """How far to look."""

    harmonics: Annotated[int, WholeNumber(minimum=1, maximum=100)] = key(
        "harmonics of the mesh frequency in the table", default=8
    )


DEFAULTS = MeshPhasingSettings()


def run(
    machine: Sharing,
    settings: MeshPhasingSettings = DEFAULTS,
    progress: Progress | None = None,
) -> Result:
    """Phases of all meshes from the geometry, and the families of modes that harmonics excite."""
    phases = machine.mesh_phases()
    frequency = machine.planet_mesh_order * machine.input_speed / (2 * np.pi)
    harmonics = np.arange(1, settings.harmonics + 1)
    turns = np.exp(-2j * np.pi * np.outer(harmonics, phases.sun))
    space = np.exp(1j * phases.angle)
    families = [machine.excited_family(int(harmonic)) for harmonic in harmonics]
    values: Values = {
        "mesh_frequency": frequency,
        **({} if phases.ring is None else {"between": phases.between}),
        "sequential": _distinct(phases.sun),
        "planet_angle": phases.angle,
        "sun_phase": phases.sun,
        "harmonic_frequency": harmonics * frequency,
        "torque_share": _remaining_share(turns),
        "force_share": np.maximum(_remaining_share(turns * space), _remaining_share(turns / space)),
        "planet": np.arange(1, len(phases.angle) + 1),
        "harmonic": harmonics,
    }
    if phases.ring is not None:
        values["ring_phase"] = phases.ring
    if all(families):
        values["excited_family"] = np.array(families, dtype=str)
    return make_result(QUANTITIES, machine, settings, Ending(Status.OK.sentence, True, {}), values)


def _remaining_share(turns: AnyArray) -> Floats:
    """Size of the mean over the planets, round-off taken away."""
    return np.asarray(np.round(np.abs(turns.mean(axis=1)), 9))


def _distinct(phases: Floats) -> int:
    """Different phases among the planets."""
    return len(np.unique(np.round(phases, 6) % 1.0))
