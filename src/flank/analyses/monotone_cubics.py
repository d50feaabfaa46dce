"""The integral of a curve that is known at points, by cubics that turn nowhere between them.

A cubic through two points has slopes there, which the points beside them tell: the harmonic mean of
the slopes of the two chords, weighted by their lengths, and nought where the chords turn (Fritsch
and Butland, SIAM J. Sci. Stat. Comput. 5, 1984; at both ends the parabola through three points,
held back as in SciPy's `PchipInterpolator`). On an interval of length h its integral is that of
the chord and

    h²/12 (slope at the begin - slope at the end).

So the error of the chords falls off, h² times how much the slope changes; what is left is that of
corners between points, which no polynomial knows of.
"""

import numpy as np

from flank.arrays import Floats

SAME = 1e-12
"""Of the whole: points that are not further apart are one."""


def integral(place: Floats, value: Floats) -> Floats:
    """Over rising places, of values (..., place); each row by itself, in an order that is the same
    however many there are."""
    far = np.diff(place) > SAME * np.ptp(place)
    kept = np.concatenate(([True], far))
    place, value = place[kept], np.ascontiguousarray(value[..., kept])
    h = np.diff(place)
    chord = np.diff(value, axis=-1)
    total = np.sum(h * (value[..., :-1] + 0.5 * chord), axis=-1)
    if len(h) < 2:
        return np.asarray(total)
    slope = _slopes(h, chord / h)
    return np.asarray(total + np.sum(h * h / 12.0 * (slope[..., :-1] - slope[..., 1:]), axis=-1))


def _slopes(h: Floats, chord: Floats) -> Floats:
    """At the points, of chords (..., interval)."""
    before, after = chord[..., :-1], chord[..., 1:]
    first, last = 2.0 * h[1:] + h[:-1], h[1:] + 2.0 * h[:-1]
    turns = before * after <= 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        inner = (first + last) / (first / before + last / after)
    slope = np.empty((*chord.shape[:-1], len(h) + 1))
    slope[..., 1:-1] = np.where(turns, 0.0, inner)
    slope[..., 0] = _end_slope(h[0], h[1], chord[..., 0], chord[..., 1])
    slope[..., -1] = _end_slope(h[-1], h[-2], chord[..., -1], chord[..., -2])
    return slope


def _end_slope(h: float, next_h: float, chord: Floats, next_chord: Floats) -> Floats:
    slope = ((2.0 * h + next_h) * chord - h * next_chord) / (h + next_h)
    bends = (chord * next_chord <= 0.0) & (np.abs(slope) > 3.0 * np.abs(chord))
    return np.where(slope * chord <= 0.0, 0.0, np.where(bends, 3.0 * chord, slope))
