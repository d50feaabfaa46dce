"""Numbers of results in the units that people read, one by one and as tidy frames."""

import math

import numpy as np
import pytest

import flank
from flank.errors import SpecError


@pytest.fixture(scope="module")
def loads():
    return flank.run(flank.preset("cycloidal-drive"), "load-distribution")


@pytest.fixture(scope="module")
def modes():
    return flank.run(flank.preset("planetary-lin-parker"), "natural-frequencies")


@pytest.fixture(scope="module")
def loop():
    return flank.run(flank.preset("cycloidal-drive"), "hysteresis", points_per_stage=5)


def test_a_figure_comes_in_the_unit_that_is_asked_for(loop):
    backlash = loop["backlash"]
    assert loop.value("backlash", "rad") == backlash
    assert loop.value("backlash", "arcsec") == pytest.approx(math.degrees(backlash) * 3600)
    assert loop.value("backlash") == loop.value("backlash", "arcmin")


@pytest.mark.parametrize(
    ("name", "unit", "sentence"),
    [
        ("backlsh", None, "did you mean 'backlash'"),
        ("loop_torque", None, r"not one number but \d+ along point"),
        ("backlash", "mm", "'mm' does not measure an angle; try 'arcmin'"),
        ("backlash", "arcmn", "unknown unit 'arcmn'"),
    ],
)
def test_what_is_no_figure_or_no_unit_of_it_is_told(loop, name, unit, sentence):
    with pytest.raises(SpecError, match=sentence):
        loop.value(name, unit)


def test_without_a_name_the_figures_are_a_frame(loop):
    figures = loop.table()
    assert figures.loc["backlash", "value"] == loop.value("backlash")
    assert figures.loc["backlash", "unit"] == "arcmin"
    assert len(figures) == len(loop.figures())


@pytest.mark.parametrize("name", ["pins", "pin", "Pin"])
def test_what_is_numbered_has_a_row_for_each_place_and_no_product_of_others(loads, name):
    pins = loads.table(name)
    force = loads["pin_force"].values
    assert len(pins) == force.size  # discs by pins, rollers are not among them
    assert not [column for column in pins if column.startswith("roller")]
    for _, row in pins.iterrows():
        assert row["pin_force [N]"] == force[int(row["disc"]) - 1, int(row["pin"]) - 1]
    assert np.nanmax(pins["pin_pressure [MPa]"]) == pytest.approx(
        1e-6 * np.nanmax(loads["pin_pressure"].values)
    )


def test_quantities_over_a_part_of_the_dimensions_are_spread_over_the_others(modes):
    shapes = modes.table("mode_shape")
    sizes = modes["mode_shape"].sizes
    assert len(shapes) == sizes["mode"] * sizes["body"] * sizes["coordinate"]
    assert list(shapes.columns[:3]) == ["mode", "body", "coordinate"]
    row = shapes.iloc[17]
    value = modes["mode_shape"].sel(
        mode=row["mode"], body=row["body"], coordinate=row["coordinate"]
    )
    assert row["mode_shape"] == float(value)


def test_tables_that_the_summary_shows_have_their_title(modes):
    shown = modes.table("modes")
    assert list(shown["frequency [Hz]"]) == list(modes["frequency"].values)
    families = modes.table("Families of all modes")
    assert families["family_count"].sum() == sum(modes["family_count"].values)


def test_a_name_that_is_no_table_is_told_what_there_is(loads):
    with pytest.raises(SpecError, match=r"no table of load-distribution.*pin"):
        loads.table("balls")
