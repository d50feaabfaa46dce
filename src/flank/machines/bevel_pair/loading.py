"""Flanks of two gears in space made ready for loads: what gives way, in the frames of bodies.

Surfaces are shifted along their axes so that the origins of their frames are the centres of mass of
the members, as dynamics has them; P and G of the mounting grow by as much: the pair is the same.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from flank.contact.spatial.flank_search import FlankMesh
from flank.contact.spatial.flank_sections import FlankLoading, flank_mesh
from flank.elasticity.material import Material
from flank.elasticity.tooth_plate import FlankCompliance, ToothPlate
from flank.geometry.bevel.section import RoundHoles
from flank.geometry.flank_pair import FlankPair
from flank.geometry.mounting import Mounting
from flank.geometry.spline_surface import SplineSurface
from flank.machines.bevel_pair.teeth import KEPT, MATES, PairTeeth, Plan, made_teeth

if TYPE_CHECKING:
    from flank.elasticity.finite_elements.bevel_mesh import BevelBody

RIM_ROOM = 1.1
"""Over the thinnest rim that can be meshed, whose teeth are measured a little differently."""


def body_pair(pair: FlankPair, centres: tuple[float, float]) -> FlankPair:
    """The same flanks in frames whose origins are at `centres` on the axes."""
    first, second = (
        SplineSurface(surface.grid - np.array([0.0, 0.0, centre]))
        for surface, centre in zip(pair.surfaces, centres, strict=True)
    )
    mounting = replace(
        pair.mounting, p=pair.mounting.p + centres[0], g=pair.mounting.g + centres[1]
    )
    return replace(pair, surfaces=(first, second), mounting=mounting)


@dataclass(frozen=True)
class Elasticity:
    """What gives way: materials of pinion and wheel, and for finite elements the radii at which
    bodies are held, none for usual ones, z of the planes in which they end behind their teeth, none
    for usual bodies, and their holes."""

    materials: tuple[Material, Material]
    influence: str = "beam"
    held_radii: tuple[float | None, float | None] = (None, None)
    backs: tuple[float | None, float | None] = (None, None)
    holes: tuple[RoundHoles | None, RoundHoles | None] = (None, None)

    def compliances(self, teeth: PairTeeth, flank: str) -> tuple[FlankCompliance, FlankCompliance]:
        """Of the pinion's flank and its mate on the wheel."""
        if self.influence == "fe":
            pinion, wheel = (self._elements(teeth, k, flank) for k in (0, 1))
            return pinion, wheel
        pinion, wheel = (
            ToothPlate(tooth.gear, material, tooth.length)
            for tooth, material in zip(teeth.normals, self.materials, strict=True)
        )
        return pinion, wheel

    def _elements(self, teeth: PairTeeth, number: int, flank: str) -> FlankCompliance:
        """By finite elements of the real tooth, kept on disk."""
        from flank.elasticity.finite_elements.bevel_influence import bevel_influence

        member, body = (teeth.pinion, teeth.wheel)[number], self.meshed_body(teeth, number)
        numbers = bevel_influence(member, body, self.materials[number], holes=self.holes[number])
        return numbers.side(flank if number == 0 else MATES[flank])

    def meshed_body(self, teeth: PairTeeth, number: int) -> "BevelBody":
        """From the plane at the toe's roots, as near to it as a mesh can be, to the back. A rim
        goes half the way down to the bore at most: there the body behind a slender pinion ends."""
        from flank.elasticity.finite_elements.bevel_mesh import THINNEST_RIM, BevelBody, usual_body

        member = (teeth.pinion, teeth.wheel)[number]
        usual, back = usual_body(member, self.held_radii[number]), self.backs[number]
        if back is None:
            return usual
        section = teeth.sections[number]
        up = section.corners[1] - section.bottom
        heights = np.linalg.norm(up, axis=1)
        steepness = np.maximum(np.array([-up[1, 0], *up[:, 1]]) / heights[[1, 0, 1]], 0.1)
        room = (section.bottom[:, 1] - usual.held_radius) / steepness[1:]
        behind = (back - section.bottom[1, 0]) / steepness[0]
        thinnest = RIM_ROOM * THINNEST_RIM * heights
        rim = max(min(behind, 0.5 * room.min()), thinnest[1])
        return BevelBody(usual.held_radius, float(rim), float(thinnest[0]))


@dataclass(frozen=True)
class Touch:
    """How finely contact is looked at, the rounding of tips, and friction."""

    points: int
    edge_radius: float
    friction: float
    friction_velocity: float


def flank_loading(
    teeth: PairTeeth,
    flank: str,
    mounting: Mounting,
    centres: tuple[float, float],
    elasticity: Elasticity,
    touch: Touch,
) -> FlankLoading:
    """The pinion's flank and its mate in frames of bodies; the pinion carries sections about its
    pitch apex, or across its axis where it has none."""
    return FlankLoading(
        body_pair(teeth.flanks(flank, mounting), centres),
        elasticity.compliances(teeth, flank),
        elasticity.materials,
        touch.points,
        apex=None if teeth.apex is None else teeth.apex - centres[0],
        edge_radius=touch.edge_radius,
        friction=touch.friction,
        friction_velocity=touch.friction_velocity,
        every_tooth=_every_tooth(teeth, flank, centres),
    )


def _every_tooth(
    teeth: PairTeeth, flank: str, centres: tuple[float, float]
) -> tuple[tuple[SplineSurface, ...], tuple[SplineSurface, ...]]:
    pinion, wheel = (
        tuple(SplineSurface(points - np.array([0.0, 0.0, centre])) for points in every)
        for every, centre in zip(teeth.every_tooth(flank), centres, strict=True)
    )
    return pinion, wheel


@lru_cache(maxsize=KEPT)
def loaded_mesh(
    plan: Plan,
    flank: str,
    centres: tuple[float, float],
    elasticity: Elasticity,
    touch: Touch,
) -> FlankMesh:
    """Of a plan's pinion flank and its mate, as designed: what is misaligned is the bodies."""
    teeth = made_teeth(plan)
    loading = flank_loading(teeth, flank, teeth.mounting, centres, elasticity, touch)
    return flank_mesh(loading)
