"""What must hold between the parts of an RV reducer before anything is computed."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from flank.machines.crank_reducer.checks import (
    friction_problems,
    material_problems,
    mm,
    size_problems,
    stage_problems,
    unused_problems,
)
from flank.machines.crank_reducer.rules import dimensions
from flank.machines.error_kinds import wrong_keys
from flank.machines.rv.errors import KINDS

if TYPE_CHECKING:
    from flank.machines.rv.spec import RvReducerSpec


def problems_of(spec: RvReducerSpec) -> Iterator[str]:
    """Every sentence about the reducer as a whole."""
    found = [*material_problems(spec, ("pins",)), *_pin_circle(spec)]
    yield from found
    yield from stage_problems(spec)
    if found:
        return
    yield from size_problems(spec, dimensions(spec))
    yield from _unused(spec)
    yield from wrong_keys(KINDS, spec.errors, spec.counts)


def _pin_circle(spec: RvReducerSpec) -> Iterator[str]:
    pins = spec.pins
    if spec.eccentricity * pins.count >= pins.circle_radius:
        yield (
            f"eccentricity is {mm(spec.eccentricity)}; it must be less than "
            f"{mm(pins.circle_radius / pins.count)} (pins.circle_radius / pins.count), "
            "or the flank crosses itself"
        )
    room = pins.circle_radius * math.sin(math.pi / pins.count)
    if pins.radius >= room:
        yield (
            f"pins.radius is {mm(pins.radius)}; neighbouring pins touch at {mm(room)}, "
            "use smaller or fewer pins"
        )


def _unused(spec: RvReducerSpec) -> Iterator[str]:
    if spec.discs.contact_depth is not None and spec.contact.law != "hertz":
        yield f"discs.contact_depth does nothing with the law '{spec.contact.law}'; remove it"
    if spec.friction.grooves and spec.pins.mounting != "floating":
        yield "friction.grooves does nothing with fixed pins; set pins.mounting to 'floating'"
    floating = spec.pins.mounting == "floating"
    yield from friction_problems(spec, floating, "fixed pins and ")
    yield from unused_problems(spec)
