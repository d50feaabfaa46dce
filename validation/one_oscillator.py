"""One mass on teeth, by Runge-Kutta: a witness for jumps that knows nothing of the engine.

With mass, mean stiffness and static deflection one, and f the mesh frequency over the natural one,

    ẍ + d + p = 1,   p = κ(f t) x in contact, κ (x + j) at the other flank, else 0,   d = 2 ζ ẋ.

The damper acts always, or in contact only, where it never makes teeth pull.
"""

from typing import NamedTuple

import numba
import numpy as np

from flank.arrays import Floats

FAR = 1e9
"""A backlash over the static deflection at which there is no other flank."""

PLACES = 4000
"""Of a mesh period at which its stiffness is known."""

STEPS = 400
"""Of Runge-Kutta in a mesh period."""


class Sweep(NamedTuple):
    """Mesh frequencies over the natural one, lowest first, and how long at each in mesh periods."""

    lowest: float = 0.25
    highest: float = 1.1
    step: float = 0.0125
    settling: int = 150
    looked_at: int = 20

    @property
    def ratios(self) -> Floats:
        count = round((self.highest - self.lowest) / self.step) + 1
        return np.linspace(self.lowest, self.highest, count)


class Jumps(NamedTuple):
    """Where the rising and the falling sweep change most, halfway between two speeds."""

    up: float
    down: float


def jumps(
    stiffness: Floats,
    damping: float,
    always: bool,
    backlash: float = FAR,
    sweep: Sweep = Sweep(),  # noqa: B008
) -> Jumps:
    """Of a stiffness over a mesh period, whatever its mean, and a damping ratio."""
    ratios, relative = sweep.ratios, stiffness / stiffness.mean()
    found = []
    for speeds in (ratios, ratios[::-1].copy()):
        periods = sweep.settling, sweep.looked_at
        rms = _swept(relative, speeds, damping, always, backlash, *periods)
        place = int(np.argmax(np.abs(np.diff(rms))))
        found.append(float(speeds[place : place + 2].mean()))
    return Jumps(*found)


@numba.njit(cache=False)  # type: ignore[untyped-decorator]
def _acceleration(x, v, stiffness, damping, always, backlash):  # type: ignore[no-untyped-def]
    force = 0.0
    if x > 0.0:
        force = stiffness * x
    elif x < -backlash:
        force = stiffness * (x + backlash)
    damped = force + 2.0 * damping * v
    if always:
        return 1.0 - damped
    if force * damped <= 0.0:  # apart, or parting so fast that teeth would pull
        return 1.0
    return 1.0 - damped


@numba.njit(cache=False)  # type: ignore[untyped-decorator]
def _swept(stiffness, ratios, damping, always, backlash, settling, looked_at):  # type: ignore[no-untyped-def]
    """Root of the mean square of the vibration at every speed, each from where the last ended."""
    count = len(stiffness)
    x, v = 1.0, 0.0
    rms = np.zeros(len(ratios))
    for number, ratio in enumerate(ratios):
        h = 2.0 * np.pi / ratio / STEPS
        total = squares = 0.0
        for period in range(settling + looked_at):
            for i in range(STEPS):
                place = i / STEPS * count
                half = 0.5 / STEPS * count
                k0 = stiffness[int(place) % count]
                k1 = stiffness[int(place + half) % count]
                k2 = stiffness[int(place + 2.0 * half) % count]
                a0 = _acceleration(x, v, k0, damping, always, backlash)
                v1 = v + 0.5 * h * a0
                a1 = _acceleration(x + 0.5 * h * v, v1, k1, damping, always, backlash)
                v2 = v + 0.5 * h * a1
                a2 = _acceleration(x + 0.5 * h * v1, v2, k1, damping, always, backlash)
                v3 = v + h * a2
                a3 = _acceleration(x + h * v2, v3, k2, damping, always, backlash)
                x += h / 6.0 * (v + 2.0 * v1 + 2.0 * v2 + v3)
                v += h / 6.0 * (a0 + 2.0 * a1 + 2.0 * a2 + a3)
                if period >= settling:
                    total += x
                    squares += x * x
        seen = looked_at * STEPS
        rms[number] = np.sqrt(max(squares / seen - (total / seen) ** 2, 0.0))
    return rms
