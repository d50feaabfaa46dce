"""What speaks against relying on a run in time: long steps, an input that stops."""

import math

from flank.machines.base import Transmission

STEPS_PER_PERIOD = 10
"""Steps that the fastest order of a machine should have in one period."""

STRAY = 0.1
"""How far the mean speed of a free input may be off the one it was started at."""


def coarse_step_warnings(machine: Transmission, step: float, speed: float) -> list[str]:
    """That steps are too long for the fastest order of the machine."""
    name, order = max(machine.orders.items(), key=lambda item: item[1])
    period = 2 * math.pi / (order * abs(speed)) if speed else math.inf
    if step * STEPS_PER_PERIOD <= period:
        return []
    return [
        f"The step of {step * 1e3:.3g} ms does not resolve the {name} order, whose period is "
        f"{period * 1e3:.3g} ms at the initial speed; use at most "
        f"{period / STEPS_PER_PERIOD * 1e3:.3g} ms."
    ]


def slowed_input_warnings(found: float, started: float) -> list[str]:
    """That the torques of the operating point do not keep the machine running."""
    if abs(found - started) <= STRAY * abs(started):
        return []
    rpm = 30 / math.pi
    return [
        f"The input turns at {found * rpm:.4g} rpm on average, not at the {started * rpm:.4g} rpm "
        "it was started at: the torques that balance without friction do not keep it going. Give "
        "torques, or set drive to 'speed'."
    ]
