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
    "joint-turns": {"most_turns": 2, "points_per_turn": 16},
    "joint-map": {"torques": ["100 N*m"], "angles": ["4 deg"], "most_turns": 2},
}
"""Every analysis that marches in time, each way it does."""

STATIC = {
    "transmission-error": {"points_per_turn": 8},
    "load-distribution": {},
    "hysteresis": {"points_per_stage": 5},
    "stiffness-split": {"points": 3},
    "natural-frequencies": {"count": 3},
    "load-sharing": {"points": 2, "error_points": 2},
    "sensitivity": {"points": 8},
    "joint-turns": {"mode": "static", "points_per_turn": 16},
    "joint-map": {"mode": "static", "torques": ["100 N*m"], "angles": ["4 deg"]},
}
"""Every analysis that looks for equilibria."""

MACHINES = (("cycloidal-drive", ROUGH), ("planetary-500kw", {}), ("cv-joint", {}))


@pytest.fixture
def nothing_marches(monkeypatch):
    """Runs in time fail where they start; equilibria are found."""
    for place in (
        "flank.dynamics.run.start_consistently",
        "flank.dynamics.spatial.run.make_consistent",
    ):
        monkeypatch.setattr(place, lambda *_: NO_CONVERGENCE)


@pytest.fixture
def nothing_balances(monkeypatch):
    """No equilibrium is found, not even the first."""
    monkeypatch.setattr("flank.dynamics.run.reach_equilibrium", lambda *_: (TOO_MANY_ITERATIONS, 0))
    monkeypatch.setattr(
        "flank.dynamics.spatial.run.statics.equilibrium", lambda *_: TOO_MANY_ITERATIONS
    )


def asked(settings):
    """Pairs of a machine and what fits it."""
    for preset, changes in MACHINES:
        machine = flank.preset(preset, changes)
        for name, chosen in settings.items():
            if ANALYSES[name.split(",")[0]].fits(machine):
                yield machine, name.split(",")[0], chosen


def ends_in(status, settings):
    seen = set()
    for machine, name, chosen in asked(settings):
        try:
            result = flank.run(machine, name, **chosen)
        except flank.errors.SpecError:  # not for this machine, such as planets of a cycloidal drive
            continue
        assert not result.complete, name
        assert result.outcome == status.sentence or name == "joint-map", name
        assert status.sentence.split(":")[0] in flank.summary(result).replace("\n", " "), name
        seen.add(name)
    assert seen == {name.split(",")[0] for name in settings}


def test_every_analysis_is_looked_at_here():
    seen = {name.split(",")[0] for name in (*IN_TIME, *STATIC)}
    assert seen == set(ANALYSES) - {"mesh-phasing"}  # which computes no motion


@pytest.mark.usefixtures("nothing_marches")
def test_runs_in_time_that_fail_at_once():
    ends_in(Status.NO_CONVERGENCE, IN_TIME)


@pytest.mark.usefixtures("nothing_balances")
def test_equilibria_that_fail_at_once():
    ends_in(Status.TOO_MANY_ITERATIONS, STATIC | {"time-response": {}, "speed-sweep": {}})


def test_friction_beyond_all_measure_keeps_its_outcome():
    drive = flank.preset(
        "cycloidal-drive",
        {"friction.pins": 50, "friction.rollers": 50, "operation.input_speed": "6000 rpm"},
    )
    result = flank.run(drive, mode="dynamic", points_per_turn=24)
    assert not result.complete
    assert result.outcome.endswith(".")
