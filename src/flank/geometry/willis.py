"""Speeds in a planetary gear by its tooth numbers (Willis), exact where speeds are fractions.

    Z_s ω_s + Z_r ω_r = (Z_s + Z_r) ω_c,
    (ω_p - ω_c) Z_p = -(ω_s - ω_c) Z_s = (ω_r - ω_c) Z_r.

Speeds and angles alike; those of planets are seen from outside, not from the carrier.
"""

from fractions import Fraction
from typing import Literal, NamedTuple

Member = Literal["sun", "ring", "carrier"]
MEMBERS: tuple[Member, ...] = ("sun", "ring", "carrier")

Speed = Fraction | int | float


class ToothNumbers(NamedTuple):
    """Z_s, Z_p, Z_r of a planetary gear with one planet between sun and ring."""

    sun: int
    planet: int
    ring: int


class Speeds(NamedTuple):
    """Of all members, in the unit of those that were given."""

    sun: Speed
    ring: Speed
    carrier: Speed
    planet: Speed


def speeds(teeth: ToothNumbers, known: dict[Member, Speed]) -> Speeds:
    """All speeds from the two that are known; a held member is one of speed zero."""
    if len(known) != 2 or not set(known) <= set(MEMBERS):
        raise ValueError(f"two of {', '.join(MEMBERS)} must be known, not {', '.join(known)}")
    weights = {"sun": teeth.sun, "ring": teeth.ring, "carrier": -(teeth.sun + teeth.ring)}
    missing = next(member for member in MEMBERS if member not in known)
    balance: Speed = sum(weights[member] * _exact(speed) for member, speed in known.items())
    members = {**known, missing: _exact(balance) / -weights[missing]}
    sun, ring, carrier = (_exact(members[member]) for member in MEMBERS)
    planet = carrier - (sun - carrier) * teeth.sun / teeth.planet
    return Speeds(sun, ring, carrier, planet)


def ratio(teeth: ToothNumbers, driver: Member, driven: Member) -> Fraction:
    """Speed of the driver over that of the driven member, the third one held."""
    held = next(member for member in MEMBERS if member not in (driver, driven))
    relative = speeds(teeth, {held: Fraction(0), driven: Fraction(1)})
    return Fraction(getattr(relative, driver))


def mesh_frequency(teeth: ToothNumbers, sun: Speed, carrier: Speed) -> Speed:
    """Z_s |ω_s - ω_c|: teeth per time for turns per time, a circular frequency for rad/s."""
    return teeth.sun * max(sun - carrier, carrier - sun)


def _exact(speed: Speed) -> Fraction | float:
    return Fraction(speed) if isinstance(speed, int) else speed
