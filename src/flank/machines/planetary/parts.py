"""The parts of a planetary gearbox as a spec names them."""

from collections.abc import Iterable
from typing import Annotated, Literal

from flank.geometry.willis import MEMBERS, Member
from flank.machines.gear_spec import GearSpec
from flank.machines.quantities import (
    Angle,
    AngularSpeed,
    Damping,
    Inertia,
    Mass,
    PositiveLength,
    Stiffness,
    Torque,
    TorsionalStiffness,
    WholeNumber,
    quantity,
)
from flank.machines.solids import MassInertia
from flank.machines.spec import Spec, key, optional

TorsionalDamping = Annotated[float, quantity("N*m*s/rad", "N*m*s/rad", minimum=0.0)]


class SupportSpec(Spec):
    """Where the centre of a member is held: on its axis, by a bearing, or by the meshes alone."""

    kind: Literal["rigid", "bearing", "floating"] = key(
        "rigid, a bearing with a stiffness, or floating without any", "bearing", default="rigid"
    )
    stiffness: Stiffness | None = optional("the radial stiffness of a bearing", "1e8 N/m")
    damping: Damping = key("the radial damping of a bearing", "1e3 N*s/m", default=0.0)

    def cross_checks(self) -> Iterable[str]:
        if self.kind == "bearing" and self.stiffness is None:
            yield "stiffness is missing: a bearing needs it, for example 'stiffness: 1e8 N/m'"
        if self.kind != "bearing" and self.stiffness is not None:
            yield f"stiffness does nothing with a {self.kind} support; set kind to 'bearing'"
        if self.kind != "bearing" and self.damping > 0:
            yield f"damping does nothing with a {self.kind} support; set kind to 'bearing'"


RIGID = SupportSpec()


class MassSpec(Spec):
    """A mass given by hand instead of by the dimensions."""

    mass: Mass | None = optional("the mass; from the dimensions if absent", "12 kg")
    inertia: Inertia | None = optional(
        "the moment of inertia about its axis; from the dimensions if absent, in the "
        "ratio of the masses where a mass is given",
        "0.15 kg*m^2",
    )

    def given(self, drawn: MassInertia) -> MassInertia:
        """What the spec gives by hand, the rest as drawn."""
        mass = self.mass or drawn[0]
        return mass, self.inertia or drawn[1] * mass / drawn[0]


class WheelSpec(GearSpec, MassSpec):
    """A gear with a hole in it."""

    bore_radius: PositiveLength | None = optional(
        "the radius of its bore, for its mass; solid if absent", "30 mm"
    )
    support: SupportSpec = key("what holds its centre", default=RIGID)


class RingSpec(GearSpec, MassSpec):
    """The ring gear."""

    outer_radius: PositiveLength | None = optional(
        "the outer radius, for its mass; 2.5 modules outside the root if absent", "500 mm"
    )
    support: SupportSpec = key("what holds its centre", default=RIGID)


class PlanetsSpec(WheelSpec):
    """The planets, all alike; their errors stand in `errors`."""

    count: Annotated[int, WholeNumber(minimum=1, maximum=24)] = key("the number of planets N", 3)
    angles: tuple[Angle, ...] = key(
        "the angles of the planets on the carrier; evenly spaced if absent",
        "[0 deg, 118 deg, 242 deg]",
        default=(),
    )

    def cross_checks(self) -> Iterable[str]:
        yield from super().cross_checks()
        if self.angles and len(self.angles) != self.count:
            yield (
                f"angles has {len(self.angles)} values for {self.count} planets; "
                "give one for each, or leave it out for even spacing"
            )
        if self.support.kind == "floating":
            yield "support.kind: planets cannot float, nothing would carry them; use a bearing"


class CarrierSpec(MassSpec):
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
    material: str = key("the name of a material", "steel", default="steel")
    support: SupportSpec = key("what holds its centre", default=RIGID)


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
