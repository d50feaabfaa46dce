"""The 500 kW stage of Jørgensen et al. on all rungs of the ladder."""

import numpy as np
import pytest

import flank

TORQUES = {"carrier": 155.9e3, "sun": -155.9e3 / 5.55}
SUN, RING = 91e3, 93e3
"""Tangential forces per planet of the paper's flexible model, N (Fig. 14)."""


def mean_forces(model):
    """Mean tangential forces by mesh over half a second at 2.86 rad/s."""
    mesh = {"model": model} | ({} if model == "rigid" else {"damping": "2e4 N*s/m"})
    machine = flank.preset("planetary-500kw", {"sun_mesh": mesh, "ring_mesh": mesh})
    result = flank.run(machine, "time-response", duration=0.5, step=1e-4, torques=TORQUES)
    assert result.complete, result.outcome
    return result["mean_tangential_force"].values


@pytest.fixture(scope="module")
def forces():
    return {model: mean_forces(model) for model in ("rigid", "spring", "table", "contact")}


@pytest.mark.parametrize("model", ["rigid", "spring", "table", "contact"])
def test_every_rung_gives_the_forces_of_the_paper(forces, model):
    sun, ring = np.split(forces[model], 2)
    assert sun == pytest.approx(-SUN, rel=0.02)
    assert ring == pytest.approx(RING, rel=0.02)


def test_the_rungs_agree_in_the_mean(forces):
    for model in ("spring", "table", "contact"):
        assert forces[model] == pytest.approx(forces["rigid"], rel=0.01), model
