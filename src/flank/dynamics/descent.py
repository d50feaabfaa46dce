"""What statics asks of a step, whatever number of coordinates a body has."""

from flank.kernel import kernel


@kernel(internal=True)
def joint_work(model, state, work):
    """λ·c: what open joints add to the potential."""
    total = 0.0
    for i in range(model.constraint_count):
        total += state.multipliers[i] * work.constraint[i]
    return total


@kernel(internal=True)
def gain(work):
    """Work of the unbalanced forces along the step: what the potential falls by at first."""
    total = 0.0
    for body in range(1, work.step.shape[0]):
        for i in range(work.step.shape[1]):
            total += work.force[body, i] * work.step[body, i]
    return total


@kernel(internal=True)
def cut_step(work, factor):
    """Shorten the motion; the joints' reactions are known at once and are not shortened."""
    for body in range(1, work.step.shape[0]):
        for i in range(work.step.shape[1]):
            work.step[body, i] *= factor
