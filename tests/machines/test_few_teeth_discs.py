"""Toothed discs as elastic plates that teeth press on one by one."""

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest

import flank
from flank.analyses.runs import assemble_locked, linearize_at
from flank.analyses.sensitivity import angle_derivatives, stations
from flank.contact import plate_modes
from flank.dynamics.contact_states import ContactStates
from flank.dynamics.linearize import unit_turn
from flank.dynamics.run import solve_statics
from flank.errors import SpecError
from flank.machines.crank_reducer import disc_plates
from flank.machines.crank_reducer.disc_plates import modes_of_discs
from flank.machines.few_teeth.reducer import FewTeethReducer
from tests.helpers.smooth_energy import check_derivatives

RATED = 1500.0
FREE = {"friction.teeth": 0, "friction.turning_arm": 0, "friction.supports": 0}


def reducer(body="elastic", **changes):
    plain = {"carrier.body": "rigid", "cranks.shaft": "beam", "discs.body": body}
    machine = flank.preset("few-teeth-60", FREE | plain | changes)
    assert isinstance(machine, FewTeethReducer)
    return machine


def loaded(machine, torques=(0.1, 0.5, 1.0)):
    assembly = assemble_locked(machine, 0.3)
    run = solve_statics(assembly.model, machine.ideal_pose(0.3), RATED * np.array(torques))
    assert run.complete
    return assembly, run


@lru_cache
def usual(body="elastic"):
    machine = reducer(body)
    return machine, *loaded(machine)


@pytest.mark.parametrize("seed", range(3))
def test_forces_follow_from_the_energy(seed):
    """The tangent leaves out how a tooth's way over the modes turns."""
    _, assembly, run = usual()
    check_derivatives(assembly, run.position[-1], seed, slack=1e-3)


def test_a_disc_that_gives_way_turns_by_at_least_what_its_plate_stores():
    turned = [abs(run.angle(a.output_shaft)[-1]) for _, a, run in map(usual, ("rigid", "elastic"))]
    machine, _, run = usual()
    modes = modes_of_discs(machine.spec, machine.size)
    stored = 0.0
    for first in machine.layout.plate_rows:
        z = run.position[-1][first : first + len(modes) // 3].ravel()
        stored += float(0.5 * (modes.stiffness * z**2).sum())
    more = abs(turned[1] - turned[0])
    assert 2 * stored / RATED < more < 2.6 * stored / RATED


def test_on_very_stiff_plates_teeth_carry_as_on_rigid_discs(monkeypatch):
    whole = plate_modes.plate_modes

    def stiff(body):
        modes = whole(body)
        return replace(modes, stiffness=1e4 * modes.stiffness)

    monkeypatch.setattr(disc_plates, "plate_modes", stiff)
    assembly, run = loaded(reducer())
    _, rigid, on_rigid = usual("rigid")
    expected = on_rigid.force(rigid.groups["tooth"])[-1]
    force = run.force(assembly.groups["tooth"])[-1]
    assert force == pytest.approx(expected, abs=2e-3 * expected.max())


def test_gaps_that_are_read_are_those_that_the_forces_know():
    """Teeth that carry have been pressed, all others are open."""
    _, assembly, run = usual()
    states = ContactStates(assembly.planar, run).of(assembly.groups["tooth"])
    gap, force = states["gap"][-1], states["normal_force"][-1]
    assert np.all(gap[force > 0] < 0)
    assert not np.any(gap[force == 0] < 0)


@pytest.mark.parametrize("name", ["tooth_thickness.1", "toothing_x.2", "hole_radial.1/2"])
def test_implicit_derivatives_are_those_of_reducers_solved_again(name):
    machine, torques = reducer(), (1.0, 0.5)
    base, path = loaded(machine, torques)
    changed = [assemble_locked(machine.with_error(name, s * 1e-12), 0.3).planar for s in (1, -1)]
    found = angle_derivatives(stations(base, path), 1e-12, *changed)
    angles = []
    for sign in (1, -1):
        again, run = loaded(machine.with_error(name, sign * 1e-8), torques)
        angles.append(run.angle(again.output_shaft))
    wanted = (angles[0] - angles[1]) / 2e-8
    assert found == pytest.approx(wanted, rel=5e-3, abs=2e-3 * np.abs(found).max())


def test_the_linearised_disc_is_as_stiff_as_its_secant_over_a_small_load():
    small = 1e-4
    _, assembly, _ = usual()
    _, run = loaded(reducer(), (1.0, 1 + small, 1 - small))
    direction = unit_turn(assembly.model, assembly.output_shaft.body)
    compliance = direction @ linearize_at(assembly, run, 0).solve(direction)
    _, above, below = run.angle(assembly.output_shaft)
    assert compliance == pytest.approx((above - below) / (2 * small * RATED), rel=1e-3)


def test_a_mesh_that_is_a_spring_has_no_rim_to_press_on():
    with pytest.raises(SpecError, match=r"needs mesh\.model 'contact', whose teeth") as refused:
        reducer(**{"mesh.model": "table"})
    assert len(refused.value.problems) == 1
