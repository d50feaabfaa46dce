"""All that is linear in two gears that roll: shafts, bearings and bodies, as modes.

A gear with an elastic body has the modes η of a held bore, and its bore turns by θ as a rotor of
the train. Modes that do not go round the gear (n = 0) feel that: with the participation p the
masses are

    [J  p]
    [p  1]

and the natural motions of rotors and such modes together are what rolls.

A gear on an elastic bearing moves its centre by x along the inward normal of its flank in mesh and
by y across it, both in space. Modes with n = 1 feel that, and are taken in space as well, where a
bearing that is the same in all directions does not know that the gear turns: with τ = x - iy and
Q = q_1 - i q_2 the masses are

    [m  p*]
    [p  1 ]

and each of their natural motions is a pair. All other modes feel neither.

Free motions of the train are known from its shafts: rotors that they connect with each other and
with nothing that is held. The natural motions are those of what is left beside them.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.linalg import eigh, qr

from flank.arrays import ComplexNumbers, Floats, Integers
from flank.contact.flexible_gear import lowest_modes
from flank.contact.gear_loading import GearLoading
from flank.dynamics.rolling import Modes
from flank.elasticity.finite_elements.flank_modes import FlankModes

HELD = -1
"""In place of a rotor: what turns evenly."""


class Shaft(NamedTuple):
    """Between two rotors, or a rotor and what is held."""

    first: int
    second: int
    stiffness: float  # N·m/rad
    damping: float = 0.0  # N·m·s/rad


class Bearing(NamedTuple):
    """Holds the centre of a gear, alike in all directions. `other_normal` is N' = -e^{±2iα}: where
    the inward normal of the other flank in mesh points, seen from that of the flank that drives."""

    mass: float  # kg, of the gear
    stiffness: float  # N/m
    damping: float  # N·s/m
    other_normal: complex


@dataclass(frozen=True, eq=False)
class Train:
    """Rotors on a line of shafts, two of them gears in mesh: linear, but for the mesh.

    `approach` is how far a unit angle of each rotor brings the flanks together (the base radius of
    the first gear, minus that of the second), `load` the torques on rotors under a unit load.
    `gears` are the rotors of both gears, HELD for one that turns evenly and is no rotor. Centres
    of gears without a bearing do not move.
    """

    inertia: Floats  # kg·m², (rotor,)
    shafts: Sequence[Shaft]
    approach: Floats  # m, (rotor,)
    load: Floats  # m, (rotor,)
    output: Floats  # (rotor,) one for the rotor that is the output
    gears: tuple[int, int] = (0, 1)
    mesh_damping: float = 0.0  # N·s/m along the line of action
    bearings: tuple[Bearing | None, Bearing | None] = (None, None)

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
"""Of pairs of teeth by the first gear's, at roll lengths of the first gear (pair, point), as if
involutes were endless."""


@dataclass(frozen=True, eq=False)
class BodyMode:
    """One mode of a gear's body with its bore held: which gear, which mode, and which part of it.

    Parts are the real and the imaginary one, of which modes with 0 < n < z/2 have both. It has a
    share `damping` of critical damping. Where the `bearing` of a gear lets its centre move, modes
    with n = 1 are those of space.
    """

    modes: FlankModes
    number: int
    gear: int
    imaginary: bool
    damping: float = 0.0
    bearing: Bearing | None = None

    @property
    def harmonic(self) -> int:
        return int(self.modes.harmonic[self.number])

    @property
    def frequency(self) -> float:
        """ω in rad/s."""
        return 2 * math.pi * float(self.modes.frequency[self.number])

    @property
    def in_space(self) -> bool:
        return self.bearing is not None and self.harmonic == 1

    @property
    def rotation(self) -> float:
        """p with the angle of the gear."""
        return float(self.modes.participation[self.number, 1].real) if self.harmonic == 0 else 0.0

    @property
    def lateral(self) -> complex:
        """p with the motion of its centre."""
        return complex(self.modes.participation[self.number, 0]) if self.harmonic == 1 else 0j

    @property
    def turn(self) -> float:
        """By which a pair turns at the end of a base pitch: teeth of the first gear get the next
        number, those of the second the one before."""
        turn = 2 * math.pi * self.harmonic / self.modes.teeth
        return -turn if self.gear == 0 else turn

    @property
    def gyroscopic(self) -> float:
        """s of the frame that turns along, s - 2 in space."""
        return float(self.modes.gyroscopic[self.number]) - 2.0 * self.in_space

    @property
    def coriolis(self) -> float:
        """Angle by which Coriolis' force turns the velocities of a pair in a base pitch, the first
        of both towards the second."""
        return coriolis_turn(self.gyroscopic, self.modes.teeth, self.gear, self.imaginary)

    @property
    def spin(self) -> float:
        """What the square of the speed adds to that of the frequency, for a period of one."""
        added = float(self.modes.spin[self.number])
        if self.in_space:
            added += float(self.modes.gyroscopic[self.number]) - 1.0
        return (2 * math.pi / self.modes.teeth) ** 2 * added

    def approaches(self, loading: GearLoading, other: bool = False) -> Approach:
        """How far a unit of it brings the flanks of a mesh together, or the other flanks."""
        pair, modes = loading.pair, self.modes
        face = loading.face if self.gear == 0 else -loading.face
        given = (modes.other_amplitude if other else modes.amplitude)[self.number]
        amplitude = given.reshape(len(modes.roll), len(modes.face))
        weights = np.array([np.interp(face, modes.face, row) for row in np.eye(len(modes.face))])
        spline, points = CubicSpline(modes.roll, amplitude @ weights), np.arange(len(face))

        def approach(numbers: Integers, rolls: Floats) -> Floats:
            own, teeth = np.clip(rolls, *pair.path), -numbers
            if self.gear == 1:
                own, teeth = pair.second_roll(own), numbers + other
            at = spline(np.clip(own, modes.roll[0], modes.roll[-1]))
            if self.in_space:
                phase = self._direction(loading, rolls.mean(axis=1), other)
            else:
                phase = np.exp(2j * math.pi * self.harmonic * teeth / modes.teeth)
            moved = at[:, points, points] * phase[:, None]
            part = moved.imag if self.imaginary else moved.real
            return np.asarray(-part / math.cos(pair.first.base_helix_angle))

        return approach

    def _direction(self, loading: GearLoading, middle: Floats, other: bool) -> ComplexNumbers:
        """By which amplitudes in the frame of a tooth turn into those of space, where the flank in
        mesh at mid-face has its inward normal along x: e^{-iν}, ν = -π/2 ∓ γ that of the tooth at
        the roll length; of the other flank, whose normal is along N', N' e^{iν}."""
        assert self.bearing is not None
        pair = loading.pair
        gear = (pair.first, pair.second)[self.gear]
        own = middle if self.gear == 0 else np.asarray(pair.second_roll(middle))
        angle = gear.sign * own / gear.base_radius - gear.base_half_angle
        turned = 1j * np.exp(1j * angle)
        return np.asarray(self.bearing.other_normal * turned.conj() if other else turned)


def coriolis_turn(gyroscopic: float, teeth: int, gear: int, second: bool) -> float:
    """In a base pitch, of the first or second one of a pair. The second gear turns clockwise in its
    own frame."""
    angle = 2 * math.pi / teeth * gyroscopic
    return angle if (gear == 1) == second else -angle


def body_modes(
    modes: tuple[FlankModes, FlankModes], most: int, damping: tuple[float, float] = (0.0, 0.0)
) -> list[BodyMode]:
    """The lowest `most` modes of either gear that move its flanks; pairs are not parted."""
    chosen: list[BodyMode] = []
    for gear, flank in enumerate(modes):
        for number, imaginary in zip(*lowest_modes(flank, flank.amplitude, most), strict=True):
            chosen.append(BodyMode(flank, int(number), gear, bool(imaginary), damping[gear]))
    return chosen


@dataclass(frozen=True, eq=False)
class Structure:
    """All that is linear: its modes, and how a train and bodies with held bores move in them."""

    modes: Modes
    rigid: Floats  # (flank, mode) approach of the flanks that drive, and of the others, as if rigid
    bodies: Sequence[BodyMode]
    shares: Floats  # (body mode, mode)

    def approaches(self, bodies: Floats, other: bool) -> Floats:
        """Of every mode, out of those of bodies (..., body mode)."""
        return np.asarray(self.rigid[int(other)] + bodies @ self.shares)


class _Motions(NamedTuple):
    """Natural motions of some coordinates, and what they are to the mesh."""

    frequency: Floats
    decay: Floats
    rigid: Floats  # (flank, mode)
    output: Floats
    load: Floats
    blow: Floats  # (flank, mode) impulses of modes where one acts on gears as rigid bodies
    coriolis: Floats
    spin: Floats
    partner: Integers  # counted from the first of them
    turn: Floats  # rad, at the end of a base pitch
    bodies: Sequence[BodyMode]
    shares: Floats  # (body mode, mode)


def structure(
    train: Train,
    bodies: Sequence[BodyMode] = (),
    rotating_frame: bool = False,
    impulse_on_gears: bool = False,
) -> Structure:
    """Modes of a train and its gears' bodies without the mesh; rotating freely as a whole is none
    of them. Of the damping of shafts and bearings each mode has its own share, and of what the
    speed does to bodies: between modes it is left out. An impulse may act on gears as if they were
    rigid, and not at a point of them."""
    placed = [replace(body, bearing=train.bearings[body.gear]) for body in bodies]
    groups = [_turning(train, [body for body in placed if body.rotation])]
    for gear, bearing in enumerate(train.bearings):
        if bearing is not None:
            felt = [body for body in placed if body.in_space and body.gear == gear]
            groups.append(_shifting(bearing, gear, felt))
    groups.append(_still([body for body in placed if not body.rotation and not body.in_space]))
    joined = _joined(train, groups, impulse_on_gears)
    if not rotating_frame:
        joined = joined._replace(coriolis=np.zeros(0), spin=np.zeros(0))
    rigid = np.concatenate([group.rigid for group in groups], axis=1)
    return Structure(
        joined,
        rigid,
        [body for group in groups for body in group.bodies],
        _blocks([group.shares for group in groups]),
    )


def _joined(train: Train, groups: Sequence[_Motions], impulse_on_gears: bool) -> Modes:
    """The transmission error is the mean of what both flanks approach and part."""

    def all_of(name: str) -> Floats:
        return np.concatenate([getattr(group, name) for group in groups], axis=-1)

    turns, (front, other) = all_of("turn"), all_of("rigid")
    begins = np.cumsum([0, *(len(group.frequency) for group in groups)])
    partner = np.concatenate(
        [group.partner + begin for group, begin in zip(groups, begins, strict=False)]
    )
    alone = partner == np.arange(len(partner))
    signs = np.where(partner < np.arange(len(partner)), -1.0, 1.0)
    rows = [0.5 * (front - other), front] if any(train.bearings) else [front]
    if impulse_on_gears:
        rows = [rows[0], front, *all_of("blow")]
    return Modes(
        frequency=all_of("frequency"),
        decay=all_of("decay"),
        approaches=np.array(rows),
        output=all_of("output"),
        load=all_of("load"),
        partner=partner,
        cosine=np.cos(turns),
        sine=np.where(alone, 0.0, signs * np.sin(turns)),
        coriolis=all_of("coriolis"),
        spin=all_of("spin"),
        damping=train.mesh_damping,
    )


def _blocks(blocks: Sequence[Floats]) -> Floats:
    """Along the diagonal."""
    rows, columns = np.sum([block.shape for block in blocks], axis=0)
    whole, row, column = np.zeros((rows, columns)), 0, 0
    for block in blocks:
        whole[row : row + len(block), column : column + block.shape[1]] = block
        row, column = row + len(block), column + block.shape[1]
    return whole


def _turning(train: Train, bodies: Sequence[BodyMode]) -> _Motions:
    """Of rotors, and of the modes of bodies that feel them."""
    rotors, count = len(train.inertia), len(train.inertia) + len(bodies)
    mass, stiffness = np.eye(count), np.zeros((count, count))
    lost, spin = np.zeros((count, count)), np.zeros((count, count))
    mass[:rotors, :rotors] = np.diag(train.inertia)
    stiffness[:rotors, :rotors] = train.matrix([shaft.stiffness for shaft in train.shafts])
    lost[:rotors, :rotors] = train.matrix([shaft.damping for shaft in train.shafts])
    for k, body in enumerate(bodies, rotors):
        stiffness[k, k], lost[k, k] = body.frequency**2, 2 * body.damping * body.frequency
        spin[k, k] = body.spin
        rotor = train.gears[body.gear]
        if rotor != HELD:  # a positive angle of the second gear takes its flanks away
            sign = 1.0 if body.gear == 0 else -1.0
            mass[rotor, k] = mass[k, rotor] = sign * body.rotation
    vectors, frequency = _natural_motions(train, mass, stiffness)
    decay, spun = (
        np.einsum("ik,ij,jk->k", vectors, matrix, vectors) for matrix in (0.5 * lost, spin)
    )
    front = train.approach @ vectors[:rotors]
    blow = (mass[:, :rotors] @ (train.approach / train.inertia)) @ vectors
    return _Motions(
        frequency,
        decay,
        np.array((front, -front)),
        train.output @ vectors[:rotors],
        train.load @ vectors[:rotors],
        np.array((blow, -blow)),
        coriolis=np.zeros(len(frequency)),
        spin=spun,
        partner=np.arange(len(frequency)),
        turn=np.zeros(len(frequency)),
        bodies=bodies,
        shares=vectors[rotors:],
    )


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


def _shifting(bearing: Bearing, gear: int, bodies: Sequence[BodyMode]) -> _Motions:
    """Of a centre on its bearing, and of the modes of the body that feel it, both parts of each."""
    pairs = bodies[::2]
    count = 1 + len(pairs)
    mass = np.eye(count, dtype=complex)
    mass[0, 0] = bearing.mass
    mass[1:, 0] = [body.lateral for body in pairs]
    mass[0, 1:] = mass[1:, 0].conj()
    own = np.array([body.frequency for body in pairs])
    squares, vectors = eigh(np.diag([bearing.stiffness, *own**2]), mass)
    sizes = np.abs(vectors) ** 2
    lost = np.array([bearing.damping, *(2 * body.damping * body.frequency for body in pairs)])
    gyroscopic = sizes[1:].T @ np.array([body.gyroscopic for body in pairs])
    spin = sizes[1:].T @ np.array([body.spin for body in pairs])
    teeth = pairs[0].modes.teeth if pairs else 1
    both = (False, True)
    turns = [coriolis_turn(each, teeth, gear, second) for each in gyroscopic for second in both]
    momentum = mass[:, 0] / bearing.mass  # of modes, where an impulse moves the gear as rigid
    places = np.arange(2 * count)
    return _Motions(
        np.repeat(np.sqrt(squares), 2),
        np.repeat(0.5 * lost @ sizes, 2),
        np.array([_along(vectors[0], normal) for normal in (1.0, bearing.other_normal)]),
        output=np.zeros(2 * count),
        load=np.zeros(2 * count),
        blow=np.array(
            [_along(momentum.conj() @ vectors, normal) for normal in (1.0, bearing.other_normal)]
        ),
        coriolis=np.array(turns),
        spin=np.repeat(spin, 2),
        partner=places + 1 - 2 * (places % 2),
        turn=np.zeros(2 * count),
        bodies=bodies,
        shares=_of_both_parts(vectors[1:]),
    )


def _along(lateral: ComplexNumbers, normal: complex) -> Floats:
    """Approach by x - iy, of both coordinates of each pair: the flank moves along its inward
    normal, away from the other gear."""
    moved = -normal * lateral
    return np.column_stack((moved.real, moved.imag)).ravel()


def _of_both_parts(vectors: ComplexNumbers) -> Floats:
    """q_1 and q_2 of every row of complex motions Q = w (c_1 - i c_2), by c_1 and c_2 of each."""
    rows, columns = vectors.shape
    parts = np.array([[vectors.real, vectors.imag], [-vectors.imag, vectors.real]])
    return np.asarray(parts.transpose(2, 0, 3, 1).reshape(2 * rows, 2 * columns))


def _still(bodies: Sequence[BodyMode]) -> _Motions:
    """Of modes that neither rotors nor centres feel."""
    count = len(bodies)
    own = np.array([body.frequency for body in bodies])
    partner = np.arange(count)
    for k, body in enumerate(bodies):
        if body.imaginary:
            partner[k - 1 : k + 1] = k, k - 1
    nothing = np.zeros((2, count))
    return _Motions(
        own,
        np.array([body.damping for body in bodies]) * own,
        nothing,
        output=nothing[0],
        load=nothing[0],
        blow=nothing,
        coriolis=np.array([body.coriolis for body in bodies]),
        spin=np.array([body.spin for body in bodies]),
        partner=partner,
        turn=np.array([body.turn for body in bodies]),
        bodies=bodies,
        shares=np.eye(count),
    )


def other_normal(sign: float, working_angle: float) -> complex:
    """N' of a gear, which is internal where its sign is negative."""
    return -cmath.exp(2j * sign * working_angle)
