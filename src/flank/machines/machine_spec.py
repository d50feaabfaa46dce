"""What the specs of all machines have in common: a name, where it is from, materials, errors."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from typing import TYPE_CHECKING, Any, Protocol, Self

from flank.machines.error_kinds import (
    Counts,
    ErrorsSpec,
    Extra,
    Kinds,
    TolerancesSpec,
    Values,
    add_error_blocks,
    as_listed,
    drawn_errors,
    listed_errors,
    wrong_keys,
)
from flank.machines.materials import (
    BUILT_IN_MATERIALS,
    MaterialSpec,
    find_material,
    unknown_material,
)
from flank.machines.spec import Spec, key


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
    def error_kinds(self) -> Kinds:
        """The kinds of errors that this machine can have."""
        absent = self.absent_errors
        return {name: kind for name, kind in self.errors.kinds.items() if name not in absent}

    def error_values(self, extra: Extra) -> Values:
        """Every deviation: those of the spec, and those on top."""
        values = listed_errors(self.error_kinds, self.errors, self.counts)
        for (name, index), value in extra.items():
            values[name][index] += value
        return values

    def with_draw(self) -> Self:
        """The spec with a random draw, if it asks for one, written out among its errors."""
        seed, kinds = self.errors.seed, self.error_kinds
        if seed is None:
            return self
        values = self.error_values({})
        for name, drawn in drawn_errors(kinds, self.tolerances, seed, self.counts).items():
            values[name] += drawn
        return self.with_changes({"errors": as_listed(kinds, values) | {"drawn_from": seed}})

    def error_problems(self) -> Iterator[str]:
        """Sentences about errors of parts that are not there."""
        for name, reason in self.absent_errors.items():
            for block in ("errors", "tolerances"):
                if getattr(getattr(self, block), name) not in ({}, None):
                    yield f"{block}.{name} does nothing {reason}; remove it"
        yield from wrong_keys(self.error_kinds, self.errors, self.counts)

    def material(self, name: str) -> MaterialSpec:
        """The material called `name` in this spec."""
        return find_material(name, self.materials)

    def material_problems(self, blocks: Iterable[str]) -> Iterator[str]:
        """Sentences about unknown materials of blocks, given by dotted paths; absent ones pass."""
        known = {**BUILT_IN_MATERIALS, **self.materials}
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


class RatedSpec(MachineSpec):
    """The spec of a reducer."""

    if TYPE_CHECKING:
        rated_torque: float
        operation: OperatingPoint
