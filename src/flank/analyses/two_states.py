"""Bands of speeds at which a sweep up and a sweep down find two states, and where they jump.

Where teeth part a vibration softens, and two motions are possible in a band of speeds below its
resonance. A rising sweep stays in one of them up to the band's upper end and a falling sweep in the
other down to its lower end; there each jumps into the state that is left.
"""

from typing import NamedTuple

import numpy as np

from flank.analyses.quantities import Declarations, Declared, Values
from flank.arrays import Flags, Floats

DIFFERENT = 1.2
"""Vibration of one sweep over that of the other, from which they are two states."""

FEWEST = 3
"""Speeds side by side with two states that make a band: a sweep lags by one or two."""

BAND_QUANTITIES: Declarations = {
    "band_count": Declared("Bands of speeds with two states"),
    "band_lowest": Declared("Two states from", "rad/s", "rpm", "band"),
    "band_highest": Declared("up to", "rad/s", "rpm", "band"),
    "band_lowest_frequency": Declared("mesh frequency from", "1/s", "Hz", "band"),
    "band_highest_frequency": Declared("up to", "1/s", "Hz", "band"),
    "jump_up": Declared("Rising sweep jumps at", "1/s", "Hz", "band"),
    "jump_down": Declared("Falling sweep jumps at", "1/s", "Hz", "band"),
    "band_ratio": Declared("Largest ratio of the states", over="band"),
}
BAND_NAMES: Declarations = {"band": Declared("Band", over="band")}
BAND_TABLE = {
    "Speeds with two states": (
        "band",
        "band_lowest",
        "band_highest",
        "band_lowest_frequency",
        "band_highest_frequency",
        "jump_up",
        "jump_down",
        "band_ratio",
    )
}


class Band(NamedTuple):
    """Numbers of the first and the last speed with two states, and after which speeds the rising
    and the falling sweep jump."""

    first: int
    last: int
    up: int
    down: int
    ratio: float


def find_bands(up: Floats, down: Floats, parted: Flags) -> list[Band]:
    """Of the vibration in both sweeps at the same rising speeds, and whether teeth part in one of
    them; what is not known is no state. A band without parted teeth is none: what differs there
    has not settled."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.abs(np.log(up / down))
    different = np.nan_to_num(ratio, nan=0.0, posinf=0.0) > np.log(DIFFERENT)
    return [
        Band(
            first,
            last,
            _steepest(up, first, last),
            _steepest(down, first, last),
            float(np.exp(ratio[first : last + 1].max())),
        )
        for first, last in _runs(different)
        if last - first + 1 >= FEWEST and np.any(parted[first : last + 1])
    ]


def _runs(flags: Flags) -> list[tuple[int, int]]:
    """First and last number of every row of neighbours that are true."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], flags, [False])).astype(int)))
    return [(int(a), int(b) - 1) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def _steepest(curve: Floats, first: int, last: int) -> int:
    """Number of the speed after which the curve changes most, in a band or at its ends."""
    begin, end = max(first - 1, 0), min(last + 2, len(curve))
    with np.errstate(divide="ignore", invalid="ignore"):
        changes = np.nan_to_num(np.abs(np.diff(np.log(curve[begin:end]))), posinf=0.0)
    return begin + int(np.argmax(changes))


def band_values(speeds: Floats, up: Floats, down: Floats, parted: Flags, teeth: float) -> Values:
    """Bands in a table; a jump is told halfway between two speeds. `teeth` pass in a turn."""
    bands = find_bands(up, down, parted)
    values: Values = {"band_count": len(bands)}
    if not bands:
        return values
    hertz = teeth / (2 * np.pi)
    halfway = 0.5 * hertz * (speeds[1:] + speeds[:-1])
    lowest = speeds[[band.first for band in bands]]
    highest = speeds[[band.last for band in bands]]
    return values | {
        "band_lowest": lowest,
        "band_highest": highest,
        "band_lowest_frequency": hertz * lowest,
        "band_highest_frequency": hertz * highest,
        "jump_up": halfway[[band.up for band in bands]],
        "jump_down": halfway[[band.down for band in bands]],
        "band_ratio": np.array([band.ratio for band in bands]),
        "band": np.arange(1, len(bands) + 1),
    }
