"""What must hold between the parts of a few-teeth reducer before anything is computed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from flank.geometry.gear_pair import GearPair
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
from flank.machines.few_teeth.errors import KINDS

if TYPE_CHECKING:
    from flank.machines.few_teeth.spec import FewTeethReducerSpec


def problems_of(spec: FewTeethReducerSpec) -> Iterator[str]:
    """Every sentence about the reducer as a whole."""
    found = [*material_problems(spec, ("ring",)), *_mesh(spec)]
    yield from found
    yield from stage_problems(spec)
    yield from _unused(spec)
    if found:
        return
    yield from size_problems(spec, dimensions(spec))
    yield from friction_problems(spec, loose=False)
    yield from unused_problems(spec)
    yield from wrong_keys(KINDS, spec.errors, spec.counts)


def _mesh(spec: FewTeethReducerSpec) -> Iterator[str]:
    """Whether disc and ring have a working angle; what else may be wrong are findings."""
    if spec.teeth_of_difference < 1:
        yield (
            f"ring.teeth is {spec.ring.teeth} and discs.teeth {spec.discs.teeth}; "
            "the ring needs more teeth than the discs inside it"
        )
        return
    disc, ring = spec.discs.gear(spec.rack), spec.ring.gear(spec.rack, internal=True)
    least = ring.base_radius - disc.base_radius
    if spec.eccentricity is not None:
        if spec.eccentricity <= least:
            yield (
                f"eccentricity is {mm(spec.eccentricity)}; it must exceed {mm(least)}, the "
                "difference of the base radii, or the teeth have no line of action"
            )
        return
    try:
        GearPair(disc, ring)
    except ValueError:
        shifts = spec.discs.profile_shift + spec.ring.profile_shift
        yield (
            f"ring.profile_shift: with {shifts:.4g} in all disc and ring mesh without backlash at "
            "no eccentricity; lower it (ISO 21771 sign: the ring's teeth move outward)"
        )


def _unused(spec: FewTeethReducerSpec) -> Iterator[str]:
    crowned = spec.discs.crowning > 0 or spec.ring.crowning > 0
    yield from spec.mesh.too_few_slices("mesh", crowned or spec.rack.helix_angle > 0)
    if spec.coupling is not None and spec.first_stage is not None:
        yield "coupling does nothing beside a first_stage; remove one of them"
    if spec.friction.teeth and spec.mesh.model != "contact":
        yield (
            f"friction.teeth does nothing with the mesh model '{spec.mesh.model}', whose force "
            "lies along the line of action; set it to 0 or mesh.model to 'contact'"
        )
