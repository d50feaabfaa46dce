"""Willis: how sun, ring, carrier and planets turn together.

    z_s (θ_s - θ_c) = -z_r (θ_r - θ_c) = -z_p (θ_p - θ_c)

and, without losses, the torques on the central members are in the ratio
T_s : T_r : T_c = z_s : z_r : -(z_s + z_r).
"""

from dataclasses import dataclass
from typing import NamedTuple

from flank.machines.planetary.parts import MEMBERS, Member


class Angles(NamedTuple):
    """Of sun, ring, carrier and every planet; speeds obey the same relations."""

    sun: float
    ring: float
    carrier: float
    planet: float

    def of(self, member: str) -> float:
        return float(getattr(self, member))


@dataclass(frozen=True)
class Willis:
    """Tooth numbers, and which member is held."""

    sun: int
    planet: int
    ring: int
    held: Member

    def angles(self, member: Member, angle: float) -> Angles:
        """All angles where one member stands at `angle` and the held one at zero."""
        s, r = self.sun, self.ring
        ratios = {  # z_s θ_s + z_r θ_r = (z_s + z_r) θ_c with one of them zero
            "sun": {"sun": 0.0, "ring": 1.0, "carrier": r / (s + r)},
            "ring": {"sun": 1.0, "ring": 0.0, "carrier": s / (s + r)},
            "carrier": {"sun": 1.0, "ring": -s / r, "carrier": 0.0},
        }[self.held]
        turn = angle / ratios[member]
        sun, ring, carrier = (ratios[name] * turn for name in MEMBERS)
        return Angles(sun, ring, carrier, carrier - (sun - carrier) * s / self.planet)

    def ratio(self, input: Member, output: Member) -> float:
        """θ_in / θ_out."""
        return 1.0 / self.angles(input, 1.0).of(output)

    def torques(self, member: Member, torque: float) -> dict[Member, float]:
        """On all central members in equilibrium, one of them known."""
        shares: dict[Member, float] = {
            "sun": self.sun,
            "ring": self.ring,
            "carrier": -(self.sun + self.ring),
        }
        return {name: torque * share / shares[member] for name, share in shares.items()}
