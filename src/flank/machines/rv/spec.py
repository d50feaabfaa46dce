"""The spec of an RV reducer: sun and planets, cranks, cycloid discs, pins, carrier."""

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, ClassVar, Literal

from flank.elasticity.finite_elements.elastic_ring import RingBody
from flank.machines.crank_reducer.parts import BearingFrictionSpec, DiscsSpec, FirstStageSpec
from flank.machines.crank_reducer.rules import Toothing
from flank.machines.crank_reducer.spec import CRANK_KINDS, MATERIAL_BLOCKS, CrankReducerSpec
from flank.machines.error_kinds import ARCSECOND, Counts, ErrorKind, Kinds
from flank.machines.flank_profile import FlankProfileSpec
from flank.machines.pin_spec import PinReducerSpec, PinRingSpec, pin_kinds
from flank.machines.quantities import (
    MOST_PINS,
    Coefficient,
    Deviation,
    PositiveLength,
    WholeNumber,
)
from flank.machines.spec import key, optional

PROFILE_KINDS: Kinds = {
    "equidistant": ErrorKind("equidistant modification of {}", ("disc",), 3e-6),
    "radial": ErrorKind("radial modification of {}", ("disc",), 3e-6),
    "angular": ErrorKind("rotation of the profile on {}", ("disc",), 10 * ARCSECOND, "rad"),
    "flank_x": ErrorKind("run-out along x of the flank of {}, with its wobble", ("disc",), 5e-6),
    "flank_y": ErrorKind("run-out along y of the flank of {}, with its wobble", ("disc",), 5e-6),
}
"""x points from the middle of a disc's holes to that of crank 1. A disc that wobbles, its holes not
square to it, carries its flank off by the lean times what lies between its middle and that of its
bearings; it is told as the run-out that it is."""

KINDS: Kinds = {
    **CRANK_KINDS,
    **pin_kinds(radius=1e-6, place=4e-6),
    **PROFILE_KINDS,
}


class RvPinsSpec(PinRingSpec):
    """The ring of pins in the housing."""

    loose_mounting: ClassVar[str] = "floating"

    count: Annotated[int, WholeNumber(minimum=4, most=MOST_PINS)] = key("the number of pins", 40)
    mounting: Literal["fixed", "floating"] = key(
        "pins fixed, or floating in grooves", default="fixed"
    )


class RvDiscsSpec(FlankProfileSpec, DiscsSpec):
    """The cycloid discs, evenly spread in phase."""

    contact_depth: PositiveLength | None = optional(
        "the depth below the flank at which the body counts as rigid; "
        "the wall behind the root if absent",
        "10 mm",
    )
    equidistant: Deviation = key("equidistant modification, positive removes", "5 um", default=0.0)
    radial: Deviation = key("radial modification, positive removes", "5 um", default=0.0)


class RvFrictionSpec(BearingFrictionSpec):
    """Coulomb friction at every kind of contact."""

    pins: Coefficient = key("the coefficient between discs and pins", 0.05, default=0.0)
    grooves: Coefficient = key("the coefficient between pins and grooves", 0.05, default=0.0)


class RvReducerSpec(PinReducerSpec, CrankReducerSpec, kinds=KINDS):
    """An RV reducer; pins stand still, the carrier is the output."""

    machine: Literal["rv-reducer"] = key("the kind of machine", "rv-reducer")
    eccentricity: PositiveLength = key("the eccentricity of the cranks", "2.2 mm")
    pins: RvPinsSpec = key("the ring of pins")
    discs: RvDiscsSpec = key("the cycloid discs", default=RvDiscsSpec())
    first_stage: FirstStageSpec = key("sun and planets")
    friction: RvFrictionSpec = key("the friction", default=RvFrictionSpec())

    ratio_is: ClassVar[str] = (
        "it follows from pins.count and the first stage: "
        "1 + pins.count * first_stage.planet_teeth / first_stage.sun_teeth"
    )

    def cross_checks(self) -> Iterable[str]:
        circles = {"pins.circle_radius": self.pins.circle_radius}
        problems = [
            *self.material_problems(("pins", "pins.ring", *MATERIAL_BLOCKS)),
            *self.pins.circle_problems(self.eccentricity, circles),
            *self.modification_problems(),
        ]
        yield from problems
        yield from self.stage_problems()
        if problems:
            return
        yield from self.size_problems()
        yield from self._unused()
        yield from self.error_problems()

    def _unused(self) -> Iterator[str]:
        yield from self.unused_pin_problems()
        yield from self.discs.segment_problems(self.lobe_count)
        yield from self.friction_problems(self.pins.loose, "fixed pins and ")
        yield from self.unused_problems()

    @property
    def crank_ratio(self) -> float:
        return self.lobe_count

    @property
    def elastic_ring(self) -> RingBody | None:
        if self.pins.ring is None:
            return None
        return self.housing_ring(self.discs.count * self.dimensions.disc_width)

    @property
    def pressed_depth(self) -> float:
        """If the spec does not tell it, the wall behind the flank's root."""
        return self.discs.contact_depth or super().pressed_depth

    @property
    def toothing(self) -> Toothing:
        pins = self.pins
        return Toothing(
            ring_radius=pins.circle_radius,
            disc_radius=pins.circle_radius - pins.radius,
            root_radius=self.root_radius,
            split_radius=0.5 * (self.cranks.circle_radius + pins.circle_radius - pins.radius),
            eccentricity=self.eccentricity,
            ring_force=self._pins_resultant,
        )

    @property
    def _pins_resultant(self) -> float:
        """Of unmodified discs, over their torque: 1/(e z_c) across the crank, K_y/(e z_c) along it,
        K_y = (2/π)[1/K1 + (K1² - 1)/(2 K1²) ln((1 + K1)/(1 - K1))], pins being equally stiff."""
        k1 = self.eccentricity * self.pins.count / self.pins.circle_radius
        logarithm = math.log((1 + k1) / (1 - k1))
        along = 2 / math.pi * (1 / k1 + (k1**2 - 1) / (2 * k1**2) * logarithm)
        return math.hypot(1.0, along) / (self.eccentricity * self.lobe_count)

    @property
    def absent_errors(self) -> Mapping[str, str]:
        measured = PROFILE_KINDS if self.discs.measured else {}
        return {**super().absent_errors, **dict.fromkeys(measured, "with a measured profile")}

    @property
    def counts(self) -> Counts:
        return {**super().counts, "pin": self.pins.count}
