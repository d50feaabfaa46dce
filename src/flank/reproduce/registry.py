"""The studies by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from flank.errors import SpecError, suggestion
from flank.texts import echo

if TYPE_CHECKING:
    from flank.report.document import Outline
    from flank.reproduce.study import Study


@dataclass(frozen=True)
class Reproduction:
    """One published study: what is redone, and its package, with `paper.yaml` and the module `run`
    whose `run(coarse, progress)` does it."""

    name: str
    summary: str
    package: str

    @property
    def run(self) -> Callable[..., Study]:
        run: Callable[..., Study] = import_module(f"{self.package}.run").run
        return run

    @property
    def outline(self) -> Outline:
        """Its tables and pictures: a folder is refused before they are computed."""
        from flank.report.document import STUDY, Outline
        from flank.reproduce.study import read_paper

        paper = read_paper(self.package)
        return Outline(STUDY, tuple(paper.tables), tuple(paper.pictures))


REPRODUCTIONS = {
    reproduction.name: reproduction
    for reproduction in (
        Reproduction(
            "reducers",
            "errors of an RV reducer: Table 10, Figs. 7 and 8 of arXiv 2604.02387",
            "flank.reproduce.reducers",
        ),
        Reproduction(
            "planetary",
            "rigid and flexible planetary gearboxes of Jørgensen et al.: Table 1, Figs. 9 to 14",
            "flank.reproduce.planetary",
        ),
        Reproduction(
            "cv-joint",
            "a plunging ball joint of Marter et al. 2020: Figs. 5, 7, 8 and 11 to 14",
            "flank.reproduce.cv_joint",
        ),
        Reproduction(
            "spur",
            "spur gear dynamics with contact loss of Bruzzone et al. 2024: Table 1, Figs. 5 to 13",
            "flank.reproduce.spur",
        ),
        Reproduction(
            "hypoid",
            "load distribution of bevel gears, Wagner et al. 2022: Figs. 1-4, 8, 11-13, Table 1",
            "flank.reproduce.hypoid",
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
