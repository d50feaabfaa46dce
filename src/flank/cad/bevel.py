"""Gears in space as solids: patches of points that enclose them, tooth by tooth.

    flanks and fillets    the grids that were cut, from toe to heel
    tip and bottom lands  arcs about the axis between the ends of flanks, and of fillets
    toe and heel          arcs between a tooth's sides, and what is below, down to the bore

A patch is followed by a bicubic spline through its points, as finely as flanks are known. Patches
that meet share the points of their common edge, so their splines share it, too: surfaces are split
at tips, at roots, and between fillet and flank. Lengths are in mm.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from flank.cad.placing import MILLIMETRE
from flank.dynamics.spatial.quaternions import matrix_of
from flank.errors import SpecError
from flank.machines.bevel_pair.machine import BevelPairMachine

if TYPE_CHECKING:
    from flank.arrays import Floats
    from flank.geometry.bevel.tooth import BevelMember
    from flank.machines.bevel_pair.bodies import MemberBody

ACROSS = 7
"""Points of an arc from one side of a tooth, or of a space, to the other."""

NARROWEST = 1e-9
"""m: a land, or a rim, that is nowhere wider is none."""


@dataclass(frozen=True)
class SpaceSolid:
    """A gear: patches of points (rows, columns, 3) in mm, where it stands."""

    name: str
    patches: tuple[Floats, ...]

    @property
    def layer(self) -> str:
        return self.name


def space_solids(machine: BevelPairMachine, input_angle: float) -> list[SpaceSolid]:
    """Both gears at an input angle; SpecError for teeth that one solid cannot have."""
    pose = machine.ideal_pose(input_angle)
    solids = []
    for number, body in enumerate(machine.bodies, start=1):
        if body.holes is not None:
            raise SpecError(
                f"{body.name}.body.holes: solids of gears in space are drawn without holes; leave "
                "them out for the drawing"
            )
        rotation = matrix_of(np.asarray(pose.rotation[number]))
        middle = np.array([0.0, 0.0, body.centre])
        patches = tuple(
            MILLIMETRE * ((patch - middle) @ rotation.T + pose.position[number])
            for patch in member_patches(body)
        )
        solids.append(SpaceSolid(body.name, patches))
    return solids


def member_patches(body: MemberBody) -> Iterator[Floats]:
    """Of one member in its frame, its apex at zero; tooth by tooth."""
    member = body.member
    for tooth in range(member.teeth):
        here = member.tooth_angle(tooth)
        on = member.tooth_angle((tooth + member.outward) % member.teeth)
        step = float(np.angle(np.exp(1j * (on - here))))
        for patch in _sector(body, tooth, step):
            yield _turned(patch, here)


def _sector(body: MemberBody, tooth: int, step: float) -> Iterator[Floats]:
    """Of one tooth, and of the space after it in the sense in which its concave flank looks."""
    member = body.member
    concave, convex = _side(member, "concave", tooth), _side(member, "convex", tooth)
    following = _side(member, "convex", tooth + member.outward)[0][-1]
    yield from (*concave, *convex)
    (low, high), (below, above) = concave, convex
    yield _arcs(above[-1], high[-1])
    lands = [(below[-1], low[-1])]
    next_bottom = _turned(following, step)
    if np.linalg.norm(next_bottom - low[-1], axis=1).max() > NARROWEST:
        lands.append((low[-1], next_bottom))
        yield _arcs(*lands[1])
    for end in (0, -1):
        yield _arcs(below[:, end], low[:, end])
        yield _arcs(above[:, end], high[:, end])
    for first, second in lands:
        yield from _underneath(body, first, second)


def _side(member: BevelMember, name: str, tooth: int) -> tuple[Floats, Floats]:
    """Fillet, from the flank down, and flank, from the root up; they begin at one line."""
    side = member.side(name, tooth)
    fillet = side.fillet.points.copy()
    fillet[0] = side.flank.points[0]
    return fillet, side.flank.points


def _arcs(first: Floats, second: Floats) -> Floats:
    """Between points (n, 3) about the axis; heights and radii change evenly: (n, ACROSS, 3)."""
    radii, turn = np.hypot(*first[:, :2].T), np.hypot(*second[:, :2].T)
    begin = np.arctan2(first[:, 1], first[:, 0])
    way = np.angle(np.exp(1j * (np.arctan2(second[:, 1], second[:, 0]) - begin)))
    share = np.linspace(0.0, 1.0, ACROSS)
    angle = begin[:, None] + way[:, None] * share
    radius = radii[:, None] + (turn - radii)[:, None] * share
    height = first[:, 2, None] + (second - first)[:, 2, None] * share
    patch = np.stack((radius * np.cos(angle), radius * np.sin(angle), height), axis=-1)
    patch[:, 0], patch[:, -1] = first, second
    return patch


def _underneath(body: MemberBody, first: Floats, second: Floats) -> Iterator[Floats]:
    """Below an arc of the bottom: the toe's face, the rim behind the heel, the back, the bore."""
    (front, _), *_, (back, bore) = body.meridian
    outside = float(body.section.bottom[1, 1])
    toe, heel = (_arcs(first[[end]], second[[end]])[0] for end in (0, -1))
    inner = _at(toe, front, bore)
    rim = _at(heel, back, outside)
    hub = _at(heel, back, bore)
    if np.abs(toe - toe[0]).max() > NARROWEST:  # a space may run to a point at one end
        yield np.stack((toe, inner))
    if np.abs(rim - heel).max() > NARROWEST:
        yield np.stack((heel, rim))
    else:
        rim = heel
    yield np.stack((rim, hub))
    if bore:
        turned = _arcs(hub, inner)  # on the cylinder, as far as the teeth wind
        yield np.swapaxes(turned, 0, 1)


def _at(points: Floats, height: float, radius: float) -> Floats:
    """Moved along and to the axis."""
    size = np.hypot(*points[:, :2].T)[:, None]
    moved = points[:, :2] * radius / size
    return np.column_stack((moved, np.full(len(points), height)))


def _turned(points: Floats, angle: float) -> Floats:
    cosine, sine = np.cos(angle), np.sin(angle)
    about = np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])
    return np.asarray(points @ about.T)
