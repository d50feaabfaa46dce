"""Pictures of teeth under load: pressure on the flank, lines of contact, the mesh cycle."""

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.patches import Rectangle

from flank.analyses.result import Result
from flank.plots.contact_pattern import flank_frame
from flank.plots.style import (
    COLOURS,
    MAIN,
    SECOND,
    WIDE,
    Picture,
    add_colour_bar,
    label,
    legend_above,
    shown,
    white_to_dark,
    widen,
)

LINES = 7
"""Positions of the cycle at which lines of contact are drawn."""

TAPERED = ("bevel-pair", "hypoid-pair")
"""Machines whose teeth have a toe and a heel: those of cylindrical gears have ends."""


def draw(result: Result) -> dict[str, Picture]:
    pictures = {"load-on-flank": _on_flank(result)}
    if result.data.sizes["angle"] > 1:
        pictures["loaded-cycle"] = _cycle(result)
    return pictures


def _on_flank(result: Result) -> Picture:
    data = result.data
    picture = Picture(
        WIDE,
        3.1,
        "The flank of the driven gear. Left: the largest pressure while a tooth "
        "goes through mesh, the pattern under load. Right: load along the lines of contact at some "
        "positions of the mesh cycle, all teeth on one flank.",
    )
    left, right = picture.panels(1, 2)[0]
    ends = ("toe", "heel") if result.spec["machine"] in TAPERED else ("one end", "other end")
    flank_frame(left, ends)
    pressure, face = shown(data["pattern_pressure"]), shown(data["pattern_face"])
    known = np.isfinite(face).all(axis=0)
    height = np.broadcast_to(shown(data["height"])[:, None], face.shape)
    image = left.pcolormesh(
        face[:, known], height[:, known], pressure[:, known], cmap=white_to_dark(),
        shading="gouraud", vmin=0.0,
    )  # fmt: skip
    image.set_clip_path(Rectangle((0, 0), 100, 100, transform=left.transData))
    left.set_title("Pressure")
    add_colour_bar(picture, image, label(data["pressure"]), [left])
    flank_frame(right, ends)
    lines = _lines(result)
    right.add_collection(lines)
    right.set_title("Lines of contact")
    add_colour_bar(picture, lines, label(data["line_load"]), [right])
    return picture


def _lines(result: Result) -> LineCollection:
    data = result.data
    load, face, height = (shown(data[name]) for name in ("line_load", "line_face", "line_height"))
    rows = np.unique(np.linspace(0, len(load) - 1, LINES).round().astype(int))
    segments, values = [], []
    for row in rows:
        for pair in range(load.shape[1]):
            points = np.column_stack((face[row, pair], height[row, pair]))
            both = np.isfinite(points).all(axis=1)
            for k in np.flatnonzero(both[:-1] & both[1:]):
                segments.append(points[k : k + 2])
                values.append(0.5 * (load[row, pair, k] + load[row, pair, k + 1]))
    lines = LineCollection(segments, cmap=white_to_dark(), linewidths=2.2)
    lines.set_array(np.array(values))
    lines.set_clim(0.0, max(values, default=1.0))
    return lines


def _cycle(result: Result) -> Picture:
    data = result.data
    picture = Picture(
        WIDE,
        2.9,
        "Over a mesh cycle: transmission error under load, stiffness of the mesh at the output, "
        "and what one pair of teeth after the other carries.",
    )
    panels = picture.panels(1, 3)[0]
    angle = shown(data["angle"])
    for axes, name, colour in zip(
        panels, ("transmission_error", "stiffness"), (MAIN, SECOND), strict=False
    ):
        axes.plot(angle, shown(data[name]), color=colour)
        axes.set_ylabel(label(data[name], name.replace("_", " ").capitalize()))
    widen(panels[1], 0.1)
    share = shown(data["tooth_share"])
    shown_pairs = [k for k in range(share.shape[1]) if share[:, k].max() > 0.5]
    for k, colour in zip(shown_pairs, COLOURS, strict=False):
        name = f"pair {int(data['pair'].values[k])}"
        panels[2].plot(angle, share[:, k], color=colour, label=name)
    panels[2].set_ylabel(label(data["tooth_share"], "Share"))
    legend_above(panels[2], len(shown_pairs))
    for axes in panels:
        axes.set_xlim(angle[0], angle[-1])
        axes.set_xlabel(label(data["angle"]))
    return picture
