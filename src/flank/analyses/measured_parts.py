"""What measured parts of a machine deviate from their nominal ones, as quantities of a result."""

import numpy as np

from flank.analyses.quantities import Declarations, Declared, Values
from flank.machines.base import HasMeasuredParts, Machine

FITTED = {
    "turned": Declared("Points turned by", "rad", "deg", "measured_disc"),
    "centre_x": Declared("Centre, x", "m", "um", "measured_disc"),
    "centre_y": Declared("Centre, y", "m", "um", "measured_disc"),
    "deviation_mean": Declared("Deviation, mean", "m", "um", "measured_disc"),
    "deviation_rms": Declared("Deviation, rms", "m", "um", "measured_disc"),
    "deviation_largest": Declared("Deviation, largest", "m", "um", "measured_disc"),
}

OFF = {
    "pin_radius": Declared("Radius, off by", "m", "um", "measured_pin"),
    "pin_radial": Declared("Outward, off by", "m", "um", "measured_pin"),
    "pin_tangential": Declared("Tangentially, off by", "m", "um", "measured_pin"),
}

POINTS: Declarations = {
    "point_disc": Declared("Disc of a measured point", over="flank_point"),
    "point_angle": Declared("Angle around the disc", "rad", "deg", "flank_point"),
    "point_deviation": Declared("Deviation from the nominal flank", "m", "um", "flank_point"),
}
"""Positive stands out of the nominal flank."""

DECLARED: Declarations = {
    **{f"flank_{name}": declared for name, declared in FITTED.items()},
    **{f"measured_{name}": declared for name, declared in OFF.items()},
    **POINTS,
}

COORDINATES: Declarations = {
    "measured_disc": Declared("Measured disc", over="measured_disc"),
    "measured_pin": Declared("Measured pin", over="measured_pin"),
}

TABLES = {
    "Measured flanks": ("measured_disc", *(f"flank_{name}" for name in FITTED)),
    "Measured pins": ("measured_pin", *(f"measured_{name}" for name in OFF)),
}


def measured_values(machine: Machine) -> Values:
    """Of the parts of a machine that were measured; nothing where none are."""
    if not isinstance(machine, HasMeasuredParts):
        return {}
    values: Values = {}
    known = [
        (number, flank, flank.fit)
        for number, flank in enumerate(machine.measured_flanks(), start=1)
        if flank.fit is not None
    ]
    if known:
        angles, deviations = zip(*(flank.deviations() for _, flank, _ in known), strict=True)
        numbers = [np.full(len(angle), k) for (k, _, _), angle in zip(known, angles, strict=True)]
        values |= {
            "measured_disc": [number for number, _, _ in known],
            "flank_turned": [fit.placement.angle for _, _, fit in known],
            "flank_centre_x": [fit.placement.x for _, _, fit in known],
            "flank_centre_y": [fit.placement.y for _, _, fit in known],
            "flank_deviation_mean": [fit.mean for _, _, fit in known],
            "flank_deviation_rms": [fit.rms for _, _, fit in known],
            "flank_deviation_largest": [fit.largest for _, _, fit in known],
            "point_disc": np.concatenate(numbers),
            "point_angle": np.concatenate(angles),
            "point_deviation": np.concatenate(deviations),
        }
    errors = machine.measured_pin_errors()
    if errors:
        values |= {f"measured_{kind}": off for kind, off in errors.items()}
        values["measured_pin"] = np.arange(1, len(next(iter(errors.values()))) + 1)
    return values
