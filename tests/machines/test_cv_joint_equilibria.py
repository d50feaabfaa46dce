"""Equilibria of the presets of the ball joint as a solver made for space alone found them."""

import math
from dataclasses import replace

import numpy as np
import pytest

import flank
from flank.dynamics.functions import constant
from flank.dynamics.run import solve_statics

FORCES = {
    ("cv-joint", 100.0, 2.0): (714.919048472849, 9644.712291306965),
    ("cv-joint", 2000.0, 0.0): (10430.039392362547, 178579.2676574467),
    ("cv-joint", 2000.0, 8.0): (14877.163094212397, 170157.8217921941),
    ("cv-joint", -500.0, 8.0): (3851.3935107872358, 50347.08891371099),
    ("cv-joint-marter", 100.0, 8.0): (991.6847912677002, 11003.714477131078),
    ("cv-joint-marter", 2000.0, 2.0): (14847.094936332507, 195750.93403235046),
    ("cv-joint-marter", 2000.0, 8.0): (19631.3362572447, 213515.82250830103),
    ("cv-joint-marter", -500.0, 0.0): (2993.0753080853474, 54950.139100688844),
}
"""Largest contact force and sum of all, N, by preset, torque in N·m and deflection in degrees."""


@pytest.mark.parametrize("case", FORCES, ids=str)
def test_forces(case):
    name, torque, degrees = case
    machine = flank.preset(name).at(torque, math.radians(degrees), 0.0)
    assembly = machine.assemble(replace(machine.drive(), angles={"outer": constant(0.0)}))
    run = solve_statics(assembly.model, assembly.start, np.zeros(1))
    force = run.contact_results["normal_force"][0]
    assert run.complete
    assert (force.max(), force.sum()) == pytest.approx(FORCES[case], rel=1e-7)
