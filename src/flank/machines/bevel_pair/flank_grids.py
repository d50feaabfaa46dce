"""Files of flank points, given or measured: a table with a head line and units, such as

    tooth, flank,   row, column, x [mm], y [mm],  z [mm]
    1,     concave, 1,   1,      21.342, -3.1173, 61.005

Rows are counted from root to tip, columns from toe to heel, teeth about the axis in the sense of
right-handed rotations: one tooth stands for all of them, or every tooth is there. x, y and z are
those of the member's frame, z along its axis as bearings count it.
"""

import csv
from collections.abc import Iterator
from io import StringIO

import numpy as np

from flank.arrays import Floats
from flank.errors import SpecError
from flank.geometry.bevel.tooth import CONCAVE, CONVEX
from flank.plain_files import NotReadable, decoded, read_plain_file
from flank.texts import echo_path, shortened
from flank.units import parse

LARGEST_FILE = 50_000_000
MOST_POINTS = 400
"""Of a row or column."""

KEYS, LENGTHS = ("tooth", "flank", "row", "column"), ("x", "y", "z")
HEAD = "tooth, flank, row, column, x [mm], y [mm], z [mm]"

Place = tuple[int, str, int, int]


def read_grids(path: str) -> str:
    """The text of a file; SpecError where it cannot be read."""
    try:
        return decoded(read_plain_file(path, LARGEST_FILE))
    except NotReadable as error:
        remedy = error.remedy or "give the path of a file"
        raise SpecError(f"{echo_path(path)} {error}; {remedy}") from None


def flank_grids(path: str, text: str, teeth: int) -> tuple[Floats, Floats]:
    """Concave and convex flanks (teeth, profile, lengthwise, 3) in m; points that the file leaves
    out are not numbers."""
    name = echo_path(path)
    points = dict(_points(name, text))
    if not points:
        raise SpecError(f"{name} has no points; give lines below its head '{HEAD}'")
    numbers = {tooth for tooth, *_ in points}
    if numbers not in ({1}, set(range(1, teeth + 1))):
        raise SpecError(
            f"{name} has {len(numbers)} teeth between {min(numbers)} and {max(numbers)}, and the "
            f"gear {teeth}; give tooth 1 for all of them, or every tooth from 1 to {teeth}"
        )
    shape = (len(numbers), max(row for *_, row, _ in points), max(column for *_, column in points))
    grids = {flank: np.full((*shape, 3), np.nan) for flank in (CONCAVE, CONVEX)}
    for (tooth, flank, row, column), point in points.items():
        grids[flank][tooth - 1, row - 1, column - 1] = point
    return grids[CONCAVE], grids[CONVEX]


def _points(name: str, text: str) -> Iterator[tuple[Place, list[float]]]:
    lines = [line.split("#")[0] for line in text.splitlines()]
    rows = list(csv.reader(StringIO("\n".join(lines)), skipinitialspace=True))
    filled = [number for number, row in enumerate(rows) if any(cell.strip() for cell in row)]
    if not filled:
        return
    factors = _factors(name, [cell.strip() for cell in rows[filled[0]]])
    seen: set[Place] = set()
    for number in filled[1:]:
        place, point = _point(f"{name}, line {number + 1}", rows[number])
        if place in seen:
            raise SpecError(f"{name}, line {number + 1}: this point was given before; remove one")
        seen.add(place)
        yield place, [value * factor for value, factor in zip(point, factors, strict=True)]


def _factors(name: str, head: list[str]) -> list[float]:
    """m for the units of x, y and z."""
    titles = [cell.split("[")[0].strip() for cell in head]
    units = [cell.partition("[")[2].rstrip("] ") for cell in head[len(KEYS) :]]
    if titles != [*KEYS, *LENGTHS] or not all(units):
        raise SpecError(
            f"{name} begins with '{shortened(', '.join(head), 60)}'; its head must be '{HEAD}', "
            "with the units of its lengths"
        )
    try:
        return [parse(f"1 {unit}", "m") for unit in units]
    except ValueError as error:
        raise SpecError(f"{name}: {error}") from None


def _point(where: str, cells: list[str]) -> tuple[Place, list[float]]:
    """Where a point belongs, and its coordinates as they are written."""
    cells = [cell.strip() for cell in cells]
    try:
        tooth, row, column = (int(cells[k]) for k in (0, 2, 3))
        flank, point = cells[1], [float(cell) for cell in cells[4:]]
    except (ValueError, IndexError):
        raise SpecError(f"{where}: a line has the numbers of '{HEAD}'") from None
    if flank not in (CONCAVE, CONVEX) or len(point) != 3 or not np.isfinite(point).all():
        raise SpecError(
            f"{where}: a line has a tooth, 'concave' or 'convex', a row, a column and three lengths"
        )
    if tooth < 1 or not (1 <= row <= MOST_POINTS and 1 <= column <= MOST_POINTS):
        raise SpecError(
            f"{where}: tooth {tooth}, row {row}, column {column}; all are counted from 1, rows and "
            f"columns to {MOST_POINTS} at most"
        )
    return (tooth, flank, row, column), point
