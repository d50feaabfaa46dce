"""Two gears made ready to roll: a loaded mesh at even places of a base pitch, as tables, and the
modes of what carries it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from flank.arrays import Floats, Integers
from flank.contact.gear_loading import GearLoading
from flank.contact.load_distribution import LoadPoints, distribute_total, load_work
from flank.dynamics.rolling import Modes, RollingMesh, RollingState, rolling_state

Shapes = Callable[[Integers, Floats], Floats]
"""From numbers of pairs and roll lengths of the first gear (pair, point): how far a unit of each
mode brings the flanks together there, (pair, point, mode)."""


@dataclass(frozen=True, eq=False)
class Train:
    """Rotors on a line of shafts, two of them gears in mesh: linear, but for the mesh.

    `approach` is how far a unit angle of each rotor brings the flanks together (the base radius of
    the first gear, minus that of the second), `load` the torques on rotors under a unit load.
    """

    inertia: Floats  # kg·m², (rotor,)
    stiffness: Floats  # N·m/rad, (rotor, rotor)
    damping: Floats  # N·m·s/rad, (rotor, rotor), beside the stiffness
    approach: Floats  # m, (rotor,)
    load: Floats  # m, (rotor,)
    output: Floats  # (rotor,) one for the rotor that is the output
    mesh_damping: float = 0.0  # N·s/m along the line of action


def train_modes(train: Train) -> Modes:
    """Modes of a train without its mesh; rotating freely as a whole is none of them. Of the damping
    of shafts each mode has its own share; between modes it is left out."""
    root = np.sqrt(train.inertia)
    squares, vectors = np.linalg.eigh(train.stiffness / np.outer(root, root))
    vectors = vectors / root[:, None]
    free = squares < 1e-9 * max(squares.max(), 1.0)
    rows = np.stack((train.approach, train.load, train.output)) @ vectors
    closing = rows[0, free] / np.linalg.norm(rows[0, free])  # the free motion that closes the mesh
    approach, load, output = np.column_stack((rows[:, free] @ closing, rows[:, ~free]))
    frequency = np.append(0.0, np.sqrt(squares[~free]))
    lost = np.einsum("ik,ij,jk->k", vectors, train.damping, vectors)
    count = len(frequency)
    return Modes(
        frequency=frequency,
        decay=np.append(0.0, 0.5 * lost[~free]),
        error=approach,
        output=output,
        load=load,
        partner=np.arange(count),
        cosine=np.ones(count),
        sine=np.zeros(count),
        damping=train.mesh_damping,
    )


def rolling_mesh(loading: GearLoading, places: int, shapes: Shapes, modal: Floats) -> RollingMesh:
    """The mesh at so many places; `modal` (mode,) is the compliance 1/ω² of every mode that is part
    of the influence numbers, zero for others: it is taken off them."""
    pitch = loading.pair.base_pitch
    systems = [loading.system(pitch * place / places) for place in range(places)]
    lowest = min(int(numbers[0]) for numbers, _ in systems)
    highest = max(int(numbers[-1]) for numbers, _ in systems)
    across = len(loading.face)
    most = max(len(points.gap) for _, points in systems)
    mesh = RollingMesh(
        first_slot=np.array([across * (int(numbers[0]) - lowest) for numbers, _ in systems]),
        points=np.array([len(points.gap) for _, points in systems]),
        compliance=np.zeros((places, most, most)),
        gap=np.zeros((places, most)),
        constant=np.ones((places, most)),
        slope=np.zeros((places, most)),
        length=np.ones((places, most)),
        shape=np.zeros((places, most, len(modal))),
        across=across,
        slots=across * (highest - lowest + 1),
    )
    for place, (numbers, points) in enumerate(systems):
        rolls = loading.rolls(pitch * place / places, numbers)
        shape = shapes(numbers, np.clip(rolls, *loading.pair.path)).reshape(-1, len(modal))
        _put(mesh, place, points, shape, modal)
    return mesh


def _put(mesh: RollingMesh, place: int, points: LoadPoints, shape: Floats, modal: Floats) -> None:
    count = len(points.gap)
    mesh.compliance[place, :count, :count] = points.compliance - (shape * modal) @ shape.T
    mesh.gap[place, :count] = points.gap
    mesh.constant[place, :count] = points.constant
    mesh.slope[place, :count] = points.slope
    mesh.length[place, :count] = points.length
    mesh.shape[place, :count] = shape


@dataclass(frozen=True, eq=False)
class RollingPair:
    """Mesh and modes of a gear pair; loads are along the line of action."""

    mesh: RollingMesh
    modes: Modes

    def at_rest(self, load: float) -> RollingState:
        """The loaded equilibrium at the first place."""
        mesh, modes, count = self.mesh, self.modes, int(self.mesh.points[0])
        state = rolling_state(modes, mesh)
        stiff = modes.frequency > 0
        give = np.where(stiff, 1 / np.where(stiff, modes.frequency, 1.0) ** 2, 0.0)
        shape = mesh.shape[0, :count]
        points = LoadPoints(
            mesh.compliance[0, :count, :count] + (shape * give) @ shape.T,
            mesh.gap[0, :count],
            np.ones(count),
            mesh.constant[0, :count],
            mesh.slope[0, :count],
            mesh.length[0, :count],
        )
        work = load_work(count)
        _status, approach, _slope, _energy = distribute_total(points, count, load, 0.0, work)
        state.modal_force[:] = -work.force @ shape
        state.position[:] = give * (state.modal_force + modes.load * load)
        free = int(np.flatnonzero(~stiff)[0])
        wound = shape[0] @ (give * modes.load * load)
        state.position[free] = (approach - wound) / shape[0, free]
        state.force[mesh.first_slot[0] :][:count] = work.force
        return state


def rigid_bodies(loading: GearLoading, train: Train, places: int) -> RollingPair:
    """Gears that vibrate as rigid discs, on teeth and bodies that give way without mass."""
    modes = train_modes(train)
    count = len(modes.frequency)

    def shapes(_numbers: Integers, rolls: Floats) -> Floats:
        return np.broadcast_to(modes.error, (*rolls.shape, count))

    return RollingPair(rolling_mesh(loading, places, shapes, np.zeros(count)), modes)
