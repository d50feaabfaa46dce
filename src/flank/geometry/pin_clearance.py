"""The least clearance of a cycloid disc among pins that are not where they should be.

With the crank at θ the normal at the pin that stands at the angle γ passes through the point e z_p
from the centre in the direction θ. With φ = γ - θ, K1 = e z_p/R and S = 1 + K1² - 2 K1 cos φ a pin
of another radius Δr, moved outward by a and along the circle by b, has its gap changed by

    -Δr + [a (1 - K1 cos φ) + b K1 sin φ]/√S,

a disc on an eccentric that is off by Δe every gap by Δe (K1 - cos φ)/√S, as pins moved the other
way would, and a disc turned by x on its eccentric by -x e z_c sin φ/√S. The unloaded disc turns to
where the tightest pin has most room; the least of that over a turn of the crank is what a drive
with these pins has. Without errors that is `findings.smallest_clearance`. All to first order.

A disc that is not as generated has at its flank's parameter t, which the pin at γ touches at
t = γ + θ/z_c, so much less material, and every gap is larger by that.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from flank.arrays import Floats
from flank.geometry.curve import evaluate
from flank.geometry.cycloid import Cycloid

CRANK_ANGLES_PER_PIN = 8
"""Crank angles looked at while one pin passes."""

BISECTIONS = 40
"""Of the disc's turn: from the widest of gaps to far below a nanometre."""


SAMPLES_PER_LOBE = 2000
"""Of the nominal flank, to which measured points are referred."""

EQUALLY_TIGHT = 1e-9
"""m: pins that differ by less are equally tight, and the first of them is named."""


Removed = Callable[[Floats], Floats]
"""Material in m that a flank lacks against the generated one, by its parameter in rad."""


class PinRing(NamedTuple):
    """Pins as they are: radii, and how far each is off its place, in m."""

    circle_radius: float
    radius: Floats
    radial: Floats
    tangential: Floats


class Tightest(NamedTuple):
    """The least clearance in m, negative for interference, and the index of its pin, from 0."""

    clearance: float
    pin: int


def tightest_pin(
    profile: Cycloid,
    ring: PinRing,
    play: float | Floats = 0.0,
    eccentricity_error: float = 0.0,
    removed: Removed | None = None,
) -> Tightest:
    """Where the disc has least room, `play` being the radial freedom of pins in their grooves and
    `removed` what is missing of the flank."""
    steps = CRANK_ANGLES_PER_PIN * profile.pins
    places = 2 * math.pi * np.arange(profile.pins) / profile.pins
    cranks = 2 * math.pi * np.arange(steps) / steps
    phase = places[None, :] - cranks[:, None]
    k1 = profile.shortening
    root = np.sqrt(1 + k1**2 - 2 * k1 * np.cos(phase))
    radial = ring.circle_radius - profile.generating_radius + ring.radial
    gap = profile.offset - ring.radius + play
    gap = gap + (radial * (1 - k1 * np.cos(phase)) + ring.tangential * k1 * np.sin(phase)) / root
    gap = gap + eccentricity_error * (k1 - np.cos(phase)) / root
    if removed is not None:
        gap = gap + removed(places[None, :] + cranks[:, None] / profile.lobes)
    room = gap - _best_turn(gap, np.sin(phase) / root)[:, None] * np.sin(phase) / root
    least = room.min(axis=0)
    # A pin that is too large presses the disc onto others, which are as tight as it is.
    alone = np.where(least <= least.min() + EQUALLY_TIGHT, gap.min(axis=0), np.inf)
    return Tightest(float(least.min()), int(np.argmax(alone <= alone.min() + EQUALLY_TIGHT)))


class FlankSamples(NamedTuple):
    """Samples of a nominal flank next to given points: the way there, parameters, rows of
    `evaluate`."""

    distance: Floats
    parameter: Floats
    rows: Floats


def nearest_on_flank(points: Floats, nominal: Cycloid) -> FlankSamples:
    """Where measured points (n, 2) are next to, to some thousandth of a lobe."""
    from scipy.spatial import cKDTree

    t = np.linspace(0.0, 2 * math.pi, SAMPLES_PER_LOBE * nominal.lobes, endpoint=False)
    flank = evaluate(nominal, t)
    distance, index = cKDTree(flank[:, :2]).query(points)
    return FlankSamples(distance, t[index], flank[index])


def removed_from(points: Floats, nominal: Cycloid) -> Removed:
    """What measured points (n, 2) lack of the nominal flank, along its normals."""
    nearest = nearest_on_flank(points, nominal)
    x, y, along_x, along_y = nearest.rows[:, :4].T
    inward = (y - points[:, 1]) * -along_x + (x - points[:, 0]) * along_y
    return lambda t: np.interp(t, nearest.parameter, inward, period=2 * math.pi)


def _best_turn(gap: Floats, lever: Floats) -> Floats:
    """Turns of the disc (crank,), in m at the unit lever, at which the least gap is largest.

    The least of straight lines has one summit; left of it the tightest gap opens with the turn.
    """
    reach = np.ptp(gap, axis=1) / np.minimum(lever.max(axis=1), -lever.min(axis=1))
    low, high = -reach, reach
    rows = np.arange(len(gap))
    for _ in range(BISECTIONS):
        middle = 0.5 * (low + high)
        tightest = np.argmin(gap - middle[:, None] * lever, axis=1)
        opens = lever[rows, tightest] < 0
        low, high = np.where(opens, middle, low), np.where(opens, high, middle)
    return np.asarray(0.5 * (low + high))
