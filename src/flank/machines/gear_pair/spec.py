"""The spec of a gear pair: two involute gears on shafts, spur or helical, the wheel also internal.

Refused is what makes the machine impossible or an option useless. Whether its gears can be cut and
run is a finding of the geometry. Of its errors, an eccentricity is half the run-out; its direction
is an angle in the gear's own frame, in which a tooth of the pinion points to the mesh at zero.
"""

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Annotated, ClassVar, Literal

from flank.geometry.gear import Gear
from flank.geometry.gear_pair import GearPair
from flank.machines.error_kinds import (
    ARCSECOND,
    Counts,
    ErrorKind,
    Kinds,
    distance,
    tooth_thickness,
)
from flank.machines.gear_spec import MeshSpec, RackSpec
from flank.machines.machine_spec import OperationSpec, RatedSpec
from flank.machines.materials import MATERIALS_MEANING, MaterialSpec
from flank.machines.quantities import (
    DampingRatio,
    Fraction,
    Inertia,
    PositiveLength,
    TorsionalDamping,
    TorsionalStiffness,
    quantity,
)
from flank.machines.rating_spec import GearRatingSpec
from flank.machines.spec import Spec, key, optional
from flank.machines.wheel_spec import BodiedGearSpec, FlexibleSpec
from flank.texts import mm

AddedInertia = Annotated[float, quantity("kg*m^2", "kg*m^2", minimum=0.0)]

GEARS = ("pinion", "wheel")

KINDS: Kinds = {
    "pinion_eccentricity": ErrorKind("eccentricity of the pinion", (), 10e-6),
    "pinion_eccentricity_direction": ErrorKind(
        "direction of the pinion's eccentricity", (), 0.0, "rad", direction=True
    ),
    "wheel_eccentricity": ErrorKind("eccentricity of the wheel", (), 15e-6),
    "wheel_eccentricity_direction": ErrorKind(
        "direction of the wheel's eccentricity", (), 0.0, "rad", direction=True
    ),
    "pinion_thickness": ErrorKind(
        "tooth thickness of the pinion",
        (),
        20e-6,
        size=tooth_thickness("tooth thickness of the pinion", "pinion_gear"),
    ),
    "wheel_thickness": ErrorKind(
        "tooth thickness of the wheel",
        (),
        20e-6,
        size=tooth_thickness("tooth thickness of the wheel", "wheel_gear"),
    ),
    "centre_distance": ErrorKind(
        "centre distance", (), 20e-6, size=distance("centre distance", "pair.centre_distance")
    ),
    "misalignment": ErrorKind(
        "misalignment of the axes in the plane of action", (), 20 * ARCSECOND, "rad"
    ),
    "pinion_lead_slope": ErrorKind("lead slope of the pinion", (), 8e-6),
    "wheel_lead_slope": ErrorKind("lead slope of the wheel", (), 8e-6),
}
"""Tolerances are assumed: run-outs, thicknesses and leads of ground gears with a module of some
millimetres, the centre distance and the alignment of a housing bored in one setting (js7 of 150 mm
is ± 20 um)."""

Deviation = Annotated[float, quantity("m", "um", minimum=-0.5e-3, maximum=0.5e-3)]

VARYING = ("misalignment", "pinion_lead_slope", "wheel_lead_slope")
"""Errors that differ across the face."""


class PairGearSpec(BodiedGearSpec, FlexibleSpec):
    """One gear of the pair."""

    added_inertia: AddedInertia = key(
        "the moment of inertia of what turns rigidly with it, as hub and shaft",
        "0.002 kg*m^2",
        default=0.0,
    )
    pitch_deviations: tuple[Deviation, ...] = key(
        "material of the loaded flanks beyond their nominal place, tooth by tooth as they come "
        "into mesh, the tooth that points to the mesh at angle zero (of the wheel: the one that it "
        "pushes) first; of loaded and rolling gears",
        ["0 um", "3 um", "-2 um"],
        default=(),
    )
    profile_slopes: tuple[Deviation, ...] = key(
        "material at the tip of the loaded flanks beyond their nominal profile, falling to none at "
        "the root, one for all teeth or tooth by tooth; of loaded and rolling gears",
        ["4 um"],
        default=(),
    )

    def cross_checks(self) -> Iterable[str]:
        yield from super().cross_checks()
        for name, allowed in (("pitch_deviations", ()), ("profile_slopes", (1,))):
            count = len(getattr(self, name))
            if count not in (0, *allowed, self.teeth):
                yield (
                    f"{name} has {count} values, and the gear {self.teeth} teeth; give one for "
                    "every tooth"
                )
        if self.support.kind == "floating":
            yield "support.kind: a gear of a pair cannot float, nothing would carry it; use bearing"


class WheelSpec(PairGearSpec):
    """The driven gear."""

    internal: bool = key("whether it is a ring with teeth inside, around the pinion", default=False)


class ShaftSpec(Spec):
    """What connects a gear with the outer end of its shaft, where a motor or a load is."""

    stiffness: TorsionalStiffness | None = optional(
        "the torsional stiffness between gear and outer end; rigid if absent", "1e5 N*m/rad"
    )
    damping: TorsionalDamping = key("the torsional damping beside it", "2 N*m*s/rad", default=0.0)
    inertia: Inertia | None = optional(
        "the moment of inertia of what turns at the outer end, as a motor", "0.1 kg*m^2"
    )

    def cross_checks(self) -> Iterable[str]:
        if self.stiffness is None and self.damping > 0:
            yield "damping does nothing in a rigid shaft; give a stiffness too"
        if self.stiffness is not None and self.inertia is None:
            yield (
                "inertia is missing: what turns at the outer end of an elastic shaft has one, for "
                "example 'inertia: 0.1 kg*m^2'"
            )


class GearPairSpec(RatedSpec, kinds=KINDS):
    """A gear pair; the pinion drives. The properties give what a key left out stands for."""

    machine: Literal["gear-pair"] = key("the kind of machine", "gear-pair")
    rack: RackSpec = key("the basic rack of both gears")
    pinion: PairGearSpec = key("the driving gear, whichever of the two is larger")
    wheel: WheelSpec = key("the driven gear")
    centre_distance: PositiveLength | None = optional(
        "the distance of the axes; where the gears mesh without backlash if absent", "150 mm"
    )
    mesh: MeshSpec = key("how the teeth are modelled", default=MeshSpec())
    damping_ratio: DampingRatio | None = optional(
        "damping of the mesh as a share of the critical one of both gears turning against "
        "each other on the mean mesh stiffness, in place of mesh.damping; a rigid mesh has none",
        "5 percent",
    )
    restitution: Fraction | None = optional(
        "by how much an impulse turns the approach back where all contact was lost, in analyses of "
        "rolling gears; teeth come back as elastic bodies if absent",
        0.56,
    )
    restitution_acts_on: Literal["point", "gears"] | None = optional(
        "where that impulse acts: at the point that touches first, so that bodies which vibrate "
        "ring, or on both gears as if they were rigid; at the point if absent",
        "gears",
    )
    input_shaft: ShaftSpec = key("between what drives and the pinion", default=ShaftSpec())
    output_shaft: ShaftSpec = key("between the wheel and the load", default=ShaftSpec())
    rating: GearRatingSpec = key(
        "how the gears are made and used, for their rating by ISO 6336", default=GearRatingSpec()
    )
    materials: dict[str, MaterialSpec] = key(MATERIALS_MEANING, default={})
    operation: OperationSpec = key("the operating point")

    ratio_is: ClassVar[str] = "it follows from the teeth: wheel.teeth / pinion.teeth"

    @property
    def pinion_gear(self) -> Gear:
        return self.pinion.gear(self.rack)

    @property
    def wheel_gear(self) -> Gear:
        return self.wheel.gear(self.rack, self.wheel.internal)

    @property
    def face_width(self) -> float:
        """That both gears have in common."""
        return min(self.pinion.face_width, self.wheel.face_width)

    @cached_property
    def pair(self) -> GearPair:
        """Both gears without errors; ValueError where they have no line of action."""
        distance = self.centre_distance or 0.0
        return GearPair(self.pinion_gear, self.wheel_gear, distance, self.face_width)

    @property
    def counts(self) -> Counts:
        return {}

    def cross_checks(self) -> Iterable[str]:
        yield from self.material_problems(GEARS)
        yield from self._ring()
        yield from self._bodies()
        if self.mesh.model == "fe":
            yield from self.missing_rim()
        for name in GEARS:
            wheel: PairGearSpec = getattr(self, name)
            yield from wheel.flexible_problems(name, "mesh", self.mesh.model, wheel)
        if self.damping_ratio is not None and self.mesh.damping > 0:
            yield "damping_ratio and mesh.damping are both given; remove one of them"
        if self.restitution_acts_on is not None and self.restitution is None:
            yield "restitution_acts_on does nothing without a restitution; give one, as 0.56"
        crowned = self.pinion.crowning > 0 or self.wheel.crowning > 0
        slanted = any(getattr(self.errors, name) for name in VARYING)
        varies = crowned or slanted or self.rack.helix_angle > 0
        yield from self.mesh.too_few_slices("mesh", varies)
        if not self.damping_ratio:
            yield from self.mesh.idle_damping("mesh")
        yield from self.error_problems()

    def _ring(self) -> Iterator[str]:
        if self.wheel.internal and self.wheel.teeth <= self.pinion.teeth:
            yield (
                f"wheel.teeth is {self.wheel.teeth}; an internal wheel needs more teeth than the "
                f"pinion inside it, which has {self.pinion.teeth}"
            )

    def missing_rim(self) -> Iterator[str]:
        """Of finite elements: how far a ring gives way is decided by its rim."""
        if self.wheel.internal and self.wheel.body.rim_thickness is None:
            usual = mm(3.5 * self.rack.normal_module)
            yield (
                "wheel.body.rim_thickness is missing: finite elements of a ring need its rim, for "
                f"example 'rim_thickness: {usual}'"
            )

    def _bodies(self) -> Iterator[str]:
        for name, gear in zip(GEARS, (self.pinion_gear, self.wheel_gear), strict=True):
            block: PairGearSpec = getattr(self, name)
            for problem in block.body.problems(gear, block.face_width):
                yield f"{name}.body.{problem}"
