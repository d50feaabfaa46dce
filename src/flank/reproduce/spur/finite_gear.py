"""The paper's gear of finite elements, all teeth at once, and its reduction (Table 1, Fig. 3).

Bore and body are not printed; the bore is inferred from the ratios of Table 1, and Table 1 holds
with the bore locked in rotation, though the text leaves it free.
"""

import math
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from flank.arrays import Floats, Integers
from flank.elasticity.finite_elements.cyclic import Centre, cyclic_gear, whole_matrices
from flank.elasticity.finite_elements.reduction import (
    Agreement,
    Modes,
    Reduction,
    auxiliary_nodes,
    compare,
    natural_modes,
    reduce_body,
)
from flank.elasticity.finite_elements.sector_mesh import GearBody, MeshDensity, sector_mesh
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
    """

    gear: Gear
    mass: Any
    stiffness: Any
    places: Floats

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
        """Nodes of the flank y > 0 of a tooth, at corners of elements."""
        rolls, heights, nodes = _flank_nodes(self.gear, self.places[: self.nodes_per_tooth])
        first = (tooth % self.gear.teeth) * self.nodes_per_tooth
        return FlankNodes(nodes + first, rolls, heights, tooth)


class FlankNodes(NamedTuple):
    """Numbers of `nodes` (rolls, heights), roll lengths and heights over mid-face in m."""

    nodes: Integers
    rolls: Floats
    heights: Floats
    tooth: int


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
    elastic = cyclic_gear(sector_mesh(gear, body, density), material)
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
    return WholeGear(gear, mass.tocsc(), stiffness.tocsc(), places)


def _about_z(angles: Floats) -> Floats:
    """Rotations (angles, 3, 3)."""
    matrices = np.zeros((len(angles), 3, 3))
    matrices[:, 0, 0] = matrices[:, 1, 1] = np.cos(angles)
    matrices[:, 1, 0] = np.sin(angles)
    matrices[:, 0, 1] = -matrices[:, 1, 0]
    matrices[:, 2, 2] = 1.0
    return matrices


def _flank_nodes(gear: Gear, places: Floats) -> tuple[Floats, Floats, Integers]:
    """Rolls, heights and nodes of the flank where both lie at corners of elements.

    Nodes between corners have fewer others at their roll or height.
    """
    radius, angle = np.hypot(places[:, 0], places[:, 1]), np.arctan2(places[:, 1], places[:, 0])
    expected = np.array([gear.half_angle(max(r, gear.base_radius)) for r in radius])
    rolls = np.round([gear.roll_length(r) for r in radius], 9)
    above = rolls >= half_outline(gear).form_roll - 2 * ON_FLANK
    nodes = np.flatnonzero((abs(angle - expected) * radius < ON_FLANK) & above)
    rolls = rolls[nodes]
    heights = np.round(places[nodes, 2], 9)
    (all_rolls, by_roll), (all_heights, by_height) = (
        np.unique(values, return_counts=True) for values in (rolls, heights)
    )
    rows = all_rolls[by_roll == by_roll.max()]
    columns = all_heights[by_height == by_height.max()]
    grid = np.array(
        [[nodes[(rolls == roll) & (heights == z)][0] for z in columns] for roll in rows]
    )
    return rows, columns, grid.astype(np.int64)


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


def contact_nodes(whole: WholeGear, teeth: tuple[int, ...], heights: slice) -> Integers:
    """All rolls of the flanks of these teeth, at some of the heights."""
    return np.concatenate([whole.flank(tooth).nodes[:, heights].ravel() for tooth in teeth])


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
