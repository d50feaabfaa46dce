"""Friction of one contact between two spatial bodies, and its part of the tangent.

Rows and numbers of a contact's `element` stand here, too.

Sliding with the velocity v_t and drilling with ω_n about the normal share one limit, an ellipsoid
(Goyal, Ruina, Papadopoulos 1991; Howe, Cutkosky 1996): with the drilling radius r and the speed
w = √(|v_t|² + (r ω_n)²) the friction is -μ(w) F v_t/w and its torque about the normal
-μ(w) F r (r ω_n)/w, μ(w) that of any form of contact/friction.py which goes by speed.

Elastic friction has a memory, and sees everything from A, along whose axes these vectors are: what
A and B do together it does not notice. From the last accepted pose it knows the friction t₀,
the normal n₀, the sphere's centre p₀ and B's rotation S₀ = R_AᵀR_B. t₀ turns by the least rotation
that takes n₀ to n, so that it stays tangential and as large as it was. With P = 1 - n nᵀ and ℓ from
the centre to the contact point, the slip since, the trial force and the friction are

    s = P (p - p₀ - ℓ Δθ x n),   Δθ = log(S S₀ᵀ),
    t* = t₀ - (t₀·n)/(1 + n₀·n) (n₀ + n) - k_t s,   t = t* min(1, μ f/|t*|),
    Q = f e + t₁J₁ + t₂J₂.

In a plane, where A does not turn and the sphere's centre is B's, this is the planar law; where A
turns they differ by what is of second order in a step. With [slip] one where |t*| > μ f its part of
the tangent is

    k_t min(1, μ f/|t*|) (J₁J₁ᵀ + J₂J₂ᵀ - [slip] ĴĴᵀ) + [slip] μ (k + σc) Ĵeᵀ,
    Ĵ = (t₁J₁ + t₂J₂)/|t|;

as in the plane, left out is how directions and arms of friction turn, and that k_t grows with the
load. At the limit L = μ f of where a step of statics begins, |t| (|t*| - |t|/2)/k_t is a potential
of t. Drilling goes by its velocity still, by itself.
"""

import math

from flank.contact.friction import friction_by_speed, friction_potential
from flank.contact.spatial.vectors import cross, dot, turned_back
from flank.contact.table import FRICTION_NONE
from flank.kernel import kernel

FORCE, NORMAL, FIRST, SECOND, SLIDE_FIRST, SLIDE_SECOND, DRILL, DIRECTION = range(8)
"""Rows of `element`: Q, e, e₁, e₂, J₁, J₂, J₃, d."""

ARM_A, ARM_B, NORMAL_FORCE, SCALARS, WEIGHTED = range(8, 13)
"""More rows: p - x_A, p - x_B, -f n, numbers, and from WEIGHTED on the three of DJ."""

FOLLOWING = 15
"""The last row: μ Ĵ where elastic friction slips, and so follows the normal force."""

STIFFNESS, RATE, CURVATURE_FIRST, CURVATURE_SECOND, SECANT, SLOPE, HAT = range(7)
"""Numbers: k, c, f κ₁, f κ₂, f μ/w, f (dμ/dw - μ/w), and from HAT on the three of v̂. Of
elastic friction SECANT is k_t min(1, μ f/|t*|), SLOPE -[slip] SECANT and v̂ = (t₁, t₂, 0)/|t|."""

DRILL_SECANT, DRILL_SLOPE = range(9, 11)
"""More numbers, of elastic friction only: SECANT and SLOPE of the drilling beside it."""


@kernel(internal=True)
def put_sliding(reach, radius, axes, element):
    """Rows J of the contact point, `reach` from the sphere's centre; `radius` that of drilling."""
    n, first, second = axes
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


@kernel(internal=True)
def _slip_rates(contact, velocity, n, element):
    """How fast B slides on A along both tangents, in m/s, and spins about the normal, in rad/s."""
    a = contact.body_a
    b = contact.body_b
    v_first = rate_along(element[SLIDE_FIRST], velocity, a, b)
    v_second = rate_along(element[SLIDE_SECOND], velocity, a, b)
    spin = 0.0
    for i in range(3):
        spin += n[i] * (velocity[b, 3 + i] - velocity[a, 3 + i])
    return v_first, v_second, spin


@kernel(internal=True)
def put_sliding_friction(contact, velocity, force, radius, axes, contact_result, element):
    """Friction by velocity: rows d, Q and numbers."""
    n, first, second = axes
    v_first, v_second, spin = _slip_rates(contact, velocity, n, element)
    u = radius * spin
    speed = math.sqrt(v_first * v_first + v_second * v_second + u * u)
    secant = 0.0
    by_speed = 0.0
    if contact.friction_form != FRICTION_NONE:
        secant, by_speed = friction_by_speed(contact, speed)
    for i in range(12):
        slip = v_first * element[SLIDE_FIRST, i] + v_second * element[SLIDE_SECOND, i]
        slip += u * element[DRILL, i]
        element[DIRECTION, i] = element[NORMAL, i] - secant * slip
        element[FORCE, i] = force * element[DIRECTION, i]
    to_hat = 1.0 / speed if speed > 0.0 else 0.0
    numbers = element[SCALARS]
    numbers[SECANT] = force * secant
    numbers[SLOPE] = force * (by_speed - secant)
    numbers[HAT] = v_first * to_hat
    numbers[HAT + 1] = v_second * to_hat
    numbers[HAT + 2] = u * to_hat
    for i in range(3):
        contact_result.sliding[i] = v_first * first[i] + v_second * second[i]
        contact_result.friction[i] = -force * secant * contact_result.sliding[i]
    contact_result.spin = spin
    contact_result.drilling = -force * secant * radius * u
    contact_result.friction_power = force * secant * speed * speed


@kernel(internal=True)
def trial_force(memory, at_a, at_b, on_a, centre, reach, stiffness):
    """t* and the carried t₀ along t₁ and t₂, from n, t₁ and the sphere's centre along A's axes.

    Opposite normals leave the least rotation open: t₀ then stays as it is.
    """
    n, first = on_a
    second = cross(n, first)
    old = memory.stuck_normal
    stuck = memory.stuck_force
    share = dot(stuck, n) / max(1.0 + dot(old, n), 1e-12)
    stuck_first = dot(stuck, first) - share * dot(old, first)
    stuck_second = dot(stuck, second) - share * dot(old, second)
    before = memory.stuck_centre
    displacement = (centre[0] - before[0], centre[1] - before[1], centre[2] - before[2])
    turning = rotation_since(memory.stuck_turn, at_a, at_b)
    s_first = dot(displacement, first) - reach * dot(turning, second)  # n x t₁ = t₂, n x t₂ = -t₁
    s_second = dot(displacement, second) + reach * dot(turning, first)
    return (
        stuck_first - stiffness * s_first,
        stuck_second - stiffness * s_second,
        stuck_first,
        stuck_second,
    )


@kernel(internal=True)
def rotation_since(before, at_a, at_b):
    """log(S S₀ᵀ), S = R_AᵀR_B: from the skew part w sin θ/θ of the rotation and its trace."""
    x, y, z = 0.0, 0.0, 0.0
    trace = 0.0
    for k in range(3):
        u, v, w = turned_back(at_a, at_b[0, k], at_b[1, k], at_b[2, k])
        trace += u * before[0, k] + v * before[1, k] + w * before[2, k]
        x += w * before[1, k] - v * before[2, k]
        y += u * before[2, k] - w * before[0, k]
        z += v * before[0, k] - u * before[1, k]
    double_sine = math.sqrt(x * x + y * y + z * z)
    share = 0.5
    if double_sine > 1e-7:
        share = math.atan2(double_sine, trace - 1.0) / double_sine
    return share * x, share * y, share * z


@kernel(internal=True)
def put_elastic_friction(
    contact, memory, stiffness, force, trial_and_stuck, axes, contact_result, element
):
    """Elastic friction of what `trial_force` gives: rows Q and FOLLOWING, and numbers.

    Returns its potential; what accepting needs goes into memory.
    """
    _normal, first, second = axes
    t_first, t_second, stuck_first, stuck_second = trial_and_stuck
    trial = math.sqrt(t_first * t_first + t_second * t_second)
    limit = contact.friction * force
    slips = trial > limit or limit == 0.0
    to_hat = 1.0 / trial if trial > 0.0 else 0.0
    share = limit * to_hat if slips else 1.0
    numbers = element[SCALARS]
    numbers[SECANT] = stiffness * share
    numbers[SLOPE] = -numbers[SECANT] if slips else 0.0
    numbers[HAT] = t_first * to_hat
    numbers[HAT + 1] = t_second * to_hat
    follows = contact.friction if slips else 0.0
    for i in range(12):
        hat = numbers[HAT] * element[SLIDE_FIRST, i] + numbers[HAT + 1] * element[SLIDE_SECOND, i]
        element[FOLLOWING, i] = follows * hat
        element[DIRECTION, i] = element[NORMAL, i]
        element[FORCE, i] = force * element[NORMAL, i] + share * trial * hat
    for i in range(3):
        contact_result.friction[i] = share * (t_first * first[i] + t_second * second[i])
    if limit == 0.0:  # damping has taken the whole force: as good as open
        return 0.0
    memory.trial_force = trial
    memory.stuck_along = numbers[HAT] * stuck_first + numbers[HAT + 1] * stuck_second
    memory.tangential_stiffness = stiffness
    return friction_potential(trial, stiffness, memory.frozen_limit)


@kernel(internal=True)
def put_drilling_friction(contact, velocity, force, radius, axes, contact_result, element):
    """Drilling beside elastic friction, by its velocity; and the velocities that are reported."""
    n, first, second = axes
    v_first, v_second, spin = _slip_rates(contact, velocity, n, element)
    for i in range(3):
        contact_result.sliding[i] = v_first * first[i] + v_second * second[i]
    u = radius * spin
    secant = 0.0
    by_speed = 0.0
    if radius > 0.0:
        secant, by_speed = friction_by_speed(contact, abs(u))
    for i in range(12):
        element[FORCE, i] -= force * secant * u * element[DRILL, i]
    element[SCALARS, DRILL_SECANT] = force * secant
    element[SCALARS, DRILL_SLOPE] = force * (by_speed - secant)
    contact_result.spin = spin
    contact_result.drilling = -force * secant * radius * u
    contact_result.friction_power = force * secant * u * u


@kernel(internal=True)
def add_friction(element, rate_factor, geometric_factor, block):
    """Add σ JᵀDJ; at factor zero D is f (μ/w), the viscosity that gives the same force."""
    numbers = element[SCALARS]
    secant = rate_factor * numbers[SECANT]
    slope = geometric_factor * rate_factor * numbers[SLOPE]
    for i in range(12):
        along_hat = 0.0
        for k in range(3):
            along_hat += numbers[HAT + k] * element[SLIDE_FIRST + k, i]
        for k in range(3):
            element[WEIGHTED + k, i] = (
                secant * element[SLIDE_FIRST + k, i] + slope * numbers[HAT + k] * along_hat
            )
    add_weighted(element, block)


@kernel(internal=True)
def add_weighted(element, block):
    """Add JᵀDJ, DJ being the rows from WEIGHTED on."""
    for i in range(12):
        first = element[SLIDE_FIRST, i]
        second = element[SLIDE_SECOND, i]
        drilling = element[DRILL, i]
        for j in range(12):
            block[i, j] += (
                first * element[WEIGHTED, j]
                + second * element[WEIGHTED + 1, j]
                + drilling * element[WEIGHTED + 2, j]
            )


@kernel(internal=True)
def add_elastic_friction(element, rate_factor, geometric_factor, block):
    """Add the tangent of elastic friction and of the drilling beside it.

    `geometric_factor` scales what makes it unsymmetric, or softer than the secant from where it
    let go.
    """
    numbers = element[SCALARS]
    secant = numbers[SECANT]
    slope = geometric_factor * numbers[SLOPE]
    drilling = rate_factor * (numbers[DRILL_SECANT] + geometric_factor * numbers[DRILL_SLOPE])
    stiffness = geometric_factor * (numbers[STIFFNESS] + rate_factor * numbers[RATE])
    for i in range(12):
        first = element[SLIDE_FIRST, i]
        second = element[SLIDE_SECOND, i]
        along_hat = slope * (numbers[HAT] * first + numbers[HAT + 1] * second)
        element[WEIGHTED, i] = secant * first + numbers[HAT] * along_hat
        element[WEIGHTED + 1, i] = secant * second + numbers[HAT + 1] * along_hat
        element[WEIGHTED + 2, i] = drilling * element[DRILL, i]
        follows = stiffness * element[FOLLOWING, i]
        for j in range(12):
            block[i, j] += follows * element[NORMAL, j]
    add_weighted(element, block)


@kernel(internal=True)
def rate_along(row, velocity, a, b):
    """A row of twelve times the velocities of both bodies."""
    total = 0.0
    for i in range(6):
        total += row[i] * velocity[a, i] + row[6 + i] * velocity[b, i]
    return total
