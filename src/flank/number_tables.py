"""Tables of numbers as measuring machines, loggers and spreadsheets write them.

    x [mm]; y [mm]
    64,0031; 0,0002
    63,9987; 0,4011

Cells stand between semicolons, tabs, commas or blanks; a decimal comma is understood wherever it
cannot be the mark between cells. Lines that begin with # are left out, and so is what follows a #;
lines of words above the numbers are passed over but for the last, which may be the headings, units
in brackets or parentheses. What cannot be read is refused with its line.
"""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from flank import units
from flank.arrays import Floats
from flank.errors import suggestion
from flank.plain_files import NotReadable, decoded, read_plain_file
from flank.texts import echo, echo_path, listed, shortened

LARGEST_FILE = 50_000_000
"""Bytes: a million points."""

MOST_WORDS = 50
"""Lines of words above the numbers."""

HEADING = re.compile(r"^(?P<name>.*?)\s*[\[(](?P<unit>[^\[\]()]*)[\])]$")
DECIMAL_COMMA = re.compile(r"[-+]?\d*,\d+([eE][-+]?\d+)?")
_COMMAS_AND_BLANKS = re.compile(r"[-+]?\d+,\d+(?:[eE][-+]?\d+)?(?:\s+[-+]?\d+(?:,\d+)?\S*)+")
_FOUR_PIECES = re.compile(
    r"([-+]?\d+),(\d+(?:[eE][-+]?\d+)?)\s*,\s*([-+]?\d+),(\d+(?:[eE][-+]?\d+)?)"
)
"""Two numbers with decimal commas and a comma between them."""


class Column(NamedTuple):
    """A column by its heading as written, its name and its unit; the unit is empty without one."""

    heading: str
    name: str
    unit: str


@dataclass(frozen=True)
class NumberTable:
    """Numbers (row, column) as they are written, nan where a cell is empty; the number of the line
    of every row. Without headings there are no columns."""

    shown: str
    columns: tuple[Column, ...]
    numbers: Floats
    lines: tuple[int, ...]

    def place(self, names: Sequence[str]) -> int | None:
        """The column of one of these names, None where there is none; ValueError where several
        are."""
        found = [
            place for place, column in enumerate(self.columns) if column.name.casefold() in names
        ]
        if len(found) > 1:
            headings = listed([self.columns[place].heading for place in found])
            raise ValueError(f"{self.shown} has several columns for one thing: {headings}")
        return found[0] if found else None

    def needed(self, names: Sequence[str], example: str) -> int:
        """The same, where there must be one."""
        place = self.place(names)
        if place is None:
            known = [column.name for column in self.columns]
            raise ValueError(
                f"{self.shown} has no column '{names[0]}'{suggestion(names[0], known)} It has "
                f"{listed(known)}; a heading is written as '{example}'"
            )
        return place

    def values(self, place: int, si_unit: str, unit: str = "") -> Floats:
        """A whole column in SI, by the unit of its heading or by the one that is given; ValueError
        where both contradict each other, or a cell is empty."""
        numbers = self.numbers[:, place]
        name = self.columns[place].name if self.columns else f"number {place + 1}"
        if np.isnan(numbers).any():
            line = self.lines[int(np.argmax(np.isnan(numbers)))]
            raise ValueError(
                f"{self.shown}, line {line} has a gap: no {echo(name)} is given; fill it in, or "
                "take the line out"
            )
        return np.asarray(numbers * self.factor(place, si_unit, unit))

    def factor(self, place: int, si_unit: str, unit: str = "") -> float:
        """Of a column into SI."""
        written = self.columns[place].unit if self.columns else ""
        try:
            sizes = [units.parse(f"1 {each}", si_unit) for each in (written, unit) if each]
        except ValueError as error:
            heading = self.columns[place].heading if self.columns else ""
            about = f"{self.shown}: the unit of '{echo(heading)}'" if written else self.shown
            raise ValueError(f"{about}: {error}") from None
        if len(sizes) == 2 and not math.isclose(*sizes):
            raise ValueError(
                f"{self.shown}: its heading says {echo(written)} and {echo(unit)} is given as the "
                "unit of its numbers; leave out the one that is wrong"
            )
        return sizes[0] if sizes else 1.0


def read_number_table(path: str | Path) -> NumberTable:
    """All numbers of a file; ValueError with one sentence about what is wrong."""
    shown = echo_path(path)
    try:
        text = decoded(read_plain_file(path, LARGEST_FILE))
    except NotReadable as error:
        raise ValueError(f"{shown} {error}; {error.remedy or 'give the path of a file'}") from None
    lines = [
        (number, content)
        for number, line in enumerate(text.splitlines(), start=1)
        if (content := line.split("#")[0].strip())
    ]
    first = _first_of_numbers(lines, shown)
    head, body = lines[:first], lines[first:]
    mark = _mark(line for _, line in body)
    rows = [(number, _cells(line, mark)) for number, line in body]
    columns = _headings(head[-1][1], mark) if head else ()
    if _says_nothing(columns, len(rows[0][1]), body[0][1]):
        columns = ()
    wide = len(columns) or len(rows[0][1])
    comma = _has_decimal_commas(rows, mark)
    numbers = np.full((len(rows), wide), math.nan)
    for row, (number, cells) in enumerate(rows):
        if len(cells) != wide and not (columns and len(cells) < wide):
            raise ValueError(_wrong_width(f"{shown}, line {number}", body[row][1], cells, wide))
        for place, cell in enumerate(cells):
            if cell:
                numbers[row, place] = _number(cell, comma, f"{shown}, line {number}")
    return NumberTable(shown, columns, numbers, tuple(number for number, _ in rows))


def _first_of_numbers(lines: Sequence[tuple[int, str]], shown: str) -> int:
    """The first line that begins with a number; ValueError where none does."""
    for place, (_, line) in enumerate(lines[: MOST_WORDS + 1]):
        if _begins_with_number(line):
            return place
    if len(lines) > MOST_WORDS:
        raise ValueError(
            f"{shown} has more than {MOST_WORDS} lines of words above its numbers; give a table "
            "of numbers"
        )
    raise ValueError(f"{shown} has no line of numbers; give a table of numbers")


def _begins_with_number(line: str) -> bool:
    first = re.split(r"[;\t\s]", line.strip(), maxsplit=1)[0].strip(",")
    return all(_is_number(piece) for piece in first.split(","))


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return bool(re.fullmatch(r"[-+.\deE]+", text))


def _mark(lines: Iterable[str]) -> str:
    """What stands between cells: a semicolon, a tab, a comma or a blank."""
    sample = [line for line, _ in zip(lines, range(100), strict=False)]
    for mark in ";\t":
        if any(mark in line for line in sample):
            return mark
    if any("," in line for line in sample):
        blanks = all(_COMMAS_AND_BLANKS.fullmatch(line) for line in sample)
        return " " if blanks else ","
    return " "


def _cells(line: str, mark: str) -> list[str]:
    if mark == " ":
        return line.split()
    if mark == "," and not re.search(r"[;\t]", line):
        return [cell.strip() for cell in line.split(",")]
    return [cell.strip() for cell in line.split(mark)]


def _headings(line: str, mark: str) -> tuple[Column, ...]:
    """A line of words as headings; blanks part them only where nothing else does."""
    own = next((other for other in ";\t," if other in line), mark)
    if own == " ":
        cells = re.findall(r"[^\s\[(]+(?:\s*[\[(][^\[\]()]*[\])])?", line)
    else:
        cells = next(csv.reader([line], delimiter=own, skipinitialspace=True))
    columns = []
    for cell in (cell.strip() for cell in cells):
        match = HEADING.match(cell)
        name, unit = (match["name"], match["unit"].strip()) if match else (cell, "")
        columns.append(Column(cell, name.strip(), unit))
    return tuple(columns)


def _says_nothing(columns: Sequence[Column], wide: int, line: str) -> bool:
    """Whether words above the numbers are no headings: another number of them, without units."""
    as_many = len(columns) == wide or _FOUR_PIECES.fullmatch(line)
    return not as_many and not any(column.unit for column in columns)


def _has_decimal_commas(rows: Sequence[tuple[int, list[str]]], mark: str) -> bool:
    return mark != "," and any(DECIMAL_COMMA.fullmatch(cell) for _, cells in rows for cell in cells)


def _number(cell: str, comma: bool, where: str) -> float:
    text = cell
    if comma and "." in cell and "," not in cell and _is_number(cell):
        raise ValueError(
            f"{where}: '{echo(cell)}' has a decimal point where other lines have decimal commas; "
            "write all of them alike"
        )
    if comma and DECIMAL_COMMA.fullmatch(cell):
        text = cell.replace(",", ".")
    if not _is_number(text) or not math.isfinite(float(text)):
        raise ValueError(f"{where}: '{shown_cell(cell)}' is not a number")
    return float(text)


def shown_cell(text: str) -> str:
    """Of what is no number only its beginning: the file may be a private one."""
    return echo(text) if re.fullmatch(r"[-+.,;\s\deE]*", text) else shortened(echo(text), 11)


def _wrong_width(where: str, line: str, cells: Sequence[str], wide: int) -> str:
    if fitting := _FOUR_PIECES.fullmatch(line):
        x, y = ".".join(fitting.groups()[:2]), ".".join(fitting.groups()[2:])
        return (
            f"{where}: '{echo(line)}' has decimal commas and commas between its cells; write "
            f"'{x}; {y}'"
        )
    return (
        f"{where}: '{shown_cell(line)}' has {len(cells)} cells where {wide} are expected; write "
        "every line alike, with decimal points or cells between semicolons"
    )
