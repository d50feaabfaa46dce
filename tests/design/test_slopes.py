"""Derivatives by implicit differentiation against differences of whole runs."""

import pytest

import flank
from flank.design.problem import Trial, answered, make_problem
from flank.design.slopes import slopes_at

SETTINGS = {"hysteresis": {"points_per_stage": 200}, "transmission-error": {"points_per_turn": 80}}
LIMITS = [
    "hysteresis.backlash < 9 arcmin",
    "hysteresis.torsional_stiffness > 1 N*m/arcmin",
    "hysteresis.lost_motion < 9 arcmin",
]
FIGURES = (
    "hysteresis.torsional_stiffness",
    "hysteresis.lost_motion",
    "hysteresis.backlash",
    "transmission-error.peak_to_peak",
)


def made(drive, keys):
    vary = dict.fromkeys(keys, "0..20 um") | {"eccentricity": "1.2..1.4 mm"}
    objective = [("transmission-error.peak_to_peak", "better")]
    return make_problem(drive, vary, objective, LIMITS, SETTINGS)


def test_slopes_are_those_of_whole_runs():
    """To a thousandth of what the strongest key does: a loop is read by straight lines between its
    points, and its figures have kinks of that size."""
    drive = flank.preset("cycloidal-drive")
    problem = made(drive, ["discs.equidistant", "discs.radial"])
    values = tuple(each.own for each in problem.varied)
    slopes = slopes_at(problem, Trial(0, values))
    assert len(slopes) == 12
    differences = {}
    for place, varied in enumerate(problem.varied):
        step, ends = 2e-8, []
        for sign in (1, -1):
            moved = list(values)
            moved[place] += sign * step
            ends.append(answered(problem.machine_of(moved), problem.asks, 0, tuple(moved)).figures)
        for name in FIGURES:
            differences[varied.key, name] = (ends[0][name] - ends[1][name]) / (2 * step)
    for name in FIGURES:
        largest = max(abs(each) for (_, of), each in differences.items() if of == name)
        for (key, of), difference in differences.items():
            if of == name:
                told = slopes[key, name]
                assert told == pytest.approx(difference, rel=0.01, abs=2e-3 * largest), (key, name)


def test_elastic_friction_has_no_slopes():
    changes = {"friction.pins": 0.05, "friction.form": "elastic"}
    rough = flank.preset("cycloidal-drive", changes)
    problem = made(rough, ["discs.equidistant"])
    assert slopes_at(problem, Trial(0, tuple(each.own for each in problem.varied))) == {}
