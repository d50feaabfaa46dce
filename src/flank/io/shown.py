"""Numbers and units as a person reads them."""

from __future__ import annotations

import functools
import math
import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from flank import units

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from numpy.typing import NDArray

    from flank.analyses.result import Result

SIGNIFICANT_DIGITS = 4
_PLAIN_FROM, _PLAIN_BELOW = 1e-4, 1e7
ROUND_OFF = 1e-9
"""Share of the largest of its kind below which a number is none: equilibria are found to that share
of the largest force."""

_NATURAL_SCALES = {("rad", ""): 1e-3, ("N", ""): 1e2, ("m", ""): 1e-6, ("", "percent"): 1.0}
"""By SI unit, or the unit shown: round-off of these is 1e-12 rad, some thousand last digits of a
turn, the 1e-7 N to which forces are balanced, the digits of a position, and 1e-7 %."""

_UNIT_SIGNS = (("*", "·"), ("um", "µm"), ("^2", "²"), ("^3", "³"), ("deg", "°"), ("percent", "%"))


class Row(NamedTuple):
    """One line of a summary."""

    title: str
    number: str
    unit: str


class Table(NamedTuple):
    """A table of a result as texts: headings with units, then rows; `words` says which columns
    hold words, to be set to the left."""

    title: str
    headings: list[str]
    words: list[bool]
    rows: list[list[str]]


@functools.cache
def factor(unit: str, shown_unit: str) -> float:
    """What a value held in `unit` is multiplied by to be shown in `shown_unit`."""
    return units.convert(1.0, unit, shown_unit)


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
    return re.sub(r"(?<=\d )um\b", "µm", text)


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


def summary_rows(result: Result) -> list[Row]:
    """The scalars of a result, each in the unit meant for people; round-off is zero."""
    rows = []
    for figure in result.figures():
        attributes = result.dataset[figure.name].attrs
        (text,) = _cells(np.array([figure.value]), attributes, _round_off(result, attributes))
        unit = unit_text(figure.shown_unit)
        if text == "0" and "at_zero" in attributes:
            text, unit = str(attributes["at_zero"]), ""
        rows.append(Row(figure.title, text, unit))
    return rows


def _round_off(result: Result, attributes: Mapping[str, Any]) -> float:
    """Below which an SI value is round-off: of the largest that is measured and shown alike."""
    alike = [
        variable.values
        for variable in result.dataset.data_vars.values()
        if _measure(variable.attrs) == _measure(attributes) and variable.dtype.kind == "f"
    ]
    finite = [np.abs(values[np.isfinite(values)]).max(initial=0.0) for values in alike]
    unit, shown = attributes["units"], attributes["shown_unit"]
    scale = _NATURAL_SCALES.get((unit, "")) or _NATURAL_SCALES.get(("", shown), 0.0)
    if not unit and not shown:  # pure numbers have nothing in common
        finite = []
    return ROUND_OFF * max(scale, float(attributes.get("scale", 0.0)), *finite, 0.0)


def _measure(attributes: Mapping[str, Any]) -> tuple[str, str]:
    return attributes["units"], attributes["shown_unit"]


def tables(result: Result) -> list[Table]:
    """The tables of a result, numbers in the units meant for people."""
    return [_table(result, title, names) for title, names in result.tables.items()]


def _table(result: Result, title: str, names: list[str]) -> Table:
    columns = [result.dataset[name] for name in names]
    headings = [_heading(column.attrs) for column in columns]
    cells = [
        _cells(column.values, column.attrs, _round_off(result, column.attrs)) for column in columns
    ]
    words = [k == 0 or column.dtype.kind == "U" for k, column in enumerate(columns)]
    return Table(title, headings, words, [list(row) for row in zip(*cells, strict=True)])


def _heading(attributes: Mapping[str, str]) -> str:
    unit = unit_text(attributes["shown_unit"])
    return f"{attributes['long_name']}, {unit}" if unit else str(attributes["long_name"])


def _cells(values: NDArray, attributes: Mapping[str, Any], round_off: float) -> list[str]:
    if values.dtype.kind == "U":
        return [prose(str(value)) for value in values]
    scale = factor(attributes["units"], attributes["shown_unit"])
    form = number_text if attributes["shown_unit"] else count_text
    seen = (0.0 if abs(value) <= round_off else float(value) for value in values)
    return [form(value * scale) for value in seen]
