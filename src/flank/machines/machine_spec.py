"""What the specs of all machines have in common: a name, where it is from, materials, errors."""

import zlib
from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property, reduce
from typing import TYPE_CHECKING, Any, Protocol, Self

import numpy as np

from flank.errors import SpecError, suggestion
from flank.machines.distributions import within_tolerance
from flank.machines.error_kinds import (
    ALL,
    Counts,
    ErrorParameter,
    ErrorsSpec,
    Excess,
    Extra,
    Index,
    Kinds,
    TolerancesSpec,
    Values,
    add_error_blocks,
)
from flank.machines.materials import BUILT_IN_MATERIALS, MaterialSpec, unknown_material
from flank.machines.quantities import AngularSpeed, PositiveTorque, Torque
from flank.machines.spec import Spec, key, optional

if TYPE_CHECKING:
    from flank.elasticity.material import Material


ROUND_OFF = 1e-12
"""Of a tolerance: an error that is as large does not exceed it."""


class MachineSpec(Spec):
    """The spec of a machine, whose properties give what a key that was left out stands for."""

    machine: str = key("the kind of machine")
    title: str = key("a name for people", "40 pins", default="")
    source: str = key("where the numbers come from", "...", default="")
    assumptions: tuple[str, ...] = key("what the source does not give", "[disc width]", default=())

    if TYPE_CHECKING:  # every machine has these blocks, where its file ends
        materials: dict[str, MaterialSpec]
        errors: ErrorsSpec
        tolerances: TolerancesSpec

    def __init_subclass__(cls, kinds: Kinds | None = None, **options: Any) -> None:
        """A machine's spec names its `kinds` of errors and gets their blocks."""
        super().__init_subclass__(**options)
        if kinds is not None:
            add_error_blocks(cls, kinds)

    @property
    @abstractmethod
    def counts(self) -> Counts:
        """How many there are of the parts that number errors."""

    @property
    def absent_errors(self) -> Mapping[str, str]:
        """Kinds of errors that this machine cannot have, and why: 'without output rollers'."""
        return {}

    @property
    def measured_errors(self) -> Collection[str]:
        """Kinds of errors that a file of measurements tells: nothing of them is drawn."""
        return ()

    @property
    def error_kinds(self) -> Kinds:
        """The kinds of errors that this machine can have."""
        absent = self.absent_errors
        return {name: kind for name, kind in self.errors.kinds.items() if name not in absent}

    def error_values(self, extra: Extra) -> Values:
        """Every deviation: those that the spec lists, and those on top."""
        values: Values = {}
        counts = self.counts  # by the sizing rule, of reducers with cranks
        for name, kind in self.error_kinds.items():
            given = getattr(self.errors, name)
            values[name] = np.full(kind.shape(counts), given.get(ALL, 0.0))
            if not kind.over or given.keys() <= {ALL}:  # most kinds of most machines
                continue
            for index in kind.instances(counts):
                values[name][index] += given.get(kind.key(index), 0.0)
        for (name, index), value in extra.items():
            values[name][index] += value
        return values

    def with_draw(self) -> Self:
        """The spec with a random draw, if it asks for one, written out among its errors: within ±
        the tolerances, each kind from a stream of its own."""
        if (seed := self.errors.seed) is None:
            return self
        how = self.errors.distribution
        listed: dict[str, Any] = {"drawn_from": seed, "distribution": how}
        for name, values in self.error_values({}).items():
            if name in self.measured_errors:
                continue
            kind, stream = self.error_kinds[name], [seed, zlib.crc32(name.encode())]
            limit = np.pi if kind.direction else self.tolerance(name)
            if limit > 0.0:
                even = "uniform" if kind.direction else how
                shares = np.random.default_rng(stream).random(values.shape)
                values += within_tolerance(even, limit).quantile(shares)
            keyed = {kind.key(index): float(value) for index, value in np.ndenumerate(values)}
            listed[name] = {instance: value for instance, value in keyed.items() if value}
        return self.with_changes({"errors": listed})

    def tolerance(self, name: str) -> float:
        """Half width in SI: of the drawing if known, else assumed."""
        given: float | str | None = getattr(self.tolerances, name)
        kind = self.error_kinds[name]
        if isinstance(given, str):
            return kind.graded(given, self)
        return kind.tolerance if given is None else given

    def excesses(self) -> Iterator[Excess]:
        """Of every kind with listed errors beyond its tolerance, the worst."""
        for name, values in self.error_values({}).items():
            kind = self.error_kinds[name]
            if kind.direction:
                continue
            tolerance, sizes = self.tolerance(name), np.abs(values)
            beyond = sizes > tolerance * (1 + ROUND_OFF)
            if np.any(beyond):
                index = tuple(map(int, np.unravel_index(int(np.argmax(sizes)), sizes.shape)))
                given, count = getattr(self.tolerances, name), int(beyond.sum())
                yield Excess(name, kind, index, float(values[index]), tolerance, given, count)

    @cached_property
    def error_places(self) -> dict[str, tuple[str, Index]]:
        """Kind and index of every error by the name of its parameter, such as 'pin_radius.3'."""
        counts = self.counts
        return {
            f"{name}.{kind.key(index)}" if kind.over else name: (name, index)
            for name, kind in self.error_kinds.items()
            for index in kind.instances(counts)
        }

    def error_place(self, name: str) -> tuple[str, Index]:
        known = list(self.error_places)
        if name not in self.error_places:
            raise SpecError(
                f"'{name}' is not an error of this machine{suggestion(name, known)} Errors are "
                f"named by kind and number, counted from 1, such as '{known[0]}'"
            )
        return self.error_places[name]

    def error_parameters(self) -> tuple[ErrorParameter, ...]:
        """Every deviation of every part, with its drawing tolerance."""
        kinds = self.error_kinds
        return tuple(
            ErrorParameter(
                parameter,
                name,
                kinds[name].instance_words(index),
                kinds[name].unit,
                self.tolerance(name),
                assumed=getattr(self.tolerances, name) is None,
            )
            for parameter, (name, index) in self.error_places.items()
            if not kinds[name].direction and name not in self.measured_errors
        )

    def error_problems(self) -> Iterator[str]:
        """Sentences about errors of parts that are not there, and about grades without a width."""
        for name, reason in self.absent_errors.items():
            for block in ("errors", "tolerances"):
                if getattr(getattr(self, block), name) not in ({}, None):
                    yield f"{block}.{name} does nothing {reason}; remove it"
        counts = self.counts
        for name, kind in self.error_kinds.items():
            numbered = getattr(self.errors, name).keys() - {ALL}
            known = set(map(kind.key, kind.instances(counts))) if numbered else set()
            for given in getattr(self.errors, name):
                if given in numbered - known:
                    yield f"errors.{name}.{given}: {kind.unknown_key(given, counts)}"
            try:
                if not kind.direction:
                    self.tolerance(name)
            except ValueError as error:
                yield f"tolerances.{name}: {error}"

    @property
    def _known_materials(self) -> dict[str, MaterialSpec]:
        return {**BUILT_IN_MATERIALS, **self.materials}

    def material(self, name: str) -> MaterialSpec:
        """The material called `name` in this spec."""
        if name not in self._known_materials:
            raise SpecError(unknown_material(name, self.materials))
        return self._known_materials[name]

    def elastic(self, name: str) -> "Material":
        """The same as the elasticity room knows it."""
        return self.material(name).elastic

    def material_problems(self, blocks: Iterable[str]) -> Iterator[str]:
        """Sentences about unknown materials of blocks, given by dotted paths; absent ones pass."""
        known = self._known_materials
        for path in blocks:
            block: Any = reduce(lambda of, key: of and getattr(of, key), path.split("."), self)
            if block is not None and block.material not in known:
                yield f"{path}.material: {unknown_material(block.material, self.materials)}"


class OperatingPoint(Protocol):
    """What the block `operation` of every reducer tells."""

    @property
    def input_speed(self) -> float: ...

    @property
    def torque(self) -> float: ...


class OperationSpec(Spec):
    """The operating point of a reducer between one input and one output."""

    input_speed: AngularSpeed = key("the speed of the input shaft", "1500 rpm")
    torque: Torque = key(
        "the load on the output, positive against a positive input speed", "200 N*m"
    )


PEAK_SHARE = 2.5
"""Of the rated torque: what catalogues of RV reducers allow in starts and stops (RV-E series: 1030
of 412 N·m for the RV-40E)."""


class RatedSpec(MachineSpec):
    """The spec of a reducer."""

    rated_torque: PositiveTorque = key("the rated torque of the output", "412 N*m")
    peak_torque: PositiveTorque | None = optional(
        "the largest torque of the output in starts and stops, for a check; 2.5 times the rated "
        "one if absent",
        "1030 N*m",
    )

    if TYPE_CHECKING:
        operation: OperatingPoint

    @property
    def largest_torque(self) -> float:
        """The peak torque, given or not."""
        return self.peak_torque or PEAK_SHARE * self.rated_torque
