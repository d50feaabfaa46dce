"""What a unit is made of, whichever version of the standard it is written for.

A unit calls a few kernels with arrays of its own. Its variables are numbers in those arrays: what
is set is written there, what is read is summed from there. It is stepped in time, or evaluated at
the inputs at hand. `resource` makes a file of it that `native/unit/unit.c` runs; `description` and
`documentation` say what is in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from flank.arrays import AnyArray, Floats, Integers
from flank.kernel import Kernel

Kind = Literal["time", "input", "parameter", "output"]
KINDS: tuple[Kind, ...] = ("time", "input", "parameter", "output")
"""As `unit.c` numbers them."""


@dataclass(frozen=True, eq=False)
class Place:
    """One number of an array: bytes from its beginning, and what it is multiplied by."""

    array: AnyArray
    offset: int
    weight: float = 1.0


def place(array: AnyArray, *within: Any, weight: float = 1.0) -> Place:
    """Where `array[a][b]...` stands, for fields and indices that lead to one number."""
    view: Any = array
    for index in within[:-1]:
        view = view[index]
    last = within[-1]
    view = view[last] if isinstance(last, str) else view[last : last + 1]
    assert view.dtype == np.float64
    assert view.size == 1
    return Place(array, view.ctypes.data - array.ctypes.data, weight)


def arrays_of(value: Any) -> Iterator[AnyArray]:
    """All arrays in a value, in the order of a kernel's row."""
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, tuple):
        for member in value:
            yield from arrays_of(member)


@dataclass(frozen=True, eq=False)
class Variable:
    """A number that a host sets or reads, in SI; outputs have no value at the start."""

    name: str
    kind: Kind
    unit: str
    description: str
    places: tuple[Place, ...] = ()
    start: float | None = None
    minimum: float = -np.inf


TIME = Variable("time", "time", "s", "time of the simulation")


@dataclass(frozen=True, eq=False)
class Ramp:
    """A shaft at a speed that is an input: a function SPEEDS whose speed goes from the last value
    to the new one over each step, so that neither angle nor speed jumps."""

    variable: Variable
    offset: Place  # of the function
    points: Place  # the first of two pairs (time, speed) in its data
    angle: float
    speed: float


@dataclass(frozen=True, eq=False)
class Call:
    """A kernel and what it is called with."""

    kernel: Kernel
    arguments: tuple[Any, ...]


@dataclass(frozen=True, eq=False)
class Stepping:
    """How a unit goes through time: its first call does, over `times`, which stand among its
    arguments at `times_argument`; those behind it read what is not simply a number of the state.
    Steps in s; `counters` are those of the march."""

    times: Floats
    times_argument: int
    counters: Integers
    longest_step: float
    shortest_step: float
    ramps: tuple[Ramp, ...] = ()


@dataclass(frozen=True, eq=False)
class Evaluation:
    """How a unit without states is evaluated: by its calls, one after the other. Those from
    `derivative_call` on leave the derivatives of its outputs (rows) by its inputs (columns), and
    are made where these are asked for."""

    jacobian: Floats
    derivative_call: int


@dataclass(frozen=True, eq=False)
class Unit:
    """All that is written into a unit; `changing` are the arrays that are its state."""

    title: str
    description: str
    variables: tuple[Variable, ...]
    calls: tuple[Call, ...]
    changing: tuple[AnyArray, ...]
    way: Stepping | Evaluation
    fixed: Sequence[tuple[str, str]]
    """What cannot be changed in the unit: a name and a sentence each."""

    spec: str
    """The machine as a spec file."""

    warnings: tuple[str, ...] = ()

    @property
    def listed(self) -> tuple[Variable, ...]:
        """With time in front: its number is the value reference."""
        return (TIME, *self.variables)

    def of_kind(self, kind: Kind) -> tuple[Variable, ...]:
        return tuple(variable for variable in self.listed if variable.kind == kind)
