"""A structured mesh of hexahedra of one sector of a gear: a tooth with its share of the body.

The sector is a lattice of rows (radially outward), columns (counter-clockwise) and layers (along
the axis); cells where there is no material are left out:

            | tooth |            rows of flank and upper fillet, columns across the tooth only
        ____|_______|____
       |    |       |    |       rows of the rim, up to root circle and lower fillet
       |    |       |    |       rows of web and hub, in their own layers only
        ------- held ----

All spokes below the teeth are radial. Tooth and spaces part where the outline makes 45° with the
middle of the tooth, so that the three cells which meet there have angles of about 60°. Below it
sizes grow in proportion to the distance from the teeth. Layers of helical gears are turned against
each other; teeth wind as on a right-hand gear. Nodes between corners lie on the true outline. Both
cut faces are the middle of a tooth space and have the same nodes, turned by 2π/z.

A ring is the same lattice from its outside to the tip circle, with its rows in reverse order.
"""

import math
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from skfem import ElementHex1, ElementHex2, ElementHexS2

from flank.arrays import ComplexNumbers, Flags, Floats, Integers
from flank.elasticity.tooth_beam import root_section
from flank.geometry.gear import Gear
from flank.geometry.tooth_fillet import Piece
from flank.geometry.tooth_outline import half_outline

ELEMENTS = {
    "hexahedron-8": ElementHex1,
    "hexahedron-20": ElementHexS2,
    "hexahedron-27": ElementHex2,
}
"""By number of nodes; the first has incompatible modes, see `elements`."""

FOOT_ANGLE = math.radians(45)
"""Between outline and middle of the tooth where the columns of tooth and space part."""

DIP = 0.5 * math.tan(math.radians(15))
"""Of the row below a tooth, over half its width: it leaves the outline 15° below the circle."""


@dataclass(frozen=True)
class GearBody:
    """What carries the teeth, in m: a plain disc, or rim, web and hub.

    `held_radius` is where the body is tied to its centre node, the bore, or the outside of a ring.
    With `web_thickness` the body has the full face only within `rim_thickness` of the root circle
    and, from the bore to `hub_radius`, the `hub_width`; between them it is a disc in the middle.
    """

    face_width: float
    held_radius: float
    rim_thickness: float | None = None
    web_thickness: float | None = None
    hub_radius: float | None = None
    hub_width: float | None = None


@dataclass(frozen=True)
class MeshDensity:
    """Numbers of cells; `growth` is how fast they grow with the distance from the teeth."""

    tooth: int = 6  # across the thickness of a tooth; even: its middle surface is a face of cells
    flank: int = 5  # along the involute
    fillet: int = 1  # along the upper part of the fillet
    space: int = 2  # on either side of the tooth
    layers: int = 4  # over the face
    growth: float = 0.35
    element: str = "hexahedron-20"


@dataclass(frozen=True, eq=False)
class Sector:
    """Nodes (N, 3) in m of one tooth with its share of a body around the z axis, and where is what.

    `left` and `right` are the nodes of the cut faces in the same order, `held` those that are tied
    to the centre node, `held_cells` and `held_side` their elements and which end of the first
    coordinate of these it is; `centre` are the nodes of the tooth's middle surface.
    """

    nodes: Floats
    elements: Integers
    left: Integers
    right: Integers
    held: Integers
    held_cells: Integers
    held_side: int
    centre: Integers
    element: str
    teeth: int


@dataclass(frozen=True, eq=False)
class SectorMesh(Sector):
    """A sector of a cylindrical gear, the tooth's middle on the x axis at mid-face.

    `flank` holds the element at each row and layer of the flank y > 0 of the involute, in order of
    rising roll; `roll_knots` and `layer_knots` are the ends of those rows and layers.
    """

    flank: Integers
    roll_knots: Floats
    layer_knots: Floats
    twist: float  # rad/m


class Lattice(NamedTuple):
    """Points (rows, columns) of the transverse section and heights, at every half cell.

    `cells` (rows, columns, layers) says which exist.
    """

    points: ComplexNumbers
    heights: Floats
    cells: Flags


def sector_mesh(gear: Gear, body: GearBody, density: MeshDensity) -> SectorMesh:
    """Mesh of the tooth on the x axis with its share of the body; refuses what makes no sense."""
    check_sector(gear, body, density)
    foot = _foot_points(gear, density)
    tooth = _tooth_points(gear, density, foot[2 * density.space : -2 * density.space])
    spokes, widths = _body_points(gear, body, density, foot)
    side = np.full((len(tooth) - 1, 2 * density.space), np.nan)
    points = np.concatenate((spokes, np.concatenate((side, tooth[1:], side), axis=1)))
    heights = _heights(body, density)
    cells = np.zeros((len(points) // 2, points.shape[1] // 2, len(heights) // 2), dtype=bool)
    within = np.abs(heights[1::2]) < 0.5 * np.append(widths, body.face_width)[:, None]
    cells[: len(widths)] = within[:-1, None, :]
    cells[len(widths) :, density.space : -density.space] = within[-1]
    order = slice(None, None, gear.sign)  # rows go outward
    return _sector(gear, density, Lattice(points[order], heights, cells[order]))


def check_sector(gear: Gear, body: GearBody, density: MeshDensity) -> None:
    """ValueError, in one sentence, for a body or a mesh that cannot be."""
    check_density(density)
    _check_radii(gear, body)
    if body.face_width <= 0:
        raise ValueError(f"a gear needs a positive face width, not {1e3 * body.face_width:g} mm")
    if body.web_thickness is None:
        given = [
            name
            for name in ("rim_thickness", "hub_radius", "hub_width")
            if getattr(body, name) is not None
        ]
        if given:
            raise ValueError(f"{given[0]} needs a web_thickness: without a web the gear is a disc")
        return
    _check_web(gear, body, body.web_thickness)


def check_density(density: MeshDensity) -> None:
    if density.element not in ELEMENTS:
        raise ValueError(f"no element {density.element!r}; choose among {', '.join(ELEMENTS)}")
    for name in ("tooth", "flank", "fillet", "space", "layers"):
        if getattr(density, name) < 1:
            raise ValueError(
                f"a mesh needs at least one cell of {name}, not {getattr(density, name)}"
            )
    if density.tooth % 2:
        raise ValueError(
            f"a mesh needs an even number of cells across the tooth, not {density.tooth}: its "
            "middle surface is held to find the local indentation"
        )
    if density.growth <= 0:
        raise ValueError(
            f"the growth of cells must be positive, not {density.growth:g}; 0.35 is usual"
        )


def _check_radii(gear: Gear, body: GearBody) -> None:
    held, root = 1e3 * body.held_radius, 1e3 * gear.root_radius
    if gear.internal and held <= root:
        raise ValueError(
            f"the outside of the ring, radius {held:.6g} mm, lies within its root circle of "
            f"{root:.6g} mm; make it larger"
        )
    if not gear.internal and held >= root:
        raise ValueError(
            f"the bore of radius {held:.6g} mm reaches above the root circle of {root:.6g} mm; "
            "make it smaller"
        )
    if held <= 0:
        raise ValueError(f"a gear is held at a bore of positive radius, not {held:.6g} mm")


def _check_web(gear: Gear, body: GearBody, web: float) -> None:
    if gear.internal:
        raise ValueError("a ring is held at its outside and has no web; leave web_thickness out")
    if not 0 < web <= body.face_width:
        raise ValueError(
            f"a web of {1e3 * web:g} mm must be thinner than the face of "
            f"{1e3 * body.face_width:g} mm, and thicker than nothing"
        )
    if body.rim_thickness is None or body.rim_thickness <= 0:
        raise ValueError("a gear with a web needs a positive rim_thickness, from the root circle")
    inside, hub = gear.root_radius - body.rim_thickness, body.hub_radius
    if not body.held_radius < inside:
        raise ValueError(
            f"a rim of {1e3 * body.rim_thickness:g} mm leaves no web above the bore of radius "
            f"{1e3 * body.held_radius:g} mm; make it thinner"
        )
    if (hub is None) != (body.hub_width is None):
        raise ValueError("a hub needs both hub_radius and hub_width")
    if hub is not None and not body.held_radius < hub < inside:
        raise ValueError(
            f"the hub of radius {1e3 * hub:g} mm must lie between the bore, "
            f"{1e3 * body.held_radius:g} mm, and the inside of the rim, {1e3 * inside:g} mm"
        )
    if body.hub_width is not None and body.hub_width < web:
        raise ValueError(
            f"a hub of {1e3 * body.hub_width:g} mm is narrower than its web of {1e3 * web:g} mm"
        )


def _foot_points(gear: Gear, density: MeshDensity) -> ComplexNumbers:
    """The row where a tooth begins: root circle and lower fillet, and a line below the tooth."""
    outline = half_outline(gear)
    parting, corner = root_section(gear, FOOT_ANGLE)
    lower = (outline.root, replace(outline.fillet, end=parting))
    space = _along(lower, 2 * density.space + 1)[-2::-1]
    share = np.linspace(-1, 1, 2 * density.tooth + 1)
    half_angle = float(np.angle(corner))
    dip = DIP * half_angle * abs(corner) * (1 - share**2)
    below = (abs(corner) - gear.sign * dip) * np.exp(1j * half_angle * share)
    return np.concatenate((space[::-1].conj(), below, space))


def _tooth_points(gear: Gear, density: MeshDensity, foot: ComplexNumbers) -> ComplexNumbers:
    """Rows of the tooth from its foot to its tip, between both flanks (Coons)."""
    outline = half_outline(gear)
    parting = root_section(gear, FOOT_ANGLE)[0]
    upper = _along((replace(outline.fillet, start=parting),), 2 * density.fillet + 1)
    flank = outline.flank.point(_flank_rolls(gear, 2 * density.flank))
    side = np.concatenate((upper, flank[1:]))[:, None]
    half_tip = _along((outline.edge, outline.tip), density.tooth + 1)
    tip = np.concatenate((half_tip.conj(), half_tip[-2::-1]))
    share = np.linspace(-1, 1, len(tip))
    ruled: ComplexNumbers = side.real + 1j * side.imag * share
    height = np.linspace(0, 1, len(side))[:, None]
    ruled += (1 - height) * (foot - ruled[0]) + height * (tip - ruled[-1])
    return ruled


def _flank_rolls(gear: Gear, count: int) -> Floats:
    """Roll lengths at equal distances along the involute from its foot, s = ρ²/2r_b."""
    outline = half_outline(gear)
    return np.sqrt(np.linspace(outline.form_roll**2, gear.edge_roll_length**2, count + 1))


def _body_points(
    gear: Gear, body: GearBody, density: MeshDensity, foot: ComplexNumbers
) -> tuple[ComplexNumbers, Floats]:
    """Rows from the held radius to the foot of the teeth, and the axial width of each."""
    radii, widths = [body.held_radius], [body.face_width]
    if body.web_thickness is not None and body.rim_thickness is not None:
        inside = gear.root_radius - body.rim_thickness
        radii, widths = [body.held_radius, inside], [body.web_thickness, body.face_width]
        if body.hub_radius is not None and body.hub_width is not None:
            radii.insert(1, body.hub_radius)
            widths.insert(0, body.hub_width)
    finest = gear.pitch_angle * gear.root_radius / (density.tooth + 2 * density.space)
    shares = [
        growing(abs(gear.root_radius - far), abs(gear.root_radius - near), finest, density.growth)
        for far, near in pairwise([*radii, gear.root_radius])
    ]
    tops = [*(np.full(len(foot), radius) for radius in radii[1:]), np.abs(foot)]
    rows = [radii[0] + np.zeros((1, len(foot)))]
    for start, top, share in zip(radii, tops, shares, strict=True):
        rows.append(start + share[1:, None] * (top - start))
    counts = [len(share) // 2 for share in shares]
    return np.concatenate(rows) * np.exp(1j * np.angle(foot)), np.repeat(widths, counts)


def growing(far: float, near: float, finest: float, growth: float) -> Floats:
    """Shares of the way from far to near, at every half cell; cells are `finest` + growth × d."""
    sizes = finest + growth * np.array([far, near])
    count = max(round(math.log(sizes[0] / sizes[1]) / growth), 1)
    places = np.geomspace(sizes[0], sizes[1], count + 1)
    return halved((sizes[0] - places) / (sizes[0] - sizes[1]))


def _heights(body: GearBody, density: MeshDensity) -> Floats:
    """Of layers, at every half cell: equal ones between the ends of face, web and hub."""
    widths = {body.face_width, body.web_thickness or 0.0, body.hub_width or 0.0} - {0.0}
    ends = 0.5 * np.array(sorted(widths))
    ends = np.concatenate((-ends[::-1], ends))
    size = body.face_width / density.layers
    counts = np.maximum(np.round(np.diff(ends) / size), 1).astype(int)
    steps = [
        np.linspace(*pair, n, endpoint=False)
        for pair, n in zip(pairwise(ends), counts, strict=True)
    ]
    return halved(np.append(np.concatenate(steps), ends[-1]))


def halved(values: Floats) -> Floats:
    """With the middles between neighbours."""
    places = np.arange(len(values), dtype=float)
    return np.interp(np.arange(2 * len(values) - 1) / 2, places, values)


def _along(pieces: tuple[Piece, ...], count: int) -> ComplexNumbers:
    """`count` points at equal distances along pieces in a row."""
    parameters = [piece.spread(257) for piece in pieces]
    lengths = []
    for piece, t in zip(pieces, parameters, strict=True):
        speed = np.abs(piece.slope(t))
        steps = 0.5 * (speed[1:] + speed[:-1]) * np.abs(np.diff(t))
        lengths.append(np.append(0.0, np.cumsum(steps)))
    places = np.linspace(0, sum(length[-1] for length in lengths), count)
    points = np.empty(count, dtype=complex)
    before = 0.0
    for piece, t, length in zip(pieces, parameters, lengths, strict=True):
        here = places >= before if length[-1] > 0 else np.zeros(count, dtype=bool)
        points[here] = piece.point(np.interp(places[here] - before, length, t))
        before += length[-1]
    return points


def _sector(gear: Gear, density: MeshDensity, lattice: Lattice) -> SectorMesh:
    """Nodes and elements of a lattice, with the places that a gear has."""
    twist = math.tan(gear.helix_angle) / gear.reference_radius
    nodes, elements, places = hexahedra(lattice, density.element, twist)
    rows = 2 * lattice.cells.shape[0]
    middle, foot = lattice.points.shape[1] // 2, 2 * (density.fillet + density.flank)
    on_tooth = places[:, 0] <= foot if gear.internal else places[:, 0] >= rows - foot
    numbers = np.full(lattice.cells.shape, -1)
    numbers[lattice.cells] = np.arange(len(elements))
    held_row, tip_row = (-1, 0) if gear.internal else (0, -1)
    face = np.flatnonzero(lattice.cells[tip_row].any(axis=0))
    flank_rows = slice(density.flank) if gear.internal else slice(-density.flank, None)
    flank = numbers[flank_rows, density.space + density.tooth - 1, face[0] : face[-1] + 1]
    return SectorMesh(
        nodes=nodes,
        elements=elements,
        left=np.flatnonzero(places[:, 1] == 0),
        right=np.flatnonzero(places[:, 1] == lattice.points.shape[1] - 1),
        held=np.flatnonzero(places[:, 0] == (rows if gear.internal else 0)),
        held_cells=numbers[held_row][numbers[held_row] >= 0],
        held_side=int(gear.internal),
        centre=np.flatnonzero(on_tooth & (places[:, 1] == middle)),
        flank=flank,
        roll_knots=np.sort(_flank_rolls(gear, density.flank)),
        layer_knots=lattice.heights[2 * face[0] : 2 * face[-1] + 3 : 2],
        twist=twist,
        element=density.element,
        teeth=gear.teeth,
    )


def hexahedra(
    lattice: Lattice, element: str, twist: float = 0.0
) -> tuple[Floats, Integers, Integers]:
    """Nodes, elements, and the place of each node in the lattice, for all cells that exist."""
    elements, places = numbered_cells(lattice.cells, element)
    row, column, layer = places.T
    heights = lattice.heights[layer]
    points = lattice.points[row, column] * np.exp(1j * twist * heights)
    return np.column_stack((points.real, points.imag, heights)), elements, places


def numbered_cells(cells: Flags, element: str) -> tuple[Integers, Integers]:
    """Elements in all cells that exist, and the place of each node in the lattice of half cells."""
    corners = 2 * np.argwhere(cells)
    offsets = np.rint(2 * ELEMENTS[element]().doflocs).astype(int)
    shape = tuple(2 * n + 1 for n in cells.shape)
    places = (corners[:, None, :] + offsets[None, :, :]).reshape(-1, 3)
    used, elements = np.unique(np.ravel_multi_index(tuple(places.T), shape), return_inverse=True)
    return elements.reshape(len(corners), -1), np.column_stack(np.unravel_index(used, shape))
