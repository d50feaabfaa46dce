"""Distributions as people give them: amounts with units, or a column of a file, made into SI."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

from flank import units
from flank.errors import suggestion
from flank.machines.distributions import (
    DEVIATIONS_IN_TOLERANCE,
    Discrete,
    Distribution,
    Normal,
    Triangular,
    TruncatedNormal,
    Uniform,
)
from flank.machines.quantities import Quantity
from flank.plain_files import NotReadable, decoded, read_plain_file
from flank.studies.spec import VariableSpec
from flank.texts import echo, echo_path, listed

LARGEST_FILE = 50_000_000


def make_distribution(
    given: VariableSpec,
    measure: Quantity,
    nominal: float | None,
    tolerance: float | None,
    folder: Path,
) -> Distribution:
    """In SI; what was left out follows from the drawing's tolerance, or the spec's own value."""
    size = Quantity(measure.si_unit, measure.shown_unit, above=0.0)
    free = Quantity(measure.si_unit, measure.shown_unit)

    def amount(name: str, of: Quantity, default: Callable[[], float | None]) -> float:
        raw = getattr(given, name)
        if raw is None:
            value = default()
            if value is None:
                example = of.shown(1.0) if of.si_unit == "" else f"1 {of.shown_unit}"
                raise ValueError(f"{name} is missing; give it, for example '{example}'")
            return value
        try:
            return of.parse(raw)
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None

    def edge(sign: float) -> float | None:
        return None if tolerance is None else sign * tolerance

    def spread() -> float | None:
        return None if tolerance is None else tolerance / DEVIATIONS_IN_TOLERANCE

    match given.distribution:
        case "normal":
            mean = amount("mean", free, lambda: nominal)
            return Normal(mean, amount("deviation", size, spread))
        case "measured":
            return Discrete.measured(_measured(given, measure, folder))
        case "discrete":
            values = tuple(_value(raw, measure) for raw in given.values)
            return Discrete(values, given.weights or (1.0,) * len(values))
    low, high = amount("low", free, lambda: edge(-1.0)), amount("high", free, lambda: edge(1.0))
    if not low < high:
        raise ValueError(f"low is {free.shown(low)} and high {free.shown(high)}; low must be less")
    match given.distribution:
        case "uniform":
            return Uniform((low, high))
        case "triangular":
            mode = amount("mode", free, lambda: 0.5 * (low + high))
            if not low <= mode <= high:
                raise ValueError(f"mode is {free.shown(mode)}; it must lie between low and high")
            return Triangular(mode, (low, high))
        case _:
            mean = amount("mean", free, lambda: nominal)
            return TruncatedNormal(mean, amount("deviation", size, spread), (low, high))


def _value(raw: Any, measure: Quantity) -> float:
    try:
        return measure.parse(raw)
    except ValueError as error:
        raise ValueError(f"values: {error}") from None


def _measured(given: VariableSpec, measure: Quantity, folder: Path) -> list[float]:
    """A column of a CSV file, by its heading."""
    path = folder / str(given.file)
    try:
        text = decoded(read_plain_file(path, LARGEST_FILE))
    except NotReadable as error:
        raise ValueError(f"file: {echo_path(path)} {error}") from None
    delimiter = ";" if text.partition("\n")[0].count(";") else ","
    rows = csv.DictReader(io.StringIO(text), delimiter=delimiter, skipinitialspace=True)
    headings = [heading.strip() for heading in rows.fieldnames or ()]
    rows.fieldnames = headings
    if not any(headings):
        raise ValueError(f"file: {echo_path(path)} is empty; its first line names the columns")
    if given.column not in headings:
        near = suggestion(str(given.column), headings)
        raise ValueError(
            f"column: {echo_path(path)} has no '{echo(given.column)}'{near} It has "
            f"{listed(headings)}"
        )
    values = []
    for line, row in enumerate(rows, start=2):
        cell = (row[str(given.column)] or "").strip()
        if cell:
            try:
                written = f"{cell} {given.unit}" if given.unit else float(cell)
                values.append(units.parse(written, measure.si_unit))
            except ValueError as error:
                raise ValueError(f"{echo_path(path)}, line {line}: {error}") from None
    if not values:
        raise ValueError(f"file: {echo_path(path)} has no values in '{echo(given.column)}'")
    if not given.unit and measure.si_unit and all(_refused(each, measure) for each in values):
        raise ValueError(
            f"the column '{echo(given.column)}' has no unit, so its numbers are {measure.si_unit}, "
            f"which none of them can be, as {values[0]:g}; give one, for example unit: "
            f"{measure.shown_unit}"
        )
    return values


def _refused(value: float, measure: Quantity) -> bool:
    try:
        measure.parse(value)
    except ValueError:
        return True
    return False
