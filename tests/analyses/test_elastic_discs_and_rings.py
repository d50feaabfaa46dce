"""Every preset with discs, its discs as plates and what holds pins or teeth elastic, asked what
machines with discs are asked; by day one preset a machine."""

import math

import numpy as np
import pytest
from daily import daily

import flank
from flank.presets import preset_names

STEPS = {"rv-paper": 2e-5}
"""s, where rollers are bodies."""

KINDS = ("flank_x", "toothing_x", "eccentricity")


def elastic(name):
    """With the ring that its spec allows."""
    spec = flank.preset(name).spec
    if spec.machine == "few-teeth-reducer":
        return {"discs.body": "elastic", "ring.body": {"held": "outer face"}}
    outer = 1.15 * spec.pins.groove_bottom
    fixed = {} if spec.pins.loose else {"pins.grooves": "elastic"}
    return {"discs.body": "elastic", "pins.ring": {"outer_radius": outer}, **fixed}


PRESETS = [
    name
    for name in preset_names()
    if hasattr(flank.preset(name).spec, "discs") and name != "single-disc"
]
"""Where a disc is the output, no spec tells where the torque leaves it."""


def test_all_machines_with_discs_are_here():
    assert {flank.preset(name).spec.machine for name in PRESETS} == {
        "cycloidal-drive",
        "few-teeth-reducer",
        "rv-reducer",
    }


@pytest.mark.parametrize("name", daily(PRESETS))
def test_analyses_answer_with_elastic_discs_and_rings(name):
    machine = flank.preset(name, elastic(name))
    loop = asked(machine, "hysteresis", points_per_stage=8)
    rigid = asked(flank.preset(name, {"discs.body": "rigid"}), "hysteresis", points_per_stage=8)
    stiffness, before = (float(each["torsional_stiffness"]) for each in (loop, rigid))
    # a printed disc bends more than its contacts give way
    assert (0.2 if name == "monocrank" else 0.5) * before < stiffness < before
    assert float(loop["loop_work"]) > -1e-4 * float(loop["torque"]) * float(loop["lost_motion"])
    split = asked(machine, "stiffness-split")
    assert {"discs", "ring"} <= set(split["part"].values)
    assert abs(split["closure"]) < 2e-3
    shares = dict(zip(split["part"].values, split["part_share"].values, strict=True))
    assert 0 < shares["ring"] < shares["discs"]
    assert asked(machine, "natural-frequencies", count=4)["unstable_count"] == 0
    error = asked(machine, "transmission-error", points_per_turn=16, draws=0)
    assert 0 <= float(error["peak_to_peak"]) < math.radians(0.1)
    asked(machine, "load-distribution")
    kinds = [kind for kind in KINDS if kind in machine.errors][:1]
    sensitivity = asked(machine, "sensitivity", points=8, kinds=kinds)
    assert np.all(np.isfinite(sensitivity["lost_motion_per_step"].values))
    step = STEPS.get(name, 1e-4)
    moved = asked(machine, "time-response", duration=10 * step, step=step, points=10)
    assert 0 <= float(moved["lost_energy"]) < 1


def asked(machine, analysis, **settings):
    result = flank.run(machine, analysis, **settings)
    assert result.complete, f"{analysis}: {result.outcome}"
    return result
