"""Influence numbers between points of flanks, read at the middles of their pressures.

Between sections i and j of one gear, on teeth so many apart (and from tooth to tooth, where they
differ), a table has coefficients T_pq of
B-splines over both v: B = w(v_i)ᵀ T w(v_j). All weights of a point are computed once, with their
derivatives by its place; a pair of points then is one block of 4 x 4 coefficients for each gear.
"""

from flank.geometry.spline_surface import spline_weights
from flank.kernel import kernel

OF_A, OF_B = range(2)
"""Gears; v of A's places is their first coordinate, v of B's their third."""

VALUE, SLOPE, BEND = range(3)
"""Rows of a point's weights: of the spline and of its first two derivatives by v."""


@kernel(internal=True)
def put_weights(mesh, k, work):
    """Cells and weights of a point in the tables of both gears."""
    _put_gear_weights(mesh.influence_a, OF_A, k, work)
    _put_gear_weights(mesh.influence_b, OF_B, k, work)


@kernel(internal=True)
def _put_gear_weights(table, gear, k, work):
    middle = work.middles[k, gear]
    cells = table.shape[3] - 3
    scale = 0.5 * cells
    cell, values, slopes, bends = spline_weights(scale * (middle[0] + 1.0), cells)
    by_v = scale * middle[1]
    by_vv = scale * middle[2]
    work.cells[k, gear] = cell
    rows = work.weights[k, gear]
    for r in range(4):
        rows[VALUE, r] = values[r]
        rows[SLOPE, r] = by_v * slopes[r]
        rows[BEND, r] = by_v * by_v * bends[r] + by_vv * slopes[r]


@kernel(internal=True)
def _order(table, sense, gear, k, m, work):
    """How many teeth lie between two points, -1 for too many, which of them comes first, and the
    tooth of the second: teeth of a gear are sense × A's tooth, B's less how far they are back."""
    away = sense * (work.tooth[k, 0] - work.tooth[m, 0])
    if abs(away) >= table.shape[1]:
        return -1, k, m, 0
    first, second = (k, m) if away >= 0 else (m, k)
    tooth = 0
    if table.shape[0] > 1:  # teeth differ
        back = work.base[1] if gear == OF_B else 0
        tooth = (sense * work.tooth[second, 0] - back) % table.shape[0]
    return abs(away), first, second, tooth


@kernel(internal=True)
def add_influence(table, sense, gear, k, m, slopes, work):
    """Influence number of two points on one gear; its derivatives by v of k and of m are put into
    `slopes` at (k, m) and (m, k)."""
    away, first, second, tooth = _order(table, sense, gear, k, m, work)
    slopes[k, m] = 0.0
    slopes[m, k] = 0.0
    if away < 0:
        return 0.0
    block = table[tooth, away, work.tooth[first, 1]]
    j = work.tooth[second, 1]
    p = work.cells[first, gear]
    q = work.cells[second, gear]
    own = work.weights[first, gear]
    other = work.weights[second, gear]
    value = 0.0
    by_first = 0.0
    by_second = 0.0
    for r in range(4):
        row = block[p + r, j]
        read = 0.0
        slope = 0.0
        for s in range(4):
            read += other[VALUE, s] * row[q + s]
            slope += other[SLOPE, s] * row[q + s]
        value += own[VALUE, r] * read
        by_first += own[SLOPE, r] * read
        by_second += own[VALUE, r] * slope
    slopes[second, first] = by_second
    slopes[first, second] = by_first
    return value


@kernel(internal=True)
def influence_bends(table, sense, gear, k, m, work):
    """Second derivatives of an influence number by v of k, of m, and of both."""
    away, first, second, tooth = _order(table, sense, gear, k, m, work)
    if away < 0:
        return 0.0, 0.0, 0.0
    block = table[tooth, away, work.tooth[first, 1]]
    j = work.tooth[second, 1]
    p = work.cells[first, gear]
    q = work.cells[second, gear]
    own = work.weights[first, gear]
    other = work.weights[second, gear]
    by_first = 0.0
    by_second = 0.0
    both = 0.0
    for r in range(4):
        row = block[p + r, j]
        read = 0.0
        slope = 0.0
        bent = 0.0
        for s in range(4):
            read += other[VALUE, s] * row[q + s]
            slope += other[SLOPE, s] * row[q + s]
            bent += other[BEND, s] * row[q + s]
        by_first += own[BEND, r] * read
        by_second += own[VALUE, r] * bent
        both += own[SLOPE, r] * slope
    if first == k:
        return by_first, by_second, both
    return by_second, by_first, both
