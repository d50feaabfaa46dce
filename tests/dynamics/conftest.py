"""A march that shows velocities, accelerations and reactions too, and a numerical tangent."""

from dataclasses import dataclass

import numpy as np
import pytest
from consistent_start import start_consistently
from numpy.typing import NDArray

from flank.dynamics.assembly import assemble
from flank.dynamics.beams import mass_matrices
from flank.dynamics.march import march
from flank.dynamics.model import Model, initial_state, workspace
from flank.dynamics.poses import record_of
from flank.dynamics.run import DynamicSettings, march_settings


@dataclass(frozen=True)
class History:
    """Every step of a run: (time, body, 3) and the multipliers (time, constraint)."""

    time: NDArray
    position: NDArray
    velocity: NDArray
    acceleration: NDArray
    auxiliary: NDArray
    multipliers: NDArray
    force: NDArray  # normal force (time, contact)
    statuses: list[int]
    counters: NDArray

    def energy(self, model: Model) -> NDArray:
        """Kinetic energy plus the potential of contacts, springs and dead loads at time zero."""
        state, work = initial_state(model, self.position[0]), workspace(model)
        mass = mass_matrices(model.mass, model.beams)
        kinetic = 0.5 * np.einsum(
            "tic,cij,tjc->t", self.velocity, mass, self.velocity, optimize=True
        )
        potential = [
            assemble(model, state, q, state.velocity, 0.0, work, 0.0, 1.0, 1.0)[0]
            for q in self.position
        ]
        return kinetic + np.array(potential)


def march_in_time(
    model,
    start,
    duration,
    steps,
    velocity=None,
    rho=0.8,
    tolerance=1e-12,
    discontinuity=0.1,
    halvings=8,
) -> History:
    """`solve_dynamics`, one interval at a time, everything recorded."""
    times = np.linspace(0.0, duration, steps + 1)
    state, work = initial_state(model, start), workspace(model)
    if velocity is not None:
        state.velocity[:] = velocity
    statuses = [start_consistently(model, state, 0.0, work)]
    counters = np.zeros(4, dtype=np.int64)
    asked = DynamicSettings(
        times[1],
        spectral_radius=rho,
        force_tolerance=tolerance,
        maximum_iterations=25,
        discontinuity_tolerance=discontinuity,
        penetration_tolerance=np.inf,
        halvings=halvings,
        rescue_halvings=halvings,
    )
    settings = march_settings(model, asked, times[1])
    step = np.array([times[1], 0.0])
    record = record_of(state, 1)

    def snapshot():
        fields = (state.position, state.velocity, state.acceleration, state.auxiliary)
        rest = (state.multipliers, state.contact_results["normal_force"])
        return tuple(field.copy() for field in (*fields, *rest))

    rows = [snapshot()]
    for k in range(steps):
        interval = times[k : k + 2]
        status, _ = march(model, state, interval, 1, settings, step, work, counters, record)
        statuses.append(status)
        rows.append(snapshot())
    columns = [np.array(column) for column in zip(*rows, strict=True)]
    return History(times, *columns, statuses, counters)


def tangents(model, position, velocity, time=0.0, multipliers=None, eps=1e-6):
    """Analytic K, D and C of all core bodies, and K and D by central differences of the force."""
    state, work = initial_state(model, position), workspace(model)
    if multipliers is not None:
        state.multipliers[:] = multipliers
    size = 3 * model.core_count

    def force(q, v):
        assemble(model, state, q, v, time, work, 0.0, 1.0, 1.0)
        return work.force[1 : model.core_count + 1].ravel().copy()

    def matrix(rate_factor):
        assemble(model, state, position, velocity, time, work, rate_factor, 1.0, 1.0)
        return work.core.copy()

    def difference(which):
        columns = []
        for j in range(size):
            change = np.zeros_like(position)
            change[1 + j // 3, j % 3] = eps
            up, down = [
                force(position + s * change, velocity)
                if which == "position"
                else force(position, velocity + s * change)
                for s in (1, -1)
            ]
            columns.append(-(up - down) / (2 * eps))
        return np.array(columns).T

    stiffness = matrix(0.0)
    damping = (matrix(1.0) - stiffness)[:size, :size]
    return (
        stiffness[:size, :size],
        damping,
        stiffness[size:, :size],
        difference("position"),
        difference("velocity"),
    )


@pytest.fixture(scope="session", name="march")
def march_fixture():
    return march_in_time


@pytest.fixture(scope="session")
def tangents_of():
    return tangents
