"""Schemes of time integration: how position and velocity at the end of a step follow from
accelerations.

With the auxiliary acceleration A, and positions that move (rotations that turn) by the increment Δ,

    (1 - α_m) A₁ + α_m A₀ = (1 - α_f) a₁ + α_f a₀
    Δ = h v₀ + h² [(1/2 - β) A₀ + β A₁],    v₁ = v₀ + h [(1 - γ) A₀ + γ A₁].
"""

from typing import Literal, NamedTuple

from flank.kernel import kernel

Method = Literal["generalized-alpha", "trapezoid", "runge-kutta"]


class Scheme(NamedTuple):
    """Its coefficients, and whether a step ends with velocities and reactions made consistent."""

    alpha_m: float
    alpha_f: float
    gamma: float
    beta: float
    projects: bool


def scheme_of(method: Method, spectral_radius: float) -> Scheme:
    """Generalized-alpha damps what a step does not resolve, by the spectral radius ρ at infinite
    frequency: α_m = (2ρ - 1)/(ρ + 1), α_f = ρ/(ρ + 1), γ = 1/2 + α_f - α_m, β = (γ + 1/2)²/4
    (Chung and Hulbert 1993). The trapezoidal rule, α_m = α_f = 0, γ = 1/2, β = 1/4 and so
    Δ = h (v₀ + v₁)/2, damps nothing; reactions would alternate, hence it projects. Runge and
    Kutta's has no such coefficients (runge_kutta.py), and a start like generalized-alpha's.
    """
    trapezoid = method == "trapezoid"
    rho = float(spectral_radius)
    alpha_m = 0.0 if trapezoid else (2 * rho - 1) / (rho + 1)
    alpha_f = 0.0 if trapezoid else rho / (rho + 1)
    gamma = 0.5 + alpha_f - alpha_m
    return Scheme(alpha_m, alpha_f, gamma, 0.25 * (gamma + 0.5) ** 2, trapezoid)


class Rates(NamedTuple):
    """What a change of the increment Δ does to the rates at the end of a step."""

    to_velocity: float
    to_acceleration: float
    to_auxiliary: float


@kernel(internal=True)
def rates_of(scheme, h):
    return Rates(
        scheme.gamma / (scheme.beta * h),
        (1.0 - scheme.alpha_m) / ((1.0 - scheme.alpha_f) * scheme.beta * h * h),
        1.0 / (scheme.beta * h * h),
    )


@kernel(internal=True)
def error_coefficient(scheme):
    """Over h² |a₁ - a₀|: what the increment lacks of h³/6 times the rate of acceleration, A being
    the acceleration at (α_m - α_f) h later."""
    return abs(scheme.beta + 0.5 * (scheme.alpha_m - scheme.alpha_f) - 1.0 / 6.0)
