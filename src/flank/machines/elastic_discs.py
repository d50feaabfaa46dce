"""Discs of reducers as elastic plates, whatever turns them.

A disc's plate ends at the root circle of its flank: what stands beyond, and what lies above the
depth that the law of contact counts, is the flank's own.
"""

from collections.abc import Iterator, Sequence

from flank.elasticity.finite_elements.elastic_plate import THINNEST_WALL
from flank.elasticity.finite_elements.plate_mesh import Circle, thinnest_wall
from flank.texts import mm


def thin_wall_problems(radius: float, holes: Sequence[Circle], other: str) -> Iterator[str]:
    """Whether elements can tell the walls of a disc apart; `other` form needs none."""
    wall, least = thinnest_wall(radius, holes), THINNEST_WALL * radius
    if wall < least:
        yield (
            f"discs.body 'elastic' needs walls of {mm(least)} and more in the discs, and between "
            f"their holes and the flank's root one is {mm(max(wall, 0.0))}; use smaller holes, or "
            f"set discs.body to {other}"
        )
