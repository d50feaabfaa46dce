"""Forces of a joint's balls over the turn: loaded flanks, opposite flanks and cage."""

from __future__ import annotations

import numpy as np
import xarray
from matplotlib.axes import Axes

from flank.analyses.result import Result
from flank.plots.style import (
    FAINT,
    MAIN,
    SECOND,
    WIDE,
    Picture,
    angle_ticks,
    label,
    shown,
)

FIRST = 0
"""The ball that is drawn in colour."""


def forces_picture(result: Result) -> Picture:
    """Track forces of both races, contact angles and cage forces."""
    picture = Picture(
        WIDE,
        6.6,
        "Forces on the balls over the turn, and where they touch their tracks (blue: outer race, "
        "orange: inner race). In colour the first ball, its loaded flank or side as a line and the "
        "opposite one dashed. Grey the other balls, which pass the same places after it.",
    )
    rows = [picture.add_axes((0.085, 0.775 - 0.233 * k, 0.88, 0.185)) for k in range(4)]
    force = result["track_force"]
    for axes, race in zip(rows, force["race"].values, strict=False):
        _courses(axes, force.sel(race=race), MAIN if race == "outer" else SECOND)
        axes.set_title(f"Tracks of the {race} race")
        axes.set_ylabel(label(force, "Force"))
    _contact_angles(rows[2], result)
    window = result["window_force"]
    _courses(rows[3], window, MAIN)
    rows[3].set_title("Cage")
    rows[3].set_ylabel(label(window, "Force"))
    for axes in rows:
        over_the_turn(axes, result, axes is rows[3])
    return picture


def over_the_turn(axes: Axes, result: Result, last: bool) -> None:
    """The angle below, named below the last panel."""
    angle = shown(result["angle"])
    angle_ticks(axes, min(angle[0], angle[-1]), max(angle[0], angle[-1]))
    axes.tick_params(labelbottom=last)
    if last:
        axes.set_xlabel(label(result["angle"]))


def loaded_first(force: xarray.DataArray) -> xarray.DataArray:
    """The flanks (or sides) of every ball, the one that carries more on average first."""
    order = np.argsort(-force.mean("angle").values, axis=-1)
    values = np.take_along_axis(force.values, order[None], axis=-1)
    return force.copy(data=values)


def _courses(axes: Axes, force: xarray.DataArray, colour: str) -> None:
    values, angle = shown(loaded_first(force)), shown(force["angle"])
    for ball in range(1, values.shape[1]):
        axes.plot(angle, values[:, ball, 0], color=FAINT, linewidth=0.8)
    axes.plot(angle, values[:, FIRST, 0], color=colour)
    axes.plot(angle, values[:, FIRST, 1], color=colour, linestyle="--")
    axes.set_ylim(bottom=min(0.0, axes.get_ylim()[0]))


def _contact_angles(axes: Axes, result: Result) -> None:
    """Of the first ball, on the flanks that carry it."""
    angle, touching = shown(result["angle"]), result["contact_angle"]
    loaded = result["track_force"].mean("angle").argmax("flank")
    values = shown(touching.isel(flank=loaded))
    for race, colour in enumerate((MAIN, SECOND)):
        axes.plot(angle, values[:, FIRST, race], color=colour)
    axes.set_title("Contact from the bottom of the track, loaded flanks")
    axes.set_ylabel(label(touching, "Angle"))
