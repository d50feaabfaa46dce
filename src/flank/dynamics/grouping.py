"""Groups of contacts and parts of a machine, recorded by the builder while they are added.

    with builder.group("pin", "pins", {"disc": 2, "pin": 40}):
        ...  # eighty contacts, disc by disc

Nobody counts rows by hand: numbers are the builder's. A group is a grid of contacts, a part all
rows of contacts, springs and beams that a designer would name together.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass

import numpy as np

from flank.arrays import Floats, Integers
from flank.elasticity.roller_bearing import peak_load
from flank.elasticity.roller_profile import STRAIGHT, RollerProfile


@dataclass(frozen=True)
class LinePressure:
    """Hertz pressure of line contacts of a `length` with the modulus E*.

    `curvature` (1/ρ) is that of the contact asked about where a row stands for several, as a roller
    between its races; zero where the contact knows its own. A roller with a `profile` is pressed
    most where it is thickest.
    """

    length: float
    modulus: float
    curvature: float = 0.0
    profile: RollerProfile = STRAIGHT

    def of(self, reading: Callable[[str], Floats]) -> Floats:
        """p0 = √(F' E*/(π ρ)) in Pa, equal to 2 F'/(π b)."""
        load = reading("normal_force") / self.length
        if self.profile.drop:
            load = peak_load(reading("normal_force"), self.profile, self.length)
        curvature = self.curvature or reading("curvature")
        return np.asarray(np.sqrt(np.maximum(load * self.modulus * curvature, 0.0) / math.pi))


@dataclass(frozen=True)
class PointPressure:
    """Hertz pressure of elliptic contacts: `unit` in Pa at one newton, a number for each contact
    or one for all of a dimension."""

    unit: Floats

    def of(self, reading: Callable[[str], Floats]) -> Floats:
        """p0 = p1 ∛F in Pa."""
        return np.asarray(self.unit * np.cbrt(np.maximum(reading("normal_force"), 0.0)))


@dataclass(frozen=True)
class ContactGroup:
    """Contacts of one kind: their numbers as a grid of named dimensions, and what turns a force
    into a Hertz pressure where they are single contacts."""

    name: str
    title: str
    dimensions: tuple[str, ...]
    contacts: Integers
    pressure: LinePressure | PointPressure | None = None

    @property
    def shape(self) -> tuple[int, ...]:
        return self.contacts.shape


@dataclass(frozen=True)
class Part:
    """What a designer would name when asked where the compliance sits.

    The numbers are rows of the model's contact, spring and beam tables; every row belongs to one
    part. In space, bushings are the springs.
    """

    name: str
    title: str
    contacts: tuple[int, ...] = ()
    springs: tuple[int, ...] = ()
    beams: tuple[int, ...] = ()

    @property
    def empty(self) -> bool:
        return not (self.contacts or self.springs or self.beams)


class Grouping:
    """The side of a builder that knows which rows belong together."""

    def __init__(self) -> None:
        self.groups: list[ContactGroup] = []
        self.parts: list[Part] = []
        self._contacts: list[np.void] = []
        self._springs: list[np.void] = []
        self._beams: list[np.void] = []

    @contextmanager
    def group(
        self,
        name: str,
        title: str,
        sizes: Mapping[str, int],
        pressure: LinePressure | PointPressure | None = None,
    ) -> Iterator[None]:
        """Contacts added inside are a group, a grid of `sizes` in the order of their dimensions;
        one size may be -1 and follows. Without a contact there is no group."""
        first = len(self._contacts)
        yield
        numbers = np.arange(first, len(self._contacts))
        if len(numbers):
            grid = numbers.reshape(tuple(sizes.values()))
            self.groups.append(ContactGroup(name, title, tuple(sizes), grid, pressure))

    @contextmanager
    def part(
        self,
        name: str,
        title: str,
        sizes: Mapping[str, int] | None = None,
        pressure: LinePressure | PointPressure | None = None,
    ) -> Iterator[None]:
        """Contacts, springs and beams added inside are a part; with `sizes` its contacts are a
        group of the same name. If there are none, there is none."""
        tables = (self._contacts, self._springs, self._beams)
        first = [len(table) for table in tables]
        with nullcontext() if sizes is None else self.group(name, title, sizes, pressure):
            yield
        rows = (tuple(range(begin, len(table))) for begin, table in zip(first, tables, strict=True))
        if not (part := Part(name, title, *rows)).empty:
            self.parts.append(part)
