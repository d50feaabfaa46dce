"""A circle against a closed polyline (arXiv 2604.02387, section 3.3, Algorithms 1 and 2).

Four screens, each of which skips only what cannot be nearer than what is already known, so the
answer equals the search over every segment:

1. warm start: the last foot segment gives an upper bound of the distance;
2. angle: a point at the polar angle Δ from p lies at least |p| sin Δ away from it;
3. blocks: a run of segments is skipped when its bounding box lies beyond the bound;
4. the segments of what is left are tried one by one.

Corners of a hole's wall are rounded (`geometry.polyline`): what is nearest follows from the nearest
segment.
"""

import math

import numpy as np

from flank.contact.declare import ContactKind, Field, Gap
from flank.geometry.polyline import BLOCK, BOX_FIELDS, SECTOR_FIELDS, SECTORS, VERTEX_FIELDS
from flank.geometry.uniform_table import floor_index
from flank.kernel import kernel

GAUSS_NODE = math.sqrt(0.6)


@kernel(internal=True)
def _gap(contact, curves, data, memory, px, py, _turn_a, _turn_b):
    """Gap of circle B, `parameter` = segment + fraction."""
    curve = curves[contact.curve]
    best_u, best = _segment(curve, data, int(memory.parameter) % curve.count, px, py)
    if memory.known == 0:
        for block in range(curve.box_count):
            best_u, best = _block(curve, data, block, px, py, best_u, best)
    else:
        radius = math.sqrt(px * px + py * py)
        spread = SECTORS
        if best < radius * radius:
            spread = 1 + int(math.asin(math.sqrt(best) / radius) * SECTORS / (2.0 * math.pi)) + 1
        centre = floor_index(math.atan2(py, px) * SECTORS / (2.0 * math.pi))
        for offset in range(-min(spread, SECTORS // 2), min(spread, SECTORS // 2 - 1) + 1):
            entry = curve.sector_start + SECTOR_FIELDS * ((centre + offset) % SECTORS)
            first = int(data[entry])
            for i in range(int(data[entry + 1])):
                block = (first + i) % curve.box_count
                best_u, best = _block(curve, data, block, px, py, best_u, best)
    gap = _gap_at(curve, data, px, py, contact.b_radius, best_u)
    remember(memory, px, py, gap)
    return gap


@kernel(internal=True)
def _overlap(contact, curves, data, px, py, parameter):
    """∫(r - d) ds, ∫ds and ∫(r - d)²/2 ds over the polyline inside the circle.

    Times the foundation's stiffness: force, stiffness and energy.

    The walk starts at the foot point and goes both ways until the polyline leaves the circle.
    """
    curve = curves[contact.curve]
    area = 0.0
    width = 0.0
    moment = 0.0
    foot = int(parameter) % curve.count
    for direction in range(2):
        i = foot if direction == 0 else (foot - 1) % curve.count
        for _ in range(curve.count):
            piece_area, piece_width, piece_moment = _piece(curve, data, i, px, py, contact.b_radius)
            if piece_width <= 0.0:
                break
            area += piece_area
            width += piece_width
            moment += piece_moment
            i = (i + 1) % curve.count if direction == 0 else (i - 1) % curve.count
    return area, width, moment


@kernel(internal=True)
def _piece(curve, data, i, px, py, radius):
    """The three integrals over the part of segment i inside the circle (Gauss, three points)."""
    j = curve.data_start + VERTEX_FIELDS * i
    k = curve.data_start + VERTEX_FIELDS * ((i + 1) % curve.count)
    x = data[j] - px
    y = data[j + 1] - py
    ex = data[k] - data[j]
    ey = data[k + 1] - data[j + 1]
    a = ex * ex + ey * ey
    half_b = x * ex + y * ey
    square = half_b * half_b - a * (x * x + y * y - radius * radius)
    if square <= 0.0:
        return 0.0, 0.0, 0.0
    low = max((-half_b - math.sqrt(square)) / a, 0.0)
    high = min((-half_b + math.sqrt(square)) / a, 1.0)
    if high <= low:
        return 0.0, 0.0, 0.0
    mean = 0.0
    mean_square = 0.0
    for point in range(3):
        s = 0.5 * (low + high) + 0.5 * (point - 1) * GAUSS_NODE * (high - low)
        depth = radius - math.sqrt((x + s * ex) ** 2 + (y + s * ey) ** 2)
        weight = 4.0 / 9.0 if point == 1 else 5.0 / 18.0
        mean += weight * depth
        mean_square += weight * depth * depth
    width = (high - low) * math.sqrt(a)
    return mean * width, width, 0.5 * mean_square * width


@kernel(internal=True)
def _gap_at(curve, data, px, py, b_radius, u):
    """Gap, normal and curvatures at the foot point u = segment + fraction."""
    i = int(u) % curve.count
    fraction = u - int(u)
    j = curve.data_start + VERTEX_FIELDS * i
    k = curve.data_start + VERTEX_FIELDS * ((i + 1) % curve.count)
    ex = data[k] - data[j]
    ey = data[k + 1] - data[j + 1]
    length = math.sqrt(ex * ex + ey * ey)
    x = px - (data[j] + fraction * ex)
    y = py - (data[j + 1] + fraction * ey)
    distance = math.sqrt(x * x + y * y)
    across = (x * ey - y * ex) / length
    if fraction == 0.0:  # a vertex: the sum of both normals tells the side, however sharp it is
        h = curve.data_start + VERTEX_FIELDS * ((i - 1) % curve.count)
        fx = data[j] - data[h]
        fy = data[j + 1] - data[h + 1]
        across += (x * fy - y * fx) / math.sqrt(fx * fx + fy * fy)
    side = 1.0 if across >= 0.0 else -1.0
    curvature = data[j + 2] + fraction * (data[k + 2] - data[j + 2]) + 1.0 / b_radius
    if fraction * length < data[j + 3]:
        return _corner(curve, data, i, px, py, b_radius, curvature, u)
    if (1.0 - fraction) * length < data[k + 3]:
        return _corner(curve, data, (i + 1) % curve.count, px, py, b_radius, curvature, u)
    if fraction > 0.0 or distance < 1e-15:
        return Gap(side * distance - b_radius, ey / length, -ex / length, 0.0, curvature, u)
    nx = side * x / distance
    ny = side * y / distance
    return Gap(side * distance - b_radius, nx, ny, side / distance, curvature, u)


@kernel(internal=True)
def _corner(curve, data, i, px, py, b_radius, curvature, u):
    """Gap at the arc that rounds the corner at vertex i of a hole's wall.

    The arc leaves the segments L before and after the vertex, turned by τ against each other: its
    radius is ρ = L/tan(τ/2), and the distance field about it is ρ - |p - c|, c its centre. Where
    the nearest segment's foot point is less than L from the vertex, p is before the arc.
    """
    h = curve.data_start + VERTEX_FIELDS * ((i - 1) % curve.count)
    j = curve.data_start + VERTEX_FIELDS * i
    k = curve.data_start + VERTEX_FIELDS * ((i + 1) % curve.count)
    fx = data[j] - data[h]
    fy = data[j + 1] - data[h + 1]
    before = math.sqrt(fx * fx + fy * fy)
    ex = data[k] - data[j]
    ey = data[k + 1] - data[j + 1]
    after = math.sqrt(ex * ex + ey * ey)
    sine = (fy * ex - fx * ey) / (before * after)
    cosine = (fx * ex + fy * ey) / (before * after)
    radius = data[j + 3] * (1.0 + cosine) / sine
    x = data[j] + (radius * fy - data[j + 3] * fx) / before - px
    y = data[j + 1] - (radius * fx + data[j + 3] * fy) / before - py
    distance = math.sqrt(x * x + y * y)
    if distance < 1e-15:
        return Gap(radius - b_radius, fy / before, -fx / before, 0.0, curvature, u)
    size = radius - distance - b_radius
    return Gap(size, x / distance, y / distance, -1.0 / distance, curvature, u)


@kernel(internal=True)
def _block(curve, data, block, px, py, best_u, best):
    """Best foot point and squared distance after the segments of one block, unless skipped."""
    box = curve.box_start + BOX_FIELDS * block
    dx = max(data[box] - px, 0.0, px - data[box + 1])
    dy = max(data[box + 2] - py, 0.0, py - data[box + 3])
    if dx * dx + dy * dy > best:
        return best_u, best
    for segment in range(BLOCK * block, min(BLOCK * block + BLOCK, curve.count)):
        u, squared = _segment(curve, data, segment, px, py)
        if squared < best:
            best = squared
            best_u = u
    return best_u, best


@kernel(internal=True)
def _segment(curve, data, i, px, py):
    """Foot point i + fraction on one segment, and the squared distance to it."""
    j = curve.data_start + VERTEX_FIELDS * i
    k = curve.data_start + VERTEX_FIELDS * ((i + 1) % curve.count)
    ex = data[k] - data[j]
    ey = data[k + 1] - data[j + 1]
    fraction = ((px - data[j]) * ex + (py - data[j + 1]) * ey) / (ex * ex + ey * ey)
    fraction = min(max(fraction, 0.0), 1.0)
    x = px - data[j] - fraction * ex
    y = py - data[j + 1] - fraction * ey
    return (i + fraction) % curve.count, x * x + y * y


@kernel(internal=True)
def remember(memory, px, py, gap):
    """Keep a search: its foot point, and where it looked from."""
    memory.known = 1
    memory.point_x = px
    memory.point_y = py
    memory.gap = gap.size
    memory.parameter = gap.parameter


CURVE = Field("curve", "row of the curve table", np.int64)

POLYLINE = ContactKind(name="polyline", fields=(CURVE,), gap=_gap, overlap=_overlap)
