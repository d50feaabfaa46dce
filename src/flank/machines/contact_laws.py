"""From a spec's contact block and the bodies' shapes to the force law of one contact."""

import functools
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from typing import Protocol, Self

from flank.contact import STEEL_RATIO, Damping, Friction
from flank.elasticity.line_contact import Cylinder, DeepBody, LineLaw
from flank.machines.contact_spec import ContactSpec, DampingForm, FrictionForm


class RollerLaw(Protocol):
    """A law that a rolling element may have."""

    def slanted(self, angle: float) -> Self: ...


class PairLaw(Protocol):
    """A law that two bodies may have."""

    def in_series(self, radius: float, other: Self, other_radius: float) -> RollerLaw: ...


def pair_law(
    contact: ContactSpec, first: Cylinder | DeepBody, second: Cylinder | DeepBody, length: float
) -> PairLaw:
    """Law of two bodies that touch along `length`."""
    make = _maker(contact.choice.maker)
    law: PairLaw = make(first, second, length, contact.stiffness, contact.exponent)
    return law


def softened(law: PairLaw, compliance: float) -> PairLaw:
    """With what gives way behind the contact, 1/Pa over the load per length; of Hertz's law."""
    if not compliance:
        return law
    assert isinstance(law, LineLaw)  # specs refuse it beside others
    return replace(law, constant=law.constant + compliance)


@functools.cache
def _maker(place: str) -> Callable[..., PairLaw]:
    """Every contact of a machine asks for it."""
    module, _, name = place.partition(".")
    make: Callable[..., PairLaw] = getattr(import_module(f"flank.contact.laws.{module}"), name)
    return make


def needle_law(
    contact: ContactSpec, inner: Cylinder, needle: Cylinder, outer: Cylinder, length: float
) -> RollerLaw:
    """Law of a needle squeezed between an inner race and the wall of a bore."""
    inner_radius = 1 / (1 / inner.radius + 1 / needle.radius)
    outer_radius = 1 / (1 / needle.radius - 1 / outer.radius)
    first = pair_law(contact, inner, needle, length)
    return first.in_series(inner_radius, pair_law(contact, needle, outer, length), outer_radius)


class HasDamping(Protocol):
    """A block of contacts."""

    @property
    def damping(self) -> float: ...
    @property
    def damping_form(self) -> DampingForm | None: ...


def damping_law(contact: HasDamping) -> Damping:
    """Damping of every contact of a block."""
    return Damping(contact.damping, contact.damping_form or "hunt-crossley")


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
