"""What `flank run` does: check everything, compute, print the numbers, write the files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from flank.analyses.registry import default_analysis, find_analysis
from flank.api import check_settings
from flank.cli.browser import show
from flank.cli.machine import find_machine, short_name
from flank.cli.progress import shown_progress
from flank.cli.say import say
from flank.errors import SpecError
from flank.io.spec_files import parse_assignments

if TYPE_CHECKING:
    from flank.analyses.result import Result

DEFAULT_FOLDER = "flank-out"


def run(
    text: str,
    name: str | None,
    options: list[str],
    assignments: list[str],
    out: Path | None,
    open_report: bool = False,
) -> bool:
    """Run one analysis of one machine, its default if none is named; True if it completed."""
    named = find_analysis(name) if name is not None else None
    settings, changes = parse_assignments(options), parse_assignments(assignments)
    machine = find_machine(text, changes)
    analysis = named or default_analysis(machine)
    analysis.check_machine(machine)
    folder = out or Path(DEFAULT_FOLDER) / f"{short_name(text)}-{analysis.name}"
    check_writable(folder)
    checked = check_settings(analysis, settings)
    with shown_progress(analysis.name) as progress:
        result = analysis.run(machine, checked, progress)
    written = _write(result, folder)
    _print(result, folder, written)
    if open_report:
        show(written)
    return result.complete


def _write(result: Result, folder: Path) -> list[Path]:
    from flank.report.folder import write_folder

    try:
        return write_folder(result, folder)
    except OSError as error:
        raise SpecError(unwritable(folder, error.strerror or str(error))) from None


def _print(result: Result, folder: Path, written: list[Path]) -> None:
    from flank.report.text import summary_text

    say(summary_text(result))
    say(f"\nWritten to {folder}{os.sep}: {', '.join(path.name for path in written)}")


def check_writable(folder: Path) -> None:
    """Refuse a folder that cannot be written, before the computing and without making it."""
    place = folder
    while not place.exists() and place != place.parent:
        place = place.parent
    if not place.is_dir():
        raise SpecError(unwritable(folder, f"{place} is a file"))
    if not os.access(place, os.W_OK | os.X_OK):
        raise SpecError(unwritable(folder, f"no permission to write in {place}"))


def unwritable(folder: Path, reason: str) -> str:
    """The sentence of a folder that cannot be written."""
    return f"{folder} cannot be written: {reason}; give another folder with --out"
