"""Modes of a machine as its parts move in them: outlines at rest, and where a mode takes them."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from scipy.spatial.transform import Rotation

from flank.analyses.drawing import NO_BODY, Drawing
from flank.analyses.result import Result
from flank.analyses.views import View, views_of
from flank.arrays import Floats
from flank.drawing.modes import distinct_modes
from flank.io.shown import number_text
from flank.machines.outlines import Outline
from flank.plots.machine import outline_polygons
from flank.plots.style import ACCENT, FAINT, GREEN, MAIN, SECOND, WIDE, Picture, shown

MOST_MODES = 3
"""Modes that are drawn, those of the lowest frequencies: outlines of teeth make large files."""

LARGEST = 0.06
"""Farthest that a mode takes a point in the picture, over the size of the machine."""

HEIGHT = 3.1
"""Of a row of panels, in inches."""

MOVING = ("body", "ring", "hole", "eccentric", "sun", "race", "cage", "ball", "centre")
"""Kinds of outlines that are shown moving; of holes those that are teeth are most of a ring."""

LAYER_COLOURS = (MAIN, SECOND, GREEN, ACCENT)
"""Of discs, which lie one behind the other."""


def mode_motions(result: Result) -> dict[str, Picture]:
    """The picture of the lowest modes; none where outlines or shapes are not known."""
    drawing = result.drawing
    if drawing is None or result.data.sizes.get("mode", 0) == 0:
        return {}
    chosen = distinct_modes(result.data["frequency"].values)[:MOST_MODES]
    columns = min(3, len(chosen))
    rows = -(-len(chosen) // columns)
    picture = Picture(
        WIDE,
        HEIGHT * rows,
        "How parts move in the lowest modes: grey as they stand, coloured where the mode takes "
        f"them, the farthest point drawn {LARGEST:.0%} of the machine's size away"
        + _layers_named(drawing)
        + " Of modes with one frequency the first is drawn.",
    )
    panels = picture.panels(rows, columns)
    for axes, mode in zip(panels.ravel(), chosen, strict=False):
        _panel(axes, result, drawing, mode)
    for axes in panels.ravel()[len(chosen) :]:
        axes.set_axis_off()
    return {"mode-motions": picture}


def _layers_named(drawing: Drawing) -> str:
    if drawing.spatial or len(drawing.layers) < 2:
        return "."
    return " (blue, orange, green: first, second, third disc)."


def _panel(axes: Axes, result: Result, drawing: Drawing, mode: int) -> None:
    view = _view(drawing, result.data["mode_shape"].values[mode])
    shown_here = drawing.in_layer(view.layer) if drawing.spatial else drawing.outlines
    moving = [outline for outline in shown_here if outline.kind in MOVING]
    still = [_closed(drawing, outline, view) for outline in moving]
    moved = _moved(drawing, result.data["mode_shape"].values[mode], moving, view)
    layers = [] if drawing.spatial else drawing.layers
    axes.add_collection(
        LineCollection(_flat(still), colors=FAINT, linewidths=0.7, antialiaseds=False)
    )
    for outline, lines in zip(moving, moved, strict=True):
        colour = LAYER_COLOURS[layers.index(outline.layer) if outline.layer in layers else 0]
        axes.add_collection(LineCollection(lines, colors=colour, linewidths=0.8))
    axes.autoscale_view()
    axes.set_aspect("equal")
    axes.grid(visible=False)
    axes.set_xticks([])
    axes.set_yticks([])
    for side in axes.spines.values():
        side.set_visible(False)
    frequency = number_text(float(shown(result.data["frequency"])[mode]))
    title = f"Mode {result.data['mode'].values[mode]}: {frequency} Hz"
    if "family" in result.data:
        title += f", {result.data['family'].values[mode]}"
    axes.set_title(title)


def _view(drawing: Drawing, shape: Floats) -> View:
    """In space the one in whose plane the mode moves most; of the plane there is one, all layers
    above each other."""
    if not drawing.spatial:
        return View("")
    views = views_of(drawing)
    moved = np.abs(_displacements(drawing, shape)).sum(axis=0)
    return max(views, key=lambda view: moved[list(view.axes)].sum())


def _displacements(drawing: Drawing, shape: Floats) -> Floats:
    """Of the first point of every outline in space, in m."""
    ahead = _with_motion(drawing, shape, 1e-6)
    return np.array([
        np.asarray(ahead.placed(outline)[0] - drawing.placed(outline)[0])
        for outline in drawing.outlines
    ])  # fmt: skip


def _moved(
    drawing: Drawing, shape: Floats, moving: Sequence[Outline], view: View
) -> list[list[Floats]]:
    """Lines of every outline where the mode takes it. The scale follows from a small motion, as
    points that turn far leave their tangent."""
    small = 1e-6
    ahead = _with_motion(drawing, shape, small)
    points = [np.vstack(_closed(drawing, outline, view)) for outline in moving]
    farthest = max(
        float(np.hypot(*(np.vstack(_closed(ahead, outline, view)) - before).T).max())
        for outline, before in zip(moving, points, strict=True)
    )
    together = np.vstack(points)
    size = float((together.max(axis=0) - together.min(axis=0)).max())
    scale = LARGEST * size * small / farthest if farthest > 0 else 0.0
    far = _with_motion(drawing, shape, scale)
    return [_closed(far, outline, view) for outline in moving]


def _with_motion(drawing: Drawing, shape: Floats, scale: float) -> Drawing:
    """The drawing at its first pose with every body moved by a mode (body, coordinate)."""
    poses = drawing.poses[:1].copy()
    for row, body in enumerate(drawing.bodies.tolist()):
        if body == NO_BODY or body >= len(shape):
            continue
        motion = scale * shape[body]
        if not drawing.spatial:
            poses[0, row] += motion[[0, 1, -1]]
            continue
        poses[0, row, :3] += motion[:3]
        turned = Rotation.from_rotvec(motion[3:]) * Rotation.from_quat(
            poses[0, row, 3:], scalar_first=True
        )
        poses[0, row, 3:] = turned.as_quat(scalar_first=True)
    return replace(drawing, poses=poses)


def _closed(drawing: Drawing, outline: Outline, view: View) -> list[Floats]:
    """Polygons of an outline, in mm, back to where they begin."""
    return [
        np.vstack((points, points[:1])) if outline.closed and not outline.revolved else points
        for points in outline_polygons(drawing, outline, view)
    ]


def _flat(lines: Sequence[list[Floats]]) -> list[Floats]:
    return [line for group in lines for line in group]
