"""A study from its spec to its store: checked as a whole, begun, gone on with, looked at.

Before anything varies the machine itself is asked once: that tells which figures and curves there
will be, fills the caches of its kernels before threads need them, and gives what samples are
compared with.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from flank import units
from flank.analyses.labelled import LabelledArray
from flank.analyses.result import Result, provenance
from flank.errors import SpecError, suggestion
from flank.machines.machine import SpecifiedMachine
from flank.machines.quantities import Quantity as Measure
from flank.machines.registry import machine_from_mapping
from flank.studies.backends import Backend, Chunk, Threads
from flank.studies.refusals import refused_sentence
from flank.studies.samples import (
    MAPPED,
    Ask,
    Outcome,
    Sampler,
    figures_of,
    instance,
    labels_of,
    make_ask,
)
from flank.studies.sampling import make_plan
from flank.studies.spec import StudySpec
from flank.studies.store import Quantity, Store, bytes_of
from flank.studies.variables import Variables, check_refused, find_variables
from flank.texts import echo, echo_path, joined, listed


class Limit(NamedTuple):
    """What a figure may be, in SI; infinite where there is no limit."""

    figure: str
    low: float
    high: float


class Pace(NamedTuple):
    """How far a study is: samples that are known, of all, and how many of them since it was begun
    or gone on with, in how many seconds."""

    known: int
    samples: int
    computed: int
    seconds: float

    @property
    def rate(self) -> float:
        """Samples a second."""
        return self.computed / self.seconds if self.seconds > 0.0 else 0.0

    @property
    def remaining(self) -> float:
        """Seconds that are left; infinite before anything is known."""
        return (self.samples - self.known) / self.rate if self.rate else float("inf")


Tell = Callable[[Pace], None]

EVALUATION_KEYS = (
    "machine",
    "changes",
    "title",
    "limits",
    "confidence",
    "samples",
    "method",
    "exact",
)
"""Keys of a study that change no sample: the machine's resolved spec is compared instead."""

EXTENDED = ("random", "sobol", "sobol-indices")
"""Samplings whose sample i is the same whatever their number is."""


@dataclass(frozen=True)
class Study:
    """A checked study."""

    spec: StudySpec
    sampler: Sampler
    refusals: tuple[str, ...] = ()  # about draws that will be refused, which the study allows

    @property
    def machine(self) -> SpecifiedMachine:
        return self.sampler.machine

    @property
    def variables(self) -> Variables:
        return self.sampler.variables

    @property
    def samples(self) -> int:
        return self.sampler.plan.samples

    @property
    def title(self) -> str:
        return self.spec.title or self.machine.title

    @cached_property
    def nominal(self) -> list[Result]:
        """What the machine itself answers, nothing varied; SpecError if it cannot."""
        results = [ask.analysis.run(self.machine, ask.settings) for ask in self.sampler.asks]
        failed = [f"{each.analysis}: {each.outcome}" for each in results if not each.complete]
        if failed:
            raise SpecError(
                f"the machine itself, with nothing varied, fails: {'; '.join(failed)} Correct it "
                "first, as with `flank run`"
            )
        return results

    @cached_property
    def quantities(self) -> dict[str, Quantity]:
        """Figures, and curves that are kept, by name; SpecError if one is not there."""
        quantities: dict[str, Quantity] = {}
        for ask, result in zip(self.sampler.asks, self.nominal, strict=True):
            kept = quantities_of(ask, result)
            quantities |= {each.name: each for each in kept}
            if not kept:
                told = [name for name, array in result.data.data_vars.items() if _is_curve(array)]
                raise SpecError(
                    f"asks: {ask.name} tells arrays only, and none is kept; name in keeps what is: "
                    f"{listed(told)}, or one number of them, as {_example(result, told)}"
                )
        known = [*self.arrays, *(name for name, each in quantities.items() if not each.shape)]
        problems = [
            f"keeps: {problem}"
            for name in self.spec.keeps
            if (problem := _unknown(name, known, self.spec, self.arrays))
        ]
        if problems:
            raise SpecError(problems)
        return quantities

    @cached_property
    def arrays(self) -> dict[str, LabelledArray]:
        """All that are not one number, by name."""
        return {
            f"{ask.name}.{name}": array
            for ask, result in zip(self.sampler.asks, self.nominal, strict=True)
            for name, array in result.data.data_vars.items()
            if _is_curve(array)
        }

    @cached_property
    def limits(self) -> list[Limit]:
        """SpecError if one is of no figure, or in a wrong unit."""
        return find_limits(self.spec, self.quantities, self.arrays)

    @property
    def manifest(self) -> dict[str, Any]:
        made = provenance(self.machine.spec.to_mapping())
        return {
            "study": _plain(self.spec.to_mapping()),
            "machine": self.machine.spec.to_mapping(units=False),
            "title": self.title,
            "samples": self.samples,
            "chunk": self.spec.chunk_size(self.samples),
            "seed": self.spec.seed,
            "fingerprint": fingerprint(self.variables),
            "nominal": {
                name: value
                for ask, result in zip(self.sampler.asks, self.nominal, strict=True)
                for name, value in figures_of(ask, result.data).items()
            },
            "versions": made["versions"],
            "kernel_hashes": [made["kernel_hash"]],
            "kernel_target": made["kernel_target"],
        }

    @property
    def bytes(self) -> int:
        chunk = self.spec.chunk_size(self.samples)
        return bytes_of(list(self.quantities.values()), self.samples, chunk)

    def open(self, path: Path, other_kernels: bool = False) -> Store:
        """The store of this study at `path`, made if there is none; SpecError if it is another's,
        or was computed with other kernels, unless that is allowed."""
        if not path.exists():
            assert self.limits is not None  # before anything is made
            return Store.create(path, self.manifest, list(self.quantities.values()))
        store = Store(path, writable=True)
        find_limits(self.spec, store.quantities)
        self._check_same(store)
        self._check_kernels(store, other_kernels)
        study = _plain(self.spec.to_mapping())
        if self.samples != store.samples:
            self._check_longer(store)
            with store.writing():
                store.extend(self.samples, study)
        elif study != store.manifest["study"]:
            store.group.attrs["study"] = study
        return store

    def _check_longer(self, store: Store) -> None:
        """Whether the store may have so many more samples than it was made for."""
        words = f"{echo_path(store.path)} has {store.samples} samples, and {self.samples} are asked"
        if self.samples < store.samples:
            raise SpecError(f"{words}; what is computed stays: ask for {store.samples} or more")
        if self.spec.sampling not in EXTENDED:
            raise SpecError(
                f"{words}; with {self.spec.sampling} every sample would be another one: give "
                "another folder with --out, or use random or sobol, which can be gone on with"
            )

    def _check_same(self, store: Store) -> None:
        """What only the evaluation reads may be another, and is then taken over."""
        study = _plain(self.spec.to_mapping())
        ours = {
            "study": _of_samples(study),
            "machine": _plain(self.machine.spec.to_mapping(units=False)),
            "distributions": {"digest": fingerprint(self.variables)},
        }
        theirs = {
            "study": _of_samples(store.manifest["study"]),
            "machine": store.manifest["machine"],
            "distributions": {"digest": store.manifest["fingerprint"]},
        }
        if differences := _differences(ours, theirs):
            raise SpecError(
                f"{echo_path(store.path)} belongs to another study: {joined(differences, 'and')}; "
                "give another folder with --out, or remove it"
            )

    @staticmethod
    def _check_kernels(store: Store, other_kernels: bool) -> None:
        now = provenance({})["kernel_hash"]
        hashes = list(store.manifest["kernel_hashes"])
        if now == hashes[-1]:
            return
        if not other_kernels:
            raise SpecError(
                f"{echo_path(store.path)} was computed with kernels {hashes[-1]}, and these are "
                f"{now}: its samples would not be alike; go on with that Flank, begin anew in "
                "another folder, or say --other-kernels"
            )
        store.group.attrs["kernel_hashes"] = [*hashes, now]

    def run(
        self,
        store: Store,
        backend: Backend | None = None,
        tell: Tell | None = None,
        choose: Callable[[Store], list[Chunk]] = Store.missing,
    ) -> None:
        """Compute what the store does not have, or the chunks that are chosen; it may be stopped at
        any time."""
        with store.writing():
            missing = choose(store)
            computed, started = 0, time.monotonic()
            known = store.exactly_known()
            samples = known + sum(len(chunk.computed) for chunk in missing)

            def done(count: int) -> None:
                nonlocal computed
                computed += count
                if tell is not None:
                    seconds = time.monotonic() - started
                    tell(Pace(known + computed, samples, computed, seconds))

            some = [chunk for chunk in missing if chunk.computed]
            for chunk in missing:
                if not chunk.computed:
                    self._write(store, chunk, [Outcome(MAPPED)] * chunk.count)
            try:
                for chunk, outcomes in (backend or Threads()).run(self.sampler, some, done):
                    self._write(store, chunk, outcomes)
            finally:
                store.note_comparison()

    @staticmethod
    def _write(store: Store, chunk: Chunk, outcomes: Sequence[Outcome]) -> None:
        try:
            store.write(chunk, outcomes)
        except OSError as error:
            raise SpecError(
                f"{echo_path(store.path)} cannot be written: {error.strerror or error}; what is "
                "there is kept, go on with `flank study resume` when it can"
            ) from None


def make_study(
    given: StudySpec, machine: SpecifiedMachine, folder: Path, begun: bool = False
) -> Study:
    """A study of a machine, checked but for what the machine's own answer tells; relative names of
    files count from `folder`. Of one that is `begun` no samples are tried."""
    spec = _with_whole_paths(given, folder)
    problems: list[str] = []
    asks: list[Ask] = []
    for name, settings in spec.asks.items():
        try:
            asks.append(make_ask(name, settings, spec.keeps, spec.limits))
            asks[-1].analysis.check_machine(machine)
        except SpecError as error:
            problems += [f"asks: {problem}" for problem in error.problems]
    try:
        variables = find_variables(spec, machine.spec, folder)
        refusals = check_refused(spec, variables, machine.spec)
        plan = make_plan(spec, variables)
    except SpecError as error:
        problems += error.problems
    if problems:
        raise SpecError(problems)
    sampler = Sampler(machine, plan, tuple(asks))
    if not begun and (sentence := refused_sentence(sampler, spec.confidence)):
        if not spec.allow_refused:
            raise SpecError(sentence)
        refusals.append(sentence)
    return Study(spec, sampler, tuple(refusals))


def quantities_of(ask: Ask, result: Result) -> list[Quantity]:
    """What is kept of an analysis, by what the machine itself answers."""
    kept = []
    for name, array in result.data.data_vars.items():
        if array.ndim == 0 or name in ask.curves:
            kept.append(_quantity(f"{ask.name}.{name}", array, array.shape))
    for name in ask.instances:
        if (one := instance(result.data, name)) is not None:
            dims = result.data[name.partition(".")[0]].dims
            where = zip(dims, name.split(".")[1:], strict=True)
            words = ", ".join(f"{dimension} {label}" for dimension, label in where)
            title = f"{one.attrs['long_name']}, {words}"
            kept.append(_quantity(f"{ask.name}.{name}", one, ())._replace(title=title))
    return kept


def _quantity(name: str, array: LabelledArray, shape: tuple[int, ...]) -> Quantity:
    title, unit, shown = (array.attrs[key] for key in ("long_name", "units", "shown_unit"))
    return Quantity(name, title, unit, shown, shape)


def _is_curve(array: LabelledArray) -> bool:
    return array.ndim > 0 and array.values.dtype.kind == "f"


def _example(result: Result, names: Sequence[str]) -> str:
    """The first number of the first array, as it would be named."""
    array = result.data[names[0]]
    return ".".join([names[0], *(labels_of(array, name)[0] for name in array.dims)])


def find_limits(
    spec: StudySpec,
    quantities: Mapping[str, Quantity],
    arrays: Mapping[str, LabelledArray] | None = None,
) -> list[Limit]:
    """The limits of a study in SI; SpecError if one is of no figure, or in a wrong unit. `arrays`
    are what a result has besides, for the sentence."""
    figures = [name for name, each in quantities.items() if not each.shape]
    limits, problems = [], []
    for name, given in spec.limits.items():
        full = _full_name(name, figures)
        if full is None:
            problems.append(f"limits: {_unknown(name, figures, spec, arrays or {})}")
            continue
        measure = Measure(quantities[full].unit, quantities[full].shown_unit)
        try:
            low, high = (
                default if raw is None else _amount(measure, raw)
                for raw, default in ((given.at_least, -np.inf), (given.at_most, np.inf))
            )
            if low > high:
                raise ValueError(
                    f"at_least is {measure.shown(low)} and at_most {measure.shown(high)}, so no "
                    "sample could keep it; exchange them"
                )
            limits.append(Limit(full, low, high))
        except ValueError as error:
            problems.append(f"limits.{name}: {error}")
    if problems:
        raise SpecError(problems)
    return limits


def _amount(measure: Measure, raw: Any) -> float:
    """Nobody means a limit of 1 rad who writes 1 in a file."""
    if units.lacks_unit(raw) and measure.parse(raw) != 0.0 and (meant := measure.meant(raw)):
        raise ValueError(meant)
    return measure.parse(raw)


def study_of(store: Store) -> Study:
    """The study that a store belongs to, from its manifest alone."""
    machine: Any = machine_from_mapping(store.manifest["machine"])
    spec = StudySpec.from_mapping(store.manifest["study"])
    study = make_study(spec, machine, store.path.parent, begun=True)
    if fingerprint(study.variables) != store.manifest["fingerprint"]:
        raise SpecError(
            f"{echo_path(store.path)} was begun with other measured values than its files have "
            "now; put the earlier ones back"
        )
    return study


def fingerprint(variables: Variables) -> str:
    """Of all that is drawn from, measured values as well."""
    text = repr([(entry.name, entry.distribution) for entry in variables.entries])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _with_whole_paths(spec: StudySpec, folder: Path) -> StudySpec:
    """A store may lie elsewhere than the file of its study."""
    varies = {
        name: each if each.file is None else each.with_changes({"file": str(folder / each.file)})
        for name, each in spec.varies.items()
    }
    return spec.model_copy(update={"varies": varies})


def _plain(data: Any) -> Any:
    """As JSON has it, numbers that were written in a file among them."""
    return json.loads(json.dumps(data))


def _full_name(name: str, known: Iterable[str]) -> str | None:
    """A quantity by its name, or by its short one where only one analysis has it."""
    fitting = [full for full in known if name in (full, full.partition(".")[2])]
    return fitting[0] if len(fitting) == 1 else None


def _unknown(
    name: str, known: list[str], spec: StudySpec, arrays: Mapping[str, LabelledArray]
) -> str:
    """Why a name is no quantity of the study; nothing where it is one."""
    if _full_name(name, known) is not None:
        return ""
    several = [full for full in known if full.partition(".")[2] == name]
    if several:
        return f"'{echo(name)}' is asked of several analyses; write {joined(several, 'or')}"
    for full, array in arrays.items():
        base = full if name.startswith(full) else full.partition(".")[2]
        if name == base or name.startswith(f"{base}."):
            labels = [labels_of(array, each) for each in array.dims]
            example = ".".join([base, *(each[-1] for each in labels)])
            along = joined(
                [f"{n} {listed(v)}" for n, v in zip(array.dims, labels, strict=True)], "and"
            )
            return f"'{echo(name)}' is not one number; there is {base} of {along}: write {example}"
    short = [full.partition(".")[2] for full in known]
    return (
        f"'{echo(name)}' is nothing that {joined(spec.asks, 'and')} tells"
        f"{suggestion(name, [*short, *known])} There is: {listed(short) or 'nothing'}"
    )


def _of_samples(study: Mapping[str, Any]) -> dict[str, Any]:
    """Keys of a study that samples hang on; of the machine its resolved spec tells."""
    return {key: value for key, value in study.items() if key not in EVALUATION_KEYS}


def _differences(ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> list[str]:
    words = []
    for name in ours:
        mine, other = ours[name], theirs[name]
        for key in {**mine, **other}:
            if mine.get(key) == other.get(key):
                continue
            plain = all(isinstance(each.get(key), (int, str, float)) for each in (mine, other))
            were = f"is {echo(mine.get(key))} and was {echo(other.get(key))}"
            words.append(f"{name}.{key} {were if plain else 'differs'}")
    return words
