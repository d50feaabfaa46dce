"""Fillets of flanks that no blade has cut: from the end of a flank to the bottom of its space.

On the line from bottom to tip at a place along the face, with the height h above the bottom and the
arc a around the axis, a flank ends at (0, h_0) with the slope da/dh and, prolonged, meets the
bottom at a_1. Flank and bottom are joined by a conic that touches both: where the space has room
at equal distances from a_1, which is a circle, in a narrower one at the middle of its bottom.
"""

import numpy as np

from flank.arrays import Floats
from flank.errors import SpecError
from flank.geometry.bevel.cutting import FlankGrid, places_of
from flank.geometry.bevel.section import AxialSection
from flank.geometry.spline_surface import spline_filter
from flank.texts import mm


def grid_tangents(points: Floats) -> tuple[Floats, Floats]:
    """By rows and by columns of a grid (m, n, 3), per step, from splines through it."""
    by_row, by_column = (_slopes_at_nodes(n) for n in points.shape[:2])
    return np.einsum("ij,jkc->ikc", by_row, points), np.einsum("ij,kjc->kic", by_column, points)


def _slopes_at_nodes(count: int) -> Floats:
    """Values at uniform nodes to the slopes there of the cubic spline through them."""
    coefficients = spline_filter(count)
    return np.asarray(0.5 * (coefficients[2:] - coefficients[:-2]))


def with_normals(points: Floats, outward: Floats, row: int | None = None) -> FlankGrid:
    """A grid with its normals; that in the middle of a row, or of all, looks as `outward` does."""
    normals = np.cross(*grid_tangents(points))
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    middle = normals[points.shape[0] // 2 if row is None else row, points.shape[1] // 2]
    return FlankGrid(points, normals if middle @ outward > 0 else -normals)


def fillet_below(flank: FlankGrid, points: Floats) -> FlankGrid:
    """With normals, of which the first row are the flank's, whom it touches there."""
    fillet = with_normals(points, flank.normals[0, points.shape[1] // 2], row=0)
    normals = fillet.normals.copy()
    normals[0] = flank.normals[0]
    return FlankGrid(points, normals)


def sense_of(flank: FlankGrid) -> int:
    """In which a flank looks about z."""
    middle = tuple(n // 2 for n in flank.points.shape[:2])
    point, normal = flank.points[middle], flank.normals[middle]
    return 1 if point[0] * normal[1] > point[1] * normal[0] else -1


def blended_fillets(
    first: FlankGrid, second: FlankGrid, section: AxialSection, pitch: float, rows: int
) -> tuple[FlankGrid, FlankGrid]:
    """Of both flanks of a tooth, whose spaces are what its neighbours leave, one pitch away."""
    ends = [np.arctan2(grid.points[0, :, 1], grid.points[0, :, 0]) for grid in (first, second)]
    thickness = np.abs(np.angle(np.exp(1j * (ends[0] - ends[1]))))
    room = pitch - thickness
    return _blended(first, section, room, rows), _blended(second, section, room, rows)


def _blended(flank: FlankGrid, section: AxialSection, room: Floats, rows: int) -> FlankGrid:
    """Of a flank whose space, at the height of the flank's end, is as wide as the angles `room`."""
    places = places_of(flank.points[0])
    u = np.linspace(-1, 1, len(places))
    down = section.bottom_points(u) - places
    depth, radius, sense = np.linalg.norm(down, axis=-1), places[:, 1], sense_of(flank)
    corner = sense * depth * _arc_per_depth(flank, down / depth[:, None])
    middle = 0.5 * room * radius
    if np.any(corner >= middle):
        k = int(np.argmax(corner - middle))
        raise SpecError(
            f"The space between two teeth closes {mm(float(corner[k] - middle[k]), 3)} before its "
            f"bottom at the {'toe' if k < len(u) / 2 else 'heel'}, so that no fillet is left; use "
            "less dedendum or a smaller pressure angle."
        )
    arc, share = _conic(corner, middle, depth, np.linspace(0, 1, rows)[:, None])
    azimuth = np.arctan2(flank.points[0, :, 1], flank.points[0, :, 0]) + sense * arc / radius
    z, distance = np.moveaxis(places + share[..., None] * down, -1, 0)
    points = np.stack([distance * np.cos(azimuth), distance * np.sin(azimuth), z], axis=-1)
    return fillet_below(flank, points)


def _arc_per_depth(flank: FlankGrid, down: Floats) -> Floats:
    """da/dh of the flank's end, downwards along the unit vectors (z, radius)."""
    point, normal = flank.points[0], flank.normals[0]
    radius = np.hypot(point[:, 0], point[:, 1])
    radial = (normal[:, 0] * point[:, 0] + normal[:, 1] * point[:, 1]) / radius
    around = (normal[:, 1] * point[:, 0] - normal[:, 0] * point[:, 1]) / radius
    return np.asarray(-(radial * down[:, 1] + normal[:, 2] * down[:, 0]) / around)


def _conic(corner: Floats, middle: Floats, depth: Floats, t: Floats) -> tuple[Floats, Floats]:
    """Arc and share of the depth at t in 0..1, by columns."""
    length = np.hypot(corner, depth)
    reach = np.minimum(length, middle - corner)
    weight = np.cos(0.5 * np.arccos(corner / length))
    weights = (1 - t) ** 2 + 2 * weight * t * (1 - t) + t**2
    first, last = 2 * weight * t * (1 - t) / weights, t**2 / weights
    return first * corner + last * (corner + reach), first + last
