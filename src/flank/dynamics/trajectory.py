"""What a run of a model leaves, in the plane and in space."""

from dataclasses import dataclass, replace

from numpy.typing import NDArray

from flank.dynamics.spatial.model import SpatialRecord
from flank.dynamics.status import Status


@dataclass(frozen=True)
class Trajectory:
    """What a run leaves: times, poses (time, body, 3), contacts (time, contact), how it ended.

    Velocities are zero in statics; multipliers are those of the joints.
    """

    time: NDArray
    position: NDArray
    velocity: NDArray
    multipliers: NDArray
    touches: NDArray
    status: Status
    counters: dict[str, int]

    def since(self, first: int) -> "Trajectory":
        """The same run without its first records."""
        fields = ("time", "position", "velocity", "multipliers", "touches")
        return replace(self, **{name: getattr(self, name)[first:] for name in fields})

    @property
    def complete(self) -> bool:
        return self.status is Status.OK


@dataclass(frozen=True)
class SpatialPose:
    """Where bodies are and how they move: (bodies, 3), quaternions (bodies, 4), (bodies, 6)."""

    position: NDArray
    rotation: NDArray
    velocity: NDArray


@dataclass(frozen=True)
class SpatialTrajectory:
    """What a run leaves: times, poses, motion, contacts, energies and how it ended.

    position (time, body, 3), rotation (time, body, 4), velocity and acceleration (time, body, 6)
    along the axes of space, touches (time, contact), ledger (time, 4): energy lost to friction and
    damping, work done by drives and loads, in J since the start; impulse (time, multiplier): that
    of the multipliers since the start.
    """

    time: NDArray
    position: NDArray
    rotation: NDArray
    velocity: NDArray
    acceleration: NDArray
    multipliers: NDArray
    touches: NDArray
    ledger: NDArray
    impulse: NDArray
    status: Status
    counters: dict[str, int]

    def since(self, first: int) -> "SpatialTrajectory":
        """The same run without its first records."""
        names = ("time", *SpatialRecord._fields)
        return replace(self, **{name: getattr(self, name)[first:] for name in names})

    @property
    def complete(self) -> bool:
        return self.status is Status.OK

    @property
    def last(self) -> SpatialPose:
        return SpatialPose(self.position[-1], self.rotation[-1], self.velocity[-1])
