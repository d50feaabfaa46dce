"""Two columns of a file: units of the heading, and one sentence for whatever is wrong."""

import numpy as np
import pytest

from flank.column_files import Axis, read_columns

TIME, TORQUE = Axis("time", "s", "s"), Axis("torque", "N*m", "kN*m")


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_columns_are_read_in_the_units_of_their_heading(tmp_path, mark):
    path = tmp_path / "series.csv"
    path.write_text(f"# measured\ntime [ms]{mark} torque [kN*m]\n0{mark}1.5\n250{mark} -2e0\n")
    times, torques = read_columns(str(path), TIME, TORQUE)
    assert times == pytest.approx([0.0, 0.25])
    assert torques == pytest.approx([1500.0, -2000.0])


def test_one_of_several_columns_is_chosen_by_its_name(tmp_path):
    path = tmp_path / "series.csv"
    path.write_text("time (s), rotor (kN*m), generator (N*m)\n0, 1, 20\n1, 2, 30\n")
    assert np.all(read_columns(str(path), TIME, TORQUE, "generator")[1] == [20.0, 30.0])
    assert np.all(read_columns(str(path), TIME, TORQUE, "rotor")[1] == [1000.0, 2000.0])


def test_two_equal_places_are_a_jump(tmp_path):
    path = tmp_path / "series.csv"
    path.write_text("time [s],torque [N*m]\n0,1\n1,1\n1,0\n")
    assert read_columns(str(path), TIME, TORQUE)[0].tolist() == [0.0, 1.0, 1.0]


WRONG = [
    ("time [s],torque [mm]\n0,1\n1,2\n", "line 1: the unit of 'torque [mm]': '1 mm' is a length"),
    ("time,torque [N*m]\n0,1\n1,2\n", "line 1: 'time' has no unit; write it in brackets"),
    ("time [s],torque [N*m]\n0,1\n1,\n", "line 3: there is a gap under 'torque [N*m]'"),
    ("time [s],torque [N*m]\n0,1\n1\n", "line 3: 1 cells stand under 2 headings"),
    ("time [s],torque [N*m]\n0,1\n2,1\n1,3\n", "line 4: the time falls from 2 to 1; sort"),
    ("time [s],torque [N*m]\n0,1\n0,2\n0,3\n", "line 4: three lines have the time 0"),
    ("time [s];torque [N*m]\n0;1,5\n1;2,5\n", "line 2: '1,5' has a decimal comma"),
    ("time [s],torque [N*m]\n0,0,1,5\n", "has 2 lines; it needs a heading such as"),
    ("time [s],torque [N*m]\n0,0,1,5\n1,0,2,5\n", "with decimal commas write semicolons"),
    ("time [s],torque [N*m]\n0,one\n1,2\n", "line 2: 'one' is not a number"),
    ("time [s],torque [N*m]\n0,nan\n1,2\n", "line 2: 'nan' is not a finite number"),
    ("time [s]\n0\n1\n", "has one column, 'time [s]'"),
    ("time [s],a [N*m],b [N*m]\n0,1,2\n1,2,3\n", "has 3 columns"),
]


@pytest.mark.parametrize(("text", "sentence"), WRONG)
def test_what_is_wrong_is_said_in_one_sentence(tmp_path, text, sentence):
    path = tmp_path / "series.csv"
    path.write_text(text)
    with pytest.raises(ValueError, match="series.csv") as raised:
        read_columns(str(path), TIME, TORQUE)
    assert sentence in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_file_or_column_that_is_not_there_is_named(tmp_path):
    with pytest.raises(ValueError, match="none.csv does not exist"):
        read_columns(str(tmp_path / "none.csv"), TIME, TORQUE)
    path = tmp_path / "series.csv"
    path.write_text("time [s],rotor [N*m],sun [N*m]\n0,1,2\n1,2,3\n")
    with pytest.raises(ValueError, match="has no column 'rotr'; did you mean 'rotor'"):
        read_columns(str(path), TIME, TORQUE, "rotr")
