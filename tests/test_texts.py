"""What people gave, as sentences show it."""

import pytest

from flank.errors import LONGEST_SENTENCE, MOST_PROBLEMS, SpecError
from flank.texts import as_in_specs, counted, describe, echo, hidden_character, listed, printable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("5 µm ä 漢 😀", "5 µm ä 漢 😀"),
        ("a\x1b[31m", "a\\x1b[31m"),
        ("a\nb\tc\r", "a\\nb\\tc\\r"),
        ("\x00\x7f\x9b", "\\x00\\x7f\\x9b"),
        ("\ud800", "\\ud800"),
        ("abc\u202edef", "abc\\u202edef"),
        ("a\u2028b", "a\\u2028b"),
        ("a\xa0b", "a\xa0b"),
        ("\U000e0001", "\\U000e0001"),
    ],
)
def test_printable(text, shown):
    assert printable(text) == shown
    assert printable(shown) == shown


def test_lines_may_be_kept():
    assert printable("a\nb\x1b", kept="\n") == "a\nb\\x1b"


@pytest.mark.parametrize("text", ["x" * 81, "x" * 10**6, "\x1b" * 80])
def test_an_echo_has_80_characters_at_most(text):
    assert len(echo(text)) == 80
    assert len(describe(text)) <= 80
    assert echo(text).endswith("...")


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (3, "3"),
        (1.5, "1.5"),
        (True, "true"),
        (None, "nothing"),
        ([1], "a list"),
        ({}, "a block of keys"),
        ("x", "'x'"),
        (1j, "a complex"),
    ],
)
def test_describe(value, words):
    assert describe(value) == words


def test_numbers_that_python_does_not_spell():
    assert describe(10**5000) == "a number of very many digits"


def test_long_lists_are_cut():
    assert listed("abc") == "a, b, c"
    assert listed(range(30)).endswith("22, 23 and 6 more")


def test_hidden_characters():
    assert hidden_character("lines\nand\ttabs, ä \u200d") is None
    assert hidden_character("a\x1b") == "\\x1b"


def test_a_refusal_says_each_thing_once_and_is_short():
    error = SpecError(["one", "two", "one", "x" * 1000, "a\x1b"])
    assert error.problems[:2] == ["one", "two"]
    assert len(error.problems[2]) == LONGEST_SENTENCE
    assert error.problems[3] == "a\\x1b"


def test_of_many_problems_the_first_are_told():
    many = SpecError(f"problem {k}" for k in range(500))
    assert len(many.problems) == MOST_PROBLEMS + 1
    assert many.problems[-1] == "... and 480 more problems"
    assert SpecError(many.problems).problems == many.problems


def test_one_is_counted_without_an_s():
    assert [counted(n, "sample") for n in (0, 1, 2)] == ["0 samples", "1 sample", "2 samples"]


def test_a_list_within_itself_is_told_as_far_as_specs_are_nested():
    within = []
    within.append(within)
    assert as_in_specs({"a": within}) == "{a: [[...]]}"
