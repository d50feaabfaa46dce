"""Two involute gears in mesh: working angle and distance, path of contact, backlash, gaps.

The first gear is external; the second is external or internal (a ring around the first). With
R = r_b1 ± r_b2 (minus for a ring), e the unit vector towards the mesh (from the first gear to the
second, or from the ring's centre to its pinion's), β its direction and cos α = |R|/a, the gap
between two teeth on the flank s = ±1 along their common normal is, for any pose,

    g_s = R inv α - r_b1 ψ_b1 - r_b2 ψ_b2 - s [r_b1 (C_1 - β) ± r_b2 (C_2 - β')],

C the direction of the tooth, β' = β + π for an external second gear and β for a ring, and the
flank of the first gear is touched at the roll length

    ρ_1 = r_b1 [s (C_1 - β) + ψ_b1 + α]

from its base circle. s = +1: the first gear pushes when it turns counter-clockwise.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from flank.arrays import Floats
from flank.geometry.gear import Gear, inverse_involute, involute
from flank.geometry.tooth_outline import flank_start

Roll = TypeVar("Roll", float, Floats)
"""One roll length or many."""


@dataclass(frozen=True)
class GearPair:
    """Two gears that share module, pressure angle and helix, at a centre distance.

    Without `centre_distance` the gears stand where their nominal teeth have no backlash.
    """

    first: Gear
    second: Gear
    centre_distance: float = 0.0
    face_width: float = 0.0

    def __post_init__(self) -> None:
        if self.first.internal:
            raise ValueError("the first gear of a pair is the external one")
        if not self.centre_distance:
            object.__setattr__(self, "centre_distance", self.tight_centre_distance)

    @property
    def sign(self) -> int:
        """+1 for two external gears, -1 for a gear in a ring."""
        return self.second.sign

    @property
    def base_sum(self) -> float:
        """R = r_b1 ± r_b2."""
        return self.first.base_radius + self.sign * self.second.base_radius

    @property
    def signed_ratio(self) -> float:
        """θ_1/θ_2 about fixed centres."""
        return -self.sign * self.second.teeth / self.first.teeth

    @cached_property
    def tight_angle(self) -> float:
        """Working pressure angle without backlash, thickness deviations left out (Σx only)."""
        first, second = self.first, self.second
        teeth = first.teeth + self.sign * second.teeth
        shifts = first.profile_shift + second.profile_shift
        value = involute(first.pressure_angle)
        value += 2 * math.tan(first.normal_pressure_angle) * shifts / teeth
        return inverse_involute(value)

    @property
    def tight_centre_distance(self) -> float:
        return abs(self.base_sum) / math.cos(self.tight_angle)

    @cached_property
    def working_angle(self) -> float:
        """α_wt at the centre distance; ValueError where base circles leave no line of action."""
        cosine = abs(self.base_sum) / self.centre_distance
        if cosine >= 1:
            raise ValueError(
                f"at {self.centre_distance * 1e3:.4g} mm the base circles leave no line of action"
            )
        return math.acos(cosine)

    @property
    def working_radii(self) -> tuple[float, float]:
        """r_w of both gears."""
        cosine = math.cos(self.working_angle)
        return self.first.base_radius / cosine, self.second.base_radius / cosine

    @property
    def base_pitch(self) -> float:
        return self.first.base_pitch

    @property
    def action_length(self) -> float:
        """Between the points where the line of action touches the base circles, a sin α."""
        return self.centre_distance * math.sin(self.working_angle)

    def second_roll(self, roll: Roll) -> Roll:
        """Roll length on the second gear where the first is touched at `roll`."""
        if self.sign > 0:
            return self.action_length - roll
        return self.action_length + roll

    @cached_property
    def path(self) -> tuple[float, float]:
        """Roll lengths on the first gear between which the flanks touch on the line of action.

        From the tip of the second gear to that of the first, as far as there is flank.
        """
        first, second = self.first, self.second
        start = self.sign * (self.action_length - second.edge_roll_length)
        end = first.edge_roll_length
        if self.sign > 0:
            end = min(end, self.action_length - flank_start(second))
        return max(start, flank_start(first)), end

    @property
    def contact_ratio(self) -> float:
        """Transverse contact ratio ε_α."""
        start, end = self.path
        return (end - start) / self.base_pitch

    @property
    def overlap_ratio(self) -> float:
        """ε_β = b tan β_b / p_b."""
        return self.face_width * math.tan(self.first.base_helix_angle) / self.base_pitch

    @property
    def total_contact_ratio(self) -> float:
        return self.contact_ratio + self.overlap_ratio

    @cached_property
    def normal_backlash(self) -> float:
        """j along the line of action, transverse: both gaps of a tooth in its space together."""
        first, second = self.first, self.second
        closed = first.base_radius * first.base_half_angle
        closed += second.base_radius * second.base_half_angle
        opening = self.base_sum * involute(self.working_angle)
        return 2 * (opening - closed) + self.base_pitch

    @property
    def circumferential_backlash(self) -> float:
        """j_wt on the working circles."""
        return self.normal_backlash / math.cos(self.working_angle)

    def gap(self, flank: int, first: float, second: float, direction: float = 0.0) -> float:
        """g_s of the teeth that stand at the angles `first` and `second` in space."""
        a, b = self.first, self.second
        other = direction + (math.pi if self.sign > 0 else 0.0)
        phase = a.base_radius * (first - direction)
        phase += self.sign * b.base_radius * (second - other)
        open_by = self.base_sum * involute(self.working_angle)
        open_by -= a.base_radius * a.base_half_angle + b.base_radius * b.base_half_angle
        return open_by - flank * phase

    def roll(self, flank: int, first: float, direction: float = 0.0) -> float:
        """ρ_1 of the tooth of the first gear that stands at the angle `first`."""
        gear = self.first
        return gear.base_radius * (
            flank * (first - direction) + gear.base_half_angle + self.working_angle
        )
