"""What the two engines bring to the control that they share, and how it is chosen.

Statics, the march in time, consistent starts and continuation are written once. Where plane and
space differ they call a kernel of this table; which of the two it is follows, when a kernel is
compiled, from the type of the model or state in its first argument. An engine that has nothing to
do at some place brings `nothing`.
"""

from typing import Any

from flank.dynamics import assembly, joints, linear, plane
from flank.dynamics.friction_memory import keep_friction, keep_friction_in_space
from flank.dynamics.model import Model, State
from flank.dynamics.spatial import assembly as spatial_assembly
from flank.dynamics.spatial import conditions, inertia, space
from flank.dynamics.spatial.model import SpatialModel, SpatialState
from flank.kernel import KernelByType, kernel


def _either(of_plane: Any, of_space: Any) -> KernelByType:
    return KernelByType(
        {Model: of_plane, State: of_plane, SpatialModel: of_space, SpatialState: of_space}
    )


@kernel(internal=True)
def nothing(_first, _second, _third=None, _fourth=None, _fifth=None):
    """Where an engine has nothing to do."""


@kernel(internal=True)
def no_work(_model, _work):
    """The potential of planar loads is in the energy that `assemble` returns."""
    return 0.0


assemble = _either(assembly.assemble_state, spatial_assembly.assemble)
"""(model, state, time, work, rate factor, scale, geometric): fill work.force with Q - Cᵀλ,
work.constraint with c and the tangent with K + (rate factor) D and scale C; returns the energy and
the largest single force."""


@kernel
def evaluate(model, state, time, work, rate_factor, scale, geometric_factor):
    """The same with an entry from Python, whose unpacking of all arrays no solver needs."""
    return assemble(model, state, time, work, rate_factor, scale, geometric_factor)


eliminate_leaves = _either(linear.eliminate_planar_leaves, linear.eliminate_spatial_leaves)
"""(model, work): take the leaves out of the assembled system; False if that of one is singular."""

recover_leaves = _either(linear.recover_planar_leaves, linear.recover_spatial_leaves)
"""(model, work): the steps of the leaves from those of the core."""

weight = _either(plane.weight, space.weight)
"""(model, body, coordinate): what turns a coordinate into a displacement in m."""

inertia_of = _either(plane.inertia_of, inertia.inertia_of)
"""(model, body, coordinate): mass, or a moment of inertia."""

heaviest = _either(plane.heaviest, inertia.heaviest)
"""(model): the largest mass of a core body."""

constraint_residual = _either(plane.constraint_residual, space.constraint_residual)
"""(model, state, residuals): largest violation of a joint, and the round-off in it."""

force_floor = _either(plane.force_floor, space.force_floor)
"""(model, state, largest force, stiffest diagonal): what round-off leaves of a static force."""

least_regularization = _either(plane.least_regularization, space.least_regularization)
"""(model, stiffest diagonal, unbalanced force): the least σ that statics adds to the diagonal, in
shares of `SMALLEST_REGULARIZATION`."""

load_work = _either(no_work, space.load_work)
"""(model, work): work of loads without a potential along the step just taken."""

displace = _either(plane.displace, space.displace)
"""(state, body, coordinate, change): move one coordinate."""

place = _either(nothing, space.place)
"""(state, work): make the pose follow from what `displace` collected."""

keep_more = _either(nothing, space.keep_more)
"""(state, work): keep what only this engine has, beside what `motion.keep` does."""

go_back_more = _either(nothing, space.go_back_more)
"""(state, work): back to it."""

add_motion = _either(plane.add_motion, inertia.add_motion)
"""(model, state, work, to_velocity, to_acceleration, largest force): take inertia off the forces
and add it to the tangent; returns the largest force, and the round-off of forces."""

put_masses = _either(plane.put_masses, inertia.put_masses)
"""(model, state, work): M in place of K in the tangent, gyroscopic torques off the forces."""

fill_rates = _either(joints.fill_rates, conditions.fill_rates)
"""(model, time, work): work.constraint = ∂c/∂t."""

fill_second_rates = _either(joints.fill_second_rates, conditions.fill_second_rates)
"""(model, state, time, work): work.constraint = d²c/dt² without accelerations."""

radius_of = _either(plane.radius_of, space.radius_of)
"""(model, contact): radius of the circle or sphere that touches."""

keep_memory = _either(keep_friction, keep_friction_in_space)
"""(model, state, its memory): what contacts remember of a pose that is accepted."""

close_step = _either(nothing, space.close_step)
"""(model, state, time, h, work): account for a step in time that is accepted."""

put_more = _either(nothing, space.put_more)
"""(state, record, row): record what only this engine has."""

keep_rotations = _either(nothing, space.keep_rotations)
"""(state, rotations): copy rotations; poses of the plane have none beside their positions."""

put_rotations = _either(nothing, space.put_rotations)
"""(state, rotations): back to them."""

fill_moved = _either(plane.fill_moved, space.fill_moved)
"""(state, positions, rotations, body, moved): how a body's coordinates have moved since a pose."""

keep_history = _either(plane.keep_history, space.keep_history)
"""(state, history): copy what only this engine has of the way that a state came."""

put_history = _either(plane.put_history, space.put_history)
"""(state, history): back to it."""

note_loads = _either(plane.note_loads, space.note_loads)
"""(model, loads): copy what grows with loads, a row for each."""

put_loads = _either(plane.put_loads, space.put_loads)
"""(model, loads, share): let the model have that share of them."""
