"""The cycloidal drive: discs on an eccentric roll inside a ring of pins and turn the output.

Bodies: input shaft with its eccentrics, discs, carrier with the output rollers (unless the disc is
the output), and the pins where they roll. With the crank at θ, disc j stands at e at the angle
α_j = θ + ψ_j (ψ = 0, π) and is turned by -α_j/z_c; the carrier is turned by -θ/z_c.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from flank.contact import (
    Disc,
    Surface,
    circle_in_hole,
    circle_on_curve,
    needle_between,
)
from flank.dynamics.builder import ModelBuilder
from flank.dynamics.tables import GROUND
from flank.elasticity.line_contact import Cylinder, DeepBody
from flank.elasticity.material import contact_modulus, tangential_ratio
from flank.errors import SpecError
from flank.geometry.curve import ClosedSpline, Cycloid, Polyline, Shape, reach
from flank.geometry.findings import (
    Finding,
    check_clearance,
    check_cycloid,
    check_measured,
    check_pin_ring,
    smallest_clearance,
)
from flank.geometry.pin_clearance import PinRing, tightest_pin
from flank.geometry.resampling import equal_arc_length_points
from flank.geometry.spline import read_points
from flank.machines.base import Assembly, Drive, ErrorParameter, LinePressure
from flank.machines.contact_laws import friction_law, needle_law, pair_law
from flank.machines.cycloidal.errors import cycloidal_errors, with_error
from flank.machines.cycloidal.masses import DriveMasses, drive_masses
from flank.machines.cycloidal.outlines import drive_outlines
from flank.machines.cycloidal.spec import CycloidalDriveSpec
from flank.machines.outlines import Outline
from flank.machines.registry import short_text, title_of

INPUT = 1
"""Body number of the input shaft; discs follow, then the carrier, then rolling pins."""


@dataclass(frozen=True, repr=False)
class CycloidalDrive:
    """A checked spec, made into models on demand."""

    spec: CycloidalDriveSpec

    def __post_init__(self) -> None:
        problems = [f for f in self.findings() if f.severity == "error"]
        if problems:
            raise SpecError([f"{_key_of(f.code)}: {f.message}; {f.remedy}" for f in problems])

    @property
    def title(self) -> str:
        return title_of(self.spec.to_mapping(units=False))

    def __repr__(self) -> str:
        return short_text(self)

    @property
    def lobes(self) -> int:
        return self.spec.lobe_count

    @property
    def ratio(self) -> float:
        return -float(self.lobes)

    @property
    def rated_torque(self) -> float:
        return self.spec.rated_torque

    @property
    def load_torque(self) -> float:
        return self.spec.operation.torque

    @property
    def input_speed(self) -> float:
        return self.spec.operation.input_speed

    @property
    def output_inertia(self) -> float:
        carrier = 0.0 if self.output_is_disc else self.masses.carrier[1]
        return carrier + self.spec.discs.count * self.masses.disc[1]

    @property
    def orders(self) -> dict[str, float]:
        rollers = self.spec.output.rollers
        return {
            "output": 1 / self.lobes,
            "input": 1.0,
            "disc pair": float(self.spec.discs.count),
            **({"roller": float(rollers.count)} if rollers else {}),
            "pin": float(self.spec.pins.count),
        }

    @property
    def output_is_disc(self) -> bool:
        return self.spec.output.kind == "disc"

    @property
    def output_body(self) -> int:
        return INPUT + 1 if self.output_is_disc else INPUT + 1 + self.spec.discs.count

    @cached_property
    def profile(self) -> Cycloid:
        """The profile as generated; a measured one replaces it only in contact."""
        spec = self.spec
        return Cycloid(
            spec.pins.count,
            spec.generating_circle_radius,
            spec.generating_pin_radius,
            spec.eccentricity,
            spec.discs.equidistant,
            spec.discs.radial,
            spec.discs.angular,
        )

    @cached_property
    def shape(self) -> Shape:
        """The flank as contact sees it."""
        discs = self.spec.discs
        if discs.profile == "polyline":
            count = self.spec.segments_per_lobe * self.lobes
            return Polyline(equal_arc_length_points(self.profile, count))
        if discs.profile == "measured":
            return ClosedSpline(self._measured_points)
        return self.profile

    @cached_property
    def _measured_points(self) -> NDArray:
        return _measured(str(self.spec.discs.points_file))

    @cached_property
    def masses(self) -> DriveMasses:
        return drive_masses(self.spec)

    @property
    def contact_depth(self) -> float:
        """Depth to which the flank's compression is counted: the wall behind the flank's root."""
        rollers = self.spec.output.rollers
        hole = rollers.circle_radius + self.spec.roller_hole_radius if rollers else 0.0
        wall = self.spec.root_radius - max(hole, self.spec.discs.bore_radius)
        return self.spec.discs.contact_depth or wall

    @property
    def phases(self) -> list[float]:
        """ψ_j, the eccentrics' angles on the shaft."""
        count = self.spec.discs.count
        return [2 * math.pi * j / count for j in range(count)]

    @property
    def deviates(self) -> bool:
        pins = self.spec.pins
        return any((pins.radius_errors, pins.radial_errors, pins.tangential_errors))

    def findings(self) -> tuple[Finding, ...]:
        return self._findings

    @cached_property
    def _findings(self) -> tuple[Finding, ...]:
        pins = self.spec.pins
        found = [*check_cycloid(self.profile)]
        found += check_pin_ring(pins.count, pins.circle_radius, pins.radius)
        measured = self.spec.discs.profile == "measured"
        if self.profile.shortening < 1 and not measured:
            found += self._check_pins()
        if measured:
            found += check_measured(self._measured_points, self.profile)
        return tuple(found)

    def _check_pins(self) -> Iterator[Finding]:
        """Whether the disc has room among the pins as they are."""
        pins = self.spec.pins
        play = (pins.groove_radius or pins.radius) - pins.radius
        if not self.deviates:
            clearance = smallest_clearance(self.profile, pins.circle_radius, pins.radius, play)
            return check_clearance(clearance, pins.radius)
        outward, along = (
            _spread(errors, pins.count) for errors in (pins.radial_errors, pins.tangential_errors)
        )
        ring = PinRing(pins.circle_radius, self.pin_radii(), outward, along)
        clearance, pin = tightest_pin(self.profile, ring, play)
        return check_clearance(clearance, pins.radius, f"pin {pin}")

    def error_parameters(self) -> tuple[ErrorParameter, ...]:
        return tuple(cycloidal_errors(self.spec))

    def with_error(self, name: str, value: float) -> "CycloidalDrive":
        return CycloidalDrive(with_error(self.spec, name, value))

    def pin_radii(self) -> NDArray:
        pins = self.spec.pins
        return pins.radius + _spread(pins.radius_errors, pins.count)

    def pin_positions(self) -> NDArray:
        """Centres (n, 2) of the pins with their errors."""
        pins = self.spec.pins
        angle = 2 * math.pi * np.arange(pins.count) / pins.count
        radial = pins.circle_radius + _spread(pins.radial_errors, pins.count)
        tangential = _spread(pins.tangential_errors, pins.count)
        outward = np.column_stack((np.cos(angle), np.sin(angle)))
        along = np.column_stack((-np.sin(angle), np.cos(angle)))
        return radial[:, None] * outward + tangential[:, None] * along

    def outlines(self) -> list[Outline]:
        return drive_outlines(self)

    def ideal_pose(self, input_angle: float) -> NDArray:
        rows = [(0.0, 0.0, 0.0), (0.0, 0.0, input_angle)]
        for phase in self.phases:
            angle = input_angle + phase
            centre = self.spec.eccentricity * np.array([math.cos(angle), math.sin(angle)])
            rows.append((centre[0], centre[1], -angle / self.lobes))
        if not self.output_is_disc:
            rows.append((0.0, 0.0, -input_angle / self.lobes))
        if self.spec.pins.mounting == "rolling":
            rows += [(x, y, 0.0) for x, y in self.pin_positions()]
        return np.array(rows)

    def assemble(self, drive: Drive) -> Assembly:
        builder = ModelBuilder(self.spec.pins.circle_radius)
        discs = self._add_bodies(builder)
        shafts = drive.turn(builder, {"input": INPUT, "output": self.output_body})
        self._add_pins(builder, discs)
        if not self.output_is_disc:
            self._add_rollers(builder, discs)
        if self.spec.eccentric.bearing == "needles":
            self._add_needles(builder, discs)
        if self.spec.pins.mounting == "rolling":
            self._add_grooves(builder)
        return Assembly.of(builder, self.ideal_pose(0.0), shafts)

    def _add_bodies(self, builder: ModelBuilder) -> list[int]:
        masses = self.masses
        builder.body("input", *masses.shaft)
        builder.revolute(GROUND, INPUT)
        discs = [builder.body(f"disc {j + 1}", *masses.disc) for j in range(len(self.phases))]
        if self.spec.eccentric.bearing == "rigid":
            for disc, phase in zip(discs, self.phases, strict=True):
                builder.revolute(INPUT, disc, self._eccentric(phase))
        if not self.output_is_disc:
            builder.body("carrier", *masses.carrier)
            builder.revolute(GROUND, self.output_body)
        if self.spec.pins.mounting == "rolling":
            for k in range(self.spec.pins.count):
                builder.body(f"pin {k + 1}", *masses.pin, leaf=True)
        return discs

    def _eccentric(self, phase: float) -> tuple[float, float]:
        e = self.spec.eccentricity
        return e * math.cos(phase), e * math.sin(phase)

    def _add_pins(self, builder: ModelBuilder, discs: list[int]) -> None:
        """One contact for each disc and pin."""
        spec, pins = self.spec, self.spec.pins
        disc_material = spec.material(spec.discs.material).elastic
        pin_material = spec.material(pins.material).elastic
        radii = self.pin_radii()
        curve = builder.curve(self.shape)
        reaches = {radius: reach(self.shape, radius) for radius in set(radii.tolist())}
        ratio = tangential_ratio(disc_material, pin_material)
        friction = friction_law(spec.friction, spec.friction.pins, ratio)
        first_pin = len(builder.names) - pins.count
        sizes = {"disc": len(discs), "pin": pins.count}
        pressure = LinePressure(spec.discs.width, contact_modulus(disc_material, pin_material))
        with builder.part("pin", "pins", sizes, pressure):
            for disc in discs:
                for k, ((x, y), radius) in enumerate(zip(self.pin_positions(), radii, strict=True)):
                    circle = Disc(GROUND, x, y, radius)
                    if pins.mounting == "rolling":
                        circle = Disc(first_pin + k, 0.0, 0.0, radius)
                    law = pair_law(
                        spec.contact,
                        DeepBody(self.contact_depth, disc_material),
                        Cylinder(radius, pin_material),
                        spec.discs.width,
                    )
                    surface = Surface(law, spec.contact.damping, friction)
                    row = circle_on_curve(disc, curve, self.shape, circle, surface, reaches[radius])
                    builder.contact(row)

    def _add_rollers(self, builder: ModelBuilder, discs: list[int]) -> None:
        """Output rollers on the carrier in the holes of each disc."""
        spec, rollers = self.spec, self.spec.output.rollers
        assert rollers is not None
        disc_material = spec.material(spec.discs.material).elastic
        roller_material = spec.material(rollers.material).elastic
        hole_radius = spec.roller_hole_radius
        law = pair_law(
            spec.contact,
            Cylinder(hole_radius, disc_material),
            Cylinder(rollers.radius, roller_material),
            spec.roller_length,
        )
        ratio = tangential_ratio(disc_material, roller_material)
        friction = friction_law(spec.friction, spec.friction.rollers, ratio)
        surface = Surface(law, spec.contact.damping, friction)
        sizes = {"disc": len(discs), "roller": rollers.count}
        modulus = contact_modulus(disc_material, roller_material)
        pressure = LinePressure(spec.roller_length, modulus)
        with builder.part("roller", "output rollers", sizes, pressure):
            for disc, phase in zip(discs, self.phases, strict=True):
                for k in range(rollers.count):
                    angle = 2 * math.pi * k / rollers.count
                    on_disc = angle + phase / self.lobes  # the disc's frame is turned by -ψ/z_c
                    hole = Disc(disc, *_polar(rollers.circle_radius, on_disc), hole_radius)
                    circle = Disc(
                        self.output_body, *_polar(rollers.circle_radius, angle), rollers.radius
                    )
                    builder.contact(circle_in_hole(hole, circle, surface))

    def _add_needles(self, builder: ModelBuilder, discs: list[int]) -> None:
        """Needles between each eccentric and the bore of its disc."""
        spec, needles = self.spec, self.spec.eccentric.needles
        assert needles is not None
        material = spec.material(needles.material).elastic
        disc_material = spec.material(spec.discs.material).elastic
        law = needle_law(
            spec.contact,
            Cylinder(spec.eccentric_radius, material),
            Cylinder(needles.radius, material),
            Cylinder(spec.discs.bore_radius, disc_material),
            needles.length,
        )
        sizes = {"disc": len(discs), "needle": needles.count}
        with builder.part("needle", "needles", sizes):
            for disc, phase in zip(discs, self.phases, strict=True):
                inner = Disc(INPUT, *self._eccentric(phase), spec.eccentric_radius)
                outer = Disc(disc, 0.0, 0.0, spec.discs.bore_radius)
                for k in range(needles.count):
                    angle = 2 * math.pi * k / needles.count
                    builder.contact(
                        needle_between(
                            inner, outer, angle, needles.clearance, law, spec.contact.damping
                        )
                    )

    def _add_grooves(self, builder: ModelBuilder) -> None:
        """Rolling pins in their grooves, taken as round holes of the housing."""
        spec, pins = self.spec, self.spec.pins
        assert pins.groove_radius is not None
        material = spec.material(pins.material).elastic
        ratio = tangential_ratio(material, material)
        friction = friction_law(spec.friction, spec.friction.grooves, ratio)
        first_pin = len(builder.names) - pins.count
        radii = self.pin_radii()
        pressure = LinePressure(spec.pin_length, contact_modulus(material, material))
        with builder.part("groove", "pins in their grooves", {"pin": pins.count}, pressure):
            for k, ((x, y), radius) in enumerate(zip(self.pin_positions(), radii, strict=True)):
                law = pair_law(
                    spec.contact,
                    Cylinder(pins.groove_radius, material),
                    Cylinder(radius, material),
                    spec.pin_length,
                )
                groove = Disc(GROUND, x, y, pins.groove_radius)
                surface = Surface(law, spec.contact.damping, friction)
                builder.contact(
                    circle_in_hole(groove, Disc(first_pin + k, 0.0, 0.0, radius), surface)
                )


def _polar(radius: float, angle: float) -> tuple[float, float]:
    return radius * math.cos(angle), radius * math.sin(angle)


def _spread(errors: dict[int, float], count: int) -> NDArray:
    values = np.zeros(count)
    for index, value in errors.items():
        values[index] = value
    return values


def _measured(path: str) -> NDArray:
    try:
        return read_points(path)
    except (OSError, ValueError) as error:
        raise SpecError(f"discs.points_file: {error}") from error


def _key_of(code: str) -> str:
    """The spec's key that a finding is about."""
    keys = {
        "undercut": "pins.radius",
        "pins-overlap": "pins.radius",
        "eccentricity-too-large": "eccentricity",
        "negative-clearance": "discs.equidistant",
        "few-points": "discs.points_file",
        "points-out-of-order": "discs.points_file",
        "far-from-nominal": "discs.points_file",
    }
    return keys[code]
