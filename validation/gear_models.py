"""Two gears in a model, for tests and cases of every mesh model."""

import math

import numpy as np

from flank.contact import FRICTIONLESS, Surface, teeth
from flank.contact.tooth_pair import GearPlace, RollTable, tooth_pair_row
from flank.dynamics.builder import ModelBuilder
from flank.elasticity.line_contact import DeepBody, line_law
from flank.elasticity.material import STEEL
from flank.geometry.gear import Gear
from flank.geometry.gear_pair import GearPair

MODULE = 4e-3


def gears(internal: bool, **changes) -> GearPair:
    """Gears of 20 and 35 teeth, or a gear of 60 in a ring of 62."""
    angle, edge = math.radians(20), 0.1e-3
    if internal:
        form = {"addendum": 0.64, "dedendum": 1.14, "edge_radius": edge, **changes}
        inner = Gear(60, MODULE, angle, **form)
        ring = Gear(62, MODULE, angle, -0.25, True, tip_shortening=-0.0763, **form)
        return GearPair(inner, ring, face_width=0.02)
    form = {"edge_radius": edge, **changes}
    first, second = Gear(20, MODULE, angle, 0.3, **form), Gear(35, MODULE, angle, 0.2, **form)
    return GearPair(first, second, face_width=0.02)


def two_gears(pair: GearPair, centre=(0.0, 0.0)) -> tuple[ModelBuilder, GearPlace, GearPlace]:
    """Free bodies with a tooth of the first in a space of the second, mesh along +x."""
    b = ModelBuilder(0.1)
    first = b.body("first", 1.0, 1e-3, (0.0, 0.0, 0.0))
    second = b.body("second", 1.0, 1e-3, (pair.sign * pair.centre_distance, 0.0, 0.0))
    tooth = (math.pi if pair.sign > 0 else 0.0) + math.pi / pair.second.teeth
    return b, GearPlace(first, 0.0, centre), GearPlace(second, tooth)


def compliance(pair: GearPair) -> RollTable:
    """Made up, wavy, over all roll lengths."""
    rolls = 1e-3 * np.arange(90)
    return RollTable(0.0, 1e-3, tuple((1e-11 * (1 + 0.5 * np.sin(300 * rolls))).tolist()))


def tooth_contacts(pair: GearPair, slots: int, centre=(0.0, 0.0), friction=FRICTIONLESS):
    """A builder with the contacts of all slots, flank +1 first."""
    b, first, second = two_gears(pair, centre)
    width = 2e-3 if pair.sign < 0 else 0.2e-3
    row = tooth_pair_row(pair, first, second, width)
    number = b.tooth_pair(row, (compliance(pair), compliance(pair)))
    law = line_law(DeepBody(2 * MODULE, STEEL), DeepBody(2 * MODULE, STEEL), pair.face_width)
    for flank in (1, -1):
        for slot in range(slots):
            bodies = (first.body, second.body)
            surface = Surface(law, 0.0, friction)
            b.contact(teeth(number, bodies, flank, (slot, slots), surface, MODULE))
    return b


def turned(pair: GearPair, pose, angle: float, closer: float = 0.0):
    """The gears rolled by `angle` of the first, the second pressed by `closer` on flank +1."""
    moved = pose.copy()
    moved[1, 2] += angle
    moved[2, 2] += angle / pair.signed_ratio
    moved[2, 2] += pair.sign * closer / pair.second.base_radius
    return moved
