"""The verdict on a machine in a few sentences, for the terminal and for the top of a report."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from flank.io.shown import prose
from flank.texts import counted, joined

if TYPE_CHECKING:
    from flank.design.verdict import Judged, Verdict

MOST_TOLD = 6
"""Findings in a report; `flank check` tells all, with remedies."""


class Judgement(NamedTuple):
    """The light, one sentence on all, and what is wrong, the worst first."""

    light: str
    headline: str
    sentences: list[str]


def judgement_of(verdict: Verdict) -> Judgement | None:
    """None of a machine that no rule knows and that finds nothing of itself."""
    if not verdict.margins and not verdict.findings:
        return None
    worse = [each for each in verdict.findings if each.severity != "note"]
    sentences = [prose(f"{each.message[:1].upper()}{each.message[1:]}.") for each in worse]
    more = len(sentences) - MOST_TOLD
    if more > 0:
        sentences = [*sentences[:MOST_TOLD], f"And {more} more."]
    headline = f"{verdict.light.capitalize()}: {told(verdict.findings)}{kept(verdict)}."
    return Judgement(verdict.light, headline, sentences)


def told(findings: Sequence[Judged]) -> str:
    """How many of each kind there are."""
    from flank.design.verdict import ORDER

    counts = Counter(finding.severity for finding in findings)
    words = [counted(counts[kind], kind) for kind in ORDER if counts[kind]]
    return joined(words, "and") if words else "no findings"


def kept(verdict: Verdict) -> str:
    """How many rules there are, and which of those that are kept has the least left."""
    margins = [margin for margin in verdict.margins if margin.kept]
    if not margins:
        return ""
    known = [margin for margin in margins if 0 < margin.share < math.inf]
    least = f", least margin {known[0].share:.0%} ({known[0].rule.code})" if known else ""
    return f"; {len(margins)} of {len(verdict.margins)} rules kept{least}"
