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
    paper, widest = PUBLISHED_COURSE[0], PUBLISHED_COURSE[-1]
    backlashes = [each.backlash for each in (static, smooth, slow, fast[0], script[0])]
    return {
        "paper": paper,
        "widest": widest,
        "printed_gaps": [paper.gap, widest.gap],
        "gaps": [static.gap, smooth.gap],
        "static": static,
        "smooth": smooth,
        "fast": fast[0],
        "fast_gap": fast[0].gap,
        "fast_lost_motion": fast[0].lost_motion,
        "fast_lost_motion_widest": fast[-1].lost_motion,
        "slow_lost_motion": slow.lost_motion,
        "paper_lost_motion": paper.lost_motion,
        "paper_lost_motion_widest": widest.lost_motion,
        "stage": evidence.stage,
        "backlashes": backlashes,
        "nearest_backlash": min(backlashes, key=lambda each: abs(each - paper.backlash)),
        "paper_backlash": paper.backlash,
        "static_stiffness": static.stiffness,
        "paper_stiffness": paper.stiffness,
        "stiffnesses": [static.stiffness, script[0].stiffness],
        "widening": static.backlash - smooth.backlash,
    }
