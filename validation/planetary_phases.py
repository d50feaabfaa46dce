"""Which modes harmonics of the mesh frequency excite: the rule of the Campbell diagram against the
forces of all meshes on every mode."""

import math
from collections.abc import Iterator

import numpy as np
from cases import Case
from numpy.typing import NDArray

import flank
from flank.analyses.campbell import excitations
from flank.analyses.natural_frequencies import modes_of
from flank.analyses.runs import assemble_locked, linearize_at
from flank.dynamics.linearize import elastic_tangent
from flank.dynamics.run import solve_statics
from flank.machines.planetary.gearbox import PlanetaryGearbox

SETS: dict[str, dict] = {
    "3 planets, in phase": {},
    "4 planets, in phase": {"planets.count": 4},
    "3 planets, in sequence": {
        "sun.teeth": 62,
        "planets.teeth": 28,
        "ring.teeth": 118,
        "planets.count": 3,
        "centre_distance": None,
    },
    "5 planets, in sequence": {
        "sun.teeth": 62,
        "planets.teeth": 28,
        "ring.teeth": 118,
        "planets.count": 5,
        "centre_distance": None,
    },
}
HARMONICS = 5


def forces_on_modes(machine: PlanetaryGearbox) -> NDArray:
    """|Σ g_mᵀ φ e^(2πi l p_m)| (harmonic, mode): g_m is the direction of the spring of a mesh, from
    its tangent k g gᵀ alone, positive where it turns its central gear forwards, p_m its phase."""
    assembly = assemble_locked(machine, 0.0)
    path = solve_statics(assembly.model, machine.ideal_pose(0.0), np.array([0.0]))
    at = linearize_at(assembly, path, 0)
    modes = modes_of(assembly, at, input_free=True)
    phases, total = machine.mesh_phases(), np.zeros((HARMONICS, modes.shapes.shape[1]), complex)
    for number, mesh in enumerate(assembly.meshes):
        planet = number % machine.planet_count
        central = "sun" if number < machine.planet_count else "ring"
        sizes, vectors = np.linalg.eigh(
            elastic_tangent(assembly.planar, at, mesh.contacts, mesh.springs)
        )
        pull = vectors[:, -1] * math.sqrt(sizes[-1])
        pull *= np.sign(pull[3 * (assembly.body(central) - 1) + 2])
        assert phases.ring is not None
        ahead = phases.sun[planet] if central == "sun" else phases.ring[planet] + phases.between
        turns = np.exp(2j * np.pi * np.arange(1, HARMONICS + 1) * ahead)
        total += turns[:, None] * (pull @ modes.shapes)
    return np.abs(total)


def phase_cases() -> Iterator[Case]:
    """Modes of other families than the one that a harmonic excites have none of its force; those of
    the family have."""
    for name, changes in SETS.items():
        machine = flank.preset("planetary-lin-parker", changes)
        asked = {"torque": 0, "input": "free", "count": 100}
        result = flank.run(machine, "campbell", **asked, harmonics=HARMONICS)
        families, forces = result["family"].values, forces_on_modes(machine)
        lines = [line for line in excitations(machine, HARMONICS) if line.kind]
        left = [
            (forces[k][families != line.family] / forces[k].max()).max(initial=0.0)
            for k, line in enumerate(lines)
        ]
        excited = sorted({line.family for line in lines})
        yield Case(
            f"{name}: force of {HARMONICS} harmonics on modes not of the family excited "
            f"({', '.join(excited)}), over the largest",
            "Parker 2000; sum over all meshes",
            0.0,
            float(max(left)),
            "",
            1e-6,
        )
    result = flank.run(flank.preset("planetary-lin-parker"), "campbell", torque=0, input="free")
    frequency = result["frequency"].values[int(result["critical_mode"].values[0]) - 1]
    order = float(
        result["line_order"].values[
            result["line"].values.tolist().index(str(result["critical_order"].values[0]))
        ]
    )
    yield Case(
        "planetary-lin-parker: nearest critical speed",
        "60 f/n",
        60 * float(frequency) / order,
        result["nearest_critical_speed"] * 30 / math.pi,
        "rpm",
        1e-9,
    )
