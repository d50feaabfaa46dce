"""A train as a script for openTorsion, which assembles shafts, discs and gears."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flank.exchange.script import cycle_tables, head, number, numbers
from flank.exchange.train import torsional

if TYPE_CHECKING:
    from flank.arrays import Floats
    from flank.exchange.train import Mesh, Train
    from flank.machines.base import Machine

VERSION = "0.3"

_WHAT = (
    "Inertias, torsional springs and meshes that\nturn; what bearings let move across the axes "
    "is not in it."
)

_THREE = '''
class Coupling:
    """Two of the three nodes of a mesh on a carrier: openTorsion's gears are of two nodes. What a
    node feels of itself stands with its disc."""

    def __init__(self, nl, nr, k, c):
        self.nl, self.nr, self.k, self.c = nl, nr, k, c

    def M(self):
        return np.zeros((2, 2))

    def K(self):
        return self.k * np.array([[0.0, 1.0], [1.0, 0.0]])

    def C(self):
        return self.c * np.array([[0.0, 1.0], [1.0, 0.0]])

'''

_END = '''

def frequencies(held=()):
    """In Hz, rising, with these nodes held."""
    kept = np.setdiff1d(np.arange(len(assembly.M)), held)
    matrix = np.linalg.solve(assembly.M[np.ix_(kept, kept)], assembly.K[np.ix_(kept, kept)])
    squares = np.sort(np.linalg.eigvals(matrix).real)
    return np.sqrt(np.maximum(squares, 0.0)) / (2 * np.pi)


def mesh_excitation(speed, harmonics=3):
    """Torques on all nodes, as of the transmission error pressed through the mean stiffness of each
    mesh, the input turning at `speed` in rad/s; openTorsion's PeriodicExcitation."""
    omegas = MESH_ORDER * speed * np.arange(1, harmonics + 1)
    excitation = PeriodicExcitation(len(assembly.M), omegas)
    for mesh, arms in ARMS.items():
        waves = np.fft.rfft(TRANSMISSION_ERROR[mesh]) / len(TRANSMISSION_ERROR[mesh]) * 2
        stiffness = np.mean(STIFFNESS[mesh])
        for node, arm in arms.items():
            torques = stiffness * arm * waves[1 : harmonics + 1]
            excitation.add_sines(node, omegas, abs(torques), np.angle(torques))
    return excitation


if __name__ == "__main__":
    for case, held in (("input free", ()), ("input held", (INPUT,))):
        print(case, "in openTorsion, Hz:", *(f"{value:.4f}" for value in frequencies(held)))
        print(case, "in Flank, Hz:      ", *(f"{value:.4f}" for value in FLANK[case]))
'''


def opentorsion_script(machine: Machine, angle: float, torque: float | None) -> tuple[str, Train]:
    """The text of a script, and what is in it."""
    train = torsional(machine, angle, torque)
    plain = all(len(mesh.arms) == 2 for mesh in train.meshes)
    parts = [
        head(train, f"openTorsion {VERSION}", _WHAT),
        "import numpy as np",
        "from opentorsion.assembly import Assembly",
        "from opentorsion.elements.disk_element import Disk",
        *(["from opentorsion.elements.elastic_gear_element import ElasticGear"] if plain else []),
        *(["from opentorsion.elements.shaft_element import Shaft"] if train.springs else []),
        "from opentorsion.excitation import PeriodicExcitation",
        "",
        f"NODES = {list(train.nodes)!r}",
        f"INPUT, OUTPUT = {train.ends[0]}, {train.ends[1]}",
        "ARMS = {",
        *(f"    {mesh.name!r}: {_arms(mesh)}," for mesh in train.meshes),
        "}",
        '"""By mesh and node: how a turn of one rad shortens the line of action, in m."""',
        "FLANK = {",
        f'    "input free": {numbers(train.frequencies())},',
        f'    "input held": {numbers(train.frequencies([train.ends[0]]))},',
        "}",
        cycle_tables(train),
        "" if plain else _THREE,
        *(_of_pairs(train) if plain else _on_carrier(train)),
    ]
    return "\n".join(parts) + _END, train


def _arms(mesh: Mesh) -> str:
    return "{" + ", ".join(f"{node}: {number(arm)}" for node, arm in mesh.arms.items()) + "}"


def _shafts(train: Train) -> list[str]:
    return [
        "shafts = [",
        *(
            f"    Shaft({a}, {b}, k={number(spring.stiffness)}, I=0.0, "
            f"c={number(spring.damping)}),  # {spring.name}"
            for spring in train.springs
            for a, b in [spring.nodes]
        ),
        "]",
    ]


def _of_pairs(train: Train) -> list[str]:
    """Gears hold their inertias; the discs of their nodes have none. openTorsion wants nodes in the
    order of the line, so they are."""
    lines = [*_shafts(train), "gears = {}"]
    geared: set[int] = set()
    for mesh in train.meshes:
        (first, one), (second, two) = mesh.arms.items()
        if first not in geared:
            lines.append(
                f"gears[{first}] = ElasticGear({first}, {_inertia(train, first)}, {number(one)})"
            )
        stiffness, damping = mesh.stiffness * one**2, mesh.damping * one**2
        lines.append(
            f"gears[{second}] = ElasticGear({second}, {_inertia(train, second)}, {number(two)}, "
            f"k={number(stiffness)}, c={number(damping)}, parent=gears[{first}])"
        )
        geared |= {first, second}
    lines.append("discs = [")
    for node, name in enumerate(train.nodes):
        inertia = "0.0" if node in geared else _inertia(train, node)
        disc = _disc(node, inertia, train.ground_damping, train.ground)
        lines.append(f"    {disc}  # {name}")
    lines += [
        "]",
        "assembly = Assembly(shafts, discs, elastic_gear_elements=list(gears.values()))",
    ]
    return lines


def _on_carrier(train: Train) -> list[str]:
    """Meshes of three nodes as discs on springs and couplings between every two."""
    own, damped = train.ground.copy(), train.ground_damping.copy()
    lines = ["couplings = ["]
    for mesh in train.meshes:
        arms = sorted(mesh.arms.items())
        for k, (node, arm) in enumerate(arms):
            own[node] += mesh.stiffness * arm**2
            damped[node] += mesh.damping * arm**2
            for other, second in arms[k + 1 :]:
                stiffness, damping = mesh.stiffness * arm * second, mesh.damping * arm * second
                lines.append(
                    f"    Coupling({node}, {other}, {number(stiffness)}, {number(damping)}),"
                    f"  # {mesh.name}"
                )
    lines += ["]", "discs = ["]
    for node, name in enumerate(train.nodes):
        lines.append(f"    {_disc(node, _inertia(train, node), damped, own)}  # {name}")
    return [*lines, "]", "assembly = Assembly(couplings, discs)"]


def _disc(node: int, inertia: str, damping: Floats, stiffness: Floats) -> str:
    return f"Disk({node}, {inertia}, c={number(damping[node])}, k={number(stiffness[node])}),"


def _inertia(train: Train, node: int) -> str:
    return number(float(train.inertia[node]))
