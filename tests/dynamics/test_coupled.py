"""An elastic body between bodies: any symmetric stiffness, measured on one of them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flank.dynamics.assembly import assemble
from flank.dynamics.builder import ModelBuilder
from flank.dynamics.model import initial_state, workspace

FRAME, OTHERS = 2, (1, 3)
REST = np.array([[0, 0, 0], [0.4, -0.2, 0.3], [-0.3, 0.1, 0.5], [0.2, 0.6, -0.4]])
coordinate = st.floats(-1, 1)
poses = st.lists(coordinate, min_size=9, max_size=9)


def rows(values):
    return np.vstack([np.zeros(3), np.reshape(values, (3, 3))])


def random_stiffness(count):
    entries = np.random.default_rng(count).normal(size=(3 * count, 3 * count))
    return (entries + entries.T).reshape(count, 3, count, 3)


def builder(stiffness=None, damping=0.3, bodies=OTHERS):
    b = ModelBuilder(0.7)
    for k, pose in enumerate(REST[1:]):
        b.body(f"body {k + 1}", 1.0, 1.0, pose=tuple(pose))
    b.elastic_body(FRAME, bodies, random_stiffness(2) if stiffness is None else stiffness, damping)
    return b


def forces(model, position, velocity):
    state, work = initial_state(model, position), workspace(model)
    energy, _ = assemble(model, state, position, velocity, 0.0, work, 0.0, 1.0, 1.0)
    return energy, work.force[1:].copy()


def displacements(position):
    """Of bodies 1 and 3 on body 2."""
    found = []
    for body in OTHERS:
        turn = [
            np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
            for a in (position[FRAME, 2], REST[FRAME, 2])
        ]
        now, before = (
            r @ (p[body, :2] - p[FRAME, :2]) for r, p in zip(turn, (position, REST), strict=True)
        )
        turned = (position - REST)[body, 2] - (position - REST)[FRAME, 2]
        found += [*(now - before), turned]
    return np.array(found)


@given(position=poses)
@settings(max_examples=30, deadline=None)
def test_energy_is_that_of_the_matrix(position):
    q = rows(position)
    energy, _ = forces(builder().build(), q, np.zeros((4, 3)))
    d = displacements(q)
    assert energy == pytest.approx(0.5 * d @ random_stiffness(2).reshape(6, 6) @ d, abs=1e-9)


@given(position=poses)
@settings(max_examples=20, deadline=None)
def test_force_is_the_slope_of_the_energy(position):
    q, model, step = rows(position), builder().build(), 1e-6
    _, force = forces(model, q, np.zeros((4, 3)))
    for body, i in np.ndindex(3, 3):
        energies = []
        for sign in (1, -1):
            moved = q.copy()
            moved[body + 1, i] += sign * step
            energies.append(forces(model, moved, np.zeros((4, 3)))[0])
        assert force[body, i] == pytest.approx(-(energies[0] - energies[1]) / (2 * step), abs=2e-8)


@given(position=poses)
@settings(max_examples=20, deadline=None)
def test_tangent_is_the_derivative_of_the_force(tangents_of, position):
    k, _, _, numerical, _ = tangents_of(builder().build(), rows(position), np.zeros((4, 3)))
    assert k == pytest.approx(numerical, abs=1e-6)
    assert k == pytest.approx(k.T, abs=1e-11)


@given(position=poses, velocity=poses)
@settings(max_examples=20, deadline=None)
def test_damping_is_the_derivative_by_velocity(tangents_of, position, velocity):
    _, d, _, _, numerical = tangents_of(builder().build(), rows(position), rows(velocity))
    assert d == pytest.approx(numerical, abs=1e-6)


@given(speed=st.tuples(coordinate, coordinate, coordinate), position=poses)
@settings(max_examples=20, deadline=None)
def test_a_motion_of_all_together_strains_and_damps_nothing(speed, position):
    model, (vx, vy, turning) = builder().build(), speed
    c, s = np.cos(turning), np.sin(turning)
    moved = REST.copy()
    moved[1:, 0] = vx + c * REST[1:, 0] - s * REST[1:, 1]
    moved[1:, 1] = vy + s * REST[1:, 0] + c * REST[1:, 1]
    moved[1:, 2] += turning
    velocity = np.column_stack(
        [vx - turning * moved[:, 1], vy + turning * moved[:, 0], np.full(4, turning)]
    )
    velocity[0] = 0.0
    energy, force = forces(model, moved, velocity)
    assert energy == pytest.approx(0.0, abs=1e-12)
    assert force == pytest.approx(np.zeros((3, 3)), abs=1e-12)


def test_even_stiffness_is_a_bushing_and_a_torsion_spring():
    stiffness = np.diag([30.0, 30.0, 7.0]).reshape(1, 3, 1, 3)
    coupled = builder(stiffness, 0.1, bodies=[3])
    other = ModelBuilder(0.7)
    for k, pose in enumerate(REST[1:]):
        other.body(f"body {k + 1}", 1.0, 1.0, pose=tuple(pose))
    c, s = np.cos(REST[2, 2]), np.sin(REST[2, 2])
    x, y = REST[3, :2] - REST[2, :2]
    other.bushing(FRAME, 3, 30.0, 0.0, at_a=(c * x + s * y, c * y - s * x))
    other.torsion_spring(FRAME, 3, 7.0, 0.0, REST[3, 2] - REST[2, 2])
    q = rows(np.linspace(-0.5, 0.7, 9))
    found, same = (forces(b.build(), q, np.zeros((4, 3))) for b in (coupled, other))
    assert found[0] == pytest.approx(same[0])
    assert found[1] == pytest.approx(same[1])


def test_a_stiffness_that_is_not_symmetric_is_refused():
    with pytest.raises(ValueError, match="not symmetric"):
        builder(np.random.default_rng(1).normal(size=(2, 3, 2, 3)))
