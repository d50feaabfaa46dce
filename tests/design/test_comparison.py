"""Machines beside one another: what differs, whose figures are better, and what cannot be."""

import pytest

import flank
from flank.design.comparison import compare
from flank.errors import SpecError

QUICK = {"hysteresis": {"points_per_stage": 5}}


@pytest.fixture(scope="module")
def drives():
    changes = {"discs.equidistant": "10 um", "discs.angular": "0.1 deg"}
    return {
        "now": flank.preset("cycloidal-drive"),
        "then": flank.preset("cycloidal-drive", changes),
    }


@pytest.fixture(scope="module")
def comparison(drives):
    return compare(drives, ["hysteresis"], QUICK)


def test_only_keys_that_differ_are_told_with_units_and_defaults(comparison):
    told = {each.key: (each.values, each.defaults) for each in comparison.differences}
    assert told == {
        "discs.equidistant": (("5 um", "10 um"), (False, False)),
        "discs.angular": (("0 deg", "0.1 deg"), (True, False)),
    }
    assert all(each.meaning for each in comparison.differences)


def test_the_better_figure_is_that_which_its_analysis_declares(comparison):
    """More is removed of `then`: it has more backlash, and is softer."""
    better = {row.name: row.better for row in comparison.rows}
    assert better["backlash"] == 0
    assert better["torsional_stiffness"] == 0
    assert better["torque"] == -1  # asked, and no merit
    assert better["offset"] == -1


def test_figures_that_read_alike_have_no_better_one(drives):
    same = compare({"a": drives["now"], "b": drives["now"]}, ["hysteresis"], QUICK)
    assert same.differences == []
    assert {row.better for row in same.rows} == {-1}


def test_figures_are_those_of_the_analysis_itself(drives, comparison):
    result = flank.run(drives["then"], "hysteresis", points_per_stage=5)
    row = next(row for row in comparison.rows if row.name == "lost_motion")
    assert row.values[1] == result["lost_motion"]


def test_a_machine_is_asked_what_a_result_was_with_its_settings(drives, comparison):
    result = flank.run(drives["now"], "hysteresis", points_per_stage=5)
    mixed = compare({"saved": result, "then": drives["then"]})
    assert mixed.analyses == ("hysteresis",)
    pairs = zip(mixed.rows, comparison.rows, strict=True)
    assert all(one.values == other.values for one, other in pairs)
    assert mixed.sides[1].results["hysteresis"].settings["points_per_stage"] == 5


def test_different_kinds_compare_what_both_have(drives):
    other = flank.preset("rv-40")
    both = compare({"drive": drives["now"], "rv": other}, ["hysteresis"], QUICK)
    assert not both.one_kind
    keys = {each.key for each in both.differences}
    assert "discs.equidistant" in keys or "discs.width" in keys
    assert not any(key.startswith("eccentric.") for key in keys)
    assert "torsional_stiffness" in {row.name for row in both.rows}


def test_without_names_quick_analyses_that_fit_all_are_asked(drives):
    pair = flank.preset("spur-bruzzone")
    both = compare({"drive": drives["now"], "pair": pair})
    assert "hysteresis" in both.analyses
    assert "speed-sweep" not in both.analyses
    assert "speed-sweep" in both.left_out[0]


def refused(*given, **more):
    with pytest.raises(SpecError) as error:
        compare(*given, **more)
    return " ".join(error.value.problems)


def test_what_cannot_be_compared_is_told(drives):
    now = drives["now"]
    loop = flank.run(now, "hysteresis", points_per_stage=5)
    loads = flank.run(now, "load-distribution")
    joint = flank.preset("cv-joint")
    assert "one machine only" in refused({"a": now})
    assert "no machine is given" in refused({})
    assert "different analyses" in refused({"a": loop, "b": loads})
    assert "is a result of hysteresis" in refused({"a": loop, "b": now}, analyses=["efficiency"])
    assert "needs" in refused({"a": now, "b": joint}, analyses=["hysteresis"])
    assert "is not an analysis" in refused(drives, analyses=["hysterisis"])
    assert "do nothing" in refused(drives, analyses=["hysteresis"], settings={"efficiency": {}})


def test_from_python_sides_have_letters_or_names(drives, tmp_path):
    drive = drives["now"]
    found = flank.compare(drive, drive, analyses="hysteresis", settings=QUICK)
    assert [side.name for side in found.sides] == ["A", "B"]
    folder = flank.save(found, tmp_path / "both")
    page = (folder / "report.html").read_text()
    assert "No key differs." in page
    assert (folder / "figures-hysteresis.csv").exists()
    with pytest.raises(SpecError, match="make the machine first"):
        flank.compare("rv-40", "rv-80")
