"""Whether a loop in time is slow enough to be the loop of a catalogue.

What matters is measured and not guessed: the same loop is walked through equilibria, which costs
little, and stiffness, lost motion and backlash of both are compared. Friction by sliding velocity
has no part in equilibria and changes all three. Where there is some, the torque that the output's
inertia takes while stiffness is read is held against the peak torque instead.
"""

import math

import numpy as np

from flank.analyses.loop import STAGES, Loop, shortest_quasi_static_stage
from flank.machines.base import Reducer

LARGEST_SWING = 0.01
"""Swing of the output at the points where lost motion is read, as a share of it."""

RATE_EFFECTS = {"torsional stiffness": 0.02, "lost motion": 0.05, "backlash": 0.05}
"""Shares by which a loop in time may differ from equilibria. Slow loops differ by less than 1 % and
2 %; beyond these a figure is no longer good to the two digits of a catalogue."""

LARGEST_INERTIA = 0.02
"""Of the peak torque: what the output's inertia may take of it while stiffness is read."""

LEAST_TWIST = 0.04
"""Of the twist between both peaks: what lost motion and backlash are compared with at least. So
0.2 % of the twist is never taken for a rate effect."""


def ramp_warnings(
    machine: Reducer, loop: Loop, still: Loop | None, duration: float, rubs: bool
) -> list[str]:
    """That inertia shows in a loop whose stages last `duration`; `still` is that of equilibria.

    `rubs` says that friction acts by sliding velocity.
    """
    if still is None:
        return [
            "Whether the ramp is slow enough is not known: no equilibria were found to compare to."
        ]
    found = _rate_effects(machine, loop, still, duration, rubs)
    swing = loop.swing()
    if swing > LARGEST_SWING * abs(loop.lost_motion()):
        found.append(
            "The output still swings where lost motion is read, by "
            f"{_over(swing, loop.lost_motion())} of it: use slower ramps or more damping."
        )
    return found


def _rate_effects(
    machine: Reducer, loop: Loop, still: Loop, duration: float, rubs: bool
) -> list[str]:
    limit = shortest_quasi_static_stage(
        machine.output_inertia, still.backlash(), machine.rated_torque
    )
    inertia = inertial_share(loop, machine.output_inertia, duration)
    seen = _inertia_seen(inertia) if rubs else _changes_seen(loop, still)
    if duration > limit and not seen:
        return []
    sentence = f"The ramp is too fast to be quasi-static: a stage lasts {duration:.3g} s{seen}"
    if duration <= limit:
        sentence += f"; it should last more than {limit:.3g} s for the play to be crossed in time"
    return [f"{sentence}. Use a longer stage_duration, or the static mode."]


def _inertia_seen(share: float) -> str:
    return f", and inertia takes {share:.1%} of the torque" if share > LARGEST_INERTIA else ""


def _changes_seen(loop: Loop, still: Loop) -> str:
    changed = [
        f"{name} by {change:.2g} times" if change >= 10 else f"{name} by {change:.1%}"
        for name, change in _changes(loop, still).items()
        if change > RATE_EFFECTS[name]
    ]
    return f", and inertia changes {', '.join(changed)} against equilibria" if changed else ""


def _changes(loop: Loop, still: Loop) -> dict[str, float]:
    """What differs between a loop and that of equilibria, as shares of the latter."""
    if math.isinf(still.stiffness()):
        return {}
    twist = LEAST_TWIST * float(np.ptp(still.angle))
    pairs = {
        "torsional stiffness": (loop.stiffness(), still.stiffness(), 0.0),
        "lost motion": (loop.lost_motion(), still.lost_motion(), twist),
        "backlash": (loop.backlash(), still.backlash(), twist),
    }
    return {
        name: abs(moving - true) / max(abs(true), least)
        for name, (moving, true, least) in pairs.items()
    }


def inertial_share(loop: Loop, inertia: float, duration: float) -> float:
    """J θ̈ of the output (rms) over the peak torque, where the stiffness is read."""
    between = len(STAGES) * duration / (len(loop.angle) - 1)
    acceleration = np.diff(loop.angle, 2) / between**2
    peak = np.abs(loop.torque).max()
    read = np.abs(loop.torque[1:-1]) >= loop.fit_from * peak
    return float(inertia * np.sqrt(np.mean(acceleration[read] ** 2)) / peak)


def _over(part: float, whole: float) -> str:
    return f"{part / abs(whole):.1%}" if whole else "more than all"
