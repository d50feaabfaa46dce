"""What a result keeps of how its machine looks: outlines, and where their bodies were.

Everything is plain arrays, so that a result is drawn without its machine, whatever has become of
the machine's spec since.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np

from flank.analyses.drawn_forces import DrawnForces, forces_of_run
from flank.arrays import Floats, Integers
from flank.dynamics.spatial.quaternions import matrix_of
from flank.dynamics.trajectory import SpatialPose, SpatialTrajectory, Trajectory
from flank.machines.outlines import Cage, Outline

if TYPE_CHECKING:
    from flank.analyses.result import Ending
    from flank.machines.base import Machine
    from flank.machines.spec import Spec

MOST_FRAMES = 180
"""Poses that are kept of a run: two degrees of a turn apart, which moves smoothly on a screen."""

MOST_TURNED, SMALL_TURN, MOST_TURNING = 0.25 * math.pi, 0.02, 721
"""rad by which a body in space turns from frame to frame of a machine that is only turned, rad of
the input by which it is found how fast, and the most frames for it."""

NO_BODY = -1
"""In place of a body's number: a cage that is none."""


@dataclass(frozen=True, eq=False)
class Drawing:
    """Outlines, each on a row of `poses` (frame, row, 3): x, y, θ; or, in space, (frame, row, 7):
    x, y, z and a unit quaternion.

    `bodies` are the rows' numbers in the assembly, `record` the numbers of the frames among the
    records of the run, `time` their times. `forces` are what contacts carry in the frames.
    """

    outlines: tuple[Outline, ...]
    bodies: Integers
    record: Integers
    time: Floats
    poses: Floats
    forces: DrawnForces | None = None

    @property
    def spatial(self) -> bool:
        return bool(self.poses.shape[-1] == 7)

    @property
    def layers(self) -> list[str]:
        """Panels of a picture, in their order; one without a name if nothing has a layer."""
        named = dict.fromkeys(outline.layer for outline in self.outlines if outline.layer)
        return list(named) or [""]

    def in_layer(self, layer: str) -> list[Outline]:
        return [outline for outline in self.outlines if outline.layer in ("", layer)]

    def of_kind(self, kind: str, layer: str = "") -> list[Outline]:
        return [outline for outline in self.in_layer(layer) if outline.kind == kind]

    def placed(self, outline: Outline, frame: int = 0) -> Floats:
        """Points of an outline in space, (n, 2) or (n, 3)."""
        pose = self.poses[frame, outline.body]
        if self.spatial:
            return np.asarray(outline.points @ self.rotations[frame, outline.body].T + pose[:3])
        cosine, sine = math.cos(pose[2]), math.sin(pose[2])
        turned = np.array([[cosine, sine], [-sine, cosine]])
        return np.asarray(outline.points @ turned + pose[:2])

    @cached_property
    def rotations(self) -> Floats:
        """Matrices (frame, row, 3, 3) of bodies in space."""
        return np.asarray(matrix_of(self.poses[..., 3:]))


def drawing_of_run(
    machine: Machine, settings: Spec, ended: Trajectory | SpatialTrajectory | Ending
) -> Callable[[], Drawing | None]:
    """Makes the drawing of a run; called only where one is looked at or saved, as the outlines of
    a machine take longer than its shortest analyses."""
    if not isinstance(ended, Trajectory | SpatialTrajectory):
        return partial(make_drawing, machine, settings)
    count = len(ended.time)
    kept = np.unique(np.linspace(0, count - 1, min(count, MOST_FRAMES)).round())
    record = kept.astype(np.int64)
    frames = replace(ended, **{name: getattr(ended, name)[record] for name in ended.FIELDS})
    return partial(make_drawing, machine, settings, record, frames)


def drawing_at_rest(machine: Machine, input_angle: float = 0.0) -> Drawing | None:
    """The machine in its ideal pose, before anything is asked of it."""
    return make_drawing(machine, None, at=input_angle)


def drawing_turning(machine: Machine, input_angle: float, frames: int) -> Drawing | None:
    """The ideal machine, rigid and without clearance, while its input turns by that angle; in space
    with more frames where a body turns too fast for so few. Its times are angles of the input."""
    outlines = _outlines(machine)
    if not outlines:
        return None
    count = max(frames, _frames_in_space(machine, input_angle)) if input_angle else 1
    angles = np.linspace(0.0, input_angle, count)
    poses = np.stack([_ideal_pose(machine, float(angle)) for angle in angles])
    if _is_seen_along_z(outlines, poses):
        poses = _seen_along_z(poses)
    return _with_rows(outlines, np.arange(count), angles, poses)


def _frames_in_space(machine: Machine, input_angle: float) -> int:
    """So many that no body turns by more than MOST_TURNED from one to the next."""
    first, then = (_ideal_pose(machine, angle) for angle in (0.0, SMALL_TURN))
    if first.shape[-1] != 7:
        return 1
    half_cosine = np.abs(np.sum(first[:, 3:] * then[:, 3:], axis=1)).clip(0.0, 1.0)
    rate = 2 * float(np.arccos(half_cosine).max()) / SMALL_TURN
    return min(math.ceil(rate * abs(input_angle) / MOST_TURNED) + 1, MOST_TURNING)


def _outlines(machine: Machine) -> Sequence[Outline]:
    from flank.machines.base import HasOutlines

    return machine.outlines() if isinstance(machine, HasOutlines) else ()


def _is_seen_along_z(outlines: Sequence[Outline], poses: Floats) -> bool:
    """Whether bodies in space have flat outlines."""
    return bool(poses.shape[-1] == 7 and outlines[0].points.shape[1] == 2)


def make_drawing(
    machine: Machine,
    settings: Spec | None,
    record: Integers | None = None,
    frames: Trajectory | SpatialTrajectory | None = None,
    at: float = 0.0,
) -> Drawing | None:
    """The machine in the poses of a run, or in its ideal pose where there are none; None of a
    machine that tells no outlines."""
    outlines = _outlines(machine)
    if not outlines:
        return None
    if record is None or frames is None or not len(record):
        poses = _ideal_pose(machine, getattr(settings, "crank_angle", at))[None]
        record, times, frames = np.zeros(1, dtype=np.int64), np.zeros(1), None
    else:
        times, poses = frames.time, _poses(frames)
    if _is_seen_along_z(outlines, poses):
        poses = _seen_along_z(poses)
    drawing = _with_rows(outlines, record, times, poses)
    return drawing if frames is None else replace(drawing, forces=_forces(machine, drawing, frames))


def _forces(
    machine: Machine, drawing: Drawing, frames: Trajectory | SpatialTrajectory
) -> DrawnForces | None:
    """None of a machine whose contacts are not those of the run, as one that was changed for it."""
    from flank.machines.base import Drive, Transmission

    if not isinstance(machine, Transmission):
        return None
    assembly = machine.assemble(Drive())
    contacts = int(assembly.model.contacts.shape[0])
    if (
        len(assembly.body_names) != frames.position.shape[1]
        or contacts < frames.contact_results.shape[1]
    ):
        return None
    return forces_of_run(drawing, assembly, frames)


def _seen_along_z(poses: Floats) -> Floats:
    """x, y, θ of bodies in space whose outlines are flat: they all turn about z, and tilt too
    little to be seen."""
    turned = np.unwrap(2 * np.arctan2(poses[..., 6], poses[..., 3]), axis=0)
    return np.concatenate((poses[..., :2], turned[..., None]), axis=-1)


def _poses(frames: Trajectory | SpatialTrajectory) -> Floats:
    if isinstance(frames, SpatialTrajectory):
        return np.concatenate((frames.position, frames.rotation), axis=-1)
    return frames.position


def plane_pose(machine: Machine, input_angle: float) -> Floats:
    """x, y, θ of all bodies of the ideal machine, seen along z."""
    pose = machine.ideal_pose(input_angle)
    if isinstance(pose, SpatialPose):
        return _seen_along_z(np.concatenate((pose.position, pose.rotation), axis=-1))
    return pose


def _ideal_pose(machine: Machine, input_angle: float) -> Floats:
    pose = machine.ideal_pose(input_angle)
    if isinstance(pose, SpatialPose):
        return np.concatenate((pose.position, pose.rotation), axis=-1)
    return pose


def _with_rows(
    outlines: Sequence[Outline], record: Integers, time: Floats, poses: Floats
) -> Drawing:
    """A row of poses for every body and every cage that has an outline."""
    places = list(dict.fromkeys(outline.cage or outline.body for outline in outlines))
    rows = {place: row for row, place in enumerate(places)}
    columns = [
        _cage_poses(poses, place) if isinstance(place, Cage) else poses[:, place]
        for place in places
    ]
    return Drawing(
        tuple(
            replace(outline, body=rows[outline.cage or outline.body], cage=None)
            for outline in outlines
        ),
        np.array([NO_BODY if isinstance(place, Cage) else place for place in places]),
        record,
        time,
        np.stack(columns, axis=1),
    )


def _cage_poses(poses: Floats, cage: Cage) -> Floats:
    """(frame, 3): about a point of the inner body, turned between inner and outer body."""
    inner, outer = poses[:, cage.inner], poses[:, cage.outer]
    angle, (x, y) = inner[:, 2], cage.centre
    cosine, sine = np.cos(angle), np.sin(angle)
    place = inner[:, :2] + np.column_stack((cosine * x - sine * y, sine * x + cosine * y))
    return np.column_stack((place, cage.share * angle + (1 - cage.share) * outer[:, 2]))
