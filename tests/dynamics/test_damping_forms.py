"""Forms of a contact's damping: restitution in closed form, no tension, energy that falls."""

import math

import numpy as np
import pytest

import flank
from flank.engine import (
    GROUND,
    Damping,
    Disc,
    DynamicSettings,
    ModelBuilder,
    PowerLaw,
    SpatialBuilder,
    SpatialPose,
    SpatialSurface,
    Sphere,
    Surface,
    circle_in_hole,
    kinetic_energy,
    solve_dynamics,
    sphere_on_plane,
    stored_energy,
)

MASS, RADIUS, STIFFNESS, SPEED = 0.05, 0.01, 1e7, 1.5
CRITICAL = 2 * math.sqrt(MASS * STIFFNESS)


def restitution(form, ratio):
    """v_out/v_in of a mass on F = k δ with the damping ratio ζ = c/(2 √(k m)) < 1.

    In approach only: δ' falls as of any damped spring until it is zero, at the phase
    atan(√(1-ζ²)/ζ) of the damped motion, and what is stored there comes back whole. Linear: bodies
    let go where k δ + c δ' is zero (Schwager and Pöschel 2007).
    """
    root = math.sqrt(1 - ratio**2)
    turned = math.atan2(root, ratio)  # until the motion turns back
    if form == "viscous":
        turned = math.pi - math.atan2(2 * ratio * root, 1 - 2 * ratio**2)
    return math.exp(-ratio / root * turned)


LINEAR = PowerLaw(STIFFNESS, 1.0)


def bounce(damping, step=1e-6, law=LINEAR):
    """A circle thrown across a hole of ground, up to its first rebound."""
    builder = ModelBuilder(RADIUS)
    ball = builder.body("ball", MASS, 0.4 * MASS * RADIUS**2)
    hole = Disc(GROUND, 0.0, 0.0, 0.0101)
    builder.contact(circle_in_hole(hole, Disc(ball, 0.0, 0.0, RADIUS), Surface(law, damping)))
    velocity = np.zeros((2, 3))
    velocity[ball, :2] = SPEED * np.cos(0.7), SPEED * np.sin(0.7)
    settings = DynamicSettings(step, spectral_radius=1.0, error_tolerance=1e-12)
    model = builder.build()
    return model, solve_dynamics(model, builder.pose(), 4e-4, settings, velocity)


@pytest.mark.parametrize("ratio", [0.05, 0.3, 0.7])
@pytest.mark.parametrize("form", ["approach", "viscous"])
def test_restitution_of_a_circle(form, ratio):
    model, run = bounce(Damping(ratio * CRITICAL, form))
    out = -run.velocity[-1, 1, :2] @ [np.cos(0.7), np.sin(0.7)]
    assert run.contact_results["normal_force"][-1, 0] == 0.0
    assert out / SPEED == pytest.approx(restitution(form, ratio), rel=1e-3)
    assert run.contact_results["normal_force"].min() == 0.0  # it never pulls
    energy = kinetic_energy(model, run.velocity) + stored_energy(model, run)
    assert np.diff(energy).max() < 1e-5 * energy[0]
    assert energy[-1] == pytest.approx(energy[0] * restitution(form, ratio) ** 2, rel=2e-3)


@pytest.mark.parametrize("form", ["approach", "viscous"])
def test_restitution_of_a_sphere_and_the_ledger_of_its_loss(form):
    """The law is one for plane and space."""
    builder = SpatialBuilder(RADIUS)
    inertia = (0.4 * MASS * RADIUS**2,) * 3
    ball = builder.body("ball", MASS, inertia, position=(0.0, 0.0, RADIUS + 1e-4))
    surface = SpatialSurface(PowerLaw(STIFFNESS, 1.0), Damping(0.3 * CRITICAL, form))
    builder.contact(sphere_on_plane(GROUND, (0, 0, 0), (0, 0, 1), Sphere(ball, RADIUS), surface))
    velocity = np.zeros((2, 6))
    velocity[ball, 2] = -SPEED
    settings = DynamicSettings(1e-6, spectral_radius=1.0, error_tolerance=1e-12)
    start = SpatialPose(*builder.pose(), velocity)
    run = solve_dynamics(builder.build(), start, 4e-4, settings)
    share = run.velocity[-1, ball, 2] / SPEED
    assert share == pytest.approx(restitution(form, 0.3), rel=1e-3)
    assert run.contact_results["normal_force"].min() == 0.0
    lost = 0.5 * MASS * SPEED**2 * (1 - share**2)
    assert run.ledger[-1].sum() == pytest.approx(lost, rel=2e-3)


def test_a_viscous_contact_lets_go_before_the_penetration_is_gone():
    _, run = bounce(Damping(0.3 * CRITICAL, "viscous"))
    apart = run.contact_results[:, 0]
    let_go = (apart["gap"] < 0.0) & (apart["normal_force"] == 0.0)
    assert let_go.sum() > 5
    deepest = int(np.argmin(apart["gap"]))
    assert np.flatnonzero(let_go)[0] > deepest


def test_a_constant_coefficient_jumps_at_first_touch():
    """The force of the first touch is c v, where Hunt and Crossley's begins at zero."""
    coefficient = 0.3 * CRITICAL
    peaks = {}
    for form in ("approach", "viscous", "hunt-crossley"):
        size = 1.0 if form == "hunt-crossley" else coefficient
        _, run = bounce(Damping(size, form), step=1e-7)
        force = run.contact_results["normal_force"][:, 0]
        peaks[form] = force[np.flatnonzero(force)[0]]
    for form in ("approach", "viscous"):
        assert peaks[form] == pytest.approx(coefficient * SPEED, rel=0.02)
    assert peaks["hunt-crossley"] < 0.05 * coefficient * SPEED


def test_a_number_is_hunt_and_crossleys():
    for law in (PowerLaw(STIFFNESS, 1.5), PowerLaw(STIFFNESS, 1.0)):
        _, plain = bounce(0.4, law=law)
        _, named = bounce(Damping(0.4, "hunt-crossley"), law=law)
        np.testing.assert_array_equal(plain.position, named.position)


def test_machines_take_their_form_from_the_spec():
    """A drive that swings loses other shares of its energy by each."""
    lost = {}
    for form, damping in ((None, "0.2 s/m"), ("approach", "300 N*s/m"), ("viscous", "300 N*s/m")):
        contact = {"damping": damping} | ({"damping_form": form} if form else {})
        machine = flank.preset("monocrank", {"contact": contact})
        result = flank.run(machine, "time-response", duration=2e-3, step=2e-5, points=50)
        assert result.complete
        lost[form] = float(result["lost_energy"])
    assert len(set(lost.values())) == 3
