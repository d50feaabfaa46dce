"""The exceptions of Flank, and the words that help with a misspelt name."""

import difflib
from collections.abc import Iterable


class FlankError(Exception):
    """Base of everything Flank raises on purpose."""


class SpecError(FlankError):
    """An input is refused; each problem is one sentence that names the key and the remedy."""

    def __init__(self, problems: str | Iterable[str]) -> None:
        self.problems = [problems] if isinstance(problems, str) else list(problems)
        super().__init__("\n".join(self.problems))

    def __reduce__(self) -> tuple[type["SpecError"], tuple[list[str]]]:
        return type(self), (self.problems,)


def nearest(word: str, choices: Iterable[str]) -> str | None:
    """The choice most like `word`, or None when none is close."""
    by_folded: dict[str, str] = {}
    for choice in choices:
        by_folded.setdefault(choice.casefold(), choice)
    matches = difflib.get_close_matches(word.casefold(), by_folded, n=1, cutoff=0.6)
    return by_folded[matches[0]] if matches else None


def suggestion(word: str, choices: Iterable[str]) -> str:
    """'; did you mean ...?' for a misspelt word, or '.' when nothing is close."""
    match = nearest(word, choices)
    return f"; did you mean '{match}'?" if match else "."
