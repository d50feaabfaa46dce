"""What the contacts of a joint carry and how they slide, from what they report.

At a contact of a ball with its track, n points to the ball and the track's z along it. The ball's
angular velocity ω against the race and its centre's velocity v give along the track

    sliding = v·z - rolling,    rolling = R (ω x n)·z

and besides a sliding across the track, along z x n, and a drilling ω·n.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flank.analyses.joint_kinematics import races, track_axes
from flank.dynamics.trajectory import SpatialTrajectory
from flank.elasticity.elliptic_contact import EllipticContact, peak_pressure
from flank.machines.cv_joint.assembly import JointAssembly

SIDES = np.array([1.0, -1.0])
"""Sign of y of a track's flanks, in the order of `JointAssembly.tracks`."""


@dataclass(frozen=True)
class TrackContacts:
    """All contacts of balls with tracks, (time, ball, race, flank); not a number where open."""

    angle: NDArray  # of the contact from the bottom of the track, in its cross-section, rad
    rolling: NDArray  # m/s, along the track
    sliding_along: NDArray  # m/s, of the ball over the track
    sliding_across: NDArray  # m/s, along z x n
    drilling: NDArray  # rad/s, of the ball about the normal


def track_contacts(assembly: JointAssembly, trajectory: SpatialTrajectory) -> TrackContacts:
    """Where balls touch their tracks, and how they roll, slide and drill there."""
    touches = trajectory.touches[:, assembly.tracks]
    closed = touches["normal_force"] > 0
    axes = track_axes(assembly, trajectory.rotation)
    normal = touches["normal"]
    across, along = axes[..., None, 1, :], axes[..., None, 2, :]
    side = SIDES * _dot(-normal, across)
    angle = np.arctan2(side, _dot(-normal, axes[..., None, 0, :]))
    turning = trajectory.velocity[:, assembly.balls, None, 3:]
    turning = turning - trajectory.velocity[:, None, races(assembly), 3:]
    radius = assembly.model.contacts["sphere_radius"][assembly.tracks]
    rolling = radius * _dot(np.cross(turning[..., None, :], normal), along)
    sliding = touches["sliding"]
    return TrackContacts(
        angle=_where(closed, angle),
        rolling=_where(closed, rolling),
        sliding_along=_where(closed, _dot(sliding, along)),
        sliding_across=_where(closed, _dot(sliding, np.cross(along, normal))),
        drilling=_where(closed, touches["spin"]),
    )


def _dot(first: NDArray, second: NDArray) -> NDArray:
    return np.einsum("...i,...i->...", *np.broadcast_arrays(first, second))


def _where(closed: NDArray, values: NDArray) -> NDArray:
    return np.where(closed, values, np.nan)


def hertz_pressures(force: NDArray, contact: EllipticContact) -> NDArray:
    """Peak pressures p0 in Pa: they grow with the cube root of the force."""
    return peak_pressure(contact, 1.0) * np.cbrt(np.maximum(force, 0.0))


@dataclass(frozen=True)
class RaceLoads:
    """Sums of what contacts do to one body over time, along the axes of space: (time, 3)."""

    force: NDArray
    torque: NDArray  # about the origin of space, the joint's centre


def loads_on(assembly: JointAssembly, trajectory: SpatialTrajectory, body: int) -> RaceLoads:
    """Force and torque of all contacts on one body: normal forces, friction and drilling."""
    model = assembly.spatial
    contacts = model.contacts[: model.counts[3]]
    signs = (contacts["body_b"] == body).astype(float) - (contacts["body_a"] == body)
    own = np.flatnonzero(signs)
    touches = trajectory.touches[:, own]
    force = touches["normal_force"][..., None] * touches["normal"] + touches["friction"]
    torque = np.cross(touches["point"], force)
    torque += touches["drilling"][..., None] * touches["normal"]
    return RaceLoads(
        np.einsum("c,tci->ti", signs[own], force), np.einsum("c,tci->ti", signs[own], torque)
    )
