"""A structured mesh of one sector of a bevel or hypoid gear: a tooth with both of its true flanks
and fillets, and its share of the body.

The lattice is that of cylindrical gears: rows from the held surface to the tip, columns in the
sense of rising angles, layers from toe to heel. A layer is the cone on which a line from root to
tip lies (constant u); its columns go with the tooth, so that cut faces wind as the teeth do. Tooth
and space part where the fillet makes 45° with the tooth. The body, in the axial plane:

        toe        heel
        T0 ________ H0      bottom of the space
          |        |        rim, down the ends of the teeth: toe and rim thickness
        T1|        |H1
          |  disc  |        between the planes through T1 and H1
          |________|        held surface, the bore

Rows lie between rungs from the toe's side to the heel's. The rung at T1 has half the slope of the
bottom and one begins at H1, so that rows turn by degrees from the root cone to the bore, 70° and
more on a wheel. Layers of the body are turned against each other as the teeth are, but no more than
makes cells as slanted as these. Cylindrical coordinates are (z, radius, angle).
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import sparse
from scipy.interpolate import CubicSpline, PchipInterpolator

from flank.arrays import Flags, Floats, Integers
from flank.elasticity.finite_elements.elements import shapes_at
from flank.elasticity.finite_elements.sector_mesh import (
    DIP,
    FOOT_ANGLE,
    MeshDensity,
    Sector,
    check_density,
    growing,
    halved,
    numbered_cells,
)
from flank.geometry.bevel.tooth import CONCAVE, CONVEX, BevelMember, ToothSide
from flank.geometry.spline_surface import SplineSurface

BEVEL_DENSITY = MeshDensity(tooth=4, flank=8, fillet=2, space=2, layers=18, growth=0.3)

THINNEST_RIM = 0.25
"""Of a tooth's height: the rim below the foot of the teeth, which dips into it."""

USUAL_BORE, USUAL_RIM = 0.5, 1.2
"""Of the root's radius at the toe, and of a tooth's height at the heel."""

NARROWEST_DISC = 0.1
"""Of the face width."""

NEAR_RUNGS = 0.1
"""Of the way down the heel's side: rungs that are closer become one."""

TOWARDS_TIP = 1.5
"""Rows of a flank are v = 1 - 2 (1 - s)^p at equal steps of s from 0 to 1: tips are thin."""

FINE = 129
"""Points along a fillet, between which cells are measured off."""


@dataclass(frozen=True)
class BevelBody:
    """What carries the teeth, in m. Thicknesses lie below the bottom of the spaces, along the ends
    of the teeth; without its own the toe's is that of the heel."""

    held_radius: float
    rim_thickness: float
    toe_thickness: float | None = None

    @property
    def toe(self) -> float:
        return self.rim_thickness if self.toe_thickness is None else self.toe_thickness


def usual_body(
    member: BevelMember, held_radius: float | None = None, rim_thickness: float | None = None
) -> BevelBody:
    """What is not given: a bore of half the root's radius at the toe, a rim of USUAL_RIM of the
    tooth's height at the heel, or of half the way down to the bore where that is less."""
    bottoms, up = _bottoms(member)
    held = USUAL_BORE * float(bottoms[0, 1]) if held_radius is None else held_radius
    if rim_thickness is None:
        heights = np.linalg.norm(up, axis=1)
        room = (bottoms[:, 1] - held) * heights / np.maximum(up[:, 1], 0.1 * heights)
        rim_thickness = float(min(USUAL_RIM * heights[1], 0.5 * room.min()))
    return BevelBody(held, rim_thickness)


@dataclass(frozen=True, eq=False)
class BevelMesh(Sector):
    """A sector of a bevel gear in the frame of its member, tooth 0.

    `flanks` has, for the concave and the convex flank, the element at each row (root to tip) and
    layer (toe to heel), whose ends are `flank_rows` in v and equal steps of u; `ends` (of the unit
    cube) is the end of their second coordinate where the flank lies. `layers` numbers the layer of
    each node; cells lie between one and the next. `on_tooth` are the elements above the foot.
    """

    flanks: dict[str, Integers]
    ends: dict[str, int]
    layers: Integers
    on_tooth: Flags


class _Outline(NamedTuple):
    """One side of a tooth by layer, (points, layers, 3) in cylindrical coordinates: from the foot
    to the tip, and from the middle of the space to the foot."""

    side: Floats
    space: Floats


def bevel_mesh(member: BevelMember, body: BevelBody, density: MeshDensity) -> BevelMesh:
    """Mesh of tooth 0 with its share of the body; refuses what makes no sense."""
    check_density(density)
    low, high = _outlines(member, density)
    rungs = _rungs(member, body)
    tooth = _tooth_points(low.side, high.side, density)
    foot = np.concatenate((low.space[:-1], tooth[0], high.space[-2::-1]))
    spokes = _body_points(member, rungs, density, foot)
    gap = np.full((len(tooth) - 1, 2 * density.space, *foot.shape[1:]), np.nan)
    points = np.concatenate((spokes, np.concatenate((gap, tooth[1:], gap), axis=1)))
    return _sector(member, density, points)


def _sector(member: BevelMember, density: MeshDensity, points: Floats) -> BevelMesh:
    """Nodes and elements of a lattice (rows, columns, layers, 3), with the places in it."""
    tooth_rows = density.fillet + density.flank
    cells = np.ones([n // 2 for n in points.shape[:3]], dtype=bool)
    cells[-tooth_rows:, : density.space] = cells[-tooth_rows:, -density.space :] = False
    elements, places = numbered_cells(cells, density.element)
    numbers = np.full(cells.shape, -1)
    numbers[cells] = np.arange(len(elements))
    row, column, _ = places.T
    centre = points.shape[1] // 2
    sides = (density.space, -density.space - 1)
    names = _names(member)
    return BevelMesh(
        nodes=cartesian(points[tuple(places.T)]),
        elements=elements,
        left=np.flatnonzero(column == 0),
        right=np.flatnonzero(column == points.shape[1] - 1),
        held=np.flatnonzero(row == 0),
        held_cells=numbers[0].ravel(),
        held_side=0,
        centre=np.flatnonzero((column == centre) & (row >= len(points) - 1 - 2 * tooth_rows)),
        element=density.element,
        teeth=member.teeth,
        flanks={
            name: numbers[-density.flank :, side] for name, side in zip(names, sides, strict=True)
        },
        ends={name: end for end, name in enumerate(names)},
        layers=(places[:, 2] + 1) // 2,
        on_tooth=np.isin(np.arange(len(elements)), numbers[-tooth_rows:]),
    )


def flank_rows(count: int) -> Floats:
    """v of the ends of so many rows of cells, root to tip."""
    return np.asarray(1 - 2 * np.linspace(1, 0, count + 1) ** TOWARDS_TIP)


def _names(member: BevelMember) -> tuple[str, str]:
    """Of the flank at the lower and at the higher angle of a tooth."""
    return (CONVEX, CONCAVE) if member.outward > 0 else (CONCAVE, CONVEX)


def cartesian(points: Floats) -> Floats:
    z, radius, angle = np.moveaxis(points, -1, 0)
    return np.stack((radius * np.cos(angle), radius * np.sin(angle), z), axis=-1)


def cylindrical(points: Floats, about: float) -> Floats:
    """With angles within half a turn of `about`."""
    turned = (points[..., 0] + 1j * points[..., 1]) * np.exp(-1j * about)
    return np.stack((points[..., 2], np.abs(turned), about + np.angle(turned)), axis=-1)


def _outlines(member: BevelMember, density: MeshDensity) -> tuple[_Outline, _Outline]:
    """Of the side at the lower and at the higher angle."""
    u = np.linspace(-1, 1, 2 * density.layers + 1)
    names = _names(member)
    middle = member.side(names[0]).flank.points
    centre = middle[len(middle) // 2, middle.shape[1] // 2]
    about = math.atan2(centre[1], centre[0])
    fillets = [_fillet(member.side(name), u, about) for name in names]
    ends = [fillet[-1] for fillet in fillets]
    pitch = np.array([0.0, 0.0, member.pitch_angle])
    between = 0.5 * (ends[0] + ends[1])
    outlines = []
    for name, fillet, half in zip(names, fillets, (-0.5, 0.5), strict=True):
        foot = _foot(fillet)
        upper, lower = _parted(fillet, foot, 2 * density.fillet + 1)
        v = halved(flank_rows(density.flank))[1:]
        flank = SplineSurface(member.side(name).flank.points).points(u[None, :], v[:, None])
        land = np.concatenate((lower, (between + half * pitch)[None]))
        space = _equal_steps(land, 2 * density.space + 1)[::-1]
        outlines.append(_Outline(np.concatenate((upper, cylindrical(flank, about))), space))
    return outlines[0], outlines[1]


def _fillet(side: ToothSide, u: Floats, about: float) -> Floats:
    """(points, layers, 3) at equal distances from the flank's root end to the bottom of the space.

    Rows of the grid may jump in distance where the blade's edge radius begins, so that they are
    followed by cubics without overshoot, over their distances.
    """
    points = cylindrical(side.fillet.points, about)
    columns = np.linspace(-1, 1, points.shape[1])
    lengths = _developed_lengths(points)
    share = np.linspace(0, 1, FINE)
    lines = [
        PchipInterpolator(lengths[:, k], points[:, k])(share * lengths[-1, k])
        for k in range(len(columns))
    ]
    return np.asarray(CubicSpline(columns, np.array(lines))(u)).swapaxes(0, 1)


def _developed_lengths(lines: Floats) -> Floats:
    """Distances along lines (points, layers, 3) from their first points."""
    steps = np.diff(lines, axis=0)
    steps[..., 2] *= 0.5 * (lines[1:, :, 1] + lines[:-1, :, 1])
    lengths = np.cumsum(np.linalg.norm(steps, axis=-1), axis=0)
    return np.concatenate((np.zeros((1, lines.shape[1])), lengths))


def _foot(fillet: Floats) -> Floats:
    """Where, in points from the first on, the fillet of each layer makes 45° with the tooth."""
    steps = np.diff(fillet, axis=0)
    radius = 0.5 * (fillet[1:, :, 1] + fillet[:-1, :, 1])
    across = np.abs(radius * steps[..., 2])
    steep = across - math.tan(FOOT_ANGLE) * np.hypot(steps[..., 0], steps[..., 1])
    first = np.argmax(steep > 0, axis=0)
    layer = np.arange(fillet.shape[1])
    first = np.maximum(first, 1)
    before, after = steep[first - 1, layer], steep[first, layer]
    place = first + 0.5 - after / (after - before)
    # some of the fillet must be left on either side, whatever its shape
    return np.asarray(np.clip(place, 0.2 * (FINE - 1), 0.8 * (FINE - 1)))


def _parted(fillet: Floats, foot: Floats, count: int) -> tuple[Floats, Floats]:
    """From the foot up to the flank in `count` points, and from the foot down in many."""
    places = np.arange(FINE, dtype=float)
    upper = np.linspace(1, 0, count)[:, None] * foot
    lower = foot + np.linspace(0, 1, FINE)[:, None] * (FINE - 1 - foot)
    results = []
    for at in (upper, lower):
        parts = [
            [np.interp(at[:, k], places, fillet[:, k, c]) for c in range(3)]
            for k in range(fillet.shape[1])
        ]
        results.append(np.array(parts).transpose(2, 0, 1))
    return results[0], results[1]


def _equal_steps(line: Floats, count: int) -> Floats:
    """Points at equal distances along lines (points, layers, 3)."""
    lengths = _developed_lengths(line)
    result = np.empty((count, *line.shape[1:]))
    for k in range(line.shape[1]):
        at = np.linspace(0, lengths[-1, k], count)
        for c in range(3):
            result[:, k, c] = np.interp(at, lengths[:, k], line[:, k, c])
    return result


def _tooth_points(low: Floats, high: Floats, density: MeshDensity) -> Floats:
    """(rows, columns, layers, 3) between both sides, the foot dipping into the rim."""
    share = np.linspace(-1, 1, 2 * density.tooth + 1)[:, None, None]
    middle, half = 0.5 * (low + high)[:, None], 0.5 * (high - low)[:, None]
    points: Floats = middle + share * half
    up = middle[-1] - middle[0]
    up /= np.hypot(up[..., 0], up[..., 1])[..., None]
    up[..., 2] = 0.0
    deep = DIP * half[0, ..., 2:] * middle[0, ..., 1:2] * (1 - share**2)
    points -= np.linspace(1, 0, len(points))[:, None, None, None] * deep * up
    return points


def _body_points(member: BevelMember, rungs: Floats, density: MeshDensity, foot: Floats) -> Floats:
    """(rows, columns, layers, 3) from the held surface up to the foot of the teeth."""
    share = np.linspace(0, 1, foot.shape[1])[:, None]
    bottom, *lower = rungs
    twist = 0.5 * (foot[0] + foot[-1])[:, 2]
    twist -= twist[len(twist) // 2]
    levels = [foot]
    for rung in lower:
        level = np.empty_like(foot)
        level[..., :2] = (1 - share) * rung[0] + share * rung[1]
        level[..., 2] = foot[..., 2] - (1 - _unwound(bottom, rung)) * twist
        levels.append(level)
    arc = member.pitch_angle * bottom[:, 1].mean()
    finest = arc / (density.tooth + 2 * density.space)
    steps = np.linalg.norm(np.diff(rungs, axis=0), axis=-1).mean(axis=1)
    depths = np.append(0.0, np.cumsum(steps))
    rows = [levels[-1][None]]
    for k in reversed(range(len(steps))):
        shares = growing(depths[k + 1], depths[k], finest, density.growth)[1:]
        rows.append(levels[k + 1] + shares[:, None, None, None] * (levels[k] - levels[k + 1]))
    return np.concatenate(rows)


def _unwound(bottom: Floats, rung: Floats) -> float:
    """Share of the teeth's turn that layers have at a rung."""
    slants = [line[:, 1].mean() / np.hypot(*(line[1] - line[0])) for line in (bottom, rung)]
    return float(min(1.0, slants[0] / slants[1]))


def _rungs(member: BevelMember, body: BevelBody) -> Floats:
    """(rungs, 2, 2): ends (z, radius) at the toe's and the heel's side, bottom first, bore last."""
    toe, heel = _sides(member, body)
    toe_lengths, heel_lengths = _lengths(toe), _lengths(heel)
    opposite = _opposite(toe, heel)
    if abs(opposite - heel_lengths[1]) < NEAR_RUNGS * heel_lengths[-1]:
        opposite = heel_lengths[1]
    at_heel = np.unique(np.append(heel_lengths, opposite))
    at_toe = np.interp(at_heel, [0.0, opposite, heel_lengths[-1]], toe_lengths)
    sides = [
        np.column_stack([np.interp(at, lengths, side[:, c]) for c in (0, 1)])
        for at, lengths, side in ((at_toe, toe_lengths, toe), (at_heel, heel_lengths, heel))
    ]
    return np.stack(sides, axis=1)


def _lengths(line: Floats) -> Floats:
    return np.append(0.0, np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1)))


def _opposite(toe: Floats, heel: Floats) -> float:
    """Length down the heel's side to where a line from T1 with half the bottom's slope ends."""
    along = heel[0] - toe[0]
    slope = math.tan(0.5 * math.atan2(along[1], along[0]))
    above = heel[:, 1] - toe[1, 1] - slope * (heel[:, 0] - toe[1, 0])
    return float(np.interp(0.0, -above, _lengths(heel)))


def _sides(member: BevelMember, body: BevelBody) -> tuple[Floats, Floats]:
    """Lines T0, T1, bore and H0, H1, bore."""
    bottoms, up = _bottoms(member)
    heights = np.linalg.norm(up, axis=1)
    _check_body(body, bottoms, heights)
    thickness = np.array([body.toe, body.rim_thickness])
    rim = bottoms - (thickness / heights)[:, None] * up
    _check_rim(body, bottoms, rim)
    bore = np.column_stack((rim[:, 0], np.full(2, body.held_radius)))
    lines = np.stack((bottoms, rim, bore), axis=1)
    return lines[0], lines[1]


def _bottoms(member: BevelMember) -> tuple[Floats, Floats]:
    """Ends of the bottom at toe and heel, and the ways from there to the tip."""
    sides = (member.concave, member.convex)
    bottoms = np.mean([_axial(side.bottom_line) for side in sides], axis=0)[[0, -1]]
    return bottoms, _axial(member.concave.tip_line)[[0, -1]] - bottoms


def _axial(points: Floats) -> Floats:
    return np.column_stack((points[:, 2], np.hypot(points[:, 0], points[:, 1])))


def _check_body(body: BevelBody, bottoms: Floats, heights: Floats) -> None:
    held, root = 1e3 * body.held_radius, 1e3 * float(bottoms[:, 1].min())
    if held >= root:
        raise ValueError(
            f"the bore of radius {held:.6g} mm reaches above the root cone, whose radius at the "
            f"toe is {root:.6g} mm; make it smaller"
        )
    if held <= 0:
        raise ValueError(f"a gear is held at a bore of positive radius, not {held:.6g} mm")
    for name, thickness, height in (
        ("heel", body.rim_thickness, heights[1]),
        ("toe", body.toe, heights[0]),
    ):
        if thickness < THINNEST_RIM * height:
            raise ValueError(
                f"a rim of {1e3 * thickness:.6g} mm at the {name} is too thin to carry teeth of "
                f"{1e3 * height:.4g} mm; make it at least {1e3 * THINNEST_RIM * height:.4g} mm"
            )


def _check_rim(body: BevelBody, bottoms: Floats, rim: Floats) -> None:
    room = rim[:, 1] - body.held_radius
    if room.min() <= 0:
        name = ("toe", "heel")[int(np.argmin(room))]
        raise ValueError(
            f"the rim reaches {-1e3 * room.min():.4g} mm into the bore of radius "
            f"{1e3 * body.held_radius:.6g} mm at the {name}; make the rim thinner or the bore "
            "smaller"
        )
    disc, face = rim[1, 0] - rim[0, 0], float(np.hypot(*(bottoms[1] - bottoms[0])))
    if disc < NARROWEST_DISC * face:
        raise ValueError(
            f"between the planes at toe and heel of the rim the body is {1e3 * disc:.4g} mm thick, "
            f"less than a tenth of the face width of {1e3 * face:.4g} mm; make the rim thinner at "
            "the toe or thicker at the heel"
        )


def side_forces(
    mesh: BevelMesh, name: str, u: Floats, v: Floats, directions: Floats
) -> sparse.csr_array:
    """Consistent nodal forces (3 nodes, points) of unit forces along directions (points, 3) at
    places of a flank."""
    cells = mesh.flanks[name]
    rows, row = _cell_places(v, flank_rows(cells.shape[0]))
    layers, layer = _cell_places(u, np.linspace(-1, 1, cells.shape[1] + 1))
    local = np.vstack((row, np.full(len(u), float(mesh.ends[name])), layer))
    values = shapes_at(mesh.element, local)[0].T[:, :, None] * directions[:, None, :]
    unknowns = 3 * mesh.elements[cells[rows, layers]][:, :, None] + np.arange(3)
    points = np.broadcast_to(np.arange(len(u))[:, None, None], values.shape)
    places = unknowns.ravel(), points.ravel()
    return sparse.csr_array((values.ravel(), places), (3 * len(mesh.nodes), len(u)))


def _cell_places(values: Floats, ends: Floats) -> tuple[Integers, Floats]:
    """Cell, and place in it, of values over cells with such ends."""
    cell = np.clip(np.searchsorted(ends, values, "right") - 1, 0, len(ends) - 2)
    return cell, (values - ends[cell]) / np.diff(ends)[cell]
