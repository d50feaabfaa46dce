"""The computations of the study: loops of torque and angle, and transmission errors."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from flank import api
from flank.analyses import hysteresis
from flank.analyses.loop import Loop
from flank.analyses.result import Result
from flank.analyses.runs import solve_along_crank
from flank.arrays import Floats
from flank.dynamics.functions import constant, linear
from flank.io.shown import factor
from flank.machines.base import Drive
from flank.machines.rv.reducer import RvReducer
from flank.reproduce.reducers.conditions import Figures
from flank.reproduce.study import Workshop

PRESET = "rv-paper"
FAST_STAGE = 0.01
"""Duration in s of a stage in the public script; the paper's text says 0.5 s."""

SETTLING = 0.1
"""Share of a crank turn before the range: friction builds up in it."""

QUICK_NEEDLES = {"turning_arm.elements": "inside", "friction.turning_arm": 0.0025}
"""Needles of a loop in time: solved inside their bearings, with the resistance of a rolling needle.

As bodies they take ten times as long; both forms agree (docs/validation/rv_reducer.md).
"""


@dataclass(frozen=True)
class Fineness:
    """How finely the study is computed; the defaults are those of the published tables."""

    points_per_stage: int = 50
    points_per_crank_turn: int = 360
    slow_stage: float = 0.5
    slow_step: float = 1e-4
    fast_step: float = 2e-5


FINE = Fineness()
COARSE = Fineness(8, 40, slow_stage=0.05, slow_step=2e-4, fast_step=1e-4)


@dataclass(frozen=True)
class Traced:
    """A loop: what is read off it, and its curve (N·m, rad)."""

    figures: Figures
    torque: Floats
    angle: Floats
    complete: bool


@dataclass(frozen=True)
class Error:
    """Transmission error in rad over the angle of the crank in rad."""

    crank_angle: Floats
    error: Floats
    complete: bool

    @property
    def peak_to_peak(self) -> float:
        return float(np.ptp(self.error)) if self.complete else math.nan

    @property
    def mean(self) -> float:
        return float(self.error.mean()) if self.complete else math.nan


def reducer(changes: Mapping[str, Any]) -> RvReducer:
    """The reducer of the paper's script, changed."""
    machine = api.preset(PRESET, changes)
    assert isinstance(machine, RvReducer)
    return machine


class ReducerWorkshop(Workshop):
    """The reducer of the paper's script, changed as its conditions ask."""

    fineness: Fineness

    def static_loop(self, changes: Mapping[str, Any]) -> Traced:
        settings = hysteresis.HysteresisSettings(points_per_stage=self.fineness.points_per_stage)
        return self._loop(changes, settings)

    def ramped_loop(self, changes: Mapping[str, Any], stage: float, step: float) -> Traced:
        """In time, each of the five stages `stage` long."""
        settings = hysteresis.HysteresisSettings(mode="dynamic", stage_duration=stage, step=step)
        return self._loop({**QUICK_NEEDLES, **changes}, settings)

    def transmission_error(self, changes: Mapping[str, Any]) -> Error:
        """Static, under the torque of the operating point, friction built up beforehand."""
        points = self.fineness.points_per_crank_turn
        return self.once(_key("error", changes), lambda: _error(changes, points))

    def _loop(self, changes: Mapping[str, Any], settings: hysteresis.HysteresisSettings) -> Traced:
        key = _key(settings.to_mapping(), changes)
        return self.once(key, lambda: _traced(hysteresis.run(reducer(changes), settings)))


def _key(*parts: Any) -> str:
    return json.dumps(parts, sort_keys=True)


def _traced(result: Result) -> Traced:
    torque, angle = result["loop_torque"].values, result["loop_angle"].values
    if not result.complete:
        return Traced(Figures(math.nan, math.nan, math.nan), torque, angle, complete=False)
    arcmin = factor("rad", "arcmin")
    figures = Figures(
        float(result["torsional_stiffness"]) / arcmin,
        float(result["lost_motion"]) * arcmin,
        float(result["backlash"]) * arcmin,
    )
    stage = result["loop_stage"].values
    loop = Loop(torque, angle, stage, float(np.max(torque)))
    closed = loop.closed_part()
    centre = 0.5 * (loop.at(1, 0.0) + loop.at(3, 0.0))
    return Traced(figures, torque[closed], angle[closed] - centre, complete=True)


def _error(changes: Mapping[str, Any], points: int) -> Error:
    machine = reducer(changes)
    before = math.ceil(SETTLING * points)
    crank = np.arange(-before, points + 1.0) * (2 * math.pi / points)
    angles = crank * machine.ratio / machine.lobes
    assembly = machine.assemble(Drive.of_ends(linear(1.0), constant(machine.load_torque)))
    path = solve_along_crank(machine, assembly, angles)
    error = path.angle(assembly.output_shaft) - angles[: len(path.time)] / machine.ratio
    return Error(crank[before : len(path.time)], error[before:], path.complete)
