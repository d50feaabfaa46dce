"""An elastic foundation: springs side by side along the flank."""

import math
from dataclasses import dataclass

from flank.contact.declare import Field, ForceLaw
from flank.contact.laws.line import FLATTEST
from flank.contact.laws.power import PowerLaw
from flank.kernel import kernel


@dataclass(frozen=True)
class FoundationLaw:
    """Elastic foundation along the flank, `stiffness` in N/m² (per penetration and arc length)."""

    stiffness: float

    def in_series(self, radius: float, other: "FoundationLaw", other_radius: float) -> PowerLaw:
        """A foundation has no meaning across a whole needle; its contacts act as power laws."""
        return self.at_radius(radius).in_series(radius, other.at_radius(other_radius), other_radius)

    def at_radius(self, radius: float) -> PowerLaw:
        """What it is where the relative radius is constant."""
        return PowerLaw(4 / 3 * self.stiffness * (2 * radius) ** 0.5, 1.5)


@kernel(internal=True)
def _force(contact, depth, curvature):
    """F = k ∫(δ - s²/2ρ) ds = (4/3) k √(2ρ) δ^(3/2), the limit of the area integral on a polyline.

    k in N/m² (force per penetration and arc length).
    """
    flat = math.sqrt(2.0 / max(curvature, FLATTEST))
    scale = 4.0 / 3.0 * contact.foundation_stiffness * flat
    root = math.sqrt(depth)
    return scale * depth * root, 1.5 * scale * root, 0.4 * scale * depth * depth * root


@kernel(internal=True)
def _by_curvature(_contact, force, _stiffness, energy, curvature):
    """U and F go with κ^(-1/2)."""
    return -0.5 * energy / curvature, -0.5 * force / curvature


@kernel(internal=True)
def _over_area(contact, area, width, moment):
    """k ∫δ ds, k ∫ds and k ∫δ²/2 ds."""
    stiffness = contact.foundation_stiffness
    return stiffness * area, stiffness * width, stiffness * moment


def foundation_law(
    _first: object, _second: object, _length: float, stiffness: float, _exponent: None
) -> FoundationLaw:
    """The law that specs call foundation."""
    return FoundationLaw(stiffness)


FOUNDATION = ForceLaw(
    name="foundation",
    fields=(Field("stiffness", "N/m²"),),
    parameters=FoundationLaw,
    force=_force,
    by_curvature=_by_curvature,
    over_area=_over_area,
)
