"""Two gears made ready to roll: a loaded mesh at even places of a base pitch, as tables, and the
modes of what carries it.

A gear with an elastic body has the modes η of a held bore, and its bore turns by θ as a rotor of
the train. Modes that do not go round the gear (n = 0) feel that: with the participation p the
masses are

    [J  p]
    [p  1]

and the natural motions of rotors and such modes together are what rolls. Modes with n > 0 do not.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.linalg import eigh

from flank.arrays import Floats, Integers
from flank.contact.flexible_gear import lowest_modes
from flank.contact.gear_loading import GearLoading
from flank.contact.load_distribution import LoadPoints, distribute_total, load_work
from flank.dynamics.rolling import (
    FIGURES,
    READ,
    ROLLED,
    Modes,
    RollingMesh,
    RollingState,
    roll,
    rolling_state,
    rolling_work,
)
from flank.elasticity.finite_elements.flank_modes import FlankModes

ELASTIC = -1.0
"""Restitution of points that come back as elastic bodies do."""

FREE = 1e-9
"""Of the largest square of a natural frequency: below, a motion is free."""


@dataclass(frozen=True, eq=False)
class Train:
    """Rotors on a line of shafts, two of them gears in mesh: linear, but for the mesh.

    `approach` is how far a unit angle of each rotor brings the flanks together (the base radius of
    the first gear, minus that of the second), `load` the torques on rotors under a unit load.
    `gears` are the rotors of both gears, -1 for one that turns evenly and is no rotor.
    """

    inertia: Floats  # kg·m², (rotor,)
    stiffness: Floats  # N·m/rad, (rotor, rotor)
    damping: Floats  # N·m·s/rad, (rotor, rotor), beside the stiffness
    approach: Floats  # m, (rotor,)
    load: Floats  # m, (rotor,)
    output: Floats  # (rotor,) one for the rotor that is the output
    gears: tuple[int, int] = (0, 1)
    mesh_damping: float = 0.0  # N·s/m along the line of action


Approach = Callable[[Integers, Floats], Floats]
"""Of pairs of teeth by number, at roll lengths of the first gear (pair, point)."""


class BodyMode:
    """One mode of a gear's body with its bore held: which gear, which mode, and which part of it.

    Parts are the real and the imaginary one, of which modes with 0 < n < z/2 have both.
    """

    def __init__(self, modes: FlankModes, number: int, gear: int, imaginary: bool) -> None:
        self.modes, self.number, self.gear, self.imaginary = modes, number, gear, imaginary
        self.harmonic = int(modes.harmonic[number])
        self.frequency = 2 * math.pi * float(modes.frequency[number])
        self.rotation = float(modes.participation[number, 1].real) if self.harmonic == 0 else 0.0

    @property
    def turn(self) -> float:
        """By which a pair turns at the end of a base pitch: teeth of the first gear get the next
        number, those of the second the one before."""
        turn = 2 * math.pi * self.harmonic / self.modes.teeth
        return -turn if self.gear == 0 else turn

    def approaches(self, loading: GearLoading) -> Approach:
        """How far a unit of it brings the flanks of a mesh together."""
        pair, modes = loading.pair, self.modes
        face = loading.face if self.gear == 0 else -loading.face
        amplitude = modes.amplitude[self.number].reshape(len(modes.roll), len(modes.face))
        weights = np.array([np.interp(face, modes.face, row) for row in np.eye(len(modes.face))])
        spline, points = CubicSpline(modes.roll, amplitude @ weights), np.arange(len(face))

        def approach(numbers: Integers, rolls: Floats) -> Floats:
            own, teeth = (rolls, -numbers) if self.gear == 0 else (pair.second_roll(rolls), numbers)
            at = spline(np.clip(own, modes.roll[0], modes.roll[-1]))
            phase = np.exp(2j * math.pi * self.harmonic * teeth / modes.teeth)
            moved = at[:, points, points] * phase[:, None]
            part = moved.imag if self.imaginary else moved.real
            return np.asarray(-part / math.cos(pair.first.base_helix_angle))

        return approach


def body_modes(modes: tuple[FlankModes, FlankModes], most: int) -> list[BodyMode]:
    """The lowest `most` modes of either gear that move its flanks; pairs are not parted."""
    chosen: list[BodyMode] = []
    for gear, flank in enumerate(modes):
        for number, imaginary in zip(*lowest_modes(flank, flank.amplitude, most), strict=True):
            chosen.append(BodyMode(flank, int(number), gear, bool(imaginary)))
    return chosen


@dataclass(frozen=True, eq=False)
class Structure:
    """All that is linear: its modes, and how a train and bodies with held bores move in them."""

    modes: Modes
    rigid: Floats  # (mode,) approach of the rotors
    bodies: Sequence[BodyMode]
    shares: Floats  # (body mode, mode)

    def approaches(self, bodies: Floats) -> Floats:
        """Of every mode, out of those of bodies (..., body mode)."""
        return np.asarray(self.rigid + bodies @ self.shares)


def structure(train: Train, bodies: Sequence[BodyMode] = (), damping: float = 0.0) -> Structure:
    """Modes of a train and its gears' bodies without the mesh; rotating freely as a whole is none
    of them. Bodies have a share `damping` of critical damping. Of the damping of shafts each mode
    has its own share; between modes it is left out."""
    still = [body for body in bodies if not body.rotation]
    turning = [body for body in bodies if body.rotation]
    rotors, count = len(train.inertia), len(train.inertia) + len(turning)
    mass, stiffness = np.eye(count), np.zeros((count, count))
    mass[:rotors, :rotors] = np.diag(train.inertia)
    stiffness[:rotors, :rotors] = train.stiffness
    lost = np.zeros((count, count))
    lost[:rotors, :rotors] = train.damping
    for k, body in enumerate(turning, rotors):
        stiffness[k, k], lost[k, k] = body.frequency**2, 2 * damping * body.frequency
        rotor = train.gears[body.gear]
        if rotor >= 0:  # a positive angle of the second gear takes its flanks away
            sign = 1.0 if body.gear == 0 else -1.0
            mass[rotor, k] = mass[k, rotor] = sign * body.rotation
    squares, vectors = eigh(stiffness, mass)
    free = squares < FREE * max(squares.max(), 1.0)
    rows = np.stack((train.approach, train.load, train.output)) @ vectors[:rotors]
    closing = rows[0, free] / np.linalg.norm(rows[0, free])  # the free motion that closes the mesh
    vectors = np.column_stack((vectors[:, free] @ closing, vectors[:, ~free]))
    frequency = np.append(0.0, np.sqrt(squares[~free]))
    decay = 0.5 * np.einsum("ik,ij,jk->k", vectors, lost, vectors)
    return _joined(train, [*turning, *still], len(turning), vectors, frequency, decay, damping)


def _joined(
    train: Train, bodies: list[BodyMode], turning: int, vectors: Floats, frequency: Floats,
    decay: Floats, damping: float,
) -> Structure:  # fmt: skip
    """Motions of rotors, and after them the modes that no rotor feels."""
    rotors, still = len(train.inertia), bodies[turning:]
    own = np.array([body.frequency for body in still])
    count, more = len(frequency), len(still)
    none = np.zeros(more)
    turns = np.concatenate((np.zeros(count), [body.turn for body in still]))
    partner = np.arange(count + more)
    for k, body in enumerate(still, count):
        if body.imaginary:
            partner[k - 1 : k + 1] = k, k - 1
    signs = np.concatenate((np.ones(count), [-1.0 if body.imaginary else 1.0 for body in still]))
    alone = partner == np.arange(count + more)
    modes = Modes(
        frequency=np.concatenate((frequency, own)),
        decay=np.concatenate((decay, damping * own)),
        error=np.concatenate((train.approach @ vectors[:rotors], none)),
        output=np.concatenate((train.output @ vectors[:rotors], none)),
        load=np.concatenate((train.load @ vectors[:rotors], none)),
        partner=partner,
        cosine=np.cos(turns),
        sine=np.where(alone, 0.0, signs * np.sin(turns)),
        damping=train.mesh_damping,
    )
    shares = np.zeros((len(bodies), count + more))
    shares[:turning, :count] = vectors[rotors:]
    shares[turning:, count:] = np.eye(more)
    return Structure(modes, modes.error, bodies, shares)


def rolling_mesh(loading: GearLoading, carried: Structure, places: int) -> RollingMesh:
    """The mesh at so many places. What modes of bodies would give way statically is taken off the
    influence numbers, which have it."""
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
        shape=np.zeros((places, most, len(carried.modes.frequency))),
        across=across,
        slots=across * (highest - lowest + 1),
    )
    give = np.array([1 / body.frequency**2 for body in carried.bodies])
    approaches = [body.approaches(loading) for body in carried.bodies]
    for place, (numbers, points) in enumerate(systems):
        rolls = np.clip(loading.rolls(pitch * place / places, numbers), *loading.pair.path)
        bodies = np.zeros((rolls.size, len(carried.bodies)))
        for k, body in enumerate(approaches):
            bodies[:, k] = body(numbers, rolls).ravel()
        _put(mesh, place, points, carried.approaches(bodies), (bodies * give) @ bodies.T)
    return mesh


def _put(mesh: RollingMesh, place: int, points: LoadPoints, shape: Floats, modal: Floats) -> None:
    count = len(points.gap)
    mesh.compliance[place, :count, :count] = points.compliance - modal
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

    @classmethod
    def of(cls, loading: GearLoading, carried: Structure, places: int) -> RollingPair:
        return cls(rolling_mesh(loading, carried, places), carried.modes)

    def rolled(
        self,
        periods: Floats,
        loads: Floats,
        state: RollingState,
        restitution: float | None = None,
        keep: int = 0,
    ) -> Floats | None:
        """Records (period, place, column) of the last periods, none where it stalls; the state goes
        on. Without a restitution points come back into contact as elastic bodies do."""
        record = np.zeros((keep, len(self.mesh.points), READ + self.mesh.slots))
        figures = np.zeros((len(periods), len(FIGURES)))
        back = ELASTIC if restitution is None else restitution
        work = rolling_work(self.modes, self.mesh)
        arguments = (state, periods, loads, back, figures, record, work)
        status, _ = roll(self.mesh, self.modes, *arguments)
        return record if status == ROLLED else None

    def at_rest(self, load: float) -> RollingState:
        """The loaded equilibrium at the first place."""
        mesh, modes, count = self.mesh, self.modes, int(self.mesh.points[0])
        state = rolling_state(modes, mesh)
        stiff = modes.frequency > 0
        give = np.where(stiff, 1 / np.where(stiff, modes.frequency, 1.0) ** 2, 0.0)
        shape = mesh.shape[0, :count]
        points = LoadPoints(
            mesh.compliance[0, :count, :count] + (shape * give) @ shape.T,
            mesh.gap[0, :count] - shape @ (give * modes.load * load),
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
        state.position[free] = approach / shape[0, free]
        state.force[mesh.first_slot[0] :][:count] = work.force
        return state
