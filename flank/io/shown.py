"""Numbers and units as a person reads them."""

from __future__ import annotations

import functools
import math
import re
from typing import TYPE_CHECKING, NamedTuple

from flank import units

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from flank.analyses.result import Result

SIGNIFICANT_DIGITS = 4
_PLAIN_FROM, _PLAIN_BELOW = 1e-4, 1e7
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
    """The scalars of a result, each in the unit meant for people."""
    rows = []
    for figure in result.figures():
        value = figure.value * factor(figure.unit, figure.shown_unit)
        text = number_text(value) if figure.shown_unit else count_text(value)
        rows.append(Row(figure.title, text, unit_text(figure.shown_unit)))
    return rows


def tables(result: Result) -> list[Table]:
    """The tables of a result, numbers in the units meant for people."""
    return [_table(result, title, names) for title, names in result.tables.items()]


def _table(result: Result, title: str, names: list[str]) -> Table:
    columns = [result.dataset[name] for name in names]
    headings = [_heading(column.attrs) for column in columns]
    cells = [_cells(column.values, column.attrs) for column in columns]
    words = [k == 0 or column.dtype.kind == "U" for k, column in enumerate(columns)]
    return Table(title, headings, words, [list(row) for row in zip(*cells, strict=True)])


def _heading(attributes: Mapping[str, str]) -> str:
    unit = unit_text(attributes["shown_unit"])
    return f"{attributes['long_name']}, {unit}" if unit else str(attributes["long_name"])


def _cells(values: NDArray, attributes: Mapping[str, str]) -> list[str]:
    if values.dtype.kind == "U":
        return [prose(str(value)) for value in values]
    scale = factor(attributes["units"], attributes["shown_unit"])
    form = number_text if attributes["shown_unit"] else count_text
    return [form(float(value) * scale) for value in values]
