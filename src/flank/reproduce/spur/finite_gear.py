"""The paper's gear of finite elements, all teeth at once, and its reduction (Table 1, Fig. 3).

Bore and body are not printed; the bore is inferred from the ratios of Table 1, and Table 1 holds
with the bore locked in rotation, though the text leaves it free.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from flank.arrays import Floats, Integers
from flank.elasticity.finite_elements.cyclic import Centre, cyclic_gear, whole_matrices
from flank.elasticity.finite_elements.influence import flank_forces
from flank.elasticity.finite_elements.reduction import (
    Agreement,
    Modes,
    Reduction,
    auxiliary_nodes,
    compare,
    natural_modes,
    reduce_body,
)
from flank.elasticity.finite_elements.sector_mesh import (
    GearBody,
    MeshDensity,
    SectorMesh,
    sector_mesh,
)
from flank.elasticity.material import Material
from flank.geometry.gear import Gear
from flank.geometry.tooth_outline import half_outline

GEAR = Gear(50, 3e-3, math.radians(20), thickness_deviation=-66.511e-6)
BODY = GearBody(face_width=20e-3, held_radius=30.6e-3)
MATERIAL = Material(207e9, 0.3, 7600.0)
DENSITY = MeshDensity(tooth=4, flank=4, space=1, layers=2)

NODES = 76
"""Of the reduced gear: 229 = 3 x 76 + 1."""

ON_FLANK = 1e-9
"""Distance from the involute in m within which a node lies on it."""


@dataclass(frozen=True, eq=False)
class WholeGear:
    """All teeth: displacements x, y, z of the free nodes and, last, the angle of the centre node.

    `places` (nodes, 3) are in the same order, tooth by tooth; tooth k is centred at k pitches.
    `node_of` is the free node of tooth 0 that a node of the sector's `mesh` is, or -1.
    """

    gear: Gear
    mass: Any
    stiffness: Any
    places: Floats
    mesh: SectorMesh
    node_of: Integers

    @property
    def nodes_per_tooth(self) -> int:
        return len(self.places) // self.gear.teeth

    @property
    def rotation(self) -> Floats:
        """Motion of all coordinates when the gear turns by one radian."""
        return np.append(np.cross((0.0, 0.0, 1.0), self.places).ravel(), 1.0)

    def sorting(self, way: int) -> Any:
        """Each tooth takes the place of the next (way 1) or the one before (-1), Eq. 22.

        Displacements turn with their tooth by one pitch.
        """
        nodes = np.arange(len(self.places))
        there = (nodes + way * self.nodes_per_tooth) % len(nodes)
        turns = np.repeat(_about_z(np.array([way * self.gear.pitch_angle])), len(nodes), axis=0)
        order = np.argsort(there)
        moved = sparse.bsr_array((turns, order, np.arange(len(nodes) + 1)))
        return sparse.block_diag((moved, np.eye(1)), format="csr")

    def flank(self, tooth: int) -> "FlankNodes":
        """Nodes of the flank y > 0 of a tooth."""
        found = _flank_nodes(self.gear, self.places[: self.nodes_per_tooth])
        first = (tooth % self.gear.teeth) * self.nodes_per_tooth
        return found._replace(nodes=found.nodes + first, corners=found.corners + first)

    def approach(self, tooth: int, rolls: Floats, strips: int) -> Any:
        """Rows (rolls x strips, coordinates) of the flank's displacement out of the tooth.

        Each is the mean over a strip of the face at one roll length, by the elements' shapes.
        """
        inward = flank_forces(self.gear, self.mesh, rolls, strips).reshape(len(self.node_of), 3, -1)
        on_flank = np.flatnonzero(inward.any(axis=(1, 2)))
        turn = _about_z(np.array([tooth * self.gear.pitch_angle]))[0]
        turned = np.einsum("ij,njk->kni", turn, -inward[on_flank])
        first = (tooth % self.gear.teeth) * self.nodes_per_tooth
        columns = coordinates(self.node_of[on_flank] + first)
        rows = sparse.lil_array((turned.shape[0], len(self.rotation)))
        rows[:, columns] = turned.reshape(len(turned), -1)
        return rows.tocsr()


class FlankNodes(NamedTuple):
    """Numbers of all `nodes` of a flank, and of those at `corners` (rolls, heights) of elements,
    with their roll lengths and heights over mid-face in m."""

    nodes: Integers
    corners: Integers
    rolls: Floats
    heights: Floats


def coordinates(nodes: Integers) -> Integers:
    """Three of every node."""
    return np.asarray(3 * np.ravel(nodes)[:, None] + np.arange(3)).ravel()


def whole_gear(
    gear: Gear = GEAR,
    body: GearBody = BODY,
    material: Material = MATERIAL,
    density: MeshDensity = DENSITY,
    added_inertia: float = 0.0,
) -> WholeGear:
    """Its matrices, the bore tied to a centre node that turns and carries an inertia in kg·m²."""
    mesh = sector_mesh(gear, body, density)
    elastic = cyclic_gear(mesh, material)
    stiffness, mass, _ = whole_matrices(elastic, Centre(rotation=True))
    free = np.setdiff1d(np.arange(len(elastic.positions)), elastic.held)
    radius, angle, height = elastic.positions[free].T
    angles = (angle + gear.pitch_angle * np.arange(gear.teeth)[:, None]).ravel()
    radii, heights = np.tile(radius, gear.teeth), np.tile(height, gear.teeth)
    places = np.column_stack((radii * np.cos(angles), radii * np.sin(angles), heights))
    blocks = sparse.bsr_array(
        (_about_z(angles), np.arange(len(angles)), np.arange(len(angles) + 1))
    )
    turn = sparse.block_diag((blocks, np.eye(1)), format="csr")
    mass, stiffness = (turn @ matrix @ turn.T for matrix in (mass, stiffness))
    mass = mass.tolil()
    mass[-1, -1] += added_inertia
    number = np.full(len(elastic.positions) + 1, -1)
    number[free] = np.arange(len(free))
    return WholeGear(
        gear, mass.tocsc(), stiffness.tocsc(), places, mesh, node_of=number[elastic.place]
    )


def _about_z(angles: Floats) -> Floats:
    """Rotations (angles, 3, 3)."""
    matrices = np.zeros((len(angles), 3, 3))
    matrices[:, 0, 0] = matrices[:, 1, 1] = np.cos(angles)
    matrices[:, 1, 0] = np.sin(angles)
    matrices[:, 0, 1] = -matrices[:, 1, 0]
    matrices[:, 2, 2] = 1.0
    return matrices


def _flank_nodes(gear: Gear, places: Floats) -> FlankNodes:
    """Of tooth 0. Nodes between corners have fewer others at their roll or height."""
    radius, angle = np.hypot(places[:, 0], places[:, 1]), np.arctan2(places[:, 1], places[:, 0])
    expected = np.array([gear.half_angle(max(r, gear.base_radius)) for r in radius])
    rolls = np.round([gear.roll_length(r) for r in radius], 9)
    above = rolls >= half_outline(gear).form_roll - 2 * ON_FLANK
    nodes = np.flatnonzero((abs(angle - expected) * radius < ON_FLANK) & above)
    rolls, heights = rolls[nodes], np.round(places[nodes, 2], 9)
    (rows, by_roll), (columns, by_height) = (
        np.unique(values, return_counts=True) for values in (rolls, heights)
    )
    rows, columns = rows[by_roll == by_roll.max()], columns[by_height == by_height.max()]
    corners = [[nodes[(rolls == roll) & (heights == z)][0] for z in columns] for roll in rows]
    return FlankNodes(nodes, np.array(corners, np.int64), rows, columns)


def full_modes(whole: WholeGear, count: int) -> Modes:
    """The lowest modes, the bore locked in rotation as in Table 1."""
    return natural_modes(whole.mass[:-1][:, :-1], whole.stiffness[:-1][:, :-1], count)


def locked(reduction: Reduction) -> Reduction:
    """Without the angle of the centre node, which is its first coordinate."""
    return replace(
        reduction,
        mass=reduction.mass[1:, 1:],
        stiffness=reduction.stiffness[1:, 1:],
        basis=reduction.basis[:-1, 1:],
        masters=reduction.masters[1:],
    )


def agreement(whole: WholeGear, full: Modes, reduction: Reduction, count: int = 10) -> Agreement:
    """Table 1 and Fig. 3: the full modes with those of the reduced gear, both locked.

    `full` has two modes more than are compared, so that the last pair is complete.
    """
    both = compare(whole.mass[:-1][:, :-1], full, locked(reduction).modes(len(full.frequencies)))
    return both._replace(
        full=both.full[:count],
        reduced=both.reduced[:count],
        deviations=both.deviations[:count],
        assurance=both.assurance[:count, :count],
        cluster=both.cluster[:count],
        subspace_assurance=both.subspace_assurance[:count],
    )


def contact_nodes(whole: WholeGear, teeth: Sequence[int]) -> Integers:
    """At corners of elements on the flanks of these teeth, in the manner of the paper's Fig. 2."""
    return np.concatenate([whole.flank(tooth).corners.ravel() for tooth in teeth])


def craig_bampton(whole: WholeGear, contact: Integers, modes: int) -> Reduction:
    """Masters are the angle of the centre node, first, and the contact nodes."""
    last = whole.mass.shape[0] - 1
    return reduce_body(whole.mass, whole.stiffness, np.append([last], coordinates(contact)), modes)


def observed(whole: WholeGear, reduction: Reduction, contact: Integers) -> Reduction:
    """Modal coordinates replaced by displacements of auxiliary nodes, three of each."""
    modes = len(reduction.fixed_frequencies)
    shapes = reduction.basis[:-1, -modes:].reshape(len(whole.places), 3, modes)
    nodes = auxiliary_nodes(whole.places, shapes, modes // 3, contact)
    return reduction.observed_at(coordinates(nodes))


def condensed(whole: WholeGear, full: Modes, contact: Integers, count: int) -> Reduction:
    """Guyan's condensation on so many nodes: no modal coordinates, auxiliary nodes as masters."""
    shapes = full.shapes.reshape(len(whole.places), 3, -1)
    others = auxiliary_nodes(whole.places, shapes, count - len(contact), contact)
    return craig_bampton(whole, np.concatenate((contact, others)), 0)
