"""Places on a crank reducer's discs, and how thick their walls are."""

import math

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
