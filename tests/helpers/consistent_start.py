"""The start of a run by itself, which solvers make in the kernel that marches."""

from flank.dynamics.consistent import make_consistent, note_start
from flank.kernel import kernel


@kernel
def start_consistently(model, state, time, work):
    status = make_consistent(model, state, time, work)
    note_start(model, state, time, work)
    return status
