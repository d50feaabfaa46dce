"""From a spec's contact block and the bodies' shapes to the force law of one contact."""

import math

from flank.contact.describe import STEEL_RATIO, FoundationLaw, Friction, Law, PowerLaw
from flank.elasticity.line_contact import (
    Cylinder,
    DeepBody,
    LineLaw,
    in_series,
    line_law,
    palmgren_stiffness,
)
from flank.machines.contact_spec import ContactSpec, FrictionForm

PALMGREN_EXPONENT = 10 / 9


def pair_law(
    contact: ContactSpec, first: Cylinder | DeepBody, second: Cylinder | DeepBody, length: float
) -> Law:
    """Law of two bodies that touch along `length`."""
    if contact.law == "hertz":
        return line_law(first, second, length)
    if contact.law == "palmgren":
        stiffness = palmgren_stiffness(first.material, second.material, length)
        return PowerLaw(stiffness, PALMGREN_EXPONENT)
    assert contact.stiffness is not None  # the spec refuses these laws without it
    if contact.law == "foundation":
        return FoundationLaw(contact.stiffness)
    assert contact.exponent is not None
    return PowerLaw(contact.stiffness, contact.exponent)


def needle_law(
    contact: ContactSpec, inner: Cylinder, needle: Cylinder, outer: Cylinder, length: float
) -> Law:
    """Law of a needle squeezed between an inner race and the wall of a bore.

    A foundation has no meaning across a whole needle; its two contacts act as their power laws.
    """
    inner_radius = 1 / (1 / inner.radius + 1 / needle.radius)
    outer_radius = 1 / (1 / needle.radius - 1 / outer.radius)
    first = pair_law(contact, inner, needle, length)
    second = pair_law(contact, needle, outer, length)
    if isinstance(first, LineLaw) and isinstance(second, LineLaw):
        return in_series(first, inner_radius, second, outer_radius)
    return power_in_series(_as_power(first, inner_radius), _as_power(second, outer_radius))


def slanted(law: Law, angle: float) -> Law:
    """Law in the radial plane of a roller whose contacts are tilted by `angle` (a tapered one).

    A radial shift d presses the roller by d cos α, and of its force Q the part Q cos α is radial.
    """
    cosine = math.cos(angle)
    if isinstance(law, LineLaw):
        constant = (law.constant + law.slope * math.log(cosine)) / cosine**2
        return LineLaw(constant, law.slope / cosine**2, law.length)
    assert isinstance(law, PowerLaw)
    return PowerLaw(law.stiffness * cosine ** (law.exponent + 1), law.exponent)


def power_in_series(first: PowerLaw, second: PowerLaw) -> PowerLaw:
    """δ = δ1 + δ2 under one force: K = (K1^(-1/n) + K2^(-1/n))^(-n)."""
    n = first.exponent
    return PowerLaw((first.stiffness ** (-1 / n) + second.stiffness ** (-1 / n)) ** -n, n)


def friction_law(
    friction: FrictionForm, coefficient: float, tangential_ratio: float = STEEL_RATIO
) -> Friction:
    """Friction of one contact; the elastic form goes by elasticity.material.tangential_ratio."""
    return Friction(coefficient, friction.full_velocity, friction.form, tangential_ratio)


def loose_friction(friction: FrictionForm, coefficient: float) -> Friction:
    """Friction of a body that floats or rolls between others, by sliding velocity in any form.

    Rolling, it has none to count at rest; what it had at rest would be what assembly, not load,
    did.
    """
    form = "linear" if friction.form == "linear" else "smooth"
    return Friction(coefficient, friction.full_velocity, form)


def _as_power(law: Law, relative_radius: float) -> PowerLaw:
    if isinstance(law, FoundationLaw):
        return PowerLaw(4 / 3 * law.stiffness * (2 * relative_radius) ** 0.5, 1.5)
    assert isinstance(law, PowerLaw)
    return law
