"""What `flank compare` does: find the machines or results, ask them alike, print, write."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from flank.cli.machine import find_machine, short_name
from flank.cli.optimize import settings_by_analysis
from flank.cli.places import check_writable, folder_of, writing
from flank.cli.terminal import interrupts, say, show, shown_progress
from flank.errors import SpecError
from flank.io.ownership import RESULT_FILE

if TYPE_CHECKING:
    from flank.analyses.result import Result
    from flank.machines.base import Machine


def compare(
    texts: Sequence[str],
    analyses: Sequence[str],
    options: Sequence[str],
    out: str | None,
    formats: Sequence[str],
    open_report: bool,
) -> bool:
    """Whether all runs completed."""
    from flank.analyses.registry import find_analysis
    from flank.design.comparison import compare as compared
    from flank.io.spec_files import parse_assignments
    from flank.report.comparison import comparison_document, comparison_outline
    from flank.report.folder import check_folder, write_document
    from flank.report.text import study_text

    for name in analyses:
        find_analysis(name)
    given = _sides(texts)
    folder = folder_of(out, "compare-" + "-".join(given)[:60])
    check_writable(folder)
    with writing(folder):
        check_folder(folder, comparison_outline(analyses), formats)
    settings = settings_by_analysis(parse_assignments(options))
    with interrupts():
        with shown_progress("comparing") as progress:
            comparison = compared(given, analyses, settings, progress)
        document = comparison_document(comparison)
        with writing(folder):
            written = write_document(document, folder, formats)
        say(study_text(document))
        say(f"\nWritten to {folder}{os.sep}: {', '.join(path.name for path in written)}")
        if open_report:
            show(written)
    return all(each.complete for side in comparison.sides for each in side.results.values())


def _sides(texts: Sequence[str]) -> dict[str, Machine | Result]:
    """By short names, told apart by numbers; SpecError says of each which is not there."""
    sides: dict[str, Machine | Result] = {}
    problems: list[str] = []
    for text in texts:
        try:
            name, side = _side(text)
        except SpecError as error:
            problems += error.problems
            continue
        alike, number = name, 2
        while name in sides:
            name, number = f"{alike}-{number}", number + 1
        sides[name] = side
    if problems:
        raise SpecError(problems)
    return sides


def _side(text: str) -> tuple[str, Machine | Result]:
    from flank.io.results import read_result

    path = Path(text)
    if path.is_dir():
        if not (path / RESULT_FILE).exists():
            raise SpecError(
                f"{text} is a folder without {RESULT_FILE}; name the file of a spec or a folder "
                "that `flank run` wrote"
            )
        return path.resolve().name, read_result(path / RESULT_FILE)
    if path.suffix == ".nc" and path.exists():
        name = path.resolve().parent.name if path.name == RESULT_FILE else path.stem
        return name, read_result(path)
    return short_name(text), find_machine(text, {})
