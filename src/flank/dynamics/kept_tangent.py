"""A tangent whose factors are kept from iteration to iteration, and from step to step.

Newton's iteration is as fast as it can be with the tangent of every pose. Its factors also serve
poses nearby: the iteration then converges linearly, and an iteration needs forces alone. They are
made anew where contacts open or close, where the time step changes, and where an iteration leaves
more than CONTRACTION of the unbalanced force (arXiv 2604.02387, section 4.3: "re-factorizes only
when the contact active set changes").

Which way a run goes follows from the type of its workspace, when kernels are compiled: those of
other runs have nothing of this.
"""

from typing import NamedTuple

import numpy as np

from flank.arrays import Floats, Integers
from flank.dynamics.model import CONTACTS, Model, workspace
from flank.kernel import KernelByType, kernel

CONTRACTION = 0.2
"""Share of the unbalanced force that an iteration on kept factors may leave."""

KEEPING, STEP, HOW, RENEWED = range(4)
"""In `kept`: whether assembly leaves the factors alone, the time step they are of (not positive:
there are none), what `solve_core` returned, and how often they were made."""


class KeptWorkspace(NamedTuple):
    """A Workspace of the plane, with factors in its tangent and spare arrays to assemble into."""

    force: Floats
    rotations: Floats
    core: Floats
    kept_core: Floats
    right: Floats
    pivots: Integers
    filled: Integers
    leaf: Floats
    leaf_to_core: Floats
    core_to_leaf: Floats
    leaf_right: Floats
    element: Floats
    shapes: Floats
    block: Floats
    handed: Floats
    constraint: Floats
    step: Floats
    multiplier_step: Floats
    saved: Floats
    saved_multipliers: Floats
    kept: Floats  # numbers by KEEPING ...
    closed: Integers  # (contacts): which were closed where the factors were made
    spare_core: Floats
    spare_leaf: Floats
    spare_leaf_to_core: Floats
    spare_core_to_leaf: Floats


def kept_workspace(model: Model) -> KeptWorkspace:
    work = workspace(model)
    return KeptWorkspace(
        *work,
        kept=np.zeros(4),
        closed=np.zeros(len(model.contacts), dtype=np.int64),
        spare_core=np.zeros_like(work.core),
        spare_leaf=np.zeros_like(work.leaf),
        spare_leaf_to_core=np.zeros_like(work.leaf_to_core),
        spare_core_to_leaf=np.zeros_like(work.core_to_leaf),
    )


@kernel(internal=True)
def _own_arrays(work):
    return work.core, work.leaf, work.leaf_to_core, work.core_to_leaf


@kernel(internal=True)
def _spare_arrays(work):
    if work.kept[KEEPING] != 0.0:
        return work.spare_core, work.spare_leaf, work.spare_leaf_to_core, work.spare_core_to_leaf
    return work.core, work.leaf, work.leaf_to_core, work.core_to_leaf


tangent_arrays = KernelByType({KeptWorkspace: _spare_arrays}, _own_arrays)
"""(work): where the tangent goes: core, leaf, leaf to core, core to leaf."""


@kernel(internal=True)
def _always(_work):
    return True


@kernel(internal=True)
def _where_not_kept(work):
    return work.kept[KEEPING] == 0.0


wants_tangent = KernelByType({KeptWorkspace: _where_not_kept}, _always)
"""(work): whether the tangent is used that is assembled now."""


@kernel(internal=True)
def _nothing(_work, _h):
    """Where every iteration has its own tangent."""


@kernel(internal=True)
def _begin(work, h):
    if h == 0.0:
        work.kept[STEP] = -1.0
    work.kept[KEEPING] = 1.0 if work.kept[STEP] == h else 0.0


begin_step = KernelByType({KeptWorkspace: _begin}, _nothing)
"""(work, h): before the iterations of a step of the length h, for which factors are good or not;
of the length zero before others use the workspace."""


@kernel(internal=True)
def _never(_work, _model, _state, _error, _old_error):
    return False


@kernel(internal=True)
def _is_stale(work, model, state, error, old_error):
    if work.kept[KEEPING] == 0.0:
        for k in range(model.counts[CONTACTS]):
            work.closed[k] = 1 if state.contact_results[k].normal_force > 0.0 else 0
        return False
    stale = not error <= CONTRACTION * old_error
    for k in range(model.counts[CONTACTS]):
        if (state.contact_results[k].normal_force > 0.0) != (work.closed[k] == 1):
            stale = True
            break
    if stale:
        work.kept[KEEPING] = 0.0
    return stale


stale = KernelByType({KeptWorkspace: _is_stale}, _never)
"""(work, model, state, error, error before): whether the same pose is to be assembled again, with
its tangent."""
