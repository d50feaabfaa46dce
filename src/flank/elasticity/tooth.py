"""Compliance of one tooth as a table over its roll length, per unit of face width.

Bending, shear, compression and foundation are those of `tooth_beam`.

The body is common to all teeth in mesh. C(φ) between neighbours splits the deflection into the
tooth's own and a common one, which the body turns into for every tooth nearby, nearly the same at
all roll lengths. Springs of single teeth know only their own force; where several share a load in
the mean (ε_α pairs), the common part counts that many times, which makes the mean stiffness right.

A table goes some nodes past both ends of the flank, so that reading it is as smooth there as
elsewhere. Below the foot of the flank the beam itself goes on. Past its end at the tip no force
acts, and the beam of a thin tip would end within a few nodes: there the table goes on as the cubic
through the last four nodes of the flank, so that what is read at the end of the flank is the
flank's own.

Helical teeth are taken in the normal section, z_n = z/(cos²β_b cos β), ρ_n = ρ/cos β_b; a force and
a deflection in the transverse plane see q_n/cos β_b.
"""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from flank.arrays import Floats
from flank.elasticity.line_contact import DeepBody, line_law
from flank.elasticity.material import Material
from flank.elasticity.tooth_beam import beam_parts, common_part, held_section, load_line
from flank.elasticity.tooth_foundation import Foundation, foundation_part
from flank.geometry.gear import Gear
from flank.geometry.gear_pair import GearPair
from flank.geometry.tooth_outline import half_outline

PAST = 4
"""Nodes of a table past either end of the flank, whose ends are nodes."""


@dataclass(frozen=True, eq=False)
class ToothTable:
    """Deflection × face width / force in m²/N at uniform roll lengths; `parts` add up to `values`.

    `common` is the part of the body that neighbouring teeth share, once.
    """

    start: float
    step: float
    values: Floats
    parts: dict[str, Floats]
    common: float

    @property
    def rolls(self) -> Floats:
        return self.start + self.step * np.arange(len(self.values), dtype=float)

    def at(self, roll: Floats) -> Floats:
        """Cubic through the four nearest nodes; beyond the table its ends."""
        place = np.clip((np.asarray(roll) - self.start) / self.step, 0, len(self.values) - 1)
        k = np.clip(place.astype(int), 1, len(self.values) - 3)
        t = place - k
        a, b, c, d = (self.values[k + j] for j in (-1, 0, 1, 2))
        outer: Floats = t * (t - 1) * ((t + 1) * d - (t - 2) * a) / 6
        inner: Floats = (t + 1) * (t - 2) * ((t - 1) * b - t * c) / 2
        return outer + inner


@lru_cache(maxsize=128)
def tooth_compliance(
    gear: Gear,
    material: Material,
    sharing: float = 1.0,
    points: int = 81,
    foundation: Foundation = "round-body",
) -> ToothTable:
    """Table of one tooth; `sharing` is how many teeth carry the load in the mean.

    Of other foundations than the round body nothing is common to teeth (`tooth_foundation`).
    """
    section, scale = held_section(gear), math.cos(gear.base_helix_angle)
    form, edge = half_outline(section).form_roll, section.edge_roll_length
    nodes = np.arange(-PAST, points - PAST) / (points - 1 - 2 * PAST)
    rolls = form + (edge - form) * nodes  # from the foot to the tip
    on_arc = foundation == "round-body"
    on_tooth = beam_parts(section, material, rolls[:-PAST], on_arc)
    if on_arc:
        common = common_part(section, material, 0.5 * (form + edge))
    else:
        common = 0.0
        on_tooth[3] = foundation_part(foundation, section, material, rolls[:-PAST])
    bending, shear, compression, below = (_extrapolated(part) for part in on_tooth)
    parts = {
        "bending": bending,
        "shear": shear,
        "compression": compression,
        "foundation": below - common,
        "body": np.full(points, sharing * common),
    }
    order = slice(None, None, gear.sign)  # a ring's tip has the smallest roll length
    parts = {name: part[order] / scale for name, part in parts.items()}
    values = np.sum(list(parts.values()), axis=0)
    for array in (values, *parts.values()):
        array.flags.writeable = False
    start, step = rolls[order][0], abs(edge - form) / (points - 1 - 2 * PAST)
    return ToothTable(start * scale, step * scale, values, parts, common / scale)


def _extrapolated(values: Floats) -> Floats:
    """Nodes up to the end of the flank, and PAST more on the cubic through the last four."""
    ahead = np.arange(1, PAST + 1)[:, None]
    last = np.arange(-3, 1)
    weights = []
    for node in last:
        others = last[last != node]
        weights.append(np.prod((ahead - others) / (node - others), axis=1))
    return np.append(values, values[-4:] @ np.array(weights))


def tooth_tables(
    pair: GearPair,
    materials: tuple[Material, Material],
    sharing: float | None = None,
    foundation: Foundation = "round-body",
) -> tuple[ToothTable, ToothTable]:
    """Tables of both gears of a pair; ε_α pairs share their bodies in the mean if nobody says."""
    if sharing is None:
        sharing = max(pair.contact_ratio, 1.0)
    first, second = (
        tooth_compliance(gear, material, sharing, foundation=foundation)
        for gear, material in zip((pair.first, pair.second), materials, strict=True)
    )
    return first, second


def tooth_pair_hertz(pair: GearPair, materials: tuple[Material, Material]) -> tuple[float, float]:
    """(constant, slope) of δ = F' (P - Q ln F'), P = constant + Q ln(1/ρ), of two teeth.

    Both bodies count, each down to the middle of its tooth, taken where the path has its middle;
    ρ is the relative radius in the transverse plane.
    """
    scale = math.cos(pair.first.base_helix_angle)
    middle = 0.5 * sum(pair.path)
    bodies = [
        DeepBody(load_line(held_section(gear), roll / scale)[1], material)
        for gear, roll, material in zip(
            (pair.first, pair.second), (middle, pair.second_roll(middle)), materials, strict=True
        )
    ]
    law = line_law(bodies[0], bodies[1], 1.0)
    return (law.constant + law.slope * math.log(scale)) / scale, law.slope / scale
