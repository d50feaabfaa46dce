"""Contact forces on a disc as arrows with their tips at the contact points."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import xarray
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from numpy.typing import NDArray

from flank.analyses.result import Result
from flank.plots.contact_bars import force_names
from flank.plots.style import INK

SMALLEST_ARROW = 0.01
"""Forces below this share of the largest are not drawn."""

OUTER_RACE = 1
"""Number of the disc's race among the contacts of a roller that is a body."""


class Arrows(NamedTuple):
    """Tips and tails in m, and the pressure in MPa behind each; not known is nan."""

    tip: NDArray
    tail: NDArray
    pressure: NDArray


NO_ARROWS = Arrows(np.zeros((0, 2)), np.zeros((0, 2)), np.zeros(0))


def force_arrows(result: Result, disc: int, longest: float) -> Arrows:
    """Forces of line contacts on one disc; the largest of all discs is `longest` long.

    A normal points out of the disc, so that the force on the disc runs against it.
    """
    top = largest(result, "force")
    parts = [_group_arrows(result, name, disc, longest, top) for name in _drawn_groups(result)]
    if not parts:
        return NO_ARROWS
    return Arrows(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def roller_arrows(result: Result, disc: int, longest: float, eccentrics: NDArray) -> Arrows:
    """Forces of the turning-arm rollers on the holes of one disc, away from the eccentrics."""
    top = largest_roller_force(result)
    found = [
        _rollers_of(result, crank, disc, centre, longest, top)
        for crank, centre in enumerate(eccentrics)
    ]
    return Arrows(*(np.concatenate(columns) for columns in zip(*found, strict=True)))


def largest(result: Result, field: str) -> float:
    """Largest 'force' or 'pressure' among the line contacts that are drawn, in SI."""
    names = _drawn_groups(result)
    return max((float(result.dataset[f"{name}_{field}"].max()) for name in names), default=0.0)


def largest_roller_force(result: Result) -> float:
    """Largest force of a turning-arm roller in N."""
    return float(result.dataset["turning_arm_force"].max())


def draw_arrows(
    axes: Axes, arrows: Arrows, colours: ScalarMappable | str | None, scale: float
) -> None:
    """`scale` turns m into the units of the axes; colours are by pressure, or one for all."""
    colour: Any = colours or INK
    width = 0.004
    if isinstance(colours, ScalarMappable):
        colour, width = colours.to_rgba(arrows.pressure), 0.006
    axes.quiver(
        *(arrows.tail * scale).T,
        *((arrows.tip - arrows.tail) * scale).T,
        color=colour,
        angles="xy",
        scale_units="xy",
        scale=1.0,
        width=width,
        headwidth=3.6,
        headlength=4.5,
        headaxislength=4.2,
        zorder=5,
    )


def _drawn_groups(result: Result) -> list[str]:
    """Kinds of contact on a disc whose points and pressures are known; rollers have their own."""
    data = result.dataset
    names = (name.removesuffix("_force") for name in force_names(result))
    known = [name for name in names if f"{name}_pressure" in data and f"{name}_x" in data]
    dimensions = {name: data[f"{name}_x"].dims for name in known}
    return [
        name for name in known if "disc" in dimensions[name] and "crank" not in dimensions[name]
    ]


def _group_arrows(result: Result, name: str, disc: int, longest: float, top: float) -> Arrows:
    def field(column: str) -> NDArray:
        return result.dataset[f"{name}_{column}"].isel(disc=disc).values.ravel()

    force = field("force")
    drawn = force > SMALLEST_ARROW * top
    tip = np.column_stack((field("x"), field("y")))
    normal = np.column_stack((field("normal_x"), field("normal_y")))
    tail = tip + normal * (force * longest / (top or 1.0))[:, None]
    return Arrows(tip[drawn], tail[drawn], field("pressure")[drawn] * 1e-6)


def _rollers_of(
    result: Result, crank: int, disc: int, centre: NDArray, longest: float, top: float
) -> Arrows:
    def field(column: str) -> NDArray:
        variable: xarray.DataArray = result.dataset[f"turning_arm_{column}"]
        chosen = variable.isel(crank=crank, disc=disc)
        return (chosen.isel(race=OUTER_RACE) if "race" in chosen.dims else chosen).values

    force = field("force")
    drawn = force > SMALLEST_ARROW * top
    tip = np.column_stack((field("x"), field("y")))[drawn]
    outward = (tip - centre) / np.linalg.norm(tip - centre, axis=1)[:, None]
    tail = tip - outward * (force[drawn] * longest / (top or 1.0))[:, None]
    return Arrows(tip, tail, np.full(len(tip), np.nan))
