"""A machine as a torsional train: what turns about its axis, and springs between.

Of the model linearised at a working point only turning is kept: centres stand, those of planets go
with their carrier. Then K and M over the angles are small matrices, which hold shafts, torsional
springs to ground and meshes. A mesh with the stiffness k along its line of action gives k a aᵀ,

    δ = aᵀθ,    a of a pair (r_b1, ±r_b2), of a planet with the sun (r_bs, r_bp, -(r_bs + r_bp)) and
                of one with the ring (r_br, -r_bp, -(r_br - r_bp)), the carrier last.

Teeth whose stiffness changes along the path add a little to the diagonal of K: their force depends
on how far they have rolled, too. It is left out; frequencies change by up to 7e-4 of themselves.

Drives with cycloid discs are none of these. As two inertias on the spring of their output they miss
their lowest frequency by a sixth to a half (rv-40, few-teeth-38, cycloidal-drive), as their discs
are as heavy as what they turn and shift as they turn.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import linalg

from flank.analyses.natural_frequencies import body_names
from flank.analyses.runs import assemble_turning, linearize_at
from flank.dynamics.linearize import Linearization, mass_matrix
from flank.dynamics.model import Model
from flank.dynamics.run import solve_statics
from flank.errors import SpecError
from flank.machines.gear_pair.machine import GearPairMachine
from flank.machines.planetary.gearbox import PlanetaryGearbox
from flank.machines.planetary.layout import CARRIER, FIRST_PLANET, RING, SUN

if TYPE_CHECKING:
    from flank.arrays import Floats
    from flank.machines.base import Assembly, Machine
    from flank.machines.gear_spec import MeshSpec

POSITIONS = 32
"""Of a mesh cycle in tables."""

CLOSE = 3e-3
"""Of the largest entry of K: what shafts and meshes may leave over. Teeth whose stiffness changes
along the path leave 4e-4 of it in the gear pair, as it changes by where they touch."""


@dataclass(frozen=True)
class Spring:
    """Between two nodes that turn alike."""

    name: str
    nodes: tuple[int, int]
    stiffness: float
    damping: float = 0.0


@dataclass(frozen=True)
class Mesh:
    """Of teeth: its arms a by node, its stiffness along the line of action, and over a mesh cycle
    that and δ off nominal: the static transmission error, as a length of that line."""

    name: str
    arms: dict[int, float]
    stiffness: float
    damping: float
    cycle: Floats
    error: Floats


@dataclass(frozen=True)
class Train:
    """Nodes with inertias, springs and dampers to ground; springs and meshes between them."""

    title: str
    nodes: tuple[str, ...]
    inertia: Floats
    ground: Floats
    ground_damping: Floats
    springs: tuple[Spring, ...]
    meshes: tuple[Mesh, ...]
    ends: tuple[int, int]
    angle: float
    torque: float
    mesh_order: float

    @cached_property
    def stiffness(self) -> Floats:
        """K over the nodes."""
        matrix: Floats = np.diag(self.ground)
        for spring in self.springs:
            matrix[np.ix_(spring.nodes, spring.nodes)] += spring.stiffness * np.array(_PAIR)
        for mesh in self.meshes:
            nodes, arms = list(mesh.arms), np.array(list(mesh.arms.values()))
            matrix[np.ix_(nodes, nodes)] += mesh.stiffness * np.outer(arms, arms)
        return matrix

    def frequencies(self, held: Sequence[int] = ()) -> Floats:
        """In Hz, rising, with these nodes held; zero where nothing resists."""
        kept = [node for node in range(len(self.nodes)) if node not in held]
        stiffness = self.stiffness[np.ix_(kept, kept)]
        squares = linalg.eigh(stiffness, np.diag(self.inertia[kept]), eigvals_only=True)
        return np.asarray(np.sqrt(np.maximum(squares, 0.0)) / (2 * math.pi))


_PAIR = ((1.0, -1.0), (-1.0, 1.0))


def torsional(machine: Machine, angle: float = 0.0, torque: float | None = None) -> Train:
    """At an input angle and an output torque, that of the spec's load if none is given."""
    if isinstance(machine, GearPairMachine):
        return _pair_train(machine, angle, machine.load_torque if torque is None else torque)
    if isinstance(machine, PlanetaryGearbox):
        return _planetary_train(machine, angle, machine.load_torque if torque is None else torque)
    raise SpecError(
        f"{machine.title} is no train of gears that turn about fixed axes or a carrier's; models "
        "for ROSS and openTorsion are written of gear pairs, for openTorsion of planetary gearboxes"
    )


class _Turning:
    """A machine over one mesh cycle: K and M of its angles, and how far they are off nominal."""

    def __init__(
        self, machine: GearPairMachine | PlanetaryGearbox, angle: float, torque: float
    ) -> None:
        self.machine = machine
        self.order = abs(float(machine.orders["mesh"]))
        step = 2 * math.pi / self.order / POSITIONS
        self.angles: Floats = angle + step * np.arange(POSITIONS, dtype=float)
        self.assembly = assemble_turning(machine, torque)
        start = machine.ideal_pose(angle)
        self.path = solve_statics(self.assembly.model, start, self.angles)
        if not self.path.complete:
            raise SpecError(
                f"{machine.title} finds no equilibrium under {torque:g} N*m over a mesh cycle, so "
                "its mesh has no stiffness to write; give a torque that its teeth carry"
            )

    @cached_property
    def matrices(self) -> tuple[Floats, Floats]:
        """K (position, body, body), and the inertias of all bodies but ground."""
        stiffness, inertia = [], np.zeros(0)
        for row in range(POSITIONS):
            at = linearize_at(self.assembly, self.path, row)
            turned = _turned(self.machine, self.assembly, at)
            stiffness.append(turned.T @ at.stiffness @ turned)
            if row == 0:
                mass = turned.T @ mass_matrix(self.assembly.model, at.state) @ turned
                inertia = np.diag(mass).copy()
        return np.array(stiffness), inertia

    @cached_property
    def off(self) -> Floats:
        """Angles less those of the rigid machine (position, body), ground left out."""
        rows = []
        for row, angle in enumerate(self.angles):
            found = _angles(self.path.pose(row))
            rows.append((found - _angles(self.machine.ideal_pose(float(angle))))[1:])
        return np.remainder(np.array(rows) + math.pi, 2 * math.pi) - math.pi

    def mesh(self, name: str, arms: dict[int, float], damping: float) -> Mesh:
        """Its arms are by body but one; two nodes that no other mesh or spring couples tell k."""
        first, second = list(arms)[:2]
        stiffness, _ = self.matrices
        both = 0.5 * (stiffness[:, first, second] + stiffness[:, second, first])
        cycle = both / (arms[first] * arms[second])
        error = self.off[:, list(arms)] @ np.array(list(arms.values()))
        return Mesh(name, arms, float(cycle[0]), damping, cycle, error)


def _angles(pose: Any) -> Floats:
    """Of all bodies about z, but for whole turns."""
    if isinstance(pose, np.ndarray):
        return np.asarray(pose[:, 2])
    w, z = pose.rotation[:, 0], pose.rotation[:, 3]
    return np.asarray(2 * np.arctan2(z, w))


def _turned(machine: Machine, assembly: Assembly, at: Linearization) -> Floats:
    """What all rows do as each body turns by one: its own, and planets with their carrier."""
    size = 3 if isinstance(assembly.model, Model) else 6
    count = len(assembly.model.mass) - 1
    turned = np.zeros((size * count, count))
    for body in range(1, count + 1):
        turned[size * body - 1, body - 1] = 1.0
    if isinstance(machine, PlanetaryGearbox):
        places = np.asarray(at.state.position)[:, :2]
        for planet in range(FIRST_PLANET, FIRST_PLANET + machine.spec.planets.count):
            x, y = places[planet] - places[CARRIER]
            row = size * (planet - 1)
            turned[row : row + 2, CARRIER - 1] = (-y, x)
    return turned


def _pair_train(machine: GearPairMachine, angle: float, torque: float) -> Train:
    spec = machine.spec
    if spec.pinion.flexible or spec.wheel.flexible:
        raise SpecError(
            "a gear whose body vibrates has modes beside its turning, which a torsional model does "
            "not have; set pinion.flexible and wheel.flexible to false"
        )
    _refuse_rigid({"mesh": spec.mesh})
    turning = _Turning(machine, angle, torque)
    names = body_names(turning.assembly)[1:]
    _, inertia = turning.matrices
    first, second = machine.meshed.base_radii
    arms = {0: first, 1: second if spec.wheel.internal is False else -second}
    damping = machine.damped.damping
    springs = []
    for end, gear in (("input", 0), ("output", 1)):
        shaft = getattr(spec, f"{end}_shaft")
        if end in names:
            nodes = (names.index(end), gear)
            springs.append(Spring(f"{end} shaft", nodes, shaft.stiffness, shaft.damping))
    ends = tuple(
        names.index(end) if end in names else gear for end, gear in (("input", 0), ("output", 1))
    )
    none = np.zeros(len(names))
    meshes = (turning.mesh("mesh", arms, damping),)
    train = _checked(
        Train(
            machine.title, names, inertia, none, none, tuple(springs), meshes,
            (ends[0], ends[1]), angle, torque, turning.order,
        ),
        turning,
    )  # fmt: skip
    line = dict.fromkeys((ends[0], 0, 1, ends[1]))
    return _along(train, list(line))


def _planetary_train(machine: PlanetaryGearbox, angle: float, torque: float) -> Train:
    spec = machine.spec
    if spec.ring.flexible:
        raise SpecError(
            "a ring that vibrates has modes beside its turning, which a torsional model does not "
            "have; set ring.flexible to false"
        )
    _refuse_rigid({"sun_mesh": spec.sun_mesh, "ring_mesh": spec.ring_mesh})
    turning = _Turning(machine, angle, torque)
    names = body_names(turning.assembly)[1:]
    _, inertia = turning.matrices
    sun, planet, ring = (
        gear.base_radius for gear in (spec.sun_gear, spec.planet_gear, spec.ring_gear)
    )
    nodes = [FIRST_PLANET - 1 + k for k in range(spec.planets.count)]
    meshes = []
    for k, node in enumerate(nodes, start=1):
        outer = {SUN - 1: sun, node: planet, CARRIER - 1: -(sun + planet)}
        inner = {RING - 1: ring, node: -planet, CARRIER - 1: -(ring - planet)}
        meshes.append(turning.mesh(f"sun and planet {k}", outer, spec.sun_mesh.damping))
        meshes.append(turning.mesh(f"planet {k} and ring", inner, spec.ring_mesh.damping))
    ground, damping = np.zeros(len(names)), np.zeros(len(names))
    for body, member in ((SUN, "sun"), (RING, "ring"), (CARRIER, "carrier")):
        support = getattr(spec, member).support
        ground[body - 1] += support.torsional_stiffness or 0.0
        damping[body - 1] += support.torsional_damping
    held = {"sun": SUN, "ring": RING, "carrier": CARRIER}[spec.operation.held] - 1
    ground[held] += spec.held.stiffness or 0.0
    damping[held] += spec.held.damping
    ends = [
        {"sun": SUN, "ring": RING, "carrier": CARRIER}[end] - 1
        for end in (spec.operation.input, spec.operation.output)
    ]
    train = _checked(
        Train(
            machine.title, names, inertia, ground, damping, (), tuple(meshes),
            (ends[0], ends[1]), angle, torque, turning.order,
        ),
        turning,
    )  # fmt: skip
    if spec.held.stiffness is not None:
        return train
    return _along(train, [node for node in range(len(names)) if node != held])


def _refuse_rigid(meshes: dict[str, MeshSpec]) -> None:
    for name, mesh in meshes.items():
        if mesh.model == "rigid":
            raise SpecError(
                f"{name}.model is 'rigid', and a mesh of ROSS and openTorsion is a spring; set it "
                "to 'spring' or 'table'"
            )


def _along(train: Train, order: Sequence[int]) -> Train:
    """The same with these nodes in this order. A node that is left out cannot turn: what it is
    coupled to is coupled to ground."""
    place = {node: k for k, node in enumerate(order)}
    chosen = list(order)
    springs = []
    for spring in train.springs:
        first, second = sorted(place[node] for node in spring.nodes)
        springs.append(replace(spring, nodes=(first, second)))
    meshes = tuple(
        replace(mesh, arms={place[n]: arm for n, arm in mesh.arms.items() if n in place})
        for mesh in train.meshes
    )
    return replace(
        train,
        nodes=tuple(train.nodes[node] for node in chosen),
        inertia=train.inertia[chosen],
        ground=train.ground[chosen],
        ground_damping=train.ground_damping[chosen],
        springs=tuple(springs),
        meshes=meshes,
        ends=(place[train.ends[0]], place[train.ends[1]]),
    )


def _checked(train: Train, turning: _Turning) -> Train:
    """That shafts and meshes are all there is; SpecError where something else resists turning."""
    if any(mesh.stiffness <= 0.0 for mesh in train.meshes):
        raise SpecError(
            f"teeth of {train.title} carry nothing under {train.torque:g} N*m, so their mesh has "
            "no stiffness; give another torque"
        )
    stiffness = turning.matrices[0][0]
    stiffness = 0.5 * (stiffness + stiffness.T)
    rest = np.abs(train.stiffness - stiffness).max() / np.abs(stiffness).max()
    if rest > CLOSE:
        raise SpecError(
            f"{train.title} has stiffness in turning beside its shafts and meshes ({rest:.1g} of "
            "it), which a torsional model does not hold"
        )
    return train
