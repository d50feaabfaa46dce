"""The rolling formulation of Bruzzone, Rosso and Theodossiades, as a witness against our own.

Two reduced gears turn by one N-th of a pitch each step. At every position their matrices are those
of the first one, rotated, and springs between their flanks connect other nodes (Eqs. 1-7, 12-19).
At the end of a mesh cycle the motion is expanded to the full bodies, sorted by teeth, so that the
next tooth stands where the one before it began, and reduced again (Eqs. 20-23). The authors name a
patent, EP4016367A1; this is here to reproduce their study and to be compared with, and nothing else
in Flank is built on it. It is plain and slow on purpose: dense matrices, factorized at every step.

Where the paper prints slips they are corrected (Eqs. 1, 2, 6, 10, 13, 14, 18, 22 to 24), each in
its place; the printed form is offered where it can be run.

Displacements and forces are along x, y, z of space, angles about z. Pinion and wheel turn against
each other, the pinion forward; the approach of the flanks in m is positive where they press.
"""

import math
import time as clock
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from scipy import linalg

from flank.arrays import Flags, Floats
from flank.errors import SpecError
from flank.reproduce.spur.impacts import Impact, Reconnection
from flank.reproduce.spur.rolling_bodies import Contacts, RollingBody

ALPHA, DELTA = 0.25, 0.5
"""Newmark's constants (Eq. 11): the trapezoidal rule, without numerical damping."""


@dataclass(frozen=True)
class Damping:
    """Rayleigh damping in s and 1/s of the bodies (μ and η of Eq. 14), and of the springs.

    η M acts on vibration only. Of rigid motion it leaves alone what `unbraked` says: "pair", the
    two gears rolling on each other, so that their relative rotation is damped as Eq. 14 does it,
    contact or not; or "gears", each gear's rotation.
    """

    stiffness: float = 0.0
    mass: float = 0.0
    contact: float = 0.0
    unbraked: str = "pair"


@dataclass(eq=False)
class State:
    """Coordinates of both gears and their rates at a position; of all elements, which are
    connected, their forces in N and their stiffness in N/m, zero where one is absent."""

    displacement: Floats
    velocity: Floats
    acceleration: Floats
    connected: Flags
    force: Floats
    springs: Floats
    position: int = 0


class History(NamedTuple):
    """By step: time in s, dynamic transmission error in m (Eq. 3), forces of all elements in N,
    whether any was reconnected, and energy less the work of torques in J. Then the `state` after
    all of them; `step_time` is what a step took, in s."""

    time: Floats
    transmission_error: Floats
    forces: Floats
    reconnected: Flags
    energy: Floats
    state: State
    step_time: float


@dataclass(eq=False)
class RollingPair:
    """Both gears, the springs between their flanks, and torques on **both** shafts in N·m.

    The text under Eq. 16 has the pinion's torque only, with which both gears would run away. By
    default the wheel's holds the balance.
    """

    pinion: RollingBody
    wheel: RollingBody
    contacts: Contacts
    torque: float
    damping: Damping = field(default_factory=Damping)
    reconnection: Reconnection = Reconnection.COMPLIANT
    restitution: float = 0.56
    wheel_torque: float | None = None

    def __post_init__(self) -> None:
        self._check()
        self.positions = self.contacts.rows.shape[0]
        shares = np.arange(self.positions) / self.positions
        self._matrices = [self._rotated_matrices(share) for share in shares]
        step, cycle = (
            self._both(*(body.rotated(share) for body in self._bodies))
            for share in (1 / self.positions, -1.0)
        )
        self._step_turn = step
        # `hand_over` is along the axes that have turned with the bodies, displacements are not.
        self._last_turn = self._both(*(body.hand_over for body in self._bodies)) @ cycle @ step

    def _check(self) -> None:
        size = self.pinion.size + self.wheel.size
        rows, stiffness = self.contacts.rows, self.contacts.stiffness
        if rows.shape[2] != size or stiffness.shape[1:] != rows.shape[:2]:
            raise SpecError(
                f"The gears have {size} coordinates; rows of contacts are "
                f"{' x '.join(map(str, rows.shape))} and their stiffness "
                f"{' x '.join(map(str, stiffness.shape))}, by positions, elements and coordinates."
            )
        if not 0 <= self.restitution <= 1:
            raise SpecError(
                f"A coefficient of restitution of {self.restitution:g} is not between 0 and 1."
            )
        if self.damping.unbraked not in ("pair", "gears"):
            raise SpecError(
                f"Damping leaves alone 'pair' or 'gears', not '{self.damping.unbraked}'."
            )

    @property
    def _bodies(self) -> tuple[RollingBody, RollingBody]:
        return self.pinion, self.wheel

    @staticmethod
    def _both(first: Floats, second: Floats) -> Floats:
        """blkdiag: as Eqs. 1, 2 and 14 are printed, the two gears would be added up."""
        return np.asarray(linalg.block_diag(first, second))

    def _rotated_matrices(self, share: float) -> tuple[Floats, Floats, Floats]:
        """Mass, damping and stiffness of both gears at a position."""
        turn = self._both(*(body.rotated(share) for body in self._bodies))
        mass = self._both(*(body.mass for body in self._bodies))
        stiffness = self._both(*(body.stiffness for body in self._bodies))
        braked = mass @ self._vibration(mass)
        damping = self.damping.stiffness * stiffness + self.damping.mass * braked
        return turn @ mass @ turn.T, turn @ damping @ turn.T, turn @ stiffness @ turn.T

    def _vibration(self, mass: Floats) -> Floats:
        """What is left of a velocity without its unbraked part."""
        rotations = self.rotations(0)
        if self.damping.unbraked == "pair":
            rolling = rotations @ [1 / self.pinion.base_radius, -1 / self.wheel.base_radius]
            rotations = rolling[:, None]
        part = linalg.solve(rotations.T @ mass @ rotations, rotations.T @ mass, assume_a="pos")
        return np.asarray(np.eye(len(mass)) - rotations @ part)

    def rotations(self, position: int) -> Floats:
        """Motions when pinion or wheel turn by one radian, as columns."""
        share = position / self.positions if position else 0.0
        pinion, wheel = (body.rotated(share) @ body.rotation for body in self._bodies)
        return np.asarray(linalg.block_diag(pinion[:, None], wheel[:, None]))

    @property
    def load(self) -> Floats:
        """Torques as forces on the coordinates."""
        balanced = self.torque * self.wheel.base_radius / self.pinion.base_radius
        return self._at_centres(
            self.torque, balanced if self.wheel_torque is None else self.wheel_torque
        )

    @property
    def transmission(self) -> Floats:
        """Row of Eq. 3; the wheel's angle is counted against its way, so the terms add up."""
        return self._at_centres(self.pinion.base_radius, self.wheel.base_radius)

    def _at_centres(self, pinion: float, wheel: float) -> Floats:
        values = np.zeros(self.pinion.size + self.wheel.size)
        values[0], values[self.pinion.size] = pinion, wheel
        return values

    def at_rest(self, position: int = 0) -> State:
        """Equilibrium under the torques, no element pulling."""
        if self.torque <= 0:
            raise SpecError(f"A torque of {self.torque:g} N·m does not press the flanks together.")
        mass, _, stiffness = self._matrices[position]
        rolling = self.rotations(position) @ [
            1 / self.pinion.base_radius,
            -1 / self.wheel.base_radius,
        ]
        held = mass @ rolling
        # Any stiffness will do against rolling, on which equilibrium has no force.
        matrix = stiffness + (2 * math.pi * 1e3) ** 2 / (rolling @ held) * np.outer(held, held)
        rows, gaps = self.contacts.rows[position], self.contacts.gaps[position]
        springs = self.contacts.springs(position, self.torque / self.pinion.base_radius)
        connected = springs > 0
        while True:
            pressed = springs * connected
            coupled = matrix + rows.T @ (pressed[:, None] * rows)
            motion = linalg.solve(coupled, self.load + rows.T @ (pressed * gaps), assume_a="pos")
            pressing = (springs > 0) & (rows @ motion > gaps)
            if (pressing == connected).all():
                break
            connected = pressing
        none = np.zeros_like(motion)
        forces = pressed * (rows @ motion - gaps)
        return State(motion, none, none.copy(), connected, forces, springs, position)

    def energy(self, state: State) -> float:
        """Kinetic, of strain and of springs, less the work of torques."""
        mass, _, stiffness = self._matrices[state.position]
        gaps = self.contacts.gaps[state.position]
        approach = self.contacts.rows[state.position] @ state.displacement - gaps
        stored = state.springs * state.connected * approach**2
        kinetic = state.velocity @ mass @ state.velocity
        strain = state.displacement @ stiffness @ state.displacement
        return float(0.5 * (kinetic + strain + stored.sum()) - self.load @ state.displacement)

    def step(self, state: State, duration: float) -> tuple[State, bool]:
        """One step at the state's position: the state after it, and whether elements were
        reconnected (Fig. 4). A tooth that comes into mesh is connected without an impact."""
        springs = self.contacts.springs(state.position, float(state.force.sum()))
        connected = (state.connected | (state.springs == 0)) & (springs > 0)
        while True:
            after = self._newmark(state, duration, springs * connected)
            pulling = connected & (after.force < 0)
            if not pulling.any():
                break
            connected = connected & ~pulling
        approach = self.contacts.rows[state.position] @ after.displacement
        closed = approach >= self.contacts.gaps[state.position]
        closing = ~connected & (springs > 0) & closed
        after.connected, after.springs = connected | closing, springs
        if closing.any():
            self.reconnect(after, closing)
        return after, bool(closing.any())

    def _carried(self, flags: Any) -> Any:
        """What elements had, with the numbers they have in the next cycle."""
        moved = np.zeros_like(flags)
        goes = self.contacts.follows >= 0
        moved[self.contacts.follows[goes]] = flags[goes]
        return moved

    def _newmark(self, state: State, duration: float, springs: Floats) -> State:
        """Eqs. 12 to 18 with δ before C in Eq. 13 and Δt in both terms of Eq. 18."""
        mass, damping, stiffness = self._matrices[state.position]
        rows, gaps = self.contacts.rows[state.position], self.contacts.gaps[state.position]
        coupling = rows.T @ (springs[:, None] * rows)
        stiffness = stiffness + coupling
        damping = damping + self.damping.contact * coupling
        u, v, a = state.displacement, state.velocity, state.acceleration
        ahead = u + duration * v + (0.5 - ALPHA) * duration**2 * a
        faster = v + (1 - DELTA) * duration * a
        system = mass + DELTA * duration * damping + ALPHA * duration**2 * stiffness
        residual = self.load + rows.T @ (springs * gaps) - stiffness @ ahead - damping @ faster
        a = linalg.solve(system, residual, assume_a="pos", check_finite=False)
        u, v = ahead + ALPHA * duration**2 * a, faster + DELTA * duration * a
        force = springs * (rows @ u - gaps + self.damping.contact * (rows @ v))
        return State(u, v, a, state.connected, force, springs, state.position)

    def reconnect(self, state: State, closing: Flags) -> None:
        """Velocities after elements have been reconnected, and accelerations that fit them."""
        if self.reconnection is Reconnection.COMPLIANT:
            return
        impact = self.impact(state, closing)
        state.velocity = impact.velocities_after(self.reconnection)
        _, damping, stiffness = self._matrices[state.position]
        forces = self.load - damping @ state.velocity - stiffness @ state.displacement
        forces -= self.contacts.rows[state.position].T @ state.force
        state.acceleration = linalg.solve(impact.mass, forces, assume_a="pos")

    def impact(self, state: State, closing: Flags) -> Impact:
        """Of the elements that are closing."""
        return Impact(
            mass=self._matrices[state.position][0],
            rows=self.contacts.rows[state.position][closing],
            velocity=state.velocity,
            pinion_size=self.pinion.size,
            rotations=self.rotations(state.position),
            inertias=np.array([body.inertia for body in self._bodies]),
            base_radii=np.array([body.base_radius for body in self._bodies]),
            restitution=self.restitution,
        )

    def turned(self, state: State) -> State:
        """To the next position: Eq. 19, and at the end of the cycle also Eqs. 20 to 23."""
        last = state.position + 1 == self.positions
        change = self._last_turn if last else self._step_turn
        carried = self._carried if last else np.asarray
        return State(
            change @ state.displacement,
            change @ state.velocity,
            change @ state.acceleration,
            carried(state.connected),
            carried(state.force),
            carried(state.springs),
            0 if last else state.position + 1,
        )


def roll(
    pair: RollingPair,
    durations: Floats,
    state: State | None = None,
    turning: bool = True,
    energy: bool = False,
) -> History:
    """Steps of these durations from a state, or from equilibrium.

    Gears that are not `turning` stay at their position. Without `energy` it is left out, since a
    step that is timed does not need it.
    """
    state = state or pair.at_rest()
    error = pair.transmission
    records: list[tuple[Any, ...]] = []
    started = clock.perf_counter()
    for duration in durations:
        state, reconnected = pair.step(state, float(duration))
        kept = pair.energy(state) if energy else math.nan
        records.append((error @ state.displacement, state.force, reconnected, kept))
        state = pair.turned(state) if turning else state
    elapsed = (clock.perf_counter() - started) / len(durations)
    columns = [np.array(column) for column in zip(*records, strict=True)]
    errors, forces, reconnections, energies = columns
    return History(np.cumsum(durations), errors, forces, reconnections, energies, state, elapsed)
