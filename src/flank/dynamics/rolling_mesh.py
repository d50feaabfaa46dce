"""Tables for `rolling`: a loaded mesh at even places of a base pitch, and the modes of what carries
it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from flank.arrays import Floats, Integers
from flank.contact.gear_loading import GearLoading
from flank.contact.load_distribution import LoadPoints
from flank.dynamics.rolling import Modes, RollingMesh

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
    approach: Floats  # m, (rotor,)
    load: Floats  # m, (rotor,)
    damping: float = 0.0  # N·s/m along the line of action


def train_modes(train: Train) -> Modes:
    """Modes of a train without its mesh; rotating freely as a whole is none of them.

    Damping along the line of action is put on each mode by its own share of the approach: between
    modes it is left out.
    """
    root = np.sqrt(train.inertia)
    squares, vectors = np.linalg.eigh(train.stiffness / np.outer(root, root))
    vectors = vectors / root[:, None]
    free = squares < 1e-9 * max(squares.max(), 1.0)
    approach, load = train.approach @ vectors, train.load @ vectors
    kept_approach, kept_load = approach[~free], load[~free]
    frequency = np.sqrt(squares[~free])
    size = float(np.linalg.norm(approach[free]))
    if size > 0:  # of all free motions the one that closes the mesh
        kept_approach = np.append(size, kept_approach)
        kept_load = np.append(approach[free] @ load[free] / size, kept_load)
        frequency = np.append(0.0, frequency)
    count = len(frequency)
    return Modes(
        frequency=frequency,
        decay=0.5 * train.damping * kept_approach**2,
        error=kept_approach,
        load=kept_load,
        partner=np.arange(count),
        cosine=np.ones(count),
        sine=np.zeros(count),
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
