"""The spec of a planetary gearbox: sun, planets on a carrier, ring.

Refused is what makes the machine impossible or an option useless. Whether its gears can be cut, put
together and run is a finding of the geometry. Of its errors, an eccentricity is half the run-out;
its direction is an angle in the gear's own frame, in which a tooth of the sun stands at zero.
"""

import math
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Annotated, ClassVar, Literal

from flank.geometry.gear import Gear
from flank.geometry.gear_pair import GearPair
from flank.geometry.willis import MEMBERS, Member
from flank.machines.error_kinds import Counts, ErrorKind, Kinds, distance, tooth_thickness
from flank.machines.gear_spec import GearSpec, MeshSpec, RackSpec
from flank.machines.machine_spec import RatedSpec
from flank.machines.materials import MATERIALS_MEANING, MaterialSpec
from flank.machines.quantities import (
    Angle,
    AngularSpeed,
    Bedding,
    Inertia,
    PositiveLength,
    Stiffness,
    Torque,
    TorsionalDamping,
    TorsionalStiffness,
    WholeNumber,
)
from flank.machines.rating_spec import GearRatingSpec
from flank.machines.round_parts import even_angles
from flank.machines.spec import Spec, key, optional
from flank.machines.wheel_spec import RIM, FlexibleSpec, MassSpec, SupportSpec
from flank.texts import mm


class PinSupportSpec(SupportSpec):
    """What holds a member, in the plane and in space."""

    bearing_span: PositiveLength | None = optional(
        "the distance of two bearings about the mid-plane, half the stiffness each, between which "
        "it tilts; if absent it does not tilt; for motion 'spatial'",
        "120 mm",
    )
    axial_stiffness: Stiffness | None = optional(
        "the stiffness of a bearing along the axis; rigid if absent; for motion 'spatial'",
        "5e8 N/m",
    )

    def cross_checks(self) -> Iterable[str]:
        yield from super().cross_checks()
        for name in IN_SPACE:
            if getattr(self, name) is not None and self.kind != "bearing":
                yield f"{name} does nothing with a {self.kind} support; set kind to 'bearing'"


IN_SPACE = ("bearing_span", "axial_stiffness")
"""Keys of a support that only a model in space uses."""


class MemberSupportSpec(PinSupportSpec):
    """What holds a central member at ground."""

    torsional_stiffness: TorsionalStiffness | None = optional(
        "torsional stiffness to ground; none if absent", "1e6 N*m/rad"
    )
    torsional_damping: TorsionalDamping = key(
        "torsional damping to ground", "10 N*m*s/rad", default=0.0
    )


MEMBER_RIGID = MemberSupportSpec()


class TiltSpec(Spec):
    """Inertia of a part in space."""

    tilt_inertia: Inertia | None = optional(
        "the moment of inertia about a diameter, for motion 'spatial'; half of that about its axis "
        "and that of its width if absent",
        "145 kg*m^2",
    )


class WheelSpec(GearSpec, MassSpec, TiltSpec):
    """A gear with a hole in it."""

    bore_radius: PositiveLength | None = optional(
        "the radius of its bore, where its body is held; if absent the body is solid, and elastic "
        "3.5 modules below the root",
        "30 mm",
    )


class SunSpec(WheelSpec):
    """The sun gear."""

    support: MemberSupportSpec = key("what holds it", default=MEMBER_RIGID)


class RingSpec(GearSpec, MassSpec, TiltSpec, FlexibleSpec):
    """The ring gear."""

    outer_radius: PositiveLength | None = optional(
        "the outer radius, for its mass and finite elements; 2.5 modules outside the root if "
        "absent",
        "500 mm",
    )
    bedding: Bedding | None = optional(
        "stiffness per area of what ties the outside of a held ring to its housing, in every "
        "direction, for finite elements; rigid if absent",
        "5e10 N/m^3",
    )
    support: MemberSupportSpec = key("what holds it", default=MEMBER_RIGID)


class PlanetsSpec(WheelSpec):
    """The planets, all alike; their errors stand in `errors`."""

    count: Annotated[int, WholeNumber(minimum=1, maximum=24)] = key("the number of planets N", 3)
    angles: tuple[Angle, ...] = key(
        "the angles of the planets on the carrier; evenly spaced if absent",
        "[0 deg, 118 deg, 242 deg]",
        default=(),
    )

    support: PinSupportSpec = key("what holds its centre on its pin", default=PinSupportSpec())

    def cross_checks(self) -> Iterable[str]:
        yield from super().cross_checks()
        if self.angles and len(self.angles) != self.count:
            yield (
                f"angles has {len(self.angles)} values for {self.count} planets; "
                "give one for each, or leave it out for even spacing"
            )
        if self.support.kind == "floating":
            yield "support.kind: planets cannot float, nothing would carry them; use a bearing"


class CarrierSpec(MassSpec, TiltSpec):
    """The carrier: plates that hold the planets' pins."""

    outer_radius: PositiveLength | None = optional(
        "the radius of its plates, for its mass; half a planet's radius beyond the pins if absent",
        "350 mm",
    )
    thickness: PositiveLength | None = optional(
        "the thickness of its plates together, for its mass; half the planets' face "
        "width if absent",
        "80 mm",
    )
    material: str = key("the name of a material", default="steel")
    support: MemberSupportSpec = key("what holds it", default=MEMBER_RIGID)


class HeldSpec(Spec):
    """How the member that is neither input nor output is kept from turning."""

    stiffness: TorsionalStiffness | None = optional(
        "torsional stiffness to ground; rigid if absent", "1e7"
    )
    damping: TorsionalDamping = key("torsional damping to ground", "100 N*m*s/rad", default=0.0)

    def cross_checks(self) -> Iterable[str]:
        if self.stiffness is None and self.damping > 0:
            yield "damping does nothing where a member is held rigidly; give a stiffness too"


class PlanetaryOperationSpec(Spec):
    """Who drives, who is loaded, and the operating point; the third member is held."""

    input: Member = key("the member that is driven", "sun")
    output: Member = key("the member that is loaded", "carrier")
    input_speed: AngularSpeed = key("the speed of the input", "1500 rpm")
    torque: Torque = key(
        "the load on the output, positive against a positive input speed", "1500 N*m"
    )

    def cross_checks(self) -> Iterable[str]:
        if self.input == self.output:
            yield (
                f"output is '{self.output}' like the input; choose two different members, "
                "the third is held"
            )

    @property
    def held(self) -> Member:
        return next(member for member in MEMBERS if member not in (self.input, self.output))


FEWEST_CENTRING = 3
"""Planets needed to centre a member that floats."""

PLANET = ("planet",)

_PIN_CIRCLE = distance("radius of the circle of planet pins", "carrier_radius")

KINDS: Kinds = {
    "pin_tangential": ErrorKind(
        "tangential position of the pin of {}", PLANET, 20e-6, size=_PIN_CIRCLE
    ),
    "pin_radial": ErrorKind("radial position of the pin of {}", PLANET, 20e-6, size=_PIN_CIRCLE),
    "planet_eccentricity": ErrorKind("eccentricity of {}", PLANET, 15e-6),
    "planet_eccentricity_direction": ErrorKind(
        "direction of the eccentricity of {}", PLANET, 0.0, "rad", direction=True
    ),
    "sun_eccentricity": ErrorKind("eccentricity of the sun", (), 12e-6),
    "sun_eccentricity_direction": ErrorKind(
        "direction of the sun's eccentricity", (), 0.0, "rad", direction=True
    ),
    "ring_eccentricity": ErrorKind("eccentricity of the ring", (), 20e-6),
    "ring_eccentricity_direction": ErrorKind(
        "direction of the ring's eccentricity", (), 0.0, "rad", direction=True
    ),
    "planet_thickness": ErrorKind(
        "tooth thickness of {}",
        PLANET,
        20e-6,
        size=tooth_thickness("tooth thickness of a planet", "planet_gear"),
    ),
    "sun_thickness": ErrorKind(
        "tooth thickness of the sun",
        (),
        20e-6,
        size=tooth_thickness("tooth thickness of the sun", "sun_gear"),
    ),
    "ring_thickness": ErrorKind(
        "tooth thickness of the ring",
        (),
        25e-6,
        size=tooth_thickness("tooth thickness of the ring", "ring_gear"),
    ),
}
"""Tolerances are assumed, of the size that drawings give run-outs and thicknesses of ground gears
with a module of some millimetres."""


class PlanetaryGearboxSpec(RatedSpec, kinds=KINDS):
    """A planetary gearbox. The properties give what a key that was left out stands for."""

    machine: Literal["planetary-gearbox"] = key("the kind of machine", "planetary-gearbox")
    rack: RackSpec = key("the basic rack of all gears")
    sun: SunSpec = key("the sun gear")
    planets: PlanetsSpec = key("the planets")
    ring: RingSpec = key("the ring gear")
    carrier: CarrierSpec = key("the carrier", default=CarrierSpec())
    centre_distance: PositiveLength | None = optional(
        "the radius of the circle of planet pins; where sun and planets mesh without "
        "backlash if absent",
        "284 mm",
    )
    motion: Literal["planar", "spatial"] = key(
        "in the plane, or in space, where members tilt and shift along their axes as their "
        "supports let them, and helical teeth push along the axes",
        default="planar",
    )
    sun_mesh: MeshSpec = key("how sun and planets mesh", default=MeshSpec())
    ring_mesh: MeshSpec = key("how planets and ring mesh", default=MeshSpec())
    rigid_sharing: Literal["equal", "first"] = key(
        "where rigid meshes leave the sharing open: equal forces of the sun on all "
        "planets, or the first planet alone in mesh with the sun",
        default="equal",
    )
    held: HeldSpec = key(
        "how the member that is neither input nor output is held", default=HeldSpec()
    )
    rating: GearRatingSpec = key(
        "how the gears are made and used, for their rating by ISO 6336", default=GearRatingSpec()
    )
    materials: dict[str, MaterialSpec] = key(MATERIALS_MEANING, default={})
    operation: PlanetaryOperationSpec = key("the operating point")

    ratio_is: ClassVar[str] = (
        "it follows from the teeth and from who is held: 1 + ring.teeth / sun.teeth with "
        "the ring held; `flank design planetary --ratio ...` finds teeth for it"
    )

    @property
    def sun_gear(self) -> Gear:
        return self.sun.gear(self.rack)

    @property
    def planet_gear(self) -> Gear:
        return self.planets.gear(self.rack)

    @property
    def ring_gear(self) -> Gear:
        return self.ring.gear(self.rack, internal=True)

    @property
    def carrier_width(self) -> float:
        """Of its plates together."""
        return self.carrier.thickness or 0.5 * self.planets.face_width

    @property
    def ring_outer_radius(self) -> float:
        ring = self.ring_gear
        return self.ring.outer_radius or ring.root_radius + RIM * ring.normal_module

    @cached_property
    def carrier_radius(self) -> float:
        """a, of the circle of planet pins."""
        return self.centre_distance or GearPair(self.sun_gear, self.planet_gear).centre_distance

    @property
    def planet_angles(self) -> tuple[float, ...]:
        """ψ_n of the planets on the carrier."""
        return self.planets.angles or tuple(even_angles(self.planets.count))

    @property
    def evenly_spaced(self) -> bool:
        angles, even = self.planet_angles, even_angles(self.planets.count)
        return all(
            abs(math.remainder(a - b - angles[0], 2 * math.pi)) < 1e-9
            for a, b in zip(angles, even, strict=True)
        )

    @property
    def redundant(self) -> bool:
        """Whether rigid meshes hold the planets more than once, so that statics alone cannot say
        how they share the load: more planets than central members can yield to."""
        if not (self.sun_mesh.model == self.ring_mesh.model == "rigid"):
            return False
        if self.planets.support.kind != "rigid":
            return False
        members = (self.sun, self.ring, self.carrier)
        yielding = 2 * sum(member.support.kind != "rigid" for member in members)
        return self.planets.count - 1 > yielding

    @property
    def counts(self) -> Counts:
        return {"planet": self.planets.count}

    def cross_checks(self) -> Iterable[str]:
        yield from self.material_problems(("sun", "planets", "ring", "carrier"))
        yield from self._ring()
        yield from self._unused()
        yield from self._floating()
        yield from self._masses()
        model = self.ring_mesh.model
        yield from self.ring.flexible_problems("ring", "ring_mesh", model, self.ring)
        yield from self._bedding()
        yield from self._torsional()
        yield from self._motion()
        yield from self.error_problems()

    def _torsional(self) -> Iterator[str]:
        held = self.operation.held
        support = getattr(self, held).support
        if self.held.stiffness is None and (
            support.torsional_stiffness or support.torsional_damping
        ):
            yield (
                f"{held}.support.torsional_stiffness and torsional_damping do nothing on the "
                f"{held}, which is held rigidly; give held.stiffness too, or remove them"
            )

    def _motion(self) -> Iterator[str]:
        """What the plane does not use, and space does not know."""
        parts = ("sun", "ring", "carrier", "planets")
        if self.motion == "planar":
            for part in parts:
                block = getattr(self, part)
                used = [f"support.{name}" for name in IN_SPACE if getattr(block.support, name)]
                for name in used + ["tilt_inertia"] * (block.tilt_inertia is not None):
                    yield f"{part}.{name} does nothing in the plane; set motion to 'spatial'"
            return
        for mesh in ("sun_mesh", "ring_mesh"):
            if getattr(self, mesh).model == "contact":
                yield (
                    f"{mesh}.model: explicit contacts of teeth are those of the plane; in space "
                    "use 'rigid', 'spring', 'curve', 'table' or 'fe'"
                )
        if self.ring.flexible:
            yield "ring.flexible: modes of a ring are those of the plane; set it to false"
        for part in parts:
            block = getattr(self, part)
            if block.tilt_inertia and block.inertia and 2 * block.tilt_inertia < block.inertia:
                yield (
                    f"{part}.tilt_inertia is {block.tilt_inertia:.6g} kg*m^2, less than half of "
                    f"{part}.inertia, which no body has; an inertia from outside belongs to the "
                    "axis alone, so leave tilt_inertia out"
                )

    def _ring(self) -> Iterator[str]:
        ring, sun, planet = self.ring.teeth, self.sun.teeth, self.planets.teeth
        if ring <= max(sun, planet):
            yield (
                f"ring.teeth is {ring}; a sun with {sun} and planets with {planet} teeth inside it "
                f"need about {sun + 2 * planet}"
            )

    def _unused(self) -> Iterator[str]:
        for name, mate in (("sun_mesh", self.sun), ("ring_mesh", self.ring)):
            crowned = mate.crowning > 0 or self.planets.crowning > 0
            varies = crowned or self.rack.helix_angle > 0
            yield from getattr(self, name).too_few_slices(name, varies)
            yield from getattr(self, name).idle_damping(name)
        if self.rigid_sharing == "first" and not self.redundant:
            yield (
                "rigid_sharing does nothing where the meshes themselves say who carries what; "
                "remove it, or make both meshes and the planets' supports rigid"
            )

    def _bedding(self) -> Iterator[str]:
        """It lies between ring and housing; a second spring would have no mass in front of it."""
        if self.ring.bedding is None:
            return
        if self.ring_mesh.model != "fe":
            yield (
                f"ring.bedding does nothing with the ring_mesh model '{self.ring_mesh.model}'; "
                "remove it, or set ring_mesh.model to 'fe'"
            )
        if self.operation.held != "ring":
            yield (
                "ring.bedding ties the ring to a housing that stands still, and here the "
                f"{self.operation.held} is held; remove it, or drive and load the other two"
            )
        elif self.ring.support.kind != "rigid" or self.held.stiffness is not None:
            yield (
                "ring.bedding holds the ring by itself; leave ring.support rigid and "
                "held.stiffness out, or remove the bedding"
            )

    def _floating(self) -> Iterator[str]:
        floating = [
            name
            for name in ("sun", "ring", "carrier")
            if getattr(self, name).support.kind == "floating"
        ]
        if floating and self.planets.count < FEWEST_CENTRING:
            yield (
                f"{floating[0]}.support.kind: {self.planets.count} planets do not centre a "
                f"floating member; use at least {FEWEST_CENTRING}, or a bearing"
            )
        if floating and self.redundant:
            yield (
                f"{floating[0]}.support.kind: rigid meshes of {self.planets.count} planets do not "
                "centre a floating member; use a bearing, or soft meshes"
            )
        if len(floating) == 3:
            yield "carrier.support.kind: sun, ring and carrier all float; hold one of them"

    def _masses(self) -> Iterator[str]:
        for name in ("sun", "planets"):
            wheel = getattr(self, name)
            gear = wheel.gear(self.rack)
            if wheel.bore_radius is not None and wheel.bore_radius >= gear.root_radius:
                yield (
                    f"{name}.bore_radius is {mm(wheel.bore_radius)}; it must be less than the root "
                    f"radius of {mm(gear.root_radius)}"
                )
        root, outer = self.ring_gear.root_radius, self.ring.outer_radius
        if outer is None and self.ring_mesh.model == "fe":
            yield (
                "ring.outer_radius is missing: finite elements of a ring need its rim, for example "
                f"'outer_radius: {mm(self.ring_outer_radius)}'"
            )
        if outer is not None and outer <= root:
            yield (
                f"ring.outer_radius is {mm(outer)}; it must exceed the root radius of {mm(root)}"
            )
