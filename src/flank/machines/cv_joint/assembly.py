"""What drives a joint besides its shafts, and a joint made ready to run.

Space: the origin is the joint's centre, z the axis of the outer race; the inner race's axis leans
from it to +x by the deflection angle, (sin β, 0, cos β). The outer race is the input, the inner
race the output.
"""

from dataclasses import dataclass

import numpy as np

from flank.arrays import Floats, Integers
from flank.dynamics.functions import Function
from flank.dynamics.trajectory import SpatialPose
from flank.machines.base import Assembly, Drive

OUTER, INNER = range(2)
"""Races, as numbered in `JointAssembly.tracks`."""


@dataclass(frozen=True, kw_only=True)
class JointDrive(Drive):
    """A drive of the shafts 'outer' and 'inner', and how the joint is bent meanwhile.

    `plunge` is the inner race's place along its own axis; None leaves it free.
    """

    deflection: Function  # angle between the shafts, rad
    plunge: Function | None  # m


@dataclass(frozen=True, kw_only=True)
class JointAssembly(Assembly):
    """An assembly with the frames of its tracks.

    Its start is the rigid joint without clearance at time zero, moving as it does there. A track's
    frame (rows x to its bottom, y across, z along it) and origin (the ball's centre in the straight
    joint) are given along the axes of its race.
    """

    track_origin: Floats  # (ball, race, 3)
    track_frame: Floats  # (ball, race, 3, 3)
    plunge: int  # multiplier along the inner axis: minus the force on the inner race; -1 if free
    guided: bool  # whether the inner race stays on the axis of its shaft

    @property
    def start(self) -> SpatialPose:
        assert isinstance(self.pose, SpatialPose)
        return self.pose

    @property
    def outer(self) -> int:
        return self.input_shaft.body

    @property
    def inner(self) -> int:
        return self.output_shaft.body

    @property
    def housing(self) -> int:
        """Of the inner race's shaft: it leans by the deflection angle and does not turn."""
        return self.output_shaft.reference

    @property
    def cage(self) -> int:
        return self.body("cage")

    @property
    def balls(self) -> Integers:
        """(ball,) bodies, the last ones."""
        return np.arange(self.cage + 1, len(self.body_names))

    @property
    def tracks(self) -> Integers:
        """(ball, race, flank) contacts; flank 0 where y > 0 in the track's frame."""
        return np.moveaxis(self.groups["track"].contacts, 0, 1)

    @property
    def windows(self) -> Integers:
        """(ball, side) contacts; side 0 is the plane at the cage's +z."""
        return self.groups["window"].contacts

    @property
    def guides(self) -> tuple[int, ...]:
        """Contacts of the cage with the races."""
        return tuple(self.groups["guide"].contacts.tolist()) if "guide" in self.groups else ()
