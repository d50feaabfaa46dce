"""Reducers whose cycloid discs roll in a ring of pins: flanks, places, clearance and contacts.

A pin is fixed in the housing, or loose in a groove, where it rolls or floats; then it is a body.
"""

import math
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np

from flank.arrays import Floats
from flank.contact import Disc, Friction, Surface, circle_in_hole, circle_on_curve
from flank.dynamics.builder import ElasticCircle, ModelBuilder
from flank.dynamics.tables import GROUND
from flank.elasticity.line_contact import Cylinder, DeepBody
from flank.elasticity.material import Material, contact_modulus
from flank.geometry.curve import Shape, equal_arc_length_points, reach
from flank.geometry.cycloid import Cycloid
from flank.geometry.findings import (
    Finding,
    check_clearance,
    check_cycloid,
    check_measured,
    check_pin_ring,
    smallest_clearance,
)
from flank.geometry.pin_clearance import PinRing, Removed, Tightest, removed_from, tightest_pin
from flank.geometry.polyline import Polyline
from flank.geometry.spline import ClosedSpline
from flank.machines.base import DataTable, LinePressure, LobeMesh
from flank.machines.contact_laws import damping_law, pair_law, softened
from flank.machines.error_kinds import Values
from flank.machines.flank_profile import MODIFICATIONS
from flank.machines.machine import RatedMachine
from flank.machines.measured.pins import MeasuredPins
from flank.machines.measured.points import (
    MeasuredFlank,
    explained,
    fit_findings,
    laid,
    of_cycloid,
    read_measured,
    sharp,
    unlike,
)
from flank.machines.measured.tables import flank_tables, pin_tables
from flank.machines.outlines import Outline, pin_outlines
from flank.machines.pin_spec import CIRCLE_KINDS, PinReducerSpec, PinRingSpec
from flank.machines.plates import Plate, pin_plates, round_edge
from flank.texts import um

FIRST_ORDER = 1e-7
"""m: interference of a measured flank below which formulas of first order tell nothing."""


@dataclass(frozen=True)
class Pins:
    """The pins as they are made."""

    spec: PinRingSpec
    errors: Values
    measured: MeasuredPins | None = None

    @cached_property
    def radii(self) -> Floats:
        return self.spec.radius + self.errors["pin_radius"]

    @cached_property
    def angles(self) -> Floats:
        return np.asarray(2 * math.pi * np.arange(self.spec.count) / self.spec.count)

    @cached_property
    def radial(self) -> Floats:
        """How far each pin is off outward: by itself, and by its circle's place and ovality."""
        x, y, oval, diagonal = (self.errors[kind] for kind in CIRCLE_KINDS)
        angle = self.angles
        circle = x * np.cos(angle) + y * np.sin(angle)
        circle = circle + oval * np.cos(2 * angle) + diagonal * np.sin(2 * angle)
        return np.asarray(self.errors["pin_radial"] + circle)

    @cached_property
    def tangential(self) -> Floats:
        """The same along the circle."""
        x, y = (self.errors[kind] for kind in CIRCLE_KINDS[:2])
        circle = y * np.cos(self.angles) - x * np.sin(self.angles)
        return np.asarray(self.errors["pin_tangential"] + circle)

    @cached_property
    def centres(self) -> Floats:
        """(n, 2)."""
        outward = np.column_stack((np.cos(self.angles), np.sin(self.angles)))
        tangent = np.column_stack((-np.sin(self.angles), np.cos(self.angles)))
        radial = self.spec.circle_radius + self.radial
        return np.asarray(radial[:, None] * outward + self.tangential[:, None] * tangent)

    @cached_property
    def groove_radii(self) -> Floats:
        """Of loose pins."""
        assert self.spec.groove_radius is not None  # the spec refuses loose pins without it
        errors = self.errors.get("groove_radius", np.zeros(self.spec.count))
        return self.spec.groove_radius + errors

    @property
    def play(self) -> Floats:
        """How far each pin may move in its groove, about the middle."""
        return self.groove_radii - self.radii if self.spec.loose else np.zeros(self.spec.count)

    def findings(self) -> Iterator[Finding]:
        """Whether pins leave room between them and fit into their grooves, and how they were laid
        there."""
        spec = self.spec
        if self.measured is not None:
            yield from self.measured.findings()
        yield from check_pin_ring(spec.count, spec.circle_radius, spec.radius)
        pin = int(np.argmin(self.play))
        if spec.loose and self.play[pin] <= 0:
            yield Finding(
                "tight-groove",
                "error",
                f"pin {pin + 1} with its errors is {um(-self.play[pin], 3)} too large for "
                "its groove",
                float(self.play[pin]),
                0.0,
                "m",
                "give smaller errors, or larger grooves",
            )

    @property
    def ring(self) -> PinRing:
        """As the geometry knows it."""
        return PinRing(self.spec.circle_radius, self.radii, self.radial, self.tangential)

    def clearance(
        self, profile: Cycloid, eccentricity_error: float, deviate: bool, removed: Removed | None
    ) -> Tightest:
        """Of a disc, and the pin where it is least."""
        if deviate or removed is not None:
            return tightest_pin(profile, self.ring, self.play, eccentricity_error, removed)
        spec, play = self.spec, float(self.play[0])
        return Tightest(smallest_clearance(profile, spec.circle_radius, spec.radius, play), 0)


@dataclass(frozen=True, repr=False)
class PinReducer(RatedMachine):
    """A reducer whose cycloid discs roll in a ring of pins."""

    spec: PinReducerSpec

    @property
    @abstractmethod
    def contact_depth(self) -> float:
        """Depth to which the flank's compression is counted."""

    @property
    @abstractmethod
    def disc_width(self) -> float: ...

    @property
    def lobes(self) -> int:
        return self.spec.lobe_count

    def lobe_mesh(self) -> LobeMesh:
        """With the largest pin force of equally stiff pins, F = 4 T/(e z_c z_p), T a disc's part
        of the rated torque."""
        spec, profile = self.spec, self.profile
        torque = self.rated_torque / spec.discs.count
        return LobeMesh(
            profile,
            spec.pins.radius,
            (spec.elastic(spec.discs.material), spec.elastic(spec.pins.material)),
            self.disc_width,
            self.contact_depth,
            4 * torque / (profile.eccentricity * profile.lobes * profile.pins),
        )

    @cached_property
    def pins(self) -> Pins:
        return Pins(self.spec.pins, self.errors, self.spec.measured_pins)

    @cached_property
    def profile(self) -> Cycloid:
        """The flank as generated, modified, without errors; a measured one replaces it only in
        contact."""
        spec = self.spec
        return Cycloid(
            spec.pins.count,
            spec.generating_circle_radius,
            spec.generating_pin_radius,
            spec.eccentricity,
            *(getattr(spec.discs, modification, 0.0) for modification in MODIFICATIONS),
        )

    def disc_profile(self, disc: int) -> Cycloid:
        """The flank of one disc as generated with its errors."""
        errors = {
            kind: float(self.errors[kind][disc]) for kind in MODIFICATIONS if kind in self.errors
        }
        if not any(errors.values()):
            return self.profile
        more = {kind: getattr(self.profile, kind) + error for kind, error in errors.items()}
        return replace(self.profile, **more)

    def flank(self, disc: int) -> Shape:
        """The flank of one disc as contact sees it."""
        return self.shape_of(self.disc_profile(disc), disc)

    def shape_of(self, profile: Cycloid, disc: int) -> Shape:
        """A generated profile in the form that the spec asks for; points replace it."""
        discs = self.spec.discs
        if discs.profile == "polyline":
            return _polyline(profile, self.spec.segments_per_lobe)
        if (points := self._points(disc)) is not None:
            return ClosedSpline(points)
        return profile

    def _points(self, disc: int) -> Floats | None:
        """Measured points of one disc, None where it is not measured."""
        discs = self.spec.discs
        return self._measured[discs.points_of(disc)].points if discs.measured else None

    @cached_property
    def _measured(self) -> dict[str, MeasuredFlank]:
        """Points by the name of their file."""
        discs, target = self.spec.discs, of_cycloid(self.profile)
        files = dict.fromkeys(map(discs.points_of, range(discs.count)))
        return {
            file: laid(file, read_measured(file, discs.points_unit), target, discs.laying)
            for file in files
        }

    def measured_flanks(self) -> tuple[MeasuredFlank, ...]:
        """Of every disc, none where discs are not measured."""
        discs = self.spec.discs
        if not discs.measured:
            return ()
        return tuple(self._measured[discs.points_of(disc)] for disc in range(discs.count))

    def measured_pin_errors(self) -> Mapping[str, Floats]:
        measured = self.spec.measured_pins
        return measured.errors if measured else {}

    def measured_data(self) -> list[DataTable]:
        return [*flank_tables(self.measured_flanks()), *pin_tables(self.spec.measured_pins)]

    def disc_findings(
        self, kinds: Iterable[str], eccentricity: Iterable[float]
    ) -> Iterator[Finding]:
        """Whether the flanks exist and find room among the pins as they are.

        `kinds` of errors bear on that; `eccentricity` has the error of every disc's.
        """
        deviate = any(np.any(self.errors.get(kind, 0.0)) for kind in kinds)
        first: dict[tuple[Cycloid, str, float], int] = {}
        for j, error in enumerate(eccentricity):
            first.setdefault((self.disc_profile(j), self.spec.discs.points_of(j), float(error)), j)
        for (profile, _, error), j in first.items():
            doubts = list(self._doubts(j, profile))
            yield from doubts
            if all(doubt.severity != "error" for doubt in doubts):
                worst = f"disc {j + 1} and " if len(first) > 1 else ""
                yield from self._room(profile, error, self._points(j), deviate, worst)

    def _doubts(self, disc: int, profile: Cycloid) -> Iterator[Finding]:
        """About the measured points of one disc."""
        discs = self.spec.discs
        if not discs.measured:
            return
        flank, target = self._measured[discs.points_of(disc)], of_cycloid(self.profile)
        words = f"disc {disc + 1}: " if discs.own_points else ""
        doubts = [*unlike(flank, target, words)] or [
            explained(doubt, flank, words) for doubt in check_measured(flank.points, profile)
        ]
        yield from doubts or sharp(flank, words)
        yield from fit_findings(flank, f"{words}the points")

    def _room(
        self, profile: Cycloid, error: float, points: Floats | None, deviate: bool, disc: str
    ) -> Iterator[Finding]:
        """Of one disc, its eccentric off by `error`; that of a measured flank is doubtful at
        worst, as points have noise."""
        yield from check_cycloid(profile)
        if profile.shortening >= 1:
            return
        removed = None if points is None else removed_from(points, profile)
        clearance, pin = self.pins.clearance(profile, error, deviate, removed)
        if points is not None and clearance > -FIRST_ORDER:
            return
        worst = f"{disc}pin {pin + 1}" if deviate else ""
        for finding in check_clearance(clearance, self.spec.pins.radius, worst):
            doubtful = replace(finding, severity="warning", limit=0.0)
            yield finding if points is None else doubtful

    def pin_plates(self, bodies: Sequence[int], bottom: float, top: float) -> list[Plate]:
        """The pins with their errors, with the bodies of loose ones."""
        pins = self.pins
        if not bodies:
            return [*pin_plates("pin", GROUND, pins.centres, pins.radii, bottom, top)]
        return [
            Plate(f"pin {k + 1}", "pin", body, round_edge(float(radius)), bottom, top)
            for k, (body, radius) in enumerate(zip(bodies, pins.radii, strict=True))
        ]

    def pin_outlines(self, bodies: Sequence[int]) -> list[Outline]:
        """The pins, with the bodies of loose ones."""
        pins = self.pins
        return pin_outlines(self.spec.pins.circle_radius, pins.centres, pins.radii, bodies)


@lru_cache(maxsize=8)
def _polyline(profile: Cycloid, segments_per_lobe: int) -> Polyline:
    """Once for all discs that are alike."""
    return Polyline(equal_arc_length_points(profile, segments_per_lobe * profile.lobes))


@dataclass(frozen=True)
class PinMesh:
    """Puts the pins of a reducer and the discs that roll among them into a model."""

    machine: PinReducer
    builder: ModelBuilder
    bodies: Sequence[int]  # of loose pins, none if they are fixed
    discs: Sequence[int]
    width: float  # of a disc
    groove_length: float
    housing: int = GROUND
    rims: Sequence[ElasticCircle] = ()  # of discs that bend
    ring: ElasticCircle | None = None  # that holds the pins, where it gives way

    @property
    def materials(self) -> tuple[Material, Material]:
        """Of discs and pins."""
        spec = self.machine.spec
        return spec.elastic(spec.discs.material), spec.elastic(spec.pins.material)

    def add_pins(self, friction: Friction) -> None:
        """One contact for each disc and pin."""
        sizes = {"disc": len(self.discs), "pin": self.machine.spec.pins.count}
        pressure = LinePressure(self.width, contact_modulus(*self.materials))
        with self.builder.part("pin", "pins", sizes, pressure):
            for j, disc in enumerate(self.discs):
                rim = self.rims[j] if self.rims else None
                self._add_disc(disc, self.machine.flank(j), friction, rim)

    def _add_disc(
        self, disc: int, flank: Shape, friction: Friction, rim: ElasticCircle | None
    ) -> None:
        contact, (disc_material, pin_material) = self.machine.spec.contact, self.materials
        body = DeepBody(self.machine.contact_depth, disc_material)
        curve = self.builder.curve(flank)
        concave = reach(flank, 0.0)  # once for all pins: its search along the flank takes long
        for circle in self._circles():
            law = pair_law(contact, body, Cylinder(circle.radius, pin_material), self.width)
            law = softened(law, self.machine.spec.seat_compliance)
            surface = Surface(law, damping_law(contact), friction)
            row = circle_on_curve(disc, curve, flank, circle, surface, concave - circle.radius)
            self.builder.contact(row, rim, None if self.bodies else self.ring)

    def add_grooves(self, friction: Friction) -> None:
        """Loose pins in their grooves, taken as round holes of the housing."""
        if not self.bodies:
            return
        spec, pins, material = self.machine.spec, self.machine.pins, self.materials[1]
        contact, around = spec.contact, spec.elastic(spec.groove_material)
        pressure = LinePressure(self.groove_length, contact_modulus(around, material))
        sizes = {"pin": pins.spec.count}
        with self.builder.part("groove", "pins in their grooves", sizes, pressure):
            for circle, (x, y), radius in zip(
                self._circles(), pins.centres, pins.groove_radii.tolist(), strict=True
            ):
                cylinders = Cylinder(radius, around), Cylinder(circle.radius, material)
                law = pair_law(contact, *cylinders, self.groove_length)
                surface = Surface(law, damping_law(contact), friction)
                groove = Disc(self.housing, x, y, radius)
                self.builder.contact(circle_in_hole(groove, circle, surface), ring=self.ring)

    def _circles(self) -> list[Disc]:
        pins = self.machine.pins
        radii = pins.radii.tolist()
        if self.bodies:
            return [Disc(b, 0.0, 0.0, r) for b, r in zip(self.bodies, radii, strict=True)]
        at = zip(pins.centres, radii, strict=True)
        return [Disc(self.housing, x, y, r) for (x, y), r in at]
