"""Tables of numbers as machines and spreadsheets write them: what is read, what is refused."""

import numpy as np
import pytest

from flank.number_tables import read_number_table

NUMBERS = [[64.0031, 0.0002], [63.9987, -0.4011], [1e-3, 2.0]]


def table(tmp_path, text, encoding="utf-8"):
    path = tmp_path / "table.csv"
    path.write_text(text, encoding=encoding)
    return read_number_table(path)


def rows(mark, comma=False, head=""):
    lines = [mark.join(f"{number!r}" for number in row) for row in NUMBERS]
    return head + "\n".join(line.replace(".", ",") if comma else line for line in lines) + "\n"


@pytest.mark.parametrize(
    "text",
    [
        rows(" "),
        rows(", "),
        rows(","),
        rows("\t"),
        rows(";"),
        rows(";", comma=True),
        rows(" ; ", comma=True),
        rows("\t", comma=True),
        rows("  ", comma=True),
        rows(";", comma=True, head="Part: disc 4\nDate; 2026-11-19\nx [mm]; y [mm]\n"),
        "# x y\n\n" + rows(" ").replace("\n", "   # doubtful\n\n"),
    ],
)
def test_every_dialect_is_the_same_table(tmp_path, text):
    np.testing.assert_array_equal(table(tmp_path, text).numbers, NUMBERS)


def test_a_file_of_powershell(tmp_path):
    np.testing.assert_array_equal(table(tmp_path, rows(";"), "utf-16").numbers, NUMBERS)


@pytest.mark.parametrize("head", ["x [mm]; y (um)\n", "x [mm]\ty [um]\n", '"x [mm]", "y [um]"\n'])
def test_units_of_headings(tmp_path, head):
    read = table(tmp_path, rows(";", head=head))
    np.testing.assert_allclose(read.values(read.needed(["x"], ""), "m")[0], 64.0031e-3)
    np.testing.assert_allclose(read.values(read.needed(["y"], ""), "m")[2], 2e-6)


def test_a_unit_that_is_given_stands_for_one_that_is_not_written(tmp_path):
    read = table(tmp_path, rows(";", head="x; y\n"))
    np.testing.assert_allclose(read.values(0, "m", "mm")[0], 64.0031e-3)
    assert read.values(0, "m")[0] == 64.0031


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("1 2\n3\n", "line 2: '3' has 1 cells where 2 are expected"),
        ("1 2\nx y\n", "line 2: 'x' is not a number"),
        ("1 2\n0.01 inf\n", "line 2: 'inf' is not a number"),
        ("1,5,2,5\n1.5,2.5\n", "line 2: '1.5,2.5' has 2 cells where 4 are expected"),
        ("x,y\n1,5,2,5\n", "line 2: '1,5,2,5' has decimal commas and commas between"),
        ("1,5;2,5\n1.5;2,5\n", "'1.5' has a decimal point where other lines have decimal commas"),
        ("1.234,5;2\n", "line 1: '1.234,5' is not a number"),
        ("", "has no line of numbers"),
        ("words\n" * 60, "more than 50 lines of words"),
        ("root:secret:0:0\nx\n1 2\nsecretpassword0 1\n", "line 4: 'secretpa...' is not a number"),
    ],
)
def test_one_sentence_about_what_is_wrong(tmp_path, text, sentence):
    with pytest.raises(ValueError, match=r"table\.csv") as caught:
        table(tmp_path, text)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_gap_is_told_where_the_column_is_needed(tmp_path):
    read = table(tmp_path, "x [mm];y [mm]\n1;2\n3;\n")
    np.testing.assert_allclose(read.values(0, "m"), [1e-3, 3e-3])
    with pytest.raises(ValueError, match="line 3 has a gap: no y is given"):
        read.values(1, "m")


def test_units_that_contradict_each_other(tmp_path):
    read = table(tmp_path, "x [mm];y\n1;2\n")
    with pytest.raises(ValueError, match="heading says mm and um is given"):
        read.values(0, "m", "um")
    with pytest.raises(ValueError, match="'1 kg' is a mass"):
        read.values(1, "m", "kg")


def test_headings_between_blanks(tmp_path):
    read = table(tmp_path, "x [mm]  y (um)\n1.5 2\n3 4\n")
    assert [column.name for column in read.columns] == ["x", "y"]
    assert read.values(1, "m")[1] == pytest.approx(4e-6)


def test_words_above_numbers_that_are_no_headings(tmp_path):
    assert table(tmp_path, "Disc 4711 of lot 3\n1.5 2\n3 4\n").columns == ()
    with pytest.raises(ValueError, match="line 2: '1,5,2,5' has decimal commas"):
        table(tmp_path, "x [mm], y [mm]\n1,5,2,5\n")
