"""Gears that cannot be built, put together or run are refused; doubtful ones get a warning."""

from collections.abc import Iterator
from dataclasses import replace

from cases import Case
from gear_geometry import few_teeth, gear

import flank
from flank.errors import SpecError
from flank.geometry.gear_pair import GearPair
from flank.geometry.pair_checks import check_pair

PAIRS = {
    "98/100, m 2.5, x 0.2": ("tip-interference", few_teeth(98, 100, 2.5, 0.2, 0.64, 0.5)),
    "38/40 without shift": ("tip-interference", few_teeth(38, 40, 2.0, 0.0, 1.0, 0.25)),
    "12/60 without shift": ("undercut-flank", GearPair(gear(12, 2), gear(60, 2))),
}
"""What must be an error, and in which pair."""

SET_98 = {
    "rack.normal_module": "2.5 mm",
    "discs.teeth": 98,
    "ring.teeth": 100,
    "ring.profile_shift": -0.2,
    "discs.width": "21 mm",
    "cranks.circle_radius": "70 mm",
}
UNSHIFTED_38 = {"rack.addendum": 1.0, "rack.dedendum": 1.25, "ring.profile_shift": 0.0}
UNDERCUT = {"sun.teeth": 8, "planets.teeth": 46, "planets.count": 2}

MACHINES = (
    # what it is, preset and changes, part of the sentence that refuses it
    ("reducer 98/100", "few-teeth-60", SET_98, "tips of the disc and the ring overlap"),
    ("reducer 38/40 without shift", "few-teeth-38", UNSHIFTED_38, "disc and the ring overlap"),
    (
        "20/40/100 with planets at 0, 2 and 4 rad",
        "planetary-paper",
        {"planets.angles": [0, 2, 4]},
        "place the planets at whole multiples",
    ),
    ("20/40/100 with 7 planets", "planetary-paper", {"planets.count": 7}, "does not fit"),
    ("20/40/100 with 5 planets", "planetary-paper", {"planets.count": 5}, "planets overlap"),
    ("8/46/100, undercut", "planetary-paper", UNDERCUT, "undercut"),
)


def refusal_cases() -> Iterator[Case]:
    """One where the input is refused, or warned of, for the reason named."""
    for name, (code, pair) in PAIRS.items():
        errors = {finding.code for finding in check_pair(pair) if finding.severity == "error"}
        yield told(f"{name}: refused, {code}", code in errors)
    for name, preset, changes, sentence in MACHINES:
        yield told(f"{name}: refused, '{sentence}'", sentence in problems_of(preset, changes))
    for name, fits in (
        ("60/62, m 4", few_teeth(60, 62, 4.0, 0.25, 0.64, 0.5)),
        ("38/40, x 0.6", few_teeth(38, 40, 2.0, 0.6, 0.7, 0.25)),
    ):
        errors = [finding for finding in check_pair(fits) if finding.severity == "error"]
        yield told(f"{name}: not refused", not errors)
    standard = GearPair(gear(20, 2), gear(30, 2))
    stub = replace(standard, first=gear(20, 2, tip_shortening=0.5))
    stub = replace(stub, second=gear(30, 2, tip_shortening=0.5))
    found = {(finding.code, finding.severity) for finding in check_pair(stub)}
    yield told(
        f"20/30 with contact ratio {stub.contact_ratio:.2f}: a warning",
        found == {("contact-ratio", "warning")},
    )


def problems_of(preset: str, changes: dict) -> str:
    """What is said against a changed preset; nothing if it is taken."""
    try:
        flank.preset(preset, changes)
    except SpecError as error:
        return " ".join(error.problems)
    return ""


def told(name: str, right: bool) -> Case:
    return Case(name, "1 for yes", 1.0, float(right), "", 0.0)
