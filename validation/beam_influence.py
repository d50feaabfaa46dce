"""Influence numbers in closed form, of the beam model, for tests of what stands on them."""

import math
from dataclasses import dataclass

import numpy as np

from flank.arrays import Floats
from flank.contact.gear_loading import GearLoading
from flank.elasticity.material import STEEL
from flank.elasticity.tooth import tooth_compliance
from flank.elasticity.tooth_beam import held_section, load_line
from flank.geometry.gear_pair import GearPair

ROLLS = 21


@dataclass(frozen=True, eq=False)
class BeamInfluence:
    roll: Floats
    face: Floats
    compliance: Floats
    depth: Floats


def beam_influence(
    gear, width, points=1, body=1.0, teeth=1.0, sharing=0.0, depth=None, neighbours=12
):
    """Slices that do not support each other, on a body that all of them twist together.

    `body` and `teeth` scale what both give way; `sharing` is that of `tooth_compliance`. The
    compliance between two places of one tooth is the geometric mean of theirs; only its diagonal is
    ever used.
    """
    table, cosine = tooth_compliance(gear, STEEL, sharing), math.cos(gear.base_helix_angle)
    section = held_section(gear)
    rolls = np.linspace(*sorted((max(table.rolls[4], 1e-6), table.rolls[-5])), ROLLS)
    own = np.sqrt(teeth * table.at(rolls) * points / width)
    same = np.einsum("p,r,qs->pqrs", own, own, np.eye(points))
    common = np.full((ROLLS, points, ROLLS, points), body * table.common / width)
    offsets = range(-neighbours, neighbours + 1)
    blocks = np.array([common + same if k == 0 else common for k in offsets])
    depths = [depth or load_line(section, roll / cosine)[1] for roll in rolls]
    face = width * ((np.arange(points) + 0.5) / points - 0.5)
    return BeamInfluence(
        rolls, face, blocks.reshape(len(offsets), ROLLS * points, -1) * cosine**2, np.array(depths)
    )


def beam_loading(pair: GearPair, points=1, body=1.0, teeth=1.0, sharing=0.0, **more) -> GearLoading:
    """Two steel gears; contacts as deep as `tooth_pair_hertz` has them."""
    cosine, middle = math.cos(pair.first.base_helix_angle), 0.5 * sum(pair.path)
    influences = [
        beam_influence(
            gear,
            pair.face_width,
            points,
            body,
            teeth,
            sharing,
            depth=load_line(held_section(gear), roll / cosine)[1],
        )
        for gear, roll in ((pair.first, middle), (pair.second, pair.second_roll(middle)))
    ]
    return GearLoading(pair, tuple(influences), (STEEL, STEEL), **more)
