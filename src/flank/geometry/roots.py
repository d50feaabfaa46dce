"""A zero of a continuous function between two places where its signs differ."""

from collections.abc import Callable


def zero_between(function: Callable[[float], float], low: float, high: float) -> float:
    """Regula falsi with halved weights (Illinois), to round-off; ValueError without a sign change.

    Where the false position stalls, an interval is halved.
    """
    at_low, at_high = function(low), function(high)
    if at_low and at_high and _same_side(at_low, at_high):
        raise ValueError(f"no sign change between {low:.6g} and {high:.6g}")
    for step in range(200):
        if at_low == 0 or at_high == 0 or at_low == at_high:
            break
        middle = (low * at_high - high * at_low) / (at_high - at_low)
        if step % 8 == 7 or not min(low, high) < middle < max(low, high):
            middle = 0.5 * (low + high)
        if middle in (low, high):
            break
        value = function(middle)
        if _same_side(value, at_high):
            at_low *= 0.5
        else:
            low, at_low = high, at_high
        high, at_high = middle, value
    return low if at_low == 0 else high


def _same_side(first: float, second: float) -> bool:
    """Of zero; a product would vanish for values that are small enough."""
    return (first < 0) == (second < 0)
