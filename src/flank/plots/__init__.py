"""Pictures of results. Nothing is drawn, and matplotlib not loaded, before it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flank.analyses.result import Result
    from flank.plots.style import Picture


@dataclass(frozen=True)
class PictureSet:
    """The pictures of one analysis: the module that draws them and all names it may give them."""

    module: str
    names: tuple[str, ...]

    @property
    def draw(self) -> Callable[[Result], dict[str, Picture]]:
        return import_module(self.module).draw


PICTURES = {
    "transmission-error": PictureSet(
        "flank.plots.transmission_error",
        (
            "transmission-error",
            "spectrum",
            "pin-forces",
            "flank-forces",
            "turning-arm-forces",
            "support-forces",
        ),
    ),
    "load-distribution": PictureSet("flank.plots.load_distribution", ("drive", "contact-loads")),
    "hysteresis": PictureSet("flank.plots.hysteresis", ("hysteresis",)),
    "stiffness-split": PictureSet("flank.plots.stiffness_split", ("stiffness-split",)),
    "natural-frequencies": PictureSet("flank.plots.natural_frequencies", ("natural-frequencies",)),
    "time-response": PictureSet(
        "flank.plots.time_response", ("time-response", "tooth-forces", "energies")
    ),
    "load-sharing": PictureSet("flank.plots.load_sharing", ("load-sharing", "sharing-by-error")),
    "mesh-phasing": PictureSet("flank.plots.mesh_phasing", ("mesh-phasing",)),
    "speed-sweep": PictureSet("flank.plots.speed_sweep", ("speed-sweep",)),
    "sensitivity": PictureSet(
        "flank.plots.sensitivity",
        ("sensitivity-stiffness", "sensitivity-play", "sensitivity-by-kind"),
    ),
    "joint-turns": PictureSet(
        "flank.plots.joint_turns",
        (
            "joint",
            "track-forces",
            "ball-motion",
            "rolling-and-sliding",
            "secondary-torque",
            "axial-orders",
            "losses",
        ),
    ),
    "joint-map": PictureSet("flank.plots.joint_map", ("joint-map", "joint-map-last")),
}


def figures(result: Result) -> dict[str, Picture]:
    """The pictures of a result by name; an incomplete result gives what can be drawn of it."""
    known = PICTURES.get(result.analysis)
    return known.draw(result) if known else {}
