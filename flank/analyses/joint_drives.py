"""What drives a joint at its start, and later, with time counted from then."""

import numpy as np

from flank.dynamics.functions import Function, constant, linear
from flank.dynamics.tables import CONSTANT, LINEAR, RISE, RUN_UP, TABLE
from flank.machines.cv_joint.assembly import JointDrive


def begun(drive: JointDrive) -> JointDrive:
    """Everything held as it is at time zero; an inner race that is free is held in the middle."""
    plunge = constant(0.0) if drive.plunge is None else value_at_start(drive.plunge)
    return JointDrive(
        rotation=value_at_start(drive.rotation),
        torque=value_at_start(drive.torque),
        deflection=value_at_start(drive.deflection),
        plunge=plunge,
    )


def delayed(drive: JointDrive, time: float) -> JointDrive:
    """The same drive with time counted from `time`, when what rises has risen."""
    return JointDrive(
        rotation=later(drive.rotation, time),
        torque=later(drive.torque, time),
        deflection=later(drive.deflection, time),
        plunge=None if drive.plunge is None else later(drive.plunge, time),
    )


def risen_after(drive: JointDrive) -> float:
    """The time from which on nothing rises or runs up any more."""
    functions = (drive.rotation, drive.torque, drive.deflection, drive.plunge)
    return max(one.duration for one in functions if one is not None)


def value_at_start(function: Function) -> Function:
    """Its value at time zero, for good."""
    if function.kind == TABLE:
        times, values = np.transpose(function.points)
        return constant(float(np.interp(0.0, times, values)))
    return constant(function.offset)


def later(function: Function, time: float) -> Function:
    """The function with time counted from `time`, not before its smooth start is over."""
    if function.kind == CONSTANT or time == 0:
        return function
    if function.kind == LINEAR:
        return linear(function.scale, function.offset + function.scale * time)
    if function.kind == TABLE:
        moved = tuple((moment - time, value) for moment, value in function.points)
        return Function(TABLE, points=moved)
    if time < function.duration:
        raise ValueError(f"the smooth start takes {function.duration:.4g} s; cut the run after it")
    if function.kind == RISE:
        return constant(function.offset + function.scale)
    assert function.kind == RUN_UP
    half = 0.5 * function.duration
    return linear(function.scale, function.offset + function.scale * (time - half))
