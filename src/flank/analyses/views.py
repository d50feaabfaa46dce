"""How a picture looks at a drawing: a panel for every layer, or for every view in space."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from flank.analyses.drawing import Drawing


class View(NamedTuple):
    """How a panel looks at the machine: axes of space to the right and upwards, with names."""

    layer: str
    axes: tuple[int, int] = (0, 1)

    @property
    def names(self) -> tuple[str, str]:
        return "xyz"[self.axes[0]], "xyz"[self.axes[1]]


IN_SPACE = (View("side", (2, 0)), View("front", (0, 1)))
"""Across both shafts, which lie in x and z, and along the axis of the first."""

SIDE_BY_SIDE = (View("side", (2, 1)), View("front", (0, 1)))
"""The same of parallel shafts, which lie in y and z."""

PARALLEL = 1e-3
"""Sine of the angle of axes below which the way between them decides on the view."""


def views_of(drawing: Drawing) -> Sequence[View]:
    if not drawing.spatial:
        return [View(layer) for layer in drawing.layers]
    axles = [drawing.rotations[0, outline.body][:, 2] for outline in drawing.of_kind("axle")]
    if len(axles) == 2 and np.linalg.norm(np.cross(axles[0], axles[1])) < PARALLEL:
        return SIDE_BY_SIDE
    return IN_SPACE
