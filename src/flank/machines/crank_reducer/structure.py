"""What bends and twists between the contacts: discs, cranks, carrier, main bearings.

In absolute nodal coordinates a crank is a chain of beam elements along its axis, a node at every
step and station; each station is a planar body on its node. Without shear it is stiffer than the
beam of the other form.

The wall of a crank hole is a ring as thick as the thinnest wall around the hole, a node at every
roller. Behind a node lies more of the disc where the wall is thicker than the ring: a foundation
E/((1 + ν) R) per wall area, the stiffness of a wide plate around a hole of radius R under even
pressure, times the share of the wall that is not the ring itself. A thin wall bends freely, so the
hole becomes oval.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from flank.arrays import Floats
from flank.dynamics.builder import ORIGIN, ModelBuilder, Node
from flank.elasticity.ball_bearing import radial_stiffness
from flank.elasticity.finite_elements.joined_plates import coordinates, plates_compliance
from flank.elasticity.finite_elements.kept_numbers import kept_numbers
from flank.elasticity.plate import Compliance, Holes, Plate, plate_compliance
from flank.elasticity.section import rectangular_section, round_section
from flank.elasticity.shaft import Segment, Shaft, clamped_stiffness
from flank.machines.crank_reducer.carrier import (
    carrier_plates,
    pillar_holes,
    pillar_length,
    pillar_shaft,
)
from flank.machines.crank_reducer.geometry import (
    crank_loaded_lengths,
    crank_shaft,
    hole_error,
    wall_behind,
)
from flank.machines.crank_reducer.housing import HousingSpec, ring_stiffness
from flank.machines.crank_reducer.layout import BearingPlaces
from flank.machines.output_rollers import RollersSpec
from flank.machines.round_parts import Point

if TYPE_CHECKING:
    from flank.machines.crank_reducer.reducer import CrankReducer

WEB_SHARE = 0.02
"""Share of a disc's shift between web and rim: holes hardly feel each other's loads (1 % by FE)."""


@dataclass(frozen=True)
class Structure:
    """Puts what bends and twists into a model."""

    machine: CrankReducer
    builder: ModelBuilder

    def add_shafts(self) -> None:
        """Bending and torsion of every crank between its stations."""
        spec = self.machine.spec
        if spec.cranks.shaft == "rigid":
            return
        shaft = crank_shaft(spec, self.machine.size)
        for k in range(spec.cranks.count):
            stations = itertools.pairwise(self.machine.layout.stations(k))
            for ends, stiffness in zip(stations, shaft.torsional_stiffness(), strict=True):
                self._tie(*ends, turn=stiffness)
        add_lateral = self._add_beams if spec.cranks.shaft == "ancf" else self._add_bending
        for k in range(spec.cranks.count):
            add_lateral(k, shaft)

    def _add_bending(self, k: int, shaft: Shaft) -> None:
        """Springs that a crank condensed to its stations is between these.

        A stiffness K that resists neither shift nor tilt is a spring -K_ij between every two
        stations, some of them negative.
        """
        stations = self.machine.layout.stations(k)
        lateral = self._lateral_stiffness(shaft)
        for j, i in itertools.combinations(range(len(stations)), 2):
            self._tie(stations[j], stations[i], shift=-float(lateral[i, j]))

    def _lateral_stiffness(self, shaft: Shaft) -> Floats:
        """By elements of its half section, or as a beam with shear."""
        spec, size = self.machine.spec, self.machine.size
        if spec.cranks.shaft == "beam":
            return shaft.lateral_stiffness()
        # whoever takes the beam does without the import of elements
        from flank.elasticity.finite_elements.stepped_shaft import solid_lateral_stiffness

        return solid_lateral_stiffness(shaft, crank_loaded_lengths(spec, size))

    def _add_beams(self, k: int, shaft: Shaft) -> None:
        """Beam elements between the nodes of a crank, stations tied to theirs."""
        layout, at_stations = self.machine.layout, shaft.station_places()
        nodes = [Node(row, row + 1) for row in layout.shaft_nodes[k]]
        pieces = zip(nodes[:-1], nodes[1:], shaft.pieces(), strict=True)
        for first, second, (low, high, segment) in pieces:
            section = round_section(shaft.material, 2 * segment.radius)
            self.builder.beam(first, second, high - low, section)
        for body, place in zip(layout.stations(k), at_stations, strict=True):
            self.builder.revolute(body, nodes[place].position)

    def _tie(
        self,
        a: int,
        b: int,
        shift: float | None = None,
        turn: float | None = None,
        at: Point = ORIGIN,
    ) -> None:
        """Two bodies by a stiffness against shifts, turns or both."""
        damping = self.machine.spec.structural_damping
        if shift is not None:
            self.builder.bushing(a, b, shift, damping * shift, at_a=at)
        if turn is not None:
            self.builder.torsion_spring(a, b, turn, damping * turn)

    def _compliance(
        self, radius: float, width: float, material: str, hole_radius: float, **pillars: Any
    ) -> Compliance:
        """The plate of a disc or flange out to a radius, with the holes of the cranks."""
        spec, bore = self.machine.spec, self.machine.size.disc_bore_radius
        holes = Holes(spec.cranks.count, spec.cranks.circle_radius, hole_radius)
        return kept_compliance(Plate(radius, width, bore, spec.elastic(material), holes, **pillars))

    def _pillars(self, radius: float) -> Holes:
        return pillar_holes(self.machine.size, radius)

    def add_discs(self) -> None:
        """Each disc's web turns against its rim, and every hole's seat gives way in the web.

        Of the shift of all holes together WEB_SHARE lies between web and rim, the rest in the
        seats.
        """
        layout, size, spec = self.machine.layout, self.machine.size, self.machine.spec
        if spec.discs.rim_held:
            compliance = self._compliance(
                size.root_radius,
                size.disc_width,
                spec.discs.material,
                size.turning_arm.bore_radius,
                openings=(self._pillars(size.pillar_hole_radius),),
            )
            cranks = spec.cranks
            twist = max(compliance.turn / compliance.shift - 1, 0.0) + WEB_SHARE
            shift = cranks.count / (WEB_SHARE * compliance.shift)
            turn = cranks.count * cranks.circle_radius**2 / (twist * compliance.shift)
            if spec.output_rollers is not None:
                turn = self._turn_by_rollers(spec.output_rollers)
            for web, rim in zip(layout.web, layout.rim, strict=True):
                self._tie(web, rim, shift, turn)
            self._add_hole_walls()
            self._add_seats(layout.turning_arm, layout.web, (1 - WEB_SHARE) * compliance.shift)

    def add_carrier(self) -> None:
        """Flanges, pillars and bearing seats: by elements in space, or by formulas."""
        match self.machine.spec.carrier.body:
            case "solid":
                self._add_solid_carrier()
            case "elastic":
                self._add_clamped_pillars()

    def _add_solid_carrier(self) -> None:
        """The first flange, seats and loaded pillars on the outer face of the second flange.

        Where a joint gives way between flange 1 and its pillars, the elements are those of what
        stands on the pillars' side of it, and seats in flange 1 are measured as that carries them.
        """
        spec, size, layout = self.machine.spec, self.machine.size, self.machine.layout
        (first, output), head = layout.flange, layout.pillar_head
        plates = carrier_plates(spec, size)
        compliance, places = plates_compliance(plates), coordinates(plates)
        bodies = [*layout.supports.seat.T.ravel().tolist(), head, *layout.roller_pin.ravel()]
        if head != first:
            bodies.append(first)
        seats = np.array([layout.supports.holes[k][0] for k in range(spec.cranks.count)])
        pillars = plates.pillars.centres()
        directions = [*seats, *seats, *(len(plates.stations) * [*pillars])]
        columns = np.zeros((len(compliance), len(bodies), 3))
        own = [*places.seats.reshape(-1, 2), *places.stations.reshape(-1, 2)]
        others = [k for k, body in enumerate(bodies) if body not in (first, head)]
        for at, body, direction in zip(own, others, directions, strict=True):
            x, y = direction / np.linalg.norm(direction)
            columns[at, body, :2] = (x, y), (-y, x)
        if head != first:
            for at, place in zip(places.seats[0], seats, strict=True):
                with_flange = _carried_along(place)
                columns[at, bodies.index(first)] = -with_flange
                columns[at, bodies.index(head)] = with_flange
        columns[places.plate, bodies.index(head)] = np.eye(3)
        half = np.tensordot(np.linalg.inv(compliance), columns, 1)
        stiffness = np.einsum("abi,acj->bicj", columns, half)
        self.builder.elastic_body(output, bodies, stiffness, spec.structural_damping)
        self._turn_with_flanges(compliance[places.seats, places.seats][..., 1])
        if spec.output_rollers is not None:
            self._turn_roller_pins()

    def _turn_with_flanges(self, compliance: Floats) -> None:
        """Seats as good as do not turn in their flanges: `compliance` along the circle."""
        layout = self.machine.layout
        for (k, j), seat in np.ndenumerate(layout.supports.seat):
            x, y = layout.supports.holes[k][j]
            self._tie(layout.flange[j], int(seat), turn=(x**2 + y**2) / float(compliance[j, k]))

    def _add_clamped_pillars(self) -> None:
        """Pillars between the flanges, clamped at both ends; bearing seats in the flanges."""
        spec, size, layout = self.machine.spec, self.machine.size, self.machine.layout
        material = spec.elastic(spec.carrier.material)
        length = pillar_length(spec, size)
        segment = Segment(length, size.pillar_radius)
        shift = size.pillar_count * clamped_stiffness(length, segment, material)
        torsion = 2 * material.shear_modulus * segment.second_moment
        turn = shift * size.pillar_circle_radius**2 + size.pillar_count * torsion / length
        if spec.output_rollers is None:
            self._tie(layout.pillar_head, layout.flange[1], shift, turn)
        else:
            self._add_roller_pins()
        compliance = self._compliance(
            size.main_circle_radius - size.ball_radius,
            size.flange_width,
            spec.carrier.material,
            size.support.bore_radius,
            pillars=self._pillars(size.pillar_radius),
        )
        self._add_seats(layout.supports, layout.flange, compliance.turn)

    def _turn_by_rollers(self, rollers: RollersSpec) -> float:
        """Torsional stiffness of a disc between the holes of its output rollers and its rim, their
        walls included: n R²/(turn of the plate)."""
        size, spec = self.machine.size, self.machine.spec
        holes = self._pillars(size.pillar_hole_radius)
        cranks = Holes(spec.cranks.count, spec.cranks.circle_radius, size.turning_arm.bore_radius)
        material = spec.elastic(spec.discs.material)
        plate = (size.root_radius, size.disc_width, size.disc_bore_radius, material)
        compliance = kept_compliance(Plate(*plate, holes, openings=(cranks,)))
        return rollers.count * rollers.circle_radius**2 / compliance.turn

    def _add_roller_pins(self) -> None:
        """Pins of output rollers as beams clamped in both flanges, with a body at every disc."""
        machine, layout = self.machine, self.machine.layout
        shaft = pillar_shaft(machine.spec, machine.size)
        lateral, torsion = shaft.clamped_lateral_stiffness(), shaft.torsional_stiffness()
        damping, last = machine.spec.structural_damping, len(lateral) - 1
        for k, place in enumerate(layout.roller_places()):
            bodies = [layout.pillar_head, *layout.roller_pin[:, k].tolist(), layout.flange[1]]
            for (a, b), stiffness in zip(itertools.pairwise(bodies), torsion, strict=True):
                self._tie(a, b, turn=stiffness)
            for j, i in itertools.combinations(range(len(bodies)), 2):
                stiffness = -float(lateral[i, j])
                at_a, at_b = (place if end in (0, last) else ORIGIN for end in (j, i))
                ends = bodies[j], bodies[i]
                self.builder.bushing(*ends, stiffness, damping * stiffness, at_a, at_b)

    def _turn_roller_pins(self) -> None:
        """Pins of a solid carrier twist between every disc and the second flange; what they add to
        the stiffness between flanges is in the elements."""
        torsion = pillar_shaft(self.machine.spec, self.machine.size).torsional_stiffness()
        for (j, _), pin in np.ndenumerate(self.machine.layout.roller_pin):
            twist = sum(1 / stiffness for stiffness in torsion[j + 1 :])
            self._tie(int(pin), self.machine.layout.flange[1], turn=1 / twist)

    def _add_seats(self, bearing: BearingPlaces, owners: list[int], compliance: float) -> None:
        """Seats in their bodies: they give way, and as good as do not turn."""
        for (k, j), seat in np.ndenumerate(bearing.seat):
            if bearing.elastic:
                x, y = place = bearing.holes[k][j]
                shift, turn = 1 / compliance, (x**2 + y**2) / compliance
                self._tie(owners[j], int(seat), shift, turn, place)

    def add_main_bearings(self) -> None:
        """A radial spring between each flange and the housing, which may give way itself."""
        size, housing = self.machine.size, self.machine.spec.main_bearings.housing
        balls = (size.ball_count, size.ball_radius, size.ball_contact_angle, size.main_preload)
        stiffness = radial_stiffness(*balls)
        if housing is not None:
            stiffness = 1 / (1 / stiffness + 1 / self._housing_stiffness(housing))
        errors, damping = self.machine.errors, self.machine.spec.structural_damping * stiffness
        layout = self.machine.layout
        for side, (seat_body, flange) in enumerate(
            zip(layout.main_seat, layout.flange, strict=True)
        ):
            seat, journal = (
                (float(errors[f"{part}_x"][side]), float(errors[f"{part}_y"][side]))
                for part in ("main_bearing", "carrier")
            )
            self.builder.bushing(seat_body, flange, stiffness, damping, seat, journal)

    def _housing_stiffness(self, housing: HousingSpec) -> float:
        if housing.wall is None:
            assert housing.stiffness is not None
            return housing.stiffness
        size, material = self.machine.size, self.machine.spec.elastic(housing.material)
        inside = size.main_circle_radius + size.ball_radius
        return ring_stiffness(inside, housing.wall, housing.width or size.flange_width, material)

    def _add_hole_walls(self) -> None:
        """Rings around the crank holes of every disc, on their foundation in the disc."""
        spec, size, layout = self.machine.spec, self.machine.size, self.machine.layout
        if not layout.ring_nodes:
            return
        material = spec.elastic(spec.discs.material)
        thickness, count = layout.wall_thickness, size.turning_arm.count
        section = rectangular_section(material, thickness, size.disc_width)
        hole = size.turning_arm.bore_radius
        modulus = material.youngs_modulus / ((1 + material.poisson_ratio) * hole)
        area = size.disc_width * 2 * math.pi * hole / count
        arc = 2 * math.pi * (hole + 0.5 * thickness) / count
        for (k, j), rows in layout.ring_nodes.items():
            nodes = [Node(row, row + 1) for row in rows]
            off_x, off_y = hole_error(self.machine.errors, layout.turning_arm.holes[k][j], k, j)
            for roller, node in enumerate(nodes):
                self.builder.beam(node, nodes[(roller + 1) % count], arc, section)
                x, y = layout.wall_place(k, j, roller, hole + 0.5 * thickness)
                direction = 2 * math.pi * roller / count  # on the disc, its pattern of holes at 0
                share = 1 - thickness / wall_behind(spec, size, k, direction)
                if share > 0:
                    place = x + off_x, y + off_y
                    self._tie(layout.web[j], node.position, modulus * area * share, at=place)


def kept_compliance(plate: Plate) -> Compliance:
    """That of the grid, found again by the next process that asks for this plate."""
    return Compliance(*kept_numbers("plates", plate, lambda: plate_compliance(plate)))


def _carried_along(place: Floats) -> Floats:
    """Displacement outward and along the circle of a place that a body carries, by the body's."""
    x, y = place
    radius = math.hypot(x, y)
    turned = np.array([[x, y], [-y, x]]) / radius
    return np.asarray(turned @ np.array([[1.0, 0.0, -y], [0.0, 1.0, x]]))
