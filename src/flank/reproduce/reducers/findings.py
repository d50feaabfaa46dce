"""All that was computed, and the numbers that the findings compare."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flank.reproduce.reducers.computing import Error, Traced
from flank.reproduce.reducers.conditions import CLEARANCES, PAPER, PUBLISHED, Condition, Figures
from flank.reproduce.study import Finding

Course = Sequence[Figures]
"""Figures at each δc."""

PRINTED = "paper"
STATIC = "here, static"
SMOOTH = "here, static, no friction"
PUBLISHED_COURSE = [PUBLISHED[f"δc = {size} µm"] for size in CLEARANCES]


@dataclass(frozen=True)
class Evidence:
    """Loops and transmission errors of conditions, and figures over δc of models and ramps, by
    name; `fast`, `slow` and `script` are names among `courses`, `stage` is the slow one in s."""

    rows: Sequence[Condition]
    loops: Sequence[Traced]
    nominal: Traced
    shown: Sequence[Condition]
    errors: Sequence[Error]
    courses: Mapping[str, Course]
    fast: str
    slow: str
    script: str
    stage: float


def findings(evidence: Evidence) -> list[Finding]:
    """From the static loops with and without friction, and the ramps of both models."""
    return PAPER.judged(numbers(evidence))


def numbers(evidence: Evidence) -> dict[str, Any]:
    courses = evidence.courses
    static, smooth, slow = (courses[name][0] for name in (STATIC, SMOOTH, evidence.slow))
    fast, script = courses[evidence.fast], courses[evidence.script]
    paper = PUBLISHED_COURSE[0]
    backlashes = [each.backlash for each in (static, smooth, slow, fast[0], script[0])]
    return {
        "paper": paper,
        "paper_widest": PUBLISHED_COURSE[-1],
        "static": static,
        "smooth": smooth,
        "slow": slow,
        "stage": evidence.stage,
        "fast": fast[0],
        "fast_widest": fast[-1],
        "script": script[0],
        "nearest_backlash": min(backlashes, key=lambda each: abs(each - paper.backlash)),
        "widening": static.backlash - smooth.backlash,
    }
