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
from flank.reproduce.spur.table_1 import COARSE_MESH

COMPLIANT = -1.0
"""The restitution of flanks that come back as elastic bodies do."""

OF_A_HARMONIC = 8
"""Modes that are computed of each number of waves; the lowest of all are taken."""

MODES = 24
"""Of a gear in our formulation."""

ADDED_INERTIA, SPRING, TORQUE = 4.52e-3, 1.2e9, 150.0
"""kg·m², N/m and N·m, with which the paper's gears have about 2750 Hz."""

DAMPING = witness.Damping(2e-7, 2 * 0.08 * 2 * math.pi * 2700)
"""Of bodies far less than of the mesh: what modes leave out is damped in the witness alone."""

OFF_THE_JUMPS = (2000.0, 2850.0, 3400.0)
"""Hz; contact is lost at the second."""


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
        return NodalInfluence(self.rolls, self.face, np.ones(len(self.rolls)), blocks)

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
        return witness.RollingPair(gears[0][2], gears[1][2], springs, self.torque, self.damping)

    def fast(self, modes: int) -> RollingPair:
        """Ours, with so many modes of each gear and the compliance of all others."""
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
        bodies = body_modes((first.modes(self.inertia), second.modes(self.inertia)), modes)
        carried = structure(self._train(), bodies)
        decay = self.damping.mass + self.damping.stiffness * carried.modes.frequency**2
        carried = replace(carried, modes=carried.modes._replace(decay=0.5 * decay))
        mesh = rolling_mesh(loading, carried, self.positions, other_flanks=False)
        return RollingPair(self._on_springs(mesh), carried.modes)

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


def compared(
    gears: SameGears,
    dense: witness.RollingPair,
    hertz: Sequence[float],
    modes: int = MODES,
    cycles: int = 30,
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


def formulations(modes: int) -> Comparisons:
    """The paper's gears off the jumps, with so many modal coordinates in its formulation."""
    gears = paper_gears()
    return compared(gears, gears.dense(modes), OFF_THE_JUMPS)
