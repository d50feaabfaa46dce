"""A planar machine rebuilt in space gives the planar answer, by the control that both share.

The output stage of a cycloidal reducer: a disc on an eccentric crank, a spring in place of its
ring, and the pins of a loaded flange in the disc's holes, with play. In space joints about one
direction hold all bodies in their plane, and a pin is a sphere in a bore.
"""

import numpy as np
import pytest
from scipy import linalg

from flank.contact import Disc, PowerLaw, Surface, circle_in_hole
from flank.contact.spatial import SpatialSurface, Sphere, sphere_in_cylinder
from flank.dynamics.builder import ModelBuilder
from flank.dynamics.functions import constant, linear, rise
from flank.dynamics.linearize import linearize, mass_matrix, null_space, unit_turn
from flank.dynamics.run import DynamicSettings, solve_dynamics, solve_statics
from flank.dynamics.spatial.builder import SpatialBuilder
from flank.dynamics.spatial.quaternions import matrix_of
from flank.dynamics.trajectory import SpatialPose

ECCENTRICITY, CIRCLE, PIN, PINS = 1.3e-3, 40e-3, 5e-3, 6
HOLE = PIN + ECCENTRICITY + 20e-6
STIFFNESS, DAMPING = 5e8, 3.0
SPRING, SPRING_DAMPING = 5e4, 40.0
MASSES = {"crank": (0.3, 2e-5), "disc": (0.8, 9e-4), "flange": (1.2, 2e-3)}
ANGLES = 2 * np.pi * np.arange(PINS) / PINS
CENTRES = CIRCLE * np.column_stack([np.cos(ANGLES), np.sin(ANGLES)])
PLACES = {"crank": (0.0, 0.0), "disc": (ECCENTRICITY, 0.0), "flange": (0.0, 0.0)}


def in_the_plane(crank_angle, torque):
    b = ModelBuilder(CIRCLE)
    crank, disc, flange = (
        b.body(name, mass, inertia, (*PLACES[name], 0.0))
        for name, (mass, inertia) in MASSES.items()
    )
    b.revolute(0, crank)
    b.revolute(crank, disc, (ECCENTRICITY, 0.0))
    b.revolute(0, flange)
    b.rotation(0, crank, crank_angle)
    b.torsion_spring(0, disc, SPRING, damping=SPRING_DAMPING)
    b.torque(flange, torque)
    for x, y in CENTRES:
        surface = Surface(PowerLaw(STIFFNESS, 1.5), DAMPING)
        b.contact(circle_in_hole(Disc(disc, x, y, HOLE), Disc(flange, x, y, PIN), surface))
    return b.build(), b.pose()


def in_space(crank_angle, torque):
    b = SpatialBuilder(CIRCLE)
    crank, disc, flange = (
        b.body(name, mass, (0.6 * inertia, 0.6 * inertia, inertia), (*PLACES[name], 0.0))
        for name, (mass, inertia) in MASSES.items()
    )
    b.revolute(0, crank)
    b.revolute(crank, disc, at_a=(ECCENTRICITY, 0.0, 0.0))
    b.revolute(0, flange)
    b.rotation(0, crank, crank_angle)
    turning = {"turning_stiffness": (0, 0, SPRING), "turning_damping": (0, 0, SPRING_DAMPING)}
    b.bushing(0, disc, **turning)
    b.torque(flange, (0, 0, 1), torque)
    law = SpatialSurface(PowerLaw(STIFFNESS, 1.5), DAMPING)
    for x, y in CENTRES:
        hole, pin = (x, y, 0.0), (x, y, 0.0)
        b.contact(sphere_in_cylinder(disc, hole, (0, 0, 1), HOLE, Sphere(flange, PIN, pin), law))
    position, rotation = b.pose()
    return b.build(), SpatialPose(position, rotation, np.zeros((len(position), 6)))


def compare(plane, space, tolerance):
    """Poses and contact forces of two runs; the spatial one stays in its plane."""
    assert plane.complete
    assert space.complete
    matrix = matrix_of(space.rotation)
    turned = np.arctan2(matrix[..., 1, 0], matrix[..., 0, 0])
    expected = np.arctan2(np.sin(plane.position[..., 2]), np.cos(plane.position[..., 2]))
    assert space.position[..., :2] == pytest.approx(plane.position[..., :2], abs=tolerance * CIRCLE)
    assert turned == pytest.approx(expected, abs=tolerance)
    assert np.abs(space.position[..., 2]).max() < 1e-15
    assert np.abs(matrix[..., 2, :2]).max() < 1e-14
    forces = [run.contact_results["normal_force"] for run in (space, plane)]
    assert forces[0] == pytest.approx(forces[1], abs=1e-9 * forces[1].max())
    assert np.any(forces[1] > 0)


def test_equilibria_over_a_revolution():
    angles = np.linspace(0.0, 6.0, 13)
    arguments = (linear(1.0), constant(150.0))
    runs = [
        solve_statics(model, pose, angles)
        for model, pose in (in_the_plane(*arguments), in_space(*arguments))
    ]
    compare(*runs, 1e-9)
    assert runs[0].counters["contact_switches"] == runs[1].counters["contact_switches"] > 5


@pytest.mark.parametrize("method", ["generalized-alpha", "trapezoid"])
def test_motion_in_time(method):
    """With the same control of steps the two march through the same ones."""
    arguments = (linear(40.0), rise(150.0, 2e-3))
    settings = DynamicSettings(
        1e-4,
        method=method,
        force_tolerance=1e-11,
        discontinuity_tolerance=np.inf,
        penetration_tolerance=np.inf,
    )
    runs = [
        solve_dynamics(model, pose, 0.02, settings, stride=10)
        for model, pose in (in_the_plane(*arguments), in_space(*arguments))
    ]
    compare(*runs, 1e-9)
    speeds = (runs[0].velocity[..., 2], runs[1].velocity[..., 5])
    assert speeds[1] == pytest.approx(speeds[0], abs=1e-7 * np.abs(speeds[0]).max())


def frequencies_squared(model, at):
    basis = null_space(at.constraints)
    stiffness, mass = (
        basis.T @ matrix @ basis for matrix in (at.stiffness, mass_matrix(model, at.state))
    )
    return linalg.eigh(0.5 * (stiffness + stiffness.T), mass, eigvals_only=True)


def test_linearized():
    """The same free directions, frequencies and compliance at the loaded equilibrium."""
    arguments = (constant(0.7), constant(150.0))
    squares, compliance = [], []
    for model, pose in (in_the_plane(*arguments), in_space(*arguments)):
        run = solve_statics(model, pose, np.zeros(1))
        at = linearize(model, run.last if isinstance(pose, SpatialPose) else run.position[0])
        load = unit_turn(model, 3)
        squares.append(frequencies_squared(model, at))
        compliance.append(load @ at.solve(load))
    assert squares[1] == pytest.approx(squares[0], rel=1e-9)
    assert len(squares[0]) == 2
    assert compliance[1] == pytest.approx(compliance[0], rel=1e-8)
