"""Standard tolerance grades of ISO 286-1: the width of a tolerance by grade and nominal size.

The printed table counts (ISO 286-1:2010, Table 1; IT01 and IT0 end at 500 mm). It was rounded from

    i = 0.45 D^(1/3) + 0.001 D   up to 500 mm, D the geometric mean of a range in mm, i in um
    I = 0.004 D + 2.1            above

of which IT5 is 7, IT6 10, and every fifth grade ten times as much; IT1 is 0.8 + 0.02 D, and 2 I.
"""

import csv
import math
import re
from functools import cache
from importlib import resources
from typing import Any

from flank.texts import echo, mm

MICROMETRE, MILLIMETRE = 1e-6, 1e-3


@cache
def _table() -> list[tuple[float, dict[str, float]]]:
    """By range, its upper end and the widths of the grades, in m."""
    text = resources.files("flank.machines").joinpath("iso_grades.csv").read_text("utf-8")
    rows = []
    for row in csv.DictReader(text.splitlines()):
        end = float(row["up_to_mm"]) * MILLIMETRE
        widths = {name: float(cell) * MICROMETRE for name, cell in row.items() if cell}
        rows.append((end, {name: w for name, w in widths.items() if name.startswith("IT")}))
    return rows


def grades() -> tuple[str, ...]:
    """The finest first."""
    return tuple(_table()[0][1])


def grade_in(value: Any) -> str | None:
    """The grade that was written, 'IT5' for 'it 5'; None where a value is no grade.

    ValueError for a grade that the table does not have.
    """
    if not isinstance(value, str) or not (found := re.fullmatch(r"\s*it\s*(\w*)\s*", value, re.I)):
        return None
    if (name := f"IT{found[1]}") in grades():
        return name
    known = "grades of ISO 286-1 go from IT01, IT0, IT1 to IT12"
    raise ValueError(f"'{echo(value)}' is given; {known}")


def width(grade: str, size: float) -> float:
    """Of a tolerance at a nominal size, both in m; ValueError where the standard gives none."""
    if not size > 0:
        raise ValueError(f"a grade needs a nominal size, which is {mm(size)} here")
    for end, widths in _table():
        # A size that was computed may lie a round-off above the end that it is meant to be.
        if size <= end or math.isclose(size, end, rel_tol=1e-12):
            if grade not in widths:
                raise ValueError(f"{grade} ends at 500 mm, and the nominal size is {mm(size)}")
            return widths[grade]
    raise ValueError(f"ISO 286-1 ends at 3150 mm, and the nominal size is {mm(size)}")
