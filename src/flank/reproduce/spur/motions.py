"""What the text says of Figs. 10 to 13, as numbers: two motions at a frequency, and their teeth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from flank.analyses.rolling_dwell import Dwelled
from flank.analyses.two_states import DIFFERENT
from flank.reproduce.spur.computing import PAPER

Dwelling = Mapping[tuple[str, float, str], Dwelled]

FIRST, SECOND = "no tip edges, damping 5 %", "all three"
"""Cases that are looked at near the natural frequency and near its half."""

VIBRATING = "bodies vibrate, all three"

HARMONICS = 4
"""Orders that the text sees on the lower branch near half of the natural frequency."""


def numbers_of_motions(dwelling: Dwelling) -> dict[str, Any]:
    """Reached from above is the upper branch, where there are two."""
    published = PAPER.published
    primary, secondary = published["primary"], published["secondary"]
    first, low = (dwelling[FIRST, primary, side] for side in ("above", "below"))
    second, low_second = (dwelling[SECOND, secondary, side] for side in ("above", "below"))
    same_case = dwelling[SECOND, primary, "above"]
    vibrating = dwelling[VIBRATING, secondary, "above"]
    return {
        "two_states": DIFFERENT,
        "states_ratio_primary": first.rms / low.rms,
        "apart_primary": first.apart,
        "count_primary": first.losses,
        "harmonic_primary": first.order(1) / first.order(2),
        "lower_count_primary": low.losses,
        "lower_harmonic_primary": low.order(1) / low.order(2),
        "lower_entry_primary": entry_peak(low),
        "entry_ratio_primary": coming_force(first) / coming_force(low),
        "force_ratio_primary": _peak_force(first) / _peak_force(low),
        "states_ratio_secondary": second.rms / low_second.rms,
        "count_secondary": second.losses,
        "harmonic_secondary": second.order(2) / second.order(1),
        "lower_count_secondary": low_second.losses,
        "lower_beyond_secondary": beyond(low_second, HARMONICS),
        "between_secondary": between_orders(vibrating),
        "peak_force_secondary": _peak_force(second) / _peak_force(same_case),
    }


def _peak_force(dwell: Dwelled) -> float:
    return float(dwell.forces.max())


def entry_peak(dwell: Dwelled) -> float:
    """The largest force of a tooth in the quarter of a cycle in which it comes into contact, over
    the least in the quarter after that; the largest of all teeth that pass."""
    quarter = dwell.record.shape[1] // 4
    found = []
    for force in dwell.forces.T:
        loaded = np.flatnonzero(force > 0)
        if len(loaded) and 0 < loaded[0] < len(force) - 2 * quarter:
            begin = int(loaded[0])
            after = force[begin + quarter : begin + 2 * quarter].min()
            found.append(force[begin : begin + quarter].max() / max(after, 1e-9 * force.max()))
    return max(found, default=np.nan)


def coming_force(dwell: Dwelled) -> float:
    """N, the largest force that a tooth has in the second step after it has come into contact."""
    forces = dwell.forces.T
    begins = [int(np.argmax(force > 0)) for force in forces]
    return max(
        float(force[begin + 1])
        for force, begin in zip(forces, begins, strict=True)
        if 0 < begin < len(force) - 1
    )


def beyond(dwell: Dwelled, orders: int) -> float:
    """The largest whole order above so many, over the largest of those."""
    cycles = len(dwell.record)
    whole = dwell.amplitudes[cycles - 1 :: cycles]
    return float(whole[orders:].max() / whole[:orders].max())


def between_orders(dwell: Dwelled) -> float:
    """The largest amplitude at no whole order, over the largest at one."""
    numbers = np.arange(1, len(dwell.amplitudes) + 1)
    whole = numbers % len(dwell.record) == 0
    return float(dwell.amplitudes[~whole].max() / dwell.amplitudes[whole].max())
