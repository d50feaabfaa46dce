"""A torque-angle loop and what is read off it.

Input locked, torque cycled at the output in five stages (arXiv 2604.02387, Eq. 25): up to +T, back
to zero, down to -T, back to zero, up to +T again. Definitions (reducer catalogues):

    torsional stiffness K_T   slope of the mid curve over 50 to 100 % of the rated torque, mean of ±
    lost motion LM            angle between the mid points of the loop at ±3 % of the rated torque
    backlash BL               width of the loop where it crosses zero torque
    offset                    mean of the two angles at which it crosses zero torque

The mid curve is the mean of the rising and the falling branch at the same torque.

Whether a loop in time is slow enough to be that of a catalogue is measured and not guessed: the
same loop is walked through equilibria, which costs little, and stiffness, lost motion and backlash
of both are compared. Friction by sliding velocity has no part in equilibria and changes all three.
Where there is some, the torque that the output's inertia takes while stiffness is read is compared
with the peak torque instead.
"""

import itertools
import math
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from flank.analyses.monotone_cubics import integral
from flank.arrays import Floats, Integers
from flank.machines.base import Reducer

CORNERS = (0.0, 1.0, 0.0, -1.0, 0.0, 1.0)
"""Shares of the peak torque at the ends of the stages."""

STAGES = tuple(itertools.pairwise(CORNERS))
LOST_MOTION_SHARE = 0.03
ROUND_OFF = 16
"""Of an angle: what differs by less does not differ."""

FIT_POINTS = 21
"""Torques, evenly spaced, to which the line of K_T is fitted."""

FIT_FROM, FIT_TO = 0.5, 1.0
"""Shares of the rated torque between which it is."""

LARGEST_SWING = 0.01
"""Swing of the output at the points where lost motion is read, as a share of it."""

RATE_EFFECTS = {"torsional stiffness": 0.02, "lost motion": 0.05, "backlash": 0.05}
"""Shares by which a loop in time may differ from equilibria. Slow loops differ by less than 1 % and
2 %; beyond these a figure is no longer good to the two digits of a catalogue."""

LARGEST_INERTIA = 0.02
"""Of the peak torque: what the output's inertia may take of it while stiffness is read."""

LEAST_TWIST = 0.04
"""Of the twist between both peaks: what lost motion and backlash are compared with at least. So
0.2 % of the twist is never taken for a rate effect."""


@dataclass(frozen=True)
class Loop:
    """Torque (N·m), angle (rad) and stage (0 to 4) of every point, in order."""

    torque: Floats
    angle: Floats
    stage: Integers
    rated_torque: float
    fit_from: float = FIT_FROM
    fit_to: float = FIT_TO

    def branch(self, stage: int) -> tuple[Floats, Floats]:
        """Torque and angle of one stage by rising torque, the end of the stage before included."""
        points = self._points(stage)
        return self.torque[points], self.angle[points]

    def _points(self, stage: int) -> Integers:
        points = np.flatnonzero(self.stage == stage)
        if stage > 0 and len(points):
            points = np.concatenate(([points[0] - 1], points))
        return points[np.argsort(self.torque[points], kind="stable")]

    def at(self, stage: int, torque: float) -> float:
        """Angle of one stage at a torque, linear between points."""
        torques, angles = self.branch(stage)
        return float(np.interp(torque, torques, angles))

    def middle(self, torque: Floats | float) -> Floats:
        """Mean of the two branches at a torque of either sign."""
        torque = np.atleast_1d(np.asarray(torque, dtype=float))
        middle = np.empty(len(torque))
        for stages, side in (((1, 4), torque >= 0), ((2, 3), ~(torque >= 0))):
            if side.any():
                first, second = (np.interp(torque[side], *self.branch(stage)) for stage in stages)
                middle[side] = 0.5 * (first + second)
        return middle

    @property
    def fit(self) -> Floats | None:
        """Torques to which K_T is fitted; none where the loop ends before the first of them."""
        peak = float(np.max(self.torque))
        return fit_torques(self.fit_from, self.fit_to, peak, self.rated_torque)

    def stiffness(self) -> float:
        """K_T in N·m/rad, the mean of both sides."""
        return float(np.mean([self.stiffness_of(sign) for sign in (1, -1)]))

    def stiffness_of(self, sign: int) -> float:
        """K_T+ or K_T-, of positive or negative torque: least squares on the mid curve from
        `fit_from` to `fit_to` of the rated torque; not a number where the loop is smaller."""
        if self.fit is None:
            return math.nan
        side = sign * self.fit
        return fitted_stiffness(side, self.middle(side))

    def lost_motion(self) -> float:
        """LM in rad."""
        torque = LOST_MOTION_SHARE * self.rated_torque
        return float(self.middle(torque)[0] - self.middle(-torque)[0])

    def backlash(self) -> float:
        """BL in rad: where unloading from +T ends, less where unloading from -T ends."""
        return self.at(1, 0.0) - self.at(3, 0.0)

    def offset(self) -> float:
        """In rad: the mean of where unloading from +T and from -T ends, about which a loop that
        starts off its middle lies (arXiv 2604.02387, section 5.2)."""
        return 0.5 * (self.at(1, 0.0) + self.at(3, 0.0))

    def centred(self) -> Self:
        """The same loop about the middle of its backlash."""
        return replace(self, angle=self.angle - self.offset())

    def swing(self) -> float:
        """How far the angle swings about its course near ±3 % of the torque, in rad (rms).

        Within 2 to 4 % of the torque on the loading branches, against a straight line.
        """
        low, high = 0.02 * self.rated_torque, 0.04 * self.rated_torque
        largest = 0.0
        for stage in (2, 4):
            torque, angle = self.branch(stage)
            near = (np.abs(torque) >= low) & (np.abs(torque) <= high)
            if near.sum() >= 4:
                line = np.polyval(np.polyfit(torque[near], angle[near], 1), torque[near])
                largest = max(largest, float(np.std(angle[near] - line)))
        return largest

    def closed_part(self) -> Integers:
        """Numbers of the points of one closed loop: stages 2 to 5 and the peak they start from."""
        later = np.flatnonzero(self.stage >= 1)
        return np.concatenate(([later[0] - 1], later))

    def area(self) -> float:
        """Work lost in one closed loop (stages 2 to 5), in J."""
        return float(abs(self.areas(self.angle)))

    def areas(self, angles: Floats) -> Floats:
        """∮ T dθ of loops with these torques and angles (..., point): T θ at the ends, less ∫ θ dT
        of every branch by cubics (monotone_cubics.py)."""
        part = self.closed_part()
        first, last = part[0], part[-1]
        total = self.torque[last] * angles[..., last] - self.torque[first] * angles[..., first]
        for stage in range(1, len(STAGES)):
            points = self._points(stage)
            if len(points):
                direction = np.sign(STAGES[stage][1] - STAGES[stage][0])
                total = total - direction * integral(self.torque[points], angles[..., points])
        return np.asarray(total)


def fit_torques(fit_from: float, fit_to: float, peak: float, rated: float) -> Floats | None:
    """Torques to which K_T of a loop is fitted, rising: of the rated torque, whatever the loop's
    peak, but not beyond it; none where the peak lies below."""
    low, high = fit_from * rated, min(fit_to * rated, peak)
    return np.linspace(low, high, FIT_POINTS) if low < high else None


def fitted_stiffness(torque: Floats, angle: Floats) -> float:
    """Slope of the line T(θ) by least squares, Σ(θ - θ̄)(T - T̄) / Σ(θ - θ̄)²."""
    if np.ptp(angle) <= ROUND_OFF * np.spacing(np.abs(angle).max()):
        return math.inf  # all that could give way is rigid
    turned = angle - angle.mean()
    return float(turned @ (torque - torque.mean()) / (turned @ turned))


def fitted_stiffness_gradient(torque: Floats, angle: Floats) -> Floats:
    """∂K/∂θ of `fitted_stiffness`: ((T - T̄) - 2 K (θ - θ̄)) / Σ(θ - θ̄)²."""
    turned = angle - angle.mean()
    slope = fitted_stiffness(torque, angle)
    gradient: Floats = (torque - torque.mean() - 2 * slope * turned) / (turned @ turned)
    return gradient


def shortest_quasi_static_stage(inertia: float, dead_band: float, rated_torque: float) -> float:
    """Duration in s below which a stage is no longer quasi-static.

    In a ramp T = T_r t/t_seg a free inertia crosses the dead band b in (6 J b t_seg/T_r)^(1/3); it
    has crossed it before 3 % of the torque if t_seg > √(6 J b/(0.03³ T_r)).
    """
    band = max(dead_band, 0.0)
    return float(np.sqrt(6 * inertia * band / (LOST_MOTION_SHARE**3 * rated_torque)))


def ramp_warnings(
    machine: Reducer, loop: Loop, static_loop: Loop | None, duration: float, velocity_friction: bool
) -> list[str]:
    """That inertia shows in a loop whose stages last `duration`; `still` is that of equilibria.

    `rubs` says that friction acts by sliding velocity.
    """
    if static_loop is None:
        return [
            "Whether the ramp is slow enough is not known: no equilibria were found to compare to."
        ]
    sentences = _rate_effects(machine, loop, static_loop, duration, velocity_friction)
    swing = loop.swing()
    if swing > LARGEST_SWING * abs(loop.lost_motion()):
        sentences.append(
            "The output still swings where lost motion is read, by "
            f"{_share_text(swing, loop.lost_motion())} of it: use slower ramps or more damping."
        )
    return sentences


def _rate_effects(
    machine: Reducer, loop: Loop, static_loop: Loop, duration: float, velocity_friction: bool
) -> list[str]:
    limit = shortest_quasi_static_stage(
        machine.output_inertia, static_loop.backlash(), machine.rated_torque
    )
    inertia = inertial_share(loop, machine.output_inertia, duration)
    effects = _inertia_text(inertia) if velocity_friction else _changes_text(loop, static_loop)
    if duration > limit and not effects:
        return []
    sentence = f"The ramp is too fast to be quasi-static: a stage lasts {duration:.3g} s{effects}"
    if duration <= limit:
        sentence += f"; it should last more than {limit:.3g} s for the play to be crossed in time"
    return [f"{sentence}. Use a longer stage_duration, or the static mode."]


def _inertia_text(share: float) -> str:
    return f", and inertia takes {share:.1%} of the torque" if share > LARGEST_INERTIA else ""


def _changes_text(loop: Loop, static_loop: Loop) -> str:
    changed = [
        f"{name} by {change:.2g} times" if change >= 10 else f"{name} by {change:.1%}"
        for name, change in _changes(loop, static_loop).items()
        if change > RATE_EFFECTS[name]
    ]
    return f", and inertia changes {', '.join(changed)} against equilibria" if changed else ""


def _changes(loop: Loop, static_loop: Loop) -> dict[str, float]:
    """What differs between a loop and that of equilibria, as shares of the latter."""
    if math.isinf(static_loop.stiffness()):
        return {}
    twist = LEAST_TWIST * float(np.ptp(static_loop.angle))
    pairs = {
        "torsional stiffness": (loop.stiffness(), static_loop.stiffness(), 0.0),
        "lost motion": (loop.lost_motion(), static_loop.lost_motion(), twist),
        "backlash": (loop.backlash(), static_loop.backlash(), twist),
    }
    return {
        name: abs(moving - true) / max(abs(true), least)
        for name, (moving, true, least) in pairs.items()
    }


def inertial_share(loop: Loop, inertia: float, duration: float) -> float:
    """J θ̈ of the output (rms) over the peak torque, where the stiffness is read."""
    between = len(STAGES) * duration / (len(loop.angle) - 1)
    acceleration = np.diff(loop.angle, 2) / between**2
    peak = np.abs(loop.torque).max()
    read = np.abs(loop.torque[1:-1]) >= min(loop.fit_from * loop.rated_torque, 0.5 * peak)
    return float(inertia * np.sqrt(np.mean(acceleration[read] ** 2)) / peak)


def _share_text(part: float, total: float) -> str:
    return f"{part / abs(total):.1%}" if total else "more than all"
