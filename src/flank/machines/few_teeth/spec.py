"""The spec of a reducer with few teeth of difference: toothed discs on cranks in a ring.

Of its errors, a toothing off its axis is the first harmonic of accumulated pitch deviations; x
points from the axis to the first crank hole of a disc, and to the first crank at the start for the
ring.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Annotated, ClassVar, Literal

from flank.elasticity.finite_elements.elastic_ring import RingBody
from flank.elasticity.tooth_beam import held_radius
from flank.geometry.gear import Gear
from flank.geometry.gear_pair import GearPair
from flank.machines.contact_spec import ContactSpec
from flank.machines.crank_reducer.parts import BearingFrictionSpec, DiscsSpec, FirstStageSpec
from flank.machines.crank_reducer.rules import Toothing
from flank.machines.crank_reducer.spec import CRANK_KINDS, MATERIAL_BLOCKS, CrankReducerSpec
from flank.machines.elastic_rings import TOOTH_MODES, RingBodySpec, ring_body
from flank.machines.error_kinds import ARCSECOND, ErrorKind, Kinds, tooth_thickness
from flank.machines.flank_profile import FlankProfileSpec
from flank.machines.gear_spec import MeshSpec, RackSpec, TeethSpec
from flank.machines.quantities import Coefficient, PositiveLength, TorsionalStiffness, quantity
from flank.machines.spec import Spec, key, optional
from flank.machines.wheel_spec import RIM
from flank.texts import mm

MEASURED_KINDS = ("tooth_thickness", "toothing_x", "toothing_y", "angular")
"""What points of a disc about its centre hold already."""

KINDS: Kinds = {
    **CRANK_KINDS,
    "tooth_thickness": ErrorKind(
        "tooth thickness of {}",
        ("disc",),
        6e-6,
        size=tooth_thickness("tooth thickness of a disc", "pair.first"),
    ),
    "ring_thickness": ErrorKind(
        "tooth thickness of the ring",
        (),
        6e-6,
        size=tooth_thickness("tooth thickness of the ring", "pair.second"),
    ),
    "toothing_x": ErrorKind("run-out along x of the teeth of {}", ("disc",), 5e-6),
    "toothing_y": ErrorKind("run-out along y of the teeth of {}", ("disc",), 5e-6),
    "ring_x": ErrorKind("ring off the carrier's axis along x", (), 5e-6),
    "ring_y": ErrorKind("ring off the carrier's axis along y", (), 5e-6),
    "angular": ErrorKind("rotation of the teeth on {}", ("disc",), 10 * ARCSECOND, "rad"),
}
"""The tolerances of the teeth are assumed: ground teeth, finer than quality 5 of ISO 1328."""


Play = Annotated[float, quantity("rad", "deg", minimum=0.0, maximum=0.1)]


class ToothedDiscsSpec(TeethSpec, FlankProfileSpec, DiscsSpec):
    """The external gears on the cranks, evenly spread in phase."""

    idle_if_measured: ClassVar[tuple[str, ...]] = ("thickness_deviation", "tip_relief")

    def cross_checks(self) -> Iterable[str]:
        yield from super().cross_checks()
        if self.profile == "polyline":
            yield (
                "profile 'polyline' is for flanks among pins: flanks of disc and ring are curved "
                "nearly alike, so that corners of chords would touch some teeth away; use 'smooth' "
                "or 'measured'"
            )


class RingSpec(TeethSpec):
    """The internal gear in the housing, as wide as all discs."""

    tip_radius: PositiveLength | None = optional(
        "the radius of the tip circle; if absent it leaves the rack's bottom clearance "
        "over the discs' roots",
        "122.1 mm",
    )
    outer_radius: PositiveLength | None = optional(
        "the outer radius, at which finite elements of it are held; the mesh model 'fe' needs it",
        "145 mm",
    )
    body: RingBodySpec | None = optional(
        "the ring as an elastic body out to its outer radius; rigid behind its teeth if absent"
    )


class CouplingSpec(Spec):
    """What turns all cranks with the input where there is no first stage."""

    stiffness: TorsionalStiffness | None = optional(
        "the torsional stiffness between the input and one crank; rigid if absent", "1e7 N*m/rad"
    )
    backlash: Play = key("the whole angle of play of one crank", "0.002 deg", default=0.0)

    def cross_checks(self) -> Iterable[str]:
        if self.backlash and self.stiffness is None:
            yield "backlash needs a stiffness beside it: behind its play a coupling is a spring"


class FewTeethFrictionSpec(BearingFrictionSpec):
    """Coulomb friction at every kind of contact."""

    teeth: Coefficient = key(
        "the coefficient between the flanks; with the mesh model 'contact' only", 0.05, default=0.0
    )


class FewTeethReducerSpec(CrankReducerSpec, kinds=KINDS):
    """External gears on cranks inside a ring; the ring stands still, the carrier is the output."""

    machine: Literal["few-teeth-reducer"] = key("the kind of machine", "few-teeth-reducer")
    rack: RackSpec = key("the basic rack of discs and ring")
    discs: ToothedDiscsSpec = key("the external gears on the cranks")
    ring: RingSpec = key("the ring gear")
    eccentricity: PositiveLength | None = optional(
        "the eccentricity of the cranks; where the teeth have no backlash if absent", "4.69 mm"
    )
    mesh: MeshSpec = key("how the teeth are modelled", default=MeshSpec(model="contact"))
    contact: ContactSpec = key(
        "the law of the rollers' contacts; teeth have the mesh's", default=ContactSpec()
    )
    first_stage: FirstStageSpec | None = optional(
        "sun and planets; without it the input turns all cranks by the coupling"
    )
    coupling: CouplingSpec | None = optional(
        "what turns the cranks without a first stage; rigid if absent"
    )
    friction: FewTeethFrictionSpec = key("the friction", default=FewTeethFrictionSpec())

    ratio_is: ClassVar[str] = (
        "it follows from discs.teeth / (ring.teeth - discs.teeth), and from the teeth of "
        "the first_stage if there is one"
    )

    def cross_checks(self) -> Iterable[str]:
        problems = [*self.material_problems(("ring", *MATERIAL_BLOCKS)), *self._mesh_problems()]
        yield from problems
        yield from self.stage_problems()
        yield from self._unused()
        if problems:
            return
        yield from self.size_problems()
        yield from self.friction_problems(loose=False)
        yield from self.unused_problems()
        yield from self.error_problems()

    def _mesh_problems(self) -> Iterator[str]:
        """Whether disc and ring have a working angle; what else may be wrong are findings."""
        if self.teeth_of_difference < 1:
            yield (
                f"ring.teeth is {self.ring.teeth} and discs.teeth {self.discs.teeth}; "
                "the ring needs more teeth than the discs inside it"
            )
            return
        disc, ring = self.discs.gear(self.rack), self.ring.gear(self.rack, internal=True)
        least = ring.base_radius - disc.base_radius
        if self.eccentricity is not None:
            if self.eccentricity <= least:
                yield (
                    f"eccentricity is {mm(self.eccentricity)}; it must exceed {mm(least)}, the "
                    "difference of the base radii, or the teeth have no line of action"
                )
            return
        try:
            GearPair(disc, ring)
        except ValueError:
            shifts = self.discs.profile_shift + self.ring.profile_shift
            yield (
                f"ring.profile_shift: with {shifts:.4g} in all disc and ring mesh without backlash "
                "at no eccentricity; lower it (ISO 21771 sign: the ring's teeth move outward)"
            )

    def _unused(self) -> Iterator[str]:
        crowned = self.discs.crowning > 0 or self.ring.crowning > 0
        yield from self.mesh.too_few_slices("mesh", crowned or self.rack.helix_angle > 0)
        yield from self.mesh.idle_damping("mesh")
        if self.discs.measured and self.mesh.model != "contact":
            yield (
                f"discs.profile 'measured' needs mesh.model 'contact', which touches flanks one by "
                f"one; it is '{self.mesh.model}'"
            )
        if self.discs.bends and self.mesh.model != "contact":
            yield (
                f"discs.body 'elastic' needs mesh.model 'contact', whose teeth press on the disc "
                f"one by one; it is '{self.mesh.model}': set discs.body to 'rigid_rim'"
            )
        if self.ring.body is not None and self.mesh.model != "contact":
            yield (
                f"ring.body needs mesh.model 'contact', whose teeth press on the ring one by one; "
                f"it is '{self.mesh.model}': remove ring.body"
            )
        yield from self._rim()
        if self.coupling is not None and self.first_stage is not None:
            yield "coupling does nothing beside a first_stage; remove one of them"
        if self.friction.teeth and self.mesh.model != "contact":
            yield (
                f"friction.teeth does nothing with the mesh model '{self.mesh.model}', whose force "
                "lies along the line of action; set it to 0 or mesh.model to 'contact'"
            )

    def _rim(self) -> Iterator[str]:
        """Where elements of the ring are held."""
        outer, gear = self.ring.outer_radius, self.ring.gear(self.rack, internal=True)
        if outer is None and self.mesh.model == "fe":
            usual = gear.root_radius + RIM * gear.normal_module
            yield (
                "ring.outer_radius is missing: finite elements of a ring need its rim, for example "
                f"'outer_radius: {mm(usual)}'"
            )
        if outer is None and self.ring.body is not None:
            usual = gear.root_radius + RIM * gear.normal_module
            yield f"ring.outer_radius is missing: ring.body reaches to it, for example {mm(usual)}"
        if outer is not None and outer <= gear.root_radius:
            yield (
                f"ring.outer_radius is {mm(outer)}; it must exceed the root radius of "
                f"{mm(gear.root_radius)}"
            )
        elif outer is not None and (body := self.ring.body) is not None:
            yield from body.wall_problems("ring.body", gear.root_radius, outer, "ring.outer_radius")

    @property
    def absent_errors(self) -> Mapping[str, str]:
        measured = MEASURED_KINDS if self.discs.measured else ()
        return {**super().absent_errors, **dict.fromkeys(measured, "with a measured profile")}

    @property
    def teeth_of_difference(self) -> int:
        """Δ = z2 - z1."""
        return self.ring.teeth - self.discs.teeth

    @property
    def crank_ratio(self) -> float:
        """u = z1/Δ: a disc turns by -Δ/z1 of its crank."""
        return self.discs.teeth / self.teeth_of_difference

    @cached_property
    def pair(self) -> GearPair:
        """Disc and ring without errors, at the eccentricity."""
        disc, ring = self.discs.gear(self.rack), self.ring.gear(self.rack, internal=True)
        distance = self.eccentricity or GearPair(disc, ring).centre_distance
        if self.ring.tip_radius is None:
            ring = ring.with_tip_radius(clear_tip_radius(disc, distance))
        return GearPair(disc, ring, distance)

    @property
    def elastic_ring(self) -> RingBody | None:
        if self.ring.body is None:
            return None
        ring, width = self.pair.second, self.discs.count * self.dimensions.disc_width
        radii = ring.root_radius, self.ring.outer_radius or 0.0
        depth = held_radius(ring) - ring.root_radius
        material = self.elastic(self.ring.material)
        return ring_body(self.ring.body, radii, width, material, depth, TOOTH_MODES)

    @property
    def pressed_depth(self) -> float:
        """Down to where the tooth's own compliance counts its body."""
        disc = self.pair.first
        return disc.root_radius - held_radius(disc)

    @property
    def toothing(self) -> Toothing:
        disc, ring = self.pair.first, self.pair.second
        return Toothing(
            ring_radius=ring.reference_radius,
            disc_radius=disc.reference_radius,
            root_radius=disc.root_radius,
            split_radius=0.5 * (self.cranks.circle_radius + disc.reference_radius),
            eccentricity=self.pair.centre_distance,
            ring_force=1 / disc.base_radius,
        )


def clear_tip_radius(disc: Gear, distance: float) -> float:
    """Tip circle of a ring that leaves the rack's bottom clearance over the disc's root.

    r_a2 = e + r_f1 + c* m: what tooth corrections of a ring come to (its tip shortened by -Δy m).
    """
    clearance = (disc.dedendum - disc.addendum) * disc.normal_module
    return distance + disc.root_radius + clearance
