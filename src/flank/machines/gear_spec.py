"""How a spec names an involute gear and its mesh, by the words of ISO 21771."""

import math
from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator

from flank.elasticity.tooth_foundation import Foundation
from flank.geometry.gear import Gear, Relief
from flank.machines.quantities import (
    Coefficient,
    Damping,
    Deviation,
    Length,
    Number,
    PositiveLength,
    Stiffness,
    WholeNumber,
    quantity,
)
from flank.machines.spec import Spec, key, optional

EDGE_RADIUS = 0.02
"""Rounding of a tip's edge in normal modules, where a spec gives none."""

MOST_TEETH = 2000
"""On one wheel: of module 1 mm it is 2 m large."""

PressureAngle = Annotated[float, quantity("rad", "deg", minimum=0.17, maximum=0.53)]
HelixAngle = Annotated[float, quantity("rad", "deg", minimum=0.0, maximum=0.79)]
ToothCount = Annotated[int, WholeNumber(minimum=4, maximum=MOST_TEETH)]
NonNegativeLength = Annotated[float, quantity("m", "mm", minimum=0.0)]
NonNegativeDeviation = Annotated[float, quantity("m", "um", minimum=0.0)]


class RackSpec(Spec):
    """The basic rack that all gears of a mesh share."""

    normal_module: PositiveLength = key("the normal module m_n; for spur gears the module", "2 mm")
    normal_pressure_angle: PressureAngle = key(
        "the normal pressure angle α_n", "20 deg", default=math.radians(20)
    )
    helix_angle: HelixAngle = key(
        "the helix angle β at the reference cylinder; zero for spur gears", "15 deg", default=0.0
    )
    addendum: Coefficient = key("the addendum h_aP of the rack over the module", default=1.0)
    dedendum: Coefficient = key("the dedendum h_fP of the rack over the module", default=1.25)
    fillet_radius: Coefficient = key("the fillet radius ρ_fP over the module", default=0.38)


class TipReliefSpec(Spec):
    """Material taken off the flank towards the tip."""

    amount: NonNegativeDeviation = key("the relief at the tip", "20 um")
    length: PositiveLength = key("roll length over which it reaches down the flank", "3 mm")
    exponent: Annotated[float, quantity("", "", minimum=1.0)] = key(
        "1 for a straight relief, 2 for a parabola", 2, default=2.0
    )


class RootReliefSpec(Spec):
    """Material taken off the flank towards the root."""

    amount: NonNegativeDeviation = key("the relief where the active flank begins", "20 um")
    length: PositiveLength = key("roll length over which it reaches up the flank", "3 mm")
    exponent: Annotated[float, quantity("", "", minimum=1.0)] = key(
        "1 for a straight relief, 2 for a parabola", 2, default=2.0
    )


def relief_of(given: TipReliefSpec | RootReliefSpec | None) -> Relief | None:
    return None if given is None else Relief(given.amount, given.length, given.exponent)


class TeethSpec(Spec):
    """The teeth of one involute gear."""

    teeth: ToothCount = key("the number of teeth z", 35)
    profile_shift: Number = key(
        "the profile shift coefficient x with the sign of ISO 21771: on an internal "
        "gear a negative x moves the teeth outward",
        0.4,
        default=0.0,
    )
    tip_radius: PositiveLength | None = optional(
        "the radius of the tip circle; from rack and profile shift if absent", "40 mm"
    )
    thickness_deviation: Deviation = key(
        "deviation of the tooth thickness at the reference circle; negative for backlash",
        "-30 um",
        default=0.0,
    )
    edge_radius: NonNegativeLength | None = optional(
        "the rounding between flank and tip; 0.02 modules if absent", "0.1 mm"
    )
    tip_relief: TipReliefSpec | None = optional("tip relief")
    root_relief: RootReliefSpec | None = optional(
        "root relief, from where tips of the mate touch; flanks in space do not know it"
    )
    crowning: NonNegativeDeviation = key(
        "taken off the flank at both ends of the face", "5 um", default=0.0
    )
    material: str = key("the name of a material", default="steel")

    def gear(self, rack: RackSpec, internal: bool = False) -> Gear:
        """The gear as the geometry room knows it."""
        module = rack.normal_module
        edge = EDGE_RADIUS * module if self.edge_radius is None else self.edge_radius
        gear = Gear(
            self.teeth,
            module,
            rack.normal_pressure_angle,
            self.profile_shift,
            internal,
            rack.helix_angle,
            rack.addendum,
            rack.dedendum,
            rack.fillet_radius,
            0.0,
            self.thickness_deviation,
            edge,
            relief_of(self.tip_relief),
            relief_of(self.root_relief),
            self.crowning,
        )
        if self.tip_radius is None:
            return gear
        return gear.with_tip_radius(self.tip_radius)


class GearSpec(TeethSpec):
    """One involute gear."""

    face_width: PositiveLength = key("the face width b", "20 mm")


class CurvePoint(Spec):
    """A stiffness at a place of the path."""

    roll_length: Length = key("the roll length of the first gear", "26.3 mm")
    stiffness: Annotated[float, quantity("N/m", "N/m", minimum=0.0)] = key(
        "the stiffness there", "3e9 N/m"
    )


def _curve_points(given: Any) -> Any:
    """Takes `[[26.3 mm, 3e9 N/m], ...]`."""
    if not isinstance(given, Sequence) or isinstance(given, str):
        return given
    return [
        {"roll_length": point[0], "stiffness": point[1]}
        if isinstance(point, Sequence) and not isinstance(point, str) and len(point) == 2
        else point
        for point in given
    ]


class CurveSpec(Spec):
    """Stiffness of a mesh over its path, by hand."""

    of: Literal["mesh", "pair"] = key(
        "whose stiffness: of the mesh over one base pitch, all teeth together, or of one pair of "
        "teeth over its whole path, pairs sharing the load",
        default="mesh",
    )
    points: Annotated[tuple[CurvePoint, ...], BeforeValidator(_curve_points)] = key(
        "[roll length, stiffness] points in rising order, linear between",
        "[[26 mm, 4e9 N/m], [40 mm, 3e9 N/m]]",
        default=(),
    )
    file: str | None = optional(
        "a CSV file with the columns 'roll length' and 'stiffness', units in their headings, in "
        "place of points",
        "stiffness.csv",
    )
    step_width: PositiveLength | None = optional(
        "the length of path over which steps of the curve are spread; steps are refused if absent",
        "0.5 mm",
    )

    def cross_checks(self) -> Iterable[str]:
        if bool(self.points) == (self.file is not None):
            given = "both are given" if self.points else "none is given"
            yield f"points or file: {given}; give the curve by one of them"


class MeshSpec(Spec):
    """How the teeth of a mesh are modelled, from rigid to explicit contact.

    rigid: a constraint on the loaded flank. spring: constant stiffness along the line of action.
    curve: a stiffness of one's own over the path of contact. table: stiffness over the position of
    contact, tooth pair by tooth pair. contact: every pair of teeth near the mesh as explicit flanks
    and tip edges. fe: teeth and bodies of finite elements, the load shared among all teeth in mesh
    and across the face.
    """

    model: Literal["rigid", "spring", "curve", "table", "contact", "fe"] = key(
        "how the teeth are modelled, from a constraint to explicit contact and finite elements",
        default="table",
    )
    stiffness: Stiffness | None = optional(
        "the constant stiffness of 'spring'; the mean of the table if absent", "4e8 N/m"
    )
    curve: CurveSpec | None = optional("the stiffness of 'curve' over the path")
    damping: Damping = key(
        "damping along the line of action; a rigid mesh has none", "2e4 N*s/m", default=0.0
    )
    damping_acts: Literal["in contact", "always"] = key(
        "when the damping acts: in contact only, where it never makes teeth pull, or always, as in "
        "linear models; explicit contacts damp in contact",
        default="in contact",
    )
    separation: bool = key(
        "whether teeth part and have backlash; without it a 'spring' also pulls", default=True
    )
    tip_edge_contact: bool = key(
        "whether teeth that give way also touch with the edges of their tips, before and after "
        "the path of contact; can be switched off for 'table' and 'fe'",
        default=True,
    )
    foundation: Foundation | None = optional(
        "what teeth of 'table' stand on: a round body that they share, which is what holds if "
        "absent; or, for comparison, the ring of Sainsot or the half plane of Cornell, of each "
        "tooth alone",
        "sainsot",
    )
    slices: Annotated[int, WholeNumber(minimum=1, maximum=64)] | None = optional(
        "slices across the face; if absent 1 for spur gears without crowning (5 with 'fe'), else 9",
        9,
    )

    def too_few_slices(self, key: str, varies: bool) -> Iterable[str]:
        """A sentence if one slice stands for teeth that vary across the face."""
        if varies and self.slices == 1:
            yield (
                f"{key}.slices: 1 slice knows nothing of crowning, a helix or a slope, which "
                "change across the face; leave it out for 9, or name more"
            )

    def idle_damping(self, key: str) -> Iterable[str]:
        """A sentence if a damper is told when to act and has nothing to act with."""
        if self.damping_acts == "always" and self.damping == 0.0:
            yield (
                f"{key}.damping_acts does nothing without damping; give {key}.damping, or remove it"
            )

    @property
    def tooth_foundation(self) -> Foundation:
        """The foundation, given or not."""
        return self.foundation or "round-body"

    def cross_checks(self) -> Iterable[str]:
        if self.foundation is not None and self.model != "table":
            yield f"foundation does nothing with the model '{self.model}'; remove it"
        if self.stiffness is not None and self.model != "spring":
            yield f"stiffness does nothing with the model '{self.model}'; remove it"
        if not self.separation and self.model != "spring":
            yield f"separation can be switched off for 'spring' only, not for '{self.model}'"
        if self.damping_acts == "always" and self.model in ("rigid", "contact"):
            yield (
                f"damping_acts cannot be 'always' with the model '{self.model}'; use a spring, a "
                "curve, a table or finite elements"
            )
        if not self.tip_edge_contact and self.model not in ("table", "fe"):
            yield (
                "tip_edge_contact can be switched off for 'table' and 'fe' only, not for "
                f"'{self.model}'"
            )
        if self.slices is not None and self.model in ("rigid", "spring"):
            yield f"slices do nothing with the model '{self.model}'; remove them"
        yield from self._curve()

    def _curve(self) -> Iterable[str]:
        if self.curve is not None and self.model != "curve":
            yield f"curve does nothing with the model '{self.model}'; remove it"
        if self.curve is None and self.model == "curve":
            yield "curve is missing: the model 'curve' needs its points or file"
        if self.curve is not None and self.curve.of == "mesh" and self.slices is not None:
            yield "slices do nothing with the curve of a whole mesh; remove them"
