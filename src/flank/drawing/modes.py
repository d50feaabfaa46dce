"""Modes of a machine as motions of the rows of its drawing."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.spatial.transform import Rotation

from flank.analyses.drawing import NO_BODY, Drawing
from flank.arrays import Floats
from flank.drawing.packing import exact
from flank.errors import SpecError
from flank.io.shown import factor, number_text, unit_text

if TYPE_CHECKING:
    from flank.analyses.result import Result

MOST = 12
"""Modes, those of the lowest frequencies."""

LARGEST = 0.05
"""Farthest that a mode takes a point, over the size of the machine."""

SAME = 1e-6
"""Relative distance of frequencies that are one multiple mode, of which one is shown."""


def modes_of(result: Result, drawing: Drawing) -> list[dict[str, Any]]:
    """Titles, and what is added to the poses of rows at the largest displacement: x, y, θ, or x, y,
    z and a vector of rotation."""
    frequency = result.data["frequency"]
    unit = frequency.attrs["shown_unit"]
    shown = frequency.values * factor(frequency.attrs["units"], unit)
    modes = []
    for mode in distinct_modes(frequency.values)[:MOST]:
        motion = _scaled(drawing, row_motion(drawing, result.data["mode_shape"].values[mode]))
        number = result.data["mode"].values[mode]
        title = f"Mode {number}: {number_text(shown[mode])} {unit_text(unit)}"
        if "family" in result.data:
            title += f", {result.data['family'].values[mode]}"
        modes.append({"title": title, "number": int(number), "motion": exact(motion)})
    return modes


def distinct_modes(frequencies: Floats) -> list[int]:
    """The first of every frequency."""
    return [
        k
        for k, one in enumerate(frequencies)
        if k == 0 or one - frequencies[k - 1] > SAME * max(one, 1.0)
    ]


def row_motion(drawing: Drawing, shape: Floats) -> Floats:
    """Of every row, from a shape (body, coordinate); what is no body stands still."""
    motion = np.zeros((len(drawing.bodies), 6 if drawing.spatial else 3))
    for row, body in enumerate(drawing.bodies.tolist()):
        if body != NO_BODY and body < len(shape):
            motion[row] = shape[body] if drawing.spatial else shape[body][[0, 1, -1]]
    return motion


def _scaled(drawing: Drawing, motion: Floats) -> Floats:
    """So that the farthest point moves by `LARGEST` of the machine's size, to first order."""
    farthest, points = 0.0, []
    for outline in drawing.outlines:
        placed = drawing.placed(outline)
        moved, pose = motion[outline.body], drawing.poses[0, outline.body]
        points.append(placed)
        if drawing.spatial:
            ways = moved[:3] + np.cross(moved[3:], placed - pose[:3])
        else:
            arm = placed - pose[:2]
            ways = moved[:2] + moved[2] * np.column_stack((-arm[:, 1], arm[:, 0]))
        farthest = max(farthest, float(np.linalg.norm(ways, axis=1).max()))
    together = np.concatenate(points)
    size = float(np.ptp(together, axis=0).max())
    return motion * (LARGEST * size / farthest) if farthest > 0 else motion


def mode_motion(result: Result, number: int) -> Floats:
    """What the mode of a number, as tables count them, adds to the rows of the drawing at its
    largest displacement; SpecError if there is none."""
    known = result.data["mode"].values.tolist() if "mode" in result.data else []
    if number not in known or result.drawing is None:
        last = f"the modes found are 1 to {len(known)}" if known else "no mode was found"
        raise SpecError(f"there is no mode {number}: {last}")
    shape = result.data["mode_shape"].values[known.index(number)]
    return _scaled(result.drawing, row_motion(result.drawing, shape))


def modal_drawing(drawing: Drawing, motion: Floats, swings: Floats) -> Drawing:
    """The machine at rest with every row moved by shares of a motion, a frame each; no forces."""
    frames = np.arange(len(swings))
    poses = np.repeat(drawing.poses[:1], len(swings), axis=0)
    moved = swings[:, None, None] * motion
    poses[..., :3] += moved[..., :3]
    if drawing.spatial:
        turned = Rotation.from_rotvec(moved[..., 3:].reshape(-1, 3)) * Rotation.from_quat(
            poses[..., 3:].reshape(-1, 4), scalar_first=True
        )
        poses[..., 3:] = turned.as_quat(scalar_first=True).reshape(*poses.shape[:2], 4)
    return replace(drawing, poses=poses, record=frames, time=frames.astype(float), forces=None)
