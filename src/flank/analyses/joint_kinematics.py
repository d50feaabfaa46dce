"""How the balls of a joint move in their tracks, and how its cage stands.

A track's frame is fixed on its race: x to the track's bottom, y across, z along it. A ball has a
place, a velocity and an angular velocity in it, and turns by a rotation that is followed from
record to record, so that it may go round as often as it likes.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flank.dynamics.spatial.quaternions import matrix_of
from flank.dynamics.trajectory import SpatialTrajectory
from flank.machines.cv_joint.assembly import JointAssembly

Z = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True)
class BallMotion:
    """Balls seen from the tracks of both races, (time, ball, race, 3), axes of the track."""

    place: NDArray  # of the centre, m, from where it is in the straight joint
    velocity: NDArray  # of the centre over the race, m/s
    spin: NDArray  # angular velocity against the race, rad/s
    turned: NDArray  # sum of the rotations from record to record, rad
    cardan: NDArray  # angles α, β, γ of the rotation since the first record, rad


def races(assembly: JointAssembly) -> list[int]:
    """Bodies of the races, in the order of `JointAssembly.tracks`."""
    return [assembly.outer, assembly.inner]


def track_axes(assembly: JointAssembly, rotation: NDArray) -> NDArray:
    """Unit vectors x, y, z of all tracks along the axes of space, (time, ball, race, axis, 3)."""
    matrices = matrix_of(rotation[:, races(assembly)])
    return np.einsum("trij,brkj->tbrki", matrices, assembly.track_frame)


def ball_motion(assembly: JointAssembly, trajectory: SpatialTrajectory) -> BallMotion:
    """Place, velocity and rotation of every ball in both of its tracks."""
    own, bodies = assembly.balls, races(assembly)
    axes = track_axes(assembly, trajectory.rotation)
    moved = trajectory.position[:, own, None] - trajectory.position[:, None, bodies]
    carried = np.cross(trajectory.velocity[:, None, bodies, 3:], moved)
    speed = trajectory.velocity[:, own, None] - trajectory.velocity[:, None, bodies]
    nominal = np.einsum("brkj,brj->brk", assembly.track_frame, assembly.track_origin)
    turning = axes @ matrix_of(trajectory.rotation[:, own])[:, :, None]
    return BallMotion(
        place=_along(axes, moved) - nominal,
        velocity=_along(axes, speed[..., :3] - carried),
        spin=_along(axes, speed[..., 3:]),
        turned=_turned(turning),
        cardan=cardan_angles(turning @ np.swapaxes(turning[:1], -1, -2)),
    )


def _along(axes: NDArray, vectors: NDArray) -> NDArray:
    return np.einsum("...ki,...i->...k", axes, vectors)


def _turned(matrices: NDArray) -> NDArray:
    """Rotation vectors from each record to the next, added up."""
    steps = rotation_vectors(matrices[1:] @ np.swapaxes(matrices[:-1], -1, -2))
    return np.concatenate([np.zeros_like(steps[:1]), np.cumsum(steps, axis=0)])


def rotation_vectors(matrices: NDArray) -> NDArray:
    """Axis times angle of rotations by less than half a turn, (..., 3, 3) to (..., 3)."""
    twist = 0.5 * np.stack(
        [
            matrices[..., 2, 1] - matrices[..., 1, 2],
            matrices[..., 0, 2] - matrices[..., 2, 0],
            matrices[..., 1, 0] - matrices[..., 0, 1],
        ],
        axis=-1,
    )
    sine = np.linalg.norm(twist, axis=-1)
    angle = np.arctan2(sine, 0.5 * (np.trace(matrices, axis1=-2, axis2=-1) - 1))
    return twist * np.divide(angle, sine, out=np.ones_like(sine), where=sine > 0)[..., None]


def cardan_angles(matrices: NDArray) -> NDArray:
    """α, β, γ of R = R_x(α) R_y(β) R_z(γ) over time, the first index; α and γ without jumps."""
    alpha = np.arctan2(-matrices[..., 1, 2], matrices[..., 2, 2])
    beta = np.arcsin(np.clip(matrices[..., 0, 2], -1.0, 1.0))
    gamma = np.arctan2(-matrices[..., 0, 1], matrices[..., 0, 0])
    return np.stack([np.unwrap(alpha, axis=0), beta, np.unwrap(gamma, axis=0)], axis=-1)


@dataclass(frozen=True)
class CageStand:
    """Angles over time: between the shafts, between the cage and the outer race, and how far the
    cage's axis is from the middle between the shafts' axes."""

    deflection: NDArray
    angle: NDArray
    deviation: NDArray


def cage_stand(assembly: JointAssembly, trajectory: SpatialTrajectory) -> CageStand:
    """Where the cage is against the plane that bisects the angle of the shafts."""
    bodies = [assembly.outer, assembly.housing, assembly.cage]
    outer, inner, cage = np.moveaxis(matrix_of(trajectory.rotation[:, bodies]) @ Z, 1, 0)
    middle = outer + inner
    return CageStand(_between(outer, inner), _between(outer, cage), _between(middle, cage))


def _between(first: NDArray, second: NDArray) -> NDArray:
    """Angles between vectors, exact for small ones."""
    cross = np.linalg.norm(np.cross(first, second), axis=-1)
    return np.arctan2(cross, np.einsum("...i,...i->...", first, second))
