"""Which numbers of a machine's model follow its drawn errors, and how.

To assemble a machine takes longer than a GPU needs for its loop. What errors change is therefore
learnt from some machines that are assembled: one for each error tells which numbers it moves, and a
hundred with all errors at once give the polynomial of each number in the few errors that move it. A
tolerance is a thousandth of a part, or a fiftieth of the difference of two radii, so that terms of
the sixth order end at round-off; that they do is checked on further machines, and a machine of
which it is not true is refused.

Samples along a flank, from which searches for a nearest point begin, stay those of the machine
itself: they are beginnings only.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from flank.arrays import Floats
from flank.dynamics.ensemble import DEGREE, Deviations, Varied, varied_tables
from flank.dynamics.model import Model
from flank.errors import SpecError
from flank.machines.base import Assembly, Drive
from flank.studies.variables import Place, Variables

RARE = 1e-6
"""Share of draws on either side beyond which a polynomial goes on by itself."""

MORE_POINTS, FEWEST_POINTS = 1.5, 40
"""Machines assembled for each coefficient of the longest polynomial, and at least: among few that
are drawn there may be none near an end, and beyond the last a polynomial goes astray."""

CHECKED = 8
"""Machines whose numbers are compared with their polynomials."""

AGREEMENT, DEVIATION_SHARE = 1e-12, 1e-3
"""What a polynomial may miss a number by, of the largest of its kind or of what it deviates by over
this share."""

ROUND_OFF = 2e-16
"""Of the same: terms that are smaller are left out."""

SEARCH_AIDS = ("reach", "sample_spacing")
"""Fields that only bound a search; they are found by searches themselves."""

SEARCH_AGREEMENT = 1e-6

DEGREES = {1: DEGREE, 2: DEGREE, 3: DEGREE, 4: 4} | dict.fromkeys(range(5, 10), 2)
"""Of a polynomial in so many errors; no number may follow more."""


@dataclass(frozen=True)
class Nominal:
    """The machine without draws as it is run, and how its numbers deviate."""

    assembly: Assembly
    varied: Varied
    deviations: Deviations


def find_deviations(machine: Any, variables: Variables, drive: Drive, angle: float) -> Nominal:
    """SpecError if a GPU cannot make this machine's samples by itself."""
    places = variables.places
    if numbers := [place.name for place in places if not place.kind]:
        raise SpecError(
            f"cuda varies errors only, and {numbers[0]} is another number of the spec; use threads"
        )
    made = _Assembled(machine, places, drive, angle)
    assembly = made.assembly(np.zeros(len(places)))
    if not isinstance(assembly.model, Model):
        raise SpecError(f"cuda takes planar machines, and '{machine.title}' is in space")
    spans = _spans(variables)
    nominal = made.tables(np.zeros(len(places)))
    start = np.concatenate([table.ravel() for table in nominal])
    generator = np.random.default_rng(0)
    groups = _groups(_followed(made, spans, spans * generator.uniform(-1.0, 1.0, len(spans))))
    if (most := max(map(len, groups), default=0)) > max(DEGREES):
        raise SpecError(
            f"cuda knows numbers that follow {max(DEGREES)} errors at most, and one of "
            f"'{machine.title}' follows {most}; use threads"
        )
    points = _points(groups, spans, generator)
    changes = np.array([made.numbers(point) - start for point in points[:-CHECKED]])
    deviations = _fitted(groups, points[:-CHECKED] / spans, changes, nominal, spans)
    for point in points[-CHECKED:]:
        _check(made, assembly, deviations, nominal, point)
    return Nominal(assembly, nominal, deviations)


def evaluate(deviations: Deviations, draws: Floats) -> Floats:
    """Deviation of every entry, (entry, sample), of draws (sample, place)."""
    scaled = np.hstack([draws / deviations.spans, np.ones((len(draws), 1))])
    terms = deviations.coefficients[:, None] * np.prod(
        scaled.T[deviations.factors], axis=1, dtype=float
    )
    return np.asarray(np.add.reduceat(terms, deviations.entries[:, 3], axis=0))


@dataclass(frozen=True)
class _Assembled:
    """Assembles machines by their drawn errors."""

    machine: Any
    places: Sequence[Place]
    drive: Drive
    angle: float

    def _machine(self, values: Floats) -> Any:
        extra = {
            (place.kind, place.index): float(value)
            for place, value in zip(self.places, values, strict=True)
        }
        return replace(self.machine, extra=extra)

    def assembly(self, values: Floats) -> Assembly:
        assembled: Assembly = self._machine(values).assemble(self.drive)
        return assembled

    def tables(self, values: Floats) -> Varied:
        machine = self._machine(values)
        return varied_tables(machine.assemble(self.drive).model, machine.ideal_pose(self.angle))

    def numbers(self, values: Floats) -> Floats:
        return np.concatenate([table.ravel() for table in self.tables(values)])


def _spans(variables: Variables) -> Floats:
    """How far each drawn number goes from nought, hardly ever further."""
    spans: list[float] = []
    for entry in variables.entries:
        ends = entry.distribution.quantile(np.array([[RARE, 1.0 - RARE]]))
        spans += [float(np.abs(ends).max()) or 1.0] * len(entry.places)
    return np.array(spans)


def _followed(made: _Assembled, spans: Floats, base: Floats) -> list[list[int]]:
    """By number of the tables, the errors that move it; about a machine with all errors, as some
    act only where others are."""
    start = made.numbers(base).view(np.int64)
    moved: list[list[int]] = [[] for _ in start]
    for place, span in enumerate(spans):
        values = base.copy()
        values[place] -= 0.5 * span * (np.sign(base[place]) or 1.0)
        for number in np.flatnonzero(made.numbers(values).view(np.int64) != start):
            moved[number].append(place)
    return moved


def _groups(followed: list[list[int]]) -> dict[tuple[int, ...], list[int]]:
    """Numbers that follow the same errors."""
    groups: dict[tuple[int, ...], list[int]] = {}
    for number, places in enumerate(followed):
        if places:
            groups.setdefault(tuple(places), []).append(number)
    return groups


def _monomials(count: int) -> list[tuple[int, ...]]:
    """Of so many variables."""
    return [
        factors
        for degree in range(1, DEGREES[count] + 1)
        for factors in itertools.combinations_with_replacement(range(count), degree)
    ]


def _points(
    groups: dict[tuple[int, ...], list[int]], spans: Floats, generator: np.random.Generator
) -> Floats:
    longest = max((len(_monomials(len(places))) for places in groups), default=0)
    count = max(int(MORE_POINTS * longest), FEWEST_POINTS) + CHECKED
    return np.asarray(generator.uniform(-1.0, 1.0, (count, len(spans))) * spans)


def _fitted(
    groups: dict[tuple[int, ...], list[int]],
    points: Floats,
    changes: Floats,
    nominal: Varied,
    spans: Floats,
) -> Deviations:
    """The polynomials, by least squares over machines; terms that are nothing are left out."""
    where = list(_where(nominal))
    entries: list[tuple[int, ...]] = []
    coefficients: list[float] = []
    factors: list[tuple[int, ...]] = []
    for places, numbers in groups.items():
        monomials = _monomials(len(places))
        columns = np.array(
            [np.prod(points[:, [places[i] for i in each]], axis=1) for each in monomials]
        )
        solved = np.linalg.lstsq(columns.T, changes[:, numbers], rcond=None)[0]
        for number, column in zip(numbers, solved.T, strict=True):
            first, (table, _, word) = len(coefficients), where[number]
            negligible = ROUND_OFF * _scale(nominal[table][:, word], np.abs(column).max())
            for each, coefficient in zip(monomials, column.tolist(), strict=True):
                if abs(coefficient) > negligible:
                    coefficients.append(coefficient)
                    padding = (-1,) * (DEGREE - len(each))
                    factors.append((*(places[i] for i in each), *padding))
            if len(coefficients) > first:
                entries.append((*where[number], first, len(coefficients)))
    return Deviations(
        np.array(entries, np.int64).reshape(-1, 5),
        np.array(coefficients),
        np.array(factors, np.int64).reshape(-1, DEGREE),
        spans,
    )


def _scale(column: Floats, deviation: float) -> float:
    """What numbers of a kind are compared with."""
    return max(float(np.abs(column).max()), abs(deviation) / DEVIATION_SHARE)


def _where(nominal: Varied) -> Iterator[tuple[int, int, int]]:
    """Table, row and word of every number."""
    for table, words in enumerate(nominal):
        for row, word in np.ndindex(words.shape):
            yield table, row, word


def _check(
    made: _Assembled, assembly: Assembly, deviations: Deviations, nominal: Varied, values: Floats
) -> None:
    """SpecError if a machine's numbers are not what their polynomials say, or others move, too."""
    title, model = made.machine.title, assembly.planar
    machine = made.assembly(values).planar
    if not _alike(_shared(model), _shared(machine)):
        raise SpecError(
            f"cuda varies contacts, curves, joints and springs, and errors of '{title}' change "
            "more; use threads"
        )
    numbers = made.tables(values)
    change = evaluate(deviations, values[None, :])[:, 0]
    fields = [getattr(model, name).dtype.names for name in Varied._fields[:-1]]
    for (table, row, word, *_), deviation in zip(deviations.entries, change, strict=True):
        expected = numbers[table][row, word]
        column = nominal[table][:, word]
        field = fields[table][word] if table < len(fields) else "position"
        allowed = SEARCH_AGREEMENT if field in SEARCH_AIDS else AGREEMENT
        if abs(column[row] + deviation - expected) > allowed * _scale(column, deviation):
            raise SpecError(
                f"cuda makes samples by polynomials of their errors, and {field} of '{title}' is "
                f"none to {allowed:g}; use threads"
            )


def _shared(model: Model) -> list[Any]:
    """What all samples have in common; samples along curves, where searches begin, are left out."""
    data = model.curve_data.copy()
    for curve in model.curves:
        data[curve["sample_start"] :][: 3 * curve["sample_count"]] = 0.0
    left_out = (*Varied._fields, "curve_data")
    fields = [getattr(model, name) for name in model._fields if name not in left_out]
    return [data, *fields]


def _alike(first: Any, second: Any) -> bool:
    if isinstance(first, (tuple, list)):
        return len(first) == len(second) and all(map(_alike, first, second))
    if isinstance(first, np.ndarray):
        return bool(first.shape == second.shape and first.tobytes() == second.tobytes())
    return bool(first == second)
