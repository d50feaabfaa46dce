"""Numbers and units as a person reads them."""

from __future__ import annotations

import functools
import math
import re

from flank import units

SIGNIFICANT_DIGITS = 4
_PLAIN_FROM, _PLAIN_BELOW = 1e-4, 1e7
_UNIT_SIGNS = (("*", "·"), ("um", "µm"), ("^2", "²"), ("^3", "³"), ("deg", "°"), ("percent", "%"))


@functools.cache
def factor(unit: str, shown_unit: str) -> float:
    """What a value held in `unit` is multiplied by to be shown in `shown_unit`."""
    return 1.0 if unit == shown_unit else units.convert(1.0, unit, shown_unit)


def unit_text(shown_unit: str) -> str:
    """A unit as it is printed: 'N*m/arcmin' is N·m/arcmin."""
    for written, sign in _UNIT_SIGNS:
        shown_unit = shown_unit.replace(written, sign)
    return shown_unit


def prose(text: str) -> str:
    """A sentence or a setting with its units as they are printed."""
    text = (
        text.replace("N*m", "N·m").replace("kg*m", "kg·m").replace("m^2", "m²").replace("m^3", "m³")
    )
    return re.sub(r"(?:(?<=\d )|(?<=/))um\b", "µm", text)


def number_text(value: float, digits: int = SIGNIFICANT_DIGITS) -> str:
    """A number with `digits` significant digits, with an exponent only where it is needed."""
    if math.isnan(value):
        return "not known"
    if math.isinf(value):
        return "infinite" if value > 0 else "-infinite"
    size = abs(value)
    if size == 0.0:
        return "0"
    if not _PLAIN_FROM <= size < _PLAIN_BELOW:
        return f"{value:.{digits - 1}e}"
    decimals = max(digits - 1 - math.floor(math.log10(size)), 0)
    return f"{value:.{decimals}f}"


def count_text(value: float) -> str:
    """A pure number: whole ones without decimals."""
    return f"{value:.0f}" if math.isfinite(value) and value == round(value) else number_text(value)


def quantity_text(value: float, unit: str, shown_unit: str, digits: int = 3) -> str:
    """An SI value as text with its unit, for sentences and labels in pictures."""
    number = number_text(value * factor(unit, shown_unit), digits)
    return f"{number} {unit_text(shown_unit)}".rstrip()
