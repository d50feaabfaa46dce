"""How equilibria are looked for and systems are solved does not show in what is found."""

from dataclasses import replace

import numpy as np
import pytest
from daily import daily

import flank
from flank.dynamics.elimination import Elimination
from flank.dynamics.functions import constant, linear
from flank.dynamics.run import DynamicSettings, solve_dynamics, solve_statics
from flank.machines.base import Drive
from flank.presets import preset_names

DRAWN = ("cycloidal-drive", "rv-40", "few-teeth-38")


WITHIN = 1e-6
"""Of how far the output turns. Parts that are loose in their clearance stand wherever they do."""


def torque_of(machine):
    return getattr(machine, "load_torque", None) or machine.torque


def loaded(machine):
    """A machine under a load that grows with time up to one."""
    return machine.assemble(Drive.of_ends(constant(0.0), linear(torque_of(machine))))


def pivoted(assembly):
    """With an order that begins at a joint, whose diagonal is zero: pivots do it all."""
    size = len(assembly.model.elimination.order)
    nowhere = (np.zeros(size + 1, np.int64), np.zeros(1, np.int64))
    order = np.roll(np.arange(size), 1)
    last = Elimination(order, *nowhere, *nowhere, np.zeros((1, 2), np.int64))
    return replace(assembly, model=assembly.model._replace(elimination=last))


def path_of(assembly):
    return solve_statics(assembly.model, assembly.pose, np.linspace(0.1, 1.0, 10))


def nowhere(times, _points):
    return np.zeros(len(times), dtype=bool)


def assert_alike(assembly, one, other, within=WITHIN):
    assert one.complete
    assert other.complete
    angles, others = (found.angle(assembly.output_shaft) for found in (one, other))
    assert np.abs(angles - others).max() <= within * np.ptp(angles)


@pytest.mark.parametrize("name", daily(preset_names()))
def test_with_pivots_and_without(name):
    assembly = loaded(flank.preset(name))
    assert_alike(assembly, path_of(assembly), path_of(pivoted(assembly)))


@pytest.mark.parametrize("name", daily(preset_names()))
def test_on_the_secant_and_without(name, monkeypatch):
    assembly = loaded(flank.preset(name))
    guided = path_of(assembly)
    monkeypatch.setattr("flank.dynamics.run.smooth_steps", nowhere)
    assert_alike(assembly, guided, path_of(assembly))


@pytest.mark.parametrize("name", daily(preset_names()))
def test_in_time(name):
    machine = flank.preset(name)
    drive = Drive.of_ends(constant(0.0), constant(torque_of(machine)), in_time=True)
    assembly = machine.assemble(drive)
    runs = [
        solve_dynamics(made.model, made.pose, 2e-4, DynamicSettings(step=1e-5))
        for made in (assembly, pivoted(assembly))
    ]
    assert_alike(assembly, *runs)


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(100))
def test_drawn_machines(seed, monkeypatch):
    """With elastic friction an equilibrium may have neighbours, where another contact slips; which
    one is found follows from where it is looked for, within what long steps of a path leave."""
    machine = flank.preset(DRAWN[seed % len(DRAWN)], {"errors.seed": seed})
    rough = loaded(machine)
    smooth = rough.frictionless()
    guided = [path_of(assembly) for assembly in (rough, smooth)]
    assert_alike(rough, guided[0], path_of(pivoted(rough)))
    monkeypatch.setattr("flank.dynamics.run.smooth_steps", nowhere)
    assert_alike(smooth, guided[1], path_of(smooth))
    assert_alike(rough, guided[0], path_of(rough), 1e-3)
