"""An elastic body between others: the blocks of its stiffness, each between two of its points.

What points of it do is measured on a body C, on which they stand at p and φ when nothing is
strained. With R the rotation of C, a point that body A carries along is displaced by

    d_A = (Rᵀ (x_A - x_C) - p,  θ_A - θ_C - φ),

and a block K_AB between two of them has the potential, and the damper beside it,

    V = d_Aᵀ K_AB d_B,        g_A = K_AB (d_B + τ ḋ_B),        g_B = K_ABᵀ (d_A + τ ḋ_A),

the block of a point with itself halved. So a stiffness of any number of coordinates is as many
rows as it has blocks; it moves and turns with C and resists no motion of all bodies together. A row
knows the place of its numbers: K by rows, p and φ of A, then of B.
"""

from flank.dynamics.scatter import add_element, clear_rows
from flank.kernel import kernel

NUMBERS = 15
"""Of a row: nine of K, three of where each point stands."""

DISPLACED, RATE, ARM, FORCE, PUSHED = 0, 2, 4, 6, 8
"""Rows of the scratch table, two each, of A and of B: d, ḋ, Rᵀ (x - x_C), g, and Kd alone."""

FORCES = 11
"""Row of the generalized forces of two bodies, of every spring."""

PARTS = 3
"""Pairs of bodies that a block acts between."""


@kernel(internal=True)
def add_coupled(spring, data, position, rotations, velocity, target):
    """One block; returns its energy."""
    table = target.element
    block = target.block
    at = spring.pair
    a = spring.body_a
    b = spring.body_b
    c = spring.frame
    cosine = rotations[c, 0]
    sine = rotations[c, 1]
    total = 1.0 + target.rate_factor * spring.damping
    _fill_displacement(table, 0, data, at + 9, a, c, cosine, sine, position, velocity)
    _fill_displacement(table, 1, data, at + 12, b, c, cosine, sine, position, velocity)
    energy = _fill_pushes(table, data, at, spring.damping)
    _fill_between(block, data, at, total, cosine, sine)
    add_element(target, a, b)
    forces = table[FORCES]
    geometric_factor = target.geometric_factor
    _fill_forces(forces, table, 0, cosine, sine)  # a side typed: what it chooses is compiled away
    _put_forces(target.force, forces, a, c)
    _fill_to_frame(table, block, geometric_factor, data, at, total, cosine, sine, 0)
    add_element(target, a, c)
    _fill_forces(forces, table, 1, cosine, sine)
    _put_forces(target.force, forces, b, c)
    _fill_to_frame(table, block, geometric_factor, data, at, total, cosine, sine, 1)
    add_element(target, b, c)
    return energy


@kernel(internal=True)
def fill_coupled(part, spring, data, position, rotations, velocity, target):
    """The same in three parts, one after the other, of a member of a team: between A and B, then of
    each with C. Forces and block of a part are in the target's scratch; with the first comes the
    energy."""
    table = target.element
    block = target.block
    at = spring.pair
    c = spring.frame
    cosine = rotations[c, 0]
    sine = rotations[c, 1]
    total = 1.0 + target.rate_factor * spring.damping
    forces = table[FORCES]
    if part > 0:
        side = part - 1
        _fill_forces(forces, table, side, cosine, sine)
        _fill_to_frame(table, block, target.geometric_factor, data, at, total, cosine, sine, side)
        return 0.0
    a = spring.body_a
    b = spring.body_b
    _fill_displacement(table, 0, data, at + 9, a, c, cosine, sine, position, velocity)
    _fill_displacement(table, 1, data, at + 12, b, c, cosine, sine, position, velocity)
    _fill_between(block, data, at, total, cosine, sine)
    if a == b:
        _fold(block)
    for i in range(6):
        forces[i] = 0.0
    return _fill_pushes(table, data, at, spring.damping)


@kernel(internal=True)
def bodies_of_part(part, spring):
    if part == 0:
        return spring.body_a, spring.body_b
    return spring.body_a if part == 1 else spring.body_b, spring.frame


@kernel(internal=True)
def _fill_pushes(table, data, at, damping):
    """g of both sides; returns the energy."""
    energy = 0.0
    for i in range(3):
        elastic = 0.0
        first = 0.0
        second = 0.0
        for j in range(3):
            forth = data[at + 3 * i + j]
            back = data[at + 3 * j + i]
            elastic += forth * table[DISPLACED + 1, j]
            first += forth * (table[DISPLACED + 1, j] + damping * table[RATE + 1, j])
            second += back * (table[DISPLACED, j] + damping * table[RATE, j])
        energy += table[DISPLACED, i] * elastic
        table[FORCE, i] = first
        table[FORCE + 1, i] = second
    return energy


@kernel(internal=True)
def _fold(block):
    """Of a body with itself: all four parts in the first, as `hand_in` wants it."""
    for i in range(3):
        for j in range(3):
            block[i, j] = block[i, 3 + j] + block[3 + i, j]
    for i in range(3):
        for j in range(3):
            block[i, 3 + j] = 0.0
            block[3 + i, j] = 0.0


@kernel(internal=True)
def _fill_displacement(table, side, data, at, body, frame, cosine, sine, position, velocity):
    x = position[body, 0] - position[frame, 0]
    y = position[body, 1] - position[frame, 1]
    turning = velocity[frame, 2]
    vx = velocity[body, 0] - velocity[frame, 0] + turning * y
    vy = velocity[body, 1] - velocity[frame, 1] - turning * x
    table[ARM + side, 0] = cosine * x + sine * y
    table[ARM + side, 1] = cosine * y - sine * x
    table[DISPLACED + side, 0] = table[ARM + side, 0] - data[at]
    table[DISPLACED + side, 1] = table[ARM + side, 1] - data[at + 1]
    table[DISPLACED + side, 2] = position[body, 2] - position[frame, 2] - data[at + 2]
    table[RATE + side, 0] = cosine * vx + sine * vy
    table[RATE + side, 1] = cosine * vy - sine * vx
    table[RATE + side, 2] = velocity[body, 2] - turning


@kernel(internal=True)
def _fill_forces(forces, table, side, cosine, sine):
    """-∇V in space."""
    gx = table[FORCE + side, 0]
    gy = table[FORCE + side, 1]
    fx = cosine * gx - sine * gy
    fy = sine * gx + cosine * gy
    turning = gx * table[ARM + side, 1] - gy * table[ARM + side, 0] - table[FORCE + side, 2]
    forces[0], forces[1], forces[2] = -fx, -fy, -table[FORCE + side, 2]
    forces[3], forces[4], forces[5] = fx, fy, -turning


@kernel(internal=True)
def _put_forces(force, forces, body, frame):
    for i in range(3):
        force[body, i] += forces[i]
        force[frame, i] += forces[3 + i]


@kernel(internal=True)
def _fill_between(block, data, at, total, cosine, sine):
    """∂x_A ∂x_B: K as it stands in space."""
    clear_rows(block)
    xx = data[at]
    xy = data[at + 1]
    yx = data[at + 3]
    yy = data[at + 4]
    block[0, 3] = cosine * (cosine * xx - sine * xy) - sine * (cosine * yx - sine * yy)
    block[0, 4] = cosine * (sine * xx + cosine * xy) - sine * (sine * yx + cosine * yy)
    block[1, 3] = sine * (cosine * xx - sine * xy) + cosine * (cosine * yx - sine * yy)
    block[1, 4] = sine * (sine * xx + cosine * xy) + cosine * (sine * yx + cosine * yy)
    block[0, 5] = cosine * data[at + 2] - sine * data[at + 5]
    block[1, 5] = sine * data[at + 2] + cosine * data[at + 5]
    block[2, 3] = cosine * data[at + 6] - sine * data[at + 7]
    block[2, 4] = sine * data[at + 6] + cosine * data[at + 7]
    block[2, 5] = data[at + 8]
    for i in range(3):
        for j in range(3):
            block[i, 3 + j] *= total
            block[3 + j, i] = block[i, 3 + j]


@kernel(internal=True)
def _fill_to_frame(table, block, geometric_factor, data, at, total, cosine, sine, side):
    """Between one point's body and C, of C with itself half of what both points add, and what the
    turning of the force adds."""
    clear_rows(block)
    other = 1 - side
    arm_x = table[ARM + other, 0]
    arm_y = table[ARM + other, 1]
    for i in range(3):
        kx = data[at + (3 * i if side == 0 else i)]
        ky = data[at + (3 * i + 1 if side == 0 else 3 + i)]
        kz = data[at + (3 * i + 2 if side == 0 else 6 + i)]
        table[PUSHED + i, 0] = total * (sine * ky - cosine * kx)
        table[PUSHED + i, 1] = -total * (sine * kx + cosine * ky)
        table[PUSHED + i, 2] = total * (kx * arm_y - ky * arm_x - kz)
    for j in range(3):  # to the axes of space
        along = table[PUSHED, j]
        across = table[PUSHED + 1, j]
        block[0, 3 + j] = cosine * along - sine * across
        block[1, 3 + j] = sine * along + cosine * across
        block[2, 3 + j] = table[PUSHED + 2, j]
    x = cosine * table[ARM + side, 0] - sine * table[ARM + side, 1]
    y = sine * table[ARM + side, 0] + cosine * table[ARM + side, 1]
    for j in range(3):  # C follows with -1, and turns the arm
        block[3, 3 + j] = -block[0, 3 + j]
        block[4, 3 + j] = -block[1, 3 + j]
        block[5, 3 + j] = y * block[0, 3 + j] - x * block[1, 3 + j] - block[2, 3 + j]
        for i in range(3):
            block[3 + j, i] = block[i, 3 + j]
    gx = geometric_factor * table[FORCE + side, 0]
    gy = geometric_factor * table[FORCE + side, 1]
    turned_x = -sine * gx - cosine * gy
    turned_y = cosine * gx - sine * gy
    block[0, 5] += turned_x
    block[1, 5] += turned_y
    block[5, 0] += turned_x
    block[5, 1] += turned_y
    block[3, 5] -= turned_x
    block[4, 5] -= turned_y
    block[5, 3] -= turned_x
    block[5, 4] -= turned_y
    block[5, 5] -= gx * table[ARM + side, 0] + gy * table[ARM + side, 1]
