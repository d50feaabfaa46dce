"""The cycloidal drive: discs on an eccentric roll inside a ring of pins and turn the output.

Bodies: input shaft with its eccentrics, discs, carrier with the output rollers (unless the disc is
the output), those of a structure that is given, and the pins where they roll. With the crank at θ,
disc j stands at e at the angle α_j = θ + ψ_j (ψ = 0, π) and is turned by -α_j/z_c; the carrier is
turned by -θ/z_c.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from flank.arrays import Floats
from flank.contact import Disc, Surface
from flank.contact.plate_modes import ROW
from flank.dynamics.builder import ElasticCircle, ModelBuilder
from flank.dynamics.tables import GROUND
from flank.elasticity.line_contact import Cylinder
from flank.elasticity.material import contact_modulus, tangential_ratio
from flank.geometry.findings import Finding
from flank.machines.base import Assembly, DataTable, Drive, LinePressure, PinMeshPlace
from flank.machines.contact_laws import damping_law, friction_law, pair_law
from flank.machines.crank_reducer.bearings import Bearing
from flank.machines.crank_reducer.rules import BearingDimensions
from flank.machines.cycloidal.disc_plates import DrivePlate, add_plates, modes_of_discs
from flank.machines.cycloidal.spec import PROFILE_KINDS, CycloidalDriveSpec
from flank.machines.cycloidal.structure import DriveStructure
from flank.machines.elastic_rings import add_ring, ring_rows
from flank.machines.error_kinds import Index
from flank.machines.flank_profile import MEASURED_KEYS
from flank.machines.holes import add_in_hole, wall_edge, wall_points
from flank.machines.orders import CAGE, PINS, Orders
from flank.machines.outlines import (
    Outline,
    axis_outline,
    circle,
    disc_layer,
    disc_outlines,
    flank_points,
    ring_of,
)
from flank.machines.output_rollers import RollersSpec
from flank.machines.pin_spec import CIRCLE_KINDS, PIN_KINDS
from flank.machines.pins import PinMesh, PinReducer
from flank.machines.plates import Plate, flank_edge, pin_plates, round_edge
from flank.machines.rated_turn import RatedTurn
from flank.machines.round_parts import (
    MassInertia,
    Point,
    carried,
    cylinder,
    even_angles,
    less,
    off_circle,
    polar,
)

INPUT, FIRST_DISC = 1, 2
"""Body numbers; the carrier follows the discs, then the structure's bodies and rolling pins."""

KEYS = {
    "undercut": "pins.radius",
    "pins-overlap": "pins.radius",
    "tight-groove": "pins.groove_radius",
    "eccentricity-too-large": "eccentricity",
    "eccentricity-large": "eccentricity",
    "negative-clearance": "discs.equidistant",
    "pins-fitted": "pins.points_file",
    **MEASURED_KEYS,
}
"""Of the spec, by finding."""


class DriveMasses(NamedTuple):
    """(kg, kg·m²) of one part of each kind.

    What a spec does not draw is taken as plain: the shaft is a cylinder of the eccentric's radius
    over all discs, the carrier a round plate one disc thick that reaches around its rollers.
    """

    shaft: MassInertia
    disc: MassInertia
    carrier: MassInertia
    pin: MassInertia


@dataclass(frozen=True, repr=False)
class CycloidalDrive(PinReducer):
    """A checked spec, made into models on demand; `extra` errors come on top of the spec's."""

    spec: CycloidalDriveSpec

    @property
    def ratio(self) -> float:
        return -float(self.lobes)

    @property
    def output_inertia(self) -> float:
        carrier = 0.0 if self.output_is_disc else self.masses.carrier[1]
        carrier += self.structure.carrier_inertia
        return carrier + self.spec.discs.count * self.masses.disc[1]

    @property
    def orders(self) -> Orders:
        rollers = self.spec.output.rollers
        orders = {
            "output": 1 / self.lobes,
            "input": 1.0,
            "disc pair": float(self.spec.discs.count),
            **({"roller": float(rollers.count)} if rollers else {}),
            "pin": float(self.spec.pins.count),
        }
        return Orders(orders, {"pin": PINS, "roller": CAGE})

    @property
    def output_is_disc(self) -> bool:
        return self.spec.output.kind == "disc"

    @property
    def output_body(self) -> int:
        return FIRST_DISC if self.output_is_disc else FIRST_DISC + self.spec.discs.count

    @property
    def discs(self) -> range:
        """Bodies of the discs."""
        return range(FIRST_DISC, FIRST_DISC + self.spec.discs.count)

    @property
    def pin_bodies(self) -> range:
        """The last bodies, where pins roll; coordinates of elastic discs follow."""
        first = self.structure.first + len(self.structure.bodies)
        return range(first, first + self.spec.pins.count * self.spec.pins.loose)

    @cached_property
    def structure(self) -> DriveStructure:
        first = FIRST_DISC + self.spec.discs.count + (not self.output_is_disc)
        return DriveStructure(self.spec, INPUT, self.output_body, first)

    @property
    def contacts_only(self) -> str:
        """That nothing but contacts gives way, where it is so."""
        if self.spec.structure is not None:
            return ""
        pins = "" if self.output_is_disc else "output pins, flanges, "
        only = "Contacts and discs" if self.spec.discs.bends else "Contacts"
        return (
            f"{only} only: the spec has no block structure, so {pins}input shaft and housing "
            "count as rigid; a drive as built is softer."
        )

    @cached_property
    def masses(self) -> DriveMasses:
        spec, width, rollers = self.spec, self.spec.discs.width, self.spec.output.rollers
        density = spec.material(spec.discs.material).density
        reach = rollers.circle_radius + rollers.radius if rollers else spec.discs.bore_radius
        flank_radius = spec.generating_circle_radius - spec.generating_pin_radius
        disc = cylinder(flank_radius, width, density)
        disc = less(disc, cylinder(spec.discs.bore_radius, width, density))
        if rollers is not None:
            hole = cylinder(spec.roller_hole_radius, width, density)
            disc = less(disc, hole, rollers.count, rollers.circle_radius)
        pin_density = spec.material(spec.pins.material).density
        return DriveMasses(
            shaft=cylinder(spec.eccentric_radius, spec.discs.count * width, density),
            disc=disc,
            carrier=cylinder(reach, width, density),
            pin=cylinder(spec.pins.radius, spec.pin_length, pin_density),
        )

    @property
    def disc_width(self) -> float:
        return self.spec.discs.width

    @property
    def contact_depth(self) -> float:
        return self.spec.pressed_depth

    @property
    def phases(self) -> list[float]:
        """ψ_j, the eccentrics' angles on the shaft."""
        return even_angles(self.spec.discs.count)

    def keyed_findings(self) -> Iterable[tuple[str, Finding]]:
        kinds = (*PIN_KINDS, *CIRCLE_KINDS, *PROFILE_KINDS, "groove_radius", "eccentricity")
        discs = self.disc_findings(kinds, self.errors["eccentricity"])
        for finding in (*self.pins.findings(), *discs):
            yield KEYS[finding.code], finding

    @cached_property
    def rated_turn(self) -> RatedTurn:
        """One turn of the input."""
        return RatedTurn(self, 2 * math.pi)

    def rated_loads(self) -> list[DataTable]:
        return [self.rated_turn.pins()] if self.rated_turn.known else []

    def ideal_pose(self, input_angle: float) -> Floats:
        rows = [(0.0, 0.0, 0.0), (0.0, 0.0, input_angle)]
        for j in range(self.spec.discs.count):
            throw, phase = self._throw(j)
            turned = -(input_angle + self.phases[j]) / self.lobes
            rows.append((*polar(throw, input_angle + phase), turned))
        if not self.output_is_disc:
            rows.append((0.0, 0.0, -input_angle / self.lobes))
        rows += self.structure.pose(input_angle)
        if self.spec.pins.loose:
            rows += [(x, y, 0.0) for x, y in self.pins.centres]
        modes = 0
        if self.spec.discs.bends:
            modes = self.spec.discs.count * len(modes_of_discs(self.spec)) // ROW
        if (ring := self.spec.elastic_ring) is not None:
            modes += ring_rows(ring)
        return np.array(rows + [(0.0, 0.0, 0.0)] * modes)

    def assemble(self, drive: Drive) -> Assembly:
        builder = ModelBuilder(self.spec.pins.circle_radius)
        self._add_bodies(builder)
        turned = [phase / self.lobes for phase in self.phases]
        with builder.part("discs", "discs"):
            plates = add_plates(builder, self.spec, self.discs, turned)
        ring = self._add_ring(builder)
        shafts = drive.turn(builder, {"input": INPUT, "output": self.output_body})
        width, length, friction = self.spec.discs.width, self.spec.pin_length, self.spec.friction
        bodies, housing = self.pin_bodies, self.structure.housing
        rims = [plate.rim for plate in plates]
        mesh = PinMesh(self, builder, bodies, self.discs, width, length, housing, rims, ring)
        disc, pin = mesh.materials
        mesh.add_pins(friction_law(friction, friction.pins, tangential_ratio(disc, pin)))
        if self.spec.output.rollers is not None:
            self._add_rollers(builder, self.spec.output.rollers, plates)
        self._add_needles(builder, plates)
        mesh.add_grooves(friction_law(friction, friction.grooves, tangential_ratio(pin, pin)))
        self.structure.add_to(builder)
        groups = {group.name: group for group in builder.groups}
        places = tuple(
            PinMeshPlace(
                f"disc {j + 1}",
                tuple(map(int, contacts)),
                body,
                INPUT,
                self.ratio,
                self.spec.eccentricity * self.lobes,
            )
            for j, (body, contacts) in enumerate(
                zip(self.discs, groups["pin"].contacts, strict=True)
            )
        )
        return Assembly.of(builder, self.ideal_pose(0.0), shafts, pin_meshes=places)

    def _add_ring(self, builder: ModelBuilder) -> ElasticCircle | None:
        """Of the housing, where it gives way around the pins."""
        if (body := self.spec.elastic_ring) is None:
            return None
        with builder.part("ring", "housing ring"):
            damping = self.spec.discs.plate_damping
            return add_ring(builder, self.structure.housing, body, damping)

    @property
    def pin_mesh_count(self) -> int:
        return self.spec.discs.count

    def _add_bodies(self, builder: ModelBuilder) -> None:
        masses = self.masses
        builder.body("input", *masses.shaft)
        builder.revolute(GROUND, INPUT)
        for j in range(self.spec.discs.count):
            builder.body(f"disc {j + 1}", *masses.disc)
        if not self.output_is_disc:
            builder.body("carrier", *masses.carrier)
            builder.revolute(GROUND, self.output_body)
        poses = self.structure.pose(0.0)
        for body, pose in zip(self.structure.bodies, poses, strict=True):
            builder.body(body.name, *body.mass, pose=pose)
        if self.spec.eccentric.bearing == "rigid":
            for j, disc in enumerate(self.discs):
                throw = polar(*self._throw(j))
                builder.revolute(self.structure.eccentrics, disc, throw, self._bore(j))
        for k in range(len(self.pin_bodies)):
            # what touches an elastic plate or ring is no leaf
            leaf = not (self.spec.discs.bends or self.spec.pins.elastic)
            builder.body(f"pin {k + 1}", *masses.pin, leaf=leaf)

    def _throw(self, disc: int) -> tuple[float, float]:
        """Eccentricity and phase of a disc's eccentric on the shaft."""
        errors = self.errors
        throw = self.spec.eccentricity + float(errors["eccentricity"][disc])
        return throw, self.phases[disc] + float(errors["eccentric_phase"][disc])

    def _bore(self, disc: int) -> Point:
        """Centre of a disc's bore, and of the circle of its roller holes, on the disc: off by what
        its flank runs out, the other way."""
        if "flank_x" not in self.errors:
            return 0.0, 0.0
        run_out = float(self.errors["flank_x"][disc]), float(self.errors["flank_y"][disc])
        x, y = carried((0.0, 0.0, self.phases[disc] / self.lobes), run_out)
        return -x, -y

    def _add_rollers(
        self, builder: ModelBuilder, rollers: RollersSpec, plates: Sequence[DrivePlate]
    ) -> None:
        """Output rollers on the carrier in the holes of each disc."""
        spec, length = self.spec, self.spec.roller_length
        disc_material = spec.elastic(spec.discs.material)
        roller_material = spec.elastic(rollers.material)
        ratio = tangential_ratio(disc_material, roller_material)
        friction = friction_law(spec.friction, spec.friction.rollers, ratio)
        pressure = LinePressure(length, contact_modulus(disc_material, roller_material))
        sizes = {"disc": spec.discs.count, "roller": rollers.count}
        pins = self.structure.output_pins
        with builder.part("roller", "output rollers", sizes, pressure):
            for j, k in np.ndindex(spec.discs.count, rollers.count):
                angle, circle_radius = even_angles(rollers.count)[k], rollers.circle_radius
                turned = angle + self.phases[j] / self.lobes  # on a disc, turned by -ψ/z_c
                at_hole, at_roller = polar(circle_radius, turned), polar(circle_radius, angle)
                size, bore = spec.roller_hole_radius, self._bore(j)
                hole = self._round(self.discs[j], "hole", (j, k), at_hole, size, bore)
                pin = int(pins[j, k])
                roller = self._round(pin, "roller", (k,), at_roller, rollers.radius)
                if pin != self.output_body:  # the pin's own place is its middle
                    off = roller.x - at_roller[0], roller.y - at_roller[1]
                    roller = Disc(roller.body, *off, roller.radius)
                around = Cylinder(hole.radius, disc_material)
                inside = Cylinder(roller.radius, roller_material)
                law = pair_law(spec.contact, around, inside, length)
                surface = Surface(law, damping_law(spec.contact), friction)
                elastic = plates[j].rollers[k] if plates else None
                add_in_hole(builder, hole, [roller], surface, rollers.wall_segments, elastic)

    def _round(
        self,
        body: int,
        part: str,
        index: Index,
        place: Point,
        radius: float,
        middle: Point = (0.0, 0.0),
    ) -> Disc:
        """A roller, or a hole for it, with its errors."""
        radial, tangential, larger = (
            self.errors[f"{part}_{name}"][index] for name in ("radial", "tangential", "radius")
        )
        off_x, off_y = off_circle(place, radial, tangential)
        x, y = place[0] + middle[0] + off_x, place[1] + middle[1] + off_y
        return Disc(body, x, y, radius + float(larger))

    def _add_needles(self, builder: ModelBuilder, plates: Sequence[DrivePlate]) -> None:
        """Needles between each eccentric and the bore of its disc."""
        spec, needles = self.spec, self.spec.eccentric.needles
        if needles is None:
            return
        size = BearingDimensions(
            spec.eccentric_radius, needles.radius, needles.count, needles.length, needles.clearance
        )
        needle = spec.elastic(needles.material)
        materials = (needle, needle, spec.elastic(spec.discs.material))
        sizes = {"disc": spec.discs.count, "needle": needles.count}
        with builder.part("needle", "needles", sizes):
            for j, disc in enumerate(self.discs):
                smaller = -float(self.errors["eccentric_radius"][j])
                wider = float(self.errors["bore_radius"][j])
                radius = spec.eccentric_radius - smaller
                inner = Disc(self.structure.eccentrics, *polar(*self._throw(j)), radius)
                outer = Disc(disc, *self._bore(j), spec.discs.bore_radius + wider)
                clearance = needles.clearance + smaller + wider
                larger = tuple(self.errors["needle_radius"][j].tolist())
                bearing = Bearing(inner, outer, clearance, size, materials, larger)
                wall = plates[j].bore if plates else None
                bearing.add_to(builder, spec.contact, wall=wall)

    def outlines(self) -> list[Outline]:
        """Disc by disc, then what all discs share."""
        discs = range(self.spec.discs.count)
        return [
            *(part for j in discs for part in self._disc_outlines(j)),
            *self.pin_outlines(self.pin_bodies),
            *self._roller_outlines(),
            *map(self._eccentric_outline, discs),
            axis_outline("drive"),
        ]

    def plates(self) -> list[Plate]:
        """Discs side by side from z = 0, pins and output rollers through all of them."""
        spec, width = self.spec, self.spec.discs.width
        rollers, top = spec.output.rollers, spec.discs.count * spec.discs.width
        plates = [self._disc_plate(j, j * width) for j in range(spec.discs.count)]
        plates += self.pin_plates(self.pin_bodies, 0.0, top)
        if rollers is not None:
            places = ring_of(rollers.count, rollers.circle_radius)
            radii = [rollers.radius] * rollers.count
            plates += pin_plates("output roller", self.output_body, places, radii, 0.0, top)
        for j in range(spec.discs.count):
            x, y = ring_of(1, spec.eccentricity, self.phases[j])[0]
            edge, body = round_edge(spec.eccentric_radius, (x, y)), self.structure.eccentrics
            name, bottom = f"eccentric {j + 1}", j * width
            plates.append(Plate(name, "eccentric", body, edge, bottom, bottom + width))
        return plates

    def _disc_plate(self, j: int, bottom: float) -> Plate:
        spec, rollers = self.spec, self.spec.output.rollers
        holes = [round_edge(spec.discs.bore_radius)]
        if rollers is not None:
            places = ring_of(rollers.count, rollers.circle_radius, self.phases[j] / self.lobes)
            size, segments = spec.roller_hole_radius, rollers.wall_segments
            holes += [wall_edge(size, segments, place) for place in places]
        edge = flank_edge(self.shape_of(self.profile, j), self.lobes)
        top = bottom + spec.discs.width
        return Plate(f"disc {j + 1}", "body", self.discs[j], edge, bottom, top, tuple(holes))

    def _disc_outlines(self, j: int) -> Iterator[Outline]:
        """A disc with its bore and its output holes."""
        spec, rollers = self.spec, self.spec.output.rollers
        holes = [circle(spec.discs.bore_radius)]
        if rollers is not None:
            first = self.phases[j] / self.lobes  # the disc's frame is turned by -ψ/z_c
            places = ring_of(rollers.count, rollers.circle_radius, first)
            holes += [
                wall_points(spec.roller_hole_radius, rollers.wall_segments, place)
                for place in places
            ]
        flank = flank_points(self.shape_of(self.profile, j), self.lobes)
        return disc_outlines(j, self.discs[j], self.discs[j], flank, holes)

    def _eccentric_outline(self, j: int) -> Outline:
        place = ring_of(1, self.spec.eccentricity, self.phases[j])[0]
        points = circle(self.spec.eccentric_radius, place)
        body = self.structure.eccentrics
        return Outline(f"eccentric {j + 1}", body, points, "eccentric", layer=disc_layer(j))

    def _roller_outlines(self) -> Iterator[Outline]:
        if rollers := self.spec.output.rollers:
            for k, place in enumerate(ring_of(rollers.count, rollers.circle_radius)):
                points = circle(rollers.radius, place)
                yield Outline(f"output roller {k + 1}", self.output_body, points, "pin")
