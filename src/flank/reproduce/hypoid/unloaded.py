"""Which way a pair without load hands over from tooth to tooth, settled without its equations.

The pinion may push the gear but not penetrate it. Of every point of the pinion's flanks, at its
distance from the gear's axis and its height along it, the gear's flank has one point there, and
turning the gear moves that on a circle: the angle between the two says how far the gear must be
turned out of the way. The gear stands where the point puts it that asks most. No equation of
contact, no normal and no curvature enters; edges are points like all others.

Which way is out follows from the tooth: the normal of the pinion's flank points away from the other
flank of the same tooth.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import numpy as np

from flank.arrays import Flags, Floats
from flank.geometry.flank_pair import FlankPair
from flank.geometry.mounting import Mounting
from flank.geometry.rotations import about_z
from flank.geometry.spline_surface import BY_U, BY_V, POINT, SplineSurface
from flank.geometry.unloaded_contact import hand_over, motion_curve, transmission_error
from flank.io.shown import factor
from flank.machines.bevel_pair.machine import BevelPairMachine
from flank.machines.bevel_pair.teeth import MATES
from flank.reproduce.hypoid.computing import CASES, machine_of

Surface = Callable[[Floats], Floats]
"""Places (k, 2) to point, tangents and second derivatives (k, 6, 3)."""

FOOT_STEPS = 14
CLOSE = 1e-9
ACROSS = 0.5
"""Points along the profile over those along the face."""

LOWEST = -1.2
"""v: as far below their root borders flanks are looked at, as a tip may reach there."""


@dataclass(frozen=True, eq=False)
class Unloaded:
    """Two flanks over a pitch; seconds of arc of the gear, positive the way it is pushed."""

    push: int  # sign of the torque about the gear's axis, from the tooth
    angle: Floats  # of the pinion, rad from where flanks touch near their middles
    curves: Floats  # (3, k) of neighbouring tooth pairs, on surfaces without borders
    crossing: tuple[float, float]  # where such curves cross: angle, and how far above their middles
    error: Floats  # of the pair, edges counted, by equations of contact
    turned: Floats  # the same by turning the gear out of the way, at every `stride`-th position
    stride: int
    on_edge: float  # share of positions
    peak_to_peak: float  # of the error, between positions, too
    mirrored: float  # the same of the mirror image
    complete: bool = True

    @property
    def turned_difference(self) -> float:
        """Largest, of both ways to find the error."""
        apart = self.turned - self.error[:: self.stride]
        return float(np.abs(apart - np.median(apart)).max())


def unloaded(pair: str, driving: bool, positions: int, turned: int) -> Unloaded:
    machine = machine_of(pair)
    flanks, second = machine.flank_pair(driving), factor("rad", "arcsec")
    rolling = transmission_error(flanks, positions)
    teeth = np.arange(-1, 2)[:, None]
    everywhere = flanks.touching((rolling.first_angle + flanks.pitch * teeth).ravel(), False)
    curves = motion_curve(flanks, everywhere).reshape(len(teeth), -1)
    crossing, rise = crossing_of(flanks)
    push, stride = pushed(machine, driving), max(positions // 24, 1)
    start = flanks.start[5] - flanks.ratio * flanks.start[0]
    seats = [
        push * (turned_away(flanks, float(angle), push, turned) - flanks.ratio * angle - start)
        for angle in rolling.first_angle[::stride]
    ]
    image = mirrored(flanks)
    return Unloaded(
        push,
        rolling.first_angle - flanks.start[0],
        second * curves,
        (crossing, second * rise),
        second * rolling.error,
        second * np.array(seats),
        stride,
        float(rolling.on_edge.mean()),
        float(second * rolling.peak_to_peak),
        float(second * transmission_error(image, positions).peak_to_peak),
    )


@dataclass(frozen=True)
class Misaligned:
    """Peak to peak of the error in seconds of arc and the share of positions on edges, by
    misalignment and its amount in mm; where along the face the contact at the start lies."""

    span: dict[tuple[str, float], float]
    on_edge: dict[tuple[str, float], float]
    place: dict[tuple[str, float], float]
    complete: bool = True


def misaligned(pair: str, driving: bool, positions: int) -> Misaligned:
    """Under E, P and G, one at a time."""
    designed = machine_of(pair).flank_pair(driving)
    span, on_edge, place = {}, {}, {}
    for name, amount in product(CASES["misalignments"], CASES["amounts"]):
        flanks = designed.misaligned(**{name: 1e-3 * amount})
        rolling = transmission_error(flanks, positions)
        span[name, amount] = factor("rad", "arcsec") * rolling.peak_to_peak
        on_edge[name, amount] = float(rolling.on_edge.mean())
        place[name, amount] = float(flanks.touching(designed.start[0]).places[0, 2])
    return Misaligned(span, on_edge, place)


def crossing_of(flanks: FlankPair) -> tuple[float, float]:
    """The first angle where curves of neighbouring tooth pairs cross, on surfaces without borders,
    and how far above the extremum of one of them, in rad of the gear."""
    crossing, _ = hand_over(flanks)
    around = flanks.start[0] + flanks.pitch * np.linspace(-0.25, 0.25, 101)
    middle = motion_curve(flanks, flanks.touching(around, False))
    extremum = middle[np.argmin(np.abs(np.gradient(middle)))]
    level = motion_curve(flanks, flanks.touching(crossing, False))[0]
    return crossing, float(level - extremum)


def pushed(machine: BevelPairMachine, driving: bool) -> int:
    """Sign of the torque about the gear's axis of a force along the pinion's outward normal, where
    the flanks touch near their middles."""
    name = machine.driving if driving else MATES[machine.driving]
    flanks, member = machine.flank_pair(driving), machine.teeth.pinion
    first, u, v, *_ = flanks.start
    at = flanks.first_at(np.array([[u, v]]), np.array([first]))[0]
    normal = np.cross(at[BY_U], at[BY_V])
    # of the same place on the tooth, the way from the other flank to this one
    surfaces = [SplineSurface(member.side(side).flank.points) for side in (name, MATES[name])]
    here, there = (surface.points(u, v) for surface in surfaces)
    turn = flanks.mounting.first_axes @ about_z(first)
    outward = normal * np.sign(normal @ (turn @ (here - there)))
    return 1 if np.cross(at[POINT], outward)[2] > 0 else -1


def turned_away(flanks: FlankPair, first_angle: float, push: int, points: int) -> float:
    """The gear's angle where it just clears the pinion, at an angle of that; all teeth nearby.

    All of the pinion's flank is asked, and the edge of the gear's tip once more by itself."""
    profile = np.linspace(LOWEST, 1, int(ACROSS * points) + 1)
    u, v = np.meshgrid(np.linspace(-1, 1, points), profile)
    places = np.column_stack((u.ravel(), v.ravel()))
    tip = flanks.surfaces[1].points(np.linspace(-1, 1, 4 * points), 1.0)
    start = flanks.start[5] + flanks.ratio * (first_angle - flanks.start[0])
    angles = []
    for tooth in range(-1, 2):
        angle = first_angle + tooth * flanks.pitch
        pinion, gear = _seen(flanks, angle), _still(flanks.surfaces[1])
        points_of_pinion = pinion(places)[:, POINT]
        over_gear, there = _azimuths(gear, points_of_pinion)
        over_pinion, here = _azimuths(pinion, tip)
        needed = np.concatenate(
            ((_azimuth(points_of_pinion) - over_gear)[there], (over_pinion - _azimuth(tip))[here])
        )
        # gear teeth are numbered the other way round: the mate of tooth k stands k pitches back
        back = -flanks.ratio * flanks.pitch * tooth
        angles.append(np.remainder(needed + back - start + np.pi, 2 * np.pi) - np.pi + start)
    asked = np.concatenate(angles)
    return float(push * (push * asked).max())


def _seen(flanks: FlankPair, angle: float) -> Surface:
    """The pinion's flank, from the gear's origin."""

    def at(places: Floats) -> Floats:
        found = flanks.first_at(places, np.full(len(places), angle))
        found[:, POINT] -= flanks.mounting.second_origin
        return found

    return at


def _still(surface: SplineSurface) -> Surface:
    return lambda places: surface.at(places[:, 0], places[:, 1])


def _azimuth(points: Floats) -> Floats:
    return np.asarray(np.arctan2(points[:, 1], points[:, 0]))


def _azimuths(surface: Surface, points: Floats) -> tuple[Floats, Flags]:
    """Of a surface, at the radii and heights of points, and whether it has such a place."""
    goal = np.column_stack((np.hypot(points[:, 0], points[:, 1]), points[:, 2]))
    place = np.zeros((len(points), 2))
    for _ in range(FOOT_STEPS):
        at = surface(place)
        radius = np.hypot(at[:, POINT, 0], at[:, POINT, 1])
        missing = goal - np.column_stack((radius, at[:, POINT, 2]))
        tangents = at[:, BY_U : BY_V + 1]
        outward = np.einsum("kac,kc->ka", tangents[..., :2], at[:, POINT, :2]) / radius[:, None]
        system = np.stack((outward, tangents[..., 2]), axis=1)
        step = np.linalg.solve(system, missing[..., None])[..., 0]
        place = np.clip(place + np.clip(step, -0.5, 0.5), -3.0, 3.0)
    settled = np.abs(step).max(axis=1) < CLOSE
    inside = (np.abs(place[:, 0]) <= 1) & (place[:, 1] >= LOWEST) & (place[:, 1] <= 1)
    return _azimuth(surface(place)[:, POINT]), settled & inside


def mirrored(flanks: FlankPair) -> FlankPair:
    """The pair in a mirror in the plane of both axes."""
    first, second = (SplineSurface(each.grid * [1, -1, 1]) for each in flanks.surfaces)
    designed = flanks.mounting
    image = Mounting(
        designed.shaft_angle, -designed.offset, -designed.e, designed.p, designed.g, designed.alpha
    )
    return FlankPair((first, second), flanks.teeth, image, flanks.sense)
