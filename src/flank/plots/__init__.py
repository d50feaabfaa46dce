"""Pictures of results. Nothing is drawn, and matplotlib not loaded, before it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flank.analyses.result import Result
    from flank.plots.style import Picture

    Draw = Callable[[Result], dict[str, Picture]]


@dataclass(frozen=True)
class PictureSet:
    """The pictures of one analysis: the module that draws them and all names it may give them.

    `drawing` is the name of the machine's own picture, which every analysis has.
    """

    module: str
    names: tuple[str, ...]
    drawing: str = "drive"

    @property
    def draw(self) -> Draw:
        draw: Draw = import_module(f"flank.plots.{self.module}").draw
        return draw


PICTURES = {
    "transmission-error": PictureSet(
        "transmission_error",
        (
            "transmission-error",
            "spectrum",
            "pin-forces",
            "flank-forces",
            "turning-arm-forces",
            "support-forces",
            "drive",
        ),
    ),
    "load-distribution": PictureSet("contact_loads", ("drive", "contact-loads")),
    "hysteresis": PictureSet("hysteresis", ("hysteresis", "drive")),
    "stiffness-split": PictureSet("stiffness_split", ("stiffness-split", "drive")),
    "natural-frequencies": PictureSet("natural_frequencies", ("natural-frequencies", "drive")),
    "time-response": PictureSet(
        "time_response", ("time-response", "tooth-forces", "energies", "drive")
    ),
    "load-sharing": PictureSet("planets", ("load-sharing", "sharing-by-error", "drive")),
    "mesh-phasing": PictureSet("planets", ("mesh-phasing", "drive")),
    "speed-sweep": PictureSet("speed_sweep", ("speed-sweep", "drive")),
    "sensitivity": PictureSet(
        "sensitivity",
        ("sensitivity-stiffness", "sensitivity-play", "sensitivity-by-kind", "drive"),
    ),
    "joint-turns": PictureSet(
        "joint_turns",
        (
            "joint",
            "track-forces",
            "ball-motion",
            "rolling-and-sliding",
            "secondary-torque",
            "axial-orders",
            "losses",
        ),
        "joint",
    ),
    "joint-map": PictureSet("joint_map", ("joint-map", "joint-map-last", "joint"), "joint"),
}


def figures(result: Result) -> dict[str, Picture]:
    """The pictures of a result by name; an incomplete result gives what can be drawn of it.

    A run that came to nothing has none: the machine alone would say nothing of what was asked.
    """
    known = PICTURES.get(result.analysis)
    if known is None:
        return {}
    from flank.plots.machine import machine_picture
    from flank.plots.style import styled

    with styled():
        pictures = known.draw(result)
        if result.drawing is not None and (pictures or result.complete):
            pictures[known.drawing] = machine_picture(result, result.drawing)
    return {name: pictures[name] for name in known.names if name in pictures}


def why_no_drawing(result: Result) -> str:
    """One sentence where a result keeps no outlines; empty where it does."""
    if result.drawing is not None:
        return ""
    version = result.dataset.attrs.get("flank_version", "")
    return (
        "There is no drawing of the machine: it tells no outlines, or the Flank that computed this "
        f"result, {version}, did not keep them; run it anew to have one."
    )
