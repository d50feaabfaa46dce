"""Parts as plates: edges in the plane as they truly run, and where they begin and end along the
axis. What is drawn to be made needs the curves themselves; `outlines` are polygons for the eye.

A plate stands on a body of its machine, (x, y, θ) at its place; all in m.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np

from flank.arrays import Floats
from flank.geometry.curve import Shape, evaluate, period
from flank.geometry.gear import Gear
from flank.geometry.polyline import Polyline
from flank.geometry.tooth_fillet import Piece
from flank.geometry.tooth_outline import half_outline

if TYPE_CHECKING:  # its import takes longer than a check
    from scipy.interpolate import BSpline

TOLERANCE = 4e-7
"""m by which a spline may miss the curve that it follows."""

FEWEST_KNOTS, MOST_KNOTS = 6, 400
"""Points of a curve between two of its corners."""

FINE = 400
"""Places on a piece where a spline is compared with its curve."""

DEGREE = 3


@dataclass(frozen=True, eq=False)
class Edge:
    """A closed edge of a plate, counter-clockwise: smooth pieces one behind the other, each a cubic
    B-spline; or a polygon; or a circle (x, y, r)."""

    pieces: tuple[BSpline, ...] = ()
    polygon: Floats | None = None
    circle: tuple[float, float, float] | None = None

    def points(self, chord: float) -> Floats:
        """Corners (n, 2) of a polygon that stays within `chord` of the edge; exact of a polygon."""
        if self.polygon is not None:
            return self.polygon
        if self.circle is not None:
            x, y, radius = self.circle
            half = math.acos(max(1.0 - chord / radius, 0.5))
            angles = np.linspace(0.0, 2 * math.pi, math.ceil(math.pi / half), endpoint=False)
            return np.column_stack((x + radius * np.cos(angles), y + radius * np.sin(angles)))
        return np.concatenate([_followed(piece, chord)[:-1] for piece in self.pieces])

    @property
    def area(self) -> float:
        """Enclosed, by Green's theorem: exact on every piece."""
        if self.circle is not None:
            return math.pi * self.circle[2] ** 2
        if self.polygon is not None:
            x, y = self.polygon.T
            return 0.5 * float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)))
        return math.fsum(_swept(piece) for piece in self.pieces)


@dataclass(frozen=True, eq=False)
class Plate:
    """A part between two planes across the axis: its outer edge and the holes in it.

    `twist` is how far a helical gear turns from bottom to top. `kind` is that of its outline, and
    names the layer of drawings.
    """

    name: str
    kind: str
    body: int
    outside: Edge
    bottom: float
    top: float
    holes: tuple[Edge, ...] = ()
    twist: float = 0.0
    section: Callable[[float], Edge] | None = None
    """Of a gear that is crowned: the edge of its teeth at a share of its width."""

    @property
    def area(self) -> float:
        return self.outside.area - math.fsum(hole.area for hole in self.holes)

    @property
    def volume(self) -> float:
        width = self.top - self.bottom
        if self.section is None:
            return self.area * width
        shares, weights = np.polynomial.legendre.leggauss(3)
        mean = [self.section(0.5 + 0.5 * share).area for share in shares]
        toothed = 0.5 * float(np.dot(weights, mean))
        ring = self.kind == "ring"
        rest = self.outside.area if ring else -math.fsum(hole.area for hole in self.holes)
        return width * (rest + (-toothed if ring else toothed))


@runtime_checkable
class HasPlates(Protocol):
    """What a machine offers besides if its parts can be drawn to be made."""

    def plates(self) -> Sequence[Plate]: ...


def _swept(piece: BSpline) -> float:
    """½ ∮ (x dy - y dx) along one piece: a polynomial of degree 5 between knots."""
    knots = np.unique(piece.t)
    nodes, weights = np.polynomial.legendre.leggauss(DEGREE)
    half = 0.5 * np.diff(knots)[:, None]
    places = (knots[:-1, None] + half + half * nodes).ravel()
    (x, y), (dx, dy) = piece(places).T, piece.derivative()(places).T
    return 0.5 * float(np.sum((half * weights).ravel() * (x * dy - y * dx)))


def _followed(piece: BSpline, chord: float) -> Floats:
    """Points of a piece, both ends among them, closer together where it bends."""
    places = np.array([piece.t[0], piece.t[-1]])
    while True:
        middle = 0.5 * (places[1:] + places[:-1])
        ends = piece(places)
        off = np.hypot(*(piece(middle) - 0.5 * (ends[1:] + ends[:-1])).T)
        rough = off > chord
        if len(places) > 2 and not rough.any():
            return np.asarray(ends)
        places = np.sort(np.concatenate((places, middle[rough | (len(places) == 2)])))


def round_edge(radius: float, centre: tuple[float, float] = (0.0, 0.0)) -> Edge:
    return Edge(circle=(float(centre[0]), float(centre[1]), float(radius)))


def spline_through(
    curve: Callable[[Floats], Floats], begin: float, end: float, tolerance: float = TOLERANCE
) -> BSpline:
    """A cubic spline along a smooth curve (n, 2) of a parameter, nowhere farther from it than the
    tolerance, across; it runs through points of the curve that are closer where that bends."""
    from scipy.interpolate import make_interp_spline

    fine = np.linspace(0.0, 1.0, FINE)
    points = curve(begin + (end - begin) * fine)
    density = _density(points)
    count = FEWEST_KNOTS
    while True:
        along = np.interp(np.linspace(0.0, 1.0, count), density, fine)
        spline = make_interp_spline(along, curve(begin + (end - begin) * along), k=DEGREE)
        off = spline(fine) - points
        ways = spline.derivative()(fine)
        across = np.abs(off[:, 0] * ways[:, 1] - off[:, 1] * ways[:, 0]) / np.hypot(*ways.T)
        if across.max() <= tolerance or count >= MOST_KNOTS:
            return spline
        count = count * 3 // 2


def _density(points: Floats) -> Floats:
    """From 0 to 1 along a curve, quicker where it bends."""
    steps = np.diff(points, axis=0)
    far = np.cumsum(np.hypot(*steps.T))
    turned = np.cumsum(np.abs(np.diff(np.unwrap(np.arctan2(steps[:, 1], steps[:, 0])))))
    share = far / far[-1]
    if turned[-1] > 1e-6:
        share[1:] += turned / turned[-1]
    return np.concatenate(([0.0], share / share[-1]))


def flank_edge(shape: Shape, lobes: int) -> Edge:
    """Of a cycloid disc, whole or as its corners: a piece from every root to the next tip."""
    if isinstance(shape, Polyline):
        return Edge(polygon=np.asarray(shape.points))
    step = period(shape) / (2 * lobes)

    def curve(places: Floats) -> Floats:
        return evaluate(shape, places)[:, :2]

    return Edge(tuple(spline_through(curve, k * step, (k + 1) * step) for k in range(2 * lobes)))


def gear_edge(
    gear: Gear, tooth_angle: float = 0.0, root_roll: float | None = None, off: float = 0.0
) -> Edge:
    """Of a gear with a tooth in a direction of its frame: arcs, fillets and involutes, each a
    piece. Of an internal gear it is the edge of the hole.

    Tip and root relief are in it, that of the root from where a mate touches first, `root_roll`;
    and `off` is taken off the flanks besides, as crowning does at the ends of the face.
    """
    half = [spline_through(*curve) for curve in _half_curves(gear, root_roll, off)]
    tooth = [*(_mirrored(piece) for piece in half), *(_reversed(piece) for piece in half[::-1])]
    turns = np.exp(1j * (tooth_angle + gear.pitch_angle * np.arange(gear.teeth)))
    return Edge(tuple(_turned(piece, turn) for turn in turns for piece in tooth))


def relieved(gear: Gear, roll: Floats, root_roll: float | None, off: float = 0.0) -> Floats:
    """What is taken off a flank across it, at roll lengths; nothing of it stands below."""
    outline = half_outline(gear)
    taken = np.full_like(roll, off)
    begins = outline.form_roll if root_roll is None else root_roll
    for relief, beyond in (
        (gear.relief, gear.sign * (roll - gear.edge_roll_length)),
        (gear.root_relief, gear.sign * (begins - roll)),
    ):
        if relief is not None:
            share = np.clip(1.0 + beyond / relief.length, 0.0, 1.0)
            taken += relief.amount * share**relief.exponent
    return taken


def _half_curves(
    gear: Gear, root_roll: float | None, off: float
) -> Iterator[tuple[Callable[[Floats], Floats], float, float]]:
    """Pieces of half a tooth. An involute turned about its gear by c/r_b is its parallel at the
    distance c, so a relieved flank is the flank turned place by place; fillet and edge turn with
    its ends, and the arcs of root and tip grow as far. Where fillets meet in the middle of a space
    they stay there, and turn the more the nearer they come to the flank."""
    root, fillet, flank, edge, tip = half_outline(gear)[:5]
    ends = relieved(gear, np.array([flank.start, flank.end]), root_roll, off) / gear.base_radius
    below, above = map(float, ends)
    round_root = not _has_length(root)

    def turned(piece: Piece, by: Callable[[Floats], Floats]) -> Callable[[Floats], Floats]:
        def curve(places: Floats) -> Floats:
            points = piece.point(places) * np.exp(-1j * by(places))
            return np.column_stack((points.real, points.imag))

        return curve

    def nowhere(places: Floats) -> Floats:
        return np.zeros_like(places)

    def fillet_turns(places: Floats) -> Floats:
        share = (places - fillet.start) / (fillet.end - fillet.start)
        return below * (share if round_root else np.ones_like(places))

    def along(places: Floats) -> Floats:
        return relieved(gear, places, root_roll, off) / gear.base_radius

    rolls = [flank.start, *_breaks(gear, flank, root_roll), flank.end]
    pieces = [
        *([] if round_root else [(replace(root, end=root.end - below), nowhere)]),
        (fillet, fillet_turns),
        *((replace(flank, start=a, end=b), along) for a, b in pairwise(rolls)),
        (edge, lambda places: np.full_like(places, above)),
        (replace(tip, start=tip.start - above), nowhere),
    ]
    for piece, by in pieces:
        if _has_length(piece):
            yield turned(piece, by), piece.start, piece.end


def _breaks(gear: Gear, flank: Piece, root_roll: float | None) -> list[float]:
    """Rolls within a flank where a relief begins or ends, in order of the flank."""
    places = []
    if gear.relief is not None:
        places.append(gear.edge_roll_length - gear.sign * gear.relief.length)
    if gear.root_relief is not None:
        begins = flank.start if root_roll is None else root_roll
        places += [begins, begins + gear.sign * gear.root_relief.length]
    inside = [p for p in places if gear.sign * (p - flank.start) > 0 < gear.sign * (flank.end - p)]
    return sorted(inside, reverse=gear.sign < 0)


def _has_length(piece: Piece) -> bool:
    ends = piece.point(np.array([piece.start, piece.end]))
    return bool(abs(ends[1] - ends[0]) > TOLERANCE)


def _mirrored(piece: BSpline) -> BSpline:
    """Below the middle of the tooth, from the space to the tip."""
    return _spline(piece.t, piece.c * (1.0, -1.0))


def _reversed(piece: BSpline) -> BSpline:
    return _spline(piece.t[0] + piece.t[-1] - piece.t[::-1], piece.c[::-1])


def _turned(piece: BSpline, turn: complex) -> BSpline:
    turned = (piece.c @ [1, 1j]) * turn
    return _spline(piece.t, np.column_stack((turned.real, turned.imag)))


def _spline(knots: Floats, poles: Floats) -> BSpline:
    from scipy.interpolate import BSpline

    return BSpline(knots, poles, DEGREE)


def gear_plate(
    name: str,
    body: int,
    gear: Gear,
    bottom: float,
    width: float,
    tooth_angle: float = 0.0,
    bore: float = 0.0,
    helix_angle: float = 0.0,
    root_roll: float | None = None,
) -> Plate:
    """An external gear; `helix_angle` at its reference circle, positive if it is right-handed."""
    holes = (round_edge(bore),) if bore else ()
    twist = width * math.tan(helix_angle) / gear.reference_radius
    edge = gear_edge(gear, tooth_angle, root_roll)
    section = _crowned(gear, tooth_angle, root_roll)
    return Plate(name, "body", body, edge, bottom, bottom + width, holes, twist, section)


def ring_plate(
    name: str,
    body: int,
    gear: Gear,
    bottom: float,
    width: float,
    tooth_angle: float,
    outer_radius: float,
    helix_angle: float = 0.0,
    root_roll: float | None = None,
) -> Plate:
    """An internal gear with its rim."""
    edge = gear_edge(gear, tooth_angle, root_roll)
    twist = width * math.tan(helix_angle) / gear.reference_radius
    top, outside = bottom + width, round_edge(outer_radius)
    section = _crowned(gear, tooth_angle, root_roll)
    return Plate(name, "ring", body, outside, bottom, top, (edge,), twist, section)


def _crowned(
    gear: Gear, tooth_angle: float, root_roll: float | None
) -> Callable[[float], Edge] | None:
    """Sections of a crowned gear; its edge in drawings is that of the middle of its face."""
    if not gear.crowning:
        return None

    def section(share: float) -> Edge:
        off = gear.crowning * (2 * share - 1) ** 2
        return gear_edge(gear, tooth_angle, root_roll, off)

    return section


def pin_plates(
    name: str,
    body: int,
    places: Floats,
    radii: Iterable[float],
    bottom: float,
    top: float,
    kind: str = "pin",
) -> Iterator[Plate]:
    """Round pins beside each other, numbered from 1."""
    for k, (place, radius) in enumerate(zip(places, radii, strict=True)):
        edge = round_edge(float(radius), (float(place[0]), float(place[1])))
        yield Plate(f"{name} {k + 1}", kind, body, edge, bottom, top)
