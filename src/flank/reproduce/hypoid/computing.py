"""The pairs of the study under load: forced rolls, transmission errors and what a position costs.

Nothing but tooth numbers and a torque is published of the paper's pair. Two stand for it: a pair of
12/36 teeth with published machine settings, and one of 12/37 teeth designed from its blanks.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.optimize import brentq

from flank import api
from flank.analyses import forced_roll
from flank.analyses.forced_roll import CaseSpec, ForcedRollSettings
from flank.analyses.loaded_contact import Method
from flank.arrays import Floats
from flank.contact.spatial.flank_forces import METHODS, evaluate_flanks, flank_work
from flank.contact.spatial.flank_sections import gear_poses
from flank.contact.spatial.loaded_flanks import LoadedFlanks
from flank.geometry.unloaded_contact import transmission_error
from flank.io.shown import factor
from flank.machines.bevel_pair.machine import BevelPairMachine
from flank.reproduce.study import read_paper

PAPER = read_paper(__package__)
CASES = PAPER.cases
TORQUE: float = PAPER.published["torque"]
PAIRS: dict[str, str] = CASES["pairs"]
STAND_IN, DESIGNED = PAIRS
SHORT: dict[str, Method] = {
    "old": "deletion",
    "new": "proportion",
    "printed": "proportion-printed",
}
"""The paper's words for methods, and one for its new method to the letter."""

ROUNDS = 3
"""Of which the least cost counts, after a first."""

RESOLVED = 1e-12
"""rad: of a lag, where the torque of a method jumps."""


@dataclass(frozen=True)
class Fineness:
    """Steps of rolls over a pitch, of those over numbers of points, the numbers, positions of
    transmission errors under load, few and many, and of those without load, points along a flank
    that is turned onto another, positions whose cost is measured."""

    steps: int
    few_steps: int
    points: tuple[int, ...]
    errors: tuple[int, int]
    positions: int
    turned: int
    timed: int


FEW, MANY = PAPER.published["positions"]
FINE = Fineness(1000, 100, (20, 40, 80, 160), (FEW, MANY), 240, 161, 100)
COARSE = Fineness(30, 16, (20, 60), (8, 24), 24, 61, 20)


def machine_of(pair: str) -> BevelPairMachine:
    machine = api.preset(PAIRS[pair], {"mesh.friction": None})
    assert isinstance(machine, BevelPairMachine)
    return machine


def wheel_torque(machine: BevelPairMachine) -> float:
    """That of the paper, taken as the pinion's."""
    return TORQUE * abs(machine.ratio)


@dataclass(frozen=True, eq=False)
class Rolled:
    """A pitch at the exact ratio: torques (cases, angles) of the pinion in N·m over its angle in
    rad; cases by the paper's names."""

    cases: tuple[str, ...]
    angle: Floats
    torque: Floats
    least_force: Floats
    way_difference: Floats  # of both ways, over the mean
    unsolved: Floats
    lag: float  # rad
    complete: bool = True

    @cached_property
    def derivative(self) -> Floats:
        """N·m/rad from step to step."""
        return np.asarray(np.diff(self.torque, axis=1) / np.diff(self.angle))

    @property
    def jumps(self) -> Floats:
        """Of the derivative from step to step."""
        return np.abs(np.diff(self.derivative, axis=1))

    def row(self, case: str) -> int:
        return self.cases.index(case)

    def mean(self, case: str) -> float:
        return float(self.torque[self.row(case)].mean())

    def jump(self, case: str) -> float:
        """The largest."""
        return float(self.jumps[self.row(case)].max())

    def roughness(self, case: str) -> float:
        """Root of the mean square of jumps."""
        return float(np.sqrt(np.mean(self.jumps[self.row(case)] ** 2)))

    def own_jump(self, case: str) -> float:
        """The largest of what a case has beside the curve of the most points: that bends, too,
        where a tooth comes in."""
        beside = self.derivative[self.row(case)] - self.derivative[self.row("new/200")]
        return float(np.abs(np.diff(beside)).max())

    def offset(self, case: str, reference: str) -> float:
        """Of means, in %."""
        return 100 * (self.mean(case) / self.mean(reference) - 1)


def method_and_points(case: str) -> tuple[Method, int]:
    """Of a name such as old/40."""
    word, _, points = case.partition("/")
    return SHORT[word], int(points)


def rolled(pair: str, cases: tuple[str, ...], steps: int) -> Rolled:
    machine = machine_of(pair)
    named = [method_and_points(case) for case in cases]
    settings = ForcedRollSettings(
        torque=wheel_torque(machine),
        steps=steps,
        cases=tuple(CaseSpec(method=method, points=points) for method, points in named),
    )
    result = forced_roll.run(machine, settings)
    data: Any = result
    return Rolled(
        cases,
        data["angle"].values,
        data["output_torque"].values / abs(machine.ratio),
        data["least_force"].values,
        data["way_difference"].values,
        data["unsolved"].values,
        float(data["lag"]),
        result.complete,
    )


@dataclass(frozen=True, eq=False)
class Errors:
    """Transmission errors over a pitch in seconds of arc of the gear, positive where it is behind,
    loaded by case, and without load; positions from 0 to 1."""

    positions: Floats
    loaded: dict[str, Floats]
    unloaded: Floats
    complete: bool = True

    def apart(self, case: str) -> Floats:
        """From the most points."""
        return np.asarray(self.loaded[case] - self.loaded["new/200"])

    def visible(self, case: str) -> float:
        """Bumps beside the curve's own bends: changes of slope from one position to the next of
        what a case differs by, over those of the curve, roots of mean squares."""
        bumps, bends = np.diff(self.apart(case), 2), np.diff(self.loaded["new/200"], 2)
        return float(np.sqrt(np.mean(bumps**2) / np.mean(bends**2)))


def errors(pair: str, cases: tuple[str, ...], positions: int, lag: float) -> Errors:
    """Of positions over a pitch about where flanks touch near their middles; near a lag."""
    machine, second = machine_of(pair), factor("rad", "arcsec")
    places = (np.arange(positions) + 0.5) / positions
    loaded = {}
    for case in cases:
        method, points = method_and_points(case)
        flanks = machine.loaded_flanks(points=points, method=method)
        angles = flanks.loading.pair.start[0] + flanks.loading.pair.pitch * (places - 0.5)
        each = [lag_under(flanks, float(angle), wheel_torque(machine), lag) for angle in angles]
        loaded[case] = second * np.array(each)
    unloaded = -second * transmission_error(machine.flank_pair(), positions).error
    return Errors(places, loaded, unloaded)


def lag_under(flanks: LoadedFlanks, angle: float, torque: float, near: float) -> float:
    """Of the gear, between half and twice of what is near; where the torque of a method jumps over
    the one that is asked for, the place of the jump."""
    found: float = brentq(
        lambda lag: flanks.at(angle, lag, tangent=False).torque - torque,
        0.5 * near,
        2.0 * near,
        xtol=RESOLVED,
    )
    return found


@dataclass(frozen=True)
class Costs:
    """Processor time of one position by case in ms, the search for contact points included, and of
    that search alone by number of points; points that were in question."""

    time: dict[str, float]
    search: dict[int, float]
    points: dict[str, float]
    complete: bool = True


def costs(pair: str, cases: tuple[str, ...], lag: float, positions: int = 100) -> Costs:
    """All in one go, so that they can be compared; warm, by one thread."""
    machine = machine_of(pair)
    named = {case: method_and_points(case) for case in cases}
    flanks = {points: machine.loaded_flanks(points=points) for _, points in named.values()}
    timed = {
        case: _cost(flanks[points], method, lag, positions)
        for case, (method, points) in named.items()
    }
    apart = {
        points: _cost(each, "proportion", -1e-6, positions)[0] for points, each in flanks.items()
    }
    return Costs(
        {case: each[0] for case, each in timed.items()},
        apart,
        {case: each[1] for case, each in timed.items()},
    )


def _cost(flanks: LoadedFlanks, method: str, lag: float, positions: int) -> tuple[float, float]:
    """ms of a position, and the mean number of points that may touch."""
    pair, mesh, work = flanks.loading.pair, flanks.mesh, flank_work(flanks.mesh)
    places = pair.pitch * np.arange(positions) / positions
    poses = [poses_at(flanks, place, lag) for place in places]
    still, force, code = np.zeros((2, 6)), np.zeros(12), METHODS[method]
    times, points = [], 0
    for _ in range(ROUNDS + 1):
        start, points = time.process_time(), 0
        for position, matrix in poses:
            evaluate_flanks(mesh, code, position, matrix, still, 0, 1, work, force)
            points += int(work.counts[0])
        times.append(time.process_time() - start)
    return 1e3 * min(times[1:]) / positions, points / positions


def poses_at(flanks: LoadedFlanks, turned: float, lag: float) -> tuple[Floats, Floats]:
    """Origins and rotations of both gears, the first turned on from where flanks touch near their
    middles, the second behind by a lag."""
    pair = flanks.loading.pair
    first, *_, second = pair.start
    angles = float(first + turned), float(second + pair.ratio * turned - pair.push * lag)
    origins, turns = zip(*gear_poses(pair, angles), strict=True)
    return np.array(origins), np.array(turns)
