"""A power of the penetration: Palmgren's law, Hertz's of a point contact, or a user's penalty."""

import math
from dataclasses import dataclass

from flank.contact.declare import Field, ForceLaw
from flank.elasticity.line_contact import Cylinder, DeepBody, palmgren_stiffness
from flank.kernel import kernel

PALMGREN_EXPONENT = 10 / 9


@dataclass(frozen=True)
class PowerLaw:
    """F = `stiffness` δ^`exponent`, stiffness in N/m^exponent."""

    stiffness: float
    exponent: float = 1.5

    def __post_init__(self) -> None:
        if not 0 < self.stiffness < math.inf:
            raise ValueError(f"a contact stiffness of {self.stiffness:g} must be positive")
        if not self.exponent >= 1:
            raise ValueError(
                f"a contact exponent of {self.exponent:g} makes the first touch infinitely stiff; "
                "give 1 or more, 1.5 for Hertz"
            )

    def in_series(self, _radius: float, other: "PowerLaw", _other_radius: float) -> "PowerLaw":
        """δ = δ1 + δ2 under one force: K = (K1^(-1/n) + K2^(-1/n))^(-n)."""
        n = self.exponent
        return PowerLaw((self.stiffness ** (-1 / n) + other.stiffness ** (-1 / n)) ** -n, n)

    def slanted(self, angle: float) -> "PowerLaw":
        """Law in the radial plane of a roller whose contacts are tilted by `angle`."""
        return PowerLaw(self.stiffness * math.cos(angle) ** (self.exponent + 1), self.exponent)


@kernel(internal=True)
def _force(contact, depth, _curvature):
    """F = K δ^n."""
    n = contact.power_exponent
    scale = contact.power_stiffness * depth ** (n - 1.0)
    return scale * depth, n * scale, scale * depth * depth / (n + 1.0)


def palmgren(
    first: Cylinder | DeepBody, second: Cylinder | DeepBody, length: float, *_: object
) -> PowerLaw:
    """The law that specs call palmgren, of two bodies that touch along `length`."""
    return PowerLaw(palmgren_stiffness(first.material, second.material, length), PALMGREN_EXPONENT)


def penalty(
    _first: object, _second: object, _length: float, stiffness: float, exponent: float
) -> PowerLaw:
    """The law that specs call penalty."""
    return PowerLaw(stiffness, exponent)


POWER = ForceLaw(
    name="power",
    fields=(Field("stiffness", "N/m^n"), Field("exponent", "n")),
    parameters=PowerLaw,
    force=_force,
)
