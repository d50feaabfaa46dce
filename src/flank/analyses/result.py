"""What an analysis returns: named quantities with units, what made them, and how it ended."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from flank._version import __version__
from flank.analyses.drawing import Drawing, make_drawing
from flank.analyses.provenance import provenance

if TYPE_CHECKING:
    import xarray

    from flank.dynamics.trajectory import SpatialTrajectory, Trajectory
    from flank.machines.base import Machine
    from flank.machines.spec import Spec


FORMAT_VERSION = 1
"""Of results as files; it rises when a Flank of before could not read them any more."""

FAR = 10
"""Turns of the input from which the digits of its angle may be what a failed run lacks."""


class Quantity(NamedTuple):
    """A variable of a result: dimensions, values in SI, its SI unit, a unit for people, a name.

    `scale` is the size, in SI, of what it is a difference or a remainder of, where that is not
    among the other values of its unit: what is round-off of it is shown as zero. `at_zero` is what
    people read in place of a zero.
    """

    dimensions: tuple[str, ...]
    values: ArrayLike
    unit: str
    shown_unit: str
    title: str
    scale: float = 0.0
    at_zero: str = ""


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


@dataclass(frozen=True)
class Result:
    """An xarray dataset: scalars are the summary, arrays the curves; attributes say the rest.

    `drawing` is how the machine looks and where its bodies were; results of versions before it was
    kept have none.
    """

    dataset: xarray.Dataset
    drawing: Drawing | None = None

    @property
    def analysis(self) -> str:
        """The name of the analysis."""
        return str(self.dataset.attrs["analysis"])

    @property
    def title(self) -> str:
        """The machine's."""
        return str(self.dataset.attrs["title"])

    @property
    def outcome(self) -> str:
        """How the run ended, as a sentence."""
        return str(self.dataset.attrs["outcome"])

    @property
    def complete(self) -> bool:
        """Whether the run reached its end."""
        return bool(self.dataset.attrs["complete"])

    @property
    def warnings(self) -> list[str]:
        """What speaks against relying on it, a sentence each."""
        return list(json.loads(self.dataset.attrs["warnings"]))

    @property
    def counters(self) -> dict[str, int]:
        """Steps, iterations and what else the effort is counted by."""
        return dict(json.loads(self.dataset.attrs["counters"]))

    @property
    def spec(self) -> dict[str, Any]:
        """The resolved spec that made this result, as plain data with units."""
        return dict(json.loads(self.dataset.attrs["spec"]))

    @property
    def settings(self) -> dict[str, Any]:
        """Those of the analysis, as plain data with units."""
        return dict(json.loads(self.dataset.attrs["settings"]))

    @property
    def provenance(self) -> dict[str, Any]:
        """Date, hashes of spec and kernels, versions, BLAS; empty for results that have none."""
        return dict(json.loads(self.dataset.attrs.get("provenance", "{}")))

    @property
    def tables(self) -> dict[str, list[str]]:
        """Titles of tables and the quantities that are their columns, the first the labels."""
        return dict(json.loads(self.dataset.attrs.get("tables", "{}")))

    def figures(self) -> list[Figure]:
        """The scalar quantities, in the order they were computed."""
        found = []
        for name, variable in self.dataset.data_vars.items():
            if variable.ndim == 0:
                attributes = variable.attrs
                found.append(
                    Figure(
                        str(name),
                        attributes["long_name"],
                        float(variable),
                        attributes["units"],
                        attributes["shown_unit"],
                    )
                )
        return found

    def __getitem__(self, name: str) -> Any:
        """A quantity by name; a scalar comes as a float in SI."""
        variable = self.dataset[name]
        return float(variable) if variable.ndim == 0 else variable


def make_result(
    analysis: str,
    machine: Machine,
    settings: Spec,
    ended: Trajectory | SpatialTrajectory | Ending,
    quantities: Mapping[str, Quantity],
    coordinates: Mapping[str, Quantity],
    warnings: Sequence[str] = (),
    tables: Mapping[str, tuple[str, ...]] | None = None,
) -> Result:
    """Gather quantities and their story into a Result; `ended` is the run, or how many ended.

    `tables` are shown below the summary: by title, the names of quantities along one dimension,
    the first of which labels the rows.
    """
    import xarray

    spec = machine.spec.to_mapping()
    sentence = ended.sentence if isinstance(ended, Ending) else ended.status.sentence
    dataset = xarray.Dataset(
        {name: _variable(quantity) for name, quantity in quantities.items()},
        coords={name: _variable(quantity) for name, quantity in coordinates.items()},
        attrs={
            "analysis": analysis,
            "title": machine.title,
            "outcome": sentence,
            "complete": int(ended.complete),
            "warnings": json.dumps(
                _once(
                    *_finding_sentences(machine),
                    *warnings,
                    *_unknown_figures(quantities, ended.complete),
                    *_far_away(settings, ended.complete),
                )
            ),
            "counters": json.dumps(ended.counters),
            "spec": json.dumps(spec),
            "settings": json.dumps(settings.to_mapping()),
            "tables": json.dumps(tables or {}),
            "flank_version": __version__,
            "provenance": json.dumps(provenance(spec)),
            "format_version": FORMAT_VERSION,
        },
    )
    return Result(dataset, make_drawing(machine, settings, ended))


def _variable(quantity: Quantity) -> tuple[tuple[str, ...], np.ndarray, dict[str, Any]]:
    attributes: dict[str, Any] = {
        "units": quantity.unit,
        "shown_unit": quantity.shown_unit,
        "long_name": quantity.title,
    }
    if quantity.scale:
        attributes["scale"] = float(quantity.scale)
    if quantity.at_zero:
        attributes["at_zero"] = quantity.at_zero
    return quantity.dimensions, np.asarray(quantity.values), attributes


def _once(*warnings: str) -> list[str]:
    return list(dict.fromkeys(warnings))


def _unknown_figures(quantities: Mapping[str, Quantity], complete: bool) -> list[str]:
    """That a run completed and has no number for some of its main figures."""
    unknown = [
        quantity.title
        for quantity in quantities.values()
        if not quantity.dimensions and np.isnan(np.asarray(quantity.values, dtype=float))
    ]
    if not unknown or not complete:
        return []
    return [f"No number was found for: {', '.join(unknown)}."]


def _far_away(settings: Spec, complete: bool) -> list[str]:
    """That a run failed at an angle many turns away, where little is left of its digits."""
    angle = getattr(settings, "crank_angle", None) or getattr(settings, "start_angle", None) or 0.0
    turns = abs(angle) / (2 * math.pi)
    if complete or turns < FAR:
        return []
    return [
        f"The input stands {turns:.4g} turns from where it began, and angles there are known to "
        f"{np.spacing(abs(angle)):.0e} rad only: give an angle within a few turns."
    ]


def _finding_sentences(machine: Machine) -> list[str]:
    return [f"{finding.message}; {finding.remedy}." for finding in machine.findings()]
