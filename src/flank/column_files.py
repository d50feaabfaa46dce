"""Two columns of a table that a person has in a file: places in rising order, and a value at each.

The first line names the columns with their units, `time [s], torque [kN*m]`; a comma, a semicolon
or a tab parts them, and numbers have decimal points. Lines that begin with # are passed over. Two
equal places are a jump. Whatever is wrong is said in one sentence that names file and line.
"""

import itertools
import math
import re
from dataclasses import dataclass

import numpy as np

from flank import units
from flank.arrays import Floats
from flank.errors import suggestion
from flank.plain_files import NotReadable, decoded, read_plain_file
from flank.texts import echo, echo_path, listed

LARGEST_FILE = 50_000_000
"""Bytes: a million lines and more."""

_HEADING = re.compile(r"(?P<name>.*?)\s*[\[(](?P<unit>[^\])]*)[\])]\s*")


@dataclass(frozen=True)
class Axis:
    """What a column must hold: its word in sentences, its SI unit, and units people write."""

    word: str
    unit: str
    example: str


def read_columns(
    path: str, place: Axis, value: Axis, column: str | None = None
) -> tuple[Floats, Floats]:
    """Places and values in SI; `column` names that of the values where a file has several."""
    name = echo_path(path)
    try:
        text = decoded(read_plain_file(path, LARGEST_FILE))
    except NotReadable as error:
        raise ValueError(f"{name} {error}; {error.remedy or 'give the path of a file'}") from None
    lines = [
        (number, line)
        for number, line in enumerate(text.splitlines(), start=1)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    if len(lines) < 3:
        raise ValueError(
            f"{name} has {len(lines)} lines; it needs a heading such as "
            f"'{place.word} [{place.example}], {value.word} [{value.example}]' and two rows"
        )
    separator = _separator(lines[0][1])
    headings = [cell.strip() for cell in lines[0][1].split(separator)]
    chosen = _chosen(name, headings, column)
    factors = [
        _factor(f"{name}, line {lines[0][0]}", headings[0], place),
        _factor(f"{name}, line {lines[0][0]}", headings[chosen], value),
    ]
    rows = np.array(
        [
            _row(f"{name}, line {number}", line, separator, headings, (0, chosen))
            for number, line in lines[1:]
        ]
    )
    _refuse_order(name, place.word, rows[:, 0], [number for number, _ in lines[1:]])
    return rows[:, 0] * factors[0], rows[:, 1] * factors[1]


def _separator(heading: str) -> str:
    return next((mark for mark in (";", "\t", ",") if mark in heading), ",")


def _chosen(name: str, headings: list[str], column: str | None) -> int:
    """The number of the column of values."""
    if column is None and len(headings) == 2:
        return 1
    if len(headings) < 2:
        raise ValueError(
            f"{name} has one column, '{echo(headings[0])}'; part two columns by a comma, a "
            "semicolon or a tab"
        )
    if column is None:
        raise ValueError(
            f"{name} has {len(headings)} columns, {listed(headings)}; name that of the values by "
            "'column'"
        )
    names = [_name(heading) for heading in headings]
    if column in headings[1:]:
        return headings.index(column, 1)
    if column in names[1:]:
        return names.index(column, 1)
    raise ValueError(
        f"{name} has no column '{echo(column)}'{suggestion(column, names[1:])} It has "
        f"{listed(names[1:])}"
    )


def _name(heading: str) -> str:
    match = _HEADING.fullmatch(heading)
    return match["name"] if match else heading


def _factor(where: str, heading: str, axis: Axis) -> float:
    """SI units in one of the column's."""
    match = _HEADING.fullmatch(heading)
    if match is None:
        raise ValueError(
            f"{where}: '{echo(heading)}' has no unit; write it in brackets, as in "
            f"'{axis.word} [{axis.example}]'"
        )
    try:
        return units.parse(f"1 {match['unit']}", axis.unit)
    except ValueError as error:
        raise ValueError(f"{where}: the unit of '{echo(heading)}': {error}") from None


def _row(
    where: str, line: str, separator: str, headings: list[str], wanted: tuple[int, int]
) -> tuple[float, float]:
    cells = [cell.strip() for cell in line.split(separator)]
    if len(cells) != len(headings):
        comma = ""
        if separator == "," and len(cells) == 2 * len(headings):
            comma = "; with decimal commas write semicolons between columns, and points in numbers"
        raise ValueError(
            f"{where}: {len(cells)} cells stand under {len(headings)} headings"
            f"{comma or '; give one for each, and leave no gap'}"
        )
    first, second = (_number(where, headings[number], cells[number]) for number in wanted)
    return first, second


def _number(where: str, heading: str, cell: str) -> float:
    if not cell:
        raise ValueError(
            f"{where}: there is a gap under '{echo(heading)}'; fill it, or leave the line out"
        )
    if re.fullmatch(r"[-+]?\d+,\d+(?:[eE][-+]?\d+)?", cell):
        raise ValueError(f"{where}: '{echo(cell)}' has a decimal comma; write a decimal point")
    try:
        number = float(cell)
    except ValueError:
        raise ValueError(f"{where}: '{echo(cell)}' is not a number") from None
    if not math.isfinite(number):
        raise ValueError(f"{where}: '{echo(cell)}' is not a finite number; leave the line out")
    return number


def _refuse_order(name: str, word: str, places: Floats, lines: list[int]) -> None:
    for number, (before, after) in zip(lines[1:], itertools.pairwise(places), strict=True):
        if after < before:
            raise ValueError(
                f"{name}, line {number}: the {word} falls from {before:.6g} to {after:.6g}; sort "
                "the lines, the smallest first"
            )
    threes = zip(lines[2:], places, places[1:], places[2:], strict=False)
    for number, first, second, third in threes:
        if first == second == third:
            raise ValueError(
                f"{name}, line {number}: three lines have the {word} {third:.6g}; a jump needs two"
            )
