"""Outlines of parts: how a machine looks, told once as polygons in the frames of its bodies.

Pictures read them together with the poses of a result; so may anything else that draws. Plane
machines have points (n, 2), machines in space (n, 3), all in m.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from flank.arrays import Floats
from flank.dynamics.tables import GROUND
from flank.geometry.curve import Shape, evaluate, period
from flank.geometry.gear import Gear
from flank.geometry.polyline import Polyline
from flank.geometry.tooth_outline import gear_outline

Kind = Literal[
    "body",  # a disc or a gear
    "ring",  # a ring with teeth inside that belongs to the housing
    "hole",  # in the outline before it
    "pin",
    "roller",
    "eccentric",
    "sun",
    "race",
    "cage",
    "ball",
    "outer track",
    "inner track",
    "outer shaft",
    "inner shaft",
    "guide",  # a circle that guides the eye, behind the parts
    "pitch circle",  # the same above them
    "centre",  # of a body: one point
    "axis",  # of the machine: one point
    "axle",  # the axis of a shaft in space
    "line of action",  # of a mesh, see `line_of_action`
    "track section",  # of a ball's track, see `track_section`
]
"""What an outline is; it decides how a picture fills it."""

KINDS: tuple[Kind, ...] = get_args(Kind)

CHORD_ERROR = 1e-5
"""m by which a polygon may miss its curve: less than the width of a line on paper."""

RELATIVE_ERROR = 1e-4
"""The same over the size of a part, for small ones."""

FINEST = 2e-6
"""Over the radius, for very large circles: a polygon of 1571 corners."""

FEWEST_POINTS = 24
POINTS_PER_LOBE = 160
POINTS_PER_PIECE = 8
"""Of a tooth, whose outline has pieces from the root to the tip."""

RIM = 0.6
"""Thickness of a drawn rim behind the roots, in tooth heights, where none is given."""

ORDINALS = ("first", "second", "third")
"""Of discs, which lie one behind the other and are drawn side by side."""


@dataclass(frozen=True)
class Cage:
    """A frame of rolling elements that is no body of the model.

    It stands at `centre` of the inner body and turns by `share` of that body's angle and by the
    rest of the outer body's, as elements do that roll on both.
    """

    inner: int
    outer: int
    centre: tuple[float, float]
    share: float


@dataclass(frozen=True, eq=False)
class Outline:
    """A polygon or polyline of one part, in the frame of a body (its number in the assembly).

    Holes follow the outline that they are cut out of and bear its name. `layer` names the panel
    of a picture that shows it, a disc or a view; outlines without one are in all panels. A
    `revolved` outline is the meridian, y = 0, of a body of revolution about the z axis.
    """

    name: str
    body: int
    points: Floats
    kind: Kind
    closed: bool = True
    layer: str = ""
    revolved: bool = False
    cage: Cage | None = None


def disc_layer(disc: int) -> str:
    """The layer of what lies in one disc's plane."""
    return f"{ORDINALS[disc]} disc"


def ring_of(count: int, radius: float, first: float = 0.0) -> Floats:
    """Points (count, 2) evenly on a circle about the origin."""
    angles = first + 2 * np.pi * np.arange(count) / count
    return np.column_stack((radius * np.cos(angles), radius * np.sin(angles)))


def circle(radius: float, centre: Iterable[float] = (0.0, 0.0)) -> Floats:
    """A polygon (n, 2) that misses the circle by `CHORD_ERROR` at most: r (1 - cos π/n)."""
    share = max(CHORD_ERROR / max(radius, CHORD_ERROR), FINEST)
    half = math.acos(max(1.0 - share, math.cos(math.pi / FEWEST_POINTS)))
    return np.asarray(ring_of(math.ceil(math.pi / half), radius) + tuple(centre))


def flank_points(shape: Shape, lobes: int) -> Floats:
    """Points of a disc's flank in the disc's frame."""
    if isinstance(shape, Polyline):
        return np.asarray(shape.points)
    count = POINTS_PER_LOBE * lobes
    return thinned(evaluate(shape, np.arange(count) * (period(shape) / count))[:, :2])


def gear_points(gear: Gear, tooth_angle: float = 0.0) -> Floats:
    """Outline (n, 2) of a gear with a tooth in the direction `tooth_angle` of its frame."""
    cosine, sine = math.cos(tooth_angle), math.sin(tooth_angle)
    turned = np.array([[cosine, sine], [-sine, cosine]])
    return np.asarray(np.column_stack(gear_outline(gear, POINTS_PER_PIECE)) @ turned)


def thinned(points: Floats) -> Floats:
    """A closed polygon without points that lie on the chord of their neighbours.

    Every second point is looked at, again and again until none lies so. The second time half as
    near, and so on: no point that is left out is farther off than two `CHORD_ERROR`.
    """
    near = min(CHORD_ERROR, RELATIVE_ERROR * float(np.abs(points).max()))
    while True:
        away = _from_chord(points)
        left_out = (away < near) & (np.arange(len(points)) % 2 == 1)
        if len(points) % 2:
            left_out[-1] = False  # its neighbour is the first point, which stays
        if not left_out.any():
            return points
        points, near = points[~left_out], 0.5 * near


def _from_chord(points: Floats) -> Floats:
    """Distance of every point of a closed polygon from the chord of its two neighbours."""
    before, after = np.roll(points, 1, axis=0), np.roll(points, -1, axis=0)
    chord, to_point = after - before, points - before
    cross = chord[:, 0] * to_point[:, 1] - chord[:, 1] * to_point[:, 0]
    return np.asarray(np.abs(cross) / np.maximum(np.hypot(*chord.T), np.spacing(1.0)))


def rim_radius(gear: Gear) -> float:
    """Of a ring as it is drawn where no outer radius is given."""
    return gear.root_radius + RIM * (gear.root_radius - gear.tip_radius)


def gear_outlines(
    name: str, body: int, gear: Gear, tooth_angle: float = 0.0, bore: float = 0.0
) -> list[Outline]:
    """An external gear, with a round bore if it has one."""
    teeth = Outline(name, body, thinned(gear_points(gear, tooth_angle)), "body")
    return [teeth, Outline(name, body, circle(bore), "hole")] if bore else [teeth]


def ring_outlines(
    name: str, body: int, gear: Gear, tooth_angle: float, outer_radius: float, kind: Kind
) -> list[Outline]:
    """An internal gear: a rim, and its teeth as the edge of a hole."""
    rim = Outline(name, body, circle(outer_radius), kind)
    return [rim, Outline(name, body, thinned(gear_points(gear, tooth_angle)), "hole")]


def pin_outlines(
    circle_radius: float, centres: Floats, radii: Floats, bodies: Sequence[int]
) -> list[Outline]:
    """A ring of pins in the housing; `bodies` of pins that move, none if they are fixed."""
    if bodies:
        centres = np.zeros_like(centres)
    pins = zip(bodies or [GROUND] * len(centres), centres, radii, strict=True)
    return [
        Outline("pin circle", GROUND, circle(circle_radius), "guide"),
        *(
            Outline(f"pin {k + 1}", body, circle(radius, centre), "pin")
            for k, (body, centre, radius) in enumerate(pins)
        ),
    ]


def disc_outlines(
    disc: int, rim: int, web: int, flank: Floats, holes: Iterable[Floats]
) -> Iterator[Outline]:
    """A disc in its layer: its flank on the rim, its holes on the web, and its centre."""
    name, layer = f"disc {disc + 1}", disc_layer(disc)
    yield Outline(name, rim, flank, "body", layer=layer)
    for hole in holes:
        yield Outline(name, web, hole, "hole", layer=layer)
    yield Outline(name, rim, np.zeros((1, 2)), "centre", closed=False, layer=layer)


def axis_outline(machine: str) -> Outline:
    """Of the machine, which is called so."""
    return Outline(machine, GROUND, np.zeros((1, 2)), "axis", closed=False)


def line_of_action(
    mesh: str, body: int, pitch_point: Floats, first: Floats, second: Floats
) -> Outline:
    """Along which teeth push: on flank +1 from the first to the middle point, the pitch point; on
    flank -1 from the last to it. Ways are unit vectors, drawn a hundredth of a metre long."""
    directions = 0.01 * np.array([-first, np.zeros_like(first), -second])
    return Outline(mesh, body, pitch_point + directions, "line of action", closed=False)


def track_section(name: str, body: int, centre: Floats, frame: Floats, radius: float) -> Outline:
    """Half a circle about a ball's centre across its track, from -y over x, its bottom, to y.

    `frame` has the track's x, y, z as rows. A ball that touches at the angle φ from the bottom
    does so on the ray to that point of the half circle.
    """
    angle = np.linspace(-0.5 * np.pi, 0.5 * np.pi, FEWEST_POINTS + 1)
    directions = np.column_stack((np.cos(angle), np.sin(angle))) @ frame[:2]
    return Outline(name, body, centre + radius * directions, "track section", closed=False)
