"""Two gears made ready to roll: a loaded mesh at even places of a base pitch, as tables, and the
modes of what carries it.

A gear with an elastic body has the modes η of a held bore, and its bore turns by θ as a rotor of
the train. Modes that do not go round the gear (n = 0) feel that: with the participation p the
masses are

    [J  p]
    [p  1]

and the natural motions of rotors and such modes together are what rolls. Modes with n > 0 do not.

Free motions of the train are known from its shafts: rotors that they connect with each other and
with nothing that is held. The natural motions are those of what is left beside them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.linalg import eigh, qr

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

HELD = -1
"""In place of a rotor: what turns evenly."""


class Shaft(NamedTuple):
    """Between two rotors, or a rotor and what is held."""

    first: int
    second: int
    stiffness: float  # N·m/rad
    damping: float = 0.0  # N·m·s/rad


@dataclass(frozen=True, eq=False)
class Train:
    """Rotors on a line of shafts, two of them gears in mesh: linear, but for the mesh.

    `approach` is how far a unit angle of each rotor brings the flanks together (the base radius of
    the first gear, minus that of the second), `load` the torques on rotors under a unit load.
    `gears` are the rotors of both gears, HELD for one that turns evenly and is no rotor.
    """

    inertia: Floats  # kg·m², (rotor,)
    shafts: Sequence[Shaft]
    approach: Floats  # m, (rotor,)
    load: Floats  # m, (rotor,)
    output: Floats  # (rotor,) one for the rotor that is the output
    gears: tuple[int, int] = (0, 1)
    mesh_damping: float = 0.0  # N·s/m along the line of action

    def matrix(self, values: Sequence[float]) -> Floats:
        """(rotor, rotor) of what every shaft has of something between its ends."""
        whole = np.zeros((len(self.inertia), len(self.inertia)))
        for shaft, value in zip(self.shafts, values, strict=True):
            ends = [end for end in (shaft.first, shaft.second) if end != HELD]
            signs = np.array([1.0, -1.0][: len(ends)])
            whole[np.ix_(ends, ends)] += value * np.outer(signs, signs)
        return whole

    def free_motions(self) -> Floats:
        """(rotor, motion): rotors that turn together."""
        group = list(range(len(self.inertia)))
        held: set[int] = set()
        for shaft in self.shafts:
            ends = [group[end] for end in (shaft.first, shaft.second) if end != HELD]
            group = [ends[0] if each == ends[-1] else each for each in group]
            if len(ends) == 1 or held & set(ends):
                held.add(ends[0])
        free = [each for each in sorted(set(group)) if each not in held]
        return np.array([[float(each == motion) for motion in free] for each in group])


Approach = Callable[[Integers, Floats], Floats]
"""Of pairs of teeth by the first gear's, at roll lengths of the first gear (pair, point)."""


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

    @property
    def coriolis(self) -> float:
        """Angle by which Coriolis' force turns the velocities of a pair in a base pitch, the first
        of both towards the second. The second gear turns clockwise in its own frame."""
        angle = 2 * math.pi / self.modes.teeth * float(self.modes.gyroscopic[self.number])
        return angle if (self.gear == 1) == self.imaginary else -angle

    @property
    def spin(self) -> float:
        """What the square of the speed adds to that of the frequency, for a period of one."""
        return (2 * math.pi / self.modes.teeth) ** 2 * float(self.modes.spin[self.number])

    def approaches(self, loading: GearLoading, other: bool = False) -> Approach:
        """How far a unit of it brings the flanks of a mesh together, or the other flanks."""
        pair, modes = loading.pair, self.modes
        face = loading.face if self.gear == 0 else -loading.face
        given = (modes.other_amplitude if other else modes.amplitude)[self.number]
        amplitude = given.reshape(len(modes.roll), len(modes.face))
        weights = np.array([np.interp(face, modes.face, row) for row in np.eye(len(modes.face))])
        spline, points = CubicSpline(modes.roll, amplitude @ weights), np.arange(len(face))

        def approach(numbers: Integers, rolls: Floats) -> Floats:
            own, teeth = rolls, -numbers
            if self.gear == 1:
                own, teeth = pair.second_roll(rolls), numbers + other
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

    def approaches(self, bodies: Floats, flank: float = 1.0) -> Floats:
        """Of every mode, out of those of bodies (..., body mode); flank -1 is the other one."""
        return np.asarray(flank * self.rigid + bodies @ self.shares)


def structure(
    train: Train,
    bodies: Sequence[BodyMode] = (),
    damping: float = 0.0,
    rotating_frame: bool = False,
) -> Structure:
    """Modes of a train and its gears' bodies without the mesh; rotating freely as a whole is none
    of them. Bodies have a share `damping` of critical damping. Of the damping of shafts each mode
    has its own share, and of what the speed does to bodies: between modes it is left out."""
    still = [body for body in bodies if not body.rotation]
    turning = [body for body in bodies if body.rotation]
    rotors, count = len(train.inertia), len(train.inertia) + len(turning)
    mass, stiffness = np.eye(count), np.zeros((count, count))
    lost, spin = np.zeros((count, count)), np.zeros((count, count))
    mass[:rotors, :rotors] = np.diag(train.inertia)
    stiffness[:rotors, :rotors] = train.matrix([shaft.stiffness for shaft in train.shafts])
    lost[:rotors, :rotors] = train.matrix([shaft.damping for shaft in train.shafts])
    for k, body in enumerate(turning, rotors):
        stiffness[k, k], lost[k, k] = body.frequency**2, 2 * damping * body.frequency
        spin[k, k] = body.spin
        rotor = train.gears[body.gear]
        if rotor != HELD:  # a positive angle of the second gear takes its flanks away
            sign = 1.0 if body.gear == 0 else -1.0
            mass[rotor, k] = mass[k, rotor] = sign * body.rotation
    vectors, frequency = _natural_motions(train, mass, stiffness)
    decay, spun = (
        np.einsum("ik,ij,jk->k", vectors, matrix, vectors) for matrix in (0.5 * lost, spin)
    )
    moving = _Moving(vectors, frequency, decay, spun)
    joined = _joined(train, [*turning, *still], len(turning), moving, damping)
    if rotating_frame:
        return joined
    none = np.zeros(0)
    return replace(joined, modes=joined.modes._replace(coriolis=none, spin=none))


def _natural_motions(train: Train, mass: Floats, stiffness: Floats) -> tuple[Floats, Floats]:
    """Of unit modal mass, as columns, and their frequencies; the first is the free motion that
    closes the mesh."""
    motions = train.free_motions()
    free = np.zeros((len(mass), motions.shape[1]))
    free[: len(motions)] = motions
    free /= np.sqrt(np.sum(free * (mass @ free), axis=0))
    beside = qr(mass @ free)[0][:, free.shape[1] :]
    squares, vectors = eigh(beside.T @ stiffness @ beside, beside.T @ mass @ beside)
    closing = train.approach @ free[: len(motions)]
    first = free @ (closing / np.linalg.norm(closing))
    return np.column_stack((first, beside @ vectors)), np.append(0.0, np.sqrt(squares))


class _Moving(NamedTuple):
    """Natural motions of rotors with the modes of bodies that they feel."""

    vectors: Floats
    frequency: Floats
    decay: Floats
    spin: Floats


def _joined(
    train: Train, bodies: list[BodyMode], turning: int, moving: _Moving, damping: float
) -> Structure:
    """Motions of rotors, and after them the modes that no rotor feels."""
    rotors, still = len(train.inertia), bodies[turning:]
    own = np.array([body.frequency for body in still])
    count, more = len(moving.frequency), len(still)
    none, vectors = np.zeros(more), moving.vectors
    turns = np.concatenate((np.zeros(count), [body.turn for body in still]))
    partner = np.arange(count + more)
    for k, body in enumerate(still, count):
        if body.imaginary:
            partner[k - 1 : k + 1] = k, k - 1
    signs = np.concatenate((np.ones(count), [-1.0 if body.imaginary else 1.0 for body in still]))
    alone = partner == np.arange(count + more)
    modes = Modes(
        frequency=np.concatenate((moving.frequency, own)),
        decay=np.concatenate((moving.decay, damping * own)),
        error=np.concatenate((train.approach @ vectors[:rotors], none)),
        output=np.concatenate((train.output @ vectors[:rotors], none)),
        load=np.concatenate((train.load @ vectors[:rotors], none)),
        partner=partner,
        cosine=np.cos(turns),
        sine=np.where(alone, 0.0, signs * np.sin(turns)),
        coriolis=np.concatenate((np.zeros(count), [body.coriolis for body in still])),
        spin=np.concatenate((moving.spin, [body.spin for body in still])),
        damping=train.mesh_damping,
    )
    shares = np.zeros((len(bodies), count + more))
    shares[:turning, :count] = vectors[rotors:]
    shares[turning:, count:] = np.eye(more)
    return Structure(modes, modes.error, bodies, shares)


class _Points(NamedTuple):
    """Points of one set of flanks at a place, pair by pair."""

    numbers: Integers  # of pairs, by the first gear's tooth
    points: LoadPoints
    shape: Floats
    modal: Floats  # compliance that modes of bodies have


def rolling_mesh(
    loading: GearLoading, carried: Structure, places: int, other_flanks: bool = True
) -> RollingMesh:
    """The mesh at so many places. What modes of bodies would give way statically is taken off the
    influence numbers, which have it. Between a flank that drives and another one there is no more
    than modes have: they are not loaded at the same time as long as there is backlash."""
    positions = loading.pair.base_pitch * np.arange(places) / places
    front = list(map(_driving(loading, carried), positions))
    other = list(map(_other(loading, carried), positions)) if other_flanks else []
    across, reached = len(loading.face), [_reached(each) for each in (front, other)]
    sizes = [across * (highest - lowest + 1) for lowest, highest in reached]
    counts = [np.array([len(each.points.gap) for each in sets]) for sets in (front, other)]
    most, modes = sum(int(each.max(initial=0)) for each in counts), carried.modes
    mesh = RollingMesh(
        slot=np.zeros((places, most), dtype=np.int64),
        points=counts[0],
        other_points=counts[1] if other else np.zeros(places, dtype=np.int64),
        compliance=np.zeros((places, most, most)),
        gap=np.zeros((places, most)),
        constant=np.ones((places, most)),
        slope=np.zeros((places, most)),
        length=np.ones((places, most)),
        shape=np.zeros((places, most, len(modes.frequency))),
        first_deviation=np.zeros((0, places, most)),
        second_deviation=np.zeros((0, places, most)),
        across=across,
        front_slots=sizes[0],
        slots=sum(sizes),
        half_back=-0.5 * loading.pair.normal_backlash if other else -math.inf,
    )
    for place, points in enumerate(front):
        _put(mesh, place, 0, points, -across * reached[0][0])
    for place, points in enumerate(other):
        _put(mesh, place, int(counts[0][place]), points, sizes[0] - across * reached[1][0])
    return _deviating(mesh, loading, positions, [front, other])


def _reached(sets: Sequence[_Points]) -> tuple[int, int]:
    """Lowest and highest number of a pair."""
    if not sets:
        return 0, -1
    return min(int(each.numbers[0]) for each in sets), max(int(each.numbers[-1]) for each in sets)


def _driving(loading: GearLoading, carried: Structure) -> Callable[[float], _Points]:
    first, second = loading.deviations
    alike = replace(loading, deviations=(first.of_all_teeth, second.of_all_teeth))
    approaches = [body.approaches(loading) for body in carried.bodies]

    def at(position: float) -> _Points:
        numbers, points = alike.system(position)
        rolls = alike.rolls(position, numbers)
        return _points(loading, carried, approaches, numbers, rolls, points, 1.0)

    return at


def _other(loading: GearLoading, carried: Structure) -> Callable[[float], _Points]:
    approaches = [body.approaches(loading, other=True) for body in carried.bodies]

    def at(position: float) -> _Points:
        numbers, rolls, points = loading.other_flanks(position)
        return _points(loading, carried, approaches, numbers, rolls, points, -1.0)

    return at


def _points(
    loading: GearLoading, carried: Structure, approaches: Sequence[Approach], numbers: Integers,
    rolls: Floats, points: LoadPoints, flank: float,
) -> _Points:  # fmt: skip
    give = np.array([1 / body.frequency**2 for body in carried.bodies])
    inside = np.clip(rolls, *loading.pair.path)
    bodies = np.zeros((rolls.size, len(carried.bodies)))
    for k, body in enumerate(approaches):
        bodies[:, k] = body(numbers, inside).ravel()
    shape = carried.approaches(bodies, flank)
    return _Points(numbers, points, shape, (bodies * give) @ bodies.T)


def _put(mesh: RollingMesh, place: int, begin: int, given: _Points, slot: int) -> None:
    points, across = given.points, mesh.across
    rows = slice(begin, begin + len(points.gap))
    first = slot + across * int(given.numbers[0])
    mesh.slot[place, rows] = np.arange(first, first + len(points.gap))
    mesh.compliance[place, rows, rows] = points.compliance - given.modal
    mesh.gap[place, rows] = points.gap
    mesh.constant[place, rows] = points.constant
    mesh.slope[place, rows] = points.slope
    mesh.length[place, rows] = points.length
    mesh.shape[place, rows] = given.shape


def _deviating(
    mesh: RollingMesh, loading: GearLoading, positions: Floats, sets: list[list[_Points]]
) -> RollingMesh:
    """With gaps of every cycle, until all teeth of a gear had their turn."""
    tables = []
    for which, gear in enumerate((loading.pair.first, loading.pair.second)):
        cycles = loading.deviations[which].repeats_after(gear.teeth)
        table = np.zeros((cycles, *mesh.gap.shape))
        for cycle, place in np.ndindex(cycles, len(positions)):
            points = [each[place] for each in sets if each]
            values = _deviations(loading, which, cycle, float(positions[place]), points)
            table[cycle, place, : len(values)] = values
        tables.append(table)
    if max(map(len, tables)) > 1:
        return mesh._replace(first_deviation=tables[0], second_deviation=tables[1])
    return mesh._replace(gap=mesh.gap + tables[0][0] + tables[1][0])


def _deviations(
    loading: GearLoading, which: int, cycle: int, position: float, sets: Sequence[_Points]
) -> Floats:
    """Of all points at a place, `cycle` base pitches later."""
    at, parts = position + cycle * loading.pair.base_pitch, []
    for of, points in zip((loading.deviation, loading.other_deviation), sets, strict=False):
        numbers = points.numbers + cycle
        parts.append(np.broadcast_to(of(which, at, numbers), (len(numbers), len(loading.face))))
    return np.concatenate(parts).ravel()


@dataclass(frozen=True, eq=False)
class RollingPair:
    """Mesh and modes of a gear pair; loads are along the line of action. Without a restitution
    points come back into contact as elastic bodies do."""

    mesh: RollingMesh
    modes: Modes
    restitution: float | None = None

    def rolled(
        self,
        periods: Floats,
        loads: Floats,
        state: RollingState,
        keep: int = 0,
    ) -> Floats | None:
        """Records (period, place, column) of the last periods, none where it stalls; the state goes
        on. Loads (period,), or those of all steps (period, place)."""
        record = np.zeros((keep, len(self.mesh.points), READ + self.mesh.slots))
        figures = np.zeros((len(periods), len(FIGURES)))
        back = ELASTIC if self.restitution is None else self.restitution
        work = rolling_work(self.modes, self.mesh)
        of_steps = loads if loads.ndim == 2 else loads[:, None]
        arguments = (state, periods, of_steps, back, figures, record, work)
        status, _ = roll(self.mesh, self.modes, *arguments)
        return record if status == ROLLED else None

    def net_force(self, record: Floats) -> Floats:
        """Along the line of action (..., place), what other flanks carry taken off."""
        forces, front = record[..., READ:], self.mesh.front_slots
        return np.asarray(forces[..., :front].sum(axis=-1) - forces[..., front:].sum(axis=-1))

    def at_rest(self, load: float) -> RollingState:
        """The loaded equilibrium at the first place; on the other flanks if the load is negative,
        and where flanks just touch if there is none."""
        mesh, modes = self.mesh, self.modes
        state = rolling_state(modes, mesh)
        if not load:
            return state
        count, others = int(mesh.points[0]), int(mesh.other_points[0])
        rows = slice(0, count) if load > 0 else slice(count, count + others)
        count, stiff = rows.stop - rows.start, modes.frequency > 0
        give = np.where(stiff, 1 / np.where(stiff, modes.frequency, 1.0) ** 2, 0.0)
        shape, gap = mesh.shape[0, rows], mesh.gap[0, rows]
        if len(mesh.first_deviation):
            gap = gap + mesh.first_deviation[0, 0, rows] + mesh.second_deviation[0, 0, rows]
        points = LoadPoints(
            mesh.compliance[0, rows, rows] + (shape * give) @ shape.T,
            gap - shape @ (give * modes.load * load),
            np.ones(count),
            mesh.constant[0, rows],
            mesh.slope[0, rows],
            mesh.length[0, rows],
        )
        work = load_work(count)
        _status, approach, _slope, _energy = distribute_total(points, count, abs(load), 0.0, work)
        state.modal_force[:] = -work.force @ shape
        state.position[:] = give * (state.modal_force + modes.load * load)
        free = int(np.flatnonzero(~stiff)[0])
        state.position[free] = approach / shape[0, free]
        state.force[mesh.slot[0, rows]] = work.force
        return state
