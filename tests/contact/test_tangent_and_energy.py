"""Force against the gradient of the energy, and the tangent against differences of the force.

Angles are weighed by a length of 0.05 m, so that all columns of the tangent are in N/m and one
relative tolerance speaks for all of them.
"""

import numpy as np
import pytest

from flank.contact import FoundationLaw, Friction, PowerLaw, StickFriction, Surface
from flank.elasticity.line_contact import Cylinder, line_law
from flank.elasticity.material import STEEL

LENGTH = 0.05
WEIGHT = np.array([1, 1, 1 / LENGTH, 1, 1, 1 / LENGTH])
DEPTH = 50e-6
STEP = 2e-7  # m
STENCIL = [(-2, 1 / 12), (-1, -8 / 12), (1, 8 / 12), (2, -1 / 12)]
PLACES = [(0.07, (0.01, -0.02, 0.4), -0.9), (0.52, (-0.03, 0.01, 2.0), 0.3)]
ROUND = ["outside", "inside", "circle outline", "circle bore", "needle"]
HERTZ = line_law(Cylinder(9e-3, STEEL), Cylinder(3.5e-3, STEEL), 0.01)


def differences(function):
    """∂function/∂(coordinates of A and B), weighed; fourth order."""
    columns = []
    for k in range(6):
        shift = np.zeros((3, 3))
        shift[1 + k // 3, k % 3] = STEP * WEIGHT[k]
        columns.append(sum(w * function(s * shift) for s, w in STENCIL) / STEP)
    return np.array(columns).T


def weighed_force(result):
    return result.force[1:].ravel() * WEIGHT


def weighed_tangent(result):
    return result.tangent * np.outer(WEIGHT, WEIGHT)


def tangent_error(here, position, velocity=None):
    """Largest entry of the difference, and the largest entry of the tangent."""
    expected = -differences(lambda shift: weighed_force(here.solve(position + shift, velocity)))
    got = weighed_tangent(here.solve(position, velocity))
    return np.abs(got - expected).max(), np.abs(expected).max()


@pytest.mark.parametrize("place", PLACES)
def test_force_is_minus_the_gradient_of_the_energy(scene, finder, stiff, place):
    here = scene(finder, Surface(stiff))
    position = here.pose(place[0], DEPTH, *place[1:])
    force = weighed_force(here.solve(position))
    gradient = differences(lambda shift: here.solve(position + shift).energy)
    assert np.abs(force + gradient).max() < 1e-8 * np.abs(force).max()


@pytest.mark.parametrize("name", ROUND)
def test_hertz_force_is_minus_the_gradient_of_the_energy(scene, name):
    here = scene(name, Surface(HERTZ))
    position = here.pose(*PLACES[0][:1], DEPTH, *PLACES[0][1:])
    force = weighed_force(here.solve(position))
    gradient = differences(lambda shift: here.solve(position + shift).energy)
    assert np.abs(force + gradient).max() < 1e-8 * np.abs(force).max()


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("exponent", [1.0, 10 / 9, 1.5])
def test_tangent_equals_the_difference_of_forces(scene, finder, place, exponent):
    """Frictionless: 1e-7 of the stiffness, a hundred thousand times less than what the turning of
    the normal adds (f/ρ against k)."""
    here = scene(finder, Surface(PowerLaw(2e9, exponent)))
    position = here.pose(place[0], DEPTH, *place[1:])
    error, size = tangent_error(here, position)
    assert error < 1e-7 * size
    bare = weighed_tangent(here.solve(position, geometric_factor=0.0))
    whole = weighed_tangent(here.solve(position))
    assert np.abs(bare - whole).max() > 1e-4 * size  # the test would see it missing


@pytest.mark.parametrize("name", ROUND)
def test_tangent_of_the_hertz_law(scene, name):
    here = scene(name, Surface(HERTZ))
    error, size = tangent_error(here, here.pose(PLACES[1][0], DEPTH, *PLACES[1][1:]))
    assert error < 1e-7 * size


@pytest.mark.parametrize("law", ["hertz", "foundation"])
def test_laws_that_know_the_curvature_follow_it(scene, law):
    """Along a flank the curvature under the foot point changes, and with it force and energy at
    equal penetration: the force is the energy's gradient all the same. The tangent leaves out how
    the curvature's slope changes, which falls with the penetration."""
    surface = Surface(HERTZ if law == "hertz" else FoundationLaw(1e13))
    here = scene("cycloid", surface)
    shares = []
    for depth in (10e-6, 5e-6):
        position = here.pose(0.07, depth, *PLACES[0][1:])
        error, size = tangent_error(here, position)
        force = weighed_force(here.solve(position))
        gradient = differences(lambda shift, at=position: here.solve(at + shift).energy)
        shares.append((error / size, np.abs(force + gradient).max() / np.abs(force).max()))
    assert max(share[1] for share in shares) < 1e-6
    assert shares[0][0] < 1e-4
    assert shares[1][0] < 0.7 * shares[0][0]


def test_without_the_turning_of_forces_the_tangent_is_positive(scene, finder, stiff):
    """geometric = 0 leaves k J Jᵀ: symmetric, rank one, no negative direction."""
    here = scene(finder, Surface(stiff))
    position = here.pose(0.3, DEPTH, (0.01, 0.02, 0.3), 1.0)
    bare = weighed_tangent(here.solve(position, geometric_factor=0.0))
    values = np.linalg.eigvalsh(bare)
    assert np.abs(bare - bare.T).max() < 1e-14 * values[-1]
    assert values[-1] > 1e6
    assert np.abs(values[:-1]).max() < 1e-9 * values[-1]


def test_frictionless_tangent_is_symmetric(scene, finder, stiff):
    here = scene(finder, Surface(stiff))
    tangent = weighed_tangent(here.solve(here.pose(0.3, DEPTH, (0.01, 0.02, 0.3), 1.0)))
    assert np.abs(tangent - tangent.T).max() < 1e-13 * np.abs(tangent).max()


SURFACES = {
    "damped": Surface(PowerLaw(2e9, 10 / 9), 10.0),
    "smooth friction": Surface(PowerLaw(2e9, 10 / 9), 0.0, Friction(0.1, 5e-3, "smooth")),
    "linear friction": Surface(PowerLaw(2e9, 10 / 9), 0.0, Friction(0.1, 0.5, "linear")),
    "stick friction": Surface(PowerLaw(2e9, 10 / 9), 0.0, StickFriction(0.1, 0.15, 0.05, 5e-3)),
    "both": Surface(PowerLaw(2e9, 10 / 9), 10.0, Friction(0.1, 5e-3, "smooth")),
}


def moving(seed):
    velocity = np.random.default_rng(seed).normal(0, 1, (3, 3)) * [3e-3, 3e-3, 0.1]
    velocity[0] = 0.0
    return velocity


@pytest.mark.parametrize("surface", SURFACES)
def test_rate_part_is_exact(scene, finder, surface):
    """tangent(rate factor 1) - tangent(0) is minus the difference of forces by velocities."""
    here = scene(finder, SURFACES[surface])
    position, velocity = here.pose(0.52, DEPTH, (0.01, -0.02, 0.4), -0.9), moving(1)
    h = 1e-5
    columns = []
    for k in range(6):
        shift = np.zeros((3, 3))
        shift[1 + k // 3, k % 3] = h * WEIGHT[k]
        forces = [w * weighed_force(here.solve(position, velocity + s * shift)) for s, w in STENCIL]
        columns.append(sum(forces) / h)
    expected = -np.array(columns).T
    with_rate, without = (
        weighed_tangent(here.solve(position, velocity, factor)) for factor in (1.0, 0.0)
    )
    size = np.abs(expected).max()
    if finder == "needle" and "friction" in surface:
        assert not (with_rate - without).any()  # needles roll
        return
    assert size > 1
    assert np.abs(with_rate - without - expected).max() < 1e-6 * size


def test_rate_factor_scales(scene, finder):
    here = scene(finder, SURFACES["both"])
    position, velocity = here.pose(0.52, DEPTH, (0.01, -0.02, 0.4), -0.9), moving(2)
    zero, one, seven = (here.solve(position, velocity, f).tangent for f in (0.0, 1.0, 7.0))
    difference = seven - zero - 7 * (one - zero)
    assert np.abs(difference).max() < 1e-12 * np.abs(seven).max()


@pytest.mark.parametrize("name", ["outside", "inside", "cycloid", "polyline"])
def test_position_part_with_friction_omits_only_its_turning(scene, name):
    """Left out: μ f times how the friction's direction and arm turn, 1/m. Its size is μ f/r."""
    friction = Friction(0.1, 1e-6, "linear")  # saturated: the share does not change
    here = scene(name, Surface(PowerLaw(2e9, 10 / 9), 0.0, friction))
    position, velocity = here.pose(0.52, DEPTH, (0.01, -0.02, 0.4), -0.9), moving(3)
    error, size = tangent_error(here, position, velocity)
    force = here.solve(position, velocity).contact_result["normal_force"]
    assert error < 3 * 0.1 * force / here.row["b_radius"]
    assert error < 5e-3 * size


@pytest.mark.parametrize("name", ["outside", "inside", "cycloid", "needle"])
def test_position_part_with_damping_omits_only_the_turning_of_the_rate(scene, name):
    """Left out: F d J (H v)ᵀ, how the gap's rate changes with the pose at fixed velocities."""
    here = scene(name, SURFACES["damped"])
    position, velocity = here.pose(0.52, DEPTH, (0.01, -0.02, 0.4), -0.9), moving(3)
    error, size = tangent_error(here, position, velocity)
    assert error < 5e-3 * size
    slow, _ = tangent_error(here, position, 0.1 * velocity)
    assert slow < 0.2 * error  # it goes with the velocity
