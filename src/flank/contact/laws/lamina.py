"""A roller in slices: each lamina follows Hertz's law of line contact on its own.

    F(δ) = (1/n) Σ_k F_line(δ - h - g_k + ψ x_k),      g_k = N P(x_k)

x_k are the middles of n laminae of equal length, P the roller's profile on each of its N contacts
that act in series, ψ the tilt between the races, F_line the force of the whole length. δ is counted
from the first touch, which a tilt moves by the `lead` h; who knows where the middle of the roller
is takes h off the clearance. Force, stiffness and energy are sums, so they belong together.

ISO 16281 slices in the same way, with the power 10/9 in place of Hertz's law, and asks for 30
laminae at least.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from flank.contact.declare import Field, ForceLaw
from flank.contact.laws.line import FLATTEST, line_contact
from flank.elasticity.line_contact import LineLaw
from flank.elasticity.roller_bearing import LAMINAE, lamina_places
from flank.elasticity.roller_profile import LOGARITHMIC, RollerProfile
from flank.kernel import kernel


@dataclass(frozen=True)
class LaminaLaw:
    """A line law of the whole roller; its profile, the drop counted on all contacts in series; the
    tilt between the races in rad."""

    line: LineLaw
    profile: RollerProfile
    tilt: float = 0.0

    @classmethod
    def of_roller(
        cls, line: LineLaw, profile: RollerProfile, contacts: int = 1, angle: float = 0.0
    ) -> Self:
        """With the drop of `contacts` that act in series, seen in the radial plane of a roller
        whose contacts are tilted by `angle`."""
        drop = contacts * profile.drop / math.cos(angle)
        return cls(line, RollerProfile(profile.shape, drop, profile.even))

    @property
    def constant(self) -> float:
        return self.line.constant

    @property
    def slope(self) -> float:
        return self.line.slope

    @property
    def length(self) -> float:
        return self.line.length

    @property
    def shape(self) -> int:
        return self.profile.shape

    @property
    def drop(self) -> float:
        return self.profile.drop

    @property
    def even(self) -> float:
        return self.profile.even

    @cached_property
    def lead(self) -> float:
        """h in m: how much earlier a lamina touches than the roller's middle."""
        places = lamina_places(self.length)
        along = self.tilt * places - self.profile.depth(2 * places / self.length)
        return max(float(along.max()), 0.0)


@kernel(internal=True)
def _profile(contact, place):
    """N P at s."""
    if contact.lamina_shape != LOGARITHMIC:
        return contact.lamina_drop * place * place
    beyond = abs(place) - contact.lamina_even
    if beyond <= 0.0:
        return 0.0
    beyond /= 1.0 - contact.lamina_even
    return -contact.lamina_drop * math.log1p(-beyond * beyond)


@kernel(internal=True)
def _force(contact, depth, curvature):
    """A roller that is not tilted has two equal halves."""
    curvature = max(curvature, FLATTEST)
    share = contact.lamina_length / LAMINAE
    count = LAMINAE
    if contact.lamina_tilt == 0.0:
        count = LAMINAE // 2
        share *= 2.0
    force = 0.0
    stiffness = 0.0
    energy = 0.0
    for k in range(count):
        place = (2.0 * k + 1.0) / LAMINAE - 1.0
        local = depth - contact.lamina_lead - _profile(contact, place)
        local += 0.5 * contact.lamina_tilt * place * contact.lamina_length
        if local > 0.0:
            more_force, more_stiffness, more_energy = line_contact(
                local, contact.lamina_constant, contact.lamina_slope, share, curvature
            )
            force += more_force
            stiffness += more_stiffness
            energy += more_energy
    return force, stiffness, energy


LAMINA = ForceLaw(
    name="lamina",
    fields=(
        Field("constant", "1/Pa, P of the line law without the relative radius"),
        Field("slope", "1/Pa, Q of the line law"),
        Field("length", "m"),
        Field("shape", "number of the profile", np.int64),
        Field("drop", "m, c of the profile on all contacts in series"),
        Field("even", "share of the length that is cylindrical"),
        Field("tilt", "rad, between the races"),
        Field("lead", "m, by which the first lamina touches before the middle"),
    ),
    parameters=LaminaLaw,
    force=_force,
)
