"""The paper's pair: two of its reduced gears on each other at N positions of a mesh cycle.

The tooth that comes into mesh when the cycle begins is tooth 0 of both gears. Ahead of it are teeth
1, 2, ... of the pinion and -1, -2, ... of the wheel, which turns against it. Rows of contacts are
those of the elements' shapes at the point of contact, so a spring moves along the flank from node
to node without a jump; weights across the face, of which the paper says nothing, are equal.
"""

import math

import numpy as np

from flank.arrays import Floats
from flank.elasticity.finite_elements.reduction import Reduction
from flank.errors import SpecError
from flank.geometry.gear_pair import GearPair
from flank.reproduce.spur.finite_gear import BODY, GEAR, WholeGear
from flank.reproduce.spur.rolling_bodies import Contacts, RollingBody, handed_over

PAIR = GearPair(GEAR, GEAR, centre_distance=0.15, face_width=BODY.face_width)

FORWARD, BACKWARD = 1, -1
"""Ways that pinion and wheel turn."""

POSITIONS = 115
"""Of a mesh cycle: not printed, but about six million steps are, in 25 s at 2083 Hz."""


def teeth_in_mesh(pair: GearPair, way: int) -> tuple[int, ...]:
    """Teeth that touch at any position of the cycle."""
    return tuple(way * ahead for ahead in range(math.ceil(pair.contact_ratio)))


def rolling_body(
    whole: WholeGear, reduction: Reduction, way: int, weighted: bool = True
) -> RollingBody:
    """A reduced gear whose first coordinate is its angle.

    `weighted`: handed over in the norm of mass, else as Eq. 23 has it.
    """
    kept = np.concatenate((reduction.masters, reduction.observed))
    if kept[0] != len(whole.rotation) - 1 or len(kept) % 3 != 1:
        raise SpecError(
            "A rolling gear keeps the angle of its centre node, first, and three displacements of "
            "every other node."
        )
    rotation = np.zeros(reduction.size)
    rotation[: len(kept)] = whole.rotation[kept]
    nodes = np.arange(1, len(kept), 3)
    weight = whole.mass if weighted else None
    return RollingBody(
        mass=reduction.mass,
        stiffness=reduction.stiffness,
        nodes=np.column_stack((nodes, nodes + 1)),
        rotation=rotation,
        base_radius=whole.gear.base_radius,
        turn=way * whole.gear.pitch_angle,
        hand_over=handed_over(reduction.basis, whole.sorting(way), weight),
    )


def contact_rows(
    whole: WholeGear,
    reduction: Reduction,
    body: RollingBody,
    tooth: int,
    rolls: Floats,
    strips: int,
) -> Floats:
    """Approach of a tooth's flank (positions, strips, coordinates) touched at one roll a position.

    Scaled to the arm of the base circle, which elements miss by some millionths: else the torques
    would not balance exactly and both gears would slowly run away.
    """
    rows = whole.approach(tooth, rolls, strips) @ reduction.basis
    rows *= (body.base_radius / (rows @ body.rotation))[:, None]
    rows = rows.reshape(len(rolls), strips, -1)
    shares = np.arange(len(rolls)) / len(rolls)
    return np.array([row @ body.rotated(z).T for row, z in zip(rows, shares, strict=True)])


def contacts(
    pair: GearPair,
    gears: tuple[tuple[WholeGear, Reduction, RollingBody], ...],
    stiffness: float | Floats,
    positions: int = POSITIONS,
    strips: int = 1,
) -> Contacts:
    """Elements tooth by tooth, those that come first, and strip by strip of the face.

    `stiffness` k_c in N/m is that of one pair of teeth over the whole face, by position and tooth
    or one for all.
    """
    start, end = pair.path
    ahead = range(math.ceil(pair.contact_ratio))
    places = start + pair.base_pitch * (np.array(ahead) + np.arange(positions)[:, None] / positions)
    present = places <= end
    places = np.minimum(places, end)
    sides = []
    for (whole, reduction, body), rolls in zip(
        gears, (places, pair.action_length - places), strict=True
    ):
        way = round(math.copysign(1, body.turn))
        teeth = [contact_rows(whole, reduction, body, way * k, rolls[:, k], strips) for k in ahead]
        sides.append(np.concatenate(teeth, axis=1))
    springs = np.broadcast_to(stiffness, present.shape) * present / strips
    elements = np.repeat(springs, strips, axis=1)
    follows = np.arange(elements.shape[1]) + strips
    return Contacts(
        rows=np.concatenate(sides, axis=2),
        stiffness=elements[None],
        loads=np.zeros(1),
        follows=np.where(follows < elements.shape[1], follows, -1),
        gaps=np.zeros_like(elements),
    )
