"""Rolling gears against closed forms; what they keep is shown in validation/rolling_gears.py."""

import math

import numpy as np
import pytest
from rolling_gears import MASS, SHAPE, STIFFNESS, mesh_of, modes_of, one_mass, rolled

from flank.dynamics.rolling import APART, MEAN, READ, rolling_state
from flank.dynamics.rolling_structure import HELD, Shaft, Train, structure


def test_a_damper_between_the_gears_is_that_of_the_free_motion():
    """Of one mode alone, both say the same; of two modes, a damper couples them."""
    mesh = mesh_of(STIFFNESS * (1 + 0.2 * (np.arange(200) < 90))[:, None], SHAPE)
    rate = 0.05 * math.sqrt(STIFFNESS / MASS)
    alone = modes_of([0.0], [rate], SHAPE[0, 0], SHAPE[0, 0])
    between = modes_of([0.0], [0.0], SHAPE[0, 0], SHAPE[0, 0], damping=2 * rate * MASS)
    periods = np.geomspace(6e-4, 3e-4, 100)
    first, second = (rolled(mesh, modes, periods, 900.0)[1] for modes in (alone, between))
    np.testing.assert_allclose(first[:, MEAN], second[:, MEAN], rtol=2e-3)
    halves = np.array([[[0.6, 0.8]]]) / math.sqrt(MASS)
    split = modes_of([0.0, 0.0], [0, 0], halves[0, 0], halves[0, 0], damping=2 * rate * MASS)
    third = rolled(mesh_of(1 / mesh.constant, halves), split, periods, 900.0)[1]
    np.testing.assert_allclose(third[:, MEAN], second[:, MEAN], rtol=1e-9)


def test_a_run_goes_on_bit_for_bit():
    mesh = mesh_of(STIFFNESS * (1 + 0.3 * (np.arange(60) < 30))[:, None], SHAPE, slope=2e-10)
    periods = np.geomspace(6e-4, 3e-4, 50)
    _, both, _ = rolled(mesh, one_mass(0.05), periods, 800.0)
    state, first, _ = rolled(mesh, one_mass(0.05), periods[:20], 800.0)
    _, second, _ = rolled(mesh, one_mass(0.05), periods[20:], 800.0, state)
    np.testing.assert_array_equal(both, np.concatenate([first, second]))


@pytest.mark.parametrize("restitution", [0.0, 0.56, 1.0])
def test_an_impulse_turns_the_approach_back(restitution):
    """Onto a single point, through all modes: the speed there comes back times the restitution, and
    without an impulse on them nothing else would move."""
    shape = np.array([[[0.9, 0.3, -0.5]]])
    mesh = mesh_of(np.full((10, 1), 1e9), shape)
    modes = modes_of([0.0, 3e3, 5e3], [0, 0, 0], shape[0, 0], [0, 0, 0])
    state = rolling_state(modes, mesh)
    state.position[0], state.velocity[0] = -1e-9, 1e-2
    before = state.velocity.copy()
    state, _, _ = rolled(mesh, modes, [1e-6], 0.0, state, restitution)
    impulse = (1 + restitution) * 0.9 * 1e-2 / np.sum(shape**2)
    np.testing.assert_allclose(state.velocity, before - impulse * shape[0, 0], rtol=1e-4)
    approach = float(shape[0, 0] @ state.velocity)
    assert approach == pytest.approx(-restitution * 0.9e-2, rel=1e-4, abs=1e-7)


def test_what_bounces_comes_to_rest():
    """A mass that falls onto a stiff point bounces lower each time, then presses with the load."""
    mesh, modes = mesh_of(np.full((50, 1), 1e10), SHAPE), one_mass(0.05)
    state = rolling_state(modes, mesh)
    state.position[0] = -1e-5
    _, figures, record = rolled(mesh, modes, np.full(200, 2e-4), 300.0, state, 0.56, kept=1)
    assert figures[0, APART] == 1.0
    assert figures[-1, APART] == 0.0
    np.testing.assert_allclose(record[0, :, READ], 300.0, rtol=1e-3)


def test_a_free_pair_of_gears_is_one_mass_on_its_mesh():
    inertia, radii = np.array([0.012, 0.03]), np.array([0.07, -0.11])
    output = np.array([0.0, 1.0])
    train = Train(inertia, (), radii, radii, output, mesh_damping=40.0)
    modes = structure(train).modes
    mass = 1 / np.sum(radii**2 / inertia)
    assert len(modes.frequency) == 1
    assert modes.error[0] ** 2 == pytest.approx(1 / mass)
    assert modes.load[0] == pytest.approx(modes.error[0])
    assert modes.damping == 40.0


def test_modes_of_a_train_carry_its_static_compliance():
    """A spring holds the first gear, the second is free: pressed by a unit force, the first gives
    way as the spring lets it."""
    inertia, shafts = np.array([0.012, 0.03]), [Shaft(0, HELD, 2e5, 2.0)]
    approach, output = np.array([0.07, -0.11]), np.array([0.0, 1.0])
    modes = structure(Train(inertia, shafts, approach, approach, output)).modes
    assert modes.frequency[0] == 0
    assert modes.output[0] == pytest.approx(-1 / math.sqrt(inertia[1]))
    np.testing.assert_allclose(modes.decay, 0.5e-5 * modes.frequency**2)
    assert (modes.error[1] / modes.frequency[1]) ** 2 == pytest.approx(0.07**2 / 2e5)


def test_waves_with_the_gear_and_against_it_part():
    """Both modes of a pair that nothing touches, in a gear that turns: q̈_1 = Ω s q̇_2 - ω² q_1."""
    omega, turn, period = 2e4, 0.05, 1e-3
    mesh = mesh_of(np.full((400, 1), 1e9), np.zeros((1, 1, 3)), gap=1.0)
    modes = modes_of([0.0, omega, omega], [0, 0, 0], [0, 1, 0], [0, 0, 0], waves=1)
    modes = modes._replace(coriolis=np.array([0.0, turn, -turn]), spin=np.zeros(3))
    state = rolling_state(modes, mesh)
    state.position[1], state.velocity[2] = 1e-6, 3e-3
    half = 0.5 * turn / period  # Ω s/2
    energy = np.sum(state.velocity**2) + omega**2 * np.sum(state.position**2)
    rate = math.hypot(omega, half)
    # (q_1 - i q_2) e^{-i half t} swings with the rate
    begin = complex(state.position[1], -state.position[2])
    speed = complex(state.velocity[1], -state.velocity[2]) - 1j * half * begin
    cycles = 200
    state, _, _ = rolled(mesh, modes, np.full(cycles, period), 0.0, state)
    time = cycles * period
    swing = begin * math.cos(rate * time) + speed / rate * math.sin(rate * time)
    expected = swing * np.exp(1j * half * time)
    assert np.sum(state.velocity**2) + omega**2 * np.sum(state.position**2) == pytest.approx(
        energy, rel=1e-9
    )
    size = abs(begin) + abs(speed) / rate
    assert abs(complex(state.position[1], -state.position[2]) - expected) < 2e-3 * size


def test_the_square_of_the_speed_stiffens():
    omega, period = 2e4, 1e-3
    modes = modes_of([0.0, omega, omega], [0, 0, 0], [0, 1, 0], [0, 0, 0], waves=1)
    modes = modes._replace(coriolis=np.zeros(3), spin=np.array([0.0, 30.0, 30.0]))
    mesh = mesh_of(np.full((400, 1), 1e9), np.zeros((1, 1, 3)), gap=1.0)
    state = rolling_state(modes, mesh)
    state.position[1] = 1e-6
    state, _, _ = rolled(mesh, modes, np.full(3, period), 0.0, state)
    rate = math.sqrt(omega**2 + 30.0 / period**2)
    assert state.position[1] == pytest.approx(1e-6 * math.cos(rate * 3 * period), abs=1e-12)


def test_free_motions_follow_from_shafts():
    """Two rotors on one shaft, one held, one alone."""
    shafts = [Shaft(0, 1, 1e5), Shaft(2, HELD, 1e4), Shaft(4, 3, 1e3), Shaft(3, HELD, 1e3)]
    train = Train(np.ones(6), shafts, np.ones(6), np.ones(6), np.ones(6))
    np.testing.assert_array_equal(
        train.free_motions(), np.array([[1, 1, 0, 0, 0, 0], [0, 0, 0, 0, 0, 1]]).T
    )
