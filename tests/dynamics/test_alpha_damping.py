"""Numerical damping of generalized-alpha is exactly the one of Chung & Hulbert (1993)."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flank.dynamics.builder import ModelBuilder
from flank.dynamics.march import march
from flank.dynamics.model import initial_state, workspace
from flank.dynamics.poses import record_of
from flank.dynamics.run import DynamicSettings, march_settings

MASS = 1.3


def oscillator(h_omega):
    """A body on a spring, and the step that makes h ω the wanted number."""
    b = ModelBuilder(1.0)
    body = b.body("mass", MASS, 1.0)
    b.bushing(0, body, MASS * 4.0)  # ω = 2
    return b, h_omega / 2.0


def literature_matrix(h_omega, rho):
    """One step of (q, h v, h² A), from J. Appl. Mech. 60, 371, Eqs. 1-7 and 17-25.

    (1 - α_m) A₁ + α_m A₀ + ω² [(1 - α_f) q₁ + α_f q₀] = 0 with Newmark's q₁(A₁) and v₁(A₁).
    """
    alpha_m, alpha_f = (2 * rho - 1) / (rho + 1), rho / (rho + 1)
    gamma = 0.5 - alpha_m + alpha_f
    beta = 0.25 * (1 - alpha_m + alpha_f) ** 2
    s = h_omega**2
    left = np.array([[1, 0, -beta], [0, 1, -gamma], [s * (1 - alpha_f), 0, 1 - alpha_m]])
    right = np.array([[1, 1, 0.5 - beta], [0, 1, 1 - gamma], [-s * alpha_f, 0, -alpha_m]])
    return np.linalg.solve(left, right)


def flank_matrix(h_omega, rho):
    """The same matrix, column by column, from one step of the integrator."""
    b, h = oscillator(h_omega)
    model = b.build()
    columns = []
    for column in range(3):
        state, work = initial_state(model, b.pose()), workspace(model)
        z = np.zeros(3)
        z[column] = 1.0
        state.position[1, 0], state.velocity[1, 0] = z[0], z[1] / h
        state.auxiliary[1, 0] = z[2] / h**2
        state.acceleration[1, 0] = -4.0 * z[0]
        asked = DynamicSettings(h, spectral_radius=rho, force_tolerance=1e-12, halvings=0)
        status, done = march(
            model,
            state,
            np.array([0.0, h]),
            1,
            march_settings(model, replace(asked, rescue_halvings=0), h),
            np.array([h, 0.0]),
            work,
            np.zeros(4, dtype=np.int64),
            record_of(state, 1),
        )
        assert (status, done) == (0, 1)
        columns.append(
            [state.position[1, 0], state.velocity[1, 0] * h, state.auxiliary[1, 0] * h**2]
        )
    return np.array(columns).T


@given(
    h_omega=st.floats(-2, 3).map(lambda exponent: 10.0**exponent),
    rho=st.floats(0.0, 1.0),
)
@settings(max_examples=40, deadline=None)
def test_amplification_is_that_of_the_literature(h_omega, rho):
    expected = literature_matrix(h_omega, rho)
    scale = np.max(np.abs(expected))
    round_off = (1e-12 + 2e-15 * h_omega**2) * scale  # forces are (h ω)² times the motion
    assert flank_matrix(h_omega, rho) == pytest.approx(expected, abs=round_off)


@pytest.mark.parametrize("rho", [0.0, 0.3, 0.8, 1.0])
@pytest.mark.parametrize("h_omega", [0.05, 0.5, 2.0, 10.0])
def test_spectral_radius(h_omega, rho):
    """Below 1 for rho < 1, equal to 1 for rho = 1, and never below rho."""

    def radius(m):
        return np.max(np.abs(np.linalg.eigvals(m)))

    measured = radius(flank_matrix(h_omega, rho))
    assert measured == pytest.approx(radius(literature_matrix(h_omega, rho)), abs=1e-10)
    assert rho - 1e-9 <= measured <= 1 + 1e-10
    if rho == 1.0:
        assert measured == pytest.approx(1.0, abs=1e-10)


@pytest.mark.parametrize("rho", [0.0, 0.25, 0.5, 0.8, 0.9, 1.0])
def test_spectral_radius_at_infinite_frequency_is_rho(rho):
    """All three roots tend to -ρ: the characteristic polynomial tends to (x + ρ)³.

    Coefficients are compared because a triple root is blurred by the cube root of round-off.
    """
    polynomial = np.poly(flank_matrix(1e5, rho))
    assert polynomial == pytest.approx([1, 3 * rho, 3 * rho**2, rho**3], abs=1e-8)


def test_energy_is_conserved_with_rho_one(march):
    """ρ = 1 is the trapezoidal rule: ½ m v² + ½ k q² is constant on a linear oscillator."""
    for h_omega in (0.1, 1.0, 10.0):
        b, h = oscillator(h_omega)
        velocity = np.zeros((2, 3))
        velocity[1, :2] = 1.0, -0.5
        pose = b.pose()
        pose[1, 0] = 0.3
        run = march(b.build(), pose, 500 * h, 500, velocity, rho=1.0, tolerance=1e-14)
        energy = run.energy(b.build())
        assert energy == pytest.approx(energy[0], rel=1e-12)


@pytest.mark.parametrize("rho", [0.0, 0.5, 0.8, 0.95])
@pytest.mark.parametrize("h_omega", [0.1, 0.5, 1.0])
def test_free_vibration_decays_in_every_step_by_the_spectral_radius(march, rho, h_omega):
    """The vibration is the principal mode of the amplification matrix: |w·z_n| = |λ|ⁿ |w·z_0|.

    w is the left eigenvector of the complex pair λ, z = (q, h v, h² A). The mechanical energy
    alone wavers by (h ω)² within a period, because A is not the acceleration of the end point.
    """
    b, h = oscillator(h_omega)
    pose = b.pose()
    pose[1, 0] = 0.3
    steps = 150
    run = march(b.build(), pose, steps * h, steps, rho=rho, tolerance=1e-14)
    values, vectors = np.linalg.eig(literature_matrix(h_omega, rho).T)
    principal = np.argmax(values.imag)
    z = np.stack([run.position, h * run.velocity, h * h * run.auxiliary])[:, :, 1, 0]
    amplitude = np.abs(vectors[:, principal] @ z)
    decay = abs(values[principal])
    assert decay < 1
    assert amplitude == pytest.approx(amplitude[0] * decay ** np.arange(steps + 1), rel=1e-10)


@pytest.mark.parametrize("rho", [0.0, 0.5, 0.8, 0.95])
def test_energy_is_lower_after_every_period(march, rho):
    """Once the start's mismatch of A has died out, no period ends with more than it began with."""
    period = 40
    b, h = oscillator(2 * np.pi / period)
    pose = b.pose()
    pose[1, 0] = 0.3
    run = march(b.build(), pose, 400 * h, 400, rho=rho, tolerance=1e-14)
    energy = run.energy(b.build())
    assert np.all(energy[period:] < energy[:-period])
