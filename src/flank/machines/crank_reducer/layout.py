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
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from flank.machines.crank_reducer.geometry import crank_shaft, polar, ring_thickness
from flank.machines.crank_reducer.masses import Masses
from flank.machines.crank_reducer.rules import BearingDimensions, Dimensions
from flank.machines.crank_reducer.spec import CrankReducerSpec
from flank.machines.solids import MassInertia

Pose = Callable[[float], tuple[float, float, float]]
"""Pose of one body at a carrier angle θ_o."""

SIDES = 2

STATION_SHARE = 0.01
"""Mass left to the stations of a crank of beams, so that none is without any."""

NO_MASS = (0.0, 0.0)
"""Of a node: its mass lies in the beams."""


@dataclass(frozen=True)
class Place:
    """One row of the model: its name, mass, and where it stands.

    A node of beams is two of them: its position, which knows the pose of its slope, and the slope,
    which has no name of its own.
    """

    name: str
    mass: MassInertia
    pose: Pose
    leaf: bool = False
    slope: Pose | None = None


@dataclass
class Layout:
    """Numbers of the bodies by what they are."""

    spec: CrankReducerSpec
    size: Dimensions
    masses: Masses
    places: list[Place] = field(default_factory=list)

    def __post_init__(self) -> None:
        spec = self.spec
        self.driven_end = np.zeros(spec.cranks.count, dtype=int)
        self.journal = np.zeros((spec.cranks.count, SIDES), dtype=int)
        self.eccentric = np.zeros((spec.cranks.count, spec.discs.count), dtype=int)
        for k in range(spec.cranks.count):
            self._add_crank(k)
        self.arm_cage = self._add_cages("turning_arm", self.eccentric.shape)
        self.support_cage = self._add_cages("supports", self.journal.shape)
        self.web, self.rim = self._add_discs()
        self.flange = self._add_carrier()
        self.input_body = self._add(
            "sun" if spec.first_stage else "input", self.masses.input, self._at_input
        )
        self.shaft_nodes = [self._add_shaft_nodes(k) for k in range(spec.cranks.count)]
        self.ring_nodes = self._add_ring_nodes()
        self.seat_places: dict[int, tuple[float, float]] = {}
        self.arm_seat = self._add_seats("turning_arm", self.eccentric.shape)
        self.support_seat = self._add_seats("supports", self.journal.shape)
        self.arm_roller = self._add_rollers("turning_arm", self.eccentric.shape)
        self.support_roller = self._add_rollers("supports", self.journal.shape)

    @cached_property
    def phases(self) -> list[float]:
        """ψ_j, the eccentrics' angles on a crank."""
        return [2 * math.pi * j / self.spec.discs.count for j in range(self.spec.discs.count)]

    @cached_property
    def crank_angles(self) -> list[float]:
        """β_k, where the cranks stand on the carrier."""
        return [2 * math.pi * k / self.spec.cranks.count for k in range(self.spec.cranks.count)]

    @property
    def turns(self) -> float:
        """u, turns of a crank for one of the output."""
        return self.spec.crank_turns

    def stations(self, k: int) -> list[int]:
        """The bodies of crank k along its axis."""
        first, last = self.journal[k]
        along = [int(n) for n in (first, *self.eccentric[k], last)]
        return [int(self.driven_end[k]), *along] if self.masses.planet else along

    def pose(self, carrier_angle: float) -> NDArray:
        """Pose of all bodies of the rigid machine, ground first."""
        return np.array([(0.0, 0.0, 0.0), *(p.pose(carrier_angle) for p in self.places)])

    def _add(self, name: str, mass: MassInertia, pose: Pose, leaf: bool = False) -> int:
        self.places.append(Place(name, mass, pose, leaf))
        return len(self.places)

    def _at_input(self, carrier: float) -> tuple[float, float, float]:
        return 0.0, 0.0, self.spec.ratio * carrier

    def _at_crank(self, k: int) -> Pose:
        def pose(carrier: float) -> tuple[float, float, float]:
            x, y = polar(self.spec.cranks.circle_radius, self.crank_angles[k] + carrier)
            return x, y, -self.turns * carrier

        return pose

    def _at_disc(self, j: int) -> Pose:
        def pose(carrier: float) -> tuple[float, float, float]:
            angle = -self.turns * carrier + self.phases[j]
            return *polar(self.size.eccentricity, angle), -angle / self.turns

        return pose

    def _add_crank(self, k: int) -> None:
        masses, pose, name = self.masses, self._at_crank(k), f"crank {k + 1}"
        discs = range(self.spec.discs.count)
        if self.spec.cranks.shaft == "rigid":
            parts = [*[masses.journal] * SIDES, *[masses.eccentric for _ in discs]]
            if masses.planet:
                parts.insert(0, masses.planet)
            whole = sum(m for m, _ in parts), sum(i for _, i in parts)
            number = self._add(name, whole, pose)
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
        axis = self._at_crank(k)

        def at(z: float) -> Pose:
            return lambda carrier: (*axis(carrier)[:2], z)

        return [
            self._add_node(f"crank {k + 1} node {i + 1}", at(z), lambda carrier: (0.0, 0.0, 1.0))
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
                    self._on_web(j, self.wall_place(k, j, roller, radius), 1.0),
                    self._on_web(j, self._wall_tangent(j, roller), 0.0),
                )
                for roller in range(self.size.turning_arm.count)
            ]
            for k, j in np.ndindex(*self.eccentric.shape)
        }

    @cached_property
    def wall_thickness(self) -> float:
        """Of the rings around the crank holes."""
        return ring_thickness(self.spec, self.size)

    def wall_place(self, k: int, j: int, roller: int, radius: float) -> tuple[float, float]:
        """A point of a hole's wall on its disc, where a roller stands in the ideal machine."""
        x, y = self.hole("turning_arm", k, j)
        dx, dy = polar(radius, self._wall_angle(j, roller))
        return x + dx, y + dy

    def _wall_angle(self, j: int, roller: int) -> float:
        return 2 * math.pi * roller / self.size.turning_arm.count + self.phases[j] / self.turns

    def _wall_tangent(self, j: int, roller: int) -> tuple[float, float]:
        return polar(1.0, self._wall_angle(j, roller) + 0.5 * math.pi)

    def in_space(self, j: int, direction: tuple[float, float]) -> tuple[float, float]:
        """A direction of disc j in space, carrier at zero."""
        return self._on_web(j, direction, 0.0)(0.0)[:2]

    def _on_web(self, j: int, place: tuple[float, float], moves: float) -> Pose:
        """A point of a disc in space, or (`moves` zero) a direction."""
        disc = self._at_disc(j)

        def pose(carrier: float) -> tuple[float, float, float]:
            x, y, turn = disc(carrier)
            c, s = math.cos(turn), math.sin(turn)
            return (
                moves * x + c * place[0] - s * place[1],
                moves * y + s * place[0] + c * place[1],
                0.0,
            )

        return pose

    def _add_discs(self) -> tuple[list[int], list[int]]:
        web, rim = self.masses.web, self.masses.rim
        discs = range(self.spec.discs.count)
        if self.spec.discs.body == "rigid":
            whole = web[0] + rim[0], web[1] + rim[1]
            both = [self._add(f"disc {j + 1}", whole, self._at_disc(j)) for j in discs]
            return both, both
        webs = [self._add(f"disc {j + 1} web", web, self._at_disc(j)) for j in discs]
        return webs, [self._add(f"disc {j + 1} rim", rim, self._at_disc(j)) for j in discs]

    def _add_carrier(self) -> list[int]:
        def pose(carrier: float) -> tuple[float, float, float]:
            return 0.0, 0.0, carrier

        mass, inertia = self.masses.flange
        if self.spec.carrier.body == "rigid":
            return [self._add("carrier", (2 * mass, 2 * inertia), pose)] * SIDES
        return [self._add(f"flange {side + 1}", (mass, inertia), pose) for side in range(SIDES)]

    def hole(self, name: str, k: int, j: int) -> tuple[float, float]:
        """Centre of an outer race on its disc or flange; a disc's frame is turned by -ψ/u."""
        turned = self.phases[j] / self.turns if name == "turning_arm" else 0.0
        return polar(self.spec.cranks.circle_radius, self.crank_angles[k] + turned)

    def _add_seats(self, name: str, shape: tuple[int, ...]) -> NDArray:
        """Seats of the outer races; the disc or flange itself where that is rigid.

        Where rollers are leaves their seat cannot be one.
        """
        numbers = np.zeros(shape, dtype=int)
        arm = name == "turning_arm"
        _, bodies = self._bearing(name)
        elastic = (self.spec.discs if arm else self.spec.carrier).body == "elastic"
        elastic = elastic and not (arm and self.ring_nodes)
        mass = self.masses.arm_seat if arm else self.masses.support_seat
        for k, j in np.ndindex(*shape):
            owner = self.web[j] if arm else self.flange[j]
            numbers[k, j] = owner
            if elastic:
                title = f"seat of crank {k + 1}, {'disc' if arm else 'flange'} {j + 1}"
                pose = self._seat_pose(owner, self.hole(name, k, j))
                numbers[k, j] = self._add(title, mass, pose, leaf=not bodies)
                self.seat_places[int(numbers[k, j])] = self.hole(name, k, j)
        return numbers

    def _seat_pose(self, owner: int, place: tuple[float, float]) -> Pose:
        body = self.places[owner - 1].pose

        def pose(carrier: float) -> tuple[float, float, float]:
            x, y, turn = body(carrier)
            c, s = math.cos(turn), math.sin(turn)
            return x + c * place[0] - s * place[1], y + s * place[0] + c * place[1], turn

        return pose

    def _bearing(self, name: str) -> tuple[BearingDimensions, bool]:
        size = self.size.turning_arm if name == "turning_arm" else self.size.support
        return size, getattr(self.spec, name).elements == "bodies"

    def cage_pose(self, name: str, k: int, j: int) -> Pose:
        """A cage stands about its inner race and turns as rolling without slip has it."""
        size, _ = self._bearing(name)
        share, crank = size.cage_share, self._at_crank(k)

        def pose(carrier: float) -> tuple[float, float, float]:
            x, y, turn = crank(carrier)
            if name == "turning_arm":
                ex, ey = polar(self.size.eccentricity, turn + self.phases[j])
                x, y = x + ex, y + ey
            return x, y, share * turn + (1 - share) * carrier

        return pose

    def _add_cages(self, name: str, shape: tuple[int, ...]) -> NDArray:
        numbers = np.zeros(shape, dtype=int)
        _, bodies = self._bearing(name)
        if bodies:
            arm = name == "turning_arm"
            mass = self.masses.arm_cage if arm else self.masses.support_cage
            for k, j in np.ndindex(*shape):
                title = f"cage of crank {k + 1}, {'disc' if arm else 'flange'} {j + 1}"
                numbers[k, j] = self._add(title, mass, self.cage_pose(name, k, j))
        return numbers

    def _add_rollers(self, name: str, shape: tuple[int, ...]) -> NDArray:
        """Rollers as bodies on their cage's circle; they spin as rolling on both races has it."""
        size, bodies = self._bearing(name)
        numbers = np.zeros((*shape, size.count), dtype=int)
        if not bodies:
            return numbers
        arm = name == "turning_arm"
        mass = self.masses.arm_roller if arm else self.masses.support_roller
        for k, j, roller in np.ndindex(*numbers.shape):
            title = f"{'arm' if arm else 'support'} roller {k + 1}/{j + 1}/{roller + 1}"
            pose = self._roller_pose(name, k, j, roller)
            numbers[k, j, roller] = self._add(title, mass, pose, leaf=True)
        return numbers

    def _roller_pose(self, name: str, k: int, j: int, roller: int) -> Pose:
        size, _ = self._bearing(name)
        cage = self.cage_pose(name, k, j)
        angle = 2 * math.pi * roller / size.count
        radius = size.race_radius + size.roller_radius + 0.5 * size.clearance
        spin = size.bore_radius / size.roller_radius

        def pose(carrier: float) -> tuple[float, float, float]:
            x, y, turn = cage(carrier)
            dx, dy = polar(radius, turn + angle)
            return x + dx, y + dy, turn + spin * (carrier - turn)

        return pose
