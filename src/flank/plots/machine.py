"""The machine of a result to scale, from the outlines and poses that the result keeps."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.collections import PathCollection
from matplotlib.colors import Normalize
from matplotlib.path import Path

from flank.analyses.drawing import Drawing
from flank.analyses.result import Result
from flank.analyses.views import View, views_of
from flank.arrays import Floats
from flank.machines.outlines import Outline
from flank.plots.force_arrows import Arrows, Forces, forces_caption, largest, panel_forces
from flank.plots.style import BODY, FAINT, INK, MAIN, QUIET, SECOND, WIDE, Picture, add_colour_bar

MILLIMETRE = 1e3
COLOUR_MAP = "plasma_r"
STEEL = "#c9ced6"
DOTTED = {"color": QUIET, "linewidth": 0.7, "linestyle": (0, (1, 3))}

FILLED = {
    "body": (BODY, INK),
    "ring": (STEEL, INK),
    "pin": (STEEL, QUIET),
    "roller": ("white", QUIET),
    "eccentric": (FAINT, QUIET),
    "sun": ("#e3d3b8", QUIET),
    "race": (BODY, QUIET),
    "cage": ("#cfe0ee", QUIET),
    "ball": (STEEL, QUIET),
}
"""Kinds of outlines that are filled: colours of face and edge."""

LINES: dict[str, dict[str, Any]] = {
    "guide": {**DOTTED, "zorder": 0.5},
    "pitch circle": {**DOTTED, "zorder": 3.0},
    "outer track": {"color": MAIN, "linewidth": 1.1},
    "inner track": {"color": SECOND, "linewidth": 1.1},
    "outer shaft": {"color": MAIN, "linewidth": 0.9, "linestyle": "-."},
    "inner shaft": {"color": SECOND, "linewidth": 0.9, "linestyle": "-."},
    "axle": {"color": QUIET, "linewidth": 0.7, "linestyle": "-."},
}
MARKS: dict[str, dict[str, Any]] = {
    "axis": {"marker": "+", "markersize": 9, "markeredgewidth": 0.8},
    "centre": {"marker": "o", "markersize": 2.5},
}

SIZES = ((6.4, 5.6), (WIDE, 4.7), (WIDE, 3.5))
"""Width and height in inches of a picture with one to three panels."""

DRAWN = {*FILLED, *LINES, *MARKS}
"""Kinds of outlines that have a look; of a drawing without any there is no picture."""

MARGIN = 1.03
"""What a panel shows over what there is."""

FLAT = 0.75
"""Height over width below which a panel is not square."""

LOWEST = 0.6
"""Height of a picture over that of a square machine's, with room for labels."""

LEAST_REACH = 1.0
"""In mm, of a machine of marks at its centre alone."""


def machine_picture(result: Result, drawing: Drawing) -> Picture:
    """A panel for every disc, or view, with the forces that are known at the first pose."""
    views = views_of(drawing)
    forces = [panel_forces(result, drawing, k, view.layer) for k, view in enumerate(views)]
    colours = ScalarMappable(
        Normalize(0.0, (largest(result, "pressure") or 1.0) * 1e-6), COLOUR_MAP
    )
    centres = [centre_of(drawing, view) for view in views]
    reach = reach_of(drawing, views, centres, forces)
    width, height = SIZES[len(views) - 1]
    height *= max(reach[1] / reach[0], LOWEST)
    picture = Picture(width, height, _caption(result, drawing))
    panels = picture.panels(1, len(views))[0]
    for axes, view, centre, panel in zip(panels, views, centres, forces, strict=True):
        draw_outlines(axes, drawing, view)
        for arrows, colour in panel:
            draw_arrows(axes, arrows, colour or colours.to_rgba(arrows.pressure))
        _frame(axes, view, centre, reach, named=len(views) > 1 and not drawing.spatial)
    for axes in panels[1:] if not drawing.spatial else ():
        axes.tick_params(labelleft=False)
        axes.set_ylabel("")
    if not drawing.spatial and largest(result, "pressure"):
        add_colour_bar(picture, colours, "Hertz pressure (MPa)", panels, 0.85)
    return picture


def _caption(result: Result, drawing: Drawing) -> str:
    text = "The machine to scale" + (" where the run begins. " if len(drawing.time) > 1 else ". ")
    if drawing.of_kind("axle"):
        text += (
            "Left: both members cut in the plane of the wheel's axis and across the offset, of "
            "parallel axes through both of them, teeth from toe to heel. Right: along the wheel's "
            "axis, the tops of all teeth. "
        )
    elif drawing.spatial:
        text += (
            "Left: races and cage cut in the plane of the shafts, balls and the axes of their "
            "tracks (blue: outer race, orange: inner race) as seen from the side. Right: along the "
            "outer race's axis. "
        )
    text += forces_caption(result, drawing)
    circles = [outline.name for outline in drawing.of_kind("pitch circle")]
    dotted = [
        words
        for part, words in (
            ("planet ", "the pitch circles of planets"),
            ("journal ", "the journals"),
            ("circle of planets", "the circle of the planets' centres"),
        )
        if any(name.startswith(part) for name in circles)
    ]
    if drawing.of_kind("sun"):
        text += "In the middle is the sun. "
    if dotted:
        text += f"Dotted: {' and '.join(dotted)}. "
    if drawing.of_kind("axis"):
        text += "The cross is the machine's centre, the dot the disc's."
    return text.strip()


def has_look(drawing: Drawing) -> bool:
    """Whether a picture would show anything of it."""
    return any(outline.kind in DRAWN for outline in drawing.outlines)


def _frame(axes: Axes, view: View, centre: Floats, reach: tuple[float, float], named: bool) -> None:
    axes.set_xlim(centre[0] - reach[0], centre[0] + reach[0])
    axes.set_ylim(centre[1] - reach[1], centre[1] + reach[1])
    axes.set_aspect("equal")
    axes.grid(visible=False)
    axes.set_xlabel(f"{view.names[0]} (mm)")
    axes.set_ylabel(f"{view.names[1]} (mm)")
    if named:
        axes.set_title(view.layer.capitalize())


def _shown(drawing: Drawing, view: View) -> list[Floats]:
    """Polygons of all that a view shows."""
    return [
        points
        for outline in drawing.in_layer(view.layer)
        if outline.kind in DRAWN
        for points in outline_polygons(drawing, outline, view)
    ]


def centre_of(drawing: Drawing, view: View) -> Floats:
    """In mm, of a panel: that of space, or of what is far away from it, as gears are whose axes
    cross at a small angle."""
    polygons = _shown(drawing, view)
    if not drawing.spatial or not polygons:
        return np.zeros(2)
    points = np.vstack(polygons)
    low, high = points.min(axis=0), points.max(axis=0)
    middle = 0.5 * (low + high)
    return np.where(np.abs(middle) > high - low, middle, 0.0)


def reach_of(
    drawing: Drawing,
    views: Sequence[View],
    centres: Sequence[Floats],
    forces: list[list[Forces]],
) -> tuple[float, float]:
    """In mm, to each side of all panels: what is drawn, and the arrows. Panels are square unless
    the machine is far from it."""
    points_shown = [
        points - centre
        for view, centre in zip(views, centres, strict=True)
        for points in _shown(drawing, view)
    ]
    points_shown += [arrows.tail * MILLIMETRE for panel in forces for arrows, _ in panel]
    width, height = (
        max((float(np.abs(points[:, k]).max(initial=0.0)) for points in points_shown), default=0.0)
        for k in (0, 1)
    )
    larger = MARGIN * (max(width, height) or LEAST_REACH)
    return larger, (MARGIN * height if height < FLAT * width else larger)


def draw_outlines(axes: Axes, drawing: Drawing, view: View) -> None:
    """From the first to the last; outlines of one kind that follow each other are one path."""
    face, paths = ("", ""), list[Path]()
    for outline in drawing.in_layer(view.layer):
        if outline.kind == "hole":
            paths += [_closed(points, -1) for points in outline_polygons(drawing, outline, view)]
            continue
        if FILLED.get(outline.kind, face) != face:
            _fill(axes, paths, face)
            face, paths = FILLED[outline.kind], []
        for points in outline_polygons(drawing, outline, view):
            if outline.kind in FILLED:
                paths.append(_closed(points, 1))
            elif outline.kind in LINES:
                line = np.vstack((points, points[:1])) if outline.closed else points
                axes.plot(*line.T, **LINES[outline.kind])
            elif outline.kind in MARKS:
                axes.plot(*points.T, linestyle="", color=INK, **MARKS[outline.kind])
        if outline.kind == "ball" and view.layer == "front":
            x, y = _flat(drawing.poses[0, outline.body, None, :3], view)[0]
            number = outline.name.removeprefix("ball ")
            axes.text(x, y, number, ha="center", va="center", fontsize=8)
    _fill(axes, paths, face)


def outline_polygons(drawing: Drawing, outline: Outline, view: View) -> list[Floats]:
    """Polygons (n, 2) of an outline in a view, in mm."""
    if not outline.revolved:
        return [_flat(drawing.placed(outline), view)]
    centre = drawing.poses[0, outline.body, :3]
    axis = drawing.rotations[0, outline.body][:, 2][list(view.axes)]
    length = float(np.linalg.norm(axis))
    axis = axis / length if length > 1e-6 else np.array([0.0, 1.0])  # a ball looks so all round
    across = np.array([-axis[1], axis[0]])
    radius, height = outline.points[:, :1], outline.points[:, 2:]
    sides = [radius * across * sign + height * axis for sign in (1.0, -1.0)]
    if np.allclose(radius[[0, -1]], 0.0, atol=1e-9):  # a meridian from pole to pole
        sides = [np.vstack((sides[0], sides[1][::-1]))]
    return [(side + centre[list(view.axes)]) * MILLIMETRE for side in sides]


def _flat(points: Floats, view: View) -> Floats:
    return points[:, list(view.axes)] * MILLIMETRE


def _closed(points: Floats, direction: int) -> Path:
    """A closed path that runs anticlockwise, or clockwise to bound a hole."""
    x, y = points.T
    area = np.sum(x * np.roll(y, -1) - y * np.roll(x, -1))
    ordered = points if area * direction >= 0 else points[::-1]
    return Path(np.vstack((ordered, ordered[:1])), closed=True)


def _fill(axes: Axes, paths: list[Path], colours: tuple[str, str]) -> None:
    """Many outlines as one, added without the slow search for its extent: the frame is known."""
    if paths:
        face, edge = colours
        together = Path.make_compound_path(*paths)
        collection = PathCollection([together], facecolor=face, edgecolor=edge, linewidth=0.7)
        axes.add_collection(collection, autolim=False)


def draw_arrows(axes: Axes, arrows: Arrows, colour: Any) -> None:
    axes.quiver(
        *(arrows.tail * MILLIMETRE).T,
        *((arrows.tip - arrows.tail) * MILLIMETRE).T,
        color=colour,
        angles="xy",
        scale_units="xy",
        scale=1.0,
        width=0.004 if isinstance(colour, str) else 0.006,
        headwidth=3.6,
        headlength=4.5,
        headaxislength=4.2,
        zorder=5,
    )
