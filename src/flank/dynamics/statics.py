"""Equilibrium by Newton on the analytic tangent, inside a trust region; of plane and space alike.

Without contact (a body inside its clearance) the tangent is singular and the load has nowhere to
go. The step is therefore taken with a small diagonal σ D added to K and is cut to a trust radius:
a free body travels along its load, in steps that double, until it touches; then K takes over and
σ is negligible. An open joint is closed by a whole step, without the loads where these would run
away with it, and by a share of it where the whole step, along arcs of rotation, opens it more. A
step counts if it lowers the residual or the potential

    Π(q, λ) = energy of contacts and springs - work of loads + λ·c(q),

else the radius shrinks. Elastic friction adds what it stores and dissipates at the limits it had
where the step began: no potential knows limits that follow the normal force. Loads that follow a
body have none either; their work along the step stands for it. What the turning of
forces and these limits add to K can be negative; where it makes a step useless or uphill, the step
is taken without it, which is downhill for certain.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flank.arrays import row_type
from flank.dynamics.engine import (
    assemble,
    constraint_residual,
    force_floor,
    least_regularization,
    load_work,
    weight,
)
from flank.dynamics.friction_memory import freeze_friction
from flank.dynamics.linear import place_of
from flank.dynamics.motion import (
    accept,
    fill_right,
    go_back,
    solve_step,
    take_step,
    unbalanced_force,
)
from flank.dynamics.scatter import add_to_body, target_of
from flank.dynamics.status import OK, SINGULAR, TOO_MANY_ITERATIONS
from flank.kernel import kernel
from flank.team import rank, team_largest, team_size, team_sum, wait

FIRST_RADIUS = 1e-3
"""Trust radius at the start of a solve, in length scales of the model."""

SMALLEST_REGULARIZATION = 1e-9
"""σ relative to the stiffest diagonal; it bends Newton's direction, never the equilibrium."""

DRIFT = 1e-13
"""m or rad: a joint counts as closed."""

OPEN_JOINT = 1e-9
"""m or rad: above it a step first closes the joints and may raise the potential."""

PATIENCE = 12
"""Steps that may leave the residual as it is while friction slips, before one is shortened."""


SEARCHING = -1
"""In place of a status: the search goes on."""


class StaticTolerances(NamedTuple):
    """What the search goes by; see run.StaticSettings."""

    force_tolerance: float
    maximum_iterations: int


SEARCH = row_type(
    [
        ("iterations", np.int64),  # counted over all searches
        ("rejected", np.int64),
        ("accepts", np.bool_),  # whether an equilibrium is accepted where it is found
        ("switched", np.int64),  # contacts that have switched then, against the pose accepted last
        ("radius", np.float64),  # of the trust region, m
        ("closing_share", np.float64),  # of a step that closes joints
        ("regularization", np.float64),  # σ, at least the smallest one
        ("stiffest", np.float64),  # diagonal of K
        ("geometric_factor", np.float64),  # zero: K without the turning of forces
        ("without_geometric", np.bool_),  # the step on trial was taken so
        ("load_factor", np.float64),  # zero for a step that closes joints without the loads
        ("reaction_scale", np.float64),  # what the step on trial gives of reactions, times this
        ("length", np.float64),  # of the step on trial; zero when the pose stands
        ("error", np.float64),  # of the pose that stands: largest unbalanced force
        ("drift", np.float64),  # largest violation of a joint
        ("potential", np.float64),
        ("least_error", np.float64),  # of all poses so far
        ("slipping", np.bool_),  # whether elastic friction slips in the pose that stands
        ("stalled", np.int64),  # steps that slipped and brought no smaller residual
    ]
)
"""Where a search stands."""


def new_search() -> NDArray[np.void]:
    """One for all equilibria of a path, as it counts their iterations; an array of this one row."""
    return np.zeros(1, dtype=SEARCH)


@kernel
def equilibrium(model, state, time, tolerances, work, searches):
    """Find the equilibrium downhill of the state's pose at `time`; returns a status."""
    search = searches[0]
    begin_search(model, search)
    for _ in range(tolerances.maximum_iterations):
        status = iterate(model, state, time, tolerances, work, search)
        if status != SEARCHING:
            return status
    return TOO_MANY_ITERATIONS


@kernel(internal=True)
def begin_search(model, search):
    _reset(search, FIRST_RADIUS * model.length_scale)


@kernel(internal=True)
def iterate(model, state, time, tolerances, work, search):
    """One look at the state's pose, and a step from it or back: a status, or SEARCHING."""
    energy, largest = assemble(model, state, time, work, 0.0, 1.0, search.geometric_factor)
    error = unbalanced_force(model, work)
    drift, rounded = constraint_residual(model, state, work.constraint)
    enough = tolerances.force_tolerance * largest
    enough += force_floor(model, state, largest, search.stiffest)
    if drift <= DRIFT + rounded and error <= enough and error < math.inf:
        if search.accepts:
            search.switched = accept(model, state)
        return OK
    potential = energy + _joint_work(model, state, work)
    failed = _step_failed(search, error, drift, potential - load_work(model, work))
    if search.length > 0.0 and failed:
        go_back(state, work)
        _shorten(search)
    else:
        _keep_step(search, error, drift)
        change, search.slipping = freeze_friction(model, state.memory, state.contact_results)
        search.potential = potential + change
        _prepare(model, work, search)
        solved = solve_step(model, work)  # here: a level more would be compiled with it
        failed = not (solved and _useful(model, work, search, DRIFT + rounded))
        if not failed:
            take_step(model, state, work, search.reaction_scale)
    if failed and not _ease(search):
        return SINGULAR
    return SEARCHING


@kernel(internal=True)
def _reset(search, radius):
    search.radius = radius
    search.closing_share = 1.0
    search.regularization = 0.0
    search.stiffest = 1.0
    search.geometric_factor = 1.0
    search.without_geometric = False
    search.load_factor = 1.0
    search.length = 0.0
    search.error = math.inf
    search.drift = math.inf
    search.potential = math.inf
    search.least_error = math.inf
    search.slipping = False
    search.stalled = 0


@kernel(internal=True)
def _step_failed(search, error, drift, potential):
    """Whether the step on trial brought nothing."""
    needed = 1.0 - 0.5 * search.closing_share**2  # a short step need not do as well as a whole one
    closing = search.drift > OPEN_JOINT and drift < needed * search.drift
    failed = not (closing or potential < search.potential or error < 0.9 * search.error)
    if search.slipping and error > 0.9 * search.least_error:
        search.stalled += 1
    if search.stalled > PATIENCE:  # two sides of a slip that reverses, each downhill of the other
        search.stalled = 0
        return True
    return failed


@kernel(internal=True)
def _shorten(search):
    """After a step that brought nothing. One that closes joints is the least already: no more σ."""
    if search.drift > OPEN_JOINT:
        search.closing_share *= 0.25
        search.without_geometric = False
    else:
        search.radius = 0.25 * search.length


@kernel(internal=True)
def _keep_step(search, error, drift):
    """Let the pose stand, and trust longer steps if a step led to it."""
    if search.length > 0.0:
        if search.drift > OPEN_JOINT:
            search.closing_share = min(2.0 * search.closing_share, 1.0)
        longer = min(2.0 * search.length, 4.0 * search.radius)
        search.radius = max(search.radius, longer)
        search.regularization *= 0.1
    search.least_error = min(error, search.least_error)
    search.error = error
    search.drift = drift
    search.iterations += 1


@kernel(internal=True)
def _prepare(model, work, search):
    """The system of Newton's step from the pose that stands: regularised, with a right side."""
    stiffest = _scale_joints(model, work)
    least = max(SMALLEST_REGULARIZATION * stiffest, least_regularization(model, search.error))
    _regularize(model, work, max(search.regularization, least))
    fill_right(model, work, search.load_factor, stiffest)
    search.stiffest = stiffest
    search.without_geometric = search.geometric_factor == 0.0


@kernel(internal=True)
def _useful(model, work, search, idle_length):
    """Whether to take the step that was solved for, which is cut to what is trusted."""
    length = _step_length(model, work)
    closing = search.drift > OPEN_JOINT
    runaway = closing and search.load_factor > 0.0 and length > max(search.radius, search.drift)
    search.reaction_scale = search.load_factor * search.stiffest
    search.load_factor = 0.0 if runaway else 1.0
    moves = length > 10.0 * search.drift + idle_length  # more than joints that close the last bit
    if runaway or (not closing and moves and _gain(work) <= 0.0):
        # Without the loads it is another step.
        search.without_geometric = search.without_geometric and not runaway
        return False
    cut = search.closing_share if closing else search.radius / max(length, search.radius)
    if cut < 1.0:
        _cut_step(work, cut)
        length = cut * length if closing else search.radius
    search.length = length
    search.geometric_factor = 1.0
    return True


@kernel(internal=True)
def _ease(search):
    """After a failure: without the turning of forces, then with more σ; False if there is no more.

    The pose that stands is assembled anew.
    """
    search.rejected += 1
    if search.without_geometric:
        least = 100.0 * SMALLEST_REGULARIZATION * search.stiffest
        search.regularization = max(10.0 * search.regularization, least)
    search.geometric_factor = 0.0
    search.length = 0.0
    return search.regularization <= 1e6 * search.stiffest


@kernel(internal=True)
def _joint_work(model, state, work):
    """λ·c: what open joints add to the potential."""
    total = 0.0
    for i in range(model.constraint_count):
        total += state.multipliers[i] * work.constraint[i]
    return total


@kernel(internal=True)
def _gain(work):
    """Work of the unbalanced forces along the step: what the potential falls by at first."""
    total = 0.0
    for body in range(1 + rank(), work.step.shape[0], team_size()):
        for i in range(work.step.shape[1]):
            total += work.force[body, i] * work.step[body, i]
    return team_sum(total)


@kernel(internal=True)
def _cut_step(work, factor):
    """Shorten the motion; the joints' reactions are known at once and are not shortened."""
    for body in range(1 + rank(), work.step.shape[0], team_size()):
        for i in range(work.step.shape[1]):
            work.step[body, i] *= factor
    wait()


@kernel(internal=True)
def _scale_joints(model, work):
    """Bring the rows of the joints to the size of the stiffest diagonal, which is returned.

    Three coordinates of a body count: in space its rotations, in N·m, are left out.
    """
    coordinates = work.step.shape[1]
    size = coordinates * model.core_count
    places = model.elimination.places
    stiffest = 1.0
    for i in range(rank(), size, team_size()):
        if i % coordinates < 3:
            stiffest = max(stiffest, abs(work.core[place_of(places, i, i)]))
    for leaf in range(rank(), model.mass.shape[0] - 1 - model.core_count, team_size()):
        for i in range(3):
            stiffest = max(stiffest, abs(work.leaf[leaf, i, i]))
    stiffest = team_largest(stiffest)
    for e in range(model.constraint_count):
        for i in range(rank(), size, team_size()):
            work.core[place_of(places, size + e, i)] *= stiffest
            work.core[place_of(places, i, size + e)] *= stiffest
    wait()
    return stiffest


@kernel(internal=True)
def _regularize(model, work, amount):
    target = target_of(model, work, 0.0, 0.0)
    for body in range(1 + rank(), work.step.shape[0], team_size()):
        for i in range(work.step.shape[1]):
            add_to_body(target, body, i, i, amount * weight(model, body, i) ** 2)
    wait()


@kernel(internal=True)
def _step_length(model, work):
    """Largest displacement of the step, turning as a displacement at its weight."""
    length = 0.0
    for body in range(1 + rank(), work.step.shape[0], team_size()):
        for i in range(work.step.shape[1]):
            length = max(length, abs(work.step[body, i]) * weight(model, body, i))
    return team_largest(length)
