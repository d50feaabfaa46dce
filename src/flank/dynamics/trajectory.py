"""What a run of a model leaves, in the plane and in space.

Both kinds answer the same questions: angle, speed and torque of a shaft, what the contacts of a
group carry, the pose to go on from, the run without its first records.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self, TypeVar

import numpy as np

from flank.arrays import Floats
from flank.dynamics.functions import Function
from flank.dynamics.grouping import ContactGroup
from flank.dynamics.packing import value_at
from flank.dynamics.spatial.model import SpatialRecord
from flank.dynamics.spatial.quaternions import inverse, matrix_of, product
from flank.dynamics.status import Status
from flank.dynamics.tables import GROUND

TURN = 2 * np.pi


@dataclass(frozen=True)
class Shaft:
    """A body that turns, and what turns it: a multiplier that holds its angle, or a torque.

    In the plane its angle is that of the body. In space it is the twist of the body about `axis`,
    given along the axes of the body `reference`, from the orientation `built` in it.
    """

    body: int
    reference: int = GROUND
    axis: tuple[float, float, float] = (0.0, 0.0, 1.0)
    built: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)
    multiplier: int = -1
    applied: Function | None = None


@dataclass(frozen=True)
class SpatialPose:
    """Where bodies are and how they move: (bodies, 3), quaternions (bodies, 4), (bodies, 6)."""

    position: Floats
    rotation: Floats
    velocity: Floats


Pose = Floats | SpatialPose
"""Where a run may begin: positions (bodies, 3) in the plane, or a pose in space."""


@dataclass(frozen=True)
class _Records:
    """What runs in the plane and in space have in common; rows are records, the first index."""

    FIELDS: ClassVar[tuple[str, ...]]
    SUMS: ClassVar[tuple[str, ...]] = ()
    """Fields that count from the start of a run."""

    time: Floats
    position: Floats
    velocity: Floats
    multipliers: Floats
    contact_results: Any  # (time, contact) rows of the contacts' reports
    status: Status
    counters: dict[str, int]

    @property
    def complete(self) -> bool:
        return self.status is Status.OK

    def since(self, first: int) -> Self:
        """The same run without its first records."""
        return replace(self, **{name: getattr(self, name)[first:] for name in self.FIELDS})

    def reading(self, group: ContactGroup, field: str) -> Floats:
        """A field of what the contacts of a group report, (time, *group.shape)."""
        return np.asarray(self.contact_results[field][:, group.contacts])

    def force(self, group: ContactGroup) -> Floats:
        """Normal forces in N, (time, *group.shape)."""
        return self.reading(group, "normal_force")

    def pressure(self, group: ContactGroup) -> Floats:
        """Hertz pressures p0 in Pa of a group that has them, (time, *group.shape)."""
        assert group.pressure is not None
        return group.pressure.of(lambda field: self.reading(group, field))

    def _applied(self, shaft: Shaft) -> Floats:
        """The torque given as a function of time; zero where none is."""
        if shaft.applied is None:
            return np.zeros(len(self.time))
        return np.array([value_at(shaft.applied, time)[0] for time in self.time])


@dataclass(frozen=True)
class Trajectory(_Records):
    """What a run leaves: times, poses (time, body, 3), contacts (time, contact), how it ended.

    Velocities are zero in statics; multipliers are those of the joints.
    """

    FIELDS = ("time", "position", "velocity", "multipliers", "contact_results")

    def pose(self, row: int) -> Floats:
        return np.asarray(self.position[row])

    @property
    def last(self) -> Floats:
        return self.pose(-1)

    @property
    def largest_angle(self) -> float:
        """Of any body: its last digit is the round-off of angles."""
        return float(np.abs(self.position[..., 2]).max(initial=0.0))

    def angle(self, shaft: Shaft, near: float = 0.0) -> Floats:
        """θ over time; whole turns are known in the plane, wherever it is `near`."""
        return np.asarray(self.position[:, shaft.body, 2] - self.position[:, shaft.reference, 2])

    def speed(self, shaft: Shaft) -> Floats:
        return np.asarray(self.velocity[:, shaft.body, 2] - self.velocity[:, shaft.reference, 2])

    def torque(self, shaft: Shaft) -> Floats:
        """What turns the shaft: what holds its angle, or what was given, at the run's times."""
        if shaft.multiplier < 0:
            return self._applied(shaft)
        return -np.asarray(self.multipliers[:, shaft.multiplier])


@dataclass(frozen=True)
class SpatialTrajectory(_Records):
    """What a run leaves: times, poses, motion, contacts, energies and how it ended.

    position (time, body, 3), rotation (time, body, 4), velocity and acceleration (time, body, 6)
    along the axes of space, touches (time, contact), ledger (time, 4): energy lost to friction and
    damping, work done by drives and loads, in J since the start; impulse (time, multiplier): that
    of the multipliers since the start.
    """

    FIELDS = ("time", *SpatialRecord._fields)
    SUMS = ("ledger", "impulse")

    rotation: Floats
    acceleration: Floats
    ledger: Floats
    impulse: Floats

    def pose(self, row: int) -> SpatialPose:
        return SpatialPose(self.position[row], self.rotation[row], self.velocity[row])

    @property
    def last(self) -> SpatialPose:
        return self.pose(-1)

    @property
    def largest_angle(self) -> float:
        """Rotations in space are known up to whole turns."""
        return np.pi

    def angle(self, shaft: Shaft, near: float = 0.0) -> Floats:
        """θ over time, from the turn that begins nearest to `near`; from record to record the turn
        that the speeds lead to, so that records may be far apart."""
        turned = product(inverse(self.rotation[:, shaft.reference]), self.rotation[:, shaft.body])
        turned = product(turned, inverse(np.array(shaft.built)))
        angles: Floats = 2 * np.arctan2(turned[:, 1:] @ np.array(shaft.axis), turned[:, 0])
        if not len(angles):
            return angles
        speed = self.speed(shaft)
        ahead = 0.5 * (speed[1:] + speed[:-1]) * np.diff(self.time)
        steps = np.diff(angles)
        steps += TURN * np.round((ahead - steps) / TURN)
        first = angles[0] + TURN * np.round((near - angles[0]) / TURN)
        return np.asarray(first + np.concatenate(([0.0], np.cumsum(steps))))

    def speed(self, shaft: Shaft) -> Floats:
        axis = matrix_of(self.rotation[:, shaft.reference]) @ np.array(shaft.axis)
        turning = self.velocity[:, shaft.body, 3:] - self.velocity[:, shaft.reference, 3:]
        return np.asarray(np.einsum("ti,ti->t", turning, axis))

    def torque(self, shaft: Shaft) -> Floats:
        """What turns the shaft: what holds its angle, or what was given, at the run's times."""
        if shaft.multiplier < 0:
            return self._applied(shaft)
        return np.asarray(self.multipliers[:, shaft.multiplier])


AnyTrajectory = Trajectory | SpatialTrajectory
Run = TypeVar("Run", bound=_Records)


def joined(parts: Sequence[Run], counted: Sequence[Run] | None = None) -> Run:
    """Several runs as one: it ended as the first that failed did; effort is that of all `counted`.

    What counts from the start of a run goes on counting.
    """
    counted = parts if counted is None else counted
    names = dict.fromkeys(name for part in counted for name in part.counters)
    failed = (part.status for part in parts if not part.complete)
    rows = {name: [getattr(part, name) for part in parts] for name in parts[0].FIELDS}
    for name in parts[0].SUMS:
        ends = [np.zeros_like(rows[name][0][0]), *(values[-1] for values in rows[name][:-1])]
        before = np.cumsum(ends, axis=0)
        rows[name] = [values + start for values, start in zip(rows[name], before, strict=True)]
    return replace(
        parts[0],
        **{name: np.concatenate(values) for name, values in rows.items()},
        status=next(failed, Status.OK),
        counters={name: sum(part.counters.get(name, 0) for part in counted) for name in names},
    )


def rates_between(before: Pose, after: Pose, step: float) -> Floats:
    """Velocities (bodies, 3 or 6) that lead from a pose to one close by."""
    if not isinstance(before, SpatialPose):
        assert not isinstance(after, SpatialPose)
        return (after - before) / step
    assert isinstance(after, SpatialPose)
    turned = product(after.rotation, inverse(before.rotation))
    turning = 2 * np.sign(turned[:, :1]) * turned[:, 1:]  # of small rotations
    return np.hstack((after.position - before.position, turning)) / step
