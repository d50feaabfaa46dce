"""Round parts, which machines are made of: places on circles about an axis, what a deviation does
to them, and masses with inertias, (kg, kg·m² about the axis)."""

import math

Point = tuple[float, float]
MassInertia = tuple[float, float]


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


def cylinder(radius: float, length: float, density: float) -> MassInertia:
    """Solid cylinder about its axis."""
    mass = density * math.pi * radius**2 * length
    return mass, 0.5 * mass * radius**2


def hollow(outside: float, inside: float, length: float, density: float) -> MassInertia:
    """Hollow cylinder about its axis: J = m (R² + r²)/2."""
    mass = density * math.pi * (outside**2 - inside**2) * length
    return mass, 0.5 * mass * (outside**2 + inside**2)


def total(first: MassInertia, second: MassInertia) -> MassInertia:
    return first[0] + second[0], first[1] + second[1]


def scaled(part: MassInertia, share: float) -> MassInertia:
    """Of a part that is divided."""
    return share * part[0], share * part[1]


def shifted(part: MassInertia, distance: float) -> MassInertia:
    """About an axis at a distance from the part's own."""
    return part[0], part[1] + part[0] * distance**2


def less(
    body: MassInertia, hole: MassInertia, count: int = 1, distance: float = 0.0
) -> MassInertia:
    """Without `count` holes at a distance from the axis."""
    mass, inertia = shifted(hole, distance)
    return body[0] - count * mass, body[1] - count * inertia
