"""What an analysis returns: named quantities with units, what made them, and how it ended."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache, cached_property
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from flank._version import __version__
from flank.analyses.drawing import Drawing, drawing_of_run
from flank.analyses.labelled import LabelledArrays, from_xarray, labelled_arrays, to_xarray
from flank.analyses.quantities import Quantities, Values
from flank.analyses.warnings import far_away_warnings, unknown_figure_warnings
from flank.blas import blas_in_use
from flank.kernel import kernel_target
from flank.machines.base import notes_of
from flank.native.sources import BYTES_HASH
from flank.showing import ShowsItself, shown_by

if TYPE_CHECKING:
    import pandas
    import xarray

    from flank.dynamics.trajectory import SpatialTrajectory, Trajectory
    from flank.machines.base import Machine
    from flank.machines.spec import Spec


FORMAT_VERSION = 1
"""Of results as files; it rises when a Flank of before could not read them any more."""

LIBRARIES = ("numpy", "scipy", "numba", "llvmlite", "xarray")
"""Those whose version can move a digit."""


_VALUES_ONLY = ContextVar("values only", default=False)


@contextmanager
def values_only() -> Iterator[None]:
    """Inside, results of this thread have values, warnings and how they ended, and nothing of what
    made them: a study knows that of all its samples, and telling takes as long as a static loop."""
    token = _VALUES_ONLY.set(True)
    try:
        yield
    finally:
        _VALUES_ONLY.reset(token)


class Figure(NamedTuple):
    """One number of the summary."""

    name: str
    title: str
    value: float
    unit: str
    shown_unit: str


class Ending(NamedTuple):
    """How a computation of many runs ended: a sentence, and its effort."""

    sentence: str
    complete: bool
    counters: dict[str, int]


@dataclass(frozen=True, repr=False)
class Result(ShowsItself):
    """Labelled arrays: scalars are the summary, arrays the curves; attributes say the rest.

    `drawn` is the drawing or what makes it, none where no outlines are known.
    """

    shown_as: ClassVar[str] = "result"

    computed: LabelledArrays
    drawn: Drawing | Callable[[], Drawing | None] | None = None

    def __repr__(self) -> str:
        named = sum(not array.dims for array in self.data.data_vars.values())
        curves = len(self.data.data_vars) - named
        return (
            f"<result of {self.analysis}, {self.title!r}: {named} numbers, {curves} curves; "
            f"{self.outcome}>"
        )

    @classmethod
    def from_xarray(
        cls,
        dataset: xarray.Dataset,
        drawn: Drawing | Callable[[], Drawing | None] | None = None,
    ) -> Result:
        """A result of which `dataset` is this one."""
        return cls(from_xarray(dataset), drawn)

    @cached_property
    def dataset(self) -> xarray.Dataset:
        """All of it as an `xarray.Dataset`; what is changed in it is changed in the result."""
        return to_xarray(self.computed)

    @property
    def data(self) -> LabelledArrays:
        """All of it, for pictures, tables and files: xarray is not imported for them."""
        return from_xarray(self.dataset) if "dataset" in self.__dict__ else self.computed

    @cached_property
    def drawing(self) -> Drawing | None:
        """How the machine looks and where its bodies were; results of versions before it was kept
        have none."""
        return self.drawn() if callable(self.drawn) else self.drawn

    @property
    def analysis(self) -> str:
        """The name of the analysis."""
        return str(self.data.attrs["analysis"])

    @property
    def title(self) -> str:
        """The machine's."""
        return str(self.data.attrs["title"])

    @property
    def outcome(self) -> str:
        """How the run ended, as a sentence."""
        return str(self.data.attrs["outcome"])

    @property
    def complete(self) -> bool:
        """Whether the run reached its end."""
        return bool(self.data.attrs["complete"])

    @property
    def warnings(self) -> list[str]:
        """What speaks against relying on it, a sentence each."""
        return list(json.loads(self.data.attrs["warnings"]))

    @property
    def notes(self) -> list[str]:
        """What is assumed of the machine where its spec says nothing, whatever is asked of it."""
        return list(json.loads(self.data.attrs.get("notes", "[]")))

    @property
    def counters(self) -> dict[str, int]:
        """Steps, iterations and what else the effort is counted by."""
        return dict(json.loads(self.data.attrs["counters"]))

    @property
    def spec(self) -> dict[str, Any]:
        """The resolved spec that made this result, as plain data with units."""
        return dict(json.loads(self.data.attrs["spec"]))

    @property
    def settings(self) -> dict[str, Any]:
        """Those of the analysis, as plain data with units."""
        return dict(json.loads(self.data.attrs["settings"]))

    @property
    def provenance(self) -> dict[str, Any]:
        """Date, hashes of spec and kernels, versions, BLAS; empty for results that have none."""
        return dict(json.loads(self.data.attrs.get("provenance", "{}")))

    @property
    def tables(self) -> dict[str, list[str]]:
        """Titles of tables and the quantities that are their columns, the first the labels."""
        return dict(json.loads(self.data.attrs.get("tables", "{}")))

    def figures(self) -> list[Figure]:
        """The scalar quantities, in the order they were computed."""
        return [
            Figure(
                name,
                variable.attrs["long_name"],
                float(variable),
                variable.attrs["units"],
                variable.attrs["shown_unit"],
            )
            for name, variable in self.data.data_vars.items()
            if variable.ndim == 0
        ]

    def value(self, name: str, unit: str | None = None) -> float:
        """A figure of the summary by name, in `unit` or in the unit that people read; SpecError
        tells what figures there are."""
        from flank.analyses.frames import value_of

        return value_of(self, name, unit)

    def table(self, name: str | None = None) -> pandas.DataFrame:
        """A tidy frame in the units that people read, which headings name: a row for each place.

        `name` is what is numbered, as "pins" or "mode", for all quantities of it; the title of a
        table that the summary shows; or a quantity. Without a name, the figures of the summary.
        """
        from flank.analyses.frames import frame_of

        return frame_of(self, name)

    def plot(self, name: str | None = None) -> Any:
        """A picture of this result as a Matplotlib figure: by its name, as in a saved run's folder
        ("loop", "drive"), else the first. RuntimeError where nobody draws: use `import flank`."""
        return shown_by("figure", self, name)

    def view(self, playing: bool = False) -> Any:
        """The mechanism that plays, and the curves beside it, as a widget of a notebook."""
        return shown_by("view", self, playing=playing)

    def __getitem__(self, name: str) -> Any:
        """A quantity by name; a scalar comes as a float in SI."""
        if name in self.data.data_vars and self.data[name].ndim == 0:
            return float(self.data[name])
        return self.dataset[name]


def make_result(
    declared: Quantities,
    machine: Machine,
    settings: Spec,
    ended: Trajectory | SpatialTrajectory | Ending,
    values: Values,
    warnings: Sequence[str] = (),
) -> Result:
    """Gather values and their story into a Result; `ended` is the run, or how many ended."""
    sentence = ended.sentence if isinstance(ended, Ending) else ended.status.sentence
    variables, coordinates = declared.variables(values)
    sentences = [
        *(each.sentence for each in machine.findings() if each.severity != "note"),
        *warnings,
        *unknown_figure_warnings(variables, ended.complete),
        *far_away_warnings(settings, ended.complete),
    ]
    attributes = {
        "analysis": declared.analysis,
        "outcome": sentence,
        "complete": int(ended.complete),
        "warnings": json.dumps(list(dict.fromkeys(sentences))),
        "counters": json.dumps(ended.counters),
    }
    if _VALUES_ONLY.get():
        return Result(labelled_arrays(variables, coordinates, attributes))
    attributes |= _story(machine, settings) | {
        "tables": json.dumps(declared.tables_of(values)),
        "format_version": FORMAT_VERSION,
    }
    arrays = labelled_arrays(variables, coordinates, attributes)
    return Result(arrays, drawing_of_run(machine, settings, ended))


def _story(machine: Machine, settings: Spec) -> dict[str, str]:
    """What made a result."""
    spec = machine.spec.to_mapping()
    return {
        "title": machine.title,
        "spec": json.dumps(spec),
        "settings": json.dumps(settings.to_mapping()),
        "notes": json.dumps(notes_of(machine)),
        "flank_version": __version__,
        "provenance": json.dumps(provenance(spec)),
    }


def provenance(spec: Mapping[str, Any]) -> dict[str, Any]:
    """Plain data that two runs share, the date apart, if nothing can make them differ."""
    return {
        "made_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "spec_hash": spec_hash(spec),
        "kernel_hash": BYTES_HASH,
        "kernel_target": kernel_target(),
        "versions": {
            "flank": __version__,
            "python": platform.python_version(),
            **library_versions(),
        },
        "blas": blas_in_use(),
    }


@cache
def library_versions() -> dict[str, str]:
    """Read once: it takes as long as a static solve. Kernels of a library need no compiler."""
    versions = {}
    for name in LIBRARIES:
        with suppress(PackageNotFoundError):
            versions[name] = version(name)
    return versions


def spec_hash(spec: Mapping[str, Any]) -> str:
    """Equal for equal machines, whatever order their keys were written in."""
    text = json.dumps(spec, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
