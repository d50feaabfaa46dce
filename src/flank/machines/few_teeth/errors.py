"""The kinds of errors of a few-teeth reducer: those of its cranks, and of discs' and ring's teeth.

A toothing off its axis is the first harmonic of accumulated pitch deviations; x points from the
axis to the first crank hole of a disc, and to the first crank at the start for the ring.
"""

from typing import TYPE_CHECKING

from flank.machines.crank_reducer.errors import CRANK_KINDS
from flank.machines.error_kinds import (
    ARCSECOND,
    DrawnErrors,
    ErrorKind,
    errors_spec,
    numbered_from_zero,
    tolerances_spec,
)
from flank.machines.spec import Spec

KINDS = CRANK_KINDS | numbered_from_zero(
    {
        "tooth_thickness": ErrorKind("tooth thickness of a disc", ("disc",), 6e-6),
        "ring_thickness": ErrorKind("tooth thickness of the ring", (), 6e-6),
        "toothing_x": ErrorKind("run-out of a disc's teeth along x", ("disc",), 5e-6),
        "toothing_y": ErrorKind("run-out of a disc's teeth along y", ("disc",), 5e-6),
        "ring_x": ErrorKind("ring off the carrier's axis along x", (), 5e-6),
        "ring_y": ErrorKind("ring off the carrier's axis along y", (), 5e-6),
        "angular": ErrorKind(
            "rotation of the teeth on their disc", ("disc",), 10 * ARCSECOND, "rad"
        ),
    }
)
"""The tolerances of the teeth are assumed: ground teeth, finer than quality 5 of ISO 1328."""

if TYPE_CHECKING:  # a type checker cannot read classes made from a table

    class ErrorsSpec(DrawnErrors):
        """Errors of every kind, by instance."""

    class TolerancesSpec(Spec):
        """Drawing tolerances of every kind."""

else:
    ErrorsSpec, TolerancesSpec = errors_spec(KINDS, __name__), tolerances_spec(KINDS, __name__)
