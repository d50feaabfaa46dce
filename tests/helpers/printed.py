"""Figures on a page of the docs against figures computed now."""

import re

SMALLEST_ROUNDED = 100
"""A smaller whole number is a count or a name, which nothing has rounded."""

NUMBER = r"[-−+]?\d+(?:\.\d+)?(?:e[-+]\d+)?"


def shown(page: str, told: str) -> bool:
    """Whether the page holds `told`, each number within one unit of its last printed digit.

    A value that lies between two printed ones is rounded up on one processor, down on another.
    """
    pieces = re.split(f"({NUMBER})", told)
    pattern = "".join(f"({NUMBER})" if k % 2 else re.escape(text) for k, text in enumerate(pieces))
    return any(
        all(_same(a, b) for a, b in zip(found.groups(), pieces[1::2], strict=True))
        for found in re.finditer(f"(?={pattern})", page)
    )


def _same(first: str, second: str) -> bool:
    unit = max(_last_digit(first), _last_digit(second))
    return abs(float(first) - float(second)) <= 1.001 * unit


def _last_digit(number: str) -> float:
    mantissa, _, exponent = number.partition("e")
    decimals = len(mantissa.partition(".")[2])
    whole = not decimals and not exponent
    if whole and abs(float(number)) < SMALLEST_ROUNDED:
        return 0.0
    return 10.0 ** (int(exponent or 0) - decimals)
