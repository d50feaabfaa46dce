"""Tables: one formatter for columns of numbers, and the tables of a result as people read them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from flank.io.shown import count_text, factor, number_text, prose, unit_text

if TYPE_CHECKING:
    from flank.analyses.labelled import LabelledArray
    from flank.analyses.result import Result

NOTE = "note"
"""Heading of the column that cites notes."""

MISSING = "-"
"""In the place of a number that there is none of."""

EXACT = ".12g"
"""Form of numbers for other programs."""

ROUND_OFF = 1e-9
"""Share of the largest of its kind below which a number is none: equilibria are found to that share
of the largest force."""

_NATURAL_SCALES = {("rad", ""): 1e-3, ("N", ""): 1e2, ("m", ""): 1e-6, ("", "percent"): 1.0}
"""By SI unit, or the unit shown: round-off of these is 1e-12 rad, some thousand last digits of a
turn, the 1e-7 N to which forces are balanced, the digits of a position, and 1e-7 %."""


class Row(NamedTuple):
    """One line of a summary."""

    title: str
    number: str
    unit: str


class Table(NamedTuple):
    """A table as texts: headings with units, then rows; `words` says which columns
    hold words, to be set to the left."""

    title: str
    headings: list[str]
    words: list[bool]
    rows: list[list[str]]


class Column(NamedTuple):
    """Values of a table under their heading, which names the unit; `form` is that of numbers, as
    ".2f", or "+.2f" with a sign. Words need none."""

    heading: str
    values: Iterable[Any]
    form: str = ""


def table(title: str, columns: Sequence[Column]) -> Table:
    """A table from its columns; what is None or not a number is missing."""
    cells = [[_cell(value, column.form) for value in column.values] for column in columns]
    words = [not column.form and column.heading != NOTE for column in columns]
    headings = [column.heading for column in columns]
    return Table(title, headings, words, [list(row) for row in zip(*cells, strict=True)])


def _cell(value: Any, form: str) -> str:
    """What rounds to nothing has no sign, so that round-off does not show."""
    if isinstance(value, str):
        return value
    if value is None or math.isnan(value):
        return MISSING
    text = f"{value:{form}}"
    return text if float(text) else text.lstrip("+-")


def summary_rows(result: Result) -> list[Row]:
    """The scalars of a result, each in the unit meant for people; round-off is zero."""
    rows = []
    for figure in result.figures():
        attributes = result.data[figure.name].attrs
        (text,) = _cells(np.array([figure.value]), attributes, round_off(result, attributes))
        unit = unit_text(figure.shown_unit)
        if text == "0" and "at_zero" in attributes:
            text, unit = str(attributes["at_zero"]), ""
        rows.append(Row(figure.title, text, unit))
    return rows


def round_off(result: Result, attributes: Mapping[str, Any]) -> float:
    """Below which an SI value is round-off: of the largest that is measured and shown alike."""
    alike = [
        variable.values
        for variable in result.data.data_vars.values()
        if _measure(variable.attrs) == _measure(attributes) and variable.values.dtype.kind == "f"
    ]
    finite = [np.abs(values[np.isfinite(values)]).max(initial=0.0) for values in alike]
    unit, shown = attributes["units"], attributes["shown_unit"]
    scale = _NATURAL_SCALES.get((unit, "")) or _NATURAL_SCALES.get(("", shown), 0.0)
    if not unit and not shown:  # pure numbers have nothing in common
        finite = []
    return ROUND_OFF * float(max(scale, attributes.get("scale", 0.0), *finite, 0.0))


def _measure(attributes: Mapping[str, Any]) -> tuple[str, str]:
    return attributes["units"], attributes["shown_unit"]


def tables(result: Result) -> list[Table]:
    """The tables of a result, numbers in the units meant for people."""
    return [_table(result, title, names) for title, names in result.tables.items()]


def _table(result: Result, title: str, names: list[str]) -> Table:
    columns = [result.data[name] for name in names]
    headings = [_heading(column.attrs) for column in columns]
    cells = [
        _cells(column.values, column.attrs, round_off(result, column.attrs)) for column in columns
    ]
    words = [k == 0 or column.values.dtype.kind == "U" for k, column in enumerate(columns)]
    return Table(title, headings, words, [list(row) for row in zip(*cells, strict=True)])


def _heading(attributes: Mapping[str, str]) -> str:
    unit = unit_text(attributes["shown_unit"])
    return f"{attributes['long_name']}, {unit}" if unit else str(attributes["long_name"])


def _cells(values: NDArray[Any], attributes: Mapping[str, Any], round_off: float) -> list[str]:
    if values.dtype.kind == "U":
        return [prose(str(value)) for value in values]
    scale = factor(attributes["units"], attributes["shown_unit"])
    form = number_text if attributes["shown_unit"] else count_text
    rounded = (0.0 if abs(value) <= round_off else float(value) for value in values)
    return [form(value * scale) for value in rounded]


SUMMARY_SHEET = "summary"


def result_sheets(result: Result) -> dict[str, Callable[[], Table]]:
    """All numbers of a result in the units meant for people, for other programs; made when called.

    One sheet has the scalars; each other one the quantities over the same dimensions, a row for
    every combination of their coordinates, and is named after them: `by-crank_angle-pin`.
    """
    groups: dict[tuple[str, ...], list[str]] = {}
    for name, variable in result.data.variables.items():
        if variable.dims and name not in result.data.sizes:
            groups.setdefault(tuple(map(str, variable.dims)), []).append(str(name))
    sheets = {
        f"by-{'-'.join(dimensions)}": partial(_sheet, result, dimensions, names)
        for dimensions, names in groups.items()
    }
    return {SUMMARY_SHEET: partial(_summary_sheet, result), **sheets}


def _summary_sheet(result: Result) -> Table:
    scalars = result.figures()
    values = [figure.value * factor(figure.unit, figure.shown_unit) for figure in scalars]
    columns = [
        Column("quantity", [figure.title for figure in scalars]),
        Column("value", values, EXACT),
        Column("unit", [unit_text(figure.shown_unit) for figure in scalars]),
    ]
    return table("Summary", columns)


def _sheet(result: Result, dimensions: tuple[str, ...], names: list[str]) -> Table:
    dataset = result.data
    places = np.indices([dataset.sizes[name] for name in dimensions]).reshape(len(dimensions), -1)
    columns = []
    for dimension, place in zip(dimensions, places, strict=True):
        if dimension in dataset.variables:
            columns.append(_sheet_column(dataset[dimension].values[place], dataset[dimension]))
        else:
            columns.append(Column(dimension.replace("_", " "), place + 1, "d"))
    columns += [_sheet_column(dataset[name].values.ravel(), dataset[name]) for name in names]
    return table(", ".join(dimensions), columns)


def _sheet_column(values: NDArray[Any], variable: LabelledArray) -> Column:
    heading = _heading(variable.attrs)
    if values.dtype.kind == "U":
        return Column(heading, map(str, values))
    if values.dtype.kind in "iub" and not variable.attrs["shown_unit"]:
        return Column(heading, values.astype(int), "d")
    scale = factor(variable.attrs["units"], variable.attrs["shown_unit"])
    return Column(heading, values * scale, EXACT)
