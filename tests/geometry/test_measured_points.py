"""Reading a measured profile: what is forgiven, and what is refused in one sentence."""

import numpy as np
import pytest

from flank.geometry.spline import read_points, signed_area

ANGLES = np.linspace(0, 2 * np.pi, 25)[:-1]
POINTS = 0.03 * np.column_stack((np.cos(ANGLES), np.sin(ANGLES)))


@pytest.fixture
def write(tmp_path):
    def to_file(text):
        path = tmp_path / "flank.txt"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return to_file


def lines(points, separator=" "):
    return [f"{x!r}{separator}{y!r}" for x, y in points.tolist()]


@pytest.mark.parametrize("separator", [" ", ",", ", ", "\t", "   "])
def test_separators(write, separator):
    np.testing.assert_array_equal(read_points(write("\n".join(lines(POINTS, separator)))), POINTS)


def test_comments_and_empty_lines(write):
    rows = lines(POINTS)
    rows[3] += "   # doubtful"
    text = "# x y, in m\n\n" + "\n\n".join(rows) + "\n  # end\n"
    np.testing.assert_array_equal(read_points(write(text)), POINTS)


def test_clockwise_order_is_reversed(write):
    points = read_points(write("\n".join(lines(POINTS[::-1]))))
    np.testing.assert_array_equal(points, POINTS)
    assert signed_area(points) > 0


def test_repeated_last_point_is_dropped(write):
    closed = np.vstack((POINTS, POINTS[0] + 1e-13))
    np.testing.assert_array_equal(read_points(write("\n".join(lines(closed)))), POINTS)


def test_signed_area():
    square = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 3.0], [0.0, 3.0]])
    assert signed_area(square) == 6.0
    assert signed_area(square[::-1]) == -6.0


REFUSED = {
    "word": ("{first}\nx y\n", "line 2: 'x y' is not two numbers"),
    "one column": ("{first}\n\n0.03\n", "line 3: '0.03' is not two numbers"),
    "three columns": ("{first}\n0.03, 0.01, 0\n", "line 2: '0.03, 0.01, 0' is not two numbers"),
    "not a number": ("{first}\nnan 0.01\n", "line 2: 'nan 0.01' is not two numbers"),
    "infinite": ("{first}\n0.01 inf\n", "line 2: '0.01 inf' is not two numbers"),
    "decimal commas": (
        "{first}\n0,0643;-0,0012\n",
        "line 2: '0,0643;-0,0012' has decimal commas; write '0.0643 -0.0012'",
    ),
    "commas everywhere": ("{first}\n0,0643, 1,2e-3\n", "has decimal commas; write '0.0643 1.2e-3'"),
    "commas and a blank": ("{first}\n0,0643 0,0012\n", "has decimal commas; write '0.0643 0.0012'"),
    "a gap": ("{first}\n0.0643,\n", "line 2: '0.0643,' is not two numbers"),
    "empty": ("", "has 0 points; a closed profile needs at least 8"),
    "only comments": ("# nothing\n", "has 0 points"),
    "too few": ("{seven}\n", "has 7 points; a closed profile needs at least 8"),
    "too few when closed": ("{seven}\n{first}\n", "has 7 points"),
    "twice the same": ("{all}\n{last}\n", "has the same point twice in a row"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refuses_with_a_sentence_that_names_the_file(write, case):
    text, sentence = REFUSED[case]
    rows = lines(POINTS)
    path = write(
        text.format(first=rows[0], seven="\n".join(rows[:7]), all="\n".join(rows), last=rows[-1])
    )
    with pytest.raises(ValueError, match=r"flank\.txt") as caught:
        read_points(path)
    assert sentence in str(caught.value)


def test_missing_file(tmp_path):
    with pytest.raises(OSError, match="none"):
        read_points(str(tmp_path / "none.txt"))
