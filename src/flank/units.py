"""Units at the edge: text such as '1.3 mm' becomes an SI float here, and nowhere else.

The angle is a base dimension, so that '20 deg' is never taken for a length. Arithmetic is decimal:
'1.3 mm' is exactly the float 0.0013.
"""

from __future__ import annotations

import ast
import functools
import math
import numbers
import re
from collections.abc import Mapping
from decimal import Context, Decimal
from typing import Any, NamedTuple

from flank.errors import nearest
from flank.texts import describe, echo, with_article

UNIT_DEFINITIONS = """
meter = [length] = m
centimeter = 0.01 * meter = cm
millimeter = 0.001 * meter = mm
micrometer = 1e-6 * meter = um
nanometer = 1e-9 * meter = nm
inch = 0.0254 * meter = in
kilogram = [mass] = kg
gram = 0.001 * kilogram = g
second = [time] = s
millisecond = 0.001 * second = ms
microsecond = 1e-6 * second = us = µs
minute = 60 * second = min
hour = 3600 * second = h
radian = [angle] = rad
milliradian = 0.001 * radian = mrad
turn = 6.283185307179586476925286766559005768 * radian = rev
degree = turn / 360 = deg
arcminute = turn / 21600 = arcmin
arcsecond = turn / 1296000 = arcsec
rpm = turn / minute
hertz = 1 / second = Hz
kilohertz = 1000 * hertz = kHz
newton = kilogram * meter / second ** 2 = N
kilonewton = 1000 * newton = kN
meganewton = 1e6 * newton = MN
millinewton = 0.001 * newton = mN
pound_force = 4.4482216152605 * newton = lbf
pascal = newton / meter ** 2 = Pa
kilopascal = 1000 * pascal = kPa
megapascal = 1e6 * pascal = MPa
gigapascal = 1e9 * pascal = GPa
bar = 1e5 * pascal
psi = pound_force / inch ** 2
newton_meter = newton * meter = Nm
kilonewton_meter = 1000 * newton_meter = kNm
meganewton_meter = 1e6 * newton_meter = MNm
newton_millimeter = 0.001 * newton_meter = Nmm
joule = newton * meter = J
watt = joule / second = W
kilowatt = 1000 * watt = kW
percent = 0.01
"""

KNOWN_UNITS = frozenset(
    name
    for line in UNIT_DEFINITIONS.strip().splitlines()
    for name in re.findall(r"(?:^|= )([A-Za-z_]+)(?= =|$)", line)
)


class Dimension(NamedTuple):
    """What a kind of quantity is called, its SI unit and an example of how to write it."""

    name: str
    si_unit: str
    example: str


DIMENSIONS = (
    Dimension("number without a unit", "", "0.3"),
    Dimension("length", "m", "3 mm"),
    Dimension("angle", "rad", "20 deg"),
    Dimension("time", "s", "2 ms"),
    Dimension("mass", "kg", "3 kg"),
    Dimension("area", "m^2", "3 mm^2"),
    Dimension("volume", "m^3", "3 mm^3"),
    Dimension("speed", "m/s", "1 mm/s"),
    Dimension("acceleration", "m/s^2", "9.81 m/s^2"),
    Dimension("angular speed", "rad/s", "1500 rpm"),
    Dimension("angular acceleration", "rad/s^2", "10 rad/s^2"),
    Dimension("frequency", "1/s", "50 Hz"),
    Dimension("force", "N", "10 N"),
    Dimension("torque", "N*m", "200 N*m"),
    Dimension("power", "W", "0.9 kW"),
    Dimension("pressure", "Pa", "206 GPa"),
    Dimension("density", "kg/m^3", "7850 kg/m^3"),
    Dimension("moment of inertia", "kg*m^2", "0.08 kg*m^2"),
    Dimension("stiffness", "N/m", "1e9 N/m"),
    Dimension("torsional stiffness", "N*m/rad", "113 N*m/arcmin"),
    Dimension("stiffness per area", "N/m^3", "1e10 N/m^3"),
    Dimension("damping", "N*s/m", "100 N*s/m"),
    Dimension("torsional damping", "N*m*s/rad", "1 N*m*s/rad"),
    Dimension("contact damping", "s/m", "0.2 s/m"),
)

_SPELLINGS = (
    ("µ", "u"),
    ("μ", "u"),
    ("·", "*"),
    ("⋅", "*"),
    ("×", "*"),
    ("°", "deg"),
    ("′", "arcmin"),
    ("″", "arcsec"),
    ("%", "percent"),
    ("²", "^2"),
    ("³", "^3"),
    ("⁻¹", "^-1"),
    ("⁻", "^-"),
    ("−", "-"),
)
_TURNS_PER_MINUTE = re.compile(
    r"(?:(?:1|U|Umdr\.?|r|rev)?\s*/\s*min|min\s*(?:\^|\*\*)?\s*-1|rpm)", re.I
)
"""How people write rpm. As units 1/min and its like are frequencies; an angular speed is meant."""
_NUMBER = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?"
_QUANTITY_TEXT = re.compile(rf"({_NUMBER})(?:\s*/\s*({_NUMBER})(?![\w.]))?\s*(.*)")
_WITHOUT_UNIT = re.compile(rf"{_NUMBER}(?:\s*/\s*{_NUMBER})?")
_ARITHMETIC = Context(prec=40)

LONGEST_UNIT = 40
"""Characters; 'N*m*s/rad' is a long one."""


class Unit(NamedTuple):
    """A unit's size in SI and its exponents over the base dimensions."""

    factor: Decimal
    exponents: Mapping[str, float]

    def measures_same_as(self, other: Unit) -> bool:
        """True for equal dimensions; fractional exponents are compared as decimals."""
        names = {*self.exponents, *other.exponents}
        return all(
            abs(self.exponents.get(name, 0.0) - other.exponents.get(name, 0.0)) < 1e-6
            for name in names
        )

    def power(self, exponent: Decimal) -> Unit:
        powers = {name: float(exponent) * value for name, value in self.exponents.items()}
        return Unit(_ARITHMETIC.power(self.factor, exponent), powers)

    def times(self, other: Unit) -> Unit:
        names = {*self.exponents, *other.exponents}
        powers = {n: self.exponents.get(n, 0.0) + other.exponents.get(n, 0.0) for n in names}
        factor = _ARITHMETIC.multiply(self.factor, other.factor)
        return Unit(factor, {name: value for name, value in powers.items() if value})


@functools.cache
def _units() -> Mapping[str, Unit]:
    """Every known name and what it stands for."""
    units: dict[str, Unit] = {}
    for line in UNIT_DEFINITIONS.strip().splitlines():
        name, expression, *aliases = (part.strip() for part in line.split(" = "))
        base = expression.startswith("[")
        unit = Unit(Decimal(1), {expression: 1.0}) if base else _evaluated(expression, units, True)
        units |= dict.fromkeys((name, *aliases), unit)
    return units


_NEXT_TO_EACH_OTHER = re.compile(r"(?<=[\w)])\s+(?=[\w(])")
_NAME = re.compile(r"(?<![\d.])[^\W\d]\w*")
_LARGEST_EXPONENT = 100


def _evaluated(expression: str, units: Mapping[str, Unit], scaled: bool = False) -> Unit:
    """A product of units as it is written: names, *, /, powers by ^ or **, brackets, and numbers,
    but for one only where a unit is defined: elsewhere they belong to the quantity."""
    text = _NEXT_TO_EACH_OTHER.sub("*", expression).replace("^", "**")
    text = _NAME.sub(r"_\g<0>", text)  # 'in' would be a word of Python
    return _Expression(text, units, scaled).value(ast.parse(text, mode="eval").body)


class _Expression(NamedTuple):
    text: str
    units: Mapping[str, Unit]
    scaled: bool

    def value(self, node: ast.expr) -> Unit:
        match node:
            case ast.Name(id=name):
                return self.units[name[1:]]
            case ast.BinOp(left, ast.Mult(), right):
                return self.value(left).times(self.value(right))
            case ast.BinOp(left, ast.Div(), right):
                return self.value(left).times(self.value(right).power(Decimal(-1)))
            case ast.BinOp(left, ast.Pow(), right):
                return self.value(left).power(self._exponent(right))
            case _:
                number = self._number(node)
                if number != 1 and not self.scaled:
                    raise ValueError("a number that is not the unit's")
                return Unit(number, {})

    def _exponent(self, node: ast.expr) -> Decimal:
        match node:
            case ast.UnaryOp(ast.USub(), operand):
                value = -self._exponent(operand)
            case ast.BinOp(left, ast.Div(), right):
                value = _ARITHMETIC.divide(self._exponent(left), self._exponent(right))
            case _:
                value = self._number(node)
        if abs(value) > _LARGEST_EXPONENT:
            raise ValueError("an exponent that no unit has")
        return value

    def _number(self, node: ast.expr) -> Decimal:
        """As it is written, not as the nearest float."""
        written = ast.get_source_segment(self.text, node)
        if not isinstance(node, ast.Constant) or written is None:
            raise ValueError("neither a unit nor a number")
        return Decimal(written)


def _plain_spelling(unit_text: str) -> str:
    for spelling, plain in _SPELLINGS:
        unit_text = unit_text.replace(spelling, plain)
    return unit_text.strip()


@functools.lru_cache(maxsize=512)
def _unit(text: str) -> Unit:
    """The unit written as `text`; ValueError saying what is wrong with it when it is none."""
    text = _plain_spelling(text)
    if text.startswith("/"):
        text = f"1{text}"
    if len(text) > LONGEST_UNIT:
        raise ValueError(f"a unit of {len(text)} characters")
    for name in _NAME.findall(text):
        if name not in KNOWN_UNITS:
            match = nearest(name, KNOWN_UNITS)
            hint = f" (did you mean '{match}'?)" if match else ""
            raise ValueError(f"the unknown unit '{echo(name)}'{hint}")
    try:
        return _evaluated(text, _units()) if text else Unit(Decimal(1), {})
    except (ArithmeticError, SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ValueError(f"a unit that cannot be read, '{echo(text)}'") from error


@functools.lru_cache(maxsize=512)
def dimension_of(unit: str) -> Dimension:
    """The dimension that `unit` measures; one without a name is named by its unit."""
    wanted = _unit(unit)
    for dimension in DIMENSIONS:
        if _unit(dimension.si_unit).measures_same_as(wanted):
            return dimension
    return Dimension(f"quantity in {unit}", unit, f"1 {unit}")


def _needed(unit: str) -> str:
    dimension = dimension_of(unit)
    return f"{with_article(dimension.name)} is needed, for example '{dimension.example}'"


class WrittenInteger(int):
    """A whole number out of a file or a command line."""


class WrittenNumber(float):
    """A number out of a file or a command line, where nobody says that it is SI."""


def as_written(data: Any) -> Any:
    """Data out of a text with its numbers marked, so that one without a unit can be asked about."""
    return _marked(data, {})


def _marked(data: Any, seen: dict[int, Any]) -> Any:
    """A text may name one block a million times over; each is gone through once."""
    if isinstance(data, bool) or not isinstance(data, (dict, list, int, float)):
        return data
    if isinstance(data, int):
        return WrittenInteger(data)
    if isinstance(data, float):
        return WrittenNumber(data)
    if id(data) not in seen:
        copy: Any = {} if isinstance(data, dict) else []
        seen[id(data)] = copy
        if isinstance(data, dict):
            copy.update((key, _marked(value, seen)) for key, value in data.items())
        else:
            copy.extend(_marked(value, seen) for value in data)
    return seen[id(data)]


def lacks_unit(value: Any) -> bool:
    """Whether a person wrote this number without a unit; numbers out of Python are SI."""
    if isinstance(value, (WrittenInteger, WrittenNumber)):
        return True
    return isinstance(value, str) and _WITHOUT_UNIT.fullmatch(value.strip()) is not None


def parse(value: Any, unit: str) -> float:
    """The SI value of a number (already SI) or of text such as '1.3 mm', measured in `unit`.

    `unit` is the SI unit wanted, for example 'm'. ValueError carries one sentence.
    """
    if isinstance(value, str):
        return _parse_text(value, unit)
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise ValueError(f"{describe(value)} is given; {_needed(unit)}")
    try:
        return _finite(float(value), str(value), unit)
    except OverflowError:
        raise ValueError(f"a number too large to hold is given; {_needed(unit)}") from None


def _finite(number: float, shown: str, unit: str) -> float:
    if not math.isfinite(number):
        raise ValueError(f"{shown} is not a finite number; {_needed(unit)}")
    return number


def _parse_text(text: str, unit: str) -> float:
    if not text.strip():
        raise ValueError(f"an empty text is given; {_needed(unit)}")
    shown = f"'{echo(text)}'"
    if "±" in text or "+/-" in text:
        raise ValueError(
            f"{shown} has a tolerance; give the nominal value here, and its tolerance in the "
            "block 'tolerances' if the machine has one"
        )
    match = _QUANTITY_TEXT.fullmatch(text.strip().replace("−", "-"))
    if match is None:
        raise ValueError(f"{shown} is not a number with a unit; {_needed(unit)}")
    numerator, denominator, unit_text = match.groups()
    if unit_text.startswith(","):
        raise ValueError(f"{shown} has a comma; write a decimal point, as in '1.3 mm'")
    if denominator is not None and float(denominator) == 0.0:
        raise ValueError(f"{shown} divides by zero; {_needed(unit)}")
    for part in (numerator, denominator or "1"):
        _finite(float(part), shown, unit)
    factor = _factor(unit_text, unit, shown) if unit_text else Decimal(1)
    number = _ARITHMETIC.divide(Decimal(numerator), Decimal(denominator or "1"))
    return _finite(float(_ARITHMETIC.multiply(number, factor)), shown, unit)


def _factor(unit_text: str, unit: str, shown: str) -> Decimal:
    wanted = _unit(unit)
    if _RADIANS_PER_SECOND.measures_same_as(wanted) and _means_rpm(unit_text):
        unit_text = "rpm"
    try:
        given = _unit(unit_text)
    except ValueError as error:
        raise ValueError(f"{shown} has {error}; {_needed(unit)}") from None
    if not given.measures_same_as(wanted):
        name = with_article(dimension_of(unit_text).name)
        raise ValueError(f"{shown} is {name}; {_needed(unit)}")
    return given.factor


_RADIANS_PER_SECOND = Unit(Decimal(1), {"[angle]": 1.0, "[time]": -1.0})


def _means_rpm(unit_text: str) -> bool:
    return _TURNS_PER_MINUTE.fullmatch(_plain_spelling(unit_text)) is not None


def _convert_exactly(value_si: float, si_unit: str, unit: str) -> Decimal:
    if not _unit(unit).measures_same_as(_unit(si_unit)):
        raise ValueError(f"'{unit}' does not measure {with_article(dimension_of(si_unit).name)}")
    return _ARITHMETIC.divide(Decimal(repr(float(value_si))), _unit(unit).factor)


def convert(value_si: float, si_unit: str, unit: str) -> float:
    """An SI value, held in `si_unit`, expressed in `unit`."""
    if not math.isfinite(value_si):
        return float(value_si)
    return float(_convert_exactly(value_si, si_unit, unit))


def format_quantity(value_si: float, si_unit: str, unit: str, digits: int = 6) -> str:
    """An SI value as text for a person, rounded to `digits` significant digits."""
    return f"{convert(value_si, si_unit, unit):.{digits}g} {unit}".rstrip()


def exact_text(value_si: float, si_unit: str, unit: str) -> str | None:
    """The shortest text in `unit` that `parse` turns into the same float; None if there is none."""
    converted = _convert_exactly(value_si, si_unit, unit)
    if not math.isfinite(float(converted) * 10.0):
        return None
    for digits in range(1, 22):
        number = Context(prec=digits).plus(converted)
        text = f"{_plain(number)} {unit}".rstrip()
        if parse(text, si_unit) == value_si:
            return text
    return None


def _plain(number: Decimal) -> str:
    number = number.normalize()
    if number.is_zero() or -6 < number.adjusted() < 7:
        return f"{number:f}"
    return f"{number:e}".replace("e+", "e")
