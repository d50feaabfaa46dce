"""The exceptions of Flank, and the words that help with a misspelt name."""

import difflib
from collections.abc import Iterable

from flank.texts import printable, shortened

MOST_PROBLEMS = 20
"""Sentences that are told at once; who has more mistakes than that has made one many times."""

LONGEST_SENTENCE = 600

LONGEST_WORD = 200
"""Characters beyond which a word is not compared with others: nobody mistyped it."""


class FlankError(Exception):
    """Base of everything Flank raises on purpose."""


class SpecError(FlankError):
    """An input is refused; each problem is one sentence that names the key and the remedy."""

    def __init__(self, problems: str | Iterable[str]) -> None:
        given = [problems] if isinstance(problems, str) else problems
        self.problems = first_few([_sentence(problem) for problem in given])
        super().__init__("\n".join(self.problems))

    def __reduce__(self) -> tuple[type["SpecError"], tuple[list[str]]]:
        return type(self), (self.problems,)


def _sentence(problem: str) -> str:
    return shortened(printable(problem), LONGEST_SENTENCE)


def first_few(problems: list[str], total: int | None = None) -> list[str]:
    """Each sentence once; of many the first, and how many more of `total` there are."""
    unique = list(dict.fromkeys(problems))
    count = total or len(unique)
    if count <= MOST_PROBLEMS + 1:
        return unique
    return [*unique[:MOST_PROBLEMS], f"... and {count - MOST_PROBLEMS} more problems"]


def nearest(word: str, choices: Iterable[str], cutoff: float = 0.6) -> str | None:
    """The choice most like `word`, or None when none is close."""
    if len(word) > LONGEST_WORD:
        return None
    by_folded: dict[str, str] = {}
    for choice in choices:
        by_folded.setdefault(choice.casefold(), choice)
    matches = difflib.get_close_matches(word.casefold(), by_folded, n=1, cutoff=cutoff)
    return by_folded[matches[0]] if matches else None


def suggestion(word: str, choices: Iterable[str]) -> str:
    """'; did you mean ...?' for a misspelt word, or '.' when nothing is close."""
    match = nearest(word, choices)
    return f"; did you mean '{match}'?" if match else "."
