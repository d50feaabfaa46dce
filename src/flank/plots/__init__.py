"""Pictures of results. Nothing is drawn, and matplotlib not loaded, before it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from flank.analyses.registry import ANALYSES

if TYPE_CHECKING:
    from flank.analyses.result import Result
    from flank.plots.style import Picture

    Draw = Callable[[Result], dict[str, Picture]]


DRAWINGS = ("drive", "joint")
"""Names of the machine's own picture, which every analysis has one of."""

ELSEWHERE = {
    "load-distribution": "contact_loads",
    "load-sharing": "planets",
    "mesh-phasing": "planets",
    "rolling-dwell": "speed_dwell",
    "rolling-sweep": "speed_sweep",
}
"""Modules of pictures that are not named after the analysis, as others use them too."""


@dataclass(frozen=True)
class PictureSet:
    """The pictures of one analysis: the module that draws them and all names it may give them."""

    module: str
    names: tuple[str, ...]

    @property
    def drawing(self) -> str:
        return next(name for name in self.names if name in DRAWINGS)

    @property
    def draw(self) -> Draw:
        draw: Draw = import_module(f"flank.plots.{self.module}").draw
        return draw


PICTURES = {
    name: PictureSet(ELSEWHERE.get(name, name.replace("-", "_")), analysis.pictures)
    for name, analysis in ANALYSES.items()
}


def figures(result: Result) -> dict[str, Picture]:
    """The pictures of a result by name; an incomplete result gives what can be drawn of it.

    A run that came to nothing has none: the machine alone would say nothing of what was asked.
    """
    known = PICTURES.get(result.analysis)
    if known is None:
        return {}
    from flank.plots.machine import has_look, machine_picture
    from flank.plots.style import styled

    with styled():
        pictures = known.draw(result)
        drawing = result.drawing
        if drawing is not None and has_look(drawing) and (pictures or result.complete):
            pictures[known.drawing] = machine_picture(result, drawing)
    return {name: pictures[name] for name in known.names if name in pictures}


def why_no_drawing(result: Result) -> str:
    """One sentence where a result keeps no outlines; empty where it does."""
    if result.drawing is not None:
        return ""
    version = result.data.attrs.get("flank_version", "")
    return (
        "There is no drawing of the machine: it tells no outlines, or the Flank that computed this "
        f"result, {version}, did not keep them; run it anew to have one."
    )
