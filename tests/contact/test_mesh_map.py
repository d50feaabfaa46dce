"""A mesh as a map of energy: against the load distribution it is made of, and as a force law."""

import math

import numpy as np
import pytest
from beam_influence import beam_loading

from flank.contact.load_distribution import distribute, load_work
from flank.contact.mesh_map import map_energy, mesh_map
from flank.contact.tooth_pair import TOOTH_PAIR
from flank.geometry.gear import Gear, Relief
from flank.geometry.gear_pair import GearPair
from flank.kernel import kernel

ANGLE = math.radians(20)


def loading_of(points=1, relief=None, **options):
    misalignment = options.pop("misalignment", 0.0)
    first, second = (
        Gear(z, 10e-3, ANGLE, edge_radius=0.2e-3, relief=relief, **options) for z in (20, 40)
    )
    pair = GearPair(first, second, face_width=0.1)
    return beam_loading(pair, points, misalignment=misalignment)


LOADINGS = {
    "spur": lambda: loading_of(),
    "relieved": lambda: loading_of(relief=Relief(30e-6, 8e-3)),
    "helical and crowned": lambda: loading_of(7, helix_angle=0.3, crowning=10e-6),
    "misaligned": lambda: loading_of(7, misalignment=2e-4),
}


@pytest.fixture(scope="module", params=LOADINGS)
def mapped(request):
    loading = LOADINGS[request.param]()
    return loading, mesh_map(loading)


@kernel
def _read(rows, data, rolls, depths, values):
    for n in range(rolls.shape[0]):
        answer = map_energy(rows[0], data, rolls[n], depths[n])
        for k in range(6):
            values[n, k] = answer[k]


def read(loading, mesh, positions, depths):
    """U, F, k, U_x, F_x, U_xx at positions and depths beyond touch."""
    row = np.zeros(1, TOOTH_PAIR)
    row["base_pitch"], row["map_start"] = loading.pair.base_pitch, mesh.start
    row["map_positions"], row["map_depths"] = mesh.positions, mesh.cells
    row["map_deepest"] = mesh.deepest
    values = np.zeros((len(depths), 6))
    _read(row, mesh.energy.ravel().copy(), loading.pair.path[0] + positions, depths, values)
    return values


def drawn(loading, mesh, count, most=1.0):
    rng = np.random.default_rng(5)
    positions = rng.uniform(-3, 3, count) * loading.pair.base_pitch
    return positions, mesh.deepest * rng.uniform(0.15, math.sqrt(most), count) ** 2


def test_forces_are_those_of_the_load_distribution(mapped):
    """Teeth come into mesh within a cell or two, where the map is smoother than they are."""
    loading, mesh = mapped
    positions, depths = drawn(loading, mesh, 200)
    forces = []
    for position, depth in zip(positions, depths, strict=True):
        _, points = loading.system(float(position))
        count = len(points.gap)
        forces.append(distribute(points, count, mesh.touch + depth, load_work(count))[1])
    off = read(loading, mesh, positions, depths)[:, 1] / np.array(forces) - 1
    assert np.abs(off).max() < 0.015
    assert np.sqrt(np.mean(off**2)) < 0.003


def test_forces_never_pull_and_rise_with_depth(mapped):
    loading, mesh = mapped
    places = loading.pair.base_pitch * np.linspace(0, 1, 37)
    depths = np.linspace(1e-9, 1.2 * mesh.deepest, 500)
    for place in places:
        values = read(loading, mesh, np.full(500, place), depths)
        assert values[:, 1].min() >= 0
        assert values[:, 2].min() >= 0


def test_derivatives_are_those_of_the_energy(mapped):
    loading, mesh = mapped
    positions, depths = drawn(loading, mesh, 100, 1.2)
    values = read(loading, mesh, positions, depths)
    by_depth, by_place = (
        np.subtract(*(read(loading, mesh, positions + n * x, depths + n * d) for n in (1, -1)))
        / (2 * (x + d))
        for x, d in ((0.0, 1e-9), (1e-7, 0.0))
    )
    for found, expected in (
        (by_depth[:, 0], values[:, 1]),
        (by_depth[:, 1], values[:, 2]),
        (by_place[:, 0], values[:, 3]),
        (by_depth[:, 3], values[:, 4]),
        (by_place[:, 3], values[:, 5]),
    ):
        np.testing.assert_allclose(found, expected, atol=1e-5 * np.abs(expected).max())


def test_a_map_repeats_after_a_base_pitch_and_goes_on_straight(mapped):
    loading, mesh = mapped
    positions, depths = drawn(loading, mesh, 20)
    pitch = loading.pair.base_pitch
    near, far = (read(loading, mesh, positions + n * pitch, depths) for n in (0, 1000))
    assert np.all(np.abs(far - near) <= 1e-6 * np.abs(near).max(axis=0))
    beyond = mesh.deepest * np.array([1.0, 1.5, 2.0])
    forces = read(loading, mesh, np.full(3, 0.3 * pitch), beyond)[:, 1]
    assert forces[2] - forces[1] == pytest.approx(forces[1] - forces[0], rel=1e-9)
