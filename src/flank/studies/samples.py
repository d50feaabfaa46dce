"""One sample: the machine that its draws make, and what came of asking it.

A sample's machine is made of a full spec of its own, so what a study computed can be computed again
from that spec alone, bit for bit.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from flank.analyses.labelled import LabelledArray, LabelledArrays
from flank.analyses.registry import Analysis, find_analysis
from flank.analyses.result import Result, values_only
from flank.arrays import Floats
from flank.blas import one_blas_thread
from flank.dynamics.run import Progress
from flank.errors import SpecError
from flank.machines.machine import SpecifiedMachine
from flank.machines.machine_spec import MachineSpec
from flank.machines.spec import Spec
from flank.studies.comparison import BY_PROCESSOR
from flank.studies.sampling import Plan
from flank.studies.variables import Place, Variables

WAITING, COMPLETE, FAILED, REFUSED, BROKEN, MAPPED = range(6)
"""What has become of a sample: nothing yet; all is known; a computation did not complete; its spec
is not allowed; something went wrong that nobody foresaw; only the linear map tells of it."""

STATUS_WORDS = {
    WAITING: "waiting",
    COMPLETE: "complete",
    FAILED: "failed",
    REFUSED: "refused",
    BROKEN: "broken",
    MAPPED: "mapped",
}


class Ask(NamedTuple):
    """An analysis with its settings, the curves that are kept of it, and the figures that are one
    number of an array, as `frequency.3`."""

    analysis: Analysis
    settings: Spec
    curves: tuple[str, ...] = ()
    instances: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.analysis.name


@dataclass(frozen=True)
class Outcome:
    """What came of a sample; figures and curves are by `analysis.quantity`, in SI. `by` and `apart`
    say whether a GPU computed it, and how far that is from the processor's (comparison.py)."""

    status: int = COMPLETE
    sentence: str = ""
    warnings: tuple[str, ...] = ()
    figures: Mapping[str, float] = field(default_factory=dict)
    curves: Mapping[str, Floats] = field(default_factory=dict)
    by: int = BY_PROCESSOR
    apart: float = math.nan


@dataclass(frozen=True)
class Sampler:
    """Makes and asks samples by their number; safe to be used by many threads at once."""

    machine: SpecifiedMachine
    plan: Plan
    asks: tuple[Ask, ...]

    @property
    def variables(self) -> Variables:
        return self.plan.variables

    @cached_property
    def _numbers(self) -> list[int]:
        """Columns that are keys of the spec, not errors."""
        return [k for k, place in enumerate(self.variables.places) if not place.kind]

    @cached_property
    def _whole(self) -> list[bool]:
        return [entry.whole for entry in self.variables.entries for _ in entry.places]

    def fresh(self) -> Sampler:
        """Without what it has computed, to be sent: a Latin hypercube is a large table."""
        return replace(self, plan=replace(self.plan))

    def spec(self, values: Floats) -> MachineSpec:
        """The spec of a sample with these values; SpecError if it is not allowed."""
        spec = self.machine.spec
        places = self.variables.places
        if self._numbers:
            spec = spec.with_changes(
                {
                    places[k].name: int(values[k]) if self._whole[k] else float(values[k])
                    for k in self._numbers
                }
            )
        return _with_errors(
            spec, {place: value for place, value in zip(places, values, strict=True) if place.kind}
        )

    def machine_of(self, number: int) -> SpecifiedMachine:
        """The machine of a sample."""
        return type(self.machine)(self.spec(self.plan.values(number, 1)[0]))

    def results(self, number: int) -> list[Result]:
        """Everything that is asked of a sample, in full."""
        machine = self.machine_of(number)
        return [ask.analysis.run(machine, ask.settings) for ask in self.asks]

    def outcomes(self, first: int, count: int) -> list[Outcome]:
        """Of samples in a row, one after the other."""
        with one_blas_thread():
            return [self.outcome(row) for row in self.plan.values(first, count)]

    def outcome(self, values: Floats, progress: Progress | None = None) -> Outcome:
        """What comes of a sample with these values; nothing that goes wrong is raised."""
        try:
            machine = type(self.machine)(self.spec(values))
            with values_only():
                answers = [
                    ask.analysis.module.run(machine, ask.settings, progress) for ask in self.asks
                ]
        except SpecError as error:
            return Outcome(REFUSED, "; ".join(error.problems))
        except Exception as error:  # one machine in a million may not end a study
            return Outcome(BROKEN, f"{type(error).__name__}: {error}")
        return _outcome(self.asks, answers)


def _with_errors(spec: MachineSpec, drawn: Mapping[Place, float]) -> MachineSpec:
    """The spec with errors on top of those it lists; only their bounds are to be checked."""
    listed: dict[str, dict[str, float]] = {}
    problems, kinds = [], spec.error_kinds
    for place, value in drawn.items():
        kind = kinds[place.kind]
        block = listed.setdefault(place.kind, dict(getattr(spec.errors, place.kind)))
        key = kind.key(place.index)
        block[key] = total = block.get(key, 0.0) + float(value)
        if abs(total) > kind.largest:
            try:
                kind.quantity(-kind.largest).parse(total)
            except ValueError as error:
                problems.append(f"{place.name}: {error}")
    if problems:
        raise SpecError(problems)
    return spec.model_copy(update={"errors": spec.errors.model_copy(update=listed)})


def _outcome(asks: Sequence[Ask], answers: Sequence[Result]) -> Outcome:
    figures: dict[str, float] = {}
    curves: dict[str, Floats] = {}
    for ask, answer in zip(asks, answers, strict=True):
        figures |= figures_of(ask, answer.data)
        for name in ask.curves:
            if name in answer.data:
                curves[f"{ask.name}.{name}"] = np.asarray(answer.data[name].values, np.float64)
    failed = [answer.outcome for answer in answers if not answer.complete]
    return Outcome(
        FAILED if failed else COMPLETE,
        "; ".join(failed),
        tuple(warning for answer in answers for warning in answer.warnings),
        figures,
        curves,
    )


def figures_of(ask: Ask, data: LabelledArrays) -> dict[str, float]:
    """By `analysis.quantity`, in SI."""
    figures = {
        f"{ask.name}.{name}": float(array)
        for name, array in data.data_vars.items()
        if array.ndim == 0
    }
    for name in ask.instances:
        if (one := instance(data, name)) is not None:
            figures[f"{ask.name}.{name}"] = float(one)
    return figures


def instance(data: LabelledArrays, name: str) -> LabelledArray | None:
    """One number of an array by its labels, `frequency.3` for that of mode 3; None if there is no
    such one."""
    base, *labels = name.split(".")
    array = data.data_vars.get(base)
    if array is None or not labels or len(labels) != array.ndim or array.values.dtype.kind in "US":
        return None
    places = {}
    for dimension, label in zip(array.dims, labels, strict=True):
        known = labels_of(array, dimension)
        if label not in known:
            return None
        places[dimension] = known.index(label)
    return array.isel(**places)


def labels_of(array: LabelledArray, dimension: str) -> list[str]:
    """What places along a dimension are called: by their labels where these are whole numbers or
    plain words (an array of a store has no slash in its name), by numbers from zero else."""
    values = array[dimension].values
    labels = [str(value).replace("/", "-") for value in values]
    if values.dtype.kind in "iuU" and not any("." in label for label in labels):
        return labels
    return [str(number) for number in range(len(labels))]


def make_ask(
    name: str, settings: Mapping[str, Any], keeps: Sequence[str], limited: Iterable[str]
) -> Ask:
    """An analysis with checked settings; what of `keeps` and `limited` is its own, its results will
    tell."""
    analysis = find_analysis(name)
    checked = analysis.checked_settings(settings)
    kept = [keep.removeprefix(f"{name}.") for keep in keeps]
    figures = [figure.removeprefix(f"{name}.") for figure in limited]
    instances = [each for each in dict.fromkeys((*kept, *figures)) if "." in each]
    return Ask(analysis, checked, tuple(k for k in kept if "." not in k), tuple(instances))
