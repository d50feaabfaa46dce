"""Rolling gears against closed forms, a general integrator, and what must not change."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from flank.dynamics.rolling import (
    APART,
    LOSSES,
    MEAN,
    READ,
    ROLLED,
    SQUARE,
    Modes,
    RollingMesh,
    roll,
    rolling_state,
    rolling_work,
)
from flank.dynamics.rolling_mesh import Train, structure

COMPLIANT = -1.0


def mesh_of(stiffness, shape, gap=0.0, slope=0.0):
    """Points whose stiffness (place, pair) varies over a base pitch; shape (place, pair, mode)."""
    stiffness = np.asarray(stiffness, dtype=float)
    places, pairs = stiffness.shape
    shape = np.broadcast_to(shape, (places, pairs, np.shape(shape)[-1])).copy()
    return RollingMesh(
        first_slot=np.zeros(places, dtype=np.int64),
        points=np.full(places, pairs),
        compliance=np.zeros((places, pairs, pairs)),
        gap=np.full((places, pairs), gap),
        constant=1 / stiffness,
        slope=np.full((places, pairs), slope),
        length=np.ones((places, pairs)),
        shape=shape,
        across=1,
        slots=pairs,
    )


def modes_of(frequency, decay, error, load, waves=None, pitch=0.0, damping=0.0):
    """Modes that do not go round; `waves` makes a pair of the last two."""
    count = len(frequency)
    partner, cosine, sine = np.arange(count), np.ones(count), np.zeros(count)
    if waves is not None:
        partner[-2:] = count - 1, count - 2
        cosine[-2:] = math.cos(waves * pitch)
        sine[-2:] = math.sin(waves * pitch), -math.sin(waves * pitch)
    given = (np.asarray(each, dtype=float) for each in (frequency, decay, error, error, load))
    return Modes(*given, partner, cosine, sine, damping)


def rolled(mesh, modes, periods, load, state=None, restitution=COMPLIANT, kept=0):
    state = rolling_state(modes, mesh) if state is None else state
    figures = np.zeros((len(periods), 6))
    record = np.zeros((kept, len(mesh.points), READ + mesh.slots))
    loads = np.full(len(periods), float(load))
    arguments = (np.asarray(periods, dtype=float), loads, restitution, figures, record)
    status, cycles = roll(mesh, modes, state, *arguments, rolling_work(modes, mesh))
    assert (status, cycles) == (ROLLED, len(periods))
    return state, figures, record


MASS = 0.8
STIFFNESS = 3e8
ONE = np.array([[[1 / math.sqrt(MASS)]]])


def one_mass(damping_ratio=0.0):
    rate = damping_ratio * math.sqrt(STIFFNESS / MASS)
    return modes_of([0.0], [rate], ONE[0, 0], ONE[0, 0])


def test_a_mass_on_a_spring_keeps_its_energy_over_a_thousand_cycles():
    """Contact is lost in every swing; the spring's work is its energy, whatever the step is."""
    mesh, modes = mesh_of(np.full((20, 1), STIFFNESS), ONE), one_mass()
    state = rolling_state(modes, mesh)
    load, raised = 1000.0, 1.5e-5
    state.position[0] = -raised * math.sqrt(MASS)
    state, figures, record = rolled(mesh, modes, np.full(1000, 1e-4), load, state, kept=1000)
    error, speed, force = (record[..., k].ravel() for k in (0, 1, READ))
    energy = 0.5 * MASS * speed**2 + 0.5 * force**2 / STIFFNESS - load * error
    np.testing.assert_allclose(energy, load * raised, rtol=5e-3)
    assert abs(energy[-2000:].mean() / energy[:2000].mean() - 1) < 1e-4
    assert figures[:, APART].mean() == pytest.approx(0.5, abs=0.35)


def test_contact_lost_and_regained_is_that_of_a_general_integrator():
    stiffness = STIFFNESS * (1 + 0.4 * np.cos(2 * np.pi * np.arange(400) / 400))[:, None]
    mesh, modes = mesh_of(stiffness, ONE), one_mass(0.03)
    frequency = math.sqrt(STIFFNESS / MASS) / (2 * math.pi)
    period = 1 / (0.9 * frequency)
    load = 2000.0

    def rates(time, values):
        phase = 2 * np.pi * time / period
        now = STIFFNESS * (1 + 0.4 * math.cos(phase))
        damping = 2 * 0.03 * math.sqrt(STIFFNESS * MASS) * values[1]
        return values[1], (load - now * max(values[0], 0.0) - damping) / MASS

    reference = solve_ivp(
        rates, (0, 30 * period), (0.0, 0.0), "DOP853", rtol=1e-9, atol=1e-14, max_step=period / 50
    )
    _, figures, record = rolled(mesh, modes, np.full(30, period), load, kept=1)
    assert record[0, -1, 0] == pytest.approx(reference.y[0, -1], rel=3e-3)
    assert figures[:, LOSSES].sum() > 10


def test_steps_halved_quarter_the_error():
    """Of a smooth motion: no contact is lost."""

    def end(places):
        phase = 2 * np.pi * np.arange(places) / places
        mesh = mesh_of(STIFFNESS * (1 + 0.1 * np.cos(phase))[:, None], ONE)
        _, _, record = rolled(mesh, one_mass(0.05), np.full(5, 8e-4), 2000.0, kept=1)
        return record[0, -1, 0]

    first, second, third, fourth = (end(places) for places in (100, 200, 400, 800))
    assert (first - second) / (second - third) == pytest.approx(4, rel=0.05)
    assert (second - third) / (third - fourth) == pytest.approx(4, rel=0.05)


def test_stiffness_without_load_dependence_scales_everything_with_the_load():
    mesh = mesh_of(STIFFNESS * (1 + 0.3 * (np.arange(100) < 60))[:, None], ONE)
    periods = np.geomspace(6e-4, 3e-4, 400)
    results = [rolled(mesh, one_mass(0.05), periods, load)[1] for load in (100.0, 3000.0)]
    assert results[0][:, APART].max() > 0
    np.testing.assert_allclose(results[0][:, MEAN] / 100, results[1][:, MEAN] / 3000, rtol=1e-6)
    np.testing.assert_array_equal(results[0][:, APART], results[1][:, APART])


def test_hand_over_excites_nothing():
    """Two pairs that carry the same all the time, and a wave around the gear that they meet at
    places which turn with it: what is at rest for the mesh stays at rest."""
    pitch, waves = 2 * math.pi / 17, 3
    angles = waves * pitch * np.linspace(0, 1, 50, endpoint=False)[:, None] - waves * pitch * (
        np.arange(2)
    )
    shape = np.zeros((50, 2, 3))
    shape[..., 0] = 1.1
    shape[..., 1], shape[..., 2] = 0.4 * np.cos(angles), 0.4 * np.sin(angles)
    modes = modes_of([0.0, 6e4, 6e4], [500.0, 900.0, 900.0], [1.1, 0, 0], [1.1, 0, 0], waves, pitch)
    mesh = mesh_of(np.full((50, 2), 1e8), shape)
    state, _, _ = rolled(mesh, modes, np.full(3000, 5e-4), 500.0)
    _, figures, record = rolled(mesh, modes, np.full(20, 5e-4), 500.0, state, kept=2)
    swing = np.sqrt(np.maximum(figures[:, SQUARE] - figures[:, MEAN] ** 2, 0.0))
    assert swing.max() < 1e-5 * figures[0, MEAN]
    step = np.ptp(record[..., 0])
    assert step < 1e-6 * figures[0, MEAN]


def test_a_damper_between_the_gears_is_that_of_the_free_motion():
    """Of one mode alone, both say the same; of two modes, a damper couples them."""
    mesh = mesh_of(STIFFNESS * (1 + 0.2 * (np.arange(200) < 90))[:, None], ONE)
    rate = 0.05 * math.sqrt(STIFFNESS / MASS)
    alone = modes_of([0.0], [rate], ONE[0, 0], ONE[0, 0])
    between = modes_of([0.0], [0.0], ONE[0, 0], ONE[0, 0], damping=2 * rate * MASS)
    periods = np.geomspace(6e-4, 3e-4, 100)
    first, second = (rolled(mesh, modes, periods, 900.0)[1] for modes in (alone, between))
    np.testing.assert_allclose(first[:, MEAN], second[:, MEAN], rtol=2e-3)
    halves = np.array([[[0.6, 0.8]]]) / math.sqrt(MASS)
    split = modes_of([0.0, 0.0], [0, 0], halves[0, 0], halves[0, 0], damping=2 * rate * MASS)
    third = rolled(mesh_of(1 / mesh.constant, halves), split, periods, 900.0)[1]
    np.testing.assert_allclose(third[:, MEAN], second[:, MEAN], rtol=1e-9)


def test_a_run_goes_on_bit_for_bit():
    mesh = mesh_of(STIFFNESS * (1 + 0.3 * (np.arange(60) < 30))[:, None], ONE, slope=2e-10)
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
    mesh, modes = mesh_of(np.full((50, 1), 1e10), ONE), one_mass(0.05)
    state = rolling_state(modes, mesh)
    state.position[0] = -1e-5
    _, figures, record = rolled(mesh, modes, np.full(200, 2e-4), 300.0, state, 0.56, kept=1)
    assert figures[0, APART] == 1.0
    assert figures[-1, APART] == 0.0
    np.testing.assert_allclose(record[0, :, READ], 300.0, rtol=1e-3)


def test_a_free_pair_of_gears_is_one_mass_on_its_mesh():
    inertia, radii = np.array([0.012, 0.03]), np.array([0.07, -0.11])
    output = np.array([0.0, 1.0])
    train = Train(inertia, *np.zeros((2, 2, 2)), radii, radii, output, mesh_damping=40.0)
    modes = structure(train).modes
    mass = 1 / np.sum(radii**2 / inertia)
    assert len(modes.frequency) == 1
    assert modes.error[0] ** 2 == pytest.approx(1 / mass)
    assert modes.load[0] == pytest.approx(modes.error[0])
    assert modes.damping == 40.0


def test_modes_of_a_train_carry_its_static_compliance():
    """A spring holds the first gear, the second is free: pressed by a unit force, the first gives
    way as the spring lets it."""
    inertia, shafts = np.array([0.012, 0.03]), np.diag([2e5, 0.0])
    approach, output = np.array([0.07, -0.11]), np.array([0.0, 1.0])
    modes = structure(Train(inertia, shafts, 1e-5 * shafts, approach, approach, output)).modes
    assert modes.frequency[0] == 0
    assert modes.output[0] == pytest.approx(-1 / math.sqrt(inertia[1]))
    np.testing.assert_allclose(modes.decay, 0.5e-5 * modes.frequency**2)
    assert (modes.error[1] / modes.frequency[1]) ** 2 == pytest.approx(0.07**2 / 2e5)
