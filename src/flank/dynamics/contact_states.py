"""The whole state of contacts along a run: gaps of open ones, rates, sliding, foot points.

    states = ContactStates(model, trajectory)
    states.of(group)["gap_rate"]         (time, *group.shape)

A run records what contacts carry and leaves out what its solver did not need: a contact that is
surely open is not searched for, and the rate of its gap is not known. Here every contact is
evaluated once more at recorded poses and velocities. Forces are those that were recorded, because
elastic friction is not known by a pose alone. Only what is asked for is computed and held.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from flank.arrays import Floats, Integers, Rows, row_type
from flank.contact.dispatch import find_gap
from flank.contact.element import (
    NORMAL,
    SLIDING,
    add_bending,
    circle_in_shape_frame,
    gradient,
    rate_along,
    seen_from_groove,
)
from flank.contact.plate_element import (
    COLUMNS,
    PLATE_A,
    SHAPE_ROWS,
    Bent,
    bend,
    bend_at_pin,
    moved_by,
    press_groove,
    shape_rate,
    together,
)
from flank.contact.registry import TEETH_NUMBER
from flank.contact.spatial.element import contact_axes, distance_of, pull_back, sphere_arms
from flank.contact.spatial.friction import rate_along as rate_in_space
from flank.contact.table import MEMORY
from flank.contact.teeth_compliance import curvature_of, reliefs
from flank.contact.teeth_element import (
    ROLL_A,
    ROLL_B,
    add_bending_of_tooth,
    bent_under_tooth,
    contact_gradients,
)
from flank.contact.tooth_contact import EDGE_OF_B, contact_circles, find_teeth
from flank.dynamics.grouping import ContactGroup
from flank.dynamics.model import Model
from flank.dynamics.poses import AnyModel
from flank.dynamics.spatial.model import SpatialModel
from flank.dynamics.spatial.quaternions import matrix_of
from flank.dynamics.trajectory import AnyTrajectory, SpatialTrajectory
from flank.elasticity.ancf import TABLE_ROWS
from flank.kernel import kernel

CONTACT_STATE = row_type(
    [
        ("gap", np.float64),  # m, negative where surfaces are pressed into each other
        ("gap_rate", np.float64),  # m/s
        ("sliding_speed", np.float64),  # m/s, of B over A along t = ẑ x n; in space without sign
        ("normal_force", np.float64),  # N
        ("friction_force", np.float64),  # N, on B along t; in space its size
        ("point", np.float64, 3),  # m, halfway between the surfaces, in space
        ("normal", np.float64, 3),  # out of A, in space
        ("curvature", np.float64),  # 1/m, relative; zero of a sphere in space
        ("parameter", np.float64),  # of the foot point on A's shape; of teeth A's roll length in m
        ("second_parameter", np.float64),  # of teeth B's roll length in m
        ("first_tooth", np.float64),  # numbers of the teeth of both gears, else nan
        ("second_tooth", np.float64),
    ]
)
"""What a contact is and does at one record. Teeth that cannot meet have a gap and all that follows
from it that is not a number."""


@dataclass(frozen=True)
class ContactStates:
    """Of a model's contacts along one of its runs.

    `velocity` (time, body, coordinates) stands for that of the run, where the run is a path of
    equilibria and something else tells how fast it is walked.
    """

    model: AnyModel
    trajectory: AnyTrajectory
    velocity: Floats | None = None

    def of(self, group: ContactGroup) -> Rows:
        """Rows of CONTACT_STATE (time, *group.shape)."""
        rows = self.contacts(group.contacts.ravel())
        return rows.reshape(len(rows), *group.shape)

    def pressure(self, group: ContactGroup) -> Floats:
        """Hertz pressures in Pa (time, *group.shape), as a trajectory tells them."""
        return self.trajectory.pressure(group)

    def contacts(self, numbers: Integers) -> Rows:
        """Rows of CONTACT_STATE (time, number) of contacts by their numbers in the model."""
        trajectory, model = self.trajectory, self.model
        numbers = np.ascontiguousarray(numbers, dtype=np.int64)
        rows = np.zeros((len(trajectory.time), len(numbers)), dtype=CONTACT_STATE)
        given = trajectory.velocity if self.velocity is None else self.velocity
        position, velocity = map(np.ascontiguousarray, (trajectory.position, given))
        recorded = trajectory.contact_results[:, numbers]
        rows["normal_force"] = recorded["normal_force"]
        if isinstance(trajectory, SpatialTrajectory):
            assert isinstance(model, SpatialModel)
            matrix = np.ascontiguousarray(matrix_of(trajectory.rotation))
            rows["friction_force"] = np.linalg.norm(recorded["friction"], axis=-1)
            element = np.zeros((2, 12))
            _read_space(model.contacts, numbers, position, matrix, velocity, element, rows)
            return rows
        assert isinstance(model, Model)
        rows["friction_force"] = recorded["friction_force"]
        _read_plane(
            model.contacts,
            numbers,
            model.curves,
            model.curve_data,
            model.gears,
            position,
            velocity,
            np.zeros(1, dtype=MEMORY),
            np.zeros((len(model.mass), 2)),
            np.zeros((TABLE_ROWS, 12)),
            np.zeros((SHAPE_ROWS, COLUMNS)),
            rows,
        )
        return rows


@kernel
def _read_plane(
    contacts,
    numbers,
    curves,
    data,
    gears,
    position,
    velocity,
    memories,
    rotations,
    element,
    shapes,
    rows,
):
    """Gap, its rate, sliding and foot point of contacts at every record."""
    for t in range(position.shape[0]):
        for body in range(position.shape[1]):
            rotations[body, 0] = math.cos(position[t, body, 2])
            rotations[body, 1] = math.sin(position[t, body, 2])
        for k in range(numbers.shape[0]):
            contact = contacts[numbers[k]]
            row = rows[t, k]
            if contact.kind == TEETH_NUMBER:
                _read_teeth(
                    contact, gears, position[t], rotations, velocity[t], element, shapes, row
                )
            else:
                memories[0].known = 0  # records may lie far apart: no foot point is near
                _read_contact(
                    contact,
                    curves,
                    data,
                    gears.data,
                    memories[0],
                    position[t],
                    rotations,
                    velocity[t],
                    element,
                    shapes,
                    row,
                )


@kernel(internal=True)
def _read_contact(
    contact, curves, data, table, memory, position, rotations, velocity, element, shapes, row
):
    """As `contact.element.evaluate_contact`, for open contacts as well and without forces."""
    a = contact.body_a
    b = contact.body_b
    arms = circle_in_shape_frame(contact, position, rotations)
    if contact.ring_side == PLATE_A:
        arms = seen_from_groove(contact, arms, position, table, shapes)
    gap = find_gap(contact, curves, data, memory, arms.px, arms.py, position[a, 2], position[b, 2])
    nx = rotations[a, 0] * gap.normal_x - rotations[a, 1] * gap.normal_y
    ny = rotations[a, 1] * gap.normal_x + rotations[a, 0] * gap.normal_y
    bent = Bent(0.0, 0.0, 0.0, 0.0)
    if contact.plate_side != 0:
        bent = bend(contact, gap, arms.px, arms.py, position, table, shapes)
        bent = together(bent, bend_at_pin(contact, gap, position, table, shapes))
        gap = moved_by(gap, bent.moved)
        if contact.ring_side == PLATE_A:
            press_groove(contact, gap, shapes)
    gradient(element[NORMAL], nx, ny, arms.ax, arms.ay, arms.sx, arms.sy)
    cage_arm = (1.0 - contact.share_a) * (gap.normal_x * arms.py - gap.normal_y * arms.px)
    element[NORMAL, 2] -= cage_arm
    element[NORMAL, 5] += cage_arm
    rate = rate_along(element[NORMAL], velocity, a, b)
    if contact.plate_side != 0:
        add_bending(contact, bent, rotations, arms, element, shapes)
        rate = rate_along(element[NORMAL], velocity, a, b)
        rate += shape_rate(contact, velocity, shapes)
    reach = contact.b_radius + 0.5 * gap.size
    friction_reach = reach
    if contact.rolls:
        reach = -contact.b_radius
        friction_reach = -contact.a_radius
    if contact.on_node:
        friction_reach = 0.0
    x = friction_reach * nx
    y = friction_reach * ny
    gradient(element[SLIDING], -ny, nx, arms.ax - x, arms.ay - y, arms.sx - x, arms.sy - y)
    row.gap = gap.size
    row.gap_rate = rate
    row.sliding_speed = rate_along(element[SLIDING], velocity, a, b)
    row.curvature = gap.curvature
    row.parameter = gap.parameter
    row.first_tooth = math.nan
    row.second_tooth = math.nan
    _put_place(
        row, nx, ny, position[b, 0] + arms.sx - reach * nx, position[b, 1] + arms.sy - reach * ny
    )


@kernel(internal=True)
def _put_place(row, nx, ny, x, y):
    row.normal[0] = nx
    row.normal[1] = ny
    row.point[0] = x
    row.point[1] = y


@kernel(internal=True)
def _read_teeth(contact, gears, position, rotations, velocity, element, shapes, row):
    """As `contact.teeth_element.evaluate_teeth`, for open teeth as well and without forces."""
    pair = gears.rows[contact.tooth_pair]
    a = contact.body_a
    b = contact.body_b
    side = float(contact.tooth_flank)
    ax = position[a, 0] + rotations[a, 0] * pair.a_centre_x - rotations[a, 1] * pair.a_centre_y
    ay = position[a, 1] + rotations[a, 1] * pair.a_centre_x + rotations[a, 0] * pair.a_centre_y
    bx = position[b, 0] + rotations[b, 0] * pair.b_centre_x - rotations[b, 1] * pair.b_centre_y
    by = position[b, 1] + rotations[b, 1] * pair.b_centre_x + rotations[b, 0] * pair.b_centre_y
    teeth = find_teeth(contact, pair, ax, ay, bx, by, position[a, 2], position[b, 2])
    circles = contact_circles(teeth, pair, side, ax, ay, bx, by)
    row.first_tooth = _tooth_number(
        teeth.tooth_a - position[a, 2] - pair.a_tooth_angle, pair.a_pitch_angle
    )
    row.second_tooth = _tooth_number(
        teeth.tooth_b - position[b, 2] - pair.b_tooth_angle, pair.b_pitch_angle
    )
    row.parameter = circles.place_a
    row.second_parameter = circles.place_b
    if not circles.touching:
        row.gap = math.nan
        row.gap_rate = math.nan
        row.sliding_speed = math.nan
        row.curvature = math.nan
        row.parameter = math.nan
        row.second_parameter = math.nan
        _put_place(row, math.nan, math.nan, math.nan, math.nan)
        return
    off, off_slope_a, off_slope_b = reliefs(pair, teeth.kind, circles.place_a, circles.place_b)
    bent = bent_under_tooth(contact, teeth, circles, position, rotations, gears.data, shapes)
    row.gap = circles.gap + off + contact.tooth_clearance + bent.moved
    contact_gradients(teeth, circles, pair, side, ax, ay, bx, by, position, a, b, element)
    for i in range(6):
        element[NORMAL, i] += off_slope_a * element[ROLL_A, i] + off_slope_b * element[ROLL_B, i]
    row.gap_rate = 0.0
    if contact.plate_side != 0:
        add_bending_of_tooth(contact, bent, circles, position, rotations, element, shapes)
        row.gap_rate = shape_rate(contact, velocity, shapes)
    reach = pair.sign * circles.place_b + 0.5 * row.gap
    if teeth.kind == EDGE_OF_B:
        reach = pair.b_edge_radius + 0.5 * row.gap
    nx = circles.nx
    ny = circles.ny
    x = circles.px - reach * nx
    y = circles.py - reach * ny
    at_a = position[a]
    at_b = position[b]
    gradient(element[SLIDING], -ny, nx, x - at_a[0], y - at_a[1], x - at_b[0], y - at_b[1])
    curvature, _slope_a, _slope_b, _edge_rate = curvature_of(
        pair, teeth.kind, teeth.roll_a, teeth.roll_b, circles.place_a, circles.place_b
    )
    row.curvature = curvature
    row.gap_rate += rate_along(element[NORMAL], velocity, a, b)
    row.sliding_speed = rate_along(element[SLIDING], velocity, a, b)
    _put_place(row, nx, ny, x, y)


@kernel(internal=True)
def _tooth_number(angle, pitch):
    """Of a tooth at an angle from that with the number 0."""
    count = math.floor(2.0 * math.pi / pitch + 0.5)
    number = math.floor(angle / pitch + 0.5)
    return number - count * math.floor(number / count)


@kernel
def _read_space(contacts, numbers, position, matrix, velocity, element, rows):
    """The same of spheres on surfaces."""
    for t in range(position.shape[0]):
        for k in range(numbers.shape[0]):
            contact = contacts[numbers[k]]
            row = rows[t, k]
            a = contact.body_a
            b = contact.body_b
            arm_a, arm_b, centre = sphere_arms(contact, position[t], matrix[t])
            distance = distance_of(contact, centre)
            _on_a, axes = contact_axes(contact, distance, matrix[t, a])
            n = axes[0]
            reach = contact.sphere_radius + 0.5 * distance.gap
            at_a = (arm_a[0] - reach * n[0], arm_a[1] - reach * n[1], arm_a[2] - reach * n[2])
            at_b = (arm_b[0] - reach * n[0], arm_b[1] - reach * n[1], arm_b[2] - reach * n[2])
            pull_back(n, arm_a, arm_b, element[0])
            row.gap = distance.gap
            row.gap_rate = rate_in_space(element[0], velocity[t], a, b)
            squared = 0.0
            for i in range(1, 3):
                pull_back(axes[i], at_a, at_b, element[1])
                squared += rate_in_space(element[1], velocity[t], a, b) ** 2
            row.sliding_speed = math.sqrt(squared)
            row.parameter = math.nan
            row.second_parameter = math.nan
            row.first_tooth = math.nan
            row.second_tooth = math.nan
            for i in range(3):
                row.normal[i] = n[i]
                row.point[i] = position[t, b, i] + at_b[i]
