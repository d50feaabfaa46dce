"""What came out, figure by figure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from flank.reproduce.cv_joint.friction import Regression, bounds, sliding_loss
from flank.reproduce.cv_joint.friction_pictures import TurnsOverFriction
from flank.reproduce.cv_joint.friction_tables import flank_course, other_side
from flank.reproduce.cv_joint.joints import BY_HERTZ, PAPERS, SOFTER, Stiffness
from flank.reproduce.cv_joint.motion_tables import ORDERS, axial_values, ball_values
from flank.reproduce.cv_joint.published import (
    AXIAL_MOTION,
    BALL_STROKE,
    DROP_ANGLE,
    FORBIDDEN_ORDERS,
    FRICTION,
    SECONDARY_SHARE,
    TORQUE,
)
from flank.reproduce.cv_joint.static_pictures import CagePaths, ForcePaths
from flank.reproduce.cv_joint.tables import at_load_case, limit_torque, mean_ratio
from flank.reproduce.cv_joint.turning import DRIVEN, DRIVING, Turned


@dataclass(frozen=True)
class Evidence:
    """All that was computed."""

    cages: CagePaths
    forces: ForcePaths
    turns: Mapping[Stiffness, TurnsOverFriction]
    softer: Turned
    fits: Mapping[str, Regression]
    free: Mapping[str, Turned]
    force: float  # Eq. 23, N
    cage_at_500: float  # Eq. 24 at 500 N·m, N
    axial: Mapping[str, float]  # stiffness along the axis at rest, N/m


def findings(found: Evidence) -> list[str]:
    """In the order of the figures; nothing but what completed is spoken of."""
    whole: list[Any] = [turn for own in found.turns.values() for turn in own.values()]
    whole += [found.softer, *found.free.values()]
    whole += [*found.cages.values(), *found.forces.values()]
    if not all(one.complete for one in whole):
        return ["Not every computation completed; the tables show which, and nothing is concluded."]
    return [
        *_cage(found),
        *_forces(found),
        *_secondary(found),
        *_tracks(found),
        *_ball(found),
        *_axial(found),
    ]


def _cage(found: Evidence) -> list[str]:
    rest = {s: 100 * (at_load_case(found.cages[s, TORQUE]) - 1) for s in (PAPERS, SOFTER, BY_HERTZ)}
    turning = {
        PAPERS: found.turns[PAPERS][FRICTION],
        SOFTER: found.softer,
        BY_HERTZ: found.turns[BY_HERTZ][FRICTION],
    }
    off = {s: 100 * (mean_ratio(turn) - 1) for s, turn in turning.items()}
    return [
        "Fig. 7, met in its order: the cage misses half the angle the more, the softer the "
        "contacts and the larger the torque. At rest without friction it goes too far, by "
        f"{rest[PAPERS]:.2f} % with 6e12, {rest[SOFTER]:.1f} % with 3e11 and "
        f"{rest[BY_HERTZ]:.1f} % with Hertz's stiffness; turning with a friction of 0.03 it stays "
        f"behind, by {-off[PAPERS]:.1f}, {-off[SOFTER]:.1f} and {-off[BY_HERTZ]:.1f} %. So 3e11 "
        "does deviate visibly and 6e12 hardly, as the paper has it; but 6e12 is a hundred times "
        "Hertz's stiffness, and friction moves the cage more than the load does."
    ]


def _forces(found: Evidence) -> list[str]:
    own = found.forces[PAPERS, 0.0, 1]
    ratio = own.loaded[np.isclose(own.torque, TORQUE)][0] / found.force
    soft = found.forces[BY_HERTZ, 0.0, 1]
    softer = soft.loaded[np.isclose(soft.torque, TORQUE)][0] / found.force
    window = found.forces[PAPERS, 5e-6, 1]
    both = window.counter.max() / window.loaded[window.counter.argmax()]
    joined = window.cage[np.isclose(window.torque, 500.0)][0]
    backward = found.forces[PAPERS, 5e-6, -1]
    return [
        f"Fig. 8a, met: loaded flanks carry {ratio:.4f} of Eq. 23 at 2000 N·m with 6e12 "
        f"({softer:.3f} with Hertz's stiffness, as the contact angle opens under load).",
        "Fig. 8b, met in its shape: with 5 µm on either side of the balls the cage carries nothing "
        f"up to {limit_torque(window):.0f} N·m; at 500 N·m it carries {joined:.0f} N of the "
        f"{found.cage_at_500:.0f} of Eq. 24. Until then the "
        f"opposite flanks carry too, up to {both:.2f} of the loaded ones: what the paper calls the "
        "share of the inclination. The torque of this limit grows with the contact stiffness, as "
        "the paper says: with Hertz's it is below "
        f"{_next_torque(found):.0f} N·m. With the torque reversed there is none "
        f"(the cage carries from {backward.torque[0]:.0f} N·m on).",
    ]


def _next_torque(found: Evidence) -> float:
    """The first torque of the path at which the cage carries, with Hertz's stiffness."""
    path = found.forces[BY_HERTZ, 5e-6, 1]
    return float(path.torque[path.cage > 0][0])


def _secondary(found: Evidence) -> list[str]:
    own, hertz = found.turns[PAPERS], found.turns[BY_HERTZ]
    at, low_high = own[FRICTION], bounds(FRICTION)
    share = 100 * at.secondary(DRIVEN) / TORQUE
    low, all_points = found.fits.values()
    largest = max(own)
    inside = all(
        bounds(mu)[0] <= turn.secondary(race) <= bounds(mu)[1]
        for turns in found.turns.values()
        for mu, turn in turns.items()
        if mu > 0
        for race in (DRIVEN, DRIVING)
    )
    place = "All points lie" if inside else "Not all points lie"
    sums = [turn.secondary(DRIVEN) + turn.secondary(DRIVING) for turn in own.values()]
    astray = max(abs(total / sum(bounds(0.0)) - 1) for total in sums)
    sign = "negative, as in" if all_points.linear < 0 else "not negative as in"
    return [
        f"Fig. 11, met: {share:.2f} % of the load on the driven race at μ = 0.03, where the paper "
        f"has 'approximately {100 * SECONDARY_SHARE:.0f} %', and {at.secondary(DRIVING):.1f} N·m "
        f"on the driving race; the bounds are {low_high[0]:.1f} and {low_high[1]:.1f} N·m. {place} "
        "between them. Friction takes from the one race what it gives to the other: their sum "
        f"stays twice Eq. 25 within {100 * astray:.1f} %.",
        f"Fig. 11: up to 0.05 the driven race follows {low.constant:.1f} + {low.linear:.0f} μ + "
        f"{low.square:.0f} μ² N·m. At μ = {largest:g} this is {low.at(largest):.0f} instead of "
        f"{own[largest].secondary(DRIVEN):.0f} N·m: the 'clear deviation' of the paper. The linear "
        f"coefficient over all points is {all_points.linear:.0f}, {sign} the paper. With Hertz's "
        f"stiffness T₂ flattens instead, to {hertz[largest].secondary(DRIVEN):.0f} N·m: the rise "
        "is that of stiff tracks, whose opposite flanks clamp the balls, as the paper suspects.",
        f"Friction takes {at.figure('loss'):.1f} W at μ = 0.03, as balls roll; if all slid it "
        f"would be {sliding_loss(FRICTION):.1f} W.",
    ]


def _tracks(found: Evidence) -> list[str]:
    own = found.turns[PAPERS]
    smooth = flank_course(own[0.0], found.force)
    rough, most = flank_course(own[FRICTION], found.force), max(own)
    extreme = flank_course(own[most], found.force)
    sides = other_side(own[FRICTION], own[0.0]), other_side(own[most], own[0.0])
    return [
        "Fig. 12, met but for one thing: the swelling load, its growth with friction and its shift "
        f"in the sense of the turn are there. The largest force goes from {smooth.largest:.2f} at "
        f"{smooth.largest_at:.0f}° without friction to {rough.largest:.2f} at "
        f"{rough.largest_at:.0f}° with 0.03; without friction it falls from there to "
        f"{smooth.least:.2f} at {smooth.least_at:.0f}° (the paper: a drop from about "
        f"{DROP_ANGLE:.0f}°). Opposite flanks carry {rough.opposite:.2f} with 0.03 and "
        f"{extreme.opposite:.2f} with {most:g}, but {smooth.opposite:.2f} without friction, where "
        "the paper has a slight force: its joint may have interference.",
        "Met: the paper takes μ = 0.03 because with more a ball goes against its preferred side of "
        f"the window. Here balls do so {100 * sides[0]:.1f} % of the time with 0.03, first with "
        f"{_first_wrong(own):g}, and {100 * sides[1]:.0f} % with {most:g}.",
    ]


def _first_wrong(turns: TurnsOverFriction) -> float:
    """The least friction at which balls press against the other side of their windows."""
    wrong = (mu for mu, turn in turns.items() if other_side(turn, turns[0.0]) > 0)
    return min(wrong, default=float("nan"))


def _ball(found: Evidence) -> list[str]:
    values = {
        name: value for name, (value, _) in ball_values(found.turns[PAPERS][FRICTION]).items()
    }
    amplitude = values["stroke along z, amplitude, mm"]
    spins = [values[f"largest angular velocity about {axis}, rad/s"] for axis in "xyz"]
    return [
        f"Fig. 13a: the ball goes {amplitude:.2f} mm to either side, {2 * amplitude:.2f} mm peak "
        f"to peak. The paper's amplitude of about {BALL_STROKE:g} mm at 2° needs a pitch circle of "
        f"{60 * BALL_STROKE / amplitude:.0f} mm, or is peak to peak.",
        f"Figs. 13c and d, met in part: balls do not roll purely; they drill by up to "
        f"{values['largest drilling, rad/s']:.1f} rad/s, and α drifts by "
        f"{values['α after a turn, °']:+.1f}° a turn, positive as in the paper. But the rotation "
        f"about x ({spins[0]:.1f} rad/s) does not dominate that about y ({spins[1]:.1f} rad/s).",
    ]


def _axial(found: Evidence) -> list[str]:
    stiff, hertz = (found.free[name] for name in ("6e12", "Hertz"))
    values = dict(zip(("range", *ORDERS), axial_values(stiff), strict=True))
    worst = max(values[n] for n in FORBIDDEN_ORDERS) / values[4]
    soft, heavy, rough = (
        axial_values(turn)[0]
        for turn in (hertz, found.free["6e12, shaft of 2.4 kg"], found.free["6e12, μ 0.1"])
    )
    rates = {name: 1e-6 * rate for name, rate in found.axial.items()}
    return [
        "Fig. 14b, met: with friction the inner race moves by the orders 4, 12, 20 and 28; orders "
        f"1, 2, 8, 16 and 24 are below {worst:.0e} of order 4.",
        f"Fig. 14a, not met: the inner race moves by {values['range']:.1f} µm peak to peak with "
        f"6e12 and {soft:.0f} µm with Hertz's stiffness, the paper's by about {AXIAL_MOTION:.0f}. "
        f"It is not the mass: with 2.4 kg more it is {heavy:.1f} µm; with μ = 0.1 it is "
        f"{rough:.0f} µm. A deflected joint holds its inner race: "
        f"at rest, without friction, by {rates['6e12, 2°']:.1f} N/µm with 6e12 and "
        f"{rates['Hertz, 2°']:.2f} N/µm with Hertz's, against {abs(rates['6e12, 0°']):.0e} N/µm in "
        "the straight joint, as shifted tracks no longer meet in the plane of the cage. What held "
        "the paper's inner race is not known.",
    ]
