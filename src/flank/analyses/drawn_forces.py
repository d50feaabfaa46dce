"""Forces on the parts that a drawing shows, pose by pose: where they act, how large they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from flank.arrays import Flags, Floats, Integers
from flank.dynamics.grouping import ContactGroup
from flank.dynamics.tables import GROUND
from flank.dynamics.trajectory import AnyTrajectory, Trajectory

if TYPE_CHECKING:
    from flank.analyses.drawing import Drawing
    from flank.machines.base import Assembly
    from flank.machines.outlines import Outline

SMALLEST = 0.01
"""Share of the largest force below which one is not kept: its arrow could not be seen."""

LOADED = ("body", "hole", "ball")
"""Kinds of outlines of the bodies on which forces are drawn: discs, gears and balls, so that each
contact is drawn once."""

PUSHING = ("eccentric", "roller")
"""Kinds of those whose push is drawn where they meet a body that has no outline, as the seat of a
crank in a disc."""


@dataclass(frozen=True, eq=False)
class DrawnForces:
    """Contacts of a drawing, and what they carry in its frames.

    Of every contact: the number of its group in `groups`, its own number there from 1, its layer.
    `count` entries belong to each frame, one after the other; an entry has the number of its
    contact, the point in m, the force on the loaded body in N, and the Hertz pressure in Pa, nan
    where none is known.
    """

    groups: tuple[str, ...]
    group: Integers
    number: Integers
    layers: tuple[str, ...]
    count: Integers
    contact: Integers
    point: Floats
    force: Floats
    pressure: Floats

    @property
    def size(self) -> Floats:
        """Of every entry's force, in N."""
        return np.asarray(np.linalg.norm(self.force, axis=1))

    def of_frame(self, frame: int) -> slice:
        """The entries of a frame."""
        end = int(self.count[: frame + 1].sum())
        return slice(end - int(self.count[frame]), end)


@dataclass(frozen=True)
class _Carried:
    """Forces of one group or mesh in all frames, (frame, contact) and (frame, contact, axis)."""

    title: str
    number: Integers
    layers: list[str]
    size: Floats
    point: Floats
    force: Floats
    pressure: Floats


def forces_of_run(
    drawing: Drawing, assembly: Assembly, trajectory: AnyTrajectory
) -> DrawnForces | None:
    """What the frames of a drawing carry; `trajectory` has a record for each. None where nothing
    is known to push."""
    carried = [
        of_group
        for group in assembly.groups.values()
        if (of_group := _of_group(group, assembly, trajectory, drawing)) is not None
    ]
    carried += _of_meshes(drawing, assembly, trajectory)
    return _gathered(carried) if carried else None


def _bodies_of(drawing: Drawing, kinds: Sequence[str]) -> dict[int, str]:
    """Numbers in the assembly of bodies with such outlines, each with its layer; not the ground."""
    return {
        body: "" if drawing.spatial else outline.layer
        for outline in drawing.outlines
        if outline.kind in kinds and (body := int(drawing.bodies[outline.body])) > GROUND
    }


def _of_group(
    group: ContactGroup,
    assembly: Assembly,
    trajectory: AnyTrajectory,
    drawing: Drawing,
) -> _Carried | None:
    rows = assembly.model.contacts[group.contacts.ravel()]
    loaded, pushing = _bodies_of(drawing, LOADED), _bodies_of(drawing, PUSHING)
    chosen = [_loaded_side(int(row["body_a"]), int(row["body_b"]), loaded, pushing) for row in rows]
    sign = np.array([side for side, _ in chosen])
    drawn = np.flatnonzero(sign)
    if not len(drawn):
        return None
    count = len(trajectory.time)
    size = trajectory.force(group).reshape(count, -1)[:, drawn]
    point, normal = _places(trajectory, group, drawn, drawing.spatial)
    pressure = np.full(size.shape, np.nan)
    if group.pressure is not None:
        pressure = trajectory.pressure(group).reshape(count, -1)[:, drawn]
    numbers = np.indices(group.shape)[_numbered(group)].ravel()[drawn] + 1
    force = sign[drawn, None] * normal * size[..., None]
    layers = [chosen[k][1] for k in drawn]
    return _Carried(group.title, numbers, layers, size, point, force, pressure)


def _loaded_side(
    first: int, second: int, loaded: dict[int, str], pushing: dict[int, str]
) -> tuple[float, str]:
    """+1 if the force on the second body is drawn, -1 if that on the first, and the layer; 0 if
    neither. A contact's normal points from its first body to its second."""
    if second in loaded:
        return 1.0, loaded[second]
    if first in loaded:
        return -1.0, loaded[first]
    if first in pushing:
        return 1.0, pushing[first]
    if second in pushing:
        return -1.0, pushing[second]
    return 0.0, ""


def _numbered(group: ContactGroup) -> int:
    """The dimension by which contacts of a group are told apart: pins, rollers, balls."""
    names = group.dimensions
    return names.index("ball") if "ball" in names else len(names) - 1


def _places(
    trajectory: AnyTrajectory, group: ContactGroup, drawn: Integers, spatial: bool
) -> tuple[Floats, Floats]:
    """Points and normals (frame, contact, axis)."""
    count = len(trajectory.time)
    if isinstance(trajectory, Trajectory):
        vectors = [
            np.stack([trajectory.reading(group, name) for name in names], axis=-1)
            for names in (("x", "y"), ("normal_x", "normal_y"))
        ]
    else:
        vectors = [trajectory.reading(group, name) for name in ("point", "normal")]
    axes = 3 if spatial else 2
    point, normal = (
        vector.reshape(count, -1, vector.shape[-1])[:, drawn, :axes] for vector in vectors
    )
    return point, normal


def _of_meshes(drawing: Drawing, assembly: Assembly, trajectory: AnyTrajectory) -> list[_Carried]:
    """Tooth forces at pitch points along the lines of action that the drawing has, on the body
    that the lines belong to; of pairs in space at the middle of the flanks, wherever they touch.
    The multipliers of rigid meshes have other numbers in a run."""
    from flank.machines.mesh_forces import net_forces

    lines = {o.name: o for o in drawing.outlines if o.kind == "line of action"}
    named = [
        (k, mesh.name)
        for k, mesh in enumerate(assembly.meshes)
        if mesh.name in lines and mesh.multiplier < 0
    ]
    if not named:
        return []
    carried = net_forces(assembly, trajectory)[:, [k for k, _ in named]]
    ways = [_line(drawing, lines[name], carried[:, k]) for k, (_, name) in enumerate(named)]
    point, direction = (np.stack(parts, axis=1) for parts in zip(*ways, strict=True))
    size = np.abs(carried)
    return [
        _Carried(
            "teeth",
            np.arange(len(named)) + 1,
            [lines[name].layer for _, name in named],
            size,
            point,
            size[..., None] * direction,
            np.full(size.shape, np.nan),
        )
    ]


def _line(drawing: Drawing, outline: Outline, carried: Floats) -> tuple[Floats, Floats]:
    """The pitch point and the way in which teeth push (frame, axis)."""
    placed = np.array([drawing.placed(outline, frame) for frame in range(len(carried))])
    start = np.where((carried >= 0)[:, None], placed[:, 0], placed[:, 2])
    way = placed[:, 1] - start
    return placed[:, 1], way / np.linalg.norm(way, axis=1)[:, None]


def _gathered(parts: Sequence[_Carried]) -> DrawnForces | None:
    """Entries frame by frame, without those that cannot be seen and those that are not known."""
    group = np.concatenate([np.full(len(part.number), k) for k, part in enumerate(parts)])
    size, point, force, pressure = (
        np.concatenate([getattr(part, name) for part in parts], axis=1)
        for name in ("size", "point", "force", "pressure")
    )
    known = _known(size, point, force)
    kept = known & (size > SMALLEST * size.max(initial=0.0, where=known))
    if not kept.any():
        return None
    return DrawnForces(
        tuple(part.title for part in parts),
        group,
        np.concatenate([part.number for part in parts]),
        tuple(layer for part in parts for layer in part.layers),
        kept.sum(axis=1),
        np.nonzero(kept)[1],
        point[kept],
        force[kept],
        pressure[kept],
    )


def _known(*values: Any) -> Flags:
    size, point, force = values
    return np.asarray(
        np.isfinite(size) & np.isfinite(point).all(axis=-1) & np.isfinite(force).all(axis=-1)
    )
