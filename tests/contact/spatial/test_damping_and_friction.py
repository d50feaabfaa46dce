"""Damping never pulls, friction never feeds, drilling has the torque of a Hertz contact."""

import numpy as np
import pytest
from scipy.integrate import dblquad
from scipy.special import ellipe
from spatial_contact import NAMES, Answer, posed, surface, touching_point

from flank.contact.friction import drilling_radius, friction_coefficient
from flank.contact.spatial import PowerLaw, SpatialSurface, StickFriction

STICK = StickFriction(sliding=0.03, static=0.05, static_velocity=0.1, stick_velocity=1e-3)
RUBBING = SpatialSurface(PowerLaw(3e10), damping=1.0, friction=STICK, drilling_length=2e-4)


def coefficient(speed):
    held, slope = friction_coefficient(
        speed, STICK.sliding, STICK.static, STICK.static_velocity, STICK.stick_velocity
    )
    return held * speed, held, slope


def on_plane(law, depth=4e-5, approach=0.0, sliding=0.0, spin=0.0):
    """Ball on a plane with given velocities, and the answer of the contact."""
    row = surface("plane", law)
    row["arm"] = 0.0
    point = np.array([row["sphere_radius"] - depth, 0.0, 0.0])
    pose = posed(row, point)
    normal, across = (pose.matrix[0] @ row["frame"][k] for k in (0, 1))
    pose.velocity[1, :3] = sliding * across - approach * normal
    pose.velocity[1, 3:] = spin * normal
    return Answer(row, pose)


@pytest.mark.parametrize("approach", [-100.0, -2.0, -0.5, 0.0, 0.5, 10.0])
def test_no_tension(approach):
    law = SpatialSurface(PowerLaw(3e10), damping=1.0, friction=STICK)
    answer = on_plane(law, approach=approach, sliding=0.1)
    elastic = on_plane(law).contact_result["normal_force"]
    expected = elastic * max(0.0, 1.0 + approach)
    assert answer.contact_result["normal_force"] == pytest.approx(expected, abs=1e-6)
    assert answer.force[6:9] @ answer.contact_result["normal"] >= -1e-9
    assert np.linalg.norm(answer.contact_result["friction"]) <= STICK.static * expected
    assert answer.contact_result["damping_power"] >= 0.0
    assert np.isfinite(answer.tangent(100.0)).all()


def test_no_jump_at_first_touch():
    law = SpatialSurface(PowerLaw(3e10), damping=1.0, friction=STICK, drilling_length=2e-4)
    forces = [
        np.abs(on_plane(law, depth=depth, approach=5.0, sliding=1.0, spin=20.0).force).max()
        for depth in (1e-6, 1e-8, 1e-10, 1e-12)
    ]
    np.testing.assert_allclose(np.array(forces[1:]) / forces[:-1], 1e-3, rtol=0.02)


@pytest.mark.parametrize("name", NAMES)
def test_power_is_what_energy_loses(name):
    """dU/dt + friction + damping = -Q·q̇, and neither friction nor damping feeds."""
    row = surface(name, RUBBING)
    generator = np.random.default_rng(3)
    for scale in (1e-4, 1e-2, 0.2):
        pose = posed(row, touching_point(name), scale * generator.normal(size=(2, 6)))
        answer = Answer(row, pose)
        step = 1e-8 / scale
        ahead, behind = (
            Answer(row, pose.moved(sign * step * pose.velocity.ravel())).energy for sign in (1, -1)
        )
        stored = (ahead - behind) / (2 * step)
        lost = answer.contact_result["friction_power"] + answer.contact_result["damping_power"]
        power = answer.force @ pose.velocity.ravel()
        assert answer.contact_result["friction_power"] > 0.0
        assert answer.contact_result["damping_power"] >= 0.0
        assert stored + lost == pytest.approx(-power, abs=1e-6 * max(abs(stored), lost))


def test_friction_acts_against_the_sliding():
    contact_result = on_plane(
        SpatialSurface(PowerLaw(3e10), friction=STICK), sliding=0.5
    ).contact_result
    expected = (
        -coefficient(0.5)[0] * contact_result["normal_force"] * contact_result["sliding"] / 0.5
    )
    np.testing.assert_allclose(contact_result["friction"], expected, rtol=1e-12)


def test_coefficient_peaks_below_static_and_falls_to_sliding_friction():
    speeds = np.geomspace(1e-6, 1.0, 4001)
    values = np.array([coefficient(speed)[0] for speed in speeds])
    peak = values.argmax()
    assert STICK.sliding < values[peak] < STICK.static
    assert values[peak] == pytest.approx(0.0492, abs=5e-5)
    assert (np.diff(values[: peak + 1]) > 0).all()
    assert (np.diff(values[peak:]) < 0).all()
    assert coefficient(10.0)[0] == pytest.approx(STICK.sliding, rel=1e-14)


def test_coefficient_is_that_of_the_formula():
    for speed in (3e-4, 2e-2, 0.4):
        expected = (0.03 + 0.02 * np.exp(-speed / 0.1)) * np.tanh(speed / 1e-3)
        assert coefficient(speed)[0] == pytest.approx(expected, rel=1e-14)


def test_slope_of_the_coefficient():
    for speed in (1e-5, 8e-4, 3e-3, 0.05, 0.7):
        step = 1e-4 * speed
        slope = (coefficient(speed + step)[0] - coefficient(speed - step)[0]) / (2 * step)
        assert coefficient(speed)[2] == pytest.approx(slope, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("speed", [0.0, 1e-300, 1e-20, 1e-12])
def test_friction_at_rest_is_viscous(speed):
    _, held, slope = coefficient(speed)
    assert held == pytest.approx(STICK.static / STICK.stick_velocity, rel=1e-8)
    assert slope == pytest.approx(held, rel=1e-8)


def hertz_drilling(long_axis, short_axis):
    """Torque over μ F about the normal of a patch that spins, from the pressure of Hertz."""

    def ring(angle, radius):  # points (a ρ cos φ, b ρ sin φ), pressure √(1 - ρ²)
        arm = radius * np.hypot(long_axis * np.cos(angle), short_axis * np.sin(angle))
        return 1.5 / np.pi * np.sqrt(1.0 - radius**2) * arm * radius

    return 4.0 * dblquad(ring, 0.0, 1.0, 0.0, np.pi / 2, epsabs=1e-10)[0]


@pytest.mark.parametrize("ellipticity", [1.0, 2.0, 7.14])
def test_drilling_radius_of_a_hertz_ellipse(ellipticity):
    """(3/8) a E(m), m = 1 - b²/a²; 3π/16 a of a circle."""
    expected = hertz_drilling(1.0, 1.0 / ellipticity)
    assert 0.375 * ellipe(1.0 - ellipticity**-2) == pytest.approx(expected, rel=1e-7)
    if ellipticity == 1.0:
        assert expected == pytest.approx(3.0 * np.pi / 16.0, rel=1e-7)


def test_drilling_torque_of_a_circle():
    """A ball that only spins fast on a plane: 3π/16 μ F a, a = (3 F R/4E*)^(1/3) of Hertz."""
    reduced, ball = 115.4e9, 8.731e-3
    radius_at_one_newton = (0.75 * ball / reduced) ** (1.0 / 3.0)
    law = SpatialSurface(
        PowerLaw(4.0 / 3.0 * reduced * np.sqrt(ball)),
        friction=STICK,
        drilling_length=3.0 * np.pi / 16.0 * radius_at_one_newton,
    )
    contact_result = on_plane(law, spin=1e5).contact_result
    force = contact_result["normal_force"]
    patch = (0.75 * force * ball / reduced) ** (1.0 / 3.0)
    assert contact_result["drilling"] == pytest.approx(
        -3 * np.pi / 16 * STICK.sliding * force * patch
    )
    assert drilling_radius(1e-4, 8000.0) == pytest.approx(2e-3)


@pytest.mark.parametrize("spin", [0.0, 5.0, 200.0, 1e4])
def test_sliding_and_drilling_share_one_limit(spin):
    law = SpatialSurface(PowerLaw(3e10), friction=STICK, drilling_length=2e-5)
    contact_result = on_plane(law, sliding=0.05, spin=spin).contact_result
    radius = drilling_radius(2e-5, contact_result["normal_force"])
    used = np.hypot(np.linalg.norm(contact_result["friction"]), contact_result["drilling"] / radius)
    limit = coefficient(np.hypot(0.05, radius * spin))[0] * contact_result["normal_force"]
    assert used == pytest.approx(limit, rel=1e-12)


def exact_patch(ellipticity, direction, spin):
    """Force against the sliding and torque, over μ F, of a Hertz ellipse with the semi-axes 1 and
    1/k that slides with speed 1 and spins about its centre; sums over points of equal weight."""
    count = 200
    rank = (np.arange(count) + 0.5) / count
    radius = np.sqrt(1.0 - (1.0 - rank) ** (2.0 / 3.0))  # equal shares of the load
    angle = 2.0 * np.pi * rank
    x = np.outer(radius, np.cos(angle))
    y = np.outer(radius, np.sin(angle)) / ellipticity
    vx, vy = np.cos(direction) - spin * y, np.sin(direction) + spin * x
    speed = np.hypot(vx, vy)
    force = np.mean((vx * np.cos(direction) + vy * np.sin(direction)) / speed)
    return force, np.mean((x * vy - y * vx) / speed)


@pytest.mark.parametrize(
    ("ellipticity", "degrees", "force_bound", "torque_bound"),
    [(1.0, 0.0, 0.12, 0.15), (7.14, 0.0, 0.1, 0.1), (7.14, 90.0, 0.2, 0.35)],
    ids=["circle", "along the ellipse", "across the ellipse"],
)
def test_how_far_one_limit_is_from_a_patch_that_slides_and_spins(
    ellipticity, degrees, force_bound, torque_bound
):
    """Errors of the ellipsoid in shares of μ F and μ F r, the bounds told in the theory page."""
    radius = 0.375 * ellipe(1.0 - ellipticity**-2)
    errors = []
    for spin in np.geomspace(0.05, 50.0, 40):
        force, torque = exact_patch(ellipticity, np.radians(degrees), spin)
        speed = np.hypot(1.0, radius * spin)
        errors.append((abs(1.0 / speed - force), abs(radius * spin / speed - torque / radius)))
    force_error, torque_error = np.max(errors, axis=0)
    assert 0.8 * force_bound < force_error < force_bound
    assert 0.8 * torque_bound < torque_error < torque_bound
