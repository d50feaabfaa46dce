"""How a run ended, as a number for kernels and as a sentence for people."""

from enum import IntEnum

OK, NO_CONVERGENCE, SINGULAR, TOO_MANY_ITERATIONS = range(4)


class Status(IntEnum):
    """Members carry the sentence that a result shows; each failure names a remedy."""

    OK = OK
    NO_CONVERGENCE = NO_CONVERGENCE
    SINGULAR = SINGULAR
    TOO_MANY_ITERATIONS = TOO_MANY_ITERATIONS

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
        "No equilibrium was found within the iterations allowed: "
        "use more load steps, or check that the load can be carried at all."
    ),
}
