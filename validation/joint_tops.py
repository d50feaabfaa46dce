"""Bodies without and with one held point against closed solutions, for both integrators.

Free symmetric top (Landau and Lifshitz, Mechanics, §33), free asymmetric body (§37), heavy
symmetric top in steady precession (§35). Orders of convergence come from halving the step.
"""

import math
from collections.abc import Callable, Iterator
from typing import get_args

import numpy as np
from cases import Case
from numpy.typing import NDArray
from scipy.special import ellipj, ellipk

from flank.dynamics.functions import constant
from flank.dynamics.run import DynamicSettings, solve_dynamics
from flank.dynamics.schemes import Method
from flank.dynamics.spatial.builder import SpatialBuilder
from flank.dynamics.spatial.quaternions import matrix_of, rotation_about
from flank.dynamics.tables import GROUND
from flank.dynamics.trajectory import SpatialPose, SpatialTrajectory

METHODS = tuple(method for method in get_args(Method) if method != "runge-kutta")
"""Those of bodies in space."""
STEPS = 1600
"""Of the finer run."""

SYMMETRIC = (2e-3, 2e-3, 3.2e-3)
ASYMMETRIC = np.array([1e-3, 2e-3, 2.6e-3])
UP = np.array([0.0, 0.0, 1.0])


def march(
    b: SpatialBuilder, velocity: NDArray, duration: float, steps: int, method: Method
) -> SpatialTrajectory:
    """One body, moving as given, in equal steps."""
    still = np.zeros(6)
    start = SpatialPose(*b.pose(), np.array([still, velocity]))
    settings = DynamicSettings(duration / steps, method=method, force_tolerance=1e-12)
    found = solve_dynamics(b.build(), start, duration, settings)
    if not found.complete:
        raise RuntimeError(found.status.sentence)
    return found


def angle_between(first: NDArray, second: NDArray) -> float:
    """Of two rotations."""
    turn = first @ second.T
    twist = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
    return math.atan2(float(np.linalg.norm(twist)), float(np.trace(turn)) - 1)


def symmetric_error(method: Method, steps: int) -> float:
    """Angle in rad by which the rotation is wrong after 1.5 s, about three turns."""
    duration, spin, start = 1.5, np.array([3.0, -1.0, 9.0]), rotation_about((1, 2, 0.5), 0.8)
    across, _, along = SYMMETRIC
    axis = start[:, 2]
    own = float(spin @ axis)
    momentum = across * spin + (along - across) * own * axis
    carried = rotation_about(momentum, float(np.linalg.norm(momentum)) / across * duration)
    exact = carried @ rotation_about(axis, (1 - along / across) * own * duration) @ start
    b = SpatialBuilder(0.1)
    b.body("top", 1.3, SYMMETRIC, rotation=start)
    found = march(b, np.r_[0, 0, 0, spin], duration, steps, method)
    return angle_between(matrix_of(found.rotation[-1, 1]), exact)


def asymmetric_error(method: Method, steps: int) -> float:
    """Largest error of the spin over a period, over the spin: ω = (p cn, q sn, r dn) of Ω t."""
    (a, b_, c), (p, r) = ASYMMETRIC, (2.0, 7.0)
    pace = r * math.sqrt((c - b_) * (c - a) / (a * b_))
    q = p * math.sqrt(a * (c - a) / (b_ * (c - b_)))
    square = (p / r) ** 2 * a * (b_ - a) / (c * (c - b_))
    b = SpatialBuilder(0.1)
    b.body("body", 1.3, ASYMMETRIC)
    found = march(b, np.array([0, 0, 0, p, 0, r]), 4 * ellipk(square) / pace, steps, method)
    sn, cn, dn, _ = ellipj(pace * found.time, square)
    spin = np.einsum("tji,tj->ti", matrix_of(found.rotation[:, 1]), found.velocity[:, 1, 3:])
    return float(np.abs(spin - np.stack([p * cn, q * sn, r * dn], axis=-1)).max()) / r


def heavy_error(method: Method, steps: int) -> float:
    """Place of the centre of mass after a quarter turn of the steady precession, over its arm:
    A Ω² cos θ - C ω₃ Ω + m g l = 0, A about the held point."""
    mass, arm, gravity, tilt, own = 0.8, 0.12, 9.81, 0.6, 200.0
    moments = (2e-3, 2e-3, 1.2e-3)
    about_point = moments[0] + mass * arm**2
    half = moments[2] * own / (2 * about_point * math.cos(tilt))
    pull = mass * gravity * arm / (about_point * math.cos(tilt))
    precession = half - math.sqrt(half**2 - pull)
    rotation = rotation_about((0, 1, 0), tilt)
    spin = precession * UP + (own - precession * math.cos(tilt)) * rotation[:, 2]
    b = SpatialBuilder(arm)
    top = b.body("top", mass, moments, arm * rotation[:, 2], rotation)
    b.spherical(GROUND, top, at_b=(0, 0, -arm))
    b.force(top, (0, 0, -gravity), constant(mass))
    velocity = np.r_[np.cross(spin, arm * rotation[:, 2]), spin]
    found = march(b, velocity, 0.5 * math.pi / precession, steps, method)
    exact = arm * np.array([0.0, math.sin(tilt), math.cos(tilt)])
    return float(np.linalg.norm(found.position[-1, 1] - exact)) / arm


Error = Callable[[Method, int], float]
TOPS: tuple[tuple[str, str, Error, int, float], ...] = (
    ("free symmetric top", "error of its rotation in rad", symmetric_error, STEPS, 1e-4),
    ("free asymmetric body", "error of its spin, relative", asymmetric_error, STEPS, 1e-4),
    ("heavy symmetric top", "error of its place, over its arm", heavy_error, 4 * STEPS, 1e-4),
)


def top_cases() -> Iterator[Case]:
    for name, what, error, steps, allowed in TOPS:
        for method in METHODS:
            counts = (steps // 4, steps // 2, steps)
            errors = [error(method, count) for count in counts]
            _, coarse, fine = errors
            rate = tuple((1 / count, off) for count, off in zip(counts, errors, strict=True))
            title = f"{name}, {method}"
            yield Case(f"{title}: {what}, {steps} steps", "closed form", 0.0, fine, "", allowed)
            order = math.log2(coarse / fine)
            name_of_order = f"{title}: order of convergence"
            yield Case(name_of_order, "second order", 2.0, order, "", 0.05, rate)
