"""Whatever happened to a result's file: it is read, or refused in one sentence."""

import json

import h5netcdf
import h5py
import numpy as np
import pytest
import xarray

import flank
from flank.analyses.result import FORMAT_VERSION, Result
from flank.errors import SpecError
from flank.io.results import read_result, result_bytes, write_result

CASES = 400
SEAL = len("\nflank sha256 ") + 65


def small_result() -> Result:
    """All that a result can hold, in a few kilobytes."""

    def variable(dimensions, values, unit="", shown_unit=""):
        texts = {"units": unit, "shown_unit": shown_unit, "long_name": "Something"}
        return dimensions, np.asarray(values), texts

    story = {"analysis": "hysteresis", "title": "A drive", "outcome": "Completed.", "complete": 1}
    lists = {
        "warnings": json.dumps(["the teeth are warm"]),
        "counters": json.dumps({"steps": 12}),
        "spec": json.dumps({"machine": "cycloidal-drive"}),
        "settings": json.dumps({"torque": "2 N*m"}),
        "tables": json.dumps({"Points": ["place", "load"]}),
    }
    versions = {"flank_version": flank.__version__, "format_version": FORMAT_VERSION}
    return Result.from_xarray(
        xarray.Dataset(
            {
                "stiffness": variable((), 2.5e5, "N*m/rad", "N*m/arcmin"),
                "count": variable((), 7),
                "place": variable(("point",), ["left", "right", "ümlaut"]),
                "load": variable(("point",), [1.0, np.nan, 3.0], "N", "kN"),
                "grid": variable(("point", "k"), np.arange(60.0).reshape(3, 20), "m", "um"),
            },
            coords={"point": variable(("point",), [1, 2, 3])},
            attrs=story | lists | versions,
        )
    )


def read_or_refused(path) -> bool:
    """True if it was read; anything but a result or one sentence fails."""
    try:
        result = read_result(path)
    except SpecError as refused:
        problems = refused.problems
    else:
        assert flank.summary(result)
        return True
    assert len(problems) == 1
    assert problems[0].startswith(f"{path} ")
    assert "\n" not in problems[0]
    return False


def test_the_result_of_these_tests_comes_back(tmp_path):
    write_result(small_result(), tmp_path / "r.nc")
    again = read_result(tmp_path / "r.nc")
    assert again.dataset.identical(small_result().dataset)
    assert type(again.dataset.attrs["format_version"]) is int
    assert len(result_bytes(small_result())) < 60_000


@pytest.mark.parametrize("flips", [1, 20])
def test_flipped_bytes(tmp_path, flips):
    whole = np.frombuffer(result_bytes(small_result()), dtype=np.uint8)
    random = np.random.default_rng(20261116 + flips)
    path = tmp_path / "r.nc"
    for _ in range(CASES // 2):
        damaged = whole.copy()
        places = random.choice(len(whole), flips, replace=False)
        damaged[places] ^= random.integers(1, 256, flips, dtype=np.uint8)
        path.write_bytes(damaged.tobytes())
        assert not read_or_refused(path)


def test_flipped_bytes_of_results_without_a_checksum(tmp_path):
    """Those of earlier versions, as far as HDF5 stands them."""
    dataset = small_result().dataset
    del dataset.attrs["format_version"]
    whole = np.frombuffer(result_bytes(Result.from_xarray(dataset))[:-SEAL], dtype=np.uint8)
    path = tmp_path / "r.nc"
    path.write_bytes(whole.tobytes())
    assert read_or_refused(path)
    random = np.random.default_rng(20261116)
    read = 0
    for _ in range(CASES // 4):
        damaged = whole.copy()
        damaged[random.integers(len(whole))] ^= random.integers(1, 256, dtype=np.uint8)
        path.write_bytes(damaged.tobytes())
        read += read_or_refused(path)
    assert 0 < read < CASES // 4  # much of such a file is unused space


def test_truncated_files(tmp_path):
    whole = result_bytes(small_result())
    path = tmp_path / "r.nc"
    for length in np.linspace(0, len(whole) - 1, 60).astype(int):
        path.write_bytes(whole[:length])
        assert not read_or_refused(path)


def test_a_checksum_troubles_no_other_reader(tmp_path):
    write_result(small_result(), tmp_path / "r.nc")
    with xarray.open_dataset(tmp_path / "r.nc", engine="h5netcdf") as dataset:
        assert float(dataset["stiffness"]) == 2.5e5


def test_a_result_that_was_changed_is_not_taken_for_ours(tmp_path):
    write_result(small_result(), tmp_path / "r.nc")
    with h5py.File(tmp_path / "r.nc", "a") as file:
        file["more"] = np.array([1.0, 2.0])
    with pytest.raises(SpecError, match="is not as Flank wrote it"):
        read_result(tmp_path / "r.nc")


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("complete", "yes", "complete is 'yes'"),
        ("complete", 0.5, "complete is"),
        ("warnings", "not JSON", "damaged"),
        ("warnings", "[1]", "a text is missing"),
        ("counters", "[1]", "damaged"),
        ("spec", "7", "damaged"),
        ("tables", '{"Points": ["none"]}', "damaged"),
        ("title", 7, "a text is missing"),
        ("format_version", "one", "format_version is 'one'"),
        ("format_version", FORMAT_VERSION + 1, "was written by a newer Flank, 99.0, in format"),
    ],
)
def test_attributes_of_another_form(tmp_path, name, value, sentence):
    changed = small_result().dataset.assign_attrs({"flank_version": "99.0", name: value})
    write_result(Result.from_xarray(changed), tmp_path / "r.nc")
    with pytest.raises(SpecError, match=sentence):
        read_result(tmp_path / "r.nc")


@pytest.mark.parametrize(
    ("key", "value"), [("long_name", None), ("shown_unit", 3), ("units", "furlong"), ("units", "s")]
)
def test_variables_of_another_form(tmp_path, key, value):
    dataset = small_result().dataset
    if value is None:
        del dataset["stiffness"].attrs[key]
    else:
        dataset["stiffness"].attrs[key] = value
    write_result(Result.from_xarray(dataset), tmp_path / "r.nc")
    with pytest.raises(SpecError, match="is damaged"):
        read_result(tmp_path / "r.nc")


def test_numbers_of_another_kind(tmp_path):
    dataset = small_result().dataset
    dataset["more"] = ("point", np.array([b"a", b"b", b"c"]), dataset["load"].attrs)
    write_result(Result.from_xarray(dataset), tmp_path / "r.nc")
    with pytest.raises(SpecError, match="the variable more is not one of a result"):
        read_result(tmp_path / "r.nc")


def test_results_without_a_version_are_read(tmp_path):
    dataset = small_result().dataset
    del dataset.attrs["format_version"]
    write_result(Result.from_xarray(dataset), tmp_path / "r.nc")
    assert read_result(tmp_path / "r.nc").dataset.identical(dataset)


def test_a_newer_format_is_told_before_what_is_missing(tmp_path):
    dataset = xarray.Dataset(attrs={"format_version": FORMAT_VERSION + 1})
    write_result(Result.from_xarray(dataset), tmp_path / "r.nc")
    with pytest.raises(SpecError, match="newer Flank"):
        read_result(tmp_path / "r.nc")


def test_plain_hdf5_and_names_too_long(tmp_path):
    with h5py.File(tmp_path / "plain.nc", "w") as file:
        file["a"] = [1.0, 2.0]
    with pytest.raises(SpecError, match="not a result of Flank"):
        read_result(tmp_path / "plain.nc")
    with pytest.raises(SpecError, match="is not a file"):
        read_result(tmp_path / ("a" * 5000))


def test_sizes_that_cannot_be_do_not_fill_the_memory(tmp_path):
    path = tmp_path / "r.nc"
    with h5netcdf.File(path, "w") as file:
        file.dimensions = {"point": 10**12}
        file.create_variable("load", ("point",), float, chunks=(1000,))
    with pytest.raises(SpecError, match="sizes in it cannot be"):
        read_result(path)


@pytest.mark.parametrize("text", ["a\0b", "\ud800", "b\udfff\ud83d\ude00c"])
def test_texts_that_no_file_can_hold(tmp_path, text):
    dataset = small_result().dataset.assign_attrs(title=text)
    dataset["stiffness"].attrs["long_name"] = text
    dataset["place"] = ("point", np.array([text, "b", "c"]), dataset["place"].attrs)
    write_result(Result.from_xarray(dataset), tmp_path / "r.nc")
    again = read_result(tmp_path / "r.nc")
    assert "\N{REPLACEMENT CHARACTER}" in again.title
    assert again.figures()[0].title == again.title == str(again["place"][0].values)
