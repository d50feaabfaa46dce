"""What a geometry check found, as data: code, value, limit, and what to change."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from flank.arrays import Floats
from flank.geometry.cycloid import Cycloid
from flank.geometry.pin_clearance import nearest_on_flank
from flank.texts import mm, um

LARGEST_PRELOAD = 0.01
"""Interference over pin radius up to which a tight fit is preload; beyond, nothing assembles."""

FEWEST_POINTS = 16
"""Measured points a lobe below which a spline through them is guesswork."""

LARGEST_DEVIATION = 0.1
"""Distance of measured points from the nominal profile over the pin radius; beyond: another."""

UNEVEN = 3.0
"""Step between measured points over the middle one, from which points are missing between."""

LONGEST_STEP = 2.0 / FEWEST_POINTS
"""Of a lobe, beyond which no spline follows it from one measured point to the next."""

OTHER_UNITS = {"mm": 1e3, "um": 1e6, "in": 1 / 0.0254}
"""Units in which points are given by mistake, in one m."""

MEASURED_CODES = (
    "few-points",
    "points-in-other-units",
    "points-out-of-order",
    "points-turn-back",
    "points-missing",
    "far-from-nominal",
    "flanks-wave",
)
"""Of findings about measured points."""

LARGEST_SHORTENING = 0.95
"""K1 above which the flank's root curves so sharply that the pin wedges."""


@dataclass(frozen=True)
class Finding:
    """One finding. An `error` makes the geometry impossible, a `warning` makes it doubtful; a
    `note` tells what is assumed where the spec says nothing."""

    code: str
    severity: Literal["error", "warning", "note"]
    message: str
    value: float
    limit: float
    unit: str
    remedy: str

    @property
    def sentence(self) -> str:
        return f"{self.message}; {self.remedy}."


Measure = tuple[float, float, str]
"""The value, the limit that it should keep, and the SI unit of both."""


def error(code: str, measure: Measure, message: str, remedy: str) -> Finding:
    return Finding(code, "error", message, *measure, remedy)


def warning(code: str, measure: Measure, message: str, remedy: str) -> Finding:
    return Finding(code, "warning", message, *measure, remedy)


def note(code: str, measure: Measure, message: str, remedy: str) -> Finding:
    return Finding(code, "note", message, *measure, remedy)


def interference(code: str, value: float, limit: float, message: str, remedy: str) -> Finding:
    """Of a length that should be zero: an error beyond `limit` of its sign, else a warning."""
    if abs(value) > abs(limit):
        return error(code, (value, limit, "m"), message, remedy)
    return warning(code, (value, 0.0, "m"), message, remedy)


def check_cycloid(profile: Cycloid) -> Iterator[Finding]:
    """Whether the profile exists at all: no loops, no undercut."""
    k1 = profile.shortening
    if k1 >= 1:
        yield error(
            "eccentricity-too-large",
            (k1, 1.0, ""),
            f"e z_p / R is {k1:.4f} and the flank crosses itself",
            "reduce the eccentricity or the number of pins, or enlarge the pin circle",
        )
        return
    if k1 > LARGEST_SHORTENING:
        yield warning(
            "eccentricity-large",
            (k1, LARGEST_SHORTENING, ""),
            f"e z_p / R is {k1:.4f}: the flank's valleys are nearly pointed",
            "reduce the eccentricity or enlarge the pin circle",
        )
    limit = profile.minimum_convex_radius
    if profile.offset >= limit:
        yield error(
            "undercut",
            (profile.offset, limit, "m"),
            f"a pin of radius {mm(profile.offset, 4)} undercuts the flank, whose pin-centre "
            f"curve bends as sharply as {mm(limit, 4)}",
            f"use pins of radius below {mm(limit, 4)}, or a smaller eccentricity",
        )


def check_pin_ring(pins: int, circle_radius: float, pin_radius: float) -> Iterator[Finding]:
    """Whether neighbouring pins leave room between them."""
    limit = circle_radius * math.sin(math.pi / pins)
    if pin_radius >= limit:
        yield error(
            "pins-overlap",
            (pin_radius, limit, "m"),
            f"pins of radius {mm(pin_radius, 4)} overlap; neighbours touch at {mm(limit, 4)}",
            "use smaller or fewer pins",
        )


def smallest_clearance(
    profile: Cycloid, circle_radius: float, pin_radius: float, play: float = 0.0
) -> float:
    """Smallest gap of any pin in the centred pose, in m; negative is interference.

    To first order Δr + ΔR (1 - K1 cos φ)/√S at the phase φ, with the differences taken to the pins
    as they are and `play` the radial freedom of a pin in its groove.
    """
    phase = np.linspace(0.0, math.pi, 721)
    k1 = profile.shortening
    root = np.sqrt(1 + k1**2 - 2 * k1 * np.cos(phase))
    equidistant = profile.offset - pin_radius
    radial = circle_radius - profile.generating_radius
    return float(np.min(equidistant + radial * (1 - k1 * np.cos(phase)) / root)) + play


def check_clearance(clearance: float, pin_radius: float, worst: str = "") -> Iterator[Finding]:
    """Whether pins fit the profile; see smallest_clearance. `worst` names the tightest if known."""
    if clearance >= 0:
        return
    yield interference(
        "negative-clearance",
        clearance,
        -LARGEST_PRELOAD * pin_radius,
        f"profile and pins interfere by {um(-clearance, 3)} in the centred pose"
        + (f", most at {worst} with its errors: the unloaded drive is preloaded" if worst else ""),
        "remove more material (equidistant or radial modification), or use smaller pins",
    )


def check_measured(points: Floats, nominal: Cycloid) -> Iterator[Finding]:
    """Whether measured points can be the profile they are said to be."""
    per_lobe = len(points) / nominal.lobes
    if per_lobe < FEWEST_POINTS:
        yield error(
            "few-points",
            (per_lobe, FEWEST_POINTS, ""),
            f"{len(points)} points are {per_lobe:.3g} a lobe; the flank cannot be followed",
            f"measure at least {FEWEST_POINTS} points a lobe",
        )
        return
    wrong = [*_other_units(points, nominal)] or [*_wrong_order(points)]
    yield from wrong
    if wrong:
        return
    farthest = float(nearest_on_flank(points, nominal).distance.max())
    limit = LARGEST_DEVIATION * nominal.pin_radius
    if farthest > limit:
        yield error(
            "far-from-nominal",
            (farthest, limit, "m"),
            f"the points lie up to {mm(farthest, 3)} from the nominal profile",
            "give x and y in m about the disc's centre, a lobe valley on the positive x axis",
        )
        return
    yield from _missing(points, nominal)


def _other_units(points: Floats, nominal: Cycloid) -> Iterator[Finding]:
    size = float(np.median(np.hypot(*points.T)))
    expected = nominal.generating_radius - nominal.offset
    for unit, per_metre in OTHER_UNITS.items():
        if abs(size / (per_metre * expected) - 1) < LARGEST_DEVIATION:
            yield error(
                "points-in-other-units",
                (size, expected, "m"),
                f"the points lie {size:.4g} m from the centre, the flank {mm(expected, 4)}: they "
                f"seem to be in {unit}",
                f"give x and y in m, every number divided by {per_metre:.4g}",
            )


def _wrong_order(points: Floats) -> Iterator[Finding]:
    """Whether the points go once around the centre, and never back."""
    angle = np.angle(points @ [1, 1j])
    steps = np.angle(np.exp(1j * np.diff(angle, append=angle[:1])))
    turned = np.sum(np.abs(steps[:-1]))
    if abs(turned - 2 * math.pi) > 0.1:
        yield error(
            "points-out-of-order",
            (turned, 2 * math.pi, "rad"),
            f"the points go {turned / (2 * math.pi):.3g} times around the disc instead of once",
            "give them in order, once around the disc's centre",
        )
        return
    back = int(np.argmin(steps))
    if steps[back] <= 0:
        yield error(
            "points-turn-back",
            (float(steps[back]), 0.0, "rad"),
            f"behind point {back + 1} of {len(points)}, counted counter-clockwise, the points "
            "turn back and the profile folds",
            "sort the points once around, or thin and smooth them where noise is as large as "
            "their steps",
        )


def _missing(points: Floats, nominal: Cycloid) -> Iterator[Finding]:
    """Whether there is a gap between two points; a spline sways about one of them."""
    steps = np.hypot(*(np.roll(points, -1, axis=0) - points).T)
    widest, middle = int(np.argmax(steps)), float(np.median(steps))
    lobe = float(np.sum(steps)) / nominal.lobes
    if steps[widest] > min(UNEVEN * middle, LONGEST_STEP * lobe):
        yield interference(
            "points-missing",
            float(steps[widest]),
            LONGEST_STEP * lobe,
            f"behind point {widest + 1} of {len(points)}, counted counter-clockwise, there is a "
            f"gap of {mm(float(steps[widest]), 3)} where points are else {mm(middle, 3)} apart",
            "measure there again, or give evenly spaced points",
        )
