"""The kinds of errors of an RV reducer: those of its cranks, and of pins and profiles."""

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
        "pin_radius": ErrorKind("radius of a pin", ("pin",), 1e-6),
        "pin_radial": ErrorKind("pin position outward", ("pin",), 4e-6),
        "pin_tangential": ErrorKind("pin position along", ("pin",), 4e-6),
        "equidistant": ErrorKind("equidistant modification", ("disc",), 3e-6),
        "radial": ErrorKind("radial modification", ("disc",), 3e-6),
        "angular": ErrorKind(
            "rotation of the profile on its disc", ("disc",), 10 * ARCSECOND, "rad"
        ),
    }
)

if TYPE_CHECKING:  # a type checker cannot read classes made from a table

    class ErrorsSpec(DrawnErrors):
        """Errors of every kind, by instance."""

    class TolerancesSpec(Spec):
        """Drawing tolerances of every kind."""

else:
    ErrorsSpec, TolerancesSpec = errors_spec(KINDS, __name__), tolerances_spec(KINDS, __name__)
