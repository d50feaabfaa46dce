"""The mesh model `fe` on influence numbers of the beam model, against the other mesh models."""

import math

import numpy as np
import pytest
from beam_influence import beam_loading
from gear_models import MODULE, gears, turned, two_gears
from loaded_teeth import StraightLoading, rigid_body_table

import flank
from flank.contact.mesh_map import mesh_map
from flank.dynamics.assembly import assemble
from flank.dynamics.functions import constant
from flank.dynamics.model import initial_state, workspace
from flank.dynamics.run import DynamicSettings, solve_dynamics
from flank.elasticity.material import STEEL
from flank.errors import SpecError
from flank.geometry.gear import Gear
from flank.geometry.gear_pair import GearPair
from flank.machines import meshes
from flank.machines.base import Drive
from flank.machines.gear_spec import MeshSpec
from flank.machines.meshed_pair import MeshedPair
from flank.machines.meshes import add_mesh

INTERNAL = pytest.mark.parametrize("internal", [False, True])
BOTH = (STEEL, STEEL)


def forces(pair, rung, load, closer, centre=(0.0, 0.0), slices=None, count=60, turns=1.0):
    """On the line of action over some pitches, the flanks pressed together by `closer`."""
    b, first, second = two_gears(pair, centre)
    meshed = SlicedPair(pair, BOTH, MeshSpec(model=rung, slices=slices), load)
    add_mesh(b, "mesh", meshed, first, second)
    model, pose = b.build(), b.pose()
    state, work = initial_state(model, pose), workspace(model)
    carried = []
    for angle in np.linspace(0, turns * pair.first.pitch_angle, count, endpoint=False):
        moved = turned(pair, pose, angle, closer + 0.5 * pair.normal_backlash)
        assemble(model, state, moved, np.zeros_like(moved), 0.0, work, 0.0, 1.0, 1.0)
        carried.append(abs(work.force[2, 2]) / pair.second.base_radius)
    return np.array(carried)


class SlicedPair(MeshedPair):
    """Slices that are turned against each other in the plane of action."""

    turn = 0.0

    def slices(self):
        width = self.pair.face_width
        count = len(super().slices())
        across = [width * ((k + 0.5) / count - 0.5) for k in range(count)]
        return [
            (ahead, off + self.turn * z)
            for (ahead, off), z in zip(super().slices(), across, strict=True)
        ]


def without_bodies(monkeypatch, **options):
    """Teeth as the mesh model `contact` has them: each bears its share of the bodies."""

    def loading(pair, materials, strips, bodies, edges):
        return beam_loading(pair, strips, body=0.0, sharing=pair.contact_ratio, **options)

    monkeypatch.setattr(meshes, "elastic_loading", loading)
    meshes.elastic_map.cache_clear()


@INTERNAL
def test_rigid_bodies_and_straight_contacts_make_it_the_table(internal, monkeypatch):
    pair = gears(internal, thickness_deviation=-40e-6)
    load = 300e3 * pair.face_width
    monkeypatch.setattr(
        meshes, "elastic_map", lambda pair, *_: mesh_map(StraightLoading(beam_loading(pair), load))
    )
    monkeypatch.setattr(meshes, "pair_table", rigid_body_table)
    closer = load / (15e9 * pair.face_width)
    elastic, table = (forces(pair, rung, load, closer) for rung in ("fe", "table"))
    off = elastic / table - 1
    assert np.abs(off).max() < 0.012  # where teeth come into mesh
    assert np.sqrt(np.mean(off**2)) < 0.002


def helical(crowning=0.0):
    form = {"helix_angle": 0.3, "edge_radius": 0.1e-3, "crowning": crowning}
    angle = math.radians(20)
    return GearPair(
        Gear(20, MODULE, angle, 0.3, **form), Gear(35, MODULE, angle, 0.2, **form), face_width=0.03
    )


@pytest.mark.parametrize("crowning", [0.0, 8e-6])
def test_helical_teeth_carry_what_explicit_contacts_do(crowning, monkeypatch):
    without_bodies(monkeypatch)
    pair = helical(crowning)
    load = 200e3 * pair.face_width
    elastic, contact = (forces(pair, rung, load, 15e-6, slices=9) for rung in ("fe", "contact"))
    np.testing.assert_allclose(elastic, contact, rtol=0.02)


@INTERNAL
def test_misaligned_teeth_carry_what_explicit_contacts_do(internal, monkeypatch):
    turn = 15e-6 / 0.02
    monkeypatch.setattr(SlicedPair, "turn", turn)
    without_bodies(monkeypatch, misalignment=turn)
    pair = gears(internal)
    load = 200e3 * pair.face_width
    elastic, contact = (forces(pair, rung, load, 12e-6, slices=5) for rung in ("fe", "contact"))
    monkeypatch.setattr(SlicedPair, "turn", 0.0)
    aligned = forces(pair, "contact", load, 12e-6, slices=5)
    np.testing.assert_allclose(elastic, contact, rtol=0.04)
    assert np.abs(contact / aligned - 1).max() > 0.05


@INTERNAL
def test_run_out_loads_teeth_as_explicit_contacts_have_it(internal, monkeypatch):
    without_bodies(monkeypatch)
    pair = gears(internal, thickness_deviation=-100e-6)
    load = 200e3 * pair.face_width
    elastic, contact = (
        forces(pair, rung, load, 40e-6, (20e-6, 0.0), count=90, turns=pair.first.teeth)
        for rung in ("fe", "contact")
    )
    assert contact.max() > 1.5 * contact.min()
    np.testing.assert_allclose(elastic, contact, atol=0.03 * contact.max())


def planetary(monkeypatch, changes):
    """The 500 kW stage with bodies of the beam model in place of finite elements."""
    monkeypatch.setattr(
        meshes,
        "elastic_loading",
        lambda pair, materials, strips, *_, **__: beam_loading(pair, strips),
    )
    meshes.elastic_map.cache_clear()
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


def test_a_ring_without_a_rim_is_refused():
    with pytest.raises(SpecError, match=r"ring.outer_radius is missing: finite elements"):
        flank.preset("planetary-lin-parker", {"ring_mesh": {"model": "fe"}})


@INTERNAL
def test_loads_that_roll_along_teeth_keep_their_energy(internal, monkeypatch):
    """Turning gears pressed together swing for some pitches, part and touch on both flanks."""
    without_bodies(monkeypatch)
    pair = gears(internal, thickness_deviation=-20e-6)
    b, first, second = two_gears(pair)
    meshed = MeshedPair(pair, BOTH, MeshSpec(model="fe"), 200e3 * pair.face_width)
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
