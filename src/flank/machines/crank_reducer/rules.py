"""The sizing rule: what a spec of a crank reducer leaves out, from what it gives.

Nobody publishes the inner dimensions of a real unit. One rule stands in for all of them, the same
for every size; its proportions come from the few sets that give a dimension (sources in
docs/theory/rv_reducer.md) and not from any stiffness:

    disc width            B = 0.13 R, R the pin circle's or the ring's reference radius
    eccentric             radius 0.35 R_c; length 1.2 B, web 0.4 B, journals 1.6 B
    turning-arm rollers   radius 0.19 of the eccentric's, length 0.9 B, filling 0.9 of the pitch
                          circle, clearance 5 µm; thicker ones where these do not last
    journals              radius 0.58 of the eccentric's
    support bearings      proportions of the tapered 320X series on the journal: pitch circle 1.42,
                          roller radius 0.21, length 0.8 of its radius, contact angle 15°, filling
                          0.9, preload of 1 µm; those of a larger journal where these do not last
    central bore          what the holes of cranks and supports leave, less a wall of 0.065 R
    flanges               as thick as the journals are long
    pillars               between the cranks, the largest round ones that leave such walls to the
                          discs' crank holes and to the supports, within the flanges' rim; the pins
                          of output rollers where there are some
    first stage           face width 0.7 B
    main bearings         on 0.87 R, balls 0.033 R, contact angle 40°, filling 0.9, axial preload a
                          tenth of T_rated/R

Bearings last for the basic rating life that the spec asks for, at its rated torque and speed
(ISO 281, loads by crank_loads.py): rollers, or the journal that they go with, grow in steps of 1 %
until they do, to LARGEST_GROWTH at most.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING

from flank.elasticity.finite_elements.joined_plates import THINNEST_WALL
from flank.elasticity.roller_bearing import RollerBearing
from flank.elasticity.roller_profile import STRAIGHT, RollerProfile
from flank.machines.crank_reducer.crank_loads import support_load, turning_arm_load
from flank.machines.crank_reducer.proportions import BY_THE_RULE, PROPORTIONS
from flank.machines.quantities import Quantity
from flank.machines.round_parts import even_angles

if TYPE_CHECKING:
    from flank.machines.crank_reducer.spec import CrankReducerSpec

FILLING = 0.9
"""Share of the pitch circle that rolling elements fill."""

GROWTH, LARGEST_GROWTH = 1.01, 1.6
"""Of a bearing that does not last: the step, and where the rule gives up."""

WALL = 0.065
"""Least wall of a disc between holes, over R."""


@dataclass(frozen=True)
class BearingDimensions:
    """One bearing: inner race, rollers, contact angle; lengths in m."""

    race_radius: float
    roller_radius: float
    count: int
    length: float
    clearance: float
    contact_angle: float = 0.0
    profile: RollerProfile = STRAIGHT

    @property
    def pitch_radius(self) -> float:
        return self.race_radius + self.roller_radius

    @property
    def rating(self) -> RollerBearing:
        """As the norms see it."""
        rollers = self.count, 2 * self.roller_radius, self.length
        return RollerBearing(*rollers, 2 * self.pitch_radius, self.contact_angle)

    @property
    def cage_share(self) -> float:
        """Part of the inner race's turn that a rolling cage follows; the rest is the outer's."""
        return self.race_radius / (self.race_radius + self.bore_radius)

    @property
    def bore_radius(self) -> float:
        """Radius of the outer race, clearance included."""
        return self.race_radius + 2 * self.roller_radius + self.clearance


@dataclass(frozen=True)
class Toothing:
    """What the mesh of discs and housing tells the other parts; lengths in m."""

    ring_radius: float  # R, of the pin circle or of the ring's reference circle
    disc_radius: float  # of a cylinder about as heavy as a disc
    root_radius: float  # of the valleys of a disc's flank
    split_radius: float  # where a disc's web ends, which cranks hold, and its rim begins
    eccentricity: float
    ring_force: float  # 1/m: resultant of the ring on a disc, over the disc's torque


@dataclass(frozen=True)
class Dimensions(Toothing):
    """Every dimension that has a rule, in m and N."""

    disc_width: float
    disc_bore_radius: float
    pin_radius: float
    journal_radius: float
    journal_length: float
    eccentric_length: float
    web_length: float
    turning_arm: BearingDimensions
    support: BearingDimensions
    face_width: float
    pillar_count: int
    pillar_circle_radius: float
    pillar_radius: float
    pillar_hole_radius: float
    flange_width: float
    main_circle_radius: float
    ball_count: int
    ball_radius: float
    ball_contact_angle: float
    main_preload: float


def dimensions(spec: CrankReducerSpec, shares: Mapping[str, float] = BY_THE_RULE) -> Dimensions:
    """Given dimensions, the rest by the rule; `shares` are its PROPORTIONS."""
    toothing, cranks, stage = spec.toothing, spec.cranks, spec.first_stage
    ring = toothing.ring_radius
    width = spec.discs.width or shares["discs.width"] * ring
    face_width = (stage and stage.face_width) or shares["first_stage.face_width"] * width
    pin = cranks.pin_radius or shares["cranks.pin_radius"] * cranks.circle_radius
    journal = cranks.journal_radius or 0.58 * pin
    journal_length = cranks.journal_length or 1.6 * width
    eccentric, web = cranks.eccentric_length or 1.2 * width, cranks.web_length or 0.4 * width
    arm = lasting(
        spec,
        lambda growth: _turning_arm(spec, pin, width, growth, shares),
        turning_arm_load(spec, toothing),
    )
    lengths = (journal_length, eccentric, web, face_width if stage else 0.0)
    support = lasting(
        spec, lambda growth: _support(spec, growth * journal), support_load(spec, toothing, lengths)
    )
    hole = arm.bore_radius
    widest = max(hole, support.bore_radius)
    bore = spec.discs.bore_radius or max(cranks.circle_radius - widest - WALL * ring, 0.05 * ring)
    rollers, count = spec.output_rollers, pillar_count(spec)
    if rollers is None:
        circle = spec.carrier.pillar_circle_radius or cranks.circle_radius
        pillar = spec.carrier.pillar_radius or _pillar_radius(spec, toothing, widest, circle, bore)
        pillar_hole = pillar + toothing.eccentricity + 0.02 * pillar
    else:
        circle, pillar = rollers.circle_radius, rollers.radius
        pillar_hole = rollers.hole(toothing.eccentricity)
    main_circle, ball = _main_bearing(spec, ring)
    preload = spec.main_bearings.preload or 0.1 * spec.rated_torque / ring
    angle = spec.main_bearings.contact_angle
    return Dimensions(
        **vars(toothing),
        disc_width=width,
        disc_bore_radius=bore,
        pin_radius=pin,
        journal_radius=journal,
        journal_length=journal_length,
        eccentric_length=eccentric,
        web_length=web,
        turning_arm=arm,
        support=support,
        face_width=face_width,
        pillar_count=count,
        pillar_circle_radius=circle,
        pillar_radius=pillar,
        pillar_hole_radius=pillar_hole,
        flange_width=spec.carrier.flange_width or journal_length,
        main_circle_radius=main_circle,
        ball_count=spec.main_bearings.ball_count or fitting(main_circle, ball),
        ball_radius=ball,
        ball_contact_angle=math.radians(40) if angle is None else angle,
        main_preload=preload,
    )


def fitting(pitch_radius: float, radius: float) -> int:
    """Rolling elements that fill FILLING of a pitch circle."""
    return max(int(FILLING * math.pi * pitch_radius / radius), 3)


def lasting(
    spec: CrankReducerSpec, bearing: Callable[[float], BearingDimensions], load: float
) -> BearingDimensions:
    """The least bearing that lasts for the rated life; that of the first size where none does."""
    turns = spec.rated_life * (abs(spec.crank_ratio) + 1) * spec.rated_speed / (2 * math.pi)
    growth = 1.0
    while growth <= LARGEST_GROWTH:
        size = bearing(growth)
        if size.rating.life(load) >= turns:
            return size
        growth *= GROWTH
    return bearing(1.0)


def _turning_arm(
    spec: CrankReducerSpec, pin: float, width: float, growth: float, shares: Mapping[str, float]
) -> BearingDimensions:
    given = spec.turning_arm
    roller = given.radius or shares["turning_arm.radius"] * pin * growth
    length = given.length or shares["turning_arm.length"] * width
    return BearingDimensions(
        race_radius=pin,
        roller_radius=roller,
        count=given.count or fitting(pin + roller, roller),
        length=length,
        clearance=5e-6 if given.clearance is None else given.clearance,
        profile=given.roller_profile(roller, length),
    )


def _support(spec: CrankReducerSpec, journal: float) -> BearingDimensions:
    """In the proportions of a journal, which may be larger than that of the crank."""
    given = spec.supports
    roller = given.radius or 0.21 * journal
    race = given.race_radius or (1.42 * journal - roller)
    length = given.length or 0.8 * journal
    angle = given.contact_angle
    return BearingDimensions(
        race_radius=race,
        roller_radius=roller,
        count=given.count or fitting(race + roller, roller),
        length=length,
        clearance=-1e-6 if given.clearance is None else given.clearance,
        contact_angle=math.radians(15) if angle is None else angle,
        profile=given.roller_profile(roller, length),
    )


def _main_bearing(spec: CrankReducerSpec, ring: float) -> tuple[float, float]:
    """Radii of the circle of balls and of a ball."""
    return 0.87 * ring, spec.main_bearings.ball_radius or 0.033 * ring


def _pillar_radius(
    spec: CrankReducerSpec,
    toothing: Toothing,
    hole: float,
    pillar_circle: float,
    disc_bore: float,
) -> float:
    """Largest round pillar whose hole in the disc leaves walls to cranks, flank and bore, and which
    stays within the rim of the flanges."""
    wall, e = WALL * toothing.ring_radius, toothing.eccentricity
    main_circle, ball = _main_bearing(spec, toothing.ring_radius)
    rim = (1 - 1.01 * THINNEST_WALL) * (main_circle - ball)
    chord = nearest_pillar(spec, pillar_circle)
    rooms = (
        chord - hole - wall,
        toothing.root_radius - wall - pillar_circle,
        pillar_circle - disc_bore - wall,
    )
    return max(min((min(rooms) - e) / 1.02, rim - pillar_circle), 0.0)


def pillar_count(spec: CrankReducerSpec) -> int:
    """Pins of output rollers are pillars."""
    if spec.output_rollers is not None:
        return spec.output_rollers.count
    return spec.carrier.pillar_count or spec.cranks.count


def nearest_pillar(spec: CrankReducerSpec, pillar_circle: float) -> float:
    """Smallest distance between the axes of a pillar and of a crank."""
    count, ring = pillar_count(spec), spec.cranks.circle_radius
    pillars = [2 * math.pi * (k + 0.5) / count for k in range(count)]
    return min(
        math.sqrt(ring**2 + pillar_circle**2 - 2 * ring * pillar_circle * math.cos(pillar - crank))
        for pillar in pillars
        for crank in even_angles(spec.cranks.count)
    )


def ruled_values(
    spec: CrankReducerSpec, shares: Mapping[str, float] = BY_THE_RULE
) -> dict[str, float]:
    """What the spec leaves out, of the dimensions that PROPORTIONS give, by key: with them in the
    spec all others follow by the rule."""
    size = dimensions(spec, shares)
    return {
        path: value for path, value, _, _ in ruled_dimensions(spec, size) if path in PROPORTIONS
    }


def published(spec: CrankReducerSpec, path: str) -> tuple[float, float] | None:
    """Between which values a dimension of the rule would lie by published sets, if more than one
    gives it."""
    if path not in PROPORTIONS:
        return None
    ends = PROPORTIONS[path].least, PROPORTIONS[path].most
    low, high = (ruled_values(spec, {**BY_THE_RULE, path: end})[path] for end in ends)
    return low, high


def ruled_dimensions(
    spec: CrankReducerSpec, size: Dimensions
) -> Iterator[tuple[str, float, str, str]]:
    """Every dimension of the rule that the spec does not give: key, value, unit, shown unit."""
    for path, place in RULED.items():
        block, _, name = path.rpartition(".")
        if name.startswith("pillar") and spec.output_rollers is not None:
            continue  # the rollers' pins
        owner = getattr(spec, block) if block else spec
        if owner is not None and getattr(owner, name) is None:
            quantity = owner.quantity_of(name) or Quantity("", "")  # a count has no unit
            yield path, attrgetter(place)(size), quantity.si_unit, quantity.shown_unit


RULED = {
    "eccentricity": "eccentricity",
    "discs.width": "disc_width",
    "discs.bore_radius": "disc_bore_radius",
    "cranks.pin_radius": "pin_radius",
    "cranks.journal_radius": "journal_radius",
    "cranks.journal_length": "journal_length",
    "cranks.eccentric_length": "eccentric_length",
    "cranks.web_length": "web_length",
    "turning_arm.count": "turning_arm.count",
    "turning_arm.radius": "turning_arm.roller_radius",
    "turning_arm.length": "turning_arm.length",
    "turning_arm.clearance": "turning_arm.clearance",
    "supports.race_radius": "support.race_radius",
    "supports.count": "support.count",
    "supports.radius": "support.roller_radius",
    "supports.length": "support.length",
    "supports.clearance": "support.clearance",
    "supports.contact_angle": "support.contact_angle",
    "first_stage.face_width": "face_width",
    "carrier.pillar_count": "pillar_count",
    "carrier.pillar_circle_radius": "pillar_circle_radius",
    "carrier.pillar_radius": "pillar_radius",
    "carrier.flange_width": "flange_width",
    "main_bearings.ball_count": "ball_count",
    "main_bearings.ball_radius": "ball_radius",
    "main_bearings.contact_angle": "ball_contact_angle",
    "main_bearings.preload": "main_preload",
}
"""Keys of the spec with a rule, and where Dimensions has the value."""
