"""Explicit contact of involute teeth: conjugacy, brute force, energy, tangents."""

import math

import numpy as np
import pytest
from gear_models import gears, tooth_contacts, turned
from scipy.spatial import cKDTree

from flank.contact import Friction
from flank.dynamics.assembly import assemble
from flank.dynamics.model import initial_state, workspace
from flank.geometry.gear import Relief
from flank.geometry.pair_gap import separation
from flank.geometry.tooth_outline import tooth_points

INTERNAL = pytest.mark.parametrize("internal", [False, True])


def evaluated(model, pose):
    """Energy, forces and touches at a pose."""
    state, work = initial_state(model, pose), workspace(model)
    still = np.zeros_like(pose)
    energy, _ = assemble(model, state, pose, still, 0.0, work, 0.0, 1.0, 1.0)
    return energy, work.force.copy(), state.contact_results


@INTERNAL
def test_unloaded_flanks_just_touch_at_every_position(internal):
    """Conjugate: the ratio is constant to the last digit, for many turns."""
    pair = gears(internal)
    b = tooth_contacts(pair, 7)
    model = b.build()
    for angle in np.linspace(-20, 20, 201):
        _, _, contact_results = evaluated(model, turned(pair, b.pose(), angle))
        for flank in (contact_results[:7], contact_results[7:]):
            assert abs(flank["gap"].min()) < 2e-15


@INTERNAL
def test_window_of_slots_equals_all_teeth(internal):
    """Whoever touches is found by five (or fifteen) slots as by one for every tooth."""
    pair = gears(internal)
    few, every = (15 if internal else 5), pair.first.teeth
    models = [tooth_contacts(pair, slots) for slots in (few, every)]
    rng, touching = np.random.default_rng(5), 0
    for _ in range(60):
        deep = rng.uniform(0, 80e-6) * rng.choice([-1, 1])
        pose = turned(pair, models[0].pose(), rng.uniform(-9, 9), deep)
        pose[1:, :2] += rng.normal(size=(2, 2)) * 10e-6
        found = []
        for b in models:
            energy, force, contact_results = evaluated(b.build(), pose)
            closed = np.sort(contact_results["gap"][contact_results["normal_force"] > 0])
            found.append((energy, force, closed))
        assert found[0][0] == pytest.approx(found[1][0], rel=1e-12)
        np.testing.assert_allclose(found[0][1], found[1][1], atol=1e-9 * np.abs(found[1][1]).max())
        np.testing.assert_allclose(found[0][2], found[1][2], atol=1e-15)
        touching += len(found[0][2])
    assert touching > 60


@INTERNAL
def test_gaps_equal_those_of_dense_outlines(internal):
    """Flanks, and tip edges beyond the line of action, against the distance of polygons."""
    pair = gears(internal, thickness_deviation=-80e-6)
    slots = 15 if internal else 7
    b = tooth_contacts(pair, slots)
    model = b.build()
    rng = np.random.default_rng(7)
    edges = 0
    for _ in range(4):
        pose = turned(pair, b.pose(), rng.uniform(-1, 1))
        pose[2, :2] += rng.uniform(-1, 1, 2) * 40e-6
        pose[2, 2] += rng.uniform(-1, 1) * 30e-6 / pair.second.base_radius
        _, force, contact_results = evaluated(model, pose)
        assert np.all(force == 0.0)
        near = contact_results[:slots][contact_results["gap"][:slots] < 0.6e-3]
        edges += sum(separation(pair, roll) > 0 for roll in near["parameter"])
        distances = np.sort(_distances(pair, pose, model))[: len(near)]
        np.testing.assert_allclose(np.sort(near["gap"]), distances, atol=2e-9)
    assert edges >= 3


def _distances(pair, pose, model) -> list[float]:
    """From each tooth of the first gear near the mesh to the second's, on flank +1."""
    halves = []
    for body, side, gear in ((1, "a", pair.first), (2, "b", pair.second)):
        half = tooth_points(gear, 3000)
        if gear.internal:
            half = half.conj()
        middle = pose[body, 2] + model.gears.rows[0][f"{side}_tooth_angle"]
        towards = math.pi if (body == 2 and pair.sign > 0) else 0.0
        angles = middle + gear.pitch_angle * np.arange(gear.teeth)
        away = np.abs(np.remainder(angles - towards + math.pi, 2 * math.pi) - math.pi)
        angles = angles[away < (9.5 if pair.sign < 0 else 2.5) * gear.pitch_angle]
        centre = complex(pose[body, 0], pose[body, 1])
        halves.append([half * np.exp(1j * a) + centre for a in angles])
    points = np.concatenate(halves[1])
    tree = cKDTree(np.column_stack((points.real, points.imag)))
    found = []
    for curve in halves[0]:
        places = np.column_stack((curve.real, curve.imag))
        distance, index = tree.query(places, distance_upper_bound=1e-3)
        k = int(np.argmin(distance))
        if np.isfinite(distance[k]):
            nearby = [j for j in range(len(curve)) if distance[j] < distance[k] + 1e-6]
            there = [_to_segments(curve[j], points, index[j]) for j in nearby]
            back = [_to_segments(points[index[j]], curve, j) for j in nearby]
            found.append(min(there + back))
    return found


def _to_segments(point, points, index) -> float:
    best = math.inf
    for start in range(max(index - 3, 0), min(index + 3, len(points) - 1)):
        a, b = points[start], points[start + 1]
        if abs(b - a) > 1e-3:  # from one tooth to the next
            continue
        t = np.clip(((point - a) * np.conj(b - a)).real / max(abs(b - a) ** 2, 1e-30), 0, 1)
        best = min(best, abs(point - a - t * (b - a)))
    return best


TIPS = {"relief": Relief(20e-6, 3e-3)}
ROOTS = {"root_relief": Relief(15e-6, 4e-3)}


@INTERNAL
@pytest.mark.parametrize("reliefs", [{}, TIPS, ROOTS, TIPS | ROOTS])
def test_force_is_the_gradient_of_the_energy(internal, reliefs):
    """With run-out, reliefs, tip edges and compliance that varies along the teeth."""
    pair = gears(internal, **reliefs)
    b = tooth_contacts(pair, 15 if internal else 5, centre=(1e-4, 2e-4))
    model = b.build()
    rng = np.random.default_rng(11)
    for _ in range(15):
        pose = turned(pair, b.pose(), rng.uniform(-3, 3), rng.choice([-1, 1]) * 60e-6)
        pose[1:, :2] += rng.normal(size=(2, 2)) * 10e-6
        _, force, _ = evaluated(model, pose)
        for body in (1, 2):
            for i in range(3):
                step = np.zeros_like(pose)
                step[body, i] = 2e-8
                up, down = (evaluated(model, pose + s * step)[0] for s in (1, -1))
                slope = -(up - down) / 4e-8
                assert slope == pytest.approx(force[body, i], abs=3e-5 * np.abs(force).max())


@INTERNAL
def test_forces_balance(internal):
    """Action and reaction: no net force, no net moment, friction included."""
    pair = gears(internal)
    friction = Friction(0.1, 1e-3, "smooth")
    b = tooth_contacts(pair, 9, centre=(1e-4, 0.0), friction=friction)
    model, rng = b.build(), np.random.default_rng(2)
    for _ in range(20):
        pose = turned(pair, b.pose(), rng.uniform(-3, 3), rng.choice([-1, 1]) * 50e-6)
        speed = np.zeros_like(pose)
        speed[1:] = rng.normal(size=(2, 3)) * 1e-2
        state, work = initial_state(model, pose), workspace(model)
        assemble(model, state, pose, speed, 0.0, work, 0.0, 1.0, 1.0)
        force, largest = work.force, np.abs(work.force).max()
        assert np.abs(force[1:, :2].sum(axis=0)).max() <= 1e-12 * largest
        arms = pose[1:, 0] * force[1:, 1] - pose[1:, 1] * force[1:, 0] + force[1:, 2]
        assert abs(arms.sum()) <= 1e-12 * largest


@pytest.mark.parametrize(("reliefs", "left_out"), [(TIPS, 3e-3), (ROOTS, 5e-3)])
def test_tangent_is_the_derivative_of_the_force(tangents_of, reliefs, left_out):
    """Where edges touch relieved roots, how the place on the root turns is left out."""
    pair = gears(False, **reliefs)
    b = tooth_contacts(pair, 5, centre=(1e-4, 2e-4))
    model, rng = b.build(), np.random.default_rng(3)
    for _ in range(15):
        pose = turned(pair, b.pose(), rng.uniform(-3, 3), rng.choice([-1, 1]) * 70e-6)
        pose[1:, :2] += rng.normal(size=(2, 2)) * 10e-6
        analytic, _, _, difference, _ = tangents_of(model, pose, np.zeros_like(pose), eps=1e-8)
        assert np.abs(analytic - difference).max() <= left_out * np.abs(difference).max()


def test_tangent_in_a_ring_leaves_out_little(tangents_of):
    """How curvature changes along conformal flanks is left out: some percent, rarely more."""
    pair = gears(True)
    b = tooth_contacts(pair, 15)
    model, rng = b.build(), np.random.default_rng(3)
    errors = []
    for _ in range(25):
        pose = turned(pair, b.pose(), rng.uniform(-3, 3), 60e-6)
        analytic, _, _, difference, _ = tangents_of(model, pose, np.zeros_like(pose), eps=1e-8)
        errors.append(np.abs(analytic - difference).max() / np.abs(difference).max())
    assert np.median(errors) < 0.02
    assert max(errors) < 0.1


def test_slot_keeps_its_teeth_while_they_are_in_mesh():
    """Memory of friction stays with a pair of teeth: roll lengths move on without a jump."""
    pair = gears(False)
    b = tooth_contacts(pair, 5)
    model = b.build()
    rolls = []
    for angle in np.linspace(0, 2.5 * pair.first.pitch_angle, 60):
        _, _, contact_results = evaluated(model, turned(pair, b.pose(), angle))
        rolls.append(contact_results["parameter"][:5].copy())
    steps = np.diff(rolls, axis=0)
    jumps = np.abs(steps) > 2 * pair.base_pitch
    assert jumps.sum() <= 3  # once for every pair that left the window
    middle = 0.5 * sum(pair.path)
    assert np.abs(np.array(rolls)[:-1][jumps] - middle).min() > 2 * pair.base_pitch
