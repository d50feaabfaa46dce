"""Masses and inertias of round parts, which machines are made of: (kg, kg·m² about the axis)."""

import math

MassInertia = tuple[float, float]


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


def shifted(part: MassInertia, distance: float) -> MassInertia:
    """About an axis at a distance from the part's own."""
    return part[0], part[1] + part[0] * distance**2


def less(
    body: MassInertia, hole: MassInertia, count: int = 1, distance: float = 0.0
) -> MassInertia:
    """Without `count` holes at a distance from the axis."""
    mass, inertia = shifted(hole, distance)
    return body[0] - count * mass, body[1] - count * inertia
