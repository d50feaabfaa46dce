"""Pictures of the modes of gears: how high they are, and how the gears look in them."""

from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.patches import Patch

from flank.analyses.result import Result
from flank.arrays import ComplexNumbers, Floats, Integers
from flank.io.shown import number_text
from flank.plots.style import (
    ACCENT,
    BODY,
    COLOURS,
    INK,
    MAIN,
    QUIET,
    SECOND,
    WIDE,
    Picture,
    label,
    shown,
)

KINDS = dict(zip(("out of plane", "torsion", "in plane", "radial"), COLOURS, strict=False))

MOST_MODES = 16
"""Of a gear with a bar each; all are in the table."""

DRAWN = 6
"""Modes of a gear whose shapes are drawn."""

STRETCH = 0.09
"""Largest displacement drawn in the plane, over the radius of the gear."""

LEVELS = 11
"""Of colours: many more make files large and tell no more."""

SAME = 1e-6
"""Distance of points that are one, over the radius of the gear."""


def draw(result: Result) -> dict[str, Picture]:
    """Frequencies by gear, and the shapes of the lowest modes, a row for each gear."""
    return {"gear-modes": _frequencies(result), "mode-shapes": _shapes(result)}


def _modes_of(result: Result, gear: str) -> Integers:
    return np.flatnonzero(result.data["mode_gear"].values == gear)


def _different(result: Result, gear: str) -> Integers:
    """Modes to draw: those that look alike from the front differ across the face only."""
    kinds, waves = result.data["kind"].values, result.data["waves"].values
    first: dict[tuple[str, int], int] = {}
    for mode in _modes_of(result, gear):
        first.setdefault((str(kinds[mode]), int(waves[mode])), int(mode))
    return np.array(list(first.values()))[:DRAWN]


def _frequencies(result: Result) -> Picture:
    data = result.data
    gears = [str(name) for name in data["gear"].values]
    longest = max(len(_modes_of(result, gear)[:MOST_MODES]) for gear in gears)
    left_out = data.sizes["mode"] > longest * len(gears)
    picture = Picture(
        WIDE,
        max(1.3 + 0.27 * longest, 2.6),
        "Natural frequencies of each gear alone, with the number of waves around it; the dashed "
        "line is the mesh frequency at the operating point."
        + (" The highest modes of the table are not drawn." if left_out else ""),
    )
    panels = picture.panels(1, len(gears))[0]
    for axes, gear, mesh in zip(panels, gears, shown(data["mesh_frequency"]), strict=True):
        _bars(axes, result, _modes_of(result, gear)[:MOST_MODES], longest)
        axes.axvline(mesh, color=ACCENT, linestyle="--", linewidth=0.9)
        axes.set_title(gear)
        axes.set_xlabel(label(data["frequency"]))
    panels[0].set_ylabel("Waves n")
    kinds = [kind for kind in KINDS if kind in data["kind"].values]
    handles = [Patch(color=KINDS[kind], label=kind) for kind in kinds]
    picture.legend(handles=handles, loc="outside lower right", ncols=4, handlelength=1.0)
    return picture


def _bars(axes: Axes, result: Result, modes: Integers, rows: int) -> None:
    data = result.data
    values = shown(data["frequency"])[modes]
    colours = [KINDS[kind] for kind in data["kind"].values[modes]]
    places = np.arange(len(modes))
    axes.barh(places, values, height=0.66, color=colours)
    for place, value in enumerate(values):
        axes.text(value, place, f" {number_text(value)}", va="center", fontsize=7.5, color=INK)
    axes.set_yticks(places, [str(waves) for waves in data["waves"].values[modes]])
    axes.set_ylim(rows - 0.4, -0.6)
    axes.set_xlim(0, 1.35 * values.max())
    axes.locator_params(axis="x", nbins=4)
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=False, axis="y")


def _shapes(result: Result) -> Picture:
    data = result.data
    gears = [str(name) for name in data["gear"].values]
    columns = max(len(_different(result, gear)) for gear in gears)
    picture = Picture(
        WIDE if columns > 2 else 0.66 * WIDE,
        0.35 + 1.45 * len(gears) if columns > 3 else max(2.4 * len(gears), 2.6),
        "The lowest modes of each gear from the front, displacements enlarged; of those with the "
        "same kind and waves the first. In the plane: the gear at rest, grey, and displaced. Out "
        "of it: orange comes towards the reader, blue goes away, white is at rest.",
    )
    panels = picture.panels(len(gears), columns)
    for axes in panels.flat:
        axes.set_axis_off()
    for row, (k, gear) in zip(panels, enumerate(gears), strict=True):
        front = _front(result, k)
        for axes, mode in zip(row, _different(result, gear), strict=False):
            _draw_shape(axes, result, int(mode), front)
        row[0].annotate(
            gear, (-0.04, 0.5), xycoords="axes fraction", rotation=90, va="center", ha="right"
        )
    return picture


class _Front(NamedTuple):
    """One sector: places, cells as four of them, edges of the gear as two, and how often it is."""

    places: ComplexNumbers
    cells: Integers
    edges: Integers
    teeth: int

    @property
    def radius(self) -> float:
        return float(np.abs(self.places).max())


def _front(result: Result, gear: int) -> _Front:
    data = result.data
    points, cells = data["front_point"].values[gear], data["front_cell"].values[gear]
    points, cells = points[np.isfinite(points[:, 0])], cells[cells[:, 0] >= 0]
    places, teeth = points[:, 0] + 1j * points[:, 1], int(data["teeth"].values[gear])
    return _Front(places, cells, _edges(places, cells, teeth), teeth)


def _edges(places: ComplexNumbers, cells: Integers, teeth: int) -> Integers:
    """Edges of one cell only that lie on no cut: points of a cut are met again a pitch further."""
    edges = np.stack((cells, np.roll(cells, -1, axis=1)), axis=2).reshape(-1, 2)
    edges, count = np.unique(np.sort(edges, axis=1), axis=0, return_counts=True)
    onward = places * np.exp(2j * np.pi / teeth)
    apart = np.abs(onward[:, None] - places)
    met = apart < SAME * np.abs(places).max()
    cuts = met.any(axis=1)[edges].all(axis=1) | met.any(axis=0)[edges].all(axis=1)
    return np.asarray(edges[(count == 1) & ~cuts])


def _draw_shape(axes: Axes, result: Result, mode: int, front: _Front) -> None:
    data, count = result.data, len(front.places)
    waves, kind = int(data["waves"].values[mode]), str(data["kind"].values[mode])
    tooth = 2j * np.pi * np.arange(front.teeth) / front.teeth
    turns, phases = np.exp(tooth)[:, None], np.exp(waves * tooth)[:, None, None]
    shape = data["shape_real"].values[mode] + 1j * data["shape_imaginary"].values[mode]
    moved = (phases * shape[:count]).real
    rest = turns * front.places
    across = turns * (moved[:, :, 0] + 1j * moved[:, :, 1])
    if kind == "out of plane":
        _draw_heights(axes, rest[:, front.cells], moved[:, front.cells, 2])
        _draw_lines(axes, rest[:, front.edges], QUIET)
    else:
        displaced = rest + STRETCH * front.radius / np.abs(across).max() * across
        _draw_cells(axes, displaced[:, front.cells], color=BODY)
        _draw_lines(axes, rest[:, front.edges], QUIET)
        _draw_lines(axes, displaced[:, front.edges], KINDS[kind])
    reach = (1 + STRETCH) * front.radius
    axes.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal")
    frequency = number_text(shown(data["frequency"])[mode])
    axes.set_title(f"{kind}, n = {waves}\n{frequency} Hz", fontsize=8, loc="center", pad=2)


def _draw_lines(axes: Axes, ends: ComplexNumbers, colour: str) -> None:
    """Straight lines between places (..., 2)."""
    lines = np.stack((ends.real, ends.imag), axis=-1).reshape(-1, 2, 2)
    axes.add_collection(LineCollection(list(lines), colors=colour, linewidths=0.7))


def _draw_cells(axes: Axes, corners: ComplexNumbers, **look: Any) -> PolyCollection:
    """Cells (..., 4), without lines between them."""
    cells = np.stack((corners.real, corners.imag), axis=-1).reshape(-1, 4, 2)
    faces = PolyCollection(list(cells), linewidths=0, antialiased=False, **look)
    axes.add_collection(faces)
    return faces


def _draw_heights(axes: Axes, corners: ComplexNumbers, heights: Floats) -> None:
    """Cells coloured by their mean height."""
    largest = float(np.abs(heights).max())
    faces = _draw_cells(axes, corners, cmap=_away_to_towards())
    faces.set_array(heights.mean(axis=-1).ravel())
    faces.set_clim(-largest, largest)


def _away_to_towards() -> LinearSegmentedColormap:
    """Colours of a height with a sign: at rest is white."""
    return LinearSegmentedColormap.from_list("height", [MAIN, "#ffffff", SECOND], N=LEVELS)
