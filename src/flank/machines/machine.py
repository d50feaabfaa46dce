"""What all machines that are made from a spec share: their name, findings, errors and rating."""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from flank.geometry.findings import Finding, warning
from flank.machines.error_kinds import ErrorParameter, Extra, Values
from flank.machines.machine_spec import MachineSpec, RatedSpec
from flank.machines.registry import title_of
from flank.machines.sentences import refuse_errors
from flank.showing import ShowsItself, shown_by


@dataclass(frozen=True, repr=False)
class SpecifiedMachine(ShowsItself, ABC):
    """A checked spec, made into models on demand; `extra` errors come on top of the spec's."""

    shown_as: ClassVar[str] = "machine"

    spec: MachineSpec
    extra: Extra = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.extra:
            object.__setattr__(self, "spec", self.spec.with_draw())
            refuse_errors(self._findings)

    def __getstate__(self) -> dict[str, Any]:
        """Spec and errors alone: what was computed from them is computed again."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @abstractmethod
    def keyed_findings(self) -> Iterable[tuple[str, Finding]]:
        """What is wrong or doubtful, each with the key or block of the spec that it is about."""

    @abstractmethod
    def ideal_pose(self, input_angle: float) -> Any:
        """Pose of all bodies in the rigid machine without clearance."""

    @cached_property
    def _findings(self) -> tuple[tuple[str, Finding], ...]:
        return (*self.keyed_findings(), *self._error_findings(assumed=False))

    def _error_findings(self, assumed: bool) -> Iterator[tuple[str, Finding]]:
        """Errors of the spec that its drawing would not let pass, the worst of every kind: by
        tolerances that are given, or by those that are assumed."""
        for excess in self.spec.excesses():
            if (excess.given is None) == assumed:
                message, remedy = excess.sentences()
                measure = (excess.error, excess.tolerance, excess.kind.unit)
                finding = warning("error-beyond-tolerance", measure, message, remedy)
                yield f"errors.{excess.name}", finding

    def doubts(self) -> tuple[Finding, ...]:
        """What only who asks for a check is told: errors beyond tolerances that nobody gave."""
        return tuple(finding for _, finding in self._error_findings(assumed=True))

    def keyed(self) -> tuple[tuple[str, Finding], ...]:
        """All findings, each with the key or block of the spec that it is about."""
        return self._findings

    def findings(self) -> tuple[Finding, ...]:
        return tuple(finding for _, finding in self._findings)

    @property
    def title(self) -> str:
        return title_of(self.spec.to_mapping(units=False))

    def __repr__(self) -> str:
        ratio = getattr(self, "ratio", None)
        shown = "" if ratio is None else f", ratio {ratio:.6g}"
        return f"<{self.spec.machine} '{self.title}'{shown}>"

    def view(self, turns: float = 1.0, playing: bool = False) -> Any:
        """The machine turning, rigid and without clearance, as a widget of a notebook: over turns
        of the shaft in one turn of which a whole number of teeth or pins passes."""
        return shown_by("view", self, turns=turns, playing=playing)

    @cached_property
    def errors(self) -> Values:
        """Every deviation of this machine."""
        return self.spec.error_values(self.extra)

    @property
    def mesh_count(self) -> int:
        """How many gear meshes an assembly has."""
        return 0

    @property
    def deviates(self) -> bool:
        """Whether parts have manufacturing errors: only then do orders of turning parts show."""
        return any(np.any(values) for values in self.errors.values())

    def error_parameters(self) -> Sequence[ErrorParameter]:
        return self.spec.error_parameters()

    def with_error(self, name: str, value: float) -> Self:
        """The same machine with one deviation changed by `value`."""
        place = self.spec.error_place(name)
        return replace(self, extra=self.extra | {place: self.extra.get(place, 0.0) + value})


@dataclass(frozen=True, repr=False)
class RatedMachine(SpecifiedMachine):
    """A reducer: its spec states a rated torque, and speed and torque of an operating point."""

    spec: RatedSpec

    @property
    @abstractmethod
    def ratio(self) -> float:
        """θ_in / θ_out of the ideal machine; negative when they turn against each other."""

    @property
    def rated_torque(self) -> float:
        return self.spec.rated_torque

    @property
    def load_torque(self) -> float:
        """Against a positive input speed, whichever way the output turns then."""
        return -math.copysign(1.0, self.ratio) * self.spec.operation.torque

    @property
    def input_speed(self) -> float:
        return self.spec.operation.input_speed
