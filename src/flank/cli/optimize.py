"""What `flank optimize` does: check everything, search, print, write."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from flank.cli.places import check_writable, folder_of, writing
from flank.cli.terminal import interrupts, say, show, shown_pace
from flank.errors import SpecError
from flank.texts import echo


class Wanted(NamedTuple):
    """What a command line says is to be improved, and which limits are to be kept."""

    better: Sequence[str]
    smallest: Sequence[str]
    largest: Sequence[str]
    subject_to: Sequence[str]

    @property
    def objectives(self) -> list[tuple[str, str]]:
        ways = (("better", self.better), ("smallest", self.smallest), ("largest", self.largest))
        return [(name, way) for way, names in ways for name in names]


class Effort(NamedTuple):
    """How long may be searched."""

    evaluations: int | None
    minutes: float | None
    seed: int
    points: int


def optimize(
    text: str,
    vary: Sequence[str],
    wanted: Wanted,
    options: Sequence[str],
    assignments: Sequence[str],
    effort: Effort,
    allow_findings: bool,
    out: str | None,
    formats: Sequence[str],
    open_report: bool,
) -> tuple[bool, bool]:
    """Whether a spec was found that keeps all limits, and whether Ctrl-C stopped the search."""
    from flank.cli.machine import find_machine, short_name
    from flank.design.optimization import checked_budget
    from flank.design.optimization import optimize as search
    from flank.design.problem import make_problem
    from flank.io.spec_files import parse_assignments
    from flank.report.folder import check_folder, write_document
    from flank.report.optimization import optimization_document, optimization_outline
    from flank.report.text import study_text

    machine: Any = find_machine(text, parse_assignments(assignments))
    budget = checked_budget(effort.evaluations, effort.minutes)
    folder = folder_of(out, f"{short_name(text)}-optimize")
    check_writable(folder)
    with writing(folder):
        check_folder(folder, optimization_outline(len(wanted.objectives), effort.points), formats)
    settings = settings_by_analysis(parse_assignments(options))
    with interrupts():
        problem = make_problem(
            machine,
            parse_assignments(vary),
            wanted.objectives,
            wanted.subject_to,
            settings,
            allow_findings,
        )
        with shown_pace("optimising") as tell:
            found = search(problem, budget, effort.seed, tell, effort.points)
        document = optimization_document(found, effort.points)
        with writing(folder):
            written = write_document(document, folder, formats)
        say(study_text(document))
        say(f"\nWritten to {folder}{os.sep}: {', '.join(path.name for path in written)}")
        if open_report:
            show(written)
    return bool(found.goods), found.interrupted


def settings_by_analysis(options: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """`hysteresis.torque=200 N*m` as {hysteresis: {torque: 200 N*m}}."""
    settings: dict[str, dict[str, Any]] = {}
    for key, value in options.items():
        analysis, dot, name = key.partition(".")
        if not dot:
            raise SpecError(
                f"--option {echo(key)}: name the analysis too, for example "
                f"transmission-error.{echo(key)}"
            )
        settings.setdefault(analysis, {})[name] = value
    return settings
