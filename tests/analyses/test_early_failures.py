"""Runs that fail before they have recorded anything keep their outcome, whatever was asked."""

import pytest

import flank
from flank.analyses.registry import ANALYSES
from flank.dynamics.status import NO_CONVERGENCE, TOO_MANY_ITERATIONS, Status

ROUGH = {"friction.pins": 0.1, "friction.rollers": 0.1}

IN_TIME = {
    "transmission-error": {"mode": "dynamic", "points_per_turn": 8},
    "transmission-error, free": {"mode": "dynamic", "points_per_turn": 8, "drive": "torque"},
    "hysteresis": {"mode": "dynamic", "stage_duration": 0.01},
    "time-response": {"duration": 1e-3},
    "time-response, at speed": {"duration": 1e-3, "drive": "speed"},
    "speed-sweep": {"speeds": 2, "settling_periods": 1, "periods": 1},
    "speed-sweep, continuous": {"mode": "continuous", "settling_periods": 1, "periods": 1},
    "speed-dwell": {"approach_periods": 1, "settling_periods": 1, "periods": 8},
    "impact-test": {"positions": 2, "swings": 3},
    "joint-turns": {"most_turns": 2, "points_per_turn": 16},
    "joint-map": {"torques": ["100 N*m"], "angles": ["4 deg"], "most_turns": 2},
    "joint-run": {"duration": "0.01 s", "points": 20},
}
"""Every analysis that marches in time, each way it does."""

STATIC = {
    "transmission-error": {"points_per_turn": 8},
    "load-distribution": {},
    "hysteresis": {"points_per_stage": 5},
    "stiffness-split": {"points": 3},
    "efficiency": {"loads": [1.0], "points": 8},
    "natural-frequencies": {"count": 3},
    "campbell": {"count": 3},
    "load-sharing": {"points": 2, "error_points": 2},
    "sensitivity": {"points": 8},
    "joint-turns": {"mode": "static", "points_per_turn": 16},
    "joint-map": {"mode": "static", "torques": ["100 N*m"], "angles": ["4 deg"]},
    "joint-resonance": {},
}
"""Every analysis that looks for equilibria."""

MACHINES = (("cycloidal-drive", ROUGH), ("planetary-500kw", {}), ("cv-joint", {}))


@pytest.fixture
def nothing_marches(monkeypatch):
    """Runs in time fail where they start; equilibria are found."""
    monkeypatch.setattr("flank.dynamics.run.march.march", lambda *_: (NO_CONVERGENCE, 0))


@pytest.fixture
def nothing_balances(monkeypatch):
    """No equilibrium is found, not even the first."""

    def fails(_model, _state, _course, first, *_others):
        return TOO_MANY_ITERATIONS, first, 0

    monkeypatch.setattr("flank.dynamics.run.static_path.equilibria", fails)


def names_of(settings):
    return {name.split(",")[0] for name in settings}


def results_of(settings):
    """The name of an analysis and its result, of every machine that it fits."""
    for preset, changes in MACHINES:
        machine = flank.preset(preset, changes)
        for key, chosen in settings.items():
            name = key.split(",")[0]
            if ANALYSES[name].fits(machine):
                try:
                    yield name, flank.run(machine, name, **chosen)
                except flank.errors.SpecError:  # as the planets of a cycloidal drive
                    continue


def keeps(result, status):
    """Whether a failed result and its summary say why."""
    outcome = result.outcome == status.sentence or result.analysis == "joint-map"
    summary = flank.summary(result).replace("\n", " ")
    return not result.complete and outcome and status.sentence.split(":")[0] in summary


def test_every_analysis_is_looked_at_here():
    # these call neither statics nor time steps of the engine
    others = {"mesh-phasing", "mesh-stiffness", "gear-modes", "rolling-sweep", "rolling-run"}
    others |= {"rolling-dwell", "contact-pattern", "loaded-contact", "forced-roll"}
    assert names_of([*IN_TIME, *STATIC]) == set(ANALYSES) - others


@pytest.mark.usefixtures("nothing_marches")
def test_runs_in_time_that_fail_at_once():
    results = list(results_of(IN_TIME))
    assert {name for name, _ in results} == names_of(IN_TIME)
    assert [name for name, result in results if not keeps(result, Status.NO_CONVERGENCE)] == []


@pytest.mark.usefixtures("nothing_balances")
def test_equilibria_that_fail_at_once():
    settings = STATIC | {"time-response": {}, "speed-sweep": {}, "speed-dwell": {}}
    settings |= {"joint-run": {}}
    settings |= {"impact-test": {}, "speed-sweep, continuous": {"mode": "continuous"}}
    results = list(results_of(settings))
    assert {name for name, _ in results} == names_of(settings)
    assert [name for name, result in results if not keeps(result, Status.TOO_MANY_ITERATIONS)] == []


def test_friction_beyond_all_measure_keeps_its_outcome():
    drive = flank.preset(
        "cycloidal-drive",
        {"friction.pins": 50, "friction.rollers": 50, "operation.input_speed": "6000 rpm"},
    )
    result = flank.run(drive, mode="dynamic", points_per_turn=24)
    assert not result.complete
    assert result.outcome.endswith(".")
