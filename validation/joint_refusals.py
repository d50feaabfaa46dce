"""Joints that cannot be built or bent so far are refused in one sentence, doubtful ones told."""

from collections.abc import Iterator

from cases import Case

import flank
from flank.errors import SpecError

REFUSED = (
    # what it is, changes, part of the sentence that refuses it
    ("balls of 25 mm", {"balls.diameter": "25 mm"}, "are larger than the windows"),
    ("windows of 15 mm", {"cage.window_length": "15 mm"}, "are larger than the windows"),
    (
        "tracks without skew and inclination",
        {"outer.skew": 0, "outer.inclination": 0},
        "the tracks of outer and inner",
    ),
    (
        "tracks of one inclination in both races",
        {"inner.skew": "-8 deg", "inner.inclination": "-4 deg"},
        "do not hold the balls along",
    ),
    ("27° between the shafts", {"operation.deflection": "27 deg"}, "deflect by less than 26.7 deg"),
    ("seven balls", {"balls.count": 7}, "it must be even"),
    ("a plunge of 40 mm", {"operation.plunge.at": "40 mm"}, "balls run off the tracks"),
    ("a wrong unit", {"contact.stiffness": "6e12 N/m"}, "is a stiffness"),
)


def refusal_cases() -> Iterator[Case]:
    """One where the input is refused for the reason named, in one sentence."""
    for name, changes, sentence in REFUSED:
        problems = _problems(changes)
        told = len(problems) > 0 and sentence in problems[0]
        yield _yes(f"{name}: refused, '{sentence}'", told)
    yield _yes("the joint as it is: taken", not _problems({}))
    doubtful = flank.preset("cv-joint", {"operation.deflection": "17 deg"})
    codes = {finding.code for finding in doubtful.findings()}
    yield _yes("17° between the shafts: a warning", "tracks-nearly-parallel" in codes)


def _problems(changes: dict) -> list[str]:
    try:
        flank.preset("cv-joint", changes)
    except SpecError as error:
        return list(error.problems)
    return []


def _yes(name: str, right: bool) -> Case:
    return Case(name, "1 for yes", 1.0, float(right), "", 0.0)
