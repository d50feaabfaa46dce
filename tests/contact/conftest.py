"""Scenes of two bodies that touch, gaps of many points at once, and plain brute force."""

import math
from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from contact_pieces import SURFACE, gaps_of

from flank.contact import (
    Disc,
    Friction,
    PowerLaw,
    Surface,
    circle_in_hole,
    circle_on_curve,
    circle_pair,
    needle_between,
)
from flank.contact.dispatch import overlap
from flank.dynamics.assembly import assemble
from flank.dynamics.builder import ModelBuilder
from flank.dynamics.model import initial_state, workspace
from flank.geometry.curve import Circle, equal_arc_length_points, evaluate, pack_curves, period
from flank.geometry.cycloid import Cycloid
from flank.geometry.polyline import Polyline
from flank.geometry.spline import ClosedSpline
from flank.kernel import kernel

PROFILES = {
    "A": Cycloid(40, 64e-3, 3e-3, 1.3e-3),
    "B": Cycloid(40, 77.5e-3, 4e-3, 1.5e-3),
    "D": Cycloid(40, 119.5e-3, 5e-3, 2.2e-3),
    "H": Cycloid(14, 34e-3, 3.5e-3, 1.5e-3),
}


@kernel
def _overlaps(contacts, curves, data, points, parameters, out):
    for i in range(points.shape[0]):
        integrals = overlap(contacts[0], curves, data, points[i, 0], points[i, 1], parameters[i])
        for j in range(3):
            out[i, j] = integrals[j]


def _row(shape, radius):
    return circle_on_curve(1, 0, shape, Disc(2, 0.0, 0.0, radius), SURFACE, None)


def gaps(shape, points, radius, starts=None):
    """Rows gap, n_x, n_y, bend, curvature, parameter of many circles; cold without `starts`."""
    return gaps_of(_row(shape, radius), points, starts, pack_curves([shape]))


def overlaps(shape, points, radius, parameters):
    """Rows ∫(r-d)ds, ∫ds, ∫(r-d)²/2 ds."""
    out = np.empty((len(points), 3))
    contacts, points = np.array([_row(shape, radius)]), np.ascontiguousarray(points)
    _overlaps(contacts, *pack_curves([shape]), points, parameters, out)
    return out


def nearest(shape, points, count):
    """Signed distance of points to a smooth closed curve: best of `count` samples, then refined.

    The refinement is a golden section between the neighbours of the best sample: it knows nothing
    of tangents, and leaves a distance error of the order of round-off.
    """
    points = np.asarray(points, dtype=float).reshape(-1, 2)
    u = np.arange(count) * (period(shape) / count)
    curve = evaluate(shape, u)[:, :2]
    best = np.array([np.argmin(np.hypot(*(curve - p).T)) for p in points])
    low, high = u[best] - period(shape) / count, u[best] + period(shape) / count

    def distance(parameter):
        return np.hypot(*(evaluate(shape, parameter)[:, :2] - points).T)

    for _ in range(80):
        left, right = low + 0.382 * (high - low), low + 0.618 * (high - low)
        nearer = distance(left) < distance(right)
        low, high = np.where(nearer, low, left), np.where(nearer, right, high)
    x, y, tx, ty = evaluate(shape, 0.5 * (low + high))[:, :4].T
    dx, dy = points[:, 0] - x, points[:, 1] - y
    return np.sign(dx * ty - dy * tx) * np.hypot(dx, dy)


@pytest.fixture(scope="session")
def profiles():
    return PROFILES


@pytest.fixture(scope="session")
def find():
    return gaps


@pytest.fixture(scope="session")
def find_overlap():
    return overlaps


@pytest.fixture(scope="session")
def brute_force():
    return nearest


# Scenes: two bodies, one contact.


@dataclass
class Result:
    force: np.ndarray
    tangent: np.ndarray
    energy: float
    contact_result: np.void


@dataclass
class Scene:
    """A contact between bodies `a` and `b` (0 is ground) and where in A's frame p touches.

    `place(where, depth)` gives p with the penetration `depth`; `where` in [0, 1) runs along A.
    """

    name: str
    row: np.void
    place: object
    shapes: list = field(default_factory=list)
    a: int = 1
    b: int = 2

    def __post_init__(self):
        builder = ModelBuilder(0.05)
        for number in range(max(self.a, self.b)):
            builder.body(f"body {number}", 1.0, 1e-3)
        for shape in self.shapes:
            builder.curve(shape)
        self.row = self.row.copy()
        self.row["body_a"], self.row["body_b"] = self.a, self.b
        builder.contact(self.row)
        self.model = builder.build()

    def swapped_to(self, a, b):
        """The same contact between other bodies."""
        return replace(self, a=a, b=b)

    def pose(self, where, depth, at_a=(0.0, 0.0, 0.0), angle_b=0.0):
        """Positions of all bodies such that p is in place, A at `at_a`, B turned by `angle_b`."""
        position = np.zeros((3, 3))[: len(self.model.mass)]
        p = self.place(where, depth, angle_b - at_a[2])
        shape_origin = self.row["a_x"] + 1j * self.row["a_y"]
        circle = (self.row["b_x"] + 1j * self.row["b_y"]) * np.exp(1j * angle_b)
        centre = at_a[0] + 1j * at_a[1] + np.exp(1j * at_a[2]) * (shape_origin + p) - circle
        position[self.a] = at_a
        position[self.b] = centre.real, centre.imag, angle_b
        return position

    def solve(self, position, velocity=None, rate_factor=0.0, geometric_factor=1.0):
        """Forces, tangent and energy from a cold start."""
        state, work = initial_state(self.model, position), workspace(self.model)
        velocity = np.zeros_like(position) if velocity is None else np.array(velocity, dtype=float)
        energy, _ = assemble(
            self.model,
            state,
            state.position,
            velocity,
            0.0,
            work,
            rate_factor,
            1.0,
            geometric_factor,
        )
        return Result(work.force.copy(), work.core.copy(), energy, state.contact_results[0].copy())


def _polar(angle, radius):
    return radius * np.exp(1j * angle)


def _on_curve(shape, radius):
    def place(where, depth, _turn):
        x, y, tx, ty = evaluate(shape, [where * period(shape)])[0, :4]
        return x + 1j * y + (radius - depth) * (ty - 1j * tx)

    return place


PIN = Disc(2, 4e-3, -2.5e-3, 3.5e-3)
PROFILE = PROFILES["H"]
CURVES = {
    "cycloid": PROFILE,
    "spline": ClosedSpline(equal_arc_length_points(PROFILE, 60 * PROFILE.lobes)),
    "circle outline": Circle(0.02),
    "circle bore": Circle(0.012, hole=True),
}


def make_scene(name, surface):
    """One scene by the name of its finder, with any surface."""
    if name == "outside":
        other = Disc(1, 3e-3, 5e-3, 9e-3)
        row = circle_pair(other, PIN, surface)
        return Scene(name, row, lambda w, d, _: _polar(2 * math.pi * w, 9e-3 + 3.5e-3 - d))
    if name == "inside":
        hole = Disc(1, -2e-3, 6e-3, 5e-3)
        row = circle_in_hole(hole, PIN, surface)
        return Scene(name, row, lambda w, d, _: _polar(2 * math.pi * w, 5e-3 - 3.5e-3 + d))
    if name == "needle":
        inner, outer = Disc(1, 1e-3, -2e-3, 13e-3), Disc(2, 4e-3, -2.5e-3, 18e-3)
        angle, clearance = 0.7, 5e-6
        friction = surface.friction if surface.friction.form == "elastic" else Friction()
        row = needle_between(inner, outer, angle, clearance, surface.law, surface.damping, friction)

        def place(where, depth, turn):
            """Behind the needle by the clearance and the depth, and aside by anything."""
            normal = np.exp(1j * (angle + 18 / 31 * turn))
            return (-(clearance + depth) + 1j * 2e-4 * (where - 0.3)) * normal

        return Scene(name, row, place)
    if name == "polyline":
        points = equal_arc_length_points(PROFILE, 60 * PROFILE.lobes)
        shape = Polyline(points)
        row = circle_on_curve(1, 0, shape, PIN, surface, None)

        def place(where, depth, _turn):
            """Above the middle of a segment; the segment's ends have no tangent."""
            i = int(where * len(points))
            start, end = points[i] @ [1, 1j], points[(i + 1) % len(points)] @ [1, 1j]
            along = (end - start) / abs(end - start)
            return 0.45 * start + 0.55 * end - 1j * along * (PIN.radius - depth)

        return Scene(name, row, place, [shape])
    if name == "polyline bore":
        angle = -2 * np.pi * np.arange(64) / 64
        shape = Polyline(5e-3 * np.column_stack((np.cos(angle), np.sin(angle))))
        row = circle_on_curve(1, 0, shape, PIN, surface, place=(-2e-3, 6e-3))
        inside = 5e-3 * math.cos(math.pi / 64) - PIN.radius
        return Scene(name, row, lambda w, d, _: _polar(2 * math.pi * w, inside + d), [shape])
    shape = CURVES[name]
    row = circle_on_curve(1, 0, shape, PIN, surface, None)
    return Scene(name, row, _on_curve(shape, PIN.radius), [shape])


FINDERS = ["outside", "inside", *CURVES, "polyline", "polyline bore", "needle"]


@pytest.fixture(scope="session", params=FINDERS)
def finder(request):
    """The name of each gap finder (and each kind of curve) in turn."""
    return request.param


@pytest.fixture(scope="session")
def scene():
    return make_scene


@pytest.fixture(scope="session")
def stiff():
    """A power law as stiff as steel on 10 mm: the tangent of a rigid flank has no part in it."""
    return PowerLaw(2e9, 10 / 9)


@pytest.fixture(scope="session")
def rough(stiff):
    """Damped and with friction."""
    return Surface(stiff, 20.0, Friction(0.1, 1e-3, "smooth"))
