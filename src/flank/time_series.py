"""Series over time in CSV files: one column of times and others, each with its unit in the heading.

    time [s]; torque [N*m]; speed [rpm]
    0.00; 200; 1500
    0.01; 207; 1498

Cells are separated by commas, semicolons or tabs, units stand in brackets or parentheses; lines
that begin with # are left out. Values are read as they stand: nothing is smoothed, thinned or made
up between them, and what cannot be read is refused with its line.
"""

from __future__ import annotations

import csv
import itertools
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from flank import units
from flank.arrays import Floats
from flank.errors import suggestion
from flank.plain_files import NotReadable, decoded, read_plain_file
from flank.texts import echo, echo_path, listed

LARGEST_FILE = 50_000_000
MOST_LINES = 200_000
"""More than a run resolves, which looks up its series in every step."""

TIME = "time"
HEADING = re.compile(r"^(?P<name>.*?)\s*[\[(](?P<unit>[^\[\]()]*)[\])]$")
DECIMAL_COMMA = re.compile(r"[-+]?\d+,\d+([eE][-+]?\d+)?")

EVEN_SHARE, EVEN = 0.9, 0.01
"""Times are evenly spaced where so many of their steps are the middle one, within so much of it."""

FEWEST_EVEN = 8
"""Steps from which times may be called evenly spaced."""

GAP = 1.5
"""Steps of evenly spaced times from which some are missing."""


class Column(NamedTuple):
    """A column by its heading as written, its name and its unit; the unit is empty without one."""

    heading: str
    name: str
    unit: str


@dataclass(frozen=True)
class TimeSeries:
    """Values in SI at times in s that do not fall; two at one time are a jump."""

    time: Floats
    values: Floats


def read_time_series(
    path: str | Path, si_unit: str, column: str = "", time: str = TIME, time_unit: str = "s"
) -> TimeSeries:
    """One column of a file in `si_unit`, by its name; without a name the only one whose unit fits.
    In place of the time it may go along something else, a length for example. ValueError with one
    sentence about what is wrong."""
    shown = echo_path(path)
    try:
        text = decoded(read_plain_file(path, LARGEST_FILE))
    except NotReadable as error:
        raise ValueError(f"{shown} {error}") from None
    lines = [
        (number, line)
        for number, line in enumerate(text.splitlines(), start=1)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    if len(lines) < 3:
        raise ValueError(f"{shown} has fewer than two lines of numbers below its headings")
    if len(lines) > MOST_LINES:
        raise ValueError(f"{shown} has more than {MOST_LINES} lines; thin it")
    columns, rows = _table(lines)
    try:
        places = _place(columns, time, time_unit), _chosen(columns, column, si_unit, time)
        factors = [
            _factor(columns[place], unit)
            for place, unit in zip(places, (time_unit, si_unit), strict=True)
        ]
        numbers = [
            [_number(number, columns, cells, place) for place in places] for number, cells in rows
        ]
        found = np.array(numbers) * np.array(factors)
        _check_times(found[:, 0], [number for number, _ in rows], time, time_unit)
    except ValueError as error:
        raise ValueError(f"{shown}: {error}") from None
    return TimeSeries(found[:, 0], found[:, 1])


def _table(lines: Sequence[tuple[int, str]]) -> tuple[list[Column], list[tuple[int, list[str]]]]:
    """The headings, and the cells of every line below them with its number."""
    head = lines[0][1]
    delimiter = next((mark for mark in ";\t" if mark in head), ",")
    numbers = [number for number, _ in lines]
    split = csv.reader((line for _, line in lines), delimiter=delimiter, skipinitialspace=True)
    cells = [[cell.strip() for cell in row] for row in split]
    columns = []
    for heading in cells[0]:
        match = HEADING.match(heading)
        name, unit = (match["name"], match["unit"].strip()) if match else (heading, "")
        columns.append(Column(heading, name.strip(), unit))
    return columns, list(zip(numbers[1:], cells[1:], strict=True))


def _place(columns: Sequence[Column], wanted: str, si_unit: str) -> int:
    for place, column in enumerate(columns):
        if wanted.casefold() in (column.name.casefold(), column.heading.casefold()):
            return place
    names = [column.name for column in columns]
    raise ValueError(
        f"there is no column '{echo(wanted)}'{suggestion(wanted, names)} It has {listed(names)}; "
        f"a heading is written as '{echo(wanted)} [{si_unit}]'"
    )


def _chosen(columns: Sequence[Column], wanted: str, si_unit: str, time: str) -> int:
    """The column of a name, else the one that fits."""
    if wanted:
        return _place(columns, wanted, si_unit)
    others = [each for each in columns if each.name.casefold() != time.casefold()]
    fitting = [each for each in others if _fits(each, si_unit)]
    if len(fitting) == 1:
        return columns.index(fitting[0])
    if len(others) == 1:
        return columns.index(others[0])  # its unit is told to be wrong
    names = listed([each.heading for each in fitting or others])
    kind = units.dimension_of(si_unit).name
    if others and all(each.unit for each in others) and not fitting:
        raise ValueError(
            f"no column has a unit of {kind}: {names}; a heading is written as '{kind} [{si_unit}]'"
        )
    raise ValueError(f"several columns may hold the {kind}: {names}; name one as 'column'")


def _fits(column: Column, si_unit: str) -> bool:
    try:
        return bool(column.unit) and units.parse(f"1 {column.unit}", si_unit) != 0
    except ValueError:
        return False


def _factor(column: Column, si_unit: str) -> float:
    if not column.unit:
        raise ValueError(
            f"'{echo(column.heading)}' has no unit; write it in the heading, as in "
            f"'{echo(column.name)} [{si_unit}]'"
        )
    try:
        return units.parse(f"1 {column.unit}", si_unit)
    except ValueError as error:
        raise ValueError(f"the unit of '{echo(column.heading)}': {error}") from None


def _number(line: int, columns: Sequence[Column], cells: Sequence[str], place: int) -> float:
    if len(cells) > len(columns):
        raise ValueError(
            f"line {line} has {len(cells)} cells for {len(columns)} headings; write decimal points "
            "in place of decimal commas, or separate cells by semicolons"
        )
    cell = cells[place] if place < len(cells) else ""
    try:
        number = float(cell)
    except ValueError:
        number = math.nan
        if DECIMAL_COMMA.fullmatch(cell):
            point = cell.replace(",", ".")
            raise ValueError(
                f"'{echo(cell)}' in line {line} has a decimal comma; write '{echo(point)}'"
            ) from None
        if cell:
            raise ValueError(f"'{echo(cell)}' in line {line} is not a number") from None
    if math.isinf(number):
        raise ValueError(
            f"'{echo(cell)}' in line {line} is too large; give a number below 1e308 and check its "
            "unit"
        )
    if math.isnan(number):
        raise ValueError(
            f"line {line} has a gap: no {echo(columns[place].name)} is given; fill it in, or take "
            "the line out"
        )
    return number


def _check_times(times: Floats, lines: Sequence[int], name: str, unit: str) -> None:
    for (before, after), line in zip(itertools.pairwise(times.tolist()), lines[1:], strict=True):
        if after < before:
            raise ValueError(
                f"the {echo(name)}s are not sorted: line {line} goes back from {before:.6g} {unit} "
                f"to {after:.6g} {unit}; sort the lines by {echo(name)}"
            )
    for gap, line in _gaps(times, lines):
        raise ValueError(
            f"there is a gap of {gap:.6g} {unit} before line {line}, in {echo(name)}s that are "
            "otherwise evenly spaced; fill it in, or give fewer points"
        )


def _gaps(times: Floats, lines: Sequence[int]) -> Iterator[tuple[float, int]]:
    steps = np.diff(times)
    middle = float(np.median(steps))
    even = np.abs(steps - middle) <= EVEN * middle
    if len(steps) < FEWEST_EVEN or np.mean(even) < EVEN_SHARE:
        return
    for place in np.flatnonzero(steps > GAP * middle).tolist():
        yield float(steps[place]), lines[place + 1]
