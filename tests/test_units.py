"""Units at the edge: what is read, what is refused and with which words."""

import math
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flank import units


@pytest.mark.parametrize(
    ("text", "unit", "expected"),
    [
        ("1.3 mm", "m", 0.0013),
        ("1.3mm", "m", 0.0013),
        ("5 um", "m", 5e-6),
        ("5 µm", "m", 5e-6),
        ("5 μm", "m", 5e-6),
        ("-5e0 um", "m", -5e-6),
        ("1 inch", "m", 0.0254),
        ("1/8 in", "m", 0.003175),
        ("2 cm", "m", 0.02),
        ("20 deg", "rad", math.radians(20.0)),
        ("20°", "rad", math.radians(20.0)),
        ("1 turn", "rad", 2.0 * math.pi),
        ("60 arcmin", "rad", math.radians(1.0)),
        ("3600 arcsec", "rad", math.radians(1.0)),
        ("1500 rpm", "rad/s", 50.0 * math.pi),
        *(
            (f"1500{unit}", "rad/s", 50.0 * math.pi)
            for unit in (" 1/min", " min^-1", " min⁻¹", " min-1", " U/min", "/min", " r/min")
        ),
        ("1500 rev/min", "rad/s", 50.0 * math.pi),
        ("1500 RPM", "rad/s", 50.0 * math.pi),
        ("60 1/min", "1/s", 1.0),
        ("50 Hz", "1/s", 50.0),
        ("3 /s", "1/s", 3.0),
        ("200 N·m", "N*m", 200.0),
        ("200 N*m", "N*m", 200.0),
        ("200 N m", "N*m", 200.0),
        ("200 Nm", "N*m", 200.0),
        ("113 N*m/arcmin", "N*m/rad", 113.0 * 60.0 * 180.0 / math.pi),
        ("206 GPa", "Pa", 206e9),
        ("1 bar", "Pa", 1e5),
        ("1 lbf", "N", 4.4482216152605),
        ("7.85 g/cm^3", "kg/m^3", 7850.0),
        ("7850 kg/m³", "kg/m^3", 7850.0),
        ("1 kW", "W", 1000.0),
        ("1e3 N/mm^1.5", "N/m^1.5", 1e3 * 1000.0**1.5),
        ("8e10 N/m^(10/9)", "N/m^1.111111111111", 8e10),
        ("5 %", "", 0.05),
        ("10/9", "", 10 / 9),
        ("3", "m", 3.0),
        (" 1e-3 ", "m", 1e-3),
        (3, "m", 3.0),
        (np.float64(0.25), "m", 0.25),
        (np.int64(4), "m", 4.0),
    ],
)
def test_reads_quantities(text, unit, expected):
    assert units.parse(text, unit) == pytest.approx(expected, rel=1e-15, abs=0.0)


@pytest.mark.parametrize(
    ("value", "unit", "sentence"),
    [
        ("3 N", "m", "'3 N' is a force; a length is needed, for example '3 mm'"),
        ("20 deg", "m", "'20 deg' is an angle; a length is needed, for example '3 mm'"),
        ("3 mm", "rad", "'3 mm' is a length; an angle is needed, for example '20 deg'"),
        ("50 Hz", "rad/s", "'50 Hz' is a frequency; an angular speed is needed"),
        ("1 N*m/rad", "N*m", "is a torsional stiffness; a torque is needed"),
        ("1 mm", "", "'1 mm' is a length; a number without a unit is needed"),
        ("1 N/m", "N/m^1.5", "is a stiffness; a quantity in N/m^1.5 is needed"),
        ("3 mmm", "m", "the unknown unit 'mmm' (did you mean 'mm'?); a length is needed"),
        ("3 Gpa", "Pa", "the unknown unit 'Gpa' (did you mean 'GPa'?)"),
        ("3 furlong", "m", "the unknown unit 'furlong'; a length is needed"),
        ("3 Ns", "N", "the unknown unit 'Ns'"),
        ("3 m^", "m", "a unit that cannot be read, 'm^'"),
        ("3 m+m", "m", "a unit that cannot be read"),
        ("3 2*m", "m", "a unit that cannot be read"),
        ("3 m^(9**9**9)", "m", "a length is needed"),
        ("1,3 mm", "m", "has a comma; write a decimal point"),
        ("mm", "m", "'mm' is not a number with a unit; a length is needed"),
        ("nan", "m", "'nan' is not a number with a unit"),
        ("inf mm", "m", "is not a number with a unit"),
        ("1e999 mm", "m", "'1e999 mm' is not a finite number"),
        ("1e308 kN", "N", "is not a finite number"),
        ("1/0 mm", "m", "divides by zero"),
        ("", "m", "an empty text is given; a length is needed"),
        ("   ", "m", "an empty text is given"),
        ("3±0.01 mm", "m", "'3±0.01 mm' has a tolerance; give the nominal value here"),
        ("3 +/- 0.01 mm", "m", "has a tolerance"),
        ("25 1/s", "rad/s", "'25 1/s' is a frequency; an angular speed is needed"),
        ("3 " + "m*" * 60 + "m", "m", "has a unit of 121 characters"),
        ("x" * 5000, "m", "'" + "x" * 77 + "...' is not a number with a unit"),
        ("3 \x1b[31m", "m", "'3 \\x1b[31m' has"),
        (True, "m", "true is given; a length is needed"),
        (float("nan"), "m", "nan is not a finite number"),
        (-math.inf, "m", "-inf is not a finite number"),
        (10**400, "m", "a number too large to hold is given"),
        ([1.0], "m", "a list is given; a length is needed"),
        ({}, "m", "a block of keys is given"),
        (None, "m", "nothing is given"),
        (1j, "m", "a complex is given"),
        (np.ones(2), "m", "a ndarray is given"),
    ],
)
def test_refuses_with_one_sentence(value, unit, sentence):
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the text is compared below
        units.parse(value, unit)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_every_dimension_example_measures_its_dimension():
    for dimension in units.DIMENSIONS:
        units.parse(dimension.example, dimension.si_unit)
        assert units.dimension_of(dimension.si_unit) is dimension


@pytest.mark.parametrize("name", sorted(units.KNOWN_UNITS))
def test_every_known_unit_has_a_named_dimension(name):
    assert not units.dimension_of(name).name.startswith("quantity in")


SHOWN = [
    ("m", "mm"),
    ("m", "um"),
    ("m", "inch"),
    ("rad", "deg"),
    ("rad", "arcsec"),
    ("rad/s", "rpm"),
    ("Pa", "GPa"),
    ("N/m^1.5", "N/mm^1.5"),
]


@given(st.floats(-1e12, 1e12), st.sampled_from(SHOWN))
def test_exact_text_comes_back_as_the_same_float(value, shown):
    """Within what machines have; beyond some 1e16 no short text need exist and None is given."""
    si_unit, unit = shown
    text = units.exact_text(value, si_unit, unit)
    assert text is not None
    assert text.endswith(f" {unit}")
    assert units.parse(text, si_unit) == value


@given(st.decimals(-10000, 10000, places=4))
def test_decimal_text_is_the_nearest_float(number):
    assert units.parse(f"{number} mm", "m") == float(number.scaleb(-3))


@given(st.text())
def test_any_text_is_read_or_refused(text):
    try:
        value = units.parse(text, "m")
    except ValueError:
        return
    assert math.isfinite(value)


@pytest.mark.parametrize(
    ("value", "si_unit", "unit", "text"),
    [
        (0.0013, "m", "mm", "1.3 mm"),
        (0.0, "m", "um", "0 um"),
        (math.radians(20.0), "rad", "deg", "20 deg"),
        (206e9, "Pa", "GPa", "206 GPa"),
        (8.06e10, "N/m^1.5", "N/m^1.5", "8.06e10 N/m^1.5"),
    ],
)
def test_exact_text_is_short(value, si_unit, unit, text):
    assert units.exact_text(value, si_unit, unit) == text


def test_exact_text_gives_up_on_what_the_unit_cannot_hold():
    assert units.exact_text(1.7e308, "m", "um") is None


def test_convert_and_format():
    assert units.convert(0.0013, "m", "um") == 1300.0
    assert math.isnan(units.convert(math.nan, "m", "um"))
    assert units.format_quantity(0.00131234567, "m", "mm") == "1.31235 mm"
    assert units.format_quantity(0.00131234567, "m", "mm", digits=3) == "1.31 mm"
    assert units.format_quantity(0.25, "", "") == "0.25"
    with pytest.raises(ValueError, match="'deg' does not measure a length"):
        units.convert(1.0, "m", "deg")


def test_import_stays_light():
    program = "import sys, flank.units; sys.exit('pint' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_numbers_of_a_text_are_marked_and_equal():
    shared = {"radius": 1.5}
    data = {"a": 3, "b": [True, 0.5, "3"], "c": shared, "d": shared}
    marked = units.as_written(data)
    assert marked == data
    assert marked["c"] is marked["d"]
    assert units.lacks_unit(marked["a"])
    assert units.lacks_unit(marked["b"][1])
    assert not units.lacks_unit(marked["b"][0])


@pytest.mark.parametrize(
    ("value", "without"),
    [("3", True), (" 1/8 ", True), ("3 mm", False), (3.0, False), ("x", False)],
)
def test_numbers_out_of_python_are_si(value, without):
    assert units.lacks_unit(value) is without
