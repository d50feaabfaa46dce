"""Sentences about turns of a joint that are right as computed and wrong to rely on."""

import math

import numpy as np

from flank.analyses.joint_quantities import Quantities
from flank.analyses.joint_runs import Turns
from flank.dynamics.functions import Function
from flank.dynamics.tables import HARMONIC
from flank.machines.cv_joint.assembly import Joint

LARGEST_PRESSURE = 4.2e9
"""Pa. ISO 76: the static limit of ball bearings of hardened steel."""

LARGEST_REMAINDER = 0.005
"""Energy that the integration may lose, over what goes through the joint."""


def joint_warnings(
    machine: Joint, seen: Turns, tolerance: float, mode: str, found: Quantities
) -> list[str]:
    """What speaks against relying on a joint's turns."""
    plunge = machine.drive().plunge
    warnings = [] if mode == "dynamic" else _static_warnings(seen, plunge)
    if seen.trajectory.complete and mode == "dynamic" and not seen.change <= tolerance:
        warnings.append(
            f"The last turn changes track forces by {seen.change:.2%} of the largest against the "
            f"one before, after {seen.turns_run} turns: {_remedy(machine, plunge)}."
        )
    remainder = _value(found, "energy_remainder")
    if abs(remainder) > LARGEST_REMAINDER:
        warnings.append(
            f"The integration lost {remainder:.2%} of the energy that goes through the joint: use "
            "a smaller step or error_tolerance."
        )
    pressure = _value(found, "peak_pressure")
    if pressure > LARGEST_PRESSURE:
        warnings.append(
            f"The Hertz pressure reaches {pressure / 1e6:.0f} MPa; even hardened steel yields "
            "above 4200 MPa (ISO 76)."
        )
    if seen.trajectory.complete and found and _value(found, "peak_window_force") == 0.0:
        warnings.append(
            "No ball touches the cage, which floats: its angle means nothing. Tracks alone hold "
            "the balls; narrow cage.window_clearance, or raise the torque."
        )
    return warnings


def _remedy(machine: Joint, plunge: Function | None) -> str:
    """More turns, unless the plunge swings out of step with them and none can repeat."""
    if plunge is not None and plunge.kind == HARMONIC:
        swings = 2 * math.pi / abs(machine.speed) / plunge.duration
        if abs(swings - round(swings)) > 1e-6 * swings:
            return (
                f"the plunge swings {swings:.4g} times in a turn, so that no turn repeats another"
            )
    return (
        "use more most_turns and, where balls chatter because friction falls with speed, more "
        "contact.damping"
    )


def _static_warnings(seen: Turns, plunge: Function | None) -> list[str]:
    model, found = seen.assembly.model, list[str]()
    if np.any(model.contacts["static_friction"][: model.counts[3]] > 0):
        found.append(
            "Friction acts through sliding velocity and has no part in equilibria; set mode to "
            "'dynamic' to see it."
        )
    if plunge is None or plunge.kind == HARMONIC:
        found.append(
            "Equilibria hold the inner race where its plunge begins; set mode to 'dynamic' to let "
            "it move along its axis."
        )
    return found


def _value(found: Quantities, name: str) -> float:
    return float(np.asarray(found[name].values)) if name in found else 0.0
