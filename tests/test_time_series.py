"""Series over time from files: what is read, and one sentence about what cannot be."""

import numpy as np
import pytest

from flank.time_series import read_time_series

EVENLY = "".join(f"{k / 100},1\n" for k in (*range(20), *range(25, 40)))


def series(tmp_path, text, unit="N*m", **names):
    path = tmp_path / "run.csv"
    path.write_text(text, encoding="utf-8")
    return read_time_series(path, unit, **names)


@pytest.mark.parametrize(
    "text",
    [
        "time [s], torque [N*m]\n0, 1000\n0.5, 2000\n",
        "# measured\nTime (ms); Torque (kNm); speed [rpm]\n0;1;300\n500;2;310\n",
        "torque [N*m]\ttime [s]\n1000\t0\n\n2000\t0.5\n",
    ],
)
def test_columns_are_read_by_name_and_unit(tmp_path, text):
    read = series(tmp_path, text)
    np.testing.assert_allclose(read.time, [0, 0.5])
    np.testing.assert_allclose(read.values, [1000, 2000])


def test_a_column_and_a_time_by_their_names(tmp_path):
    text = "t [s], a [rpm], b [rpm]\n0, 60, 120\n1, 60, 120\n"
    read = series(tmp_path, text, "rad/s", column="b", time="t")
    np.testing.assert_allclose(read.values, 4 * np.pi)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("time [s], torque [mm]\n0,1\n1,2\n", "the unit of 'torque .mm.': '1 mm' is a length"),
        ("time [m], torque [N*m]\n0,1\n1,2\n", "'1 m' is a length; a time is needed"),
        ("time, torque [N*m]\n0,1\n1,2\n", "'time' has no unit; write it in the heading"),
        ("time [s], torque [N*m]\n0,1\n1,\n2,2\n", "line 3 has a gap: no torque is given"),
        ("time [s], torque [N*m]\n0,1\n1,nan\n", "line 3 has a gap"),
        ("time [s], torque [N*m]\n0,1\n1\n", "line 3 has a gap"),
        ("time [s], torque [N*m]\n0,1\n1,1e400\n", "'1e400' in line 3 is too large"),
        ("time [s], torque [N*m]\n0,1\n1,-inf\n", "'-inf' in line 3 is too large"),
        ("time [s], torque [N*m]\n" + EVENLY, "a gap of 0.06 s before line 22"),
        ("time [s], torque [N*m]\n0,1\n2,1\n1,1\n", "line 4 goes back from 2 s to 1 s; sort"),
        ("time [s]; torque [N*m]\n0,0; 1\n0,5; 2\n", "'0,0' in line 2 has a decimal comma"),
        ("time [s], torque [N*m]\n0,0,1,0\n0,5,2,0\n", "decimal points in place of decimal com"),
        ("time [s], torque [N*m]\n0,1\n1,none\n", "'none' in line 3 is not a number"),
        ("t [s], torque [N*m]\n0,1\n1,2\n", "there is no column 'time'. It has t, torque"),
        (
            "time [s], a [deg], b [deg]\n0,1,1\n1,2,2\n",
            r"no column has a unit of torque: a \[deg\], b \[deg\]",
        ),
        ("time [s], a [N*m], b [N*m]\n0,1,1\n1,2,2\n", "several columns may hold the torque"),
        ("time [s], torque [N*m]\n0,1\n", "fewer than two lines of numbers"),
    ],
)
def test_one_sentence_about_what_is_wrong(tmp_path, text, sentence):
    with pytest.raises(ValueError, match=sentence) as refused:
        series(tmp_path, text)
    assert "run.csv" in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(ValueError, match=r"none\.csv does not exist"):
        read_time_series(tmp_path / "none.csv", "m")
