"""Members from grids of points, given or measured, of one tooth or of every tooth.

A grid (profile, lengthwise, 3) runs from root to tip and from toe to heel, in the member's frame of
`tooth.py`. Measured teeth stand where they are, each a pitch from the one before, about z in the
sense of right-handed rotations; what their pitches are off by is then in their points.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from flank.arrays import Floats
from flank.errors import SpecError
from flank.geometry.bevel.cutting import places_of, where
from flank.geometry.bevel.fillet import blended_fillets, with_normals
from flank.geometry.bevel.section import AxialSection
from flank.geometry.bevel.tooth import (
    CONCAVE,
    CONVEX,
    FILLET_POINTS,
    BevelMember,
    ToothSide,
    assemble_tooth,
    check_counts,
    turned,
)


def member_from_grids(
    teeth: int,
    hand: int,
    concave: ArrayLike,
    convex: ArrayLike,
    bottom: ArrayLike,
    pitch_deviations: ArrayLike = (),
    fillet_rows: int = FILLET_POINTS,
) -> BevelMember:
    """Of the flanks of one tooth, (profile, lengthwise, 3), or of all, (teeth, profile, ...), and
    the bottom of the spaces as (z, radius) at toe and heel; deviations of pitches are angles."""
    grids = {
        name: _teeth(name, grid, teeth) for name, grid in ((CONCAVE, concave), (CONVEX, convex))
    }
    counts = {len(grid) for grid in grids.values()}
    if len(counts) != 1:
        raise SpecError(
            f"There are {len(grids[CONCAVE])} concave and {len(grids[CONVEX])} convex grids; give "
            "as many of either flank."
        )
    line = np.asarray(bottom, dtype=float)
    sides = [
        _sides(grids[CONCAVE][k], grids[CONVEX][k], line, teeth, fillet_rows)
        for k in range(counts.pop())
    ]
    member = assemble_tooth(teeth, hand, *sides[0], _mean_place(grids[CONCAVE][0]))
    deviations = np.asarray(pitch_deviations, dtype=float)
    if len(deviations) not in (0, teeth):
        raise SpecError(
            f"There are {len(deviations)} pitch deviations for {teeth} teeth; give one a tooth."
        )
    measured = tuple(sides) if len(sides) > 1 else ()
    return replace(member, pitch_deviations=deviations, measured=measured)


def _teeth(name: str, given: ArrayLike, teeth: int) -> list[Floats]:
    """Grids of one tooth or of each, turned back to the first, after they were looked at."""
    grids = np.asarray(given, dtype=float)
    if grids.ndim == 3:
        grids = grids[None]
    if grids.ndim != 4 or grids.shape[-1] != 3 or len(grids) not in (1, teeth):
        raise SpecError(
            f"The {name} flank has an array of the shape {grids.shape}; give (profile, lengthwise, "
            f"3), or ({teeth}, profile, lengthwise, 3) for every tooth."
        )
    check_counts(*grids.shape[1:3])
    for tooth, grid in enumerate(grids):
        _check_grid(f"{name} flank of tooth {tooth}", grid)
    return [turned(grid, -2 * np.pi * tooth / teeth) for tooth, grid in enumerate(grids)]


def _check_grid(name: str, grid: Floats) -> None:
    """SpecError where points are missing, the grid folds, or it runs the wrong way."""
    rows, columns = grid.shape[:2]
    missing = ~np.isfinite(grid).all(axis=-1)
    if missing.any():
        raise SpecError(
            f"The {name} has {np.count_nonzero(missing)} holes, the first at "
            f"{_place(np.argwhere(missing)[0], rows, columns)}; measure these points or leave "
            "their row or column out."
        )
    up, along = np.diff(grid[:, :-1], axis=0), np.diff(grid[:-1], axis=1)
    cells = np.cross(up, along)
    middle = cells[cells.shape[0] // 2, cells.shape[1] // 2]
    folded = cells @ middle <= 0
    if folded.any():
        raise SpecError(
            f"The {name} folds at {_place(np.argwhere(folded)[0], rows, columns)}: its cells look "
            "the other way there; check the order of rows and columns and the points around it."
        )
    radius = places_of(grid)[..., 1]
    if radius[-1].mean() <= radius[0].mean():
        raise SpecError(
            f"The {name} runs from tip to root; give its rows from root to tip, outward, and its "
            "columns from toe to heel."
        )


def _place(index: Floats, rows: int, columns: int) -> str:
    row, column = (int(k) for k in index)
    u, v = 2 * column / (columns - 1) - 1, 2 * row / (rows - 1) - 1
    return f"row {row + 1}, column {column + 1}, at {where(u, v)}"


def _sides(
    concave: Floats, convex: Floats, bottom: Floats, teeth: int, fillet_rows: int
) -> tuple[ToothSide, ToothSide]:
    grids = []
    for grid, other in ((concave, convex), (convex, concave)):
        middle = tuple(n // 2 for n in grid.shape[:2])
        opposite = tuple(n // 2 for n in other.shape[:2])
        grids.append(with_normals(grid, grid[middle] - other[opposite]))
    corners = places_of(concave)[[0, 0, -1, -1], [0, -1, 0, -1]].reshape(2, 2, 2)
    section = AxialSection(corners, bottom)
    fillets = blended_fillets(grids[0], grids[1], section, 2 * np.pi / teeth, fillet_rows)
    return ToothSide(grids[0], fillets[0]), ToothSide(grids[1], fillets[1])


def _mean_place(grid: Floats) -> Floats:
    return np.asarray(places_of(grid)[grid.shape[0] // 2, grid.shape[1] // 2])
