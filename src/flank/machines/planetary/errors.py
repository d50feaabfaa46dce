"""The deviations of a planetary gearbox that a drawing tolerates.

An eccentricity is half the run-out; its direction is an angle in the gear's own frame, in which a
tooth of the sun stands at zero.
"""

from flank.machines.error_kinds import ErrorKind, ErrorsSpec, TolerancesSpec

PLANET = ("planet",)

KINDS: dict[str, ErrorKind] = {
    "pin_tangential": ErrorKind("tangential position of the pin of {}", PLANET, 20e-6),
    "pin_radial": ErrorKind("radial position of the pin of {}", PLANET, 20e-6),
    "planet_eccentricity": ErrorKind("eccentricity of {}", PLANET, 15e-6),
    "planet_eccentricity_direction": ErrorKind(
        "direction of the eccentricity of {}", PLANET, 0.0, "rad", direction=True
    ),
    "sun_eccentricity": ErrorKind("eccentricity of the sun", (), 12e-6),
    "sun_eccentricity_direction": ErrorKind(
        "direction of the sun's eccentricity", (), 0.0, "rad", direction=True
    ),
    "ring_eccentricity": ErrorKind("eccentricity of the ring", (), 20e-6),
    "ring_eccentricity_direction": ErrorKind(
        "direction of the ring's eccentricity", (), 0.0, "rad", direction=True
    ),
    "planet_thickness": ErrorKind("tooth thickness of {}", PLANET, 20e-6),
    "sun_thickness": ErrorKind("tooth thickness of the sun", (), 20e-6),
    "ring_thickness": ErrorKind("tooth thickness of the ring", (), 25e-6),
}
"""Tolerances are assumed, of the size that drawings give run-outs and thicknesses of ground gears
with a module of some millimetres."""


class PlanetaryErrorsSpec(ErrorsSpec, kinds=KINDS):
    """Errors of every kind, by instance."""


class PlanetaryTolerancesSpec(TolerancesSpec, kinds=KINDS):
    """Drawing tolerances of every kind."""
