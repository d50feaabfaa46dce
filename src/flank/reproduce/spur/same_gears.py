"""The same gears in our formulation of rolling and in the paper's, to hold one against the other.

Both roll the same elements on the same springs under the same damping; what differs is how. The
tables of `dynamics/rolling_mesh` are fed with influence numbers and modes at the very places where
teeth touch, so no spline comes between them, and with the dimples that point forces make in the
mesh, which the witness has: its springs stand for the contact alone. At rest both are the same
numbers then. In motion the witness also has mass and damping in what our modes leave to a static
compliance, and loses contact by its own rules (Fig. 4).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from flank.arrays import Floats
from flank.blas import one_blas_thread
from flank.contact.gear_loading import GearLoading
from flank.contact.load_distribution import distribute_total, load_work
from flank.dynamics.rolling import READ, ROLLED, RollingMesh, roll, rolling_work
from flank.dynamics.rolling_mesh import RollingPair, rolling_mesh
from flank.dynamics.rolling_structure import Train, body_modes, structure
from flank.elasticity.finite_elements.cyclic import (
    Centre,
    cyclic_gear,
    harmonic_matrix,
    harmonic_modes,
    harmonic_motions,
)
from flank.elasticity.finite_elements.flank_modes import FlankModes
from flank.elasticity.finite_elements.influence import (
    flank_forces,
    strip_middles,
    tooth_compliances,
)
from flank.geometry.gear_pair import GearPair
from flank.reproduce.spur import witness
from flank.reproduce.spur.finite_gear import (
    MATERIAL,
    WholeGear,
    contact_nodes,
    craig_bampton,
    whole_gear,
)
from flank.reproduce.spur.paper_pair import (
    BACKWARD,
    FORWARD,
    PAIR,
    POSITIONS,
    contacts,
    rolling_body,
    teeth_in_mesh,
)
from flank.reproduce.spur.rolling_bodies import Contacts
from flank.reproduce.spur.slips import unbalanced_momentum
from flank.reproduce.spur.table_1 import COARSE_MESH

COMPLIANT = -1.0
"""The restitution of flanks that come back as elastic bodies do."""

OF_A_HARMONIC = 8
"""Modes that are computed of each number of waves; the lowest of all are taken."""

MODES = 24
"""Of a gear in our formulation."""

CYCLES = 30
"""Of the mesh from rest, the last of which are looked at."""

ADDED_INERTIA, SPRING, TORQUE = 4.52e-3, 1.2e9, 150.0
"""kg·m², N/m and N·m, with which the paper's gears have about 2750 Hz."""

DAMPING = witness.Damping(2e-7, 2 * 0.08 * 2 * math.pi * 2700)
"""Of bodies far less than of the mesh: what modes leave out is damped in the witness alone."""

MORE_MODES = 60
"""Of a gear, to see what those that are left out do."""

OFF_THE_JUMPS = (1000.0, 1200.0, 2000.0, 2700.0, 2850.0, 3400.0)
"""Hz; two states exist from 2550 to 2625 Hz, and contact is lost above that."""

BY_LOAD = (1200.0, 2000.0, 3400.0)
"""Hz at which springs that depend on the load are rolled."""

LEVELS = (0.02, 0.1, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0, 5.0)
"""Loads, over that of the torque, at which such springs are tabled for the paper's formulation."""

DEPTH = 1.5e-3
"""m to which the law of line contact reaches; its stiffness is about `SPRING` at the torque."""


class NodalInfluence(NamedTuple):
    """Influence numbers with all that the mesh has, so no `depth` is left out."""

    roll: Floats
    face: Floats
    depth: Floats
    compliance: Floats


class TouchedFlanks:
    """One gear's elements, and unit forces on a flank wherever it is touched: `rolls` by strips.

    Forces have the arm of the base circle exactly, as the witness's have.
    """

    def __init__(self, whole: WholeGear, rolls: Floats, strips: int) -> None:
        self.gear, self.rolls = whole.gear, rolls
        self.face = strip_middles(whole.mesh, strips)
        self.sector = cyclic_gear(whole.mesh, MATERIAL)
        self.turning = harmonic_motions(self.sector.positions, 0, Centre(rotation=True))[:, 0]
        loads = self.sector.loads(flank_forces(whole.gear, whole.mesh, rolls, strips))
        self.loads: Floats = loads * (whole.gear.base_radius / abs(self.turning @ loads))

    def influence(self, neighbours: int) -> NodalInfluence:
        _, between = tooth_compliances(self.sector, self.loads, self.loads.shape[1])
        blocks = between[np.arange(-neighbours, neighbours + 1) % self.gear.teeth]
        return NodalInfluence(self.rolls, self.face, np.full(len(self.rolls), DEPTH), blocks)

    def modes(self, inertia: float) -> FlankModes:
        """Of all numbers of waves, the bore held; moments of inertia other than the one about the
        axis are not asked for."""
        harmonics = np.arange(self.gear.teeth // 2 + 1)
        modes = [harmonic_modes(self.sector, int(n), OF_A_HARMONIC) for n in harmonics]
        mass = harmonic_matrix(self.sector.mass, self.gear.teeth, 0)
        participation = np.zeros((OF_A_HARMONIC * len(harmonics), 2), dtype=complex)
        coupled = self.gear.teeth * (self.turning @ mass @ modes[0].shapes)
        participation[:OF_A_HARMONIC, 1] = coupled
        amplitude = np.concatenate([(self.loads.T @ each.shapes).T for each in modes])
        none = np.zeros(len(amplitude))  # the paper has no forces of the turning frame
        return FlankModes(
            harmonic=np.repeat(harmonics, OF_A_HARMONIC),
            frequency=np.concatenate([each.frequencies for each in modes]),
            amplitude=amplitude,
            other_amplitude=np.full_like(amplitude, np.nan),  # its other flanks never touch
            centre=np.zeros_like(participation),
            participation=participation,
            gyroscopic=none,
            spin=none,
            roll=self.rolls,
            face=self.face,
            mass=math.nan,
            polar_inertia=inertia,
            transverse_inertia=math.nan,
            lever=self.gear.base_radius,
            teeth=self.gear.teeth,
        )


class Motion(NamedTuple):
    """Dynamic transmission error in m and total force in N (cycle, position)."""

    error: Floats
    force: Floats

    @property
    def rms(self) -> float:
        return float(self.error.std())

    @property
    def apart(self) -> float:
        """Share of the steps in which nothing touches."""
        return float((self.force <= 0).mean())


@dataclass(frozen=True, eq=False)
class SameGears:
    """Two gears alike, each pair of whose teeth has a `spring` in N/m between them."""

    pair: GearPair
    whole: WholeGear
    spring: float
    torque: float
    damping: witness.Damping
    positions: int = POSITIONS
    strips: int = 1
    by_load: bool = False  # the law of line contact in place of a spring of one stiffness

    @property
    def load(self) -> float:
        """N, along the line of action."""
        return self.torque / self.whole.gear.base_radius

    @cached_property
    def inertia(self) -> float:
        return float(self.whole.rotation @ self.whole.mass @ self.whole.rotation)

    def dense(self, modes: int) -> witness.RollingPair:
        """The witness: masters at all corners of elements on the flanks in mesh, and modes."""
        gears = []
        for way in (FORWARD, BACKWARD):
            nodes = contact_nodes(self.whole, teeth_in_mesh(self.pair, way))
            reduction = craig_bampton(self.whole, nodes, modes)
            gears.append((self.whole, reduction, rolling_body(self.whole, reduction, way)))
        springs = contacts(self.pair, tuple(gears), self.spring, self.positions, self.strips)
        if self.by_load:
            springs = springs._replace(loads=self._loads, stiffness=self._tabled(springs))
        return witness.RollingPair(gears[0][2], gears[1][2], springs, self.torque, self.damping)

    def fast(self, modes: int) -> RollingPair:
        """Ours, with so many modes of each gear and the compliance of all others."""
        loading, flanks = self._loading
        inertias = [each.modes(self.inertia) for each in flanks]
        bodies = body_modes((inertias[0], inertias[1]), modes)
        carried = structure(self._train(), bodies)
        decay = self.damping.mass + self.damping.stiffness * carried.modes.frequency**2
        carried = replace(carried, modes=carried.modes._replace(decay=0.5 * decay))
        mesh = rolling_mesh(loading, carried, self.positions, other_flanks=False)
        return RollingPair(mesh if self.by_load else self._on_springs(mesh), carried.modes)

    @cached_property
    def _loading(self) -> tuple[GearLoading, tuple[TouchedFlanks, TouchedFlanks]]:
        steps = math.floor(self.pair.contact_ratio * self.positions + 1e-9)
        rolls = self.pair.path[0] + self.pair.base_pitch * np.arange(steps + 1) / self.positions
        first = TouchedFlanks(self.whole, rolls, self.strips)
        mated = np.asarray(self.pair.second_roll(rolls))[::-1]
        second = TouchedFlanks(self.whole, mated, self.strips)
        neighbours = math.ceil(self.pair.contact_ratio)
        loading = GearLoading(
            self.pair,
            (first.influence(neighbours), second.influence(neighbours)),
            (MATERIAL, MATERIAL),
            edges=False,
            points=self.strips,
        )
        return loading, (first, second)

    @property
    def _loads(self) -> Floats:
        return self.load * np.array(LEVELS)

    def _tabled(self, springs: Contacts) -> Floats:
        """Force over depth of every point that is there (load, position, element), as points share
        a load at rest; those that a load does not press have the stiffness of the next one."""
        loading, _ = self._loading
        tabled = np.zeros((len(LEVELS), *springs.stiffness.shape[1:]))
        for place in range(self.positions):
            numbers, points = loading.system(self.pair.base_pitch * place / self.positions)
            work = load_work(len(points.gap))
            present = np.flatnonzero(springs.stiffness[0, place])
            elements = (-numbers[:, None] * self.strips + np.arange(self.strips)).ravel()
            for level in reversed(range(len(LEVELS))):
                load = float(self._loads[level])
                distribute_total(points, len(points.gap), load, math.nan, work)
                for element, force, depth in zip(elements, work.force, work.depth, strict=True):
                    if element in present:
                        above = tabled[min(level + 1, len(LEVELS) - 1), place, element]
                        tabled[level, place, element] = force / depth if force > 0 else above
        return tabled

    def _train(self) -> Train:
        """Both gears turn freely, with a torque on each."""
        arms = self.whole.gear.base_radius * np.array([1.0, -1.0])
        return Train(np.full(2, self.inertia), (), arms, arms, np.array([0.0, 1.0]))

    def _on_springs(self, mesh: RollingMesh) -> RollingMesh:
        """In place of the law of line contact."""
        return mesh._replace(
            constant=np.full_like(mesh.constant, self.strips / self.spring),
            slope=np.zeros_like(mesh.slope),
            length=np.ones_like(mesh.length),
        )


def fast_motion(pair: RollingPair, load: float, hertz: float, cycles: int, kept: int) -> Motion:
    """The last cycles of many at a mesh frequency, from rest."""
    mesh, modes = pair.mesh, pair.modes
    record = np.zeros((kept, len(mesh.points), READ + mesh.slots))
    periods, loads = np.full(cycles, 1 / hertz), np.full((cycles, 1), load)
    figures, work = np.zeros((cycles, 6)), rolling_work(modes, mesh)
    state = pair.at_rest(load)
    status, _ = roll(mesh, modes, state, periods, loads, COMPLIANT, figures, record, work)
    assert status == ROLLED
    return Motion(record[..., 0], record[..., READ:].sum(axis=-1))


def dense_motion(pair: witness.RollingPair, hertz: float, cycles: int, kept: int) -> Motion:
    """The same of the witness."""
    durations = np.full(cycles * pair.positions, 1 / (hertz * pair.positions))
    history = witness.roll(pair, durations)
    error = history.transmission_error.reshape(cycles, -1)[-kept:]
    return Motion(error, history.forces.sum(axis=1).reshape(cycles, -1)[-kept:])


class Comparison(NamedTuple):
    """Motions of both at a mesh frequency in Hz."""

    hertz: float
    fast: Motion
    dense: Motion

    @property
    def difference(self) -> float:
        """Of our rms, over the witness's."""
        return self.fast.rms / self.dense.rms - 1


class Comparisons(NamedTuple):
    """At some mesh frequencies, with gears of so many coordinates in the paper's formulation."""

    each: list[Comparison]
    coordinates: int
    complete: bool = True

    @property
    def largest(self) -> float:
        """Difference of our rms."""
        return max(abs(each.difference) for each in self.each)


class Formulations(NamedTuple):
    """Ours against the paper's: with the usual modes, with more, and on springs by load; and what
    nodal velocities by Eq. 24 leave unbalanced of the momentum."""

    usual: Comparisons
    more: Comparisons
    by_load: Comparisons
    unbalanced: float
    complete: bool = True


def compared(
    gears: SameGears,
    dense: witness.RollingPair,
    hertz: Sequence[float],
    modes: int = MODES,
    cycles: int = CYCLES,
    kept: int = 3,
) -> Comparisons:
    """Both from rest at every mesh frequency, the last `kept` of the cycles."""
    with one_blas_thread():
        fast = gears.fast(modes)
        pairs = [
            Comparison(
                each,
                fast_motion(fast, gears.load, each, cycles, kept),
                dense_motion(dense, each, cycles, kept),
            )
            for each in hertz
        ]
    return Comparisons(pairs, dense.pinion.size)


def paper_gears() -> SameGears:
    """The paper's, of few elements."""
    whole = whole_gear(density=COARSE_MESH, added_inertia=ADDED_INERTIA)
    return SameGears(PAIR, whole, SPRING, TORQUE, DAMPING)


def formulations(modes: int) -> Formulations:
    """The paper's gears off the jumps, with so many modal coordinates in its formulation."""
    gears = paper_gears()
    dense = gears.dense(modes)
    usual = compared(gears, dense, OFF_THE_JUMPS)
    law = replace(gears, by_load=True)
    return Formulations(
        usual,
        _with_modes(gears, usual, MORE_MODES),
        compared(law, law.dense(modes), BY_LOAD),
        unbalanced_momentum(dense),
    )


def _with_modes(gears: SameGears, usual: Comparisons, modes: int) -> Comparisons:
    """Ours with other modes against motions of the paper's that are known."""
    fast = gears.fast(modes)
    kept = len(usual.each[0].fast.error)
    each = [
        one._replace(fast=fast_motion(fast, gears.load, one.hertz, CYCLES, kept))
        for one in usual.each
    ]
    return usual._replace(each=each)
