"""What is wrong or doubtful about flanks in their mounting, before anything runs."""

import math
from collections.abc import Iterator

import numpy as np

from flank.geometry.findings import Finding, error, warning
from flank.geometry.flank_pair import FlankPair, NoContact
from flank.geometry.mounting import Mounting
from flank.machines.bevel_pair.teeth import MATES, PairTeeth

JAMMED = 1e-9
"""rad, of the wheel: round-off of a pair without backlash."""

STEP = 10e-6
"""m, by which members are moved to see where the contact goes."""

INSIDE = 0.7
"""Of the flank's half length or height, to which a contact should come back from an edge."""

EDGES = (("toe", "heel"), ("root", "tip"))

MOVES = {
    "p": ("the pinion along its axis", "errors.pinion_axial", "away from", "towards"),
    "g": ("the wheel along its axis", "errors.wheel_axial", "away from", "towards"),
}
"""What shims can do, with words for either way, seen from the crossing point."""


def contact_findings(
    teeth: PairTeeth, mounting: Mounting, driving: str
) -> Iterator[tuple[str, Finding]]:
    """Whether both flanks touch, where, and whether the teeth find room."""
    coasting = MATES[driving]
    for flank, what in ((driving, "driving"), (coasting, "coasting")):
        pair = teeth.flanks(flank, mounting)
        try:
            beyond = np.abs(pair.start[1:5]).max()
        except NoContact as reason:
            yield "errors, shaft_angle", _no_contact(what, flank, reason)
            return
        if beyond > 1 or pair.starts_on_edge:
            yield "errors", _on_an_edge(pair, what)
    yield from _backlash(teeth, mounting)


def _no_contact(what: str, flank: str, reason: NoContact) -> Finding:
    return error(
        "no-contact",
        (math.inf, 1.0, ""),
        f"the {what} flanks, {flank} on the pinion, touch nowhere near their middles in this "
        "mounting",
        "check the shaft angle, the offset and the misalignments, and that blanks or settings "
        "belong to one pair",
    )


def _on_an_edge(pair: FlankPair, what: str) -> Finding:
    places = pair.start[1:5]
    worst = int(np.argmax(np.abs(places)))
    member = ("pinion", "wheel")[worst // 2]
    edge = EDGES[worst % 2][int(places[worst] > 0)]
    return warning(
        "contact-on-edge",
        (float(abs(places[worst])), 1.0, ""),
        f"the {what} flanks touch on an edge alone, the {edge} of the {member}",
        _move(pair, worst),
    )


def _move(pair: FlankPair, coordinate: int) -> str:
    """Which way to shim, and about how far, by where the contact goes for a small step."""
    here, slopes = pair.start[1 + coordinate], {}
    for name in MOVES:
        start = getattr(pair.mounting, name)
        try:
            there = pair.misaligned(**{name: start + STEP}).start[1 + coordinate]
        except NoContact:
            continue
        slopes[name] = (there - here) / STEP
    if not slopes or not any(slopes.values()):
        return "look at the ease-off or crowning and the mounting"
    best = max(slopes, key=lambda name: abs(slopes[name]))
    shift = (math.copysign(INSIDE, here) - here) / slopes[best]
    words, key, away, towards = MOVES[best]
    way = away if shift > 0 else towards
    return (
        f"move {words} by about {abs(shift) * 1e3:.2g} mm {way} the crossing point ({key} "
        f"{'up' if shift > 0 else 'down'})"
    )


def _backlash(teeth: PairTeeth, mounting: Mounting) -> Iterator[tuple[str, Finding]]:
    designed, left = teeth.backlash(), teeth.backlash(mounting)
    radius = float(teeth.wheel.mean_place[1])
    if designed < -JAMMED:
        yield (
            "pinion, wheel" if teeth.blanks is None else "blank, settings",
            error(
                "teeth-too-thick",
                (designed * radius, 0.0, "m"),
                f"the teeth are {-designed * radius * 1e3:.3g} mm thicker than their spaces at the "
                "middle of the face",
                "give more backlash",
            ),
        )
    elif left < -JAMMED and mounting != teeth.mounting:
        yield (
            "errors",
            error(
                "misalignment-beyond-backlash",
                (left * radius, 0.0, "m"),
                f"the misalignments take {(designed - left) * radius * 1e3:.3g} mm of a backlash "
                f"of {designed * radius * 1e3:.3g} mm at the middle of the wheel's face, and teeth "
                "jam",
                "use less misalignment or more backlash",
            ),
        )
