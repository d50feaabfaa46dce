"""Results on disk come back equal, and other files are refused in one sentence."""

import numpy as np
import pytest
import xarray

import flank
from flank.analyses.result import Result
from flank.errors import SpecError
from flank.io.results import read_result, write_result

RUNS = {
    "transmission-error": {"points_per_turn": 24},
    "load-distribution": {},
    "hysteresis": {"points_per_stage": 5},
    "stiffness-split": {"points": 3},
    "natural-frequencies": {},
    "sensitivity": {"points": 8},
}


def assert_same(first: xarray.Dataset, second: xarray.Dataset) -> None:
    xarray.testing.assert_identical(first, second)
    for name, variable in first.variables.items():
        assert second.variables[name].dtype == variable.dtype, name
        assert second.variables[name].dims == variable.dims, name
    assert list(first.data_vars) == list(second.data_vars)


@pytest.mark.parametrize("analysis", RUNS)
def test_a_result_comes_back_equal(tmp_path, analysis):
    result = flank.run(flank.preset("monocrank"), analysis, **RUNS[analysis])
    write_result(result, tmp_path / "result.nc")
    again = read_result(tmp_path / "result.nc")
    assert_same(result.dataset, again.dataset)
    assert again.figures() == result.figures()
    assert again.spec == result.spec
    assert again.counters == result.counters
    assert type(again.dataset.attrs["complete"]) is int


def made_up(**variables) -> Result:
    story = {"analysis": "x", "title": "é", "outcome": "Completed.", "complete": 1}
    lists = {"warnings": "[]", "counters": "{}", "spec": "{}", "settings": "{}"}
    attributes = {"units": "", "shown_unit": "", "long_name": ""}
    data = {name: (dims, values, attributes) for name, (dims, values) in variables.items()}
    return Result.from_xarray(xarray.Dataset(data, attrs=story | lists))


def test_nan_integers_empty_and_infinite_values(tmp_path):
    result = made_up(
        whole=(("point",), np.array([1, -2, 2**53 + 1])),
        gaps=(("point",), np.array([np.nan, 1.0, np.inf])),
        nothing=(("none",), np.zeros(0)),
        count=((), np.int64(7)),
        small=((), 1e-300),
    )
    write_result(result, tmp_path / "r.nc")
    assert_same(result.dataset, read_result(tmp_path / "r.nc").dataset)


def test_units_that_look_like_times_stay_numbers(tmp_path):
    result = made_up(duration=(("point",), np.array([0.0, 1.0])))
    result.dataset["duration"].attrs["units"] = "seconds"
    write_result(result, tmp_path / "r.nc")
    assert_same(result.dataset, read_result(tmp_path / "r.nc").dataset)


def test_an_existing_file_is_replaced_and_a_read_one_is_let_go(tmp_path):
    path = tmp_path / "r.nc"
    for value in (1.0, 2.0):
        write_result(made_up(number=((), value)), path)
        assert read_result(path)["number"] == value


def test_other_files_are_refused(tmp_path):
    with pytest.raises(SpecError, match="is not a file"):
        read_result(tmp_path / "none.nc")
    (tmp_path / "text.nc").write_text("no")
    with pytest.raises(SpecError, match="not a readable NetCDF file"):
        read_result(tmp_path / "text.nc")
    xarray.Dataset({"a": 1.0}).to_netcdf(tmp_path / "other.nc", engine="h5netcdf")
    with pytest.raises(SpecError, match="not a result of Flank"):
        read_result(tmp_path / "other.nc")
