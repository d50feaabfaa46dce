"""A reader of STEP files (ISO 10303-21) that knows nothing of Open CASCADE.

It knows what solids of machines are made of: planes across the axis with edges that are lines,
circles and splines; walls along the axis; and splines over a whole rectangle of their parameters.
The volume of a solid is the flux of (0, 0, z) through its faces; walls along z add nothing to it.
"""

import re
from functools import cached_property
from itertools import pairwise

import numpy as np
from scipy.interpolate import BSpline

RECORD = re.compile(r"#(\d+)\s*=\s*((?:'[^']*'|[^;'])*);")
TOKEN = re.compile(r"'[^']*'|[(),]|[^\s(),']+")
GAUSS = 6
"""Points in each direction of a span: exact for bicubic pieces that are not rational."""


class StepFile:
    """Records by their number; numbers stand for what they name."""

    def __init__(self, text):
        self.records = {int(number): said for number, said in RECORD.findall(text)}

    def of(self, number):
        """Kind and arguments of a record; those of a record of several kinds by kind."""
        said = self.records[number]
        tokens = TOKEN.findall(said)
        if not said.lstrip().startswith("("):
            return tokens[0], parsed(tokens, 1)[0]
        kinds, place = {}, 1
        while tokens[place] != ")":
            kinds[tokens[place]], place = parsed(tokens, place + 1)
        return "", kinds

    def numbers_of(self, kind):
        return [n for n, said in self.records.items() if said.startswith(f"{kind}(")]

    @cached_property
    def solids(self):
        """Volume of every solid in mm³, by the name of its product."""
        volumes = {}
        for number in self.numbers_of("SHAPE_DEFINITION_REPRESENTATION"):
            shape, body = self.of(number)[1]
            items = self.of(ref(body))[1][1]
            kinds = {self.of(ref(item))[0]: ref(item) for item in items}
            if "MANIFOLD_SOLID_BREP" in kinds:
                shell = self.of(kinds["MANIFOLD_SOLID_BREP"])[1][1]
                faces = self.of(ref(shell))[1][1]
                name = self.product(ref(shape))
                assert name not in volumes, name
                volumes[name] = sum(self.flux(ref(face)) for face in faces)
        return volumes

    def product(self, shape):
        """The name of what a shape is the shape of."""
        definition = ref(self.of(shape)[1][2])
        formation = ref(self.of(definition)[1][2])
        return self.of(ref(self.of(formation)[1][2]))[1][0].strip("'")

    def flux(self, face):
        """Of (0, 0, z) through a face."""
        _, (_, bounds, surface, same) = self.of(face)
        kind, given = self.of(ref(surface))
        if kind == "PLANE":
            return self._plane(bounds, given)
        if kind in ("CYLINDRICAL_SURFACE", "SURFACE_OF_LINEAR_EXTRUSION"):
            way = self.axis(given[1]) if kind.startswith("C") else self.vector(given[2])
            assert np.allclose(np.abs(way), (0, 0, 1), atol=1e-12)
            return 0.0
        points, knots, degrees = self.surface(kind, given)
        self._whole(bounds, points)
        return (1.0 if same == ".T." else -1.0) * spline_flux(points, knots, degrees)

    def _plane(self, bounds, given):
        assert np.allclose(np.abs(self.axis(given[1])), (0, 0, 1), atol=1e-12)
        (place,) = self.points([self.of(ref(given[1]))[1][1]])
        loops = [self.loop(ref(bound)) for bound in bounds]
        return place[2] * sum(area_under(loop) for loop in loops)

    def _whole(self, bounds, points):
        """Nothing is cut off a spline: the ends of its edges are its corners."""
        corners = points[[0, 0, -1, -1], [0, -1, 0, -1]]
        corners = corners[:, :3] / corners[:, 3:]
        assert len(bounds) == 1
        for end in (piece[0] for piece in self.pieces(ref(bounds[0]))):
            assert np.linalg.norm(corners - end, axis=1).min() < 1e-3

    def loop(self, bound):
        """Points around a loop of edges, the way that the face has it."""
        around = np.concatenate([piece[:-1] for piece in self.pieces(bound)])
        return around if self.of(bound)[1][2] == ".T." else around[::-1]

    def pieces(self, bound):
        """Points of the edges of a loop, each from its beginning to its end."""
        _, (_, edges) = self.of(ref(self.of(bound)[1][1]))
        for oriented in edges:
            _, (*_, edge, along) = self.of(ref(oriented))
            points = self.edge(ref(edge))
            yield points if along == ".T." else points[::-1]

    def edge(self, number):
        """Points of an edge from its first to its last vertex."""
        _, (_, first, last, curve, same) = self.of(number)
        ends = self.points([self.of(ref(each))[1][1] for each in (first, last)])
        kind, given = self.of(ref(curve))
        while kind in ("SURFACE_CURVE", "SEAM_CURVE"):
            kind, given = self.of(ref(given[1]))
        if kind == "LINE":
            return ends
        if kind == "CIRCLE":
            return self._arc(given, ends, same == ".T.")
        found = self.curve(given)
        found = found if same == ".T." else found[::-1]
        assert np.abs(found[[0, -1]] - ends).max() < 1e-3
        return found

    def _arc(self, given, ends, same):
        _, (_, middle, *_) = self.of(ref(given[1]))
        (middle,) = self.points([middle])
        turn = self.axis(given[1])[2] * (1 if same else -1)
        begin, end = (np.arctan2(*(point - middle)[1::-1]) for point in ends)
        sweep = (turn * (end - begin)) % (2 * np.pi)
        sweep = sweep if sweep > 1e-9 else 2 * np.pi
        angle = begin + turn * sweep * np.linspace(0, 1, 4001)
        height = np.full_like(angle, middle[2])
        flat = middle[:2] + float(given[2]) * np.column_stack((np.cos(angle), np.sin(angle)))
        return np.column_stack((flat, height))

    def curve(self, given):
        if isinstance(given, dict):
            degree, poles, *_ = given["B_SPLINE_CURVE"]
            many, places, _ = given["B_SPLINE_CURVE_WITH_KNOTS"]
            weights = np.array(given["RATIONAL_B_SPLINE_CURVE"][0], float)[:, None]
        else:
            _, degree, poles, *_, many, places, _ = given
            weights = np.ones((len(poles), 1))
        knots = repeated(places, many)
        poles = np.hstack((self.points(poles) * weights, weights))
        at = np.unique(np.concatenate([np.linspace(*ends, 41) for ends in spans(knots)]))
        found = BSpline(knots, poles, int(degree))(at)
        return found[:, :3] / found[:, 3:]

    def surface(self, kind, given):
        """Poles with their weights (rows, columns, 4), knots and degrees."""
        if kind == "B_SPLINE_SURFACE_WITH_KNOTS":
            _, one, other, poles, *_, many_u, many_v, u, v, _ = given
            weights = np.ones((len(poles), len(poles[0])))
        else:
            assert not kind, kind
            one, other, poles, *_ = given["B_SPLINE_SURFACE"]
            many_u, many_v, u, v, _ = given["B_SPLINE_SURFACE_WITH_KNOTS"]
            weights = np.array(given["RATIONAL_B_SPLINE_SURFACE"][0], float)
        points = np.array([self.points(row) for row in poles])
        points = np.concatenate((points * weights[..., None], weights[..., None]), axis=2)
        knots = [repeated(u, many_u), repeated(v, many_v)]
        return points, knots, (int(one), int(other))

    def points(self, names):
        return np.array([[float(x) for x in self.of(ref(name))[1][1]] for name in names])

    def axis(self, name):
        """The z axis of a placement."""
        return self.points([self.of(ref(name))[1][2]])[0]

    def vector(self, name):
        return self.points([self.of(ref(name))[1][1]])[0]


def ref(name):
    assert name.startswith("#"), name
    return int(name[1:])


def parsed(tokens, place):
    """Arguments in brackets as nested lists, and the place behind them."""
    assert tokens[place] == "("
    found, place = [], place + 1
    while tokens[place] != ")":
        if tokens[place] == "(":
            inner, place = parsed(tokens, place)
            found.append(inner)
        elif tokens[place] == ",":
            place += 1
        elif tokens[place + 1] == "(":  # a value with its type
            inner, place = parsed(tokens, place + 1)
            found.append(inner)
        else:
            found.append(tokens[place])
            place += 1
    return found, place + 1


def repeated(places, many):
    return np.repeat([float(each) for each in places], [int(each) for each in many])


def spans(knots):
    places = np.unique(knots)
    return list(pairwise(places))


def area_under(loop):
    x, y = loop[:, 0], loop[:, 1]
    return 0.5 * float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)))


def spline_flux(points, knots, degrees):
    """Of (0, 0, z) through a whole spline surface, to the side of its u by v."""
    values, along, across, weights = evaluated(points, knots, degrees)
    weight = values[..., 3]
    place = values[..., :3] / weight[..., None]
    u, v = ((each[..., :3] - place * each[..., 3:]) / weight[..., None] for each in (along, across))
    return float(np.sum(weights * place[..., 2] * (u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0])))


def evaluated(points, knots, degrees):
    """Values, both derivatives and weights at Gauss points of all spans."""
    nodes, shares = np.polynomial.legendre.leggauss(GAUSS)
    at = [
        np.concatenate([0.5 * (b - a) * nodes + 0.5 * (a + b) for a, b in spans(each)])
        for each in knots
    ]
    width = [np.concatenate([0.5 * (b - a) * shares for a, b in spans(each)]) for each in knots]
    rows = [BSpline(knots[0], points, degrees[0])(at[0], order) for order in (0, 1)]
    value, across = (
        np.swapaxes(BSpline(knots[1], np.swapaxes(rows[0], 0, 1), degrees[1])(at[1], order), 0, 1)
        for order in (0, 1)
    )
    along = np.swapaxes(BSpline(knots[1], np.swapaxes(rows[1], 0, 1), degrees[1])(at[1]), 0, 1)
    return value, along, across, np.outer(*width)
