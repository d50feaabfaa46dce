"""Newton's step of a time step: by a tangent of its own, or by factors that are kept."""

from flank.dynamics.elimination import IN_ORDER, NOT_SOLVED, substitute_in_order
from flank.dynamics.kept_tangent import HOW, KEEPING, RENEWED, STEP, KeptWorkspace
from flank.dynamics.linear import substitute, substitute_planar_leaves
from flank.dynamics.motion import eliminate, solve_step, spread_step
from flank.kernel import KernelByType, kernel


@kernel(internal=True)
def _anew(work, model, _h):
    return solve_step(model, work)


@kernel(internal=True)
def _by_kept_factors(work, model, h):
    kept = work.kept
    if kept[KEEPING] == 0.0:
        kept[HOW] = eliminate(model, work)
        kept[STEP] = h if kept[HOW] != NOT_SOLVED else 0.0
        kept[RENEWED] += 1.0
        if kept[HOW] == NOT_SOLVED:
            return False
        kept[KEEPING] = 1.0
        return spread_step(model, work)
    substitute_planar_leaves(model, work)
    size = 3 * model.core_count + model.constraint_count
    if kept[HOW] == IN_ORDER:
        substitute_in_order(model.elimination, work.core, work.right, size)
    else:
        substitute(work.kept_core, work.pivots, work.right, size)
    return spread_step(model, work)


newton_step = KernelByType({KeptWorkspace: _by_kept_factors}, _anew)
"""(work, model, h): solve the assembled system; False if it is singular."""
