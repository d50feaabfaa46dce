"""How the members of a planetary gearbox turn together and what torques balance on them.

Turning is Willis' (geometry/willis.py). Without losses the torques on the central members are in
the ratio T_s : T_r : T_c = z_s : z_r : -(z_s + z_r).
"""

from dataclasses import dataclass
from typing import NamedTuple

from flank.geometry.willis import Member, ToothNumbers, ratio, speeds


class Angles(NamedTuple):
    """Of sun, ring, carrier and every planet."""

    sun: float
    ring: float
    carrier: float
    planet: float

    def of(self, member: Member) -> float:
        return float(getattr(self, member))


@dataclass(frozen=True)
class Kinematics:
    """Tooth numbers, and which member is held."""

    teeth: ToothNumbers
    held: Member

    def angles(self, member: Member, angle: float) -> Angles:
        """All angles where one member stands at `angle` and the held one at zero."""
        return Angles(*map(float, speeds(self.teeth, {self.held: 0.0, member: float(angle)})))

    def ratio(self, driver: Member, driven: Member) -> float:
        """θ_in / θ_out."""
        return float(ratio(self.teeth, driver, driven))

    def torques(self, member: Member, torque: float) -> dict[Member, float]:
        """On all central members in equilibrium, one of them known."""
        sun, ring = self.teeth.sun, self.teeth.ring
        shares: dict[Member, float] = {"sun": sun, "ring": ring, "carrier": -(sun + ring)}
        return {name: torque * share / shares[member] for name, share in shares.items()}
