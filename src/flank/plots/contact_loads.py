"""Force and pressure of every contact: bars, a column for each kind, and maps of bearings; forces
of meshes where no contact is known one by one."""

import math
from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import SubFigure
from matplotlib.image import AxesImage
from matplotlib.ticker import MaxNLocator

from flank.analyses.labelled import LabelledArray
from flank.analyses.result import Result
from flank.arrays import Floats
from flank.plots import measured_parts
from flank.plots.force_arrows import force_names
from flank.plots.style import (
    COLOURS,
    WIDE,
    Picture,
    add_colour_bar,
    angle_ticks,
    label,
    legend_above,
    shown,
    white_to_dark,
)

BESIDE = {
    "disc": ("First disc", "Second disc", "Third disc"),
    "race": ("Outer race", "Inner race"),
}
"""First dimensions of groups whose bars stand side by side, and what the legend calls them."""

SLICED = ("flank_index", "slice", "tooth_pair")
"""Dimensions of teeth that are cut across the face."""

PAIR = "pair of teeth"
FLANKS = ("", ", second flank")

MESH_FORCES = {
    "mesh_load": "normal",
    "tangential_mesh_load": "tangential",
    "axial_mesh_force": "axial",
}
"""Forces of a whole mesh, and what the legend calls them."""

SMALLEST_SHARE = 0.26
"""Of the width, for a column of bars."""

LEAST_TICKS = 4
"""Of an axis of pins, slots or rollers, at least about so many."""

MOST_CRANKS = 3
"""Cranks whose bearings have a panel each; more would be too small to read."""


def draw(result: Result) -> dict[str, Picture]:
    """Loads of all contacts, if there are any, and what measured parts deviate.

    Teeth on planets are left out: several meshes alone are drawn as a whole.
    """
    names = [
        name for name in force_names(result) if not {"planet", "mesh"} & {*result.data[name].dims}
    ]
    measured = measured_parts.draw(result)
    if names:
        return {"contact-loads": _loads_picture(result, names), **measured}
    if "mesh_load" in result.data and result.data.sizes["mesh"] > 1:
        return {"contact-loads": _meshes_picture(result), **measured}
    return measured


def _meshes_picture(result: Result) -> Picture:
    """Forces of every mesh side by side, above its name."""
    picture = Picture(
        WIDE,
        3.4,
        "Tooth forces of every mesh, their sizes: signs, which say which flank carries, stand in "
        "the table.",
    )
    axes = picture.panel()
    names = [str(name) for name in result.data["mesh"].values]
    forces = {name: title for name, title in MESH_FORCES.items() if name in result.data}
    width = 0.8 / len(forces)
    for k, ((name, title), colour) in enumerate(zip(forces.items(), COLOURS, strict=False)):
        places = np.arange(len(names)) + (k - (len(forces) - 1) / 2) * width
        axes.bar(places, np.abs(shown(result.data[name])), width, color=colour, label=title)
    axes.set_xticks(range(len(names)), names)
    axes.grid(visible=False, axis="x")
    axes.set_ylabel(label(result.data["mesh_load"], "Force"))
    axes.set_title("Meshes")
    legend_above(axes, len(forces))
    return picture


def _loads_picture(result: Result, names: list[str]) -> Picture:
    """One column for each kind of contact, forces above, pressures below; maps of bearings."""
    maps = [name for name in names if "crank" in result.data[name].dims]
    bars = [name for name in names if name not in maps]
    beside = {_beside(result.data[name]) for name in bars} - {""}
    caption = "Force and Hertz pressure of every contact by its number"
    caption += (
        "".join(f", the {_plural(dimension)} side by side" for dimension in sorted(beside)) + "."
    )
    if not bars:
        caption = "The force of every roller, a row for each bearing."
    elif maps:
        caption += " Right: the force of every roller, a row for each bearing."
    picture = Picture(WIDE, 4.2, caption)
    picture.lay_out()
    parts = picture.subfigures(1, bool(bars) + bool(maps), squeeze=False)[0]
    if bars:
        _add_bars(parts[0], result, bars)
    if maps:
        _add_maps(parts[-1], result, maps)
    return picture


def _beside(variable: LabelledArray) -> str:
    """The dimension whose bars stand side by side, if there is one."""
    if variable.dims == SLICED:
        return PAIR
    first = str(variable.dims[0])
    return first if first in BESIDE and variable.shape[0] > 1 else ""


def _plural(dimension: str) -> str:
    return "pairs of teeth" if dimension == PAIR else f"{dimension}s"


def _sliced(variable: LabelledArray) -> tuple[Floats, list[str]]:
    """Values (pair, slice) of the pairs that carry, and what the legend calls them."""
    flanks, _, pairs = variable.shape
    values = np.moveaxis(shown(variable), 1, 2).reshape(flanks * pairs, -1)
    titles = [f"Pair {pair + 1}{flank}" for flank in FLANKS[:flanks] for pair in range(pairs)]
    carries = np.flatnonzero(values.max(axis=1))
    if not len(carries):
        return values[:1], [""]
    return values[carries], [titles[k] for k in carries]


def _add_bars(part: SubFigure, result: Result, names: list[str]) -> None:
    """Columns as wide as their number of contacts asks for, but never too narrow."""
    counts = np.array([result.data[name].shape[-1] for name in names], dtype=float)
    widths = np.maximum(counts / counts.sum(), SMALLEST_SHARE).tolist()
    panels = part.subplots(2, len(names), squeeze=False, width_ratios=widths)
    for column, name in zip(panels.T, names, strict=True):
        _column(column, result, name.removesuffix("_force"), first=name == names[0])
    if _beside(result.data[names[0]]):
        legend_above(panels[0, 0], len(panels[0, 0].get_legend_handles_labels()[1]) or 1)


def _column(panels: Sequence[Axes], result: Result, name: str, first: bool) -> None:
    """Forces of one kind of contact above its pressures, where those are known."""
    for axes, field in zip(panels, ("force", "pressure"), strict=True):
        if f"{name}_{field}" not in result.data:
            axes.set_axis_off()
            continue
        variable = result.data[f"{name}_{field}"]
        _bars(axes, variable)
        if first:
            axes.set_ylabel(label(variable, field.capitalize()))
    panels[0].set_title(_heading(result.data[f"{name}_force"]))
    panels[1].set_xlabel(_counted(result.data[f"{name}_force"]))


def _bars(axes: Axes, variable: LabelledArray) -> None:
    """Discs, races of a joint, or pairs of teeth in every slice side by side; what else is numbered
    goes on in one row, the contacts of a ball next to each other above its number."""
    dimension = _beside(variable)
    titles: Sequence[str]
    if dimension == PAIR:
        values, titles = _sliced(variable)
    else:
        values = shown(variable).reshape(variable.shape[0] if dimension else 1, -1)
        titles = BESIDE.get(dimension, ("",))
    numbers = np.arange(1, values.shape[-1] + 1)
    width = 0.8 / len(values)
    for k, (heights, colour, title) in enumerate(zip(values, COLOURS, titles, strict=False)):
        offset = (k - (len(values) - 1) / 2) * width
        loaded = heights > 0.0  # a bar of no height still costs as much as one that is seen
        axes.bar(numbers[loaded] + offset, heights[loaded], width, color=colour, label=title)
    axes.set_ylim(bottom=0.0)
    axes.set_xlim(0.3, len(numbers) + 0.7)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=10, steps=[1, 2, 5, 10]))
    if "ball" in variable.dims:
        balls = variable.sizes["ball"]
        middles = (np.arange(balls) + 0.5) * (len(numbers) / balls) + 0.5
        axes.set_xticks(middles, [str(ball + 1) for ball in range(balls)])
    elif dimension == PAIR:
        axes.set_xticks(numbers)
    axes.grid(visible=False, axis="x")


def _counted(variable: LabelledArray) -> str:
    """What the numbers under the bars count; slots of both flanks follow each other."""
    if "ball" in variable.dims:
        return f"Ball, its {variable.dims[-1]}s side by side"
    if variable.dims == SLICED:
        return "Slice across the face"
    text = f"{variable.dims[-1].replace('_', ' ')} number".capitalize()
    if "flank" in variable.dims:
        text += f", the second flank from {variable.shape[-1]}"
    return text


def _heading(variable: LabelledArray) -> str:
    """'Force on output rollers' without the force: 'Output rollers'."""
    return str(variable.attrs["long_name"]).split(" on ", 1)[-1].capitalize()


def _add_maps(part: SubFigure, result: Result, names: list[str]) -> None:
    """Maps of bearings one above the other, all in one scale of colours."""
    forces = [by_bearing(result.data[name]) for name in names]
    top = max(float(shown(force).max()) for force in forces) or 1.0
    panels = part.subplots(len(forces), 1, squeeze=False)[:, 0]
    for axes, force in zip(panels, forces, strict=True):
        image = _draw_map(axes, force, top)
        axes.set_title(_heading(force))
    panels[-1].set_xlabel("Roller number")
    add_colour_bar(part, image, label(forces[0], "Force"), panels)


def by_bearing(variable: LabelledArray) -> LabelledArray:
    """The larger force of a roller's two races where it is a body."""
    return variable.max("race") if "race" in variable.dims else variable


def _draw_map(axes: Axes, force: LabelledArray, top: float) -> AxesImage:
    """One row for each bearing, one cell for each roller; dark is `top` N."""
    values = shown(force).reshape(-1, force.shape[-1])
    image = axes.imshow(
        values,
        aspect="auto",
        interpolation="nearest",
        cmap=white_to_dark(),
        vmin=0.0,
        vmax=top,
    )
    crank, other = str(force.dims[0]), str(force.dims[1])
    pairs = np.ndindex(force.sizes[crank], force.sizes[other])
    names = [f"{crank} {k + 1}, {other} {j + 1}" for k, j in pairs]
    axes.set_yticks(range(len(values)), names, fontsize=7.5)
    axes.tick_params(axis="y", length=0)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=10, steps=[1, 2, 5, 10]))
    axes.set_yticks(np.arange(len(values) - 1) + 0.5, minor=True)
    axes.grid(visible=False)
    axes.grid(visible=True, axis="y", which="minor", color="white", linewidth=1.5)
    axes.tick_params(axis="y", which="minor", length=0)
    return image


def turn_picture(result: Result, name: str) -> Picture:
    """Force of every roller over the turn, a panel for each bearing."""
    every = by_bearing(result.data[name])
    force = every.isel(crank=slice(MOST_CRANKS))
    left_out = every.sizes["crank"] - force.sizes["crank"]
    what = str(force.attrs["long_name"]).split(" on ", 1)[-1]
    picture = Picture(
        WIDE,
        0.55 + 1.3 * force.sizes["crank"],
        f"Force of the {what} over the {str(force['shaft_angle'].attrs['long_name']).lower()}, a "
        "panel for each bearing. White rollers are free. Rollers are numbered around their race."
        + (f" The bearings of {left_out} more cranks are not shown." if left_out else ""),
    )
    other = str(force.dims[2])
    shape = force.sizes["crank"], force.sizes[other]
    panels = picture.panels(*shape, sharex=True, sharey=True)
    top = float(shown(force).max()) or 1.0
    angle = shown(force["shaft_angle"])
    for axes, (k, j) in zip(panels.flat, np.ndindex(shape), strict=True):
        values = shown(force.isel(**{"crank": k, other: j})).T
        image = draw_over_angle(axes, angle, values, top)
        axes.set_title(f"Crank {k + 1}, {other} {j + 1}", pad=3.0)
    for axes in panels[-1]:
        axes.set_xlabel(label(force["shaft_angle"]))
    for axes in panels[:, 0]:
        axes.set_ylabel("Roller")
    add_colour_bar(picture, image, label(force, "Force"), panels)
    return picture


def draw_over_angle(axes: Axes, angle: Floats, values: Floats, top: float) -> AxesImage:
    """Forces (contact, angle) as a map, the first contact at the bottom; dark is `top`."""
    step = angle[1] - angle[0]
    image = axes.imshow(
        values,
        origin="lower",
        aspect="auto",
        interpolation="nearest",
        cmap=white_to_dark(),
        vmin=0.0,
        vmax=top,
        extent=(angle[0], angle[-1] + step, -0.5, len(values) - 0.5),
    )
    axes.grid(visible=False)
    axes.yaxis.set_major_locator(
        MaxNLocator(integer=True, nbins=max(math.ceil(len(values) / 5), LEAST_TICKS))
    )
    angle_ticks(axes, angle[0], angle[-1] + step)
    return image
