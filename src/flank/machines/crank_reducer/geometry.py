"""Shapes of a crank reducer's parts: places on discs, their walls, a crank as a stepped shaft."""

import math

from flank.elasticity.shaft import Segment, Shaft
from flank.machines.crank_reducer.rules import Dimensions
from flank.machines.crank_reducer.spec import CrankReducerSpec
from flank.machines.error_kinds import Values


def polar(radius: float, angle: float) -> tuple[float, float]:
    return radius * math.cos(angle), radius * math.sin(angle)


def off_circle(place: tuple[float, float], radial: float, tangential: float) -> tuple[float, float]:
    """How far `radial` outward and `tangential` along its circle about the origin move a place."""
    x, y = place
    radius = math.hypot(x, y)
    return (radial * x - tangential * y) / radius, (radial * y + tangential * x) / radius


def hole_error(errors: Values, hole: tuple[float, float], k: int, j: int) -> tuple[float, float]:
    """How far the hole of crank k in disc j is off its place, on the disc."""
    return off_circle(hole, errors["hole_radial"][j, k], errors["hole_tangential"][j, k])


def wall_behind(spec: CrankReducerSpec, size: Dimensions, crank: int, direction: float) -> float:
    """Material behind the wall of a crank hole in a direction of the disc, to the next edge.

    Never more than the hole's radius: what lies deeper is hardly pressed.
    """
    radius = size.turning_arm.bore_radius
    angle = 2 * math.pi * crank / spec.cranks.count
    x, y = polar(spec.cranks.circle_radius, angle)
    dx, dy = math.cos(direction), math.sin(direction)
    ways = [2 * radius, -(x * dx + y * dy) + _root(x, y, dx, dy, size.root_radius)]
    circles = [(0.0, 0.0, size.disc_bore_radius)]
    for k in range(size.pillar_count):
        place = polar(size.pillar_circle_radius, 2 * math.pi * (k + 0.5) / size.pillar_count)
        circles.append((*place, size.pillar_hole_radius))
    for k in range(spec.cranks.count):
        if k != crank:
            place = polar(spec.cranks.circle_radius, 2 * math.pi * k / spec.cranks.count)
            circles.append((*place, radius))
    for cx, cy, r in circles:
        along = (cx - x) * dx + (cy - y) * dy
        across = (cx - x) ** 2 + (cy - y) ** 2 - along**2
        if along > 0 and across < r**2:
            ways.append(along - math.sqrt(r**2 - across))
    return min(ways) - radius


def _root(x: float, y: float, dx: float, dy: float, radius: float) -> float:
    """√(R² - distance²) of a ray from inside a circle about the origin."""
    return math.sqrt(radius**2 - (x * dy - y * dx) ** 2)


def ring_thickness(spec: CrankReducerSpec, size: Dimensions) -> float:
    """The thinnest wall around any crank hole."""
    steps = 720
    return min(
        wall_behind(spec, size, k, 2 * math.pi * i / steps)
        for k in range(spec.cranks.count)
        for i in range(steps)
    )


def crank_shaft(spec: CrankReducerSpec, size: Dimensions) -> Shaft:
    """Planet (if there is one), journal, eccentrics with webs between, journal.

    A station stands in the middle of each. The web between two eccentrics is the largest round one
    that lies inside both.
    """
    journal = Segment(size.journal_length, size.journal_radius)
    eccentric = Segment(size.eccentric_length, size.pin_radius)
    web = Segment(size.web_length, size.pin_radius - size.eccentricity)
    pieces = [journal]
    if spec.first_stage is not None:
        pieces.insert(0, Segment(size.face_width, size.journal_radius))
    for j in range(spec.discs.count):
        pieces += [web, eccentric] if j else [eccentric]
    pieces.append(journal)
    stations, place = [], 0.0
    for piece in pieces:
        if piece is not web:
            stations.append(place + 0.5 * piece.length)
        place += piece.length
    material = spec.material(spec.cranks.material).elastic
    return Shaft(tuple(pieces), tuple(stations), material)
