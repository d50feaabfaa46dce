"""Shafts and rings as chains of beam elements, added to a ModelBuilder."""

import itertools
import math

import numpy as np

from flank.dynamics.builder import ModelBuilder, Node
from flank.elasticity.section import Section

Place = tuple[float, float, float]


def add_shaft(
    builder: ModelBuilder, name: str, start: Place, end: Place, elements: int, section: Section
) -> list[Node]:
    """A straight beam from `start` to `end` in equal elements; returns its elements + 1 nodes."""
    if elements < 1:
        raise ValueError(f"shaft {name!r} needs at least one element")
    along = np.subtract(end, start)
    length = float(np.linalg.norm(along))
    if length == 0.0:
        raise ValueError(f"shaft {name!r} has no length")
    slope = along / length
    nodes = [
        builder.point(f"{name} {k}", start + along * (k / elements), slope)
        for k in range(elements + 1)
    ]
    for first, second in itertools.pairwise(nodes):
        builder.beam(first, second, length / elements, section)
    return nodes


def add_ring(
    builder: ModelBuilder,
    name: str,
    centre: tuple[float, float],
    radius: float,
    elements: int,
    section: Section,
) -> list[Node]:
    """A closed circular ring in the plane z = 0; node k of the returned lies at 2πk/elements."""
    if elements < 3:
        raise ValueError(f"ring {name!r} needs at least three elements")
    nodes = []
    for k in range(elements):
        angle = 2 * math.pi * k / elements
        c, s = math.cos(angle), math.sin(angle)
        place = np.array((centre[0] + radius * c, centre[1] + radius * s, 0.0))
        nodes.append(builder.point(f"{name} {k}", place, np.array((-s, c, 0.0))))
    arc = 2 * math.pi * radius / elements
    for k in range(elements):
        builder.beam(nodes[k], nodes[(k + 1) % elements], arc, section)
    return nodes
