"""Numbers and units as a person reads them."""

import math

import numpy as np
import pytest

import flank
from flank.analyses.load_distribution import DEFAULTS
from flank.analyses.quantities import Declared, Quantities, Read
from flank.analyses.result import Ending, make_result
from flank.io.shown import (
    count_text,
    factor,
    number_text,
    prose,
    quantity_text,
    unit_text,
)
from flank.io.tables import summary_rows, tables


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


def shown(quantities, tables=None):
    """A result of quantities, each a declaration and its values."""
    declared = {name: one for name, (one, _) in quantities.items()}
    values = {name: given for name, (_, given) in quantities.items()}
    table = Quantities("load-distribution", declared, {}, tables or {})
    machine = flank.preset("cycloidal-drive")
    done = Ending("Completed.", True, {})
    result = make_result(table, machine, DEFAULTS, done, values)
    return result, {row.title: (row.number, row.unit) for row in summary_rows(result)}


def test_round_off_is_shown_as_zero_and_stored_as_it_is():
    result, rows = shown(
        {
            "a": (Declared("Idle force", "N"), 1.626e-11),
            "b": (Declared("Closure", "", "percent"), 1.352e-13),
            "c": (Declared("Wind-up", "rad", "arcmin"), -5.9e-16),
            "d": (Declared("Work", "J"), Read(3e-7, scale=1e3)),
            "e": (Declared("Error", "rad", "arcsec"), 3e-7),
            "f": (Declared("Small pressure", "Pa", "MPa"), 2e-5),
            "g": (Declared("Large pressure", "Pa", "MPa"), 2e9),
        }
    )
    zeros = ("Idle force", "Closure", "Wind-up", "Work", "Small pressure")
    assert {rows[name][0] for name in zeros} == {"0"}
    assert rows["Error"] == ("0.06188", "arcsec")
    assert result["a"] == 1.626e-11


def test_a_zero_may_be_a_word():
    _, rows = shown(
        {
            "a": (Declared("Backlash", "rad", "arcmin"), Read(0.0, at_zero="none: preloaded")),
            "b": (Declared("Play", "rad", "arcmin"), Read(1e-4, at_zero="none")),
        }
    )
    assert rows == {"Backlash": ("none: preloaded", ""), "Play": ("0.3438", "arcmin")}


def test_round_off_in_a_column_is_that_of_its_largest():
    result, _ = shown(
        {
            "planet": (Declared("Planet", over="planet"), np.array(["a", "b"])),
            "force": (Declared("Force", "N", "kN", "planet"), np.array([5e5, 2e-5])),
            "share": (Declared("Share", "", "percent", "planet"), np.array([1.0, -2e-12])),
        },
        {"Planets": ("planet", "force", "share")},
    )
    (table,) = tables(result)
    assert table.rows == [["a", "500.0", "100.0"], ["b", "0", "0"]]


def test_a_preloaded_loop_says_so():
    thick = {"errors.pin_radius": "12 um"}
    tight = flank.run(flank.preset("cycloidal-drive", thick), "hysteresis", points_per_stage=5)
    assert tight["backlash"] == 0.0
    assert "none: preloaded" in flank.summary(tight)
    free = flank.run(flank.preset("planetary-lin-parker"), "hysteresis", points_per_stage=5)
    assert "none" in flank.summary(free)
    assert "preloaded" not in flank.summary(free)
