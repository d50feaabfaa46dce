"""Numbers and units as a person reads them."""

import math

import pytest

from flank.io.shown import count_text, factor, number_text, prose, quantity_text, unit_text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (200.0, "200.0"),
        (1078.698, "1079"),
        (-0.19384, "-0.1938"),
        (14433.3, "14433"),
        (9.99996, "10.000"),
        (1.29e-7, "1.290e-07"),
        (3.2e8, "3.200e+08"),
        (math.inf, "infinite"),
        (math.nan, "not known"),
    ],
)
def test_significant_digits(value, text):
    assert number_text(value) == text


def test_counts_have_no_decimals():
    assert count_text(14.0) == "14"
    assert count_text(0.5) == "0.5000"
    assert count_text(math.inf) == "infinite"


def test_units():
    assert unit_text("N*m/arcmin") == "N·m/arcmin"
    assert unit_text("um") == "µm"
    assert factor("rad", "deg") == pytest.approx(180 / math.pi)
    assert quantity_text(2e6, "Pa", "MPa") == "2.00 MPa"


def test_prose_prints_units_and_leaves_words_alone():
    assert prose("by 6.4 um at 412 N*m, 7850 kg/m^3") == "by 6.4 µm at 412 N·m, 7850 kg/m³"
    assert prose("a medium and a sum") == "a medium and a sum"
