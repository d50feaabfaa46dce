"""Tooth numbers and planet counts that go together for a wanted ratio.

Gears without profile shift need Z_r = Z_s + 2 Z_p, as planets fill the room between sun and ring.
With fewer teeth in the planets, the centre distances of the unshifted meshes differ by

    d = (Z_r - Z_s)/2 - Z_p   modules,

which profile shift makes up. Planets that stand between the two, at (Z_s + Z_r)/4 modules, have
tips at about (Z_r - Z_s)/4 + 1 modules, and neighbours touch where 1 - 2/i = sin(π/N) for very
many teeth, i = 1 + Z_r/Z_s. So every ratio has a largest value for each number of planets.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from flank.geometry.planetary import (
    Modes,
    Phasing,
    assembles,
    excited_modes,
    phase_step,
    phasing,
)
from flank.geometry.willis import Member, ToothNumbers, ratio

DRIVES: dict[Member, tuple[Member, Member]] = {
    "ring": ("sun", "carrier"),
    "sun": ("ring", "carrier"),
    "carrier": ("sun", "ring"),
}
"""Faster and slower member by the one that is held."""


@dataclass(frozen=True)
class Search:
    """What is looked for; the ratio is that of the faster over the slower member, without sign."""

    ratio: float
    held: Member = "ring"
    planets: tuple[int, ...] = (3, 4, 5)
    tolerance: float = 0.02  # part of the ratio
    least_teeth: int = 12  # of sun and planets
    most_sun_teeth: int = 60
    most_ring_teeth: int = 200
    shift: float = 0.5  # largest d, modules
    clearance: float = 0.0  # least gap between planets, modules


@dataclass(frozen=True)
class Design:
    """A set of tooth numbers with its number of planets, and what follows from them."""

    teeth: ToothNumbers
    planets: int
    ratio: Fraction  # with sign
    deviation: float  # part of the wanted ratio

    @property
    def shift(self) -> Fraction:
        """d, what profile shift has to make up, in modules."""
        return Fraction(self.teeth.ring - self.teeth.sun, 2) - self.teeth.planet

    @property
    def gap(self) -> float:
        """Between the tips of neighbouring planets in modules, addenda of one module."""
        return design_gap(self.teeth, self.planets)

    @property
    def step(self) -> Fraction:
        """Mesh phase between neighbouring planets."""
        return phase_step(self.teeth, self.planets)

    @property
    def phasing(self) -> Phasing:
        return phasing(self.teeth, self.planets)

    @property
    def common_factors(self) -> tuple[int, int]:
        """Of the tooth numbers of sun and planet, and of planet and ring; 1 where teeth hunt."""
        teeth = self.teeth
        return math.gcd(teeth.sun, teeth.planet), math.gcd(teeth.planet, teeth.ring)

    @property
    def excites(self) -> Modes | None:
        """Modes that the mesh frequency itself excites."""
        return excited_modes(self.teeth, self.planets)


def ratio_limits(held: Member, planets: int) -> tuple[float, float]:
    """Between which the ratio without sign must lie: planets exist, and do not touch."""
    sine = math.sin(math.pi / planets) if planets > 1 else 1.0
    largest = 2 / (1 - sine) if sine < 1 - 1e-12 else math.inf
    if held == "ring":
        return 2.0, largest
    if held == "carrier":
        return 1.0, largest - 1
    return 1 + 1 / (largest - 1), 2.0


def design_gap(teeth: ToothNumbers, planets: int) -> float:
    """See Design.gap; infinite for one planet."""
    if planets < 2:
        return math.inf
    centre, tip = (teeth.sun + teeth.ring) / 4, (teeth.ring - teeth.sun) / 4 + 1
    return 2 * (centre * math.sin(math.pi / planets) - tip)


def designs(search: Search) -> list[Design]:
    """All sets that assemble at equal distances, nearest ratio first, then fewest teeth."""
    fitting = [
        design
        for teeth in _tooth_numbers(search)
        for design in _with_planets(search, teeth)
        if design.gap > search.clearance
    ]
    return sorted(fitting, key=lambda d: (round(abs(d.deviation), 9), sum(d.teeth), d.planets))


def _with_planets(search: Search, teeth: ToothNumbers) -> Iterator[Design]:
    exact = ratio(teeth, *DRIVES[search.held])
    deviation = float(abs(exact)) / search.ratio - 1
    if abs(deviation) <= search.tolerance * (1 + 1e-12):
        for count in search.planets:
            if assembles(teeth, count):
                yield Design(teeth, count, exact, deviation)


def _tooth_numbers(search: Search) -> Iterator[ToothNumbers]:
    """Of every sun, ring and planet within the bounds, the ring near the wanted ratio."""
    for sun in range(search.least_teeth, search.most_sun_teeth + 1):
        for ring in _rings(search, sun):
            for planet in _planets(search, ring - sun):
                yield ToothNumbers(sun, planet, ring)


def _rings(search: Search, sun: int) -> Iterable[int]:
    """Ring teeth for which the ratio may lie within its tolerance, one more at either end."""
    low, high = (search.ratio * (1 + s * search.tolerance) for s in (-1, 1))
    if search.held == "ring":
        first, last = sun * (low - 1), sun * (high - 1)
    elif search.held == "carrier":
        first, last = sun * low, sun * high
    else:
        first = sun / (high - 1)
        last = sun / (low - 1) if low > 1 else math.inf
    return range(math.floor(first), math.ceil(min(last, search.most_ring_teeth - 1)) + 1 + 1)


def _planets(search: Search, difference: int) -> Iterable[int]:
    """Planet teeth for a difference of ring and sun teeth, d from 0 up to the shift allowed."""
    least = math.ceil(difference / 2 - search.shift)
    return range(max(least, search.least_teeth), difference // 2 + 1)
