"""Whether the balls of a joint stay in tracks and windows, and what deflection that allows."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from flank.arrays import Floats
from flank.geometry.ball_joint import OUTER, BallJoint
from flank.geometry.findings import Finding, error, warning
from flank.geometry.rotations import about_y, about_z
from flank.texts import mm, um

Limit = Literal["outer track", "inner track", "neighbours", "window", "cage wall"]
LIMITS: tuple[Limit, ...] = get_args(Limit)

LARGEST_DEFLECTION = math.radians(60)
ROTATIONS = 96
"""Poses over two pitches, after which the joint is the same again."""

PARALLEL = 1e-3
"""Sine of the angle at which two track axes count as parallel."""

SMALL_CROSSING = math.sin(math.radians(2))
"""Below it tracks hardly place the ball, and the cage alone holds it."""

ROUND_OFF = 1e-12
"""m, by which a room may fall short and still be just enough."""

NOTABLE_MISS = 1e-6
"""m, by which track axes may miss each other unnoticed."""


@dataclass(frozen=True)
class JointRoom:
    """Room for the balls, in m: lengths of the tracks, half on either side, radii of the cage's
    wall, length of a window around it."""

    ball_radius: float
    outer_track: float
    inner_track: float
    cage_inside: float
    cage_outside: float
    window_length: float


def margins(
    joint: BallJoint, room: JointRoom, deflection: float, plunge: float = 0.0
) -> dict[Limit, float]:
    """What is left of each room over a turn, in m; negative where it does not suffice."""
    rotation = _rotations(joint)
    both_ways = [_margins(joint, room, rotation, deflection, p) for p in {plunge, -plunge}]
    return {name: min(values[name] for values in both_ways) for name in LIMITS}


def deflection_limit(
    joint: BallJoint, room: JointRoom, name: Limit, plunge: float = 0.0
) -> float | None:
    """Deflection in rad up to which one room suffices; None if it does at 60 deg."""
    low, high = 0.0, LARGEST_DEFLECTION
    if margins(joint, room, high, plunge)[name] > 0:
        return None
    while high - low > 1e-6:
        middle = 0.5 * (low + high)
        if margins(joint, room, middle, plunge)[name] > 0:
            low = middle
        else:
            high = middle
    return low


def parallel_deflection(joint: BallJoint) -> float:
    """Deflection in rad at which mirrored tracks become parallel somewhere on the turn, where an
    axis is perpendicular to the plane that halves the angle: 2 acos(cos α cos β)."""
    return 2 * math.acos(math.cos(joint.outer.skew) * math.cos(joint.outer.inclination))


def check_crossing(joint: BallJoint, deflection: float) -> Iterator[Finding]:
    """Whether outer and inner tracks cross, straight and over a turn."""
    straight = float(joint.crossing(0.0, 0.0).min())
    if straight < PARALLEL:
        yield error(
            "tracks-do-not-cross",
            (math.asin(straight), math.asin(PARALLEL), "rad"),
            f"the tracks of outer and inner race cross at {_degrees(math.asin(straight))} and do "
            "not hold the balls along the axis",
            "give the tracks a skew or an inclination, such as 8 deg",
        )
        return
    smallest = float(joint.crossing(_rotations(joint), deflection).min())
    if smallest < SMALL_CROSSING:
        impossible = smallest < PARALLEL and not joint.mirrored
        yield (error if impossible else warning)(
            "tracks-nearly-parallel",
            (math.asin(smallest), math.asin(SMALL_CROSSING), "rad"),
            f"at a deflection of {_degrees(deflection)} tracks cross at as little as "
            f"{_degrees(math.asin(smallest))} and leave the ball to the cage",
            f"deflect by less than {_degrees(parallel_deflection(joint))}, or skew the tracks more",
        )
    elif joint.mirrored and deflection > (limit := parallel_deflection(joint)):
        yield warning(
            "tracks-cross-the-other-way",
            (deflection, limit, "rad"),
            f"at a deflection of {_degrees(deflection)} tracks cross the other way on a part of "
            "the turn, where they push the ball to the other side of its window",
            f"deflect by less than {_degrees(limit)}, or skew the tracks more",
        )


def check_axis_offset(joint: BallJoint, deflection: float, plunge: float) -> Iterator[Finding]:
    """Whether each outer track axis meets its inner one."""
    places = joint.places(_rotations(joint), deflection, plunge)
    miss = float(places.miss.max())
    if miss <= NOTABLE_MISS:
        return
    why = (
        f"at a plunge of {mm(plunge, 3)} and {_degrees(deflection)}"
        if joint.mirrored
        else "which are no mirror images"
    )
    remedy = (
        "keep the inner race near the point where the shafts cross"
        if joint.mirrored
        else "leave out skew and inclination of the inner race, which then mirror the outer ones"
    )
    yield warning(
        "axes-miss",
        (miss, NOTABLE_MISS, "m"),
        f"axes of outer and inner tracks, {why}, miss each other by up to {um(miss, 3)}: the "
        "joint does not turn with constant velocity",
        remedy,
    )


def check_room(
    joint: BallJoint, room: JointRoom, deflection: float, plunge: float
) -> Iterator[Finding]:
    """Whether the balls have room over a turn."""
    straight = margins(joint, room, 0.0, plunge)
    for name, margin in straight.items():
        if margin < -ROUND_OFF:
            yield _room_finding(name, margin, "even in the straight joint", *STRAIGHT[name])
    for name, margin in margins(joint, room, deflection, plunge).items():
        if margin < -ROUND_OFF <= straight[name]:
            limit = deflection_limit(joint, room, name, plunge) or 0.0
            remedy = f"deflect by less than {_degrees(limit)}, or {STRAIGHT[name][1]}"
            where = f"at a deflection of {_degrees(deflection)}"
            yield _room_finding(name, margin, where, f"deflection-{name.replace(' ', '-')}", remedy)


SENTENCES: dict[Limit, str] = {
    "outer track": "balls run off the tracks of the outer race by",
    "inner track": "balls run off the tracks of the inner race by",
    "neighbours": "neighbouring balls overlap by",
    "window": "balls hit the ends of the cage's windows by",
    "cage wall": "ball centres leave the wall of the cage by",
}
STRAIGHT: dict[Limit, tuple[str, str]] = {
    "outer track": ("short-outer-tracks", "use longer tracks or less plunge"),
    "inner track": ("short-inner-tracks", "use longer tracks or less plunge"),
    "neighbours": ("balls-collide", "use smaller or fewer balls or a larger pitch circle"),
    "window": ("short-windows", "use longer windows"),
    "cage wall": ("thin-cage", "use a thicker cage wall"),
}
"""Codes and remedies where the room does not suffice in the straight joint."""


def _room_finding(name: Limit, margin: float, where: str, code: str, remedy: str) -> Finding:
    message = f"{where} {SENTENCES[name]} {mm(-margin, 3)}"
    return error(code, (margin, 0.0, "m"), message, remedy)


def _rotations(joint: BallJoint) -> Floats:
    return np.arange(ROTATIONS) * 4 * math.pi / joint.balls / ROTATIONS


def _margins(
    joint: BallJoint, room: JointRoom, rotation: Floats, deflection: float, plunge: float
) -> dict[Limit, float]:
    places = joint.places(rotation, deflection, plunge)
    farthest = np.abs(places.track_position).max(axis=(0, 1))
    to_next = np.roll(places.centre, -1, axis=1) - places.centre
    radial, tangential = _in_cage(joint, places.centre, rotation, deflection, plunge)
    return {
        "outer track": 0.5 * room.outer_track - float(farthest[OUTER]),
        "inner track": 0.5 * room.inner_track - float(farthest[1 - OUTER]),
        "neighbours": float(np.linalg.norm(to_next, axis=-1).min()) - 2 * room.ball_radius,
        "window": 0.5 * room.window_length - room.ball_radius - float(np.abs(tangential).max()),
        "cage wall": float(min(radial.min() - room.cage_inside, room.cage_outside - radial.max())),
    }


def _in_cage(
    joint: BallJoint, centre: Floats, rotation: Floats, deflection: float, plunge: float
) -> tuple[Floats, Floats]:
    """Ball centres along the radius and the tangent of their windows' middles."""
    middle = 0.5 * plunge * about_y(deflection)[:, 2]
    in_cage = (centre - middle) @ (about_y(0.5 * deflection) @ about_z(rotation))
    return np.sum(in_cage * joint.radial, axis=-1), np.sum(in_cage * joint.tangential, axis=-1)


def _degrees(angle: float) -> str:
    return f"{math.degrees(angle):.3g} deg"
