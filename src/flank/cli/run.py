"""What `flank run` does: check everything, compute, print the numbers, write the files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from flank.analyses.registry import default_analysis, find_analysis
from flank.api import check_settings
from flank.cli.machine import find_machine, short_name
from flank.cli.places import check_writable, folder_of, writing
from flank.cli.terminal import interrupts, kept_in, say, show, shown_progress
from flank.errors import SpecError
from flank.io.ownership import PAGE_FILE
from flank.io.spec_files import parse_assignments

if TYPE_CHECKING:
    from flank.analyses.result import Result
    from flank.machines.base import Machine


def run(
    text: str,
    name: str | None,
    options: list[str],
    assignments: list[str],
    out: str | None,
    open_report: bool = False,
    formats: Sequence[str] = (),
) -> bool:
    """Run one analysis of one machine, its default if none is named; True if it completed."""
    named = find_analysis(name) if name is not None else None
    settings, changes = parse_assignments(options), parse_assignments(assignments)
    machine = find_machine(text, changes)
    analysis = named or default_analysis(machine)
    analysis.check_machine(machine)
    folder = folder_of(out, f"{short_name(text)}-{analysis.name}")
    _check_folder(folder, analysis.name, text, machine, formats)
    checked = check_settings(analysis, settings)
    with interrupts(kept_in(folder, PAGE_FILE)):
        with shown_progress(analysis.name) as progress:
            result = analysis.run(machine, checked, progress)
        written = _write(result, folder, formats)
        _print(result, folder, written)
    if open_report:
        show(written)
    return result.complete


def _check_folder(
    folder: Path, analysis: str, text: str, machine: Machine, formats: Sequence[str]
) -> None:
    """Refuse a folder that cannot be written, or where something else would be replaced."""
    from flank.report.folder import check_run_folder

    check_writable(folder)
    with writing(folder):
        _check_own_input(folder, text, machine)
        check_run_folder(folder, analysis, formats)


def _check_own_input(folder: Path, text: str, machine: Machine) -> None:
    """A spec that a run reads stays as it is, unless just the same would be written."""
    from flank.io.ownership import SPEC_FILE, spec_body
    from flank.io.spec_files import write_yaml

    own = folder / SPEC_FILE
    if not (own.exists() and Path(text).exists() and own.samefile(text)):
        return
    read = own.read_bytes().decode("utf-8", "replace")
    if spec_body(read) != write_yaml(machine.spec.to_mapping()):
        raise SpecError(
            f"{own} is what this run reads, and its spec would be written over it; give another "
            "folder with --out"
        )


def _write(result: Result, folder: Path, formats: Sequence[str]) -> list[Path]:
    from flank.report.folder import write_folder

    with writing(folder):
        return write_folder(result, folder, formats)


def _print(result: Result, folder: Path, written: list[Path]) -> None:
    from flank.report.text import summary_text

    say(summary_text(result))
    say(f"\nWritten to {folder}{os.sep}: {', '.join(path.name for path in written)}")
