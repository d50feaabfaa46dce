"""Two flanks that roll without load: transmission error, ease-off and contact pattern.

Tooth k of the first gear is where tooth 0 was at φ₁ - k p, so one curve F(φ₁) of tooth 0, the
transmission error φ₂ - i φ₁ counted the way the second gear is pushed, has those of all teeth:
the second gear is where the tooth pair puts it that pushes it farthest. A pair whose curve falls
from its middle to both ends hands over from tooth to tooth where neighbouring curves cross; one
that rises goes on until an edge ends it.

The **ease-off** is what the second flank lacks of the flank that the first one would generate at
the exact ratio, along the normal: at each of its points, the rest of transmission error that is
left when this point touches, with the meshing condition N₁ · v₁₂ = 0. The **contact pattern** at a
thickness t is where, at some position, flanks come within t of each other: the marking compound.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from flank.arrays import Flags, Floats, Integers
from flank.geometry.flank_pair import (
    CLOSE,
    NEWTON_STEPS,
    SECOND_AXIS,
    FlankPair,
    NoContact,
    Touching,
    normal_and_slopes,
)
from flank.geometry.rotations import about_z
from flank.geometry.spline_surface import BY_U, BY_V, POINT, unit_normals

STAGES = 8
"""From the middle to any point of the flank."""

TEETH = 2
"""On either side of tooth 0, that may touch before it."""

ALIKE = 1e-9
"""rad: of teeth that push as far, the one that does not by an edge counts."""

CROSSING_STEPS = 3
"""To where neighbouring curves cross, from between two positions."""

TOPS = 3
"""Of an error over a pitch, that are looked at more closely."""

TURNING_STEPS = 5
"""To where a curve turns, each four times as close."""

COMPOUND = 6.35e-6
"""m: the usual thickness of marking compound, a quarter of a thousandth of an inch."""


@dataclass(frozen=True, eq=False)
class TransmissionError:
    """Over one pitch of the first gear, in rad of the second; zero where `FlankPair.start` is."""

    first_angle: Floats
    curves: Floats  # (teeth, k): of single tooth pairs, the way the second gear is pushed
    error: Floats  # what all of them leave
    tooth: Integers  # which pair touches, 0 the one at `first_angle`
    touching: Touching  # where it does
    on_edge: Flags
    peak_to_peak: float  # between positions, too


def motion_curve(pair: FlankPair, touching: Touching) -> Floats:
    """F: how far a tooth pair alone pushes the second gear beyond the exact ratio."""
    start = pair.start[5] - pair.ratio * pair.start[0]
    curve: Floats = touching.second_angle - pair.ratio * touching.first_angle - start
    return pair.push * curve


def transmission_error(pair: FlankPair, positions: int = 120) -> TransmissionError:
    """Over a pitch about the start, with edges where they touch."""
    share = (np.arange(positions) + 0.5) / positions - 0.5
    angle = pair.start[0] + pair.pitch * share
    teeth = np.arange(-TEETH, TEETH + 1)
    everywhere = pair.touching((angle + pair.pitch * teeth[:, None]).ravel())
    curves = motion_curve(pair, everywhere).reshape(len(teeth), positions)
    alone = np.isnan(curves).all(axis=0)
    if alone.any():
        raise NoContact(
            f"no tooth touches with the first gear at {math.degrees(angle[alone][0]):.4g} deg; "
            "look at the mounting (shaft angle, offset, E, P, G) or make the teeth longer"
        )
    pushes = curves - ALIKE * everywhere.edges.reshape(curves.shape)
    tooth = np.nanargmax(pushes, axis=0)
    rows = tooth * positions + np.arange(positions)
    touching = Touching(
        everywhere.first_angle[rows],
        everywhere.second_angle[rows],
        everywhere.places[rows],
        everywhere.edges[rows],
        everywhere.points[rows],
    )
    error = curves[tooth, np.arange(positions)]
    span = _peak_to_peak(pair, angle, curves)
    return TransmissionError(angle, curves, error, teeth[tooth], touching, touching.edges > 0, span)


def _peak_to_peak(pair: FlankPair, angle: Floats, curves: Floats) -> float:
    """Of what the tooth pairs leave, whatever the positions are: least where neighbouring curves
    cross or one turns up, greatest where one turns down.

    Cubics through four positions tell where curves cross, and their slopes there; the curves
    themselves, computed there, tell the level. Where they turn is looked for ever more closely, as
    that may be where an edge takes over.
    """
    nothing = np.full((1, 2), math.nan)  # rows a pitch on are the curves of the neighbours
    before, after = np.vstack((nothing, curves[:-1, -2:])), np.vstack((curves[1:, :2], nothing))
    wide = np.nan_to_num(np.hstack((before, curves, after)), nan=-math.inf)
    error, tooth = wide.max(axis=0), wide.argmax(axis=0)
    own = error[2:-2]

    def computed(places: Floats, rows: Integers) -> Floats:
        first = angle[0] + pair.pitch * ((places - 2) / len(angle) + rows - TEETH)
        return motion_curve(pair, pair.touching(first))

    levels = [own]
    inside = range(2, len(own) + 2)
    tops = [k for k in inside if error[k - 1] <= error[k] >= error[k + 1]]
    for k in sorted(tops, key=lambda k: -error[k])[:TOPS]:
        levels.append(_turning_level(k, int(tooth[k]), 1, computed))
    lowest = 2 + int(own.argmin())
    if tooth[lowest - 1] == tooth[lowest] == tooth[lowest + 1]:  # else another one is in the way
        levels.append(_turning_level(lowest, int(tooth[lowest]), -1, computed))
    changes = [k for k in inside if tooth[k] != tooth[k + 1]]
    if changes:
        levels.append(_crossing_levels(wide, np.array(changes), tooth, computed))
    return float(np.ptp([level for each in levels for level in each if math.isfinite(level)]))


def _turning_level(
    column: int, row: int, way: int, computed: Callable[[Floats, Integers], Floats]
) -> Floats:
    """Values of a curve ever nearer to where it is greatest (or least, way -1) by a column."""
    middle, values, rows = float(column), np.zeros(0), np.full(9, row)
    for step in range(TURNING_STEPS):
        places = middle + 0.25**step * np.linspace(-1.0, 1.0, 9)
        values = computed(places, rows)
        middle = float(places[np.nanargmax(way * values)])
    return values


def _crossing_levels(
    wide: Floats,
    changes: Integers,
    tooth: Integers,
    computed: Callable[[Floats, Integers], Floats],
) -> Floats:
    """Of curves that hand over between columns k and k + 1; not a number where one ends there."""
    rows = tooth[changes], tooth[changes + 1]
    columns = changes[:, None] + np.arange(-1, 3)
    apart = wide[rows[0][:, None], columns] - wide[rows[1][:, None], columns]
    known = np.isfinite(apart).all(axis=1)
    fits = [np.poly1d(np.polyfit(np.arange(-1, 3), each, 3)) for each in apart[known]]
    share = apart[known, 1] / (apart[known, 1] - apart[known, 2])
    levels, both = np.full(len(changes), math.nan), np.concatenate([row[known] for row in rows])
    for step in range(CROSSING_STEPS):
        values = np.array([(fit(x), fit.deriv()(x)) for fit, x in zip(fits, share, strict=True)])
        missing, slopes = values.reshape(-1, 2).T
        if step > 0:
            first, second = computed(np.tile(changes[known] + share, 2), both).reshape(2, -1)
            missing, levels[known] = first - second, 0.5 * (first + second)
        share = share - missing / slopes
    return levels


def hand_over(pair: FlankPair) -> tuple[float, float]:
    """First angle at which tooth 0 and its neighbour push alike, both on surfaces that go on beyond
    their borders, and how far F is from its extremum there."""
    angle = pair.start[0] + pair.pitch * np.linspace(0.0, 1.0, 201)
    curves = [motion_curve(pair, pair.touching(angle - k * pair.pitch, False)) for k in (0, 1)]
    apart = curves[0] - curves[1]
    crossing = np.flatnonzero(apart[:-1] * apart[1:] <= 0)
    if not len(crossing):
        raise NoContact(
            "neighbouring teeth hand over nowhere within a pitch: curves of single pairs do not "
            "cross; bring the contact to the middles of the flanks first"
        )
    k = crossing[0]
    share = apart[k] / (apart[k] - apart[k + 1])
    level = curves[0][k] + share * (curves[0][k + 1] - curves[0][k])
    around = np.concatenate(curves)
    extremum = around[np.nanargmin(np.abs(around))]
    return float(angle[k] + share * (angle[k + 1] - angle[k])), float(level - extremum)


@dataclass(frozen=True, eq=False)
class EaseOff:
    """On a grid of the second flank: what it lacks in m, and the first angle when a point rolls."""

    u: Floats
    v: Floats
    relief: Floats
    first_angle: Floats


def ease_off(pair: FlankPair, profile: int = 15, lengthwise: int = 25) -> EaseOff:
    """Against the flank that the first one generates; zero at the start. Not a number where the
    first flank generates nothing."""
    u, v = np.meshgrid(np.linspace(-1, 1, lengthwise), np.linspace(-1, 1, profile))
    places = np.stack((u.ravel(), v.ravel()), axis=-1)
    first_angle, u_1, v_1, u_2, v_2, second_angle = pair.start
    x = np.tile([u_1, v_1, first_angle, second_angle], (len(places), 1))
    settled = np.ones(len(places), dtype=bool)
    for share in np.linspace(0.0, 1.0, STAGES + 1):
        middle = np.array([u_2, v_2])
        x, settled = _rolled(pair, x, middle + share * (places - middle))
    first = pair.first_at(x[:, :2], x[:, 2])
    lever = np.abs(_turning_lever(unit_normals(first), first[:, POINT]))
    error = x[:, 3] - pair.ratio * x[:, 2] - (second_angle - pair.ratio * first_angle)
    relief = np.where(settled, -pair.push * error * lever, math.nan)
    return EaseOff(u, v, relief.reshape(u.shape), x[:, 2].reshape(u.shape))


def _rolled(pair: FlankPair, x: Floats, places: Floats) -> tuple[Floats, Flags]:
    """(u₁, v₁, φ₁, φ₂) with which points of the second flank touch at the exact ratio."""
    axis, origin = pair.mounting.first_axes[:, 2], pair.mounting.first_origin
    settled = np.zeros(len(x), dtype=bool)
    for _ in range(NEWTON_STEPS):
        first = pair.first_at(x[:, :2], x[:, 2])
        second = pair.second_at(places, x[:, 3])[:, POINT]
        normal, slopes = normal_and_slopes(first)
        turned = np.cross(axis, first[:, POINT] - origin)
        sliding = turned - pair.ratio * np.cross(SECOND_AXIS, first[:, POINT])
        moves = np.stack((first[:, BY_U], first[:, BY_V], turned), axis=1)
        bends = np.concatenate((slopes, np.cross(axis, normal)[:, None]), axis=1)
        carried = np.cross(axis, moves) - pair.ratio * np.cross(SECOND_AXIS, moves)
        residual = np.empty((len(x), 4))
        jacobian = np.zeros((len(x), 4, 4))
        residual[:, :3] = first[:, POINT] - second
        residual[:, 3] = np.einsum("kc,kc->k", normal, sliding)
        jacobian[:, :3, :3] = np.swapaxes(moves, 1, 2)
        jacobian[:, :3, 3] = -np.cross(SECOND_AXIS, second)
        jacobian[:, 3, :3] = np.einsum("kac,kc->ka", bends, sliding)
        jacobian[:, 3, :3] += np.einsum("kc,kac->ka", normal, carried)
        x, settled = _stepped(x, residual, jacobian)
        if settled.all():
            break
    return x, settled


def _stepped(x: Floats, residual: Floats, jacobian: Floats) -> tuple[Floats, Flags]:
    """One of Newton's steps for all systems, and which were the last."""
    scale = np.maximum(np.abs(jacobian).max(axis=-1), np.finfo(float).tiny)
    jacobian = jacobian / scale[..., None] + 1e-15 * np.eye(x.shape[1])
    step = np.linalg.solve(jacobian, (residual / scale)[..., None])[..., 0]
    return np.clip(x - np.clip(step, -0.3, 0.3), -20.0, 20.0), np.abs(step).max(axis=1) < CLOSE


def _turning_lever(normals: Floats, points: Floats) -> Floats:
    """How far a point goes along a normal as the second gear turns, m/rad."""
    lever: Floats = np.einsum("kc,kc->k", normals, np.cross(SECOND_AXIS, points))
    return lever


@dataclass(frozen=True, eq=False)
class ContactPattern:
    """On a grid of the second flank: the least separation (m) while a tooth goes through mesh, and
    by position; infinite where the first flank has no point opposite."""

    u: Floats
    v: Floats
    thickness: float
    separation: Floats
    first_angle: Floats  # of all positions of a tooth
    by_position: Floats  # (positions, profile, lengthwise)
    rolling: TransmissionError

    @property
    def marked(self) -> Flags:
        marked: Flags = self.separation <= self.thickness
        return marked

    @property
    def area(self) -> float:
        """Share of the flank that is marked; u and v count as the flank's rectangle."""
        return float(self.marked.mean())

    @property
    def centre(self) -> tuple[float, float]:
        """(u, v) of the middle of what is marked."""
        return float(self.u[self.marked].mean()), float(self.v[self.marked].mean())


def contact_pattern(
    pair: FlankPair,
    thickness: float = COMPOUND,
    positions: int = 48,
    profile: int = 25,
    lengthwise: int = 41,
) -> ContactPattern:
    """What marking compound of a thickness shows on the second flank."""
    rolling = transmission_error(pair, positions)
    u, v = np.meshgrid(np.linspace(-1, 1, lengthwise), np.linspace(-1, 1, profile))
    places = np.stack((u.ravel(), v.ravel()), axis=-1)
    start = pair.start[5] - pair.ratio * pair.start[0]
    angles = (rolling.first_angle + pair.pitch * np.arange(-1, 2)[:, None]).ravel()
    seconds = pair.ratio * angles + start + pair.push * np.tile(rolling.error, 3)
    fields = [
        _separation(pair, places, *position) for position in zip(angles, seconds, strict=True)
    ]
    by_position = np.array(fields).reshape((-1, *u.shape))
    return ContactPattern(u, v, thickness, by_position.min(axis=0), angles, by_position, rolling)


def _separation(pair: FlankPair, places: Floats, first_angle: float, second_angle: float) -> Floats:
    """How far points of the second flank are from the first along its outward normal."""
    points = pair.second_at(places, np.full(len(places), second_angle))[:, POINT]
    turn = pair.mounting.first_axes @ about_z(first_angle)
    seen = (points - pair.mounting.first_origin) @ turn
    feet, settled = pair.surfaces[0].project(seen, places * [1.0, -1.0])
    at = pair.surfaces[0].at(feet[:, 0], feet[:, 1])
    away = pair.outward[0] * np.einsum("kc,kc->k", seen - at[:, POINT], unit_normals(at))
    return np.where(settled & (np.abs(feet) <= 1.0).all(axis=1), away, math.inf)
