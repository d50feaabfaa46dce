"""The computations of the study: loops of torque and angle, and transmission errors.

The paper draws three of its errors from U(-Δ, Δ) per crank. Its public script takes |Δ| and the
same seed each time, so both signs are one run, and not every error reaches what it is named
after. Here each error is first given to all cranks and discs alike, then drawn as named, then,
where that is something else, applied as the script does it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from flank import api
from flank.analyses import hysteresis
from flank.analyses.loop import Loop
from flank.analyses.runs import solve_along_crank
from flank.arrays import Floats
from flank.dynamics.functions import constant, linear
from flank.io.shown import factor
from flank.machines.base import Drive
from flank.machines.rv.reducer import RvReducer
from flank.reproduce.study import StudyRuns, read_paper

PRESET = "rv-paper"
PAPER = read_paper(__package__)
CASES = PAPER.cases
CRANK_CIRCLE = 70e-3
"""Radius of the crank circle in m; an angle of the script moves a crank along it."""

SIDES_OF_A_NEEDLE = 2
"""The script adds its clearance on both sides of a needle: δ_c is 2 δ_c between the races."""

CLEARANCES = (0, 10, 20)
"""δ_c in µm."""

FAST_STAGE = 0.01
"""Duration in s of a stage in the public script; the paper's text says 0.5 s."""

SETTLING = 0.1
"""Share of a crank turn before the range: friction builds up in it."""


class Figures(NamedTuple):
    """K_T in N·m/arcmin, lost motion and backlash in arcmin."""

    stiffness: float = math.nan
    lost_motion: float = math.nan
    backlash: float = math.nan

    @property
    def gap(self) -> float:
        """Lost motion less backlash."""
        return self.lost_motion - self.backlash


PUBLISHED = {row: Figures(*figures) for row, figures in PAPER.published["table_10"].items()}
"""The rows of Table 10, in its order."""


@dataclass(frozen=True)
class Condition:
    """A row of the paper, how its error is applied here, and the note that explains the difference.

    `changes` are keys of the spec; a condition without any is the nominal reducer.
    """

    printed: str
    applied: str
    note: str
    changes: Mapping[str, Any]

    @property
    def error(self) -> str:
        return self.printed.split(" ")[0]

    @property
    def nominal(self) -> Figures:
        """The paper's row that this one is to be compared with."""
        return next(PUBLISHED[row] for row in PUBLISHED if row.startswith(f"{self.error} = 0"))


def conditions() -> list[Condition]:
    """Every row of Table 10, some of them more than once."""
    return [_condition(**case) for case in CASES["conditions"]]


def _condition(
    printed: str,
    applied: str,
    note: str,
    changes: Mapping[str, Any] | None = None,
    drawn: Mapping[str, str] | None = None,
) -> Condition:
    changes = dict(changes or {})
    values: list[float] = []
    for key, size in (drawn or {}).items():
        number, unit = size.split(" ")
        values = [float(number) * draw for draw in CASES["draws"]]
        changes[key] = {
            CASES["instances"][key].format(k=k, j=j): f"{value:.6g} {unit}"
            for k, value in enumerate(values, 1)
            for j in (1, 2)
        }
    return Condition(printed, applied.format(drawn=values), note, changes)


def clearance_change(paper_clearance: float) -> dict[str, Any]:
    """δ_c of the paper in µm, as a change of the spec."""
    if not paper_clearance:
        return {}
    return {"errors.turning_arm_clearance": f"{SIDES_OF_A_NEEDLE * paper_clearance} um"}


@dataclass(frozen=True)
class Fineness:
    """How finely the study is computed; the defaults are those of the published tables."""

    points_per_stage: int = 50
    points_per_crank_turn: int = 360
    slow_stage: float = 0.5
    slow_step: float = 1e-4
    fast_step: float = 2e-5
    draws: int = 32  # reducers of a batch at one grade


FINE = Fineness()
COARSE = Fineness(8, 40, slow_stage=0.05, slow_step=2e-4, fast_step=1e-4, draws=2)


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


FIT_FROM = 0.66
"""Share of the torque from which the paper reads its torsional stiffness (2604.02387, Table 10)."""


class ReducerRuns(StudyRuns):
    """The reducer of the paper's script, changed as its conditions ask."""

    fineness: Fineness

    def static_loop(self, changes: Mapping[str, Any]) -> Traced:
        settings = hysteresis.HysteresisSettings(
            points_per_stage=self.fineness.points_per_stage, fit_from=FIT_FROM
        )
        return self.once(traced_loop, dict(changes), settings)

    def ramped_loop(self, changes: Mapping[str, Any], stage: float, step: float) -> Traced:
        """In time, each of the five stages `stage` long."""
        settings = hysteresis.HysteresisSettings(
            mode="dynamic", stage_duration=stage, step=step, fit_from=FIT_FROM
        )
        return self.once(traced_loop, {**CASES["quick_needles"], **changes}, settings)

    def transmission_error(self, changes: Mapping[str, Any]) -> Error:
        """Static, under the torque of the operating point, friction built up beforehand."""
        return self.once(_error, dict(changes), self.fineness.points_per_crank_turn)


def traced_loop(changes: Mapping[str, Any], settings: hysteresis.HysteresisSettings) -> Traced:
    """The loop of the changed reducer, as far as it went."""
    result = hysteresis.run(reducer(changes), settings)
    torque, angle = result["loop_torque"].values, result["loop_angle"].values
    if not result.complete:
        return Traced(Figures(), torque, angle, complete=False)
    arcmin = factor("rad", "arcmin")
    figures = Figures(
        float(result["torsional_stiffness"]) / arcmin,
        float(result["lost_motion"]) * arcmin,
        float(result["backlash"]) * arcmin,
    )
    stage = result["loop_stage"].values
    loop = Loop(torque, angle, stage, float(np.max(torque)))
    closed = loop.closed_part()
    return Traced(figures, torque[closed], loop.centred().angle[closed], complete=True)


def _error(changes: Mapping[str, Any], points: int) -> Error:
    machine = reducer(changes)
    before = math.ceil(SETTLING * points)
    crank = np.arange(-before, points + 1.0) * (2 * math.pi / points)
    angles = crank * machine.ratio / machine.lobes
    assembly = machine.assemble(Drive.of_ends(linear(1.0), constant(machine.load_torque)))
    path = solve_along_crank(machine, assembly, angles)
    error = path.angle(assembly.output_shaft) - angles[: len(path.time)] / machine.ratio
    return Error(crank[before : len(path.time)], error[before:], path.complete)
