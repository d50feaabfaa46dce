"""Which body of a crank reducer has which number, and where it stands in the ideal machine.

Bodies that touch few others come first, which keeps the factors of the tangent short: cranks
station by station, cages, disc webs and rims, flanges, input, nodes of beams; then, as leaves,
the seats of bearings (where no roller is one), rollers, and what a machine adds.
With the crank at θ_c, disc j stands at e at the angle α_j = θ_c + ψ_j and is turned by -α_j/u, u
the turns of a crank for one of the output (against it); the carrier is turned by θ_o = -θ_c/u, and
the input by i θ_o.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property, partial, reduce

import numpy as np

from flank.arrays import Floats, Integers
from flank.contact.plate_modes import ROW
from flank.dynamics.tables import GROUND
from flank.machines.crank_reducer.disc_plates import modes_of_discs
from flank.machines.crank_reducer.geometry import (
    BearingMasses,
    Masses,
    crank_shaft,
    ring_thickness,
)
from flank.machines.crank_reducer.rules import BearingDimensions, Dimensions
from flank.machines.crank_reducer.spec import CrankReducerSpec
from flank.machines.elastic_rings import ring_rows
from flank.machines.round_parts import (
    MassInertia,
    Point,
    carried,
    even_angles,
    polar,
    scaled,
    total,
)

BodyPose = tuple[float, float, float]
"""Pose of one body: x, y, angle."""

Pose = Callable[[float], BodyPose]
"""Pose of one body at a carrier angle θ_o."""

SIDES = 2

STATION_SHARE = 0.01
"""Mass left to the stations of a crank of beams, so that none is without any."""

FACE_SHARE = 0.1
"""Of flange 2, that moves with what is bolted to it where their joint gives way."""

NO_MASS = (0.0, 0.0)
"""Of a node: its mass lies in the beams."""


@dataclass(frozen=True)
class Place:
    """One row of the model: its name, mass, and where it stands.

    A node of beams is two of them: its position, which knows the pose of its slope, and the slope,
    which has no name of its own. Rows of modes have none, either.
    """

    name: str
    mass: MassInertia
    pose: Pose
    leaf: bool = False
    slope: Pose | None = None


@dataclass
class BearingPlaces:
    """The bearings of one kind, by crank and by the disc or flange that holds the outer race.

    Arrays hold the numbers of bodies: of cages and rollers where these are bodies, of what the
    outer races sit in, of what the inner races sit on, and of the stations of the cranks there.
    """

    name: str
    holder: str
    size: BearingDimensions
    masses: BearingMasses
    holes: list[list[Point]]  # centres of outer races on their discs or flanges
    inner: Integers
    station: Integers  # the same where inner races are tight
    bodies: bool  # whether rollers are bodies
    elastic: bool  # whether outer races have seats that give way
    tied: bool = False  # whether seats are parts of one elastic body
    cage: Integers = field(init=False)
    seat: Integers = field(init=False)
    roller: Integers = field(init=False)

    def __post_init__(self) -> None:
        self.cage, self.seat = np.zeros_like(self.inner), np.zeros_like(self.inner)
        self.roller = np.zeros((*self.inner.shape, self.size.count), dtype=int)

    @property
    def loose_seats(self) -> bool:
        """Whether seats are leaves: neither part of a larger body, nor what leaves touch."""
        return not (self.bodies or self.tied)

    def title(self, k: int, j: int) -> str:
        return f"crank {k + 1}, {self.holder} {j + 1}"


@dataclass
class Layout:
    """Numbers of the bodies by what they are."""

    spec: CrankReducerSpec
    size: Dimensions
    masses: Masses
    places: list[Place] = field(default_factory=list)

    def __post_init__(self) -> None:
        spec = self.spec
        self.phases = even_angles(spec.discs.count)  # ψ_j, of the eccentrics on a crank
        self.crank_angles = even_angles(spec.cranks.count)  # β_k, of the cranks on the carrier
        self.crank_ratio = spec.crank_ratio  # u
        self.driven_end = np.zeros(spec.cranks.count, dtype=int)
        self.journal = np.zeros((spec.cranks.count, SIDES), dtype=int)
        self.eccentric = np.zeros((spec.cranks.count, spec.discs.count), dtype=int)
        for k in range(spec.cranks.count):
            self._add_crank(k)
        self.arm_race = self._add_races(self.eccentric, spec.turning_arm.fit_compliance)
        self.support_race = self._add_races(self.journal, spec.supports.fit_compliance)
        self.turning_arm, self.supports = self._bearings()
        bearings = (self.turning_arm, self.supports)
        for bearing in bearings:
            self._add_cages(bearing)
        self.web, self.rim = self._add_discs()
        self.flange = self._add_carrier()
        self.pillar_head, self.output_body = self._add_joints()
        self.main_seat = self._add_main_seats()
        self.roller_pin = self._add_roller_pins()
        name = "sun" if spec.first_stage else "input"
        self.input_body = self._add(name, self.masses.input, self._input_pose)
        self.shaft_nodes = [self._add_shaft_nodes(k) for k in range(spec.cranks.count)]
        self.ring_nodes = self._add_ring_nodes()
        self.plate_rows = [self._add_plate_rows(j) for j in range(spec.discs.count)]
        ring = spec.elastic_ring
        self.ring_row = 0 if ring is None else self._add_mode_rows(ring_rows(ring))
        if spec.discs.bends:  # what touches an elastic plate or ring is no leaf
            self._add_rollers(self.turning_arm)
        if self.touches_modes:
            self._add_ring_bodies()
        for bearing in sorted(bearings, key=lambda bearing: bearing.loose_seats):  # leaves are last
            self._add_seats(bearing)
        if not spec.discs.bends:
            self._add_rollers(self.turning_arm)
        self._add_rollers(self.supports)
        if not self.touches_modes:
            self._add_ring_bodies()

    @property
    def touches_modes(self) -> bool:
        """Whether bodies in the ring touch what is elastic, disc or ring."""
        return self.spec.discs.bends or bool(self.ring_row)

    def _add_ring_bodies(self) -> None:
        """Of a ring that has some."""

    def _add_plate_rows(self, j: int) -> int:
        """Rows for the modes of disc j, whose names are the builder's; returns the first."""
        if not self.spec.discs.bends:
            return 0
        return self._add_mode_rows(len(modes_of_discs(self.spec, self.size)) // ROW)

    def _add_mode_rows(self, count: int) -> int:
        first = len(self.places) + 1
        for _ in range(count):
            self._add("", NO_MASS, lambda _carrier: (0.0, 0.0, 0.0))
        return first

    def _bearings(self) -> tuple[BearingPlaces, BearingPlaces]:
        """A disc's frame is turned by -ψ/u, and its holes on it by ψ/u."""
        spec, size, masses = self.spec, self.size, self.masses

        def holes(turned: list[float]) -> list[list[Point]]:
            radius = spec.cranks.circle_radius
            return [[polar(radius, angle + more) for more in turned] for angle in self.crank_angles]

        in_discs = holes([phase / self.crank_ratio for phase in self.phases])
        arms = (
            "arm",
            "disc",
            size.turning_arm,
            masses.turning_arm,
            in_discs,
            self.arm_race,
            self.eccentric,
        )
        in_flanges = holes([0.0] * SIDES)
        supports = (
            "support",
            "flange",
            size.support,
            masses.support,
            in_flanges,
            self.support_race,
            self.journal,
        )
        arm_seats = spec.discs.rim_held and spec.discs.hole_wall != "ancf"
        return (
            BearingPlaces(*arms, spec.turning_arm.elements == "bodies", arm_seats),
            BearingPlaces(
                *supports,
                spec.supports.elements == "bodies",
                spec.carrier.body != "rigid",
                spec.carrier.body == "solid",
            ),
        )

    def stations(self, k: int) -> list[int]:
        """The bodies of crank k along its axis."""
        first, last = self.journal[k]
        stations = [int(n) for n in (first, *self.eccentric[k], last)]
        return [int(self.driven_end[k]), *stations] if self.masses.planet else stations

    def pose(self, carrier_angle: float) -> Floats:
        """Pose of all bodies of the rigid machine, ground first."""
        return np.array([(0.0, 0.0, 0.0), *(p.pose(carrier_angle) for p in self.places)])

    def _add(self, name: str, mass: MassInertia, pose: Pose, leaf: bool = False) -> int:
        self.places.append(Place(name, mass, pose, leaf))
        return len(self.places)

    def _input_pose(self, carrier: float) -> BodyPose:
        return 0.0, 0.0, self.spec.ratio * carrier

    def _crank_pose(self, k: int, carrier: float) -> BodyPose:
        place = polar(self.spec.cranks.circle_radius, self.crank_angles[k] + carrier)
        return *place, -self.crank_ratio * carrier

    def _disc_pose(self, j: int, carrier: float) -> BodyPose:
        angle = -self.crank_ratio * carrier + self.phases[j]
        return *polar(self.size.eccentricity, angle), -angle / self.crank_ratio

    def _add_crank(self, k: int) -> None:
        masses, pose, name = self.masses, partial(self._crank_pose, k), f"crank {k + 1}"
        discs = range(self.spec.discs.count)
        if self.spec.cranks.shaft == "rigid":
            parts = [*[masses.journal] * SIDES, *[masses.eccentric for _ in discs]]
            if masses.planet:
                parts.insert(0, masses.planet)
            number = self._add(name, reduce(total, parts), pose)
            self.driven_end[k], self.journal[k], self.eccentric[k] = number, number, number
            return
        journal, eccentric = masses.journal, masses.eccentric
        if self.spec.cranks.shaft == "ancf":  # the shaft's mass lies in its beams
            journal, eccentric = ((STATION_SHARE * m, i) for m, i in (journal, eccentric))
        if masses.planet:
            self.driven_end[k] = self._add(f"{name} planet", masses.planet, pose)
        self.journal[k, 0] = self._add(f"{name} journal 1", journal, pose)
        if not masses.planet:
            self.driven_end[k] = self.journal[k, 0]
        for j in discs:
            self.eccentric[k, j] = self._add(f"{name} eccentric {j + 1}", eccentric, pose)
        self.journal[k, 1] = self._add(f"{name} journal 2", journal, pose)

    def _add_races(self, stations: Integers, compliance: float) -> Integers:
        """Bodies of inner races whose fits give way; the stations that they sit on where they are
        tight."""
        if not compliance:
            return stations
        arms, races = stations is self.eccentric, np.zeros_like(stations)
        masses = self.masses.turning_arm if arms else self.masses.support
        for k, j in np.ndindex(*stations.shape):
            place = polar(self.size.eccentricity, self.phases[j]) if arms else (0.0, 0.0)
            name = f"race of crank {k + 1}, {'disc' if arms else 'flange'} {j + 1}"
            races[k, j] = self._add(name, masses.race, partial(self._on_crank, k, place))
        return races

    def _on_crank(self, k: int, place: Point, carrier: float) -> BodyPose:
        pose = self._crank_pose(k, carrier)
        return *carried(pose, place), pose[2]

    def _add_node(self, name: str, pose: Pose, slope: Pose) -> int:
        """A node of beams; returns the row of its position, its slope is the next."""
        row = self._add(name, NO_MASS, pose)
        self.places[-1] = replace(self.places[-1], slope=slope)
        self._add("", NO_MASS, slope)
        return row

    def _add_shaft_nodes(self, k: int) -> list[int]:
        """Nodes of a crank at every step and station along its axis."""
        if self.spec.cranks.shaft != "ancf":
            return []

        def at(z: float, carrier: float) -> BodyPose:
            return *self._crank_pose(k, carrier)[:2], z

        return [
            self._add_node(
                f"crank {k + 1} node {i + 1}", partial(at, z), lambda carrier: (0.0, 0.0, 1.0)
            )
            for i, z in enumerate(crank_shaft(self.spec, self.size).places())
        ]

    def _add_ring_nodes(self) -> dict[tuple[int, int], list[int]]:
        """Nodes of the walls of the disc holes, one before every roller."""
        if self.spec.discs.hole_wall != "ancf":
            return {}
        radius = self.size.turning_arm.bore_radius + 0.5 * self.wall_thickness
        return {
            (k, j): [
                self._add_node(
                    f"wall of crank {k + 1}, disc {j + 1}, node {roller + 1}",
                    partial(self._web_point, j, self.wall_place(k, j, roller, radius), 1.0),
                    partial(self._web_point, j, self._wall_tangent(j, roller), 0.0),
                )
                for roller in range(self.size.turning_arm.count)
            ]
            for k, j in np.ndindex(*self.eccentric.shape)
        }

    @cached_property
    def wall_thickness(self) -> float:
        """Of the rings around the crank holes."""
        return ring_thickness(self.spec, self.size)

    def wall_place(self, k: int, j: int, roller: int, radius: float) -> Point:
        """A point of a hole's wall on its disc, where a roller stands in the ideal machine."""
        x, y = self.turning_arm.holes[k][j]
        dx, dy = polar(radius, self._wall_angle(j, roller))
        return x + dx, y + dy

    def _wall_angle(self, j: int, roller: int) -> float:
        return (
            2 * math.pi * roller / self.size.turning_arm.count + self.phases[j] / self.crank_ratio
        )

    def _wall_tangent(self, j: int, roller: int) -> Point:
        return polar(1.0, self._wall_angle(j, roller) + 0.5 * math.pi)

    def in_space(self, j: int, direction: Point) -> Point:
        """A direction of disc j in space, carrier at zero."""
        return self._web_point(j, direction, 0.0, 0.0)[:2]

    def _web_point(self, j: int, place: Point, moves: float, carrier: float) -> BodyPose:
        """A point of a disc in space, or (`moves` zero) a direction."""
        x, y, turn = self._disc_pose(j, carrier)
        return *carried((moves * x, moves * y, turn), place), 0.0

    def _add_discs(self) -> tuple[list[int], list[int]]:
        def add(part: str, mass: MassInertia) -> list[int]:
            return [
                self._add(f"disc {j + 1}{part}", mass, partial(self._disc_pose, j))
                for j in range(self.spec.discs.count)
            ]

        web, rim = self.masses.web, self.masses.rim
        if not self.spec.discs.rim_held:
            both = add("", total(web, rim))
            return both, both
        return add(" web", web), add(" rim", rim)

    def _add_carrier(self) -> list[int]:
        first = self.masses.plate if self.spec.carrier.jointed else self.masses.flange
        last = self.masses.flange
        if self.spec.carrier.output_compliance:
            last = scaled(last, 1 - FACE_SHARE)
        if self.spec.carrier.body == "rigid":
            return [self._add("carrier", total(first, last), _with_carrier)] * SIDES
        return [
            self._add(f"flange {side + 1}", mass, _with_carrier)
            for side, mass in enumerate((first, last))
        ]

    def _add_joints(self) -> tuple[int, int]:
        """What flange 1 is bolted to and what is bolted to flange 2, where these joints give way;
        else the flanges themselves."""
        (head, output), carrier = self.flange, self.spec.carrier
        if carrier.jointed:
            head = self._add("pillars at flange 1", self.masses.pillars, _with_carrier)
        if carrier.output_compliance:
            face = scaled(self.masses.flange, FACE_SHARE)
            output = self._add("output", face, _with_carrier)
        return head, output

    def _add_main_seats(self) -> list[int]:
        """Of the main bearings' outer races in the housing; ground where they are tight."""
        if not self.spec.main_bearings.fit_compliance:
            return [GROUND] * SIDES
        return [
            self._add(
                f"seat of main bearing {side + 1}",
                self.masses.main_seat,
                lambda _carrier: (0.0, 0.0, 0.0),
            )
            for side in range(SIDES)
        ]

    def _add_roller_pins(self) -> Integers:
        """Bodies of the pins of output rollers, by disc and roller: where a disc touches them.

        The carrier itself where that is rigid; none without rollers.
        """
        rollers, discs = self.spec.output_rollers, self.spec.discs.count
        if rollers is None:
            return np.zeros((discs, 0), dtype=int)
        pins = np.full((discs, rollers.count), self.flange[0])
        if self.spec.carrier.body != "rigid":
            places = self.roller_places()
            for j, k in np.ndindex(*pins.shape):
                pose = partial(self._seat_pose, self.flange[0], places[k])
                title = f"pin of roller {k + 1}, disc {j + 1}"
                pins[j, k] = self._add(title, self.masses.roller_pin, pose)
        return pins

    def roller_places(self, disc: int | None = None) -> list[Point]:
        """Centres of output rollers on the carrier, or of their holes on a disc."""
        rollers = self.spec.output_rollers
        assert rollers is not None
        turned = 0.0 if disc is None else self.phases[disc] / self.crank_ratio
        angles = even_angles(rollers.count)
        first = math.pi / rollers.count + turned
        return [polar(rollers.circle_radius, angle + first) for angle in angles]

    def _add_seats(self, bearing: BearingPlaces) -> None:
        """Seats of the outer races; the disc or flange itself where that is rigid."""
        owners = self.web if bearing is self.turning_arm else self.flange
        for k, j in np.ndindex(*bearing.seat.shape):
            bearing.seat[k, j] = owners[j]
            if bearing.elastic:
                pose = partial(self._seat_pose, owners[j], bearing.holes[k][j])
                title = f"seat of {bearing.title(k, j)}"
                mass, leaf = bearing.masses.seat, bearing.loose_seats
                bearing.seat[k, j] = self._add(title, mass, pose, leaf)

    def _seat_pose(self, owner: int, place: Point, carrier: float) -> BodyPose:
        pose = self.places[owner - 1].pose(carrier)
        return *carried(pose, place), pose[2]

    def _cage_pose(self, bearing: BearingPlaces, k: int, j: int, carrier: float) -> BodyPose:
        """A cage stands about its inner race and turns as rolling without slip has it."""
        share, (x, y, turn) = bearing.size.cage_share, self._crank_pose(k, carrier)
        if bearing is self.turning_arm:
            ex, ey = polar(self.size.eccentricity, turn + self.phases[j])
            x, y = x + ex, y + ey
        return x, y, share * turn + (1 - share) * carrier

    def _add_cages(self, bearing: BearingPlaces) -> None:
        for k, j in np.ndindex(*bearing.cage.shape):
            if bearing.bodies:
                pose = partial(self._cage_pose, bearing, k, j)
                title = f"cage of {bearing.title(k, j)}"
                bearing.cage[k, j] = self._add(title, bearing.masses.cage, pose)

    def _add_rollers(self, bearing: BearingPlaces) -> None:
        """Rollers as bodies on their cage's circle; they spin as rolling on both races has it."""
        for k, j, roller in np.ndindex(*bearing.roller.shape):
            if bearing.bodies:
                title = f"{bearing.name} roller {k + 1}/{j + 1}/{roller + 1}"
                pose = partial(self._roller_pose, bearing, k, j, roller)
                leaf = bearing is self.supports or not self.spec.discs.bends
                number = self._add(title, bearing.masses.roller, pose, leaf)
                bearing.roller[k, j, roller] = number

    def _roller_pose(
        self, bearing: BearingPlaces, k: int, j: int, roller: int, carrier: float
    ) -> BodyPose:
        size, (x, y, turn) = bearing.size, self._cage_pose(bearing, k, j, carrier)
        radius = size.race_radius + size.roller_radius + 0.5 * size.clearance
        dx, dy = polar(radius, turn + 2 * math.pi * roller / size.count)
        spin = size.bore_radius / size.roller_radius
        return x + dx, y + dy, turn + spin * (carrier - turn)


def _with_carrier(carrier: float) -> BodyPose:
    return 0.0, 0.0, carrier
