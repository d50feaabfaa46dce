"""Parts where they stand in the machine, in mm, and the layers that they are drawn on."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

import numpy as np

from flank.analyses.drawing import plane_pose
from flank.errors import SpecError
from flank.machines.bevel_pair.machine import BevelPairMachine
from flank.machines.plates import Edge, HasPlates, Plate

if TYPE_CHECKING:
    from flank.arrays import Floats
    from flank.machines.base import Machine

MILLIMETRE = 1e3

LARGE = ("body", "ring")
"""Kinds of parts that have a layer each; others share one with all that are called alike."""


@dataclass(frozen=True)
class Placed:
    """A plate with its edges in space, lengths in mm, and the middle of its body."""

    plate: Plate
    layer: str
    centre: tuple[float, float]

    @property
    def edges(self) -> tuple[Edge, ...]:
        """The outer one first."""
        return self.plate.outside, *self.plate.holes


def placed_plates(machine: Machine, input_angle: float) -> list[Placed]:
    """All parts of a machine at an input angle; SpecError if it has none that can be drawn so."""
    if not isinstance(machine, HasPlates):
        if isinstance(machine, BevelPairMachine):
            raise SpecError(
                f"{machine.title} has gears whose faces are not parallel, which a drawing in the "
                "plane does not hold; write their solids with --step"
            )
        raise SpecError(
            f"{machine.title} has no parts with parallel faces; DXF, STEP and SVG are written of "
            "cycloidal drives, RV and few-teeth reducers, planetary gearboxes and gear pairs, STEP "
            "also of bevel and other pairs in space"
        )
    pose = plane_pose(machine, input_angle)
    placed = []
    for plate in machine.plates():
        x, y, angle = (float(value) for value in pose[plate.body])
        centre = (x * MILLIMETRE, y * MILLIMETRE)
        placed.append(Placed(_moved(plate, x, y, angle), _layer(plate), centre))
    return placed


def _layer(plate: Plate) -> str:
    if plate.kind in LARGE:
        return plate.name
    return re.sub(r" \d+", "", plate.name)


def _moved(plate: Plate, x: float, y: float, angle: float) -> Plate:
    edges = [_moved_edge(edge, x, y, angle) for edge in (plate.outside, *plate.holes)]
    given = plate.section

    def section(share: float) -> Edge:
        assert given is not None
        return _moved_edge(given(share), x, y, angle)

    return replace(
        plate,
        outside=edges[0],
        holes=tuple(edges[1:]),
        bottom=plate.bottom * MILLIMETRE,
        top=plate.top * MILLIMETRE,
        section=None if given is None else section,
    )


def _moved_edge(edge: Edge, x: float, y: float, angle: float) -> Edge:
    cosine, sine = math.cos(angle), math.sin(angle)
    turned = np.array([[cosine, sine], [-sine, cosine]])

    def moved(points: Floats) -> Floats:
        return np.asarray((points @ turned + (x, y)) * MILLIMETRE)

    if edge.circle is not None:
        (centre,) = moved(np.array([edge.circle[:2]]))
        return Edge(circle=(float(centre[0]), float(centre[1]), edge.circle[2] * MILLIMETRE))
    if edge.polygon is not None:
        return Edge(polygon=moved(edge.polygon))
    return Edge(tuple(type(piece)(piece.t, moved(piece.c), piece.k) for piece in edge.pieces))


class Layered(Protocol):
    """A part in the plane, or a solid in space."""

    @property
    def layer(self) -> str: ...


def layers_of(parts: Iterable[Layered]) -> Iterator[str]:
    """In the order of the parts."""
    yield from dict.fromkeys(part.layer for part in parts)
