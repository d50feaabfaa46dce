"""What drives a joint, and a joint made ready to run.

Space: the origin is the joint's centre, z the axis of the outer race; the inner race's axis leans
from it to +x by the deflection angle, (sin β, 0, cos β).
"""

from dataclasses import dataclass

from numpy.typing import NDArray

from flank.dynamics.functions import Function
from flank.dynamics.spatial.model import SpatialModel
from flank.dynamics.trajectory import SpatialPose

OUTER, INNER = range(2)
"""Races, as numbered in `JointAssembly.tracks`."""


@dataclass(frozen=True)
class JointDrive:
    """Functions of time that move and load a joint.

    `torque` is what the joint transmits from the outer to the inner race: the load on the inner
    race about its own axis is minus it. `plunge` is the inner race's place along its own axis; None
    leaves it free.
    """

    rotation: Function  # of the outer race, rad
    torque: Function  # N·m
    deflection: Function  # angle between the shafts, rad
    plunge: Function | None  # m


@dataclass(frozen=True)
class JointAssembly:
    """The model, its start, and where to read.

    The start is the rigid joint without clearance at time zero, moving as it does there. A track's
    frame (rows x to its bottom, y across, z along it) and origin (the ball's centre in the straight
    joint) are given along the axes of its race.
    """

    model: SpatialModel
    start: SpatialPose
    body_names: tuple[str, ...]
    outer: int
    inner: int
    cage: int
    housing: int  # of the inner race's shaft: leans by the deflection angle and does not turn
    balls: NDArray  # (ball,) bodies
    tracks: NDArray  # (ball, race, flank) contacts; flank 0 where y > 0 in the track's frame
    windows: NDArray  # (ball, side) contacts; side 0 is the plane at the cage's +z
    guides: tuple[int, ...]  # contacts of the cage with the races
    track_origin: NDArray  # (ball, race, 3)
    track_frame: NDArray  # (ball, race, 3, 3)
    drive: int  # multiplier of the outer race's rotation: the torque about z that drives it
    plunge: int  # multiplier along the inner axis: minus the force on the inner race; -1 if free
