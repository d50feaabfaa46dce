"""Keys of a spec that may be changed, and between which bounds."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flank import units
from flank.errors import SpecError
from flank.machines.error_kinds import ALL
from flank.machines.fields import field_at, metadata
from flank.machines.machine_spec import MachineSpec
from flank.machines.mistakes import hint
from flank.machines.quantities import Quantity, WholeNumber, quantity
from flank.texts import describe, echo, listed

FINEST = 1e-5
"""Of the distance between its bounds, to the power of ten below: values are rounded to that, so
that specs have short numbers and points that are as good as equal are computed once."""

_RANGE = re.compile(r"\s*(.+?)\s*(?:\.\.+|…|\bto\b|\bbis\b)\s*(.+?)\s*")
_UNIT = re.compile(r"[+-]?[\d.]+(?:[eE][+-]?\d+)?\s*(.*)")


@dataclass(frozen=True)
class Varied:
    """A key and its bounds in SI; `own` is the spec's value, if it has one."""

    key: str
    title: str
    measure: Quantity
    low: float
    high: float
    own: float | None
    whole: bool = False

    @property
    def begin(self) -> float:
        """Where the search begins: at the spec's own value, or the bound next to it."""
        middle = 0.5 * (self.low + self.high)
        return self.rounded(min(max(middle if self.own is None else self.own, self.low), self.high))

    @property
    def step(self) -> float:
        """Between values that differ."""
        if self.whole:
            return 1.0
        return float(10.0**self._power) / self._scale

    def rounded(self, value: float) -> float:
        """The nearest value of the grid that lies within the bounds."""
        if self.whole:
            return float(round(min(max(value, self.low), self.high)))
        if value in (self.low, self.high, self.own):
            return value
        power = self._power
        shown = f"{round(value * self._scale, -power):.{max(-power, 0)}f}"
        written = f"{shown} {self.measure.shown_unit}".rstrip()
        return min(max(units.parse(written, self.measure.si_unit), self.low), self.high)

    @property
    def _scale(self) -> float:
        """What an SI value is multiplied by, to be shown."""
        return units.convert(1.0, self.measure.si_unit, self.measure.shown_unit)

    @property
    def _power(self) -> int:
        """Of ten, of the last digit that a shown value has."""
        return math.floor(math.log10((self.high - self.low) * self._scale * FINEST))

    def at(self, share: float) -> float:
        """The value at a share of the way from bound to bound."""
        if self.whole:  # each whole number has an equal part of the way
            count = self.high - self.low + 1.0
            return self.low + min(math.floor(share * count), count - 1.0)
        return self.rounded(self.low + min(max(share, 0.0), 1.0) * (self.high - self.low))

    def share(self, value: float) -> float:
        """The other way round."""
        if self.whole:
            return (value - self.low + 0.5) / (self.high - self.low + 1.0)
        return (value - self.low) / (self.high - self.low)

    def text(self, value: float, digits: int = 6) -> str:
        """As sentences tell it."""
        if self.whole:
            return str(int(value))
        return units.format_quantity(value, self.measure.si_unit, self.measure.shown_unit, digits)


def find_varied(spec: MachineSpec, vary: Mapping[str, Any]) -> tuple[Varied, ...]:
    """Keys with their bounds; SpecError has a sentence for each that is not there or not so."""
    if not vary:
        raise SpecError(
            "nothing varies; name a key and its bounds, as discs.equidistant='-20..20 um'"
        )
    found, problems = [], []
    for key, given in vary.items():
        try:
            found.append(_varied(str(key), given, spec))
        except ValueError as error:
            problems.append(f"{echo(key)}: {error}")
    names = [each.key for each in found]
    if double := listed(dict.fromkeys(name for name in names if names.count(name) > 1)):
        problems.append(f"{double} would vary twice; name it once")
    if problems:
        raise SpecError(problems)
    return tuple(found)


def _varied(key: str, given: Any, spec: MachineSpec) -> Varied:
    key, title, measure, whole = _key(key, spec)
    low, high = _bounds(given, measure, whole)
    if low == high:
        raise ValueError(f"both bounds are {measure.shown(low)}, so nothing varies; set it instead")
    if low > high:
        raise ValueError(
            f"bounds are reversed, {measure.shown(low)} is more than {measure.shown(high)}; give "
            "the lower one first"
        )
    return Varied(key, title, measure, low, high, _own(key, spec), whole is not None)


def _key(key: str, spec: MachineSpec) -> tuple[str, str, Quantity, WholeNumber | None]:
    """The full key, its meaning and its measure; ValueError says what is meant by another one."""
    block, _, rest = key.partition(".")
    if block == "errors":
        return _error(rest, spec)
    field = field_at(type(spec), tuple(key.split(".")))
    if field is None:
        raise ValueError(f"this is not a key of the spec{_hint(key, spec)}")
    measure, whole = metadata(field, Quantity), metadata(field, WholeNumber)
    if measure is not None:
        return key, field.description or key, measure, None
    if whole is None:
        raise ValueError("this is not a number; only numbers vary")
    free = quantity("", "", minimum=whole.minimum, maximum=whole.maximum)
    return key, field.description or key, free, whole


def _hint(key: str, spec: MachineSpec) -> str:
    first = key.split(".")[0]
    if first in spec.error_kinds and first not in type(spec).model_fields:
        return f"; did you mean 'errors.{key}'?"
    return hint(type(spec), tuple(key.split(".")), None)


def _error(rest: str, spec: MachineSpec) -> tuple[str, str, Quantity, None]:
    """An error of one part, or of all parts of a kind alike."""
    name, _, which = rest.partition(".")
    if name not in spec.error_kinds:
        known = list(spec.error_kinds)
        raise ValueError(f"this is not a kind of error of this machine; there is: {listed(known)}")
    kind = spec.error_kinds[name]
    which = which or ALL
    known = [kind.key(index) for index in kind.instances(spec.counts)]
    if which != ALL and which not in known:
        raise ValueError(kind.unknown_key(which, spec.counts))
    title = kind.title if which == ALL else f"{kind.title}, {which}"
    return f"errors.{name}.{which}", title, kind.quantity(-kind.largest), None


def _own(key: str, spec: MachineSpec) -> float | None:
    value: Any = spec
    for part in key.split("."):
        value = value.get(part) if isinstance(value, dict) else getattr(value, part, None)
    if key.startswith("errors.") and value is None:
        return 0.0
    return float(value) if isinstance(value, (int, float)) else None


def _bounds(given: Any, measure: Quantity, whole: WholeNumber | None) -> tuple[float, float]:
    ends = _ends(given, measure)
    if whole is not None:
        return float(whole.parse(ends[0])), float(whole.parse(ends[1]))
    low, high = (measure.parse(end) for end in ends)
    return low, high


def _ends(given: Any, measure: Quantity) -> tuple[Any, Any]:
    """Both bounds as they were given, each with its unit."""
    example = f"-1..1 {measure.shown_unit}".rstrip()
    if isinstance(given, Mapping):
        if set(given) != {"low", "high"}:
            raise ValueError(f"bounds are given by the keys low and high, or as '{example}'")
        return given["low"], given["high"]
    if isinstance(given, Sequence) and not isinstance(given, str):
        if len(given) != 2:
            raise ValueError(f"{len(given)} bounds are given; give two, the lower one first")
        return given[0], given[1]
    if not isinstance(given, str) or (match := _RANGE.fullmatch(given)) is None:
        raise ValueError(f"{describe(given)} are no bounds; give both, as in '{example}'")
    low, high = match.groups()
    unit = _UNIT.fullmatch(high)
    if unit and unit[1] and (bare := _UNIT.fullmatch(low)) and not bare[1]:
        low = f"{low} {unit[1]}"
    return low, high
