"""Places on circles about an axis, and what a deviation does to them."""

import math

Point = tuple[float, float]


def even_angles(count: int) -> list[float]:
    """Evenly spread over a turn, the first at zero."""
    return [2 * math.pi * number / count for number in range(count)]


def polar(radius: float, angle: float) -> Point:
    return radius * math.cos(angle), radius * math.sin(angle)


def carried(body: tuple[float, float, float], place: Point) -> Point:
    """A point of a body, whose pose is (x, y, angle), in space."""
    x, y, turn = body
    c, s = math.cos(turn), math.sin(turn)
    return x + c * place[0] - s * place[1], y + s * place[0] + c * place[1]


def off_circle(place: Point, radial: float, tangential: float) -> Point:
    """How far `radial` outward and `tangential` along its circle about the origin move a place."""
    x, y = place
    radius = math.hypot(x, y)
    return (radial * x - tangential * y) / radius, (radial * y + tangential * x) / radius
