"""Cut flanks and how they roll without load, against published points, closed forms and turning."""

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np
from bevel_blanks import SAMPLES
from cases import Case
from scipy.optimize import fsolve

import flank
from flank.arrays import Floats
from flank.geometry.bevel.cutting import LEFT, RIGHT, CutFlank
from flank.geometry.bevel.design import PairDesign, designed_pair
from flank.geometry.bevel.helicoid import helicoid_member
from flank.geometry.bevel.published import (
    GEAR_ANGLES,
    GEAR_CLEARANCE,
    INCH,
    PINION_ANGLES,
    PINION_CLEARANCE,
    PRINTED_GEAR_BLADE_ANGLE,
    nasa_gear,
    nasa_gear_cuts,
    nasa_pinion,
    nasa_pinion_cuts,
    nasa_section,
)
from flank.geometry.bevel.tooth import CONCAVE, CONVEX, BevelMember
from flank.geometry.flank_pair import FlankPair
from flank.geometry.gear import Gear
from flank.geometry.mounting import Mounting
from flank.geometry.spline_surface import POINT, SplineSurface, unit_normals
from flank.geometry.unloaded_contact import motion_curve, transmission_error
from flank.machines.bevel_pair.machine import BevelPairMachine
from flank.reproduce.hypoid.unloaded import crossing_of, mirrored, pushed, turned_away

ARC_SECOND = math.radians(1 / 3600)

POINTS = {
    "pinion, concave": (0.7948185893, 0.1518771877, 2.5655730093),
    "pinion, convex": (0.7093463178, 0.3893983455, 2.5655730093),
    "gear, concave": (2.4744339674, -0.3395653327, 0.9856358798),
    "gear, convex": (2.4873289969, -0.2265447761, 0.9856358798),
}
"""Inch, at the toe's end of the root."""

CURVE = {-15: 6.10, -10: 3.03, -5: 0.84, 5: 1.00, 10: 4.35, 15: 10.63}
"""Seconds of arc by degrees of the pinion, of one tooth pair on surfaces without borders."""

SPUR = Gear(24, 4e-3, math.radians(20))
MATE = Gear(36, 4e-3, math.radians(20), crowning=10e-6)
FACE = 30e-3


def pair_of(
    pinion: BevelMember, gear: BevelMember, mounting: Mounting | None = None, side: str = CONCAVE
) -> FlankPair:
    """A flank of the pinion with its mate."""
    mate = CONVEX if side == CONCAVE else CONCAVE
    grids = pinion.side(side).flank.points, gear.side(mate).flank.points
    surfaces = SplineSurface(grids[0]), SplineSurface(grids[1])
    return FlankPair(surfaces, (pinion.teeth, gear.teeth), mounting or Mounting())


@cache
def published_pair() -> FlankPair:
    return pair_of(nasa_pinion(49, 35), nasa_gear(49, 35))


@cache
def spur_pair(crowning: float = 10e-6, **misalignment: float) -> FlankPair:
    """24/36 teeth, the second crowned."""
    rows = 61  # curvatures of a coarser spline are off by more than a millionth
    members = (
        helicoid_member(SPUR, FACE, LEFT, rows=rows),
        helicoid_member(replace(MATE, crowning=crowning), FACE, RIGHT, rows=rows),
    )
    distance = SPUR.reference_radius + MATE.reference_radius
    return pair_of(*members, Mounting(0.0, distance, **misalignment))


def published_cases() -> Iterator[Case]:
    """Four points of the published set, from its machine settings."""
    cuts = (*nasa_pinion_cuts(), *nasa_gear_cuts(PRINTED_GEAR_BLADE_ANGLE))
    blanks = [(PINION_ANGLES, PINION_CLEARANCE)] * 2 + [(GEAR_ANGLES, GEAR_CLEARANCE)] * 2
    for (name, point), cut, blank in zip(POINTS.items(), cuts, blanks, strict=True):
        grid, _ = CutFlank(cut, nasa_section(*blank)).grid(5, 5)
        away = float(np.abs(grid.points[0, 0] / INCH - point).max())
        yield Case(
            f"{name}: largest coordinate off the point", "NASA CR-191009", 0.0, away, "inch", 1e-7
        )


def rolling_cases() -> Iterator[Case]:
    """The stand-in pair, 12/36 teeth, gear blades of 21° 25'."""
    pair = published_pair()
    angles = np.radians([*CURVE, -0.031])
    curve = motion_curve(pair, pair.touching(angles, within=False)) / ARC_SECOND
    for (angle, known), found in zip(CURVE.items(), curve[:-1] - curve[-1], strict=True):
        yield Case(
            f"error of one tooth pair at {angle}°",
            "another code, surfaces without borders",
            known,
            float(found),
            "arcsec",
            0.05 / known,
        )
    crossing, rise = crossing_of(pair)
    source = "another code, as above"
    yield Case("where neighbouring curves cross", source, 12.9, math.degrees(crossing), "°", 0.02)
    yield Case("how far above their middles", source, 7.57, rise / ARC_SECOND, "arcsec", 0.006)
    yield from _turned_cases(pair, "stand-in pair", 0.6)
    image = transmission_error(mirrored(pair), 48).peak_to_peak
    exact = transmission_error(pair, 48).peak_to_peak / ARC_SECOND
    yield Case(
        "stand-in pair in a mirror: peak to peak",
        "itself",
        exact,
        image / ARC_SECOND,
        "arcsec",
        1e-6,
    )


def _turned_cases(pair: FlankPair, name: str, allowed: float) -> Iterator[Case]:
    rolling = transmission_error(pair, 24)
    start = pair.start[5] - pair.ratio * pair.start[0]
    seats = [
        pair.push * (turned_away(pair, float(a), pair.push, 121) - pair.ratio * a - start)
        for a in rolling.first_angle
    ]
    apart = float(np.abs(np.array(seats) - rolling.error).max() / ARC_SECOND)
    source = "turning the gear out of the way of all points"
    yield Case(
        f"{name}: error with edges, largest difference", source, 0.0, apart, "arcsec", allowed
    )


def side_cases() -> Iterator[Case]:
    """Which way the gear is pushed: by how surfaces bend, and by where the tooth has its other
    flank."""
    for preset in ("spiral-bevel-nasa", "bevel-pair", "hypoid-pair"):
        machine = flank.preset(preset)
        assert isinstance(machine, BevelPairMachine)
        for driving in (True, False):
            words = "driving" if driving else "coasting"
            yield Case(
                f"{preset}, {words} flanks: sign of the push",
                "the tooth's other flank",
                float(pushed(machine, driving)),
                float(machine.flank_pair(driving).push),
                "",
                0.0,
            )


def conjugate_cases() -> Iterator[Case]:
    """A pinion conjugate to its gear, nothing taken off: turning the gear out of the way."""
    data = replace(SAMPLES[0], teeth=(12, 37), addendum_angle=math.radians(1.8))
    data = replace(data, dedendum_angle=math.radians(4.2))
    for name, sample in (("12/37 bevel", data), ("13/42 hypoid, offset 15 mm", SAMPLES[1])):
        design = PairDesign(sample)
        made = designed_pair(design, 33, 35)
        mounting = Mounting(design.mounting.shaft_angle, design.mounting.offset)
        pair = pair_of(made.pinion, made.gear, mounting)
        angles = pair.start[0] + pair.pitch * np.linspace(-0.5, 0.5, 9)
        seats = [turned_away(pair, float(a), pair.push, 81) - pair.ratio * a for a in angles]
        span = float(np.ptp(seats) / ARC_SECOND)
        yield Case(f"{name}: transmission error", "definition", 0.0, span, "arcsec", 0.1)


def misalignment_cases() -> Iterator[Case]:
    """Crowned spur teeth on axes that lean: α cos α_t is the slope that c u² has where the contact
    goes. And where the contact of presets goes by slopes over the flank."""
    skew, crowning = 2e-4, 10e-6
    pair = spur_pair(crowning, alpha=skew)
    moved = abs(pair.touching(pair.start[0]).places[0, 2])
    expected = skew * math.cos(SPUR.pressure_angle) * (0.5 * FACE) / (2 * crowning)
    yield Case(
        "crowned spur teeth, axes 0.2 mrad askew: place", "closed form", expected, moved, "", 0.02
    )
    yield from _shift_cases("bevel-pair")
    yield from _shift_cases("hypoid-pair")


MISALIGNMENTS = ("e", "p", "g", "alpha")

STENCIL = 0.02
"""Of u and v: how far apart leads are taken for their slopes."""

SMALL_SHIFT = 1e-6
"""m, and rad of the shaft angle."""


def _shift_cases(preset: str) -> Iterator[Case]:
    """Where contact goes by the slopes of leads: the wheel's point that the pinion pushes farthest
    has ∇θ = 0, so a misalignment m moves it by -(∇∇θ)⁻¹ ∇(∂θ/∂m) m, whose θ is found point by
    point and whose ∂θ/∂m = n·d/n·(a × r) follows from the motion d of the surfaces alone."""
    machine = flank.preset(preset)
    assert isinstance(machine, BevelPairMachine)
    pair = machine.flank_pair()
    bend, slopes = _leads(pair)
    for number, name in enumerate(MISALIGNMENTS):
        known = np.linalg.solve(bend, -slopes[number])
        off = [
            pair.misaligned(**{name: sign * SMALL_SHIFT}).touching(pair.start[0]).places[0, 2:]
            for sign in (1, -1)
        ]
        found = (off[0] - off[1]) / (2 * SMALL_SHIFT)
        where = int(np.argmax(np.abs(known)))
        yield Case(
            f"{preset}, contact along the {('face', 'profile')[where]} by {name}",
            "slopes of leads",
            known[where],
            found[where],
            "1/rad" if name == "alpha" else "1/m",
            0.01,
        )


def _leads(pair: FlankPair) -> tuple[Floats, Floats]:
    """∇∇θ over u and v of the wheel where the pair touches at its start, and ∇(∂θ/∂m) of every
    misalignment."""
    angle, *start = pair.start
    middle = np.array(start[2:4])
    steps = STENCIL * np.array(list(product((-1, 0, 1), repeat=2)))
    leads, moves = zip(*(_lead(pair, angle, middle + step, start) for step in steps), strict=True)
    theta, moved = np.reshape(leads, (3, 3)), np.reshape(moves, (3, 3, -1))
    across = (theta[2, 2] - theta[2, 0] - theta[0, 2] + theta[0, 0]) / 4
    along = [
        theta[2, 1] - 2 * theta[1, 1] + theta[0, 1],
        theta[1, 2] - 2 * theta[1, 1] + theta[1, 0],
    ]
    bend = np.array([[along[0], across], [across, along[1]]]) / STENCIL**2
    slopes = np.stack([moved[2, 1] - moved[0, 1], moved[1, 2] - moved[1, 0]], axis=-1)
    return bend, slopes / (2 * STENCIL)


def _lead(pair: FlankPair, angle: float, place: Floats, start: list[float]) -> tuple[float, Floats]:
    """θ at which a point of the wheel meets the pinion's surface, and ∂θ/∂m of misalignments."""
    turned = np.array([angle])

    def apart(x: Floats) -> Floats:
        first = pair.first_at(x[None, :2], turned)[0]
        return 1e3 * (first[POINT] - pair.second_at(place[None], x[2:])[0, POINT])

    x, _, found, message = fsolve(apart, [*start[:2], start[4]], full_output=True, xtol=1e-13)
    assert found == 1, message
    at = pair.first_at(x[None, :2], turned)
    normal, point = unit_normals(at)[0], at[0, POINT]
    lever = normal @ np.cross([0.0, 0.0, 1.0], point)
    mounting = pair.mounting
    leaning = np.cross([0.0, 1.0, 0.0], point - mounting.first_origin)
    motions = np.array([[0.0, 1.0, 0.0], mounting.first_axes[:, 2], [0.0, 0.0, -1.0], leaning])
    return float(x[2]), motions @ normal / lever
