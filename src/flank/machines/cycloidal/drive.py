"""The cycloidal drive: discs on an eccentric roll inside a ring of pins and turn the output.

Bodies: input shaft with its eccentrics, discs, carrier with the output rollers (unless the disc is
the output), and the pins where they roll. With the crank at θ, disc j stands at e at the angle
α_j = θ + ψ_j (ψ = 0, π) and is turned by -α_j/z_c; the carrier is turned by -θ/z_c.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from flank.contact import Disc, Surface, circle_in_hole, needle_between
from flank.dynamics.builder import ModelBuilder
from flank.dynamics.tables import GROUND
from flank.elasticity.line_contact import Cylinder
from flank.elasticity.material import contact_modulus, tangential_ratio
from flank.errors import SpecError
from flank.geometry.curve import ClosedSpline, Cycloid, Polyline, Shape
from flank.geometry.findings import Finding, check_measured
from flank.geometry.resampling import equal_arc_length_points
from flank.geometry.spline import read_points
from flank.machines.base import Assembly, Drive, LinePressure
from flank.machines.contact_laws import friction_law, needle_law, pair_law
from flank.machines.crank_reducer.geometry import off_circle, polar
from flank.machines.cycloidal.masses import DriveMasses, drive_masses
from flank.machines.cycloidal.outlines import drive_outlines
from flank.machines.cycloidal.spec import PROFILE_KINDS, CycloidalDriveSpec
from flank.machines.machine import SpecifiedMachine
from flank.machines.orders import CAGE, PINS, Orders
from flank.machines.outlines import Outline
from flank.machines.pin_spec import PIN_KINDS
from flank.machines.pins import PinMesh, Pins

INPUT = 1
"""Body number of the input shaft; discs follow, then the carrier, then rolling pins."""

KEYS = {
    "undercut": "pins.radius",
    "pins-overlap": "pins.radius",
    "tight-groove": "pins.groove_radius",
    "eccentricity-too-large": "eccentricity",
    "eccentricity-large": "eccentricity",
    "negative-clearance": "discs.equidistant",
    "few-points": "discs.points_file",
    "points-out-of-order": "discs.points_file",
    "far-from-nominal": "discs.points_file",
}
"""Of the spec, by finding."""


@dataclass(frozen=True, repr=False)
class CycloidalDrive(SpecifiedMachine):
    """A checked spec, made into models on demand; `extra` errors come on top of the spec's."""

    spec: CycloidalDriveSpec

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
        return INPUT + 1 if self.output_is_disc else INPUT + 1 + self.spec.discs.count

    @cached_property
    def profile(self) -> Cycloid:
        """The profile as generated without errors; a measured one replaces it only in contact."""
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

    def disc_profile(self, disc: int) -> Cycloid:
        """The profile of one disc with its errors."""
        given = {kind: self.errors[kind][disc] for kind in PROFILE_KINDS if kind in self.errors}
        if not any(given.values()):
            return self.profile
        more = {kind: getattr(self.profile, kind) + error for kind, error in given.items()}
        return replace(self.profile, **more)

    @cached_property
    def shape(self) -> Shape:
        """The flank without errors as contact sees it."""
        return self._shape_of(self.profile)

    def flank(self, disc: int) -> Shape:
        """The flank of one disc as contact sees it."""
        profile = self.disc_profile(disc)
        return self.shape if profile is self.profile else self._shape_of(profile)

    def _shape_of(self, profile: Cycloid) -> Shape:
        discs = self.spec.discs
        if discs.profile == "polyline":
            count = self.spec.segments_per_lobe * self.lobes
            return Polyline(equal_arc_length_points(profile, count))
        if discs.profile == "measured":
            return ClosedSpline(self._measured_points)
        return profile

    @cached_property
    def _measured_points(self) -> NDArray[np.float64]:
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

    @cached_property
    def pins(self) -> Pins:
        return Pins(self.spec.pins, self.errors)

    def pin_positions(self) -> NDArray[np.float64]:
        """Centres (n, 2) of the pins with their errors."""
        return self.pins.centres

    def keyed_findings(self) -> Iterable[tuple[str, Finding]]:
        for finding in (*self.pins.findings(), *self._disc_findings()):
            yield KEYS[finding.code], finding

    def _disc_findings(self) -> Iterable[Finding]:
        """Of the flanks, and whether they find room among the pins as they are."""
        points = self._measured_points if self.spec.discs.profile == "measured" else None
        if points is not None:
            doubts = list(check_measured(points, self.profile))
            yield from doubts
            if doubts:
                return
        kinds = (*PIN_KINDS, *PROFILE_KINDS, "groove_radius", "eccentricity")
        deviate = any(np.any(self.errors.get(kind, 0.0)) for kind in kinds)
        eccentricity = self.errors["eccentricity"]
        discs = [(self.disc_profile(j), float(error)) for j, error in enumerate(eccentricity)]
        yield from self.pins.disc_findings(discs, deviate, points)

    def outlines(self) -> list[Outline]:
        return drive_outlines(self)

    def ideal_pose(self, input_angle: float) -> NDArray:
        rows = [(0.0, 0.0, 0.0), (0.0, 0.0, input_angle)]
        for j in range(self.spec.discs.count):
            throw, phase = self._throw(j)
            turned = -(input_angle + self.phases[j]) / self.lobes
            rows.append((*polar(throw, input_angle + phase), turned))
        if not self.output_is_disc:
            rows.append((0.0, 0.0, -input_angle / self.lobes))
        if self.spec.pins.loose:
            rows += [(x, y, 0.0) for x, y in self.pin_positions()]
        return np.array(rows)

    def assemble(self, drive: Drive) -> Assembly:
        builder = ModelBuilder(self.spec.pins.circle_radius)
        discs = self._add_bodies(builder)
        shafts = drive.turn(builder, {"input": INPUT, "output": self.output_body})
        pins = self._pin_mesh(builder, discs)
        pins.add_pins(builder)
        if not self.output_is_disc:
            self._add_rollers(builder, discs)
        if self.spec.eccentric.bearing == "needles":
            self._add_needles(builder, discs)
        pins.add_grooves(builder)
        return Assembly.of(builder, self.ideal_pose(0.0), shafts)

    def _add_bodies(self, builder: ModelBuilder) -> list[int]:
        masses = self.masses
        builder.body("input", *masses.shaft)
        builder.revolute(GROUND, INPUT)
        discs = [builder.body(f"disc {j + 1}", *masses.disc) for j in range(len(self.phases))]
        if self.spec.eccentric.bearing == "rigid":
            for j, disc in enumerate(discs):
                builder.revolute(INPUT, disc, polar(*self._throw(j)))
        if not self.output_is_disc:
            builder.body("carrier", *masses.carrier)
            builder.revolute(GROUND, self.output_body)
        if self.spec.pins.loose:
            for k in range(self.spec.pins.count):
                builder.body(f"pin {k + 1}", *masses.pin, leaf=True)
        return discs

    def _throw(self, disc: int) -> tuple[float, float]:
        """Eccentricity and phase of a disc's eccentric on the shaft."""
        errors = self.errors
        throw = self.spec.eccentricity + float(errors["eccentricity"][disc])
        return throw, self.phases[disc] + float(errors["eccentric_phase"][disc])

    def _pin_mesh(self, builder: ModelBuilder, discs: list[int]) -> PinMesh:
        spec, friction = self.spec, self.spec.friction
        disc = spec.material(spec.discs.material).elastic
        pin = spec.material(spec.pins.material).elastic
        last = len(builder.names)
        return PinMesh(
            self.pins,
            range(last - spec.pins.count, last) if spec.pins.loose else (),
            discs,
            [self.flank(j) for j in range(len(discs))],
            spec.discs.width,
            self.contact_depth,
            spec.pin_length,
            disc,
            pin,
            spec.contact,
            friction_law(friction, friction.pins, tangential_ratio(disc, pin)),
            friction_law(friction, friction.grooves, tangential_ratio(pin, pin)),
        )

    def _add_rollers(self, builder: ModelBuilder, discs: list[int]) -> None:
        """Output rollers on the carrier in the holes of each disc."""
        spec, rollers = self.spec, self.spec.output.rollers
        assert rollers is not None
        disc_material = spec.material(spec.discs.material).elastic
        roller_material = spec.material(rollers.material).elastic
        ratio = tangential_ratio(disc_material, roller_material)
        friction = friction_law(spec.friction, spec.friction.rollers, ratio)
        modulus = contact_modulus(disc_material, roller_material)
        pressure = LinePressure(spec.roller_length, modulus)
        sizes = {"disc": len(discs), "roller": rollers.count}
        with builder.part("roller", "output rollers", sizes, pressure):
            for j, k in np.ndindex(len(discs), rollers.count):
                hole, roller = self._hole(j, k, discs[j]), self._roller(k)
                law = pair_law(
                    spec.contact,
                    Cylinder(hole.radius, disc_material),
                    Cylinder(roller.radius, roller_material),
                    spec.roller_length,
                )
                surface = Surface(law, spec.contact.damping, friction)
                builder.contact(circle_in_hole(hole, roller, surface))

    def _hole(self, j: int, k: int, disc: int) -> Disc:
        """The hole of roller k in disc j, whose frame is turned by -ψ/z_c."""
        rollers, errors = self.spec.output.rollers, self.errors
        assert rollers is not None
        turned = 2 * math.pi * k / rollers.count + self.phases[j] / self.lobes
        place = polar(rollers.circle_radius, turned)
        off = off_circle(place, errors["hole_radial"][j, k], errors["hole_tangential"][j, k])
        radius = self.spec.roller_hole_radius + float(errors["hole_radius"][j, k])
        return Disc(disc, place[0] + off[0], place[1] + off[1], radius)

    def _roller(self, k: int) -> Disc:
        """Roller k on the carrier."""
        rollers, errors = self.spec.output.rollers, self.errors
        assert rollers is not None
        place = polar(rollers.circle_radius, 2 * math.pi * k / rollers.count)
        off = off_circle(place, errors["roller_radial"][k], errors["roller_tangential"][k])
        radius = rollers.radius + float(errors["roller_radius"][k])
        return Disc(self.output_body, place[0] + off[0], place[1] + off[1], radius)

    def _add_needles(self, builder: ModelBuilder, discs: list[int]) -> None:
        """Needles between each eccentric and the bore of its disc."""
        spec, needles = self.spec, self.spec.eccentric.needles
        assert needles is not None
        material = spec.material(needles.material).elastic
        disc_material = spec.material(spec.discs.material).elastic
        with builder.part("needle", "needles", {"disc": len(discs), "needle": needles.count}):
            for j, disc in enumerate(discs):
                smaller = -float(self.errors["eccentric_radius"][j])
                wider = float(self.errors["bore_radius"][j])
                inner = Disc(INPUT, *polar(*self._throw(j)), spec.eccentric_radius - smaller)
                outer = Disc(disc, 0.0, 0.0, spec.discs.bore_radius + wider)
                law = needle_law(
                    spec.contact,
                    Cylinder(inner.radius, material),
                    Cylinder(needles.radius, material),
                    Cylinder(outer.radius, disc_material),
                    needles.length,
                )
                clearance, damping = needles.clearance + smaller + wider, spec.contact.damping
                for k in range(needles.count):
                    angle = 2 * math.pi * k / needles.count
                    builder.contact(needle_between(inner, outer, angle, clearance, law, damping))


def _measured(path: str) -> NDArray[np.float64]:
    try:
        return read_points(path)
    except (OSError, ValueError) as error:
        raise SpecError(f"discs.points_file: {error}") from error
