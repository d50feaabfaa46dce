"""How a run ended, as a number for kernels and as a sentence for people."""

from enum import IntEnum

OK, NO_CONVERGENCE, SINGULAR, TOO_MANY_ITERATIONS, PUSHED_THROUGH, OPEN_JOINT, UNSTABLE = range(7)


class Status(IntEnum):
    """Members carry the sentence that a result shows; each failure names a remedy."""

    OK = OK
    NO_CONVERGENCE = NO_CONVERGENCE
    SINGULAR = SINGULAR
    TOO_MANY_ITERATIONS = TOO_MANY_ITERATIONS
    PUSHED_THROUGH = PUSHED_THROUGH
    OPEN_JOINT = OPEN_JOINT
    UNSTABLE = UNSTABLE

    @property
    def sentence(self) -> str:
        return SENTENCES[self]


SENTENCES = {
    Status.OK: "Completed.",
    Status.NO_CONVERGENCE: (
        "Newton's iteration did not converge in the smallest time step allowed: "
        "use a smaller step, or add contact damping."
    ),
    Status.SINGULAR: (
        "The equations became singular: a body can move freely or is held twice; "
        "check joints, bearings and clearances."
    ),
    Status.TOO_MANY_ITERATIONS: (
        "No equilibrium was found, also by way of larger loads: "
        "check that the load can be carried at all, or use finer steps on the way to it."
    ),
    Status.PUSHED_THROUGH: (
        "A contact was pushed in by more than a tenth of its circle, which no contact law covers: "
        "use a smaller time step or more contact damping, or check the load."
    ),
    Status.OPEN_JOINT: (
        "A joint is open where the run starts, and closing it would throw the bodies: "
        "start from an equilibrium, or place them so that points and axes meet."
    ),
    Status.UNSTABLE: (
        "The motion grew beyond all bounds: the step is too long for an explicit method; use a "
        "shorter one, or the method 'generalized-alpha'."
    ),
}
