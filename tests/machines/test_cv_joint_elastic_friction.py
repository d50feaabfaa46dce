"""Equilibria of a ball joint with elastic friction lose what the slow joint loses in time."""

from dataclasses import replace

import numpy as np

import flank
from flank.contact.table import FRICTION_ELASTIC
from flank.dynamics.functions import constant, linear
from flank.dynamics.run import DynamicSettings, solve_dynamics, solve_statics
from flank.dynamics.spatial.model import FRICTION

EIGHTHS = 3
"""Of a revolution, in which eight balls repeat eight times; the last one is looked at."""


def joint():
    return flank.preset(
        "cv-joint",
        {"contact.friction": {"sliding": 0.03, "drilling": False, "stick_velocity": "0.2 mm/s"}},
    )


def last_eighth(run, steps):
    assert run.complete
    return run.ledger[-1, FRICTION] - run.ledger[-1 - steps, FRICTION]


def turning(machine):
    return replace(
        machine.drive(), angles={"outer": linear(1.0)}, deflection=constant(machine.deflection)
    )


def static_loss(machine, steps=30):
    angles = np.linspace(0.0, EIGHTHS * np.pi / 4, EIGHTHS * steps + 1)
    drive = turning(machine)
    guesses = [machine.pose_under(drive, angle) for angle in angles]
    model = machine.assemble(drive).spatial
    # From a guess, whether friction finds its first equilibrium hangs on how rotations are rounded.
    rest = solve_statics(model, guesses[0], np.zeros(1)).last
    contacts = model.contacts.copy()
    contacts["friction_form"], contacts["tangential_ratio"] = FRICTION_ELASTIC, 1.4 / 1.7
    model = model._replace(contacts=contacts)
    return last_eighth(solve_statics(model, rest, angles, guesses), steps)


def loss_in_time(machine, steps=90):
    drive = turning(machine)
    rest = solve_statics(
        machine.assemble(drive).spatial, machine.pose_under(drive, 0.0), np.zeros(1)
    )
    assembly = machine.assemble(machine.drive())
    period = 2 * np.pi / machine.speed
    settings = DynamicSettings(
        period / 1000, spectral_radius=0.2, error_tolerance=1e-7, shortest_step=1e-8 * period
    )
    run = solve_dynamics(
        assembly.spatial,
        replace(rest.last, velocity=assembly.start.velocity),
        EIGHTHS / 8 * period,
        settings,
        records=EIGHTHS * steps,
    )
    return last_eighth(run, steps)


def test_friction_takes_as_much():
    """Elastic friction loses less by what it stores where a ball turns back."""
    machine = joint()
    static, dynamic = static_loss(machine), loss_in_time(machine)
    assert 0.95 * dynamic < static < dynamic
