"""The carrier's parts: pillars between flanges, as beams and as plates joined in space."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from flank.elasticity.finite_elements.joined_plates import JoinedPlates
from flank.elasticity.plate import Holes
from flank.elasticity.shaft import Segment, Shaft
from flank.machines.crank_reducer.rules import Dimensions

if TYPE_CHECKING:
    from flank.machines.crank_reducer.spec import CrankReducerSpec


def pillar_holes(size: Dimensions, radius: float) -> Holes:
    """Pillars, or what surrounds them, midway between cranks."""
    first = math.pi / size.pillar_count
    return Holes(size.pillar_count, size.pillar_circle_radius, radius, first)


def carrier_plates(spec: CrankReducerSpec, size: Dimensions) -> JoinedPlates:
    """The carrier in space; pins of output rollers are loaded along each disc's rollers."""
    stations: list[tuple[float, float]] = []
    if spec.output_rollers is not None:
        length = min(spec.output_rollers.length or size.disc_width, size.eccentric_length)
        stations = [(place, length) for place in pillar_shaft(spec, size).stations[1:-1]]
    return JoinedPlates(
        radius=size.main_circle_radius - size.ball_radius,
        width=size.flange_width,
        bore_radius=size.disc_bore_radius,
        distance=pillar_length(spec, size),
        pillars=pillar_holes(size, size.pillar_radius),
        seats=Holes(spec.cranks.count, spec.cranks.circle_radius, size.support.bore_radius),
        material=spec.elastic(spec.carrier.material),
        face=spec.carrier.output_face or "held",
        stations=tuple(stations),
    )


def pillar_shaft(spec: CrankReducerSpec, size: Dimensions) -> Shaft:
    """A pillar between the flanges' inner faces, with stations there and at every disc."""
    length, pitch = pillar_length(spec, size), size.eccentric_length + size.web_length
    discs = [0.5 * size.eccentric_length + j * pitch for j in range(spec.discs.count)]
    material = spec.elastic(spec.carrier.material)
    return Shaft((Segment(length, size.pillar_radius),), (0.0, *discs, length), material)


def pillar_length(spec: CrankReducerSpec, size: Dimensions) -> float:
    """Between the flanges' inner faces: all eccentrics and the webs between them."""
    discs = spec.discs.count
    return discs * size.eccentric_length + (discs - 1) * size.web_length
