"""Two gears as a machine knows them: geometry, materials, the model of their mesh."""

import math
from dataclasses import dataclass

from flank.contact.tooth_pair import GearPlace
from flank.dynamics.builder import ModelBuilder
from flank.elasticity.material import Material
from flank.geometry.gear_pair import GearPair
from flank.machines.gear_spec import MeshSpec

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
