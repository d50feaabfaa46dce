"""Mesh models: one interface by which every gear mesh of a machine becomes part of a model.

In the mesh model `rigid` a mesh is a joint, in `spring` a spring of constant stiffness, in `table`
and `curve` springs whose stiffness, computed or given, depends on where teeth touch, in `contact`
explicit contacts of teeth, in `fe` one spring whose energy over position and depth was solved for
beforehand, all teeth together.
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from flank.contact import FRICTIONLESS, Friction, Surface, teeth
from flank.contact.flexible_gear import GearModes, MeshShapes, mesh_shapes
from flank.contact.gear_loading import GearLoading, elastic_loading, rounded_thickness
from flank.contact.mesh_map import MeshMap, mesh_map
from flank.contact.tooth_pair import GearPlace, RollTable, tooth_pair_row
from flank.dynamics.builder import ElasticCircle, ModelBuilder
from flank.dynamics.spatial.builder import SpatialBuilder
from flank.elasticity.line_contact import LineLaw
from flank.elasticity.material import Material
from flank.elasticity.mesh_stiffness import PairTable, pair_table
from flank.elasticity.tooth import tooth_pair_hertz, tooth_tables
from flank.geometry.gear_pair import GearPair
from flank.geometry.pair_gap import LARGEST_DEFLECTION, separation
from flank.machines.base import MeshPlace
from flank.machines.meshed_pair import MeshedPair
from flank.machines.round_parts import carried

if TYPE_CHECKING:
    from flank.elasticity.finite_elements.sector_mesh import GearBody

__all__ = ["GearPlace", "MeshPlace", "MeshedPair", "add_mesh"]

PHASES = 16
"""Of a base pitch, at which the pairs near the mesh are counted."""

SEAM = 1e-3
"""rad: a mesh that begins along -x stands at π, whichever side an error of its gears puts it."""


def add_mesh(
    builder: ModelBuilder | SpatialBuilder,
    name: str,
    meshed: MeshedPair,
    first: GearPlace,
    second: GearPlace,
    flank: int = 1,
    shared_multiplier: int = -1,
    friction: Friction = FRICTIONLESS,
    hand: int = 1,
    rim: ElasticCircle | None = None,
    ring: ElasticCircle | None = None,
) -> MeshPlace:
    """Put the mesh of two gears into the model, by the mesh model that its form names.

    `flank` is the one that a rigid mesh, or a spring without separation, holds. Rigid meshes that
    share a multiplier carry equal forces: their sum of gaps is held. Friction acts in the mesh
    model `contact` alone, and so do the `rim` of a first gear that is an elastic plate and the
    `ring` of a second one that gives way. In space `hand` is 1 for a first gear with a right-handed
    helix, else -1.
    """
    model = meshed.form.model
    placed = PlacedPair(builder, meshed, first, second)
    if isinstance(builder, SpatialBuilder):
        placed = SpatialPair(builder, meshed, first, second, hand)
    seats = {"gears": (first, second), "helix": placed.helix}
    if model == "rigid":
        multiplier = placed.add_joint(flank, shared_multiplier)
        return meshed.place(name, multiplier=multiplier, flank=flank, **seats)
    if model == "spring":
        return meshed.place(name, springs=(placed.add_spring(flank),), flank=flank, **seats)
    if model in ("table", "curve"):
        return meshed.place(name, springs=placed.add_table(), **seats)
    if model == "fe":
        number, loading = placed.add_map()
        return meshed.place(name, springs=(number,), loading=loading, **seats)
    contacts = placed.add_contacts(friction, rim, ring)
    # contacts know their own pressure
    return meshed.place(name, contacts=contacts, limits=None, **seats)


@dataclass(frozen=True)
class PlacedPair:
    """Two gears on bodies of a model, whose mesh becomes a part of it."""

    builder: Any  # of the plane; the same names mean the same in space
    meshed: MeshedPair
    first: GearPlace
    second: GearPlace

    @cached_property
    def centred_angle(self) -> float:
        """θ_b where the second gear stands centred in the mesh, r_a θ_a = R β; see
        dynamics/mesh.py. Of all teeth those count that are in mesh where the bodies begin."""
        pair = self.meshed.pair
        radius_a, radius_b = self.meshed.base_radii
        direction, turn_a, turn_b = self._start
        other = direction + (math.pi if pair.sign > 0 else 0.0)
        phase = radius_a * (turn_a + self.first.tooth_angle - direction)
        phase += radius_b * (turn_b + self.second.tooth_angle - other)
        off = math.remainder(phase - 0.5 * pair.base_pitch, pair.base_pitch)
        radii = radius_a + radius_b
        return turn_b + (radius_a * turn_a - radii * direction - off) / radius_b

    @property
    def start_direction(self) -> float:
        """β - (r_a θ_a + r_b θ_b)/R where the bodies begin: it stays while the gears roll."""
        radius_a, radius_b = self.meshed.base_radii
        direction, turn_a, turn_b = self._start
        return direction - (radius_a * turn_a + radius_b * turn_b) / (radius_a + radius_b)

    @property
    def _start(self) -> tuple[float, float, float]:
        """Direction of the mesh and the angles of both bodies where they begin."""
        pose, sign = self.builder.pose(), self.meshed.pair.sign
        ax, ay = self.builder.placed(self.first.body, self.first.centre)
        bx, by = self.builder.placed(self.second.body, self.second.centre)
        direction = math.atan2(sign * (by - ay), sign * (bx - ax))
        if direction < SEAM - math.pi:
            direction += 2 * math.pi
        return direction, float(pose[self.first.body, 2]), float(pose[self.second.body, 2])

    @property
    def helix(self) -> float:
        """Of the first gear, which the plane does not know."""
        return 0.0

    def add_joint(self, flank: int, shared_multiplier: int) -> int:
        """Returns its multiplier."""
        first, second, radii = self.first, self.second, self.meshed.base_radii
        centres = first.centre, second.centre
        bodies = first.body, second.body
        return int(self.builder.tooth_joint(*bodies, radii, flank, *centres, shared_multiplier))

    def add_spring(self, flank: int) -> int:
        form = self.meshed.form
        pulling = {} if form.separation else {"backlash": 0.0, "flank": flank}
        stiffness = form.stiffness or self.meshed.mean_stiffness
        return self._add_spring(stiffness, form.damping, **pulling)

    def add_table(self) -> tuple[int, ...]:
        """One spring for every slice across the face; it knows both flanks and all pairs of
        teeth."""
        meshed, pair, slices = self.meshed, self.meshed.pair, self.meshed.slices()
        table = stiffness_table(meshed)
        stiffness, separated = (
            RollTable(table.start, table.step, tuple(values.tolist()))
            for values in (table.stiffness, table.separation)
        )
        row = tooth_pair_row(pair, self.first, self.second)
        number = self.builder.tooth_pair(row, pairs=(stiffness, separated), common=table.common)
        share, damping = 1 / len(slices), meshed.form.damping / len(slices)
        return tuple(
            self._add_spring(share, damping, pair=number, **self._slice(number_across, *slice_))
            for number_across, slice_ in enumerate(slices)
        )

    def _slice(self, _number: int, ahead: float, taken_off: float) -> dict[str, float]:
        """What a spring knows of its slice across the face."""
        return {"roll_offset": ahead, "separation": taken_off}

    def add_map(self) -> tuple[int, GearLoading]:
        """One spring for both flanks: a gear turned over is the same gear, so they are alike; and
        the gears that its map was solved for."""
        meshed, pair = self.meshed, self.meshed.pair
        alike = replace(
            pair, first=rounded_thickness(pair.first), second=rounded_thickness(pair.second)
        )
        elements = alike, meshed.materials, meshed.strips, meshed.bodies
        held = meshed.form.tip_edge_contact, meshed.supports
        shapes = flexible_shapes(*elements, *held, meshed.modes, meshed.load)
        shared = sum(shape.static_share for shape in shapes if shape is not None)
        row = tooth_pair_row(pair, self.first, self.second)
        loading, solved = elastic_map(*elements, *held, meshed.slope, shared)
        number = self.builder.tooth_pair(row, mesh_map=solved)
        opposite = math.pi if pair.sign > 0 else 0.0
        for second, place in enumerate((self.first, self.second)):
            if (shape := shapes[second]) is not None:
                table = shape.table(place.tooth_angle, opposite if second else 0.0)
                self.builder.mesh_modes(number, bool(second), place.modal_row, table)
        return self._add_spring(1.0, meshed.form.damping, pair=number), loading

    def _add_spring(self, stiffness: float, damping: float, **more: Any) -> int:
        pair = self.meshed.pair
        number = self.builder.mesh(
            self.first.body,
            self.second.body,
            stiffness,
            self.meshed.base_radii,
            pair.centre_distance,
            damping,
            self.centred_angle,
            at_a=self.first.centre,
            at_b=self.second.centre,
            always_damped=self.meshed.form.damping_acts == "always",
            **{"backlash": pair.normal_backlash} | more,
        )
        return int(number)

    def add_contacts(
        self, friction: Friction, rim: ElasticCircle | None, ring: ElasticCircle | None
    ) -> tuple[int, ...]:
        """Every pair of teeth near the mesh on both flanks; by flank, then slice, then slot."""
        meshed, pair = self.meshed, self.meshed.pair
        of_first, of_second = (
            RollTable(table.start, table.step, tuple(table.values.tolist()))
            for table in tooth_tables(pair, meshed.materials)
        )
        row = tooth_pair_row(pair, self.first, self.second, meshed.contact_width)
        row["start_direction"] = self.start_direction
        number = self.builder.tooth_pair(
            row, (of_first, of_second), measured=meshed.measured_flanks
        )
        bodies, module = (self.first.body, self.second.body), pair.first.normal_module
        slices, slots = meshed.slices(), slot_count(pair)
        constant, slope = tooth_pair_hertz(pair, meshed.materials)
        elastic = {}
        if rim is not None:
            elastic["touched"] = rim
        if ring is not None:
            elastic["ring"] = ring
        law = LineLaw(constant, slope, pair.face_width / len(slices))
        surface = Surface(law, meshed.form.damping / meshed.load, friction)
        return tuple(
            self.builder.contact(
                teeth(number, bodies, flank, (slot, slots), surface, module, at), **elastic
            )
            for flank in (1, -1)
            for at in slices
            for slot in range(slots)
        )


@dataclass(frozen=True)
class SpatialPair(PlacedPair):
    """The same in space, on bodies that turn about their z axes, which begin along that of space;
    slices across the face stand at their heights."""

    hand: int = 1

    @property
    def _start(self) -> tuple[float, float, float]:
        position, rotation = self.builder.pose()
        turns = [2 * math.atan2(*rotation[gear.body][[3, 0]]) for gear in self._gears]
        centres = [
            position[gear.body, :2] + carried((0.0, 0.0, turn), gear.centre)
            for gear, turn in zip(self._gears, turns, strict=True)
        ]
        along = self.meshed.pair.sign * (centres[1] - centres[0])
        return math.atan2(along[1], along[0]), turns[0], turns[1]

    @property
    def _gears(self) -> tuple[GearPlace, GearPlace]:
        return self.first, self.second

    @property
    def helix(self) -> float:
        """± tan β_b, by its hand."""
        return self.hand * math.tan(self.meshed.pair.first.base_helix_angle)

    @property
    def _in_space(self) -> dict[str, Any]:
        pair = self.meshed.pair
        divisor = math.gcd(pair.first.teeth, pair.second.teeth)
        return {
            "at_a": (*self.first.centre, 0.0),
            "at_b": (*self.second.centre, 0.0),
            "period": pair.base_pitch * divisor,
            "helix": self.helix,
        }

    def add_joint(self, flank: int, shared_multiplier: int) -> int:
        bodies, radii = (self.first.body, self.second.body), self.meshed.base_radii
        joint = self._in_space | {"flank": flank, "shared": shared_multiplier}
        return int(self.builder.tooth_joint(*bodies, radii, **joint))

    def _slice(self, number: int, ahead: float, taken_off: float) -> dict[str, float]:
        count, width = len(self.meshed.slices()), self.meshed.pair.face_width
        height = width * ((number + 0.5) / count - 0.5)
        return {"roll_offset": self.hand * ahead, "separation": taken_off, "height": height}

    def _add_spring(self, stiffness: float, damping: float, **more: Any) -> int:
        pair = self.meshed.pair
        number = self.builder.teeth(
            self.first.body,
            self.second.body,
            stiffness,
            self.meshed.base_radii,
            pair.centre_distance,
            damping=damping,
            angle=self.centred_angle,
            always_damped=self.meshed.form.damping_acts == "always",
            **{"backlash": pair.normal_backlash} | self._in_space | more,
        )
        return int(number)


@lru_cache(maxsize=64)
def elastic_map(
    pair: GearPair,
    materials: tuple[Material, Material],
    strips: int,
    bodies: "tuple[GearBody | None, GearBody | None]",
    edges: bool,
    supports: tuple[float | None, float | None] = (None, None),
    slope: float = 0.0,
    modal: float = 0.0,
) -> tuple[GearLoading, MeshMap]:
    """A mesh of finite elements, less `modal` m/N that modes with mass give, and its map."""
    gears = pair, materials, strips, bodies
    loading = elastic_loading(*gears, misalignment=slope, edges=edges, supports=supports)
    elastic = replace(loading, modal=modal)
    return elastic, mesh_map(elastic)


@lru_cache(maxsize=64)
def flexible_shapes(
    pair: GearPair,
    materials: tuple[Material, Material],
    strips: int,
    bodies: "tuple[GearBody | None, GearBody | None]",
    edges: bool,
    supports: tuple[float | None, float | None],
    modes: tuple[GearModes | None, GearModes | None],
    load: float,
) -> tuple[MeshShapes | None, MeshShapes | None]:
    """How a mesh of finite elements moves the modes of its gears."""
    if modes == (None, None):
        return None, None
    loading = elastic_loading(pair, materials, strips, bodies, edges=edges, supports=supports)
    first, second = (
        None if gear is None else mesh_shapes(loading, bool(number), gear, load)
        for number, gear in enumerate(modes)
    )
    return first, second


def stiffness_table(meshed: MeshedPair) -> PairTable:
    """Stiffness and separation over the roll length, computed or given."""
    if meshed.curve is not None:
        return meshed.curve.table()
    pair = meshed.pair
    load = meshed.load / pair.face_width
    table = pair_table(pair, meshed.materials, load, meshed.form.tooth_foundation)
    return table if meshed.form.tip_edge_contact else on_path(table, pair)


def on_path(table: PairTable, pair: GearPair) -> PairTable:
    """The table cut off at both ends of the path: beyond it teeth do not touch at all."""
    start, end = pair.path
    steps = math.ceil((end - start) / table.step)
    rolls = np.linspace(start, end, steps + 1)
    stiffness = np.interp(rolls, table.rolls, table.stiffness)
    apart = np.array([separation(pair, roll) for roll in rolls])
    return PairTable(start, (end - start) / steps, stiffness, apart, table.common)


@lru_cache(maxsize=64)
def slot_count(pair: GearPair) -> int:
    """Pairs of teeth to look at about the middle of the path, at any position of the mesh."""
    reach, pitch = LARGEST_DEFLECTION * pair.first.normal_module, pair.base_pitch
    middle, farthest = 0.5 * sum(pair.path), 0
    most = min(pair.first.teeth, pair.second.teeth)
    for phase in range(PHASES):
        for side in (1, -1):
            for number in range(most):
                offset = (phase / PHASES - 0.5 + side * number) * pitch
                if separation(pair, middle + offset) >= reach:
                    break
                farthest = max(farthest, number)
    return min(2 * farthest + 1, most)
