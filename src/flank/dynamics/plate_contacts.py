"""Contacts on elastic plates in the engine: what the modes add to forces and tangent.

With J the gradient of the gap in the bodies' coordinates, J_t that along the flank and s the one in
the modes, the force on the modes is f s, and the tangent is that of contact/element.py,

    K = k J Jᵀ - f ∇∇g - ∂F/∂κ dκ/ds (J J_tᵀ + J_t Jᵀ),

with J made longer by s, and J_t by zeros. ∇∇g between bodies and modes is the slope of s, and
between modes that carry a groove κ (t·Φ_k) (t·Φ_m), the product of their slopes over κ. Of teeth
J has E besides (contact/teeth_element.py), and the slope of s is left out of the tangent: it is as
much smaller than k as the plate's displacement is than the flank's radius.
"""

from flank.contact.element import (
    BY_CURVATURE,
    FRICTION_BY_FORCE,
    LEVEL_CURVATURE,
    NORMAL,
    NORMAL_FORCE,
    NUMBERS,
    RATE,
    SLIDING,
    STIFFNESS,
    TANGENT,
)
from flank.contact.plate_element import (
    ON_BODIES,
    ON_MODES,
    PLATE_A,
    SHAPE,
    SLOPE_X,
    SLOPE_Y,
    modes_of,
)
from flank.contact.registry import TEETH_NUMBER
from flank.contact.teeth_element import PLACE
from flank.kernel import kernel
from flank.team import has_teeth


@kernel(internal=True)
def add_plate_forces(contact, element, shapes, target):
    """Of a closed contact on its plate's modes."""
    force = element[NUMBERS, NORMAL_FORCE]
    for part in range(2):
        modes = modes_of(contact, part)
        for row in range(modes.rows):
            for i in range(3):
                shape = shapes[SHAPE, modes.first + 3 * row + i]
                target.force[modes.row + row, i] += force * shape


@kernel(internal=True)
def add_plate_tangent(contact, element, shapes, position, rotations, target):
    """Between modes; what is between them and both bodies is gathered in `shapes`."""
    numbers = element[NUMBERS]
    stiffness = numbers[STIFFNESS] + numbers[RATE] * target.rate_factor
    friction_by_force = numbers[FRICTION_BY_FORCE] * target.geometric_factor
    force = numbers[NORMAL_FORCE] * target.geometric_factor
    by_curvature = numbers[BY_CURVATURE] * target.geometric_factor
    modes = 3 * (contact.plate_rows + contact.ring_rows)
    shape = shapes[SHAPE]
    for part in range(2):
        for other in range(2):
            _add_between(
                modes_of(contact, part), modes_of(contact, other), stiffness, shape, target.core
            )
    of_teeth = has_teeth() and contact.kind == TEETH_NUMBER
    if contact.ring_side == PLATE_A and numbers[LEVEL_CURVATURE] != 0.0:
        _add_turning_in_ring(
            modes_of(contact, 1), force / numbers[LEVEL_CURVATURE], shapes, target.core
        )
    if of_teeth:
        force = 0.0
        by_curvature = -stiffness
    along = element[PLACE] if of_teeth else element[TANGENT]
    slope_x = shapes[SLOPE_X]
    slope_y = shapes[SLOPE_Y]
    for side in range(2):
        body = contact.body_a if side == 0 else contact.body_b
        if body == 0:
            continue
        ax, ay = _arm(contact, body, side, position, rotations)
        for i in range(3):
            place = 3 * side + i
            shared = stiffness * element[NORMAL, place] - by_curvature * along[place]
            sliding = stiffness * friction_by_force * element[SLIDING, place]
            by_x, by_y = _by_slopes(contact, i, side, ax, ay)
            by_x *= -force
            by_y *= -force
            on_body = shapes[ON_BODIES + place]
            on_modes = shapes[ON_MODES + place]
            for k in range(modes):
                entry = shared * shape[k] + by_x * slope_x[k] + by_y * slope_y[k]
                on_modes[k] += entry
                on_body[k] += entry + sliding * shape[k]


@kernel(internal=True)
def _add_turning_in_ring(modes, share, shapes, core):
    """-f κ (t·Φ_k) (t·Φ_m), `share` f/κ: in a groove the normal turns with what moves it."""
    first = 3 * (modes.row - 1) - modes.first
    columns = range(modes.first, modes.first + 3 * modes.rows)
    for k in columns:
        x = share * shapes[SLOPE_X, k]
        y = share * shapes[SLOPE_Y, k]
        for m in columns:
            core[first + k, first + m] -= x * shapes[SLOPE_X, m] + y * shapes[SLOPE_Y, m]


@kernel(internal=True)
def _add_between(one, other, stiffness, shape, core):
    """k s sᵀ between the modes of plate and ring, or of one of them."""
    first = 3 * (other.row - 1)
    count = 3 * other.rows
    along = shape[other.first : other.first + count]
    for k in range(3 * one.rows):
        scaled = stiffness * shape[one.first + k]
        row = core[3 * (one.row - 1) + k][first : first + count]  # a loop over a part runs wide
        for n in range(count):
            row[n] += scaled * along[n]


@kernel(internal=True)
def flush_plate(contact, shapes, target):
    """Add what contacts of this one's bodies have gathered between them and its modes."""
    for part in range(2):
        modes = modes_of(contact, part)
        first = 3 * (modes.row - 1) - modes.first
        columns = range(modes.first, modes.first + 3 * modes.rows)
        for side in range(2):
            body = contact.body_a if side == 0 else contact.body_b
            for i in range(3):
                on_body = shapes[ON_BODIES + 3 * side + i]
                on_modes = shapes[ON_MODES + 3 * side + i]
                for k in columns:
                    if body != 0:
                        unknown = 3 * (body - 1) + i
                        target.core[unknown, first + k] += on_body[k]
                        target.core[first + k, unknown] += on_modes[k]
                    on_body[k] = 0.0
                    on_modes[k] = 0.0


@kernel(internal=True)
def _arm(contact, body, side, position, rotations):
    """From a body to the centre of B's circle."""
    b = contact.body_b
    x = rotations[b, 0] * contact.b_x - rotations[b, 1] * contact.b_y
    y = rotations[b, 1] * contact.b_x + rotations[b, 0] * contact.b_y
    if side == 0:
        x += position[b, 0] - position[body, 0]
        y += position[b, 1] - position[body, 1]
    return x, y


@kernel(internal=True)
def _by_slopes(contact, i, side, ax, ay):
    """How s follows one coordinate of a body: by these factors of its slopes."""
    sign = -1.0 if side == 0 else 1.0
    if contact.plate_side != PLATE_A:
        return (-sign * contact.share_a if i == 2 else 0.0), 0.0
    if i == 0:
        return sign, 0.0
    if i == 1:
        return 0.0, sign
    return -sign * ay, sign * ax
