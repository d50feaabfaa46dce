"""Manufacturing errors of a cycloidal drive, named as the keys of its spec.

The tolerances are assumptions of the size usual for precision reducers, not of any drawing: pins
ground to 2 um in radius, their places and the discs' flanks held to 5 um, flanks turned on the disc
by no more than 5 um at the pin circle.
"""

from collections.abc import Iterator

from flank.errors import SpecError, suggestion
from flank.machines.base import ErrorParameter
from flank.machines.cycloidal.spec import CycloidalDriveSpec

PIN_TOLERANCES = {
    "radius_errors": ("radius of pin {}", 2e-6),
    "radial_errors": ("outward position of pin {}", 5e-6),
    "tangential_errors": ("tangential position of pin {}", 5e-6),
}
"""Titles and half widths in m; assumptions."""

PROFILE_TOLERANCE = 5e-6
"""Half width in m of equidistant and radial modification, and of the flank's turn; assumption."""


def cycloidal_errors(spec: CycloidalDriveSpec) -> Iterator[ErrorParameter]:
    """Errors of every pin, and of the flanks where these are generated and not measured."""
    for kind, (title, tolerance) in PIN_TOLERANCES.items():
        for pin in range(spec.pins.count):
            name = f"pins.{kind}.{pin}"
            yield ErrorParameter(name, f"pins.{kind}", title.format(pin), "m", tolerance, True)
    if spec.discs.profile == "measured":
        return
    for key in ("equidistant", "radial"):
        name = f"discs.{key}"
        title = f"{key} modification"
        yield ErrorParameter(name, name, title, "m", PROFILE_TOLERANCE, True)
    turn = PROFILE_TOLERANCE / spec.pins.circle_radius
    name, title = "discs.angular", "turn of the flanks"
    yield ErrorParameter(name, name, title, "rad", turn, True)


def with_error(spec: CycloidalDriveSpec, name: str, value: float) -> CycloidalDriveSpec:
    """The spec with one of its errors changed by `value`."""
    known = [error.name for error in cycloidal_errors(spec)]
    if name not in known:
        raise SpecError(
            f"'{name}' is not an error of this drive{suggestion(name, known)} Errors are named "
            "as keys of the spec, such as 'pins.radius_errors.3' or 'discs.equidistant'"
        )
    block, key, *pin = name.split(".")
    held = getattr(getattr(spec, block), key)
    before = held.get(int(pin[0]), 0.0) if pin else held
    return spec.with_changes({name: before + value})
