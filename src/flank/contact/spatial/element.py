"""One contact between two spatial bodies: force, friction and their tangent.

The gap is a distance field fixed in A, read at the centre p of B's sphere. With G as in
`pull_back`, n the field's normal and t₁, t₂ perpendicular to it, e = Gᵀn is the gap's gradient in
the twelve coordinates, e₁ = Gᵀt₁ and e₂ = Gᵀt₂; J₁, J₂ are the same for the contact point, halfway
between the surfaces, and J₃ turns velocities into the drilling speed u = r ω_n. With the normal
force f, the curvatures κ₁, κ₂ of the field's level surface along t₁, t₂ and the sliding v₁, v₂ the
generalized force and, at the rate factor σ, with k = ∂f/∂δ and c = ∂f/∂δ̇, its tangent are

    Q = f d,   d = e - (μ/w) (v₁ J₁ + v₂ J₂ + u J₃)

    (k + σc) d eᵀ - f (κ₁ e₁e₁ᵀ + κ₂ e₂e₂ᵀ) + turning of -f n + σ JᵀDJ,
    D = f ((μ/w) 1 + (dμ/dw - μ/w) v̂v̂ᵀ),   v̂ = (v₁, v₂, u)/w.

It is exact by the rates but for the drilling radius, taken as constant, and by the positions of a
contact without friction and damping. Left out is how the contact point, the directions of friction
and the velocities there move with the bodies. Friction is in `friction`.

Distance fields give the gap of a sphere at a point of a surface's frame, its normal and the two
curvatures; `kinds` has them, `table.DistanceField` says what each gives. Of a wall with the radius
of curvature ρ around a sphere whose centre is D away from it the curvature is -1/(ρ - D).
"""

import math

from flank.contact.dispatch import dispatched, elastic
from flank.contact.friction import drilling_radius
from flank.contact.laws.damping import damped
from flank.contact.spatial.friction import (
    ARM_A,
    ARM_B,
    CURVATURE_FIRST,
    CURVATURE_SECOND,
    DIRECTION,
    FIRST,
    NORMAL,
    NORMAL_FORCE,
    RATE,
    SCALARS,
    SECOND,
    STIFFNESS,
    add_elastic_friction,
    add_friction,
    put_drilling_friction,
    put_elastic_friction,
    put_sliding,
    put_sliding_friction,
    rate_along,
    trial_force,
)
from flank.contact.spatial.pull_back import add_gradient, add_turning
from flank.contact.spatial.table import FIELDS
from flank.contact.spatial.vectors import cross, turned, turned_back
from flank.contact.table import FRICTION_ELASTIC, FRICTION_NONE
from flank.kernel import kernel


@dispatched(FIELDS, "field", "distance")
def distance_field(contact, x, y, z):
    """Distance of one contact, its sphere's centre in the surface's frame."""


@kernel(internal=True)
def tangent(nx, ny, nz):
    """A direction perpendicular to n; across the track where n is, so that n x t is along it."""
    if nx * nx + ny * ny > 0.25:
        factor = 1.0 / math.sqrt(nx * nx + ny * ny)
        return -ny * factor, nx * factor, 0.0
    factor = 1.0 / math.sqrt(ny * ny + nz * nz)
    return 0.0, -nz * factor, ny * factor


@kernel(internal=True)
def evaluate_contact(contact, position, matrix, velocity, contact_result, element, memory=None):
    """Force of one contact; returns (closed, energy), fills the result and, if closed, `element`.

    position (bodies, 3), matrix (bodies, 3, 3), velocity (bodies, 6); the first row of `element`
    (16 x 12) becomes the generalized force, the others what `contact_tangent` needs. A contact
    with elastic friction has `memory`, a row of SPATIAL_MEMORY; without it, this is compiled
    without such friction.
    """
    arm_a, arm_b, centre = sphere_arms(contact, position, matrix)
    distance = distance_of(contact, centre)
    contact_result.gap = distance.gap
    if distance.gap >= 0.0:
        write_open_result(contact_result)
        return False, 0.0
    on_a, axes = contact_axes(contact, distance, matrix[contact.body_a])
    for k in range(3):
        pull_back(axes[k], arm_a, arm_b, element[NORMAL + k])
    rate = -rate_along(element[NORMAL], velocity, contact.body_a, contact.body_b)
    undamped, stiffness, energy = elastic(contact, -distance.gap, distance.curvature)
    sticking = contact.tangential_ratio * stiffness
    force, stiffness, rate_stiffness = damped(
        undamped, stiffness, contact.damping_form, contact.damping, rate
    )
    put_numbers(element[SCALARS], force, stiffness, rate_stiffness, distance)
    reach = contact.sphere_radius + 0.5 * distance.gap
    radius = drilling_radius(contact.drilling_length, force)
    put_sliding(reach, radius, axes, element)
    is_elastic = False
    if memory is not None:
        is_elastic = contact.friction_form == FRICTION_ELASTIC
        if is_elastic:
            at_a, at_b = matrix[contact.body_a], matrix[contact.body_b]
            trial = trial_force(memory, at_a, at_b, on_a, centre, reach, sticking)
            energy += put_elastic_friction(
                contact, memory, sticking, force, trial, axes, contact_result, element
            )
            put_drilling_friction(contact, velocity, force, radius, axes, contact_result, element)
    if not is_elastic:
        put_sliding_friction(contact, velocity, force, radius, axes, contact_result, element)
    n = axes[0]
    for i in range(3):
        element[ARM_A, i] = arm_a[i]
        element[ARM_B, i] = arm_b[i]
        element[NORMAL_FORCE, i] = -force * n[i]
        contact_result.normal[i] = n[i]
        contact_result.point[i] = position[contact.body_b, i] + arm_b[i] - reach * n[i]
    contact_result.normal_force = force
    contact_result.stiffness = stiffness
    contact_result.damping_power = (force - undamped) * rate
    return True, energy


@kernel(internal=True)
def sphere_arms(contact, position, matrix):
    """The sphere's centre from A's and from B's, in space, and from A's along A's axes."""
    a = contact.body_a
    b = contact.body_b
    arm_b = turned(matrix[b], contact.arm[0], contact.arm[1], contact.arm[2])
    x = position[b, 0] + arm_b[0] - position[a, 0]
    y = position[b, 1] + arm_b[1] - position[a, 1]
    z = position[b, 2] + arm_b[2] - position[a, 2]
    return (x, y, z), arm_b, turned_back(matrix[a], x, y, z)


@kernel(internal=True)
def distance_of(contact, centre):
    """Distance of the sphere from the surface, its centre given along A's axes."""
    origin = contact.origin
    x, y, z = turned(
        contact.frame, centre[0] - origin[0], centre[1] - origin[1], centre[2] - origin[2]
    )
    return distance_field(contact, x, y, z)


@kernel(internal=True)
def contact_axes(contact, distance, at_a):
    """n and t₁ along A's axes; n, t₁ and t₂ in space."""
    nx, ny, nz = distance.normal_x, distance.normal_y, distance.normal_z
    tx, ty, tz = tangent(nx, ny, nz)
    nx, ny, nz = turned_back(contact.frame, nx, ny, nz)
    tx, ty, tz = turned_back(contact.frame, tx, ty, tz)
    normal = turned(at_a, nx, ny, nz)
    first = turned(at_a, tx, ty, tz)
    return ((nx, ny, nz), (tx, ty, tz)), (normal, first, cross(normal, first))


@kernel(internal=True)
def put_numbers(numbers, force, stiffness, rate_stiffness, distance):
    """What the tangent needs of the normal force."""
    numbers[STIFFNESS] = stiffness
    numbers[RATE] = rate_stiffness
    numbers[CURVATURE_FIRST] = force * distance.level_curvature_first
    numbers[CURVATURE_SECOND] = force * distance.level_curvature_second


@kernel(internal=True)
def contact_tangent(contact, element, rate_factor, geometric_factor, block, memory=None):
    """Add a closed contact's tangent to the 12 x 12 `block`, after `evaluate_contact`.

    `geometric_factor` (0 to 1) scales what may be negative: the turning and curving of the normal,
    and how the share of friction falls with the speed. `memory` is what the contact was evaluated
    with.
    """
    numbers = element[SCALARS]
    stiffness = numbers[STIFFNESS] + rate_factor * numbers[RATE]
    curvature_first = -geometric_factor * numbers[CURVATURE_FIRST]
    curvature_second = -geometric_factor * numbers[CURVATURE_SECOND]
    for i in range(12):
        d = stiffness * element[DIRECTION, i]
        first = curvature_first * element[FIRST, i]
        second = curvature_second * element[SECOND, i]
        for j in range(12):
            block[i, j] += (
                d * element[NORMAL, j] + first * element[FIRST, j] + second * element[SECOND, j]
            )
    add_turning(element[NORMAL_FORCE], element[ARM_A], element[ARM_B], geometric_factor, block)
    is_elastic = False
    if memory is not None:
        is_elastic = contact.friction_form == FRICTION_ELASTIC
        if is_elastic:
            add_elastic_friction(element, rate_factor, geometric_factor, block)
    if not is_elastic and rate_factor != 0.0 and contact.friction_form != FRICTION_NONE:
        add_friction(element, rate_factor, geometric_factor, block)


@kernel(internal=True)
def write_open_result(contact_result):
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
