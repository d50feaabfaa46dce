"""Discs as elastic plates: what the elements are given, and where plates stand in a model.

A disc's plate ends at the root circle of its flank: what stands beyond, and what lies above the
depth that the law of contact counts, is the flank's own. Crank holes carry loads, and the holes of
output rollers where there are some.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flank.contact.plate_modes import PlateModes, plate_modes
from flank.dynamics.builder import ElasticCircle, ModelBuilder
from flank.elasticity.finite_elements.elastic_plate import PlateBody, spread_of
from flank.elasticity.finite_elements.plate_mesh import Circle
from flank.machines.crank_reducer.rules import Dimensions
from flank.machines.round_parts import even_angles, polar

if TYPE_CHECKING:
    from flank.machines.crank_reducer.layout import Layout
    from flank.machines.crank_reducer.spec import CrankReducerSpec


@dataclass(frozen=True)
class DiscPlate:
    """The circles of one disc that contacts touch."""

    rim: ElasticCircle
    cranks: list[ElasticCircle]
    rollers: list[ElasticCircle]  # holes of output rollers, if any


def modes_of_discs(spec: CrankReducerSpec, size: Dimensions) -> PlateModes:
    """Of any disc: their holes are alike."""
    return plate_modes(plate_of_discs(spec, size))


def circles_of_discs(spec: CrankReducerSpec, size: Dimensions) -> list[Circle]:
    """Holes of cranks, of pillars, and the bore."""
    cranks = [
        Circle(*polar(spec.cranks.circle_radius, angle), size.turning_arm.bore_radius)
        for angle in even_angles(spec.cranks.count)
    ]
    first = math.pi / size.pillar_count
    pillars = [
        Circle(*polar(size.pillar_circle_radius, first + angle), size.pillar_hole_radius)
        for angle in even_angles(size.pillar_count)
    ]
    return [*cranks, *pillars, Circle(0.0, 0.0, size.disc_bore_radius)]


def plate_of_discs(spec: CrankReducerSpec, size: Dimensions) -> PlateBody:
    """Loaded by cranks, and by output rollers where there are some."""
    loaded = spec.cranks.count + (size.pillar_count if spec.output_rollers is not None else 0)
    material = spec.elastic(spec.discs.material)
    return PlateBody(
        size.root_radius,
        size.disc_width,
        tuple(circles_of_discs(spec, size)),
        tuple(range(loaded)),
        material,
        spread_of(spec.pressed_depth, material),
    )


def add_plate(builder: ModelBuilder, layout: Layout, j: int) -> DiscPlate:
    """Modes of disc j, whose holes are turned on it by ψ/u."""
    turned = layout.phases[j] / layout.crank_ratio
    damping, modes = layout.spec.structural_damping, modes_of_discs(layout.spec, layout.size)
    title = f"disc {j + 1}"
    rim, *holes = builder.plate_modes(title, layout.rim[j], modes, damping, turned)
    count = layout.spec.cranks.count
    return DiscPlate(rim, holes[:count], holes[count:])
