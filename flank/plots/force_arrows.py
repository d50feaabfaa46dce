"""Contact forces on a disc as arrows with their tips at the contact points."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from numpy.typing import NDArray

from flank.analyses.result import Result
from flank.plots.contact_bars import force_names

SMALLEST_ARROW = 0.01
"""Forces below this share of the largest are not drawn."""


class Arrows(NamedTuple):
    """Tips and tails in m, and the pressure in MPa behind each."""

    tip: NDArray
    tail: NDArray
    pressure: NDArray


def force_arrows(result: Result, disc: int, longest: float) -> Arrows:
    """Forces on one disc; the largest of all discs is `longest` long.

    A normal points out of the disc, so that the force on the disc runs against it.
    """
    parts = [_group_arrows(result, name, disc, longest) for name in _drawn_groups(result)]
    if not parts:
        return Arrows(np.zeros((0, 2)), np.zeros((0, 2)), np.zeros(0))
    return Arrows(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def largest(result: Result, field: str) -> float:
    """Largest 'force' or 'pressure' among the contacts that are drawn, in SI."""
    names = _drawn_groups(result)
    return max((float(result.dataset[f"{name}_{field}"].max()) for name in names), default=0.0)


def draw_arrows(axes: Axes, arrows: Arrows, colours: ScalarMappable, scale: float) -> None:
    """`scale` turns m into the units of the axes."""
    axes.quiver(
        *(arrows.tail * scale).T,
        *((arrows.tip - arrows.tail) * scale).T,
        color=colours.to_rgba(arrows.pressure),
        angles="xy",
        scale_units="xy",
        scale=1.0,
        width=0.006,
        headwidth=3.6,
        headlength=4.5,
        headaxislength=4.2,
        zorder=5,
    )


def _drawn_groups(result: Result) -> list[str]:
    """Kinds of contact on a disc whose points and pressures are known."""
    data = result.dataset
    names = (name.removesuffix("_force") for name in force_names(result))
    return [
        name
        for name in names
        if f"{name}_pressure" in data and f"{name}_x" in data and "disc" in data[f"{name}_x"].dims
    ]


def _group_arrows(result: Result, name: str, disc: int, longest: float) -> Arrows:
    def field(column: str) -> NDArray:
        return result.dataset[f"{name}_{column}"].isel(disc=disc).values

    top = largest(result, "force")
    force = field("force")
    drawn = force > SMALLEST_ARROW * top
    tip = np.column_stack((field("x"), field("y")))
    normal = np.column_stack((field("normal_x"), field("normal_y")))
    tail = tip + normal * (force * longest / (top or 1.0))[:, None]
    return Arrows(tip[drawn], tail[drawn], field("pressure")[drawn] * 1e-6)
