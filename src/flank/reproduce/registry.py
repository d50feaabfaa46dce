"""The studies by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from flank.errors import SpecError, suggestion
from flank.texts import echo

if TYPE_CHECKING:
    from flank.reproduce.study import Study


@dataclass(frozen=True)
class Reproduction:
    """One published study: what is redone, and the module whose `run(coarse, progress)` does it.

    Its tables and pictures are named here as well: a folder is refused before they are computed.
    """

    name: str
    summary: str
    module: str
    tables: tuple[str, ...]
    pictures: tuple[str, ...]

    @property
    def run(self) -> Callable[..., Study]:
        return import_module(self.module).run


REPRODUCTIONS = {
    reproduction.name: reproduction
    for reproduction in (
        Reproduction(
            "reducers",
            "errors of an RV reducer: Table 10, Figs. 7 and 8 of arXiv 2604.02387",
            "flank.reproduce.reducers.run",
            ("hysteresis", "changes", "origins", "clearance", "transmission-error"),
            ("hysteresis-loops", "transmission-errors"),
        ),
        Reproduction(
            "planetary",
            "rigid and flexible planetary gearboxes of Jørgensen et al.: Table 1, Figs. 9 to 14",
            "flank.reproduce.planetary.run",
            (
                "angles",
                "damping",
                "stiffness",
                "periods",
                "areas",
                "peaks",
                "stage",
                "switching",
                "phases",
            ),
            ("tooth-forces", "damped-forces", "switching", "stage-forces"),
        ),
        Reproduction(
            "cv-joint",
            "a plunging ball joint of Marter et al. 2020: Figs. 7, 8 and 11 to 14",
            "flank.reproduce.cv_joint.run",
            (
                "cage-angle",
                "contact-forces",
                "secondary-torque",
                "parabolas",
                "track-forces",
                "ball-motion",
                "axial-motion",
                "left-open",
            ),
            (
                "cage-angle",
                "contact-forces",
                "secondary-torque",
                "track-forces",
                "ball-motion",
                "axial-motion",
            ),
        ),
    )
}


def find_reproduction(name: str) -> Reproduction:
    """The study of that name; SpecError with what is near and what is known."""
    if name not in REPRODUCTIONS:
        known = sorted(REPRODUCTIONS)
        raise SpecError(
            f"'{echo(name)}' cannot be reproduced{suggestion(name, known)} "
            f"Known: {', '.join(known)}"
        )
    return REPRODUCTIONS[name]


def listing() -> str:
    """All studies with their summaries."""
    width = max(map(len, REPRODUCTIONS))
    lines = [f"  {name:<{width}}  {study.summary}" for name, study in REPRODUCTIONS.items()]
    example = f"Run one as in: flank reproduce {next(iter(REPRODUCTIONS))}"
    return "\n".join(["Published studies", *lines, "", example])
