"""What a spec tells of a gear besides its teeth: what holds its centre, its mass, and its body.

A body is a disc from the teeth to the bore, or a rim, a web and a hub; that of an internal gear is
a rim around its teeth. For its mass the teeth count as solid up to the reference circle.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Literal

from flank.elasticity.tooth_beam import held_radius
from flank.geometry.gear import Gear
from flank.machines.gear_spec import GearSpec, RackSpec
from flank.machines.quantities import (
    Damping,
    DampingRatio,
    Inertia,
    Mass,
    PositiveLength,
    Stiffness,
    WholeNumber,
)
from flank.machines.round_parts import MassInertia, Point, hollow, total
from flank.machines.spec import Spec, key, optional
from flank.texts import mm

if TYPE_CHECKING:
    from flank.dynamics.builder import ModelBuilder
    from flank.elasticity.finite_elements.sector_mesh import GearBody

MODES, MODAL_DAMPING = 24, 0.01
"""Of a flexible body, where a spec gives none; steel alone damps less, joints more."""

RIM = 2.5
"""Modules between the root of an internal gear and its outside, where a spec gives none."""


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

    def add_to(self, builder: "ModelBuilder", a: int, b: int, at_a: Point = (0.0, 0.0)) -> None:
        """Hold the origin of body b at a point of body a, as far as this support does."""
        if self.kind == "rigid":
            builder.revolute(a, b, at_a)
        elif self.stiffness is not None:
            builder.bushing(a, b, self.stiffness, self.damping, at_a)


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


class FlexibleSpec(Spec):
    """Whether a gear's body vibrates."""

    flexible: bool = key(
        "whether its body vibrates, by modes of its finite elements with their mass, beside what "
        "teeth give way; its meshes have the model 'fe'",
        default=False,
    )
    modes: Annotated[int, WholeNumber(minimum=1, maximum=60)] | None = optional(
        "modes of a flexible body: the lowest that move its teeth, made full to threes; 24 if "
        "absent",
        24,
    )
    modal_damping: DampingRatio | None = optional(
        "damping of these modes as a share of the critical one; 1 percent if absent", "1 percent"
    )

    @property
    def mode_count(self) -> int:
        return self.modes or MODES

    @property
    def mode_damping(self) -> float:
        return MODAL_DAMPING if self.modal_damping is None else self.modal_damping

    def flexible_problems(self, name: str, mesh: str, model: str, mass: MassSpec) -> Iterator[str]:
        """Sentences about keys that do nothing, or that a flexible body cannot have."""
        for field in ("modes", "modal_damping"):
            if getattr(self, field) is not None and not self.flexible:
                yield f"{name}.{field} does nothing on a rigid body; set {name}.flexible to true"
        if self.flexible and model != "fe":
            yield (
                f"{name}.flexible needs the {mesh} model 'fe', not '{model}', which has no "
                f"elements to take modes from; set {mesh}.model to 'fe'"
            )
        for field in ("mass", "inertia"):
            if self.flexible and getattr(mass, field) is not None:
                yield (
                    f"{name}.{field} is that of the elements of a flexible body; remove it, or set "
                    f"{name}.flexible to false"
                )


class BodySpec(Spec):
    """The body under the teeth."""

    bore_diameter: PositiveLength | None = optional(
        "the diameter of the bore, at which an external gear is held; if absent the body "
        "is solid, and elastic 3.5 modules below the root",
        "40 mm",
    )
    rim_thickness: PositiveLength | None = optional(
        "the radial thickness of the rim behind the root circle: above a web, or around "
        "an internal gear",
        "12 mm",
    )
    web_thickness: PositiveLength | None = optional(
        "the axial thickness of the web between rim and hub; as thick as the face if absent",
        "10 mm",
    )
    hub_diameter: PositiveLength | None = optional(
        "the outer diameter of the hub, as long as the face; the web reaches down to the "
        "bore if absent",
        "70 mm",
    )

    def cross_checks(self) -> Iterable[str]:
        if self.web_thickness is not None and self.rim_thickness is None:
            yield "rim_thickness is missing: a web needs it, for example 'rim_thickness: 12 mm'"
        if self.hub_diameter is not None and self.web_thickness is None:
            yield "hub_diameter does nothing without a web; give a web_thickness or remove it"

    def problems(self, gear: Gear, face_width: float) -> Iterator[str]:
        """Sentences about a body that does not fit its teeth."""
        if gear.internal:
            yield from self._around()
            return
        if self.rim_thickness is not None and self.web_thickness is None:
            yield (
                "rim_thickness does nothing without a web_thickness; for a ring without a web give "
                "its bore_diameter"
            )
            return
        if self.web_thickness is not None and self.web_thickness > face_width:
            yield (
                f"web_thickness is {mm(self.web_thickness)}; it must not exceed the face width of "
                f"{mm(face_width)}"
            )
        yield from self._nested(gear)

    def _around(self) -> Iterator[str]:
        for name in ("bore_diameter", "web_thickness", "hub_diameter"):
            if getattr(self, name) is not None:
                yield f"{name} does nothing on an internal gear; give its rim_thickness"

    def _nested(self, gear: Gear) -> Iterator[str]:
        """Each circle must lie inside the one before it."""
        rim, root = self.rim_thickness or 0.0, 2 * gear.root_radius
        if 2 * rim >= root:
            largest = mm(gear.root_radius)
            yield f"rim_thickness is {mm(rim)}; it must be less than the root radius of {largest}"
            return
        outside = "the inside of the rim" if rim else "the root diameter"
        circles = [
            (outside, root - 2 * rim),
            ("hub_diameter", self.hub_diameter),
            ("bore_diameter", self.bore_diameter),
        ]
        given = [(name, size) for name, size in circles if size is not None]
        for (outer, larger), (inner, smaller) in pairwise(given):
            if smaller >= larger:
                yield f"{inner} is {mm(smaller)}; it must be less than {outer}, {mm(larger)}"

    def held_radius(self, gear: Gear) -> float | None:
        """Where the body does not move; none where nothing is told."""
        if gear.internal:
            rim = self.rim_thickness
            return None if rim is None else gear.root_radius + rim
        return None if self.bore_diameter is None else 0.5 * self.bore_diameter

    def elements(self, gear: Gear, face_width: float) -> "GearBody | None":
        """The body for finite elements where it has a web; none for a plain disc or ring."""
        if gear.internal or self.web_thickness is None or self.web_thickness >= face_width:
            return None
        from flank.elasticity.finite_elements.sector_mesh import GearBody

        hub = 0.5 * self.hub_diameter if self.hub_diameter else None
        return GearBody(
            face_width,
            held_radius(replace(gear, held_radius=self.held_radius(gear))),
            self.rim_thickness,
            self.web_thickness,
            hub,
            None if hub is None else face_width,
        )

    @property
    def bore(self) -> float:
        """Radius of the bore, zero without one."""
        return 0.5 * (self.bore_diameter or 0.0)

    def edges(self, gear: Gear) -> list[float]:
        """Radii where a web begins and ends, on an external gear that has one."""
        if gear.internal or self.web_thickness is None or self.rim_thickness is None:
            return []
        hub = [0.5 * self.hub_diameter] if self.hub_diameter else []
        return [gear.root_radius - self.rim_thickness, *hub]

    def outer_radius(self, gear: Gear) -> float:
        """Of an internal gear."""
        return gear.root_radius + (self.rim_thickness or RIM * gear.normal_module)

    def drawn(self, gear: Gear, width: float, density: float) -> MassInertia:
        """Mass and moment of inertia."""
        if gear.internal:
            return hollow(self.outer_radius(gear), gear.reference_radius, width, density)
        bore = self.bore
        if self.web_thickness is None or self.rim_thickness is None:
            return hollow(gear.reference_radius, bore, width, density)
        inside = gear.root_radius - self.rim_thickness
        hub = 0.5 * self.hub_diameter if self.hub_diameter else bore
        rim = hollow(gear.reference_radius, inside, width, density)
        web = hollow(inside, hub, self.web_thickness, density)
        return total(total(rim, web), hollow(hub, bore, width, density))


class BodiedGearSpec(GearSpec, MassSpec):
    """A gear with its body, on an axis."""

    body: BodySpec = key("the body under the teeth", default=BodySpec())
    support: SupportSpec = key("what holds its centre", default=RIGID)

    def gear(self, rack: RackSpec, internal: bool = False) -> Gear:
        """The gear as the geometry room knows it, its body held where the spec says."""
        gear = super().gear(rack, internal)
        return replace(gear, held_radius=self.body.held_radius(gear))
