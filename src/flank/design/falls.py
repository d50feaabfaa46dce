"""Why candidates fell, counted by reason."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass
class Reason:
    """How many fell, and of these the one that came nearest to the limit."""

    count: int = 0
    nearest: float = float("inf")  # value over limit, or limit over value: 1 would pass
    words: str = ""


@dataclass
class Falls:
    """By code of the reason; the order of candidates does not matter."""

    reasons: dict[str, Reason] = field(default_factory=dict)

    def add(self, code: str, excess: float = float("inf"), words: str = "") -> None:
        """One more that fell; `excess` over 1 says by how much, `words` tell of it."""
        reason = self.reasons.setdefault(code, Reason())
        reason.count += 1
        if (excess, words) < (reason.nearest, reason.words) or not reason.words:
            reason.nearest, reason.words = excess, words

    @property
    def total(self) -> int:
        return sum(reason.count for reason in self.reasons.values())

    def __iter__(self) -> Iterator[tuple[str, Reason]]:
        """The most frequent first."""
        return iter(sorted(self.reasons.items(), key=lambda item: (-item[1].count, item[0])))
