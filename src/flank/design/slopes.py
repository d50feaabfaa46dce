"""Derivatives of figures by keys of a spec, by implicit differentiation, where that gives them.

The equilibria of a loop and of a transmission error are solved once; what another machine changes
of forces at their poses tells how the output turns (`analyses/sensitivity.py`). Any length or angle
of a spec is such a change, as long as bodies, joints and contacts stay the same in number. Figures
of frictionless static runs of reducers in the plane have them: torsional stiffness, lost motion and
backlash of `hysteresis`, and the peak to peak of `transmission-error`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from flank.analyses.orders import default_points, natural_shaft, shaft_order
from flank.analyses.registry import find_analysis
from flank.analyses.runs import has_elastic_friction
from flank.analyses.sensitivity import STEPS, SensitivitySettings, error_slopes, loop_slopes
from flank.errors import SpecError
from flank.machines.base import Drive
from flank.machines.spec import Spec

if TYPE_CHECKING:
    from flank.design.problem import Problem, Trial
    from flank.design.vary import Varied

LOOP, ERROR = "hysteresis", "transmission-error"
LOOP_FIGURES = ("torsional_stiffness", "lost_motion", "backlash")
PEAK_TO_PEAK = "peak_to_peak"

Slopes = Mapping[tuple[str, str], float]
"""By key and full name of a figure, in SI."""


def slopes_at(problem: Problem, trial: Trial) -> Slopes:
    """Those that are known at a trial, for figures that are asked for."""
    wanted = {name for name in problem.figures if _is_known(name)}
    keys = [each for each in problem.varied if not each.whole and each.measure.si_unit in STEPS]
    if not wanted or not keys:
        return {}
    machine: Any = problem.machine_of(trial.values)
    try:
        find_analysis("stiffness-split").check_machine(machine)  # a rated reducer in the plane
    except SpecError:
        return {}
    if has_elastic_friction(machine.assemble(Drive()).model):
        return {}
    settings = {each.name: each.settings for each in problem.asks}
    slopes: dict[tuple[str, str], float] = {}
    for unit in dict.fromkeys(each.measure.si_unit for each in keys):
        alike = [each for each in keys if each.measure.si_unit == unit]
        slopes |= _of_unit(problem, trial, machine, alike, STEPS[unit], settings)
    return {place: value for place, value in slopes.items() if place[1] in wanted}


def _is_known(name: str) -> bool:
    analysis, _, figure = name.partition(".")
    return (analysis == LOOP and figure in LOOP_FIGURES) or name == f"{ERROR}.{PEAK_TO_PEAK}"


def _of_unit(
    problem: Problem,
    trial: Trial,
    machine: Any,
    keys: Sequence[Varied],
    step: float,
    settings: Mapping[str, Spec],
) -> dict[tuple[str, str], float]:
    """Of all keys that are changed by the same step."""
    try:
        pairs = [_pair(problem, trial, each, step) for each in keys]
    except SpecError:  # at the edge of what a spec allows
        return {}
    slopes: dict[tuple[str, str], float] = {}
    loop, error = settings.get(LOOP), settings.get(ERROR)
    if loop is not None and getattr(loop, "mode", "") == "static":
        how = SensitivitySettings.from_mapping(
            {
                name: value
                for name, value in loop.to_mapping(units=False).items()
                if name in ("torque", "crank_angle", "fit_from", "fit_to")
            }
        )
        for name, values in loop_slopes(machine, how, step, pairs).items():
            for key, value in zip(keys, values, strict=True):
                slopes[key.key, f"{LOOP}.{name}"] = float(value)
    if error is not None and getattr(error, "mode", "") == "static":
        angles, load = _turn(machine, error)
        found = error_slopes(machine, load, angles, step, pairs)
        for key, value in zip(keys, () if found is None else found, strict=False):
            slopes[key.key, f"{ERROR}.{PEAK_TO_PEAK}"] = float(value)
    return {place: value for place, value in slopes.items() if math.isfinite(value)}


def _pair(problem: Problem, trial: Trial, key: Varied, step: float) -> tuple[Any, Any]:
    """The machine with one key a little larger, and a little smaller."""
    place = problem.varied.index(key)
    made = []
    for sign in (1.0, -1.0):
        values = list(trial.values)
        values[place] += sign * step
        made.append(problem.machine_of(values))
    return made[0], made[1]


def _turn(machine: Any, settings: Any) -> tuple[Any, float]:
    """Crank angles and torque of a transmission error."""
    shaft = settings.turns_of or natural_shaft(machine)
    order = shaft_order(machine, shaft)
    points = settings.points_per_turn or default_points(machine, order)
    count = settings.turns * points
    angles = settings.start_angle + np.arange(count) * (2 * np.pi / (order * points))
    torque = machine.load_torque if settings.torque is None else settings.torque
    return angles, torque
