"""One involute gear, external or internal, spur or helical, by the names of ISO 21771.

Lengths and angles are those of the transverse plane unless a name says `normal`. An internal gear
has a positive number of teeth here; its profile shift has the sign of ISO 21771, where a negative
x moves the teeth of a ring outward, away from its axis.

A tooth is centred on the x axis of the gear's frame. At the radius r it reaches to either side by

    ψ(r) = ψ_b - inv α(r) outside,   ψ(r) = ψ_b + inv α(r) inside,   cos α(r) = r_b / r,
    ψ_b  = (π/2 + 2 x tan α_n)/z ± inv α_t + (deviation of thickness)/(2 r).
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property

EXTERNAL, INTERNAL = 1, -1
"""How tooth numbers and base radii count in formulas for both kinds of pairs."""


def involute(angle: float) -> float:
    """inv α = tan α - α."""
    return math.tan(angle) - angle


def inverse_involute(value: float) -> float:
    """α in (0, π/2) whose involute is `value`; Newton on tan α - α, quadratic from above."""
    if value <= 0:
        raise ValueError(f"inv α must be positive, not {value:.4g}")
    angle = min(math.pow(3 * value, 1 / 3), math.atan(value + 0.5 * math.pi))
    for _ in range(60):
        step = (involute(angle) - value) / math.tan(angle) ** 2
        angle -= step
        if abs(step) < 1e-16:
            break
    return angle


@dataclass(frozen=True)
class Relief:
    """`amount` taken off at the tip, from `length` of roll before it, as a power; at the root the
    same from where the active flank begins."""

    amount: float
    length: float
    exponent: float = 2.0


@dataclass(frozen=True)
class Gear:
    """An involute gear; heights are multiples of the normal module, as on the basic rack."""

    teeth: int
    normal_module: float
    normal_pressure_angle: float
    profile_shift: float = 0.0  # x, ISO 21771 sign
    internal: bool = False
    helix_angle: float = 0.0  # β at the reference cylinder, magnitude
    addendum: float = 1.0  # h_aP*
    dedendum: float = 1.25  # h_fP*
    fillet_radius: float = 0.38  # ρ_fP*, of the rack's tip
    tip_shortening: float = 0.0  # k*, taken off the tip, multiples of the normal module
    thickness_deviation: float = 0.0  # of the tooth at the reference circle, m; negative: thinner
    edge_radius: float = 0.0  # rounding between flank and tip, m
    relief: Relief | None = None  # at the tip
    root_relief: Relief | None = None
    crowning: float = 0.0  # taken off at both ends of the face, m
    held_radius: float | None = None  # where the body is held: bore, or outside of a ring, m

    @property
    def sign(self) -> int:
        return INTERNAL if self.internal else EXTERNAL

    @cached_property
    def transverse_module(self) -> float:
        return self.normal_module / math.cos(self.helix_angle)

    @cached_property
    def pressure_angle(self) -> float:
        """α_t at the reference circle, transverse."""
        return math.atan(math.tan(self.normal_pressure_angle) / math.cos(self.helix_angle))

    @cached_property
    def reference_radius(self) -> float:
        return 0.5 * self.teeth * self.transverse_module

    @cached_property
    def base_radius(self) -> float:
        return self.reference_radius * math.cos(self.pressure_angle)

    @property
    def base_helix_angle(self) -> float:
        """β_b."""
        return math.asin(math.sin(self.helix_angle) * math.cos(self.normal_pressure_angle))

    @cached_property
    def tip_radius(self) -> float:
        height = self.profile_shift + self.addendum - self.tip_shortening
        return self.reference_radius + self.sign * self.normal_module * height

    @cached_property
    def root_radius(self) -> float:
        height = self.profile_shift - self.dedendum
        return self.reference_radius + self.sign * self.normal_module * height

    def with_tip_radius(self, radius: float) -> "Gear":
        """The same gear turned, or bored, to another tip circle."""
        return replace(
            self,
            tip_shortening=self.tip_shortening
            + self.sign * (self.tip_radius - radius) / self.normal_module,
        )

    @property
    def pitch_angle(self) -> float:
        """Between neighbouring teeth, 2π/z."""
        return 2 * math.pi / self.teeth

    @property
    def base_pitch(self) -> float:
        """p_b, transverse."""
        return self.pitch_angle * self.base_radius

    @cached_property
    def base_half_angle(self) -> float:
        """ψ_b, half the angle of a tooth on the base circle; below zero where flanks cross."""
        shift = 2 * self.profile_shift * math.tan(self.normal_pressure_angle)
        at_reference = (0.5 * math.pi + shift) / self.teeth
        thinner = 0.5 * self.thickness_deviation / self.reference_radius
        return at_reference + thinner + self.sign * involute(self.pressure_angle)

    def pressure_angle_at(self, radius: float) -> float:
        """α(r); zero below the base circle."""
        return math.acos(min(self.base_radius / radius, 1.0))

    def half_angle(self, radius: float) -> float:
        """ψ(r), half the angle that a tooth covers at a radius."""
        return self.base_half_angle - self.sign * involute(self.pressure_angle_at(radius))

    def thickness(self, radius: float) -> float:
        """Of a tooth along the circle of that radius."""
        return 2 * radius * self.half_angle(radius)

    def roll_length(self, radius: float) -> float:
        """ρ = √(r² - r_b²): along the flank's normal, from the base circle to the flank."""
        return math.sqrt(max(radius**2 - self.base_radius**2, 0.0))

    @cached_property
    def edge_roll_length(self) -> float:
        """Where the flank ends at the tip and the rounding of its edge begins."""
        centre = self.tip_radius - self.sign * self.edge_radius
        return self.roll_length(centre) + self.sign * self.edge_radius

    @cached_property
    def edge_centre(self) -> tuple[float, float]:
        """Radius, and angle from the middle of the tooth, of the centre of an edge's rounding."""
        roll = self.edge_roll_length
        centre_roll = roll - self.sign * self.edge_radius
        turn = math.atan(centre_roll / self.base_radius) - roll / self.base_radius
        return math.hypot(self.base_radius, centre_roll), self.base_half_angle + self.sign * turn

    def relieved(self, roll: float) -> float:
        """How much tip relief takes off the flank at a roll length, normal to it."""
        if self.relief is None:
            return 0.0
        past = self.sign * (roll - self.edge_roll_length) + self.relief.length
        share = max(past / self.relief.length, 0.0)
        return self.relief.amount * math.pow(share, self.relief.exponent)

    def root_relieved(self, roll: float, start: float) -> float:
        """How much root relief takes off, where the active flank begins at a roll length `start`:
        a mate's tip touches it there."""
        if self.root_relief is None:
            return 0.0
        past = self.root_relief.length - self.sign * (roll - start)
        share = max(past / self.root_relief.length, 0.0)
        return self.root_relief.amount * math.pow(share, self.root_relief.exponent)
