"""The mesh model `fe` on influence numbers of the beam model, against the other mesh models."""

from functools import lru_cache

import numpy as np
import pytest
from beam_influence import beam_loading
from gear_models import gears, turned, two_gears
from sliced_teeth import separate_bodies

import flank
from flank.dynamics.assembly import assemble
from flank.dynamics.functions import constant
from flank.dynamics.model import initial_state, workspace
from flank.dynamics.run import DynamicSettings, solve_dynamics
from flank.elasticity.material import STEEL
from flank.errors import SpecError
from flank.machines import meshes
from flank.machines.base import Drive
from flank.machines.gear_spec import MeshSpec
from flank.machines.meshed_pair import MeshedPair
from flank.machines.meshes import add_mesh

INTERNAL = pytest.mark.parametrize("internal", [False, True])
BOTH = (STEEL, STEEL)


def planetary(monkeypatch, changes):
    """The 500 kW stage with bodies of the beam model in place of finite elements."""
    monkeypatch.setattr(
        meshes,
        "elastic_loading",
        lambda pair, materials, strips, *_, **__: beam_loading(pair, strips),
    )
    monkeypatch.setattr(meshes, "elastic_map", lru_cache(meshes.elastic_map.__wrapped__))
    models = {"sun_mesh.model": "fe", "ring_mesh.model": "fe"}
    return flank.preset("planetary-500kw", models | changes)


def test_the_planetary_stage_turns_by_one_word(monkeypatch):
    """Elements on the beam's numbers give the transmission error of the table but for its contact,
    which is linear."""
    machine = planetary(monkeypatch, {})
    result, table = (
        flank.run(stage, "transmission-error", points_per_turn=64)
        for stage in (machine, flank.preset("planetary-500kw"))
    )
    assert result.complete
    elastic, expected = (np.asarray(run["transmission_error"].values) for run in (result, table))
    assert np.ptp(elastic) == pytest.approx(np.ptp(expected), rel=0.15)
    assert np.abs(elastic - expected).max() < 0.15 * np.ptp(expected)


def test_errors_of_thickness_share_a_map(monkeypatch):
    machine = planetary(monkeypatch, {"errors.planet_thickness": {"1": "15 um", "2": "-8 um"}})
    machine.assemble(Drive.of_ends(constant(0.0), constant(1.0)))
    assert meshes.elastic_map.cache_info().misses == 2


def test_planets_that_do_not_feel_each_other_through_a_thin_rim_are_told():
    """A rim of 26 mm on a module of 10 mm; not told of a stiff one, nor of one that is flexible."""
    elastic = {"sun_mesh.model": "fe", "ring_mesh.model": "fe"}
    ring = flank.preset("planetary-500kw").spec.ring_gear
    thin, stiff = (
        {"ring.outer_radius": ring.root_radius + modules * ring.normal_module}
        for modules in (2.6, 3.6)
    )
    flexible = {"ring.flexible": True, "ring.mass": None, "ring.inertia": None}
    for changes, count in ((thin, 1), (stiff, 0), (thin | flexible, 0)):
        machine = flank.preset("planetary-500kw", elastic | changes)
        told = [each for each in machine.findings() if each.code == "rim-not-shared"]
        assert len(told) == count
        assert all("do not feel each other" in each.message for each in told)


def test_a_ring_without_a_rim_is_refused():
    with pytest.raises(SpecError, match=r"ring.outer_radius is missing: finite elements"):
        flank.preset("planetary-lin-parker", {"ring_mesh": {"model": "fe"}})


@INTERNAL
def test_loads_that_roll_along_teeth_keep_their_energy(internal):
    """Turning gears pressed together swing for some pitches, part and touch on both flanks."""
    pair = gears(internal, thickness_deviation=-20e-6)
    b, first, second = two_gears(pair)
    meshed = MeshedPair(pair, BOTH, MeshSpec(model="fe"), 200e3 * pair.face_width)
    with separate_bodies():
        add_mesh(b, "mesh", meshed, first, second)
    for place in (first, second):
        b.revolute(0, place.body, b.placed(place.body, (0.0, 0.0)))
    model, pose = b.build(), turned(pair, b.pose(), 0.0, 0.5 * pair.normal_backlash + 15e-6)
    speed = np.zeros_like(pose)
    speed[1:, 2] = 500.0, 500.0 / pair.signed_ratio
    run = solve_dynamics(model, pose, 2e-3, DynamicSettings(2e-7, "trapezoid"), velocity=speed)
    assert run.complete
    state, work = initial_state(model, pose), workspace(model)
    stored = [
        assemble(model, state, at, np.zeros_like(at), 0.0, work, 0.0, 1.0, 1.0)[0]
        for at in run.position
    ]
    kinetic = 0.5e-3 * (run.velocity[:, 1:, 2] ** 2).sum(axis=1)
    total = np.array(stored) + kinetic
    turns = np.ptp(run.position[:, 1, 2]) / pair.first.pitch_angle
    assert turns > 1.5
    assert min(stored) == 0.0
    np.testing.assert_allclose(total, total[0], atol=2e-3 * max(stored))
