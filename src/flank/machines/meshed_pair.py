"""Two gears as a machine knows them: geometry, materials, the model of their mesh, what they bear.

Limits are for models that know the whole force of a mesh only. The nominal Hertz pressure is that
of ISO 6336-2: at the pitch point, on the length of contact that the factor Z_ε counts. In the
transverse plane, with the curvature 1/ρ = (1/r_b1 ± 1/r_b2)/tan α_wt,

    p0² = F Z_ε² cos β_b E* / (π b ρ).

Dynamic and face load factors are left out: forces are those of the model.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from flank.contact.tooth_pair import GearPlace
from flank.dynamics.builder import ModelBuilder
from flank.elasticity.line_contact import half_width
from flank.elasticity.material import Material, contact_modulus
from flank.elasticity.tooth_beam import load_line
from flank.geometry.findings import Finding
from flank.geometry.gear_pair import GearPair
from flank.geometry.pair_checks import Names
from flank.geometry.pair_gap import LARGEST_DEFLECTION
from flank.machines.base import LinePressure, MeshPlace, ToothLimits
from flank.machines.gear_spec import MeshSpec
from flank.texts import short_length

SEAM = 1e-3
"""rad: a mesh that begins along -x stands at π, whichever side an error of its gears puts it."""

SLICES = 9
"""Across the face where teeth are not the same all along it, unless a spec says otherwise."""


@dataclass(frozen=True)
class MeshedPair:
    """Two gears, what they are made of, and how their mesh is modelled.

    `load` (N, normal, transverse) is where the table is taken, whose Hertz part depends on load.
    """

    pair: GearPair
    materials: tuple[Material, Material]
    form: MeshSpec
    load: float

    @property
    def base_radii(self) -> tuple[float, float]:
        """With the sign that a ring has in the model."""
        pair = self.pair
        return pair.first.base_radius, pair.sign * pair.second.base_radius

    @property
    def working_angle(self) -> float:
        return self.pair.working_angle

    def slices(self) -> list[tuple[float, float]]:
        """Of every slice across the face: how far it is ahead in roll length, what is taken off."""
        first, second = self.pair.first, self.pair.second
        crowning = first.crowning + second.crowning
        uniform = not crowning and not first.helix_angle
        count = self.form.slices or (1 if uniform else SLICES)
        middles = [(2 * k + 1) / count - 1 for k in range(count)]
        ahead = 0.5 * self.pair.face_width * math.tan(first.base_helix_angle)
        return [(ahead * x, crowning * x * x) for x in middles]

    def place(self, name: str, **rows: Any) -> MeshPlace:
        """The mesh in a model, by the rows that carry its force."""
        limits = rows.pop("limits", self.limits)
        angle = self.working_angle
        return MeshPlace(name, self.form.model, working_angle=angle, limits=limits, **rows)

    @property
    def pressure(self) -> LinePressure:
        """Hertz's, of explicit contacts in every slice."""
        width = self.pair.face_width / len(self.slices())
        return LinePressure(width, contact_modulus(*self.materials))

    @property
    def limits(self) -> ToothLimits:
        """Nominal Hertz pressure over the force, and how far teeth may give way."""
        pair = self.pair
        curvature = 1 / pair.first.base_radius + pair.sign / pair.second.base_radius
        curvature *= math.cos(pair.first.base_helix_angle) / math.tan(pair.working_angle)
        load = contact_ratio_factor(pair) / pair.face_width
        factor = load * contact_modulus(*self.materials) * curvature / math.pi
        return ToothLimits(factor, LARGEST_DEFLECTION * pair.first.normal_module)


def centred_angle(
    builder: ModelBuilder, meshed: MeshedPair, first: GearPlace, second: GearPlace
) -> float:
    """θ_b where the second gear stands centred in the mesh, r_a θ_a = R β; see dynamics/mesh.py.

    Of all teeth those count that are in mesh where the bodies begin.
    """
    pair = meshed.pair
    radius_a, radius_b = meshed.base_radii
    direction, turn_a, turn_b = _start(builder, meshed, first, second)
    other = direction + (math.pi if pair.sign > 0 else 0.0)
    phase = radius_a * (turn_a + first.tooth_angle - direction)
    phase += radius_b * (turn_b + second.tooth_angle - other)
    off = math.remainder(phase - 0.5 * pair.base_pitch, pair.base_pitch)
    radii = radius_a + radius_b
    return turn_b + (radius_a * turn_a - radii * direction - off) / radius_b


def start_direction(
    builder: ModelBuilder, meshed: MeshedPair, first: GearPlace, second: GearPlace
) -> float:
    """β - (r_a θ_a + r_b θ_b)/R where the bodies begin: it stays while the gears roll."""
    radius_a, radius_b = meshed.base_radii
    direction, turn_a, turn_b = _start(builder, meshed, first, second)
    return direction - (radius_a * turn_a + radius_b * turn_b) / (radius_a + radius_b)


def _start(
    builder: ModelBuilder, meshed: MeshedPair, first: GearPlace, second: GearPlace
) -> tuple[float, float, float]:
    """Direction of the mesh and the angles of both bodies where they begin."""
    pose, sign = builder.pose(), meshed.pair.sign
    ax, ay = builder.placed(first.body, first.centre)
    bx, by = builder.placed(second.body, second.centre)
    direction = math.atan2(sign * (by - ay), sign * (bx - ax))
    if direction < SEAM - math.pi:
        direction += 2 * math.pi
    return direction, float(pose[first.body, 2]), float(pose[second.body, 2])


def contact_ratio_factor(pair: GearPair) -> float:
    """Z_ε² of ISO 6336-2: the load of one pair of teeth over that of the mesh."""
    along, across = max(pair.contact_ratio, 1.0), min(pair.overlap_ratio, 1.0)
    spur = max((4 - along) / 3, 1 / along)  # the norm's line meets 1/ε again at ε = 3
    return spur * (1 - across) + across / along


def check_load(meshed: MeshedPair, names: Names) -> Iterator[Finding]:
    """A flat as wide as the teeth are thick, which no law of contact knows: a slip of a unit.

    At the middle of the path, the whole load on one pair.
    """
    pair = meshed.pair
    middle = 0.5 * sum(pair.path)
    rolls = middle, pair.second_roll(middle)
    radius = 1 / (1 / rolls[0] + pair.sign / rolls[1])
    flat = half_width(meshed.load, pair.face_width, radius, contact_modulus(*meshed.materials))
    gears = (pair.first, pair.second)
    depth = min(load_line(gear, roll)[1] for gear, roll in zip(gears, rolls, strict=True))
    if flat >= depth:
        yield Finding(
            "contact-wider-than-teeth",
            "error",
            f"at the rated torque the contact of the {names[0]} and the {names[1]} would be "
            f"{short_length(2 * flat)} wide, on teeth {short_length(2 * depth)} thick",
            2 * flat,
            2 * depth,
            "m",
            f"use a wider face than {short_length(pair.face_width)} or less torque, and check "
            "their units",
        )
