"""Holes of discs in which circles run: round, or polylines as CAD files and other programs have.

A polyline has its vertices on the round hole; the chords between them leave a circle of
R cos(π/n) inside, so that a hole loses R (1 - cos π/n) of its clearance.
"""

import math
from collections.abc import Iterable
from typing import Annotated, Literal

import numpy as np

from flank.arrays import Floats
from flank.contact import Disc, Surface, circle_in_hole, circle_on_curve
from flank.dynamics.builder import ElasticCircle, ModelBuilder
from flank.geometry.polyline import SHARPEST_CORNER, Polyline
from flank.machines.outlines import circle, ring_of
from flank.machines.plates import Edge, round_edge
from flank.machines.quantities import WholeNumber
from flank.machines.spec import Spec, optional
from flank.texts import mm, um

HOLE_SEGMENTS = 200

FEWEST_SEGMENTS = round(2 * math.pi / SHARPEST_CORNER)
"""Of a wall; with fewer its corners would be corners of the part."""


class HoleProfileSpec(Spec):
    """The walls of some holes; blocks that have such holes add what they are else."""

    hole_profile: Literal["round", "polyline"] | None = optional(
        "how the wall of a hole is represented; round if absent", "round"
    )
    hole_segments: Annotated[int, WholeNumber(minimum=FEWEST_SEGMENTS, most=10_000)] | None = (
        optional(f"segments of a polyline; {HOLE_SEGMENTS} if absent", HOLE_SEGMENTS)
    )

    @property
    def wall_segments(self) -> int | None:
        """Of a polyline, None for round holes."""
        return (self.hole_segments or HOLE_SEGMENTS) if self.hole_profile == "polyline" else None

    def cross_checks(self) -> Iterable[str]:
        yield from super().cross_checks()
        if self.hole_segments is not None and self.hole_profile != "polyline":
            yield "hole_segments does nothing with a round hole; remove it"

    def chord_problems(self, block: str, radius: float, room: float) -> Iterable[str]:
        """Whether chords leave something of the `room` that a circle has in a hole."""
        if self.wall_segments is None or (lost := chord_height(radius, self.wall_segments)) < room:
            return
        least = math.ceil(math.pi / math.acos(1 - room / radius)) if room > 0 else 0
        remedy = f"use at least {least + 1}" if least else "enlarge the clearance"
        yield (
            f"{block}.hole_segments is {self.wall_segments}: chords take {um(lost, 3)} off a hole "
            f"of {mm(radius)}, whose clearance and preload bear {um(room, 3)}; {remedy}, or set "
            f"{block}.hole_profile to 'round'"
        )


def chord_height(radius: float, segments: int) -> float:
    """R (1 - cos π/n)."""
    return radius * (1 - math.cos(math.pi / segments))


def wall(radius: float, segments: int) -> Polyline:
    """Clockwise: the disc is around it."""
    return Polyline(ring_of(segments, radius)[::-1].copy())


def wall_points(radius: float, segments: int | None, place: Iterable[float]) -> Floats:
    """The wall as it is drawn."""
    if segments is None:
        return circle(radius, place)
    return np.asarray(ring_of(segments, radius) + tuple(place))


def wall_edge(radius: float, segments: int | None, place: Iterable[float]) -> Edge:
    """The wall as it is made."""
    x, y = place
    if segments is None:
        return round_edge(radius, (x, y))
    return Edge(polygon=wall_points(radius, segments, (x, y)))


def add_in_hole(
    builder: ModelBuilder,
    hole: Disc,
    circles: Iterable[Disc],
    surface: Surface,
    segments: int | None,
    elastic: ElasticCircle | None = None,
) -> None:
    """Circles in one hole, which is a polyline if it has `segments`, and may be elastic."""
    if segments is None:
        for inside in circles:
            builder.contact(circle_in_hole(hole, inside, surface), elastic)
        return
    shape = wall(hole.radius, segments)
    curve, place = builder.curve(shape), (hole.x, hole.y)
    for inside in circles:
        row = circle_on_curve(hole.body, curve, shape, inside, surface, place=place)
        builder.contact(row, elastic)
