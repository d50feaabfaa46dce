"""Forces of rollers in many bearings, as maps: a row of a map, or a panel, for each bearing."""

from __future__ import annotations

import math

import numpy as np
import xarray
from matplotlib.axes import Axes
from matplotlib.image import AxesImage
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from flank.analyses.result import Result
from flank.plots.style import WIDE, Picture, angle_ticks, label, shown, white_to_dark

MOST_CRANKS = 3
"""Cranks whose bearings have a panel each; more would be too small to read."""

PANEL_HEIGHT, HEAD, FOOT = 1.3, 0.05, 0.5
"""Inches of one panel with its gap, above the first and below the last."""

LEFT, RIGHT, GAP = 0.07, 0.885, 0.035
"""Edges of the panels and the gap between them, in parts of the width."""


def is_of_bearings(variable: xarray.DataArray) -> bool:
    """Whether rollers are counted bearing by bearing, crank after crank."""
    return "crank" in variable.dims


def by_bearing(variable: xarray.DataArray) -> xarray.DataArray:
    """The larger force of a roller's two races where it is a body."""
    return variable.max("race", keep_attrs=True) if "race" in variable.dims else variable


def draw_map(axes: Axes, force: xarray.DataArray, top: float) -> AxesImage:
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
    axes.set_yticks(range(len(values)), _bearing_names(force), fontsize=7.5)
    axes.tick_params(axis="y", length=0)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=10, steps=[1, 2, 5, 10]))
    axes.set_yticks(np.arange(len(values) - 1) + 0.5, minor=True)
    axes.grid(visible=False)
    axes.grid(visible=True, axis="y", which="minor", color="white", linewidth=1.5)
    axes.tick_params(axis="y", which="minor", length=0)
    return image


def _bearing_names(force: xarray.DataArray) -> list[str]:
    crank, other = str(force.dims[0]), str(force.dims[1])
    return [
        f"{crank} {k + 1}, {other} {j + 1}"
        for k in range(force.sizes[crank])
        for j in range(force.sizes[other])
    ]


def turn_picture(result: Result, name: str) -> Picture:
    """Force of every roller over the turn, a panel for each bearing."""
    whole = by_bearing(result[name])
    force = whole.isel(crank=slice(MOST_CRANKS))
    left_out = whole.sizes["crank"] - force.sizes["crank"]
    height = HEAD + FOOT + PANEL_HEIGHT * force.sizes["crank"]
    what = str(force.attrs["long_name"]).split(" on ", 1)[-1]
    picture = Picture(
        WIDE,
        height,
        f"Force of the {what} over the {str(force['shaft_angle'].attrs['long_name']).lower()}, a "
        "panel for each bearing. White rollers are free. Rollers are numbered around their race."
        + (f" The bearings of {left_out} more cranks are not shown." if left_out else ""),
    )
    image = _add_panels(picture, force, height)
    bottom = (FOOT + 0.1) / height
    add_colour_bar(picture, image, label(force, "Force"), (0.905, bottom, 0.016, 0.8))
    return picture


def _add_panels(picture: Picture, force: xarray.DataArray, height: float) -> AxesImage:
    """Cranks below each other, their bearings side by side, all in one scale of colours."""
    other = str(force.dims[2])
    cranks, others = force.sizes["crank"], force.sizes[other]
    top = float(shown(force).max()) or 1.0
    angle = shown(force["shaft_angle"])
    width = (RIGHT - LEFT - GAP * (others - 1)) / others
    for k in range(cranks):
        bottom = (FOOT + PANEL_HEIGHT * (cranks - 1 - k) + 0.1) / height
        for j in range(others):
            left = LEFT + j * (width + GAP)
            axes = picture.add_axes((left, bottom, width, (PANEL_HEIGHT - 0.35) / height))
            values = shown(force.isel({"crank": k, other: j})).T
            image = draw_over_angle(axes, angle, values, top)
            axes.set_title(f"Crank {k + 1}, {other} {j + 1}", pad=3.0)
            axes.tick_params(labelbottom=k == cranks - 1, labelleft=j == 0)
            axes.set_xlabel(label(force["shaft_angle"]) if k == cranks - 1 else "")
            axes.set_ylabel("Roller" if j == 0 else "")
    return image


def draw_over_angle(axes: Axes, angle: NDArray, values: NDArray, top: float) -> AxesImage:
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
    axes.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=math.ceil(len(values) / 5)))
    angle_ticks(axes, angle[0], angle[-1] + step)
    return image


def add_colour_bar(
    picture: Picture, image: AxesImage, title: str, place: tuple[float, float, float, float]
) -> None:
    bar = picture.colorbar(image, cax=picture.add_axes(place))
    bar.set_label(title)
    bar.outline.set_visible(False)
