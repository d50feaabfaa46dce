"""Spatial models seen from Python: assembled forces and tangents, energies, moved poses."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from flank.dynamics.march import correct, predict
from flank.dynamics.motion import go_back, keep
from flank.dynamics.run import DynamicSettings, march_settings, solve_dynamics
from flank.dynamics.scatter import copy_rows
from flank.dynamics.schemes import rates_of
from flank.dynamics.spatial.assembly import assemble
from flank.dynamics.spatial.conditions import fill_rates, fill_second_rates
from flank.dynamics.spatial.inertia import add_motion
from flank.dynamics.spatial.model import SpatialModel, initial_state, workspace
from flank.dynamics.spatial.quaternions import matrix_of, quaternion_of
from flank.dynamics.spatial.space import place
from flank.dynamics.trajectory import SpatialPose
from flank.kernel import kernel

METHODS = ("generalized-alpha", "trapezoid")


@kernel
def _assemble(model, state, time, work, rate_factor, geometric_factor):
    return assemble(model, state, time, work, rate_factor, 1.0, geometric_factor)


@kernel
def _rates(model, state, time, work, explicit, second):
    fill_rates(model, time, work)
    for i in range(explicit.shape[0]):
        explicit[i] = work.constraint[i]
    fill_second_rates(model, state, time, work)
    for i in range(second.shape[0]):
        second[i] = work.constraint[i]


@kernel
def _residual(model, state, time, h, scheme, work, change):
    """Leave in `work` what Newton sees after its step `change` from the predicted end of a step."""
    rates = rates_of(scheme, h)
    keep(state, work)
    predict(state, h, scheme)
    copy_rows(change, work.step)
    correct(model, state, work, rates, 0.0, 1.0)
    place(state, work)
    assemble(model, state, time + h, work, rates.to_velocity, 1.0, 1.0)
    add_motion(model, state, work, rates.to_velocity, rates.to_acceleration, 0.0)
    go_back(state, work)


def newton_system(model, pose, acceleration, multipliers, h, settings, change):
    """Residual of Newton in a time step (bodies without ground, then joints) and its tangent, after
    a step `change` (bodies - 1, 6) from where it starts."""
    state, work = _placed(model, pose), workspace(model)
    state.acceleration[1:] = state.auxiliary[1:] = acceleration
    state.multipliers[: model.constraint_count] = multipliers
    full = np.vstack([np.zeros(6), np.reshape(change, (-1, 6))])
    _residual(model, state, 0.0, h, march_settings(model, settings, h).scheme, work, full)
    residual = np.concatenate([work.force[1:].ravel(), -work.constraint[: model.constraint_count]])
    return residual, work.core[:, : 6 * model.core_count].copy()


@dataclass(frozen=True)
class Assembled:
    """What `assemble` makes of a pose: forces (bodies, 6), tangent, rows C, residuals, energy."""

    force: NDArray
    load: NDArray
    tangent: NDArray  # of core bodies
    rows: NDArray
    residual: NDArray
    contact_results: NDArray
    energy: float


def assembled(
    model: SpatialModel,
    pose: SpatialPose,
    time: float = 0.0,
    multipliers: NDArray | None = None,
    rate_factor: float = 0.0,
    geometric_factor: float = 1.0,
) -> Assembled:
    state, work = _placed(model, pose), workspace(model)
    if multipliers is not None:
        state.multipliers[: model.constraint_count] = multipliers
    energy, _largest = _assemble(model, state, time, work, rate_factor, geometric_factor)
    size = 6 * model.core_count
    return Assembled(
        work.force.copy(),
        work.load.copy(),
        work.core[:size, :size].copy(),
        work.core[size:, :size].copy(),
        work.constraint[: model.constraint_count].copy(),
        state.contact_results[: model.counts[3]].copy(),
        energy,
    )


def condition_rates(model: SpatialModel, pose: SpatialPose, time: float) -> tuple[NDArray, NDArray]:
    """∂c/∂t, and d²c/dt² without accelerations."""
    state, work = _placed(model, pose), workspace(model)
    explicit, second = np.zeros_like(work.constraint), np.zeros_like(work.constraint)
    _rates(model, state, time, work, explicit, second)
    return explicit[: model.constraint_count], second[: model.constraint_count]


def _placed(model: SpatialModel, pose: SpatialPose):
    return initial_state(model, pose.position, pose.rotation, pose.velocity)


def moved(pose: SpatialPose, change: NDArray) -> SpatialPose:
    """After x += δx, R → exp(α) R of every body but ground; change (bodies - 1, 6)."""
    change = np.reshape(change, (-1, 6))
    position = pose.position.copy()
    position[1:] += change[:, :3]
    turned = Rotation.from_rotvec(change[:, 3:]).as_matrix() @ matrix_of(pose.rotation[1:])
    rotation = np.vstack([pose.rotation[:1], [quaternion_of(matrix) for matrix in turned]])
    return SpatialPose(position, rotation, pose.velocity)


def differences(function, size: int, step: float) -> NDArray:
    """Central differences of a function of `size` coordinates, a column each."""
    columns = [(function(step * e) - function(-step * e)) / (2 * step) for e in np.eye(size)]
    return np.column_stack(columns)


def start(builder, velocity: NDArray | None = None) -> SpatialPose:
    """The pose as built; `velocity` is that of all bodies but ground."""
    position, rotation = builder.pose()
    full = np.zeros((len(position), 6))
    if velocity is not None:
        full[1:] = velocity
    return SpatialPose(position, rotation, full)


def run(builder, duration, step, velocity=None, method="generalized-alpha", records=0, **settings):
    """`solve_dynamics` of what is built, which must complete."""
    found = solve_dynamics(
        builder.build(),
        start(builder, velocity),
        duration,
        DynamicSettings(step=step, method=method, **settings),
        records=records,
    )
    assert found.complete, found.status.sentence
    return found


def rates(errors) -> NDArray:
    """Observed order between successive halvings of the step."""
    errors = np.array(errors)
    return np.log2(errors[:-1] / errors[1:])


def kinetic_energy(model: SpatialModel, trajectory) -> NDArray:
    """At every record, J."""
    matrix = matrix_of(trajectory.rotation)
    spin = np.einsum("tbji,tbj->tbi", matrix, trajectory.velocity[:, :, 3:])  # along body axes
    turning = np.einsum("tbi,bij,tbj->t", spin, model.inertia, spin)
    square = np.sum(trajectory.velocity[:, :, :3] ** 2, axis=-1)
    return 0.5 * (square @ model.mass + turning)


def angular_momentum(model: SpatialModel, trajectory) -> NDArray:
    """About the origin at every record, (time, 3)."""
    matrix = matrix_of(trajectory.rotation)
    tensor = np.einsum("tbij,bjk,tblk->tbil", matrix, model.inertia, matrix)
    own = np.einsum("tbij,tbj->ti", tensor, trajectory.velocity[:, :, 3:])
    moment = np.cross(trajectory.position, trajectory.velocity[:, :, :3])
    return own + np.einsum("tbi,b->ti", moment, model.mass)


def stored_energy(model: SpatialModel, trajectory) -> NDArray:
    """Of contacts and bushings at every record, J."""
    poses = (
        SpatialPose(*rows)
        for rows in zip(trajectory.position, trajectory.rotation, trajectory.velocity, strict=True)
    )
    return np.array([assembled(model, pose).energy for pose in poses])
