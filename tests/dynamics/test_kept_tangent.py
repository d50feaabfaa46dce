"""Factors of the tangent that are kept: the same answers within the tolerance, fewer factors."""

from dataclasses import replace

import numpy as np
import pytest

import flank
from flank.analyses.runs import ideal_velocity, loaded_equilibrium
from flank.dynamics.functions import constant, linear
from flank.dynamics.run import settings_for, solve_dynamics
from flank.engine import (
    GROUND,
    Disc,
    DynamicSettings,
    ModelBuilder,
    PowerLaw,
    Surface,
    circle_in_hole,
)
from flank.machines.base import Drive


def both(preset, changes, steps=60, step=2e-5):
    """A machine at its operating point, with a tangent of every iteration and with kept ones."""
    machine = flank.preset(preset, changes)
    equilibrium, _ = loaded_equilibrium(machine, 0.0, machine.load_torque)
    drive = Drive.of_ends(linear(machine.input_speed), constant(machine.load_torque))
    model = machine.assemble(drive).model
    velocity = machine.input_speed * ideal_velocity(machine, 0.0)
    plain = settings_for(model, step)
    return [
        solve_dynamics(
            model, equilibrium.last, steps * step, replace(plain, keeps_tangent=kept), velocity
        )
        for kept in (False, True)
    ]


@pytest.mark.parametrize(
    ("preset", "changes"),
    [
        ("cycloidal-drive", {"contact.damping": "0.2 s/m"}),
        ("rv-80", {}),
        ("few-teeth-60", {}),
        ("planetary-500kw", {}),
    ],
)
def test_the_same_motion(preset, changes):
    """Cranks and rollers of reducers are leaves, which are eliminated one by one."""
    plain, kept = both(preset, changes)
    assert plain.complete
    assert kept.complete
    assert plain.counters["steps"] == kept.counters["steps"]
    assert np.abs(plain.position[..., :2] - kept.position[..., :2]).max() < 1e-11
    assert np.abs(plain.position[..., 2] - kept.position[..., 2]).max() < 1e-9
    if plain.contact_results.shape[1]:
        forces = [run.contact_results["normal_force"] for run in (plain, kept)]
        assert np.abs(forces[0] - forces[1]).max() < 1e-6 * forces[0].max()
    assert kept.counters["tangents"] < kept.counters["steps"]
    assert kept.counters["newton_iterations"] >= plain.counters["newton_iterations"]


@pytest.mark.parametrize("method", ["generalized-alpha", "trapezoid"])
def test_impacts_renew_the_factors(method):
    """Contacts that open and close on a lever with a joint, which the trapezoidal rule projects."""
    builder = ModelBuilder(0.1)
    lever = builder.body("lever", 0.5, 2e-3)
    builder.revolute(GROUND, lever)
    hole, pin = Disc(GROUND, 0.1, 0.0, 0.0101), Disc(lever, 0.1, 0.0, 0.01)
    builder.contact(circle_in_hole(hole, pin, Surface(PowerLaw(1e8, 1.5), 0.3)))
    velocity = np.zeros((2, 3))
    velocity[lever, 2] = 3.0
    model, runs = builder.build(), []
    for keeps in (False, True):
        settings = DynamicSettings(1e-5, method=method, keeps_tangent=keeps)
        runs.append(solve_dynamics(model, builder.pose(), 0.01, settings, velocity))
    plain, kept = runs
    assert plain.counters["contact_switches"] >= 4
    assert kept.counters["contact_switches"] == plain.counters["contact_switches"]
    assert kept.position == pytest.approx(plain.position, abs=1e-9)
    assert "tangents" not in plain.counters
    if method == "generalized-alpha":
        assert 0 < kept.counters["tangents"] < kept.counters["steps"]


def test_by_its_key():
    machine = flank.preset("planetary-lin-parker")
    asked = {"duration": 1e-3, "step": 2e-5, "points": 20}
    plain = flank.run(machine, "time-response", **asked)
    kept = flank.run(machine, "time-response", **asked, keeps_tangent=True)
    assert kept["angle"].values == pytest.approx(plain["angle"].values, abs=1e-10)
    assert kept.counters["tangents"] > 0
    assert "keeps_tangent" not in plain.settings
    assert kept.settings["keeps_tangent"] is True
