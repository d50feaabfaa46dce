"""One contact between two spatial bodies: force, friction and their tangent.

The gap is a distance field fixed in A, read at the centre p of B's sphere. With G as in
`pull_back`, n the field's normal and t₁, t₂ perpendicular to it, e = Gᵀn is the gap's gradient in
the twelve coordinates, e₁ = Gᵀt₁ and e₂ = Gᵀt₂; J₁, J₂ are the same for the contact point, halfway
between the surfaces, and J₃ turns velocities into the drilling speed u = r ω_n. With the normal
force f and the sliding v₁, v₂ along t₁, t₂ the generalized force and, at the rate factor σ, with
k = ∂f/∂δ and c = ∂f/∂δ̇, its tangent are

    Q = f d,   d = e - (μ/w) (v₁ J₁ + v₂ J₂ + u J₃)

    (k + σc) d eᵀ - f (bend₁ e₁e₁ᵀ + bend₂ e₂e₂ᵀ) + turning of -f n + σ JᵀDJ,
    D = f ((μ/w) 1 + (dμ/dw - μ/w) v̂v̂ᵀ),   v̂ = (v₁, v₂, u)/w.

It is exact by the rates but for the drilling radius, taken as constant, and by the positions of a
contact without friction and damping. Left out is how the contact point, the directions of friction
and the velocities there move with the bodies.

Sliding with the velocity v_t and drilling with ω_n about the normal share one limit, an ellipsoid
(Goyal, Ruina, Papadopoulos 1991; Howe, Cutkosky 1996): with the drilling radius r and the speed
w = √(|v_t|² + (r ω_n)²) the friction is -μ(w) F v_t/w and its torque about the normal
-μ(w) F r (r ω_n)/w, μ(w) that of any form of friction.py which goes by speed. Friction with memory
has its place in `rub`; it needs rows of memory in the state, as the plane has them.
"""

import math

from flank.contact.dispatch import elastic
from flank.contact.friction import drilling_radius, friction_by_speed
from flank.contact.laws.damping import damped
from flank.contact.spatial.fields import distance_field, tangent
from flank.contact.spatial.pull_back import add_gradient, add_turning
from flank.contact.spatial.vectors import cross, turned, turned_back
from flank.contact.table import FRICTION_NONE
from flank.kernel import kernel

FORCE, NORMAL, FIRST, SECOND, SLIDE_FIRST, SLIDE_SECOND, DRILL, DIRECTION = range(8)
"""Rows of `element`: Q, e, e₁, e₂, J₁, J₂, J₃, d."""

ARM_A, ARM_B, PULL, SCALARS, WEIGHTED = range(8, 13)
"""More rows: p - x_A, p - x_B, -f n, numbers, and from WEIGHTED on the three of DJ."""

STIFFNESS, RATE, BEND_FIRST, BEND_SECOND, HELD, SLOPE, HAT = range(7)
"""Numbers: k, c, f bend₁, f bend₂, f μ/w, f (dμ/dw - μ/w), and from HAT on the three of v̂."""


@kernel(internal=True)
def evaluate_contact(contact, position, matrix, velocity, touch, element):
    """Force of one contact; returns (closed, energy), fills `touch` and, if closed, `element`.

    position (bodies, 3), matrix (bodies, 3, 3), velocity (bodies, 6); the first row of `element`
    (16 x 12) becomes the generalized force, the others what `contact_tangent` needs.
    """
    a = contact.body_a
    b = contact.body_b
    at_a = matrix[a]
    frame = contact.frame
    arm_b = turned(matrix[b], contact.arm[0], contact.arm[1], contact.arm[2])
    ax = position[b, 0] + arm_b[0] - position[a, 0]
    ay = position[b, 1] + arm_b[1] - position[a, 1]
    az = position[b, 2] + arm_b[2] - position[a, 2]
    x, y, z = turned_back(at_a, ax, ay, az)
    origin = contact.origin
    x, y, z = turned(frame, x - origin[0], y - origin[1], z - origin[2])
    near = distance_field(contact, x, y, z)
    gap = near.gap
    touch.gap = gap
    if gap >= 0.0:
        report_open(touch)
        return False, 0.0
    tx, ty, tz = tangent(near.normal_x, near.normal_y, near.normal_z)
    nx, ny, nz = turned_back(frame, near.normal_x, near.normal_y, near.normal_z)
    tx, ty, tz = turned_back(frame, tx, ty, tz)
    n = turned(at_a, nx, ny, nz)
    first = turned(at_a, tx, ty, tz)
    second = cross(n, first)
    arm_a = (ax, ay, az)
    pull_back(n, arm_a, arm_b, element[NORMAL])
    pull_back(first, arm_a, arm_b, element[FIRST])
    pull_back(second, arm_a, arm_b, element[SECOND])
    rate = -along(element[NORMAL], velocity, a, b)
    pressed, stiffness, energy = elastic(contact, -gap, near.curvature)
    force, stiffness, rate_stiffness = damped(pressed, stiffness, contact.damping, rate)
    numbers = element[SCALARS]
    numbers[STIFFNESS] = stiffness
    numbers[RATE] = rate_stiffness
    numbers[BEND_FIRST] = force * near.bend_first
    numbers[BEND_SECOND] = force * near.bend_second
    reach = contact.sphere_radius + 0.5 * gap
    rub(contact, velocity, force, reach, n, first, second, touch, element)
    for i in range(3):
        element[ARM_A, i] = arm_a[i]
        element[ARM_B, i] = arm_b[i]
        element[PULL, i] = -force * n[i]
        touch.normal[i] = n[i]
        touch.point[i] = position[b, i] + arm_b[i] - reach * n[i]
    touch.normal_force = force
    touch.stiffness = stiffness
    touch.damping_power = (force - pressed) * rate
    return True, energy


@kernel(internal=True)
def rub(contact, velocity, force, reach, n, first, second, touch, element):
    """Friction at the contact point, `reach` from the sphere's centre: rows J, d, Q and numbers."""
    radius = drilling_radius(contact.drilling_length, force)
    for i in range(3):
        for j in range(4):
            element[SLIDE_FIRST, 3 * j + i] = element[FIRST, 3 * j + i]
            element[SLIDE_SECOND, 3 * j + i] = element[SECOND, 3 * j + i]
        element[SLIDE_FIRST, 3 + i] += reach * second[i]  # n x t₁ = t₂, n x t₂ = -t₁
        element[SLIDE_FIRST, 9 + i] -= reach * second[i]
        element[SLIDE_SECOND, 3 + i] -= reach * first[i]
        element[SLIDE_SECOND, 9 + i] += reach * first[i]
        element[DRILL, i] = 0.0
        element[DRILL, 3 + i] = -radius * n[i]
        element[DRILL, 6 + i] = 0.0
        element[DRILL, 9 + i] = radius * n[i]
    a = contact.body_a
    b = contact.body_b
    v_first = along(element[SLIDE_FIRST], velocity, a, b)
    v_second = along(element[SLIDE_SECOND], velocity, a, b)
    spin = 0.0
    for i in range(3):
        spin += n[i] * (velocity[b, 3 + i] - velocity[a, 3 + i])
    u = radius * spin
    speed = math.sqrt(v_first * v_first + v_second * v_second + u * u)
    held = 0.0
    by_speed = 0.0
    if contact.friction_form != FRICTION_NONE:
        held, by_speed = friction_by_speed(contact, speed)
    for i in range(12):
        rubbing = v_first * element[SLIDE_FIRST, i] + v_second * element[SLIDE_SECOND, i]
        rubbing += u * element[DRILL, i]
        element[DIRECTION, i] = element[NORMAL, i] - held * rubbing
        element[FORCE, i] = force * element[DIRECTION, i]
    to_hat = 1.0 / speed if speed > 0.0 else 0.0
    numbers = element[SCALARS]
    numbers[HELD] = force * held
    numbers[SLOPE] = force * (by_speed - held)
    numbers[HAT] = v_first * to_hat
    numbers[HAT + 1] = v_second * to_hat
    numbers[HAT + 2] = u * to_hat
    for i in range(3):
        touch.sliding[i] = v_first * first[i] + v_second * second[i]
        touch.friction[i] = -force * held * touch.sliding[i]
    touch.spin = spin
    touch.drilling = -force * held * radius * u
    touch.friction_power = force * held * speed * speed


@kernel(internal=True)
def contact_tangent(contact, element, rate_factor, geometric, block):
    """Add a closed contact's tangent to the 12 x 12 `block`, after `evaluate_contact`.

    `geometric` (0 to 1) scales what may be negative: the turning and bending of the normal, and
    how the share of friction falls with the speed.
    """
    numbers = element[SCALARS]
    stiffness = numbers[STIFFNESS] + rate_factor * numbers[RATE]
    bend_first = -geometric * numbers[BEND_FIRST]
    bend_second = -geometric * numbers[BEND_SECOND]
    for i in range(12):
        d = stiffness * element[DIRECTION, i]
        first = bend_first * element[FIRST, i]
        second = bend_second * element[SECOND, i]
        for j in range(12):
            block[i, j] += (
                d * element[NORMAL, j] + first * element[FIRST, j] + second * element[SECOND, j]
            )
    add_turning(element[PULL], element[ARM_A], element[ARM_B], geometric, block)
    if rate_factor != 0.0 and contact.friction_form != FRICTION_NONE:
        add_friction(element, rate_factor, geometric, block)


@kernel(internal=True)
def add_friction(element, rate_factor, geometric, block):
    """Add σ JᵀDJ; at `geometric` zero D is f (μ/w), the viscosity that gives the same force."""
    numbers = element[SCALARS]
    held = rate_factor * numbers[HELD]
    slope = geometric * rate_factor * numbers[SLOPE]
    for i in range(12):
        along_hat = 0.0
        for k in range(3):
            along_hat += numbers[HAT + k] * element[SLIDE_FIRST + k, i]
        for k in range(3):
            element[WEIGHTED + k, i] = (
                held * element[SLIDE_FIRST + k, i] + slope * numbers[HAT + k] * along_hat
            )
    for i in range(12):
        first = element[SLIDE_FIRST, i]
        second = element[SLIDE_SECOND, i]
        drill = element[DRILL, i]
        for j in range(12):
            block[i, j] += (
                first * element[WEIGHTED, j]
                + second * element[WEIGHTED + 1, j]
                + drill * element[WEIGHTED + 2, j]
            )


@kernel(internal=True)
def report_open(touch):
    """All but the gap is zero."""
    touch.normal_force = 0.0
    touch.stiffness = 0.0
    touch.drilling = 0.0
    touch.spin = 0.0
    touch.friction_power = 0.0
    touch.damping_power = 0.0
    for i in range(3):
        touch.normal[i] = 0.0
        touch.point[i] = 0.0
        touch.friction[i] = 0.0
        touch.sliding[i] = 0.0


@kernel(internal=True)
def pull_back(direction, arm_a, arm_b, row):
    """Gᵀ times a direction."""
    for i in range(12):
        row[i] = 0.0
    add_gradient(direction, arm_a, arm_b, 1.0, row)


@kernel(internal=True)
def along(row, velocity, a, b):
    """A row of twelve times the velocities of both bodies."""
    total = 0.0
    for i in range(6):
        total += row[i] * velocity[a, i] + row[6 + i] * velocity[b, i]
    return total
