"""Pins as they were measured: places and diameters, a row each, as errors of the pins.

    pin; x [mm]; y [mm]; diameter [mm]
    1; 64,0021; -0,0004; 6,0012

Without numbers a row is the pin that it lies next to; without places or without diameters the
others are kept as drawn. Places are turned and moved onto the nominal ring by least squares of
what is left of them: with p_k the nominal places about the centre and z_k those of the file as
complex numbers, c = mean z and φ = arg Σ p̄_k (z_k - c), which is exact for a whole ring.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from flank.arrays import ComplexNumbers, Floats, Integers
from flank.errors import SpecError
from flank.geometry.findings import OTHER_UNITS, Finding, note
from flank.machines.measured.points import NEGLIGIBLE, far
from flank.machines.measured.registration import Placement
from flank.number_tables import NumberTable, read_number_table
from flank.texts import joined, listed, mm, um

NUMBERS = ("pin", "number", "no", "no.", "nr", "nr.", "id")
DIAMETER, RADIUS = ("diameter", "dia", "d"), ("radius", "r")
HEAD = "pin; x [mm]; y [mm]; diameter [mm]"

SIZE_SHARE = 0.1
"""By how much places and sizes may be larger or smaller than the nominal ones."""

LARGEST = 0.1
"""Deviation over a pin's radius, beyond which it is another ring."""


@dataclass(frozen=True)
class NominalRing:
    count: int
    circle_radius: float
    radius: float

    @property
    def places(self) -> ComplexNumbers:
        around = 2j * math.pi * np.arange(self.count) / self.count
        return np.asarray(self.circle_radius * np.exp(around))


@dataclass(frozen=True)
class MeasuredPins:
    """Errors by kind, in m by pin; the placement is none where no places were measured."""

    file: str
    errors: dict[str, Floats]
    placement: Placement | None
    kind: str

    @property
    def deviations(self) -> Floats:
        """How far pins are off their places."""
        return np.asarray(np.hypot(self.errors["pin_radial"], self.errors["pin_tangential"]))

    def findings(self) -> Iterator[Finding]:
        """What laying the places onto the ring took away."""
        if self.placement is None:
            return
        turn, off = self.placement.angle, self.placement.offset
        if off > NEGLIGIBLE or abs(turn) > 1e-6:
            rms = float(np.sqrt(np.mean(self.deviations**2)))
            moved = f" and moved by {far(off)}" if self.kind == "angle and centre" else ""
            yield note(
                "pins-fitted",
                (off, 0.0, "m"),
                f"measured pins are turned by {math.degrees(turn):.5g} deg{moved} onto the nominal "
                f"ring; left are rms {um(rms, 3)}, largest {um(float(self.deviations.max()), 3)}",
                "points_fit 'angle' keeps their centre, off the axis as it is, 'none' their frame",
            )


def read_pins(file: str, unit: str | None, ring: NominalRing, kind: str) -> MeasuredPins:
    """SpecError with one sentence where a file cannot be the pins of this ring."""
    try:
        return _read(read_number_table(file), unit or "", ring, kind)
    except ValueError as error:
        raise SpecError(f"pins.points_file: {error}") from None


def _read(table: NumberTable, unit: str, ring: NominalRing, kind: str) -> MeasuredPins:
    number, x, y = (table.place(names) for names in (NUMBERS, ("x",), ("y",)))
    sizes = {names: table.place(names) for names in (DIAMETER, RADIUS)}
    if not table.columns or (x is None and all(place is None for place in sizes.values())):
        raise ValueError(
            f"{table.shown} has no headings that tell what its columns are; write a line '{HEAD}' "
            "above the numbers"
        )
    if (x is None) != (y is None):
        missing = "x" if x is None else "y"
        raise ValueError(f"{table.shown} has no column '{missing}'; give x and y, or none of them")
    if len(table.numbers) != ring.count:
        raise ValueError(
            f"{table.shown} has {len(table.numbers)} rows and there are {ring.count} pins; give a "
            "row for every pin"
        )
    errors: dict[str, Floats] = {}
    order, placement = np.arange(ring.count), None
    numbered = None if number is None else _numbered(table, number, ring.count)
    if x is not None and y is not None:
        places = table.values(x, "m", unit) + 1j * table.values(y, "m", unit)
        _check_size(
            table,
            np.abs(places - (0 if kind != "angle and centre" else places.mean())),
            ring.circle_radius,
            "places of pins lie {} from their centre",
        )
        placement, order = _laid(table, places, ring, kind, numbered)
        seen = (places - complex(*placement[1:])) * np.exp(-1j * placement.angle)
        off = np.empty(ring.count, complex)
        off[order] = seen * np.exp(-1j * np.angle(ring.places[order])) - ring.circle_radius
        errors |= {"pin_radial": off.real, "pin_tangential": off.imag}
    elif numbered is None:
        raise ValueError(
            f"{table.shown} does not tell which pin a row is; add a column 'pin' or places x and y"
        )
    else:
        order = numbered
    for names, share in ((DIAMETER, 0.5), (RADIUS, 1.0)):
        if (place := sizes[names]) is not None:
            radius = share * table.values(place, "m", unit)
            words = f"{names[0]}s of pins are {{}}"
            _check_size(table, radius / share, ring.radius / share, words)
            errors["pin_radius"] = np.empty(ring.count)
            errors["pin_radius"][order] = radius - ring.radius
    _check_deviations(table, errors, ring)
    return MeasuredPins(table.shown, errors, placement, kind)


def _numbered(table: NumberTable, place: int, count: int) -> Integers:
    """The pin of every row, from 0."""
    numbers = table.numbers[:, place]
    wrong = [
        row
        for row, number in enumerate(numbers.tolist())
        if not (number == round(number) and 1 <= number <= count if number == number else False)
    ]
    if wrong:
        raise ValueError(
            f"{table.shown}, line {table.lines[wrong[0]]}: {numbers[wrong[0]]:g} is no number of a "
            f"pin; they are counted from 1 to {count}"
        )
    _check_all(table, numbers.astype(int) - 1, count)
    return numbers.astype(int) - 1


def _check_all(table: NumberTable, pins: Integers, count: int) -> None:
    """Every pin once."""
    times = np.bincount(pins, minlength=count)
    if np.all(times == 1):
        return
    twice = [str(pin + 1) for pin in np.flatnonzero(times > 1)]
    none = [str(pin + 1) for pin in np.flatnonzero(times == 0)]
    raise ValueError(
        f"{table.shown} has more than one row of pin {listed(twice)} and none of pin "
        f"{listed(none)}; give a row for every pin"
    )


def _laid(
    table: NumberTable,
    places: ComplexNumbers,
    ring: NominalRing,
    kind: str,
    numbered: Integers | None,
) -> tuple[Placement, Integers]:
    """How the ring lies in the frame of the file, and the pin of every row."""
    centre = complex(places.mean()) if kind == "angle and centre" else 0j
    seen = places - centre
    order = numbered
    if order is None:
        waves = np.mean((seen / np.abs(seen)) ** ring.count)
        start = float(np.angle(waves)) / ring.count if kind != "none" else 0.0
        turns = (np.angle(seen) - start) * ring.count / (2 * math.pi)
        order = np.round(turns).astype(int) % ring.count
        _check_all(table, order, ring.count)
    angle = 0.0
    if kind != "none":
        angle = float(np.angle(np.sum(np.conj(ring.places[order]) * seen)))
    return Placement(angle, centre.real, centre.imag), order


def _check_size(table: NumberTable, found: Floats, expected: float, words: str) -> None:
    size = float(np.median(found))
    if abs(size / expected - 1) <= SIZE_SHARE:
        return
    for unit, per_metre in OTHER_UNITS.items():
        if abs(size / (per_metre * expected) - 1) <= SIZE_SHARE:
            raise ValueError(
                f"{table.shown}: {words.format(f'{size:.4g} m')}, the ring's {mm(expected, 4)}: "
                f"they seem to be in {unit}; set points_unit to '{unit}', or write the unit into "
                f"the headings as 'x [{unit}]'"
            )
    raise ValueError(
        f"{table.shown}: {words.format(mm(size, 4))}, the ring's {mm(expected, 4)}; give the pins "
        "of this ring"
    )


def _check_deviations(table: NumberTable, errors: dict[str, Floats], ring: NominalRing) -> None:
    for kind, values in errors.items():
        worst = int(np.argmax(np.abs(values)))
        if abs(values[worst]) > LARGEST * ring.radius:
            words = joined(kind.split("_"), " ")
            raise ValueError(
                f"{table.shown}: pin {worst + 1} is off by {um(float(values[worst]))} ({words}), "
                "more than a tenth of its radius; give the pins of this ring, or set points_fit to "
                "'angle and centre'"
            )
