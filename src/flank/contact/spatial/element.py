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
and the velocities there move with the bodies. Friction is in `friction`.
"""

from flank.contact.dispatch import elastic
from flank.contact.friction import drilling_radius
from flank.contact.laws.damping import damped
from flank.contact.spatial.fields import distance_field, tangent
from flank.contact.spatial.friction import (
    ARM_A,
    ARM_B,
    BEND_FIRST,
    BEND_SECOND,
    DIRECTION,
    FIRST,
    NORMAL,
    PULL,
    RATE,
    SCALARS,
    SECOND,
    STIFFNESS,
    add_elastic_friction,
    add_friction,
    along,
    drill,
    hold,
    put_sliding,
    rub,
    trial_force,
)
from flank.contact.spatial.pull_back import add_gradient, add_turning
from flank.contact.spatial.vectors import cross, turned, turned_back
from flank.contact.table import FRICTION_ELASTIC, FRICTION_NONE
from flank.kernel import kernel


@kernel(internal=True)
def evaluate_contact(contact, position, matrix, velocity, contact_result, element, memory=None):
    """Force of one contact; returns (closed, energy), fills the result and, if closed, `element`.

    position (bodies, 3), matrix (bodies, 3, 3), velocity (bodies, 6); the first row of `element`
    (16 x 12) becomes the generalized force, the others what `contact_tangent` needs. A contact
    with elastic friction has `memory`, a row of SPATIAL_MEMORY; without it, this is compiled
    without such friction.
    """
    a = contact.body_a
    b = contact.body_b
    at_a = matrix[a]
    frame = contact.frame
    arm_b = turned(matrix[b], contact.arm[0], contact.arm[1], contact.arm[2])
    ax = position[b, 0] + arm_b[0] - position[a, 0]
    ay = position[b, 1] + arm_b[1] - position[a, 1]
    az = position[b, 2] + arm_b[2] - position[a, 2]
    centre = turned_back(at_a, ax, ay, az)
    origin = contact.origin
    x, y, z = turned(frame, centre[0] - origin[0], centre[1] - origin[1], centre[2] - origin[2])
    near = distance_field(contact, x, y, z)
    gap = near.gap
    contact_result.gap = gap
    if gap >= 0.0:
        report_open(contact_result)
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
    sticking = contact.tangential_ratio * stiffness
    force, stiffness, rate_stiffness = damped(pressed, stiffness, contact.damping, rate)
    numbers = element[SCALARS]
    numbers[STIFFNESS] = stiffness
    numbers[RATE] = rate_stiffness
    numbers[BEND_FIRST] = force * near.bend_first
    numbers[BEND_SECOND] = force * near.bend_second
    reach = contact.sphere_radius + 0.5 * gap
    radius = drilling_radius(contact.drilling_length, force)
    put_sliding(reach, radius, n, first, second, element)
    holds = False
    if memory is not None:
        holds = contact.friction_form == FRICTION_ELASTIC
        if holds:
            seen_from_a = ((nx, ny, nz), (tx, ty, tz), centre)
            trial = trial_force(memory, at_a, matrix[b], seen_from_a, reach, sticking)
            energy += hold(
                contact, memory, sticking, force, trial, first, second, contact_result, element
            )
            drill(contact, velocity, force, radius, n, first, second, contact_result, element)
    if not holds:
        rub(contact, velocity, force, radius, n, first, second, contact_result, element)
    for i in range(3):
        element[ARM_A, i] = arm_a[i]
        element[ARM_B, i] = arm_b[i]
        element[PULL, i] = -force * n[i]
        contact_result.normal[i] = n[i]
        contact_result.point[i] = position[b, i] + arm_b[i] - reach * n[i]
    contact_result.normal_force = force
    contact_result.stiffness = stiffness
    contact_result.damping_power = (force - pressed) * rate
    return True, energy


@kernel(internal=True)
def contact_tangent(contact, element, rate_factor, geometric_factor, block, memory=None):
    """Add a closed contact's tangent to the 12 x 12 `block`, after `evaluate_contact`.

    `geometric_factor` (0 to 1) scales what may be negative: the turning and bending of the normal,
    and how the share of friction falls with the speed. `memory` is what the contact was evaluated
    with.
    """
    numbers = element[SCALARS]
    stiffness = numbers[STIFFNESS] + rate_factor * numbers[RATE]
    bend_first = -geometric_factor * numbers[BEND_FIRST]
    bend_second = -geometric_factor * numbers[BEND_SECOND]
    for i in range(12):
        d = stiffness * element[DIRECTION, i]
        first = bend_first * element[FIRST, i]
        second = bend_second * element[SECOND, i]
        for j in range(12):
            block[i, j] += (
                d * element[NORMAL, j] + first * element[FIRST, j] + second * element[SECOND, j]
            )
    add_turning(element[PULL], element[ARM_A], element[ARM_B], geometric_factor, block)
    holds = False
    if memory is not None:
        holds = contact.friction_form == FRICTION_ELASTIC
        if holds:
            add_elastic_friction(element, rate_factor, geometric_factor, block)
    if not holds and rate_factor != 0.0 and contact.friction_form != FRICTION_NONE:
        add_friction(element, rate_factor, geometric_factor, block)


@kernel(internal=True)
def report_open(contact_result):
    """All but the gap is zero."""
    contact_result.normal_force = 0.0
    contact_result.stiffness = 0.0
    contact_result.drilling = 0.0
    contact_result.spin = 0.0
    contact_result.friction_power = 0.0
    contact_result.damping_power = 0.0
    for i in range(3):
        contact_result.normal[i] = 0.0
        contact_result.point[i] = 0.0
        contact_result.friction[i] = 0.0
        contact_result.sliding[i] = 0.0


@kernel(internal=True)
def pull_back(direction, arm_a, arm_b, row):
    """Gᵀ times a direction."""
    for i in range(12):
        row[i] = 0.0
    add_gradient(direction, arm_a, arm_b, 1.0, row)
