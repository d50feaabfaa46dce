"""What `flank run` and `flank reproduce` do: check everything, compute, write, print."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flank.cli.places import check_writable, folder_of, writing
from flank.cli.terminal import interrupts, kept_in, say, show, shown_progress
from flank.errors import SpecError
from flank.io.ownership import PAGE_FILE, SPEC_FILE, spec_body

if TYPE_CHECKING:
    from flank.analyses.registry import Analysis
    from flank.machines.base import Machine
    from flank.report.verdict import Judgement


def run(
    text: str,
    name: str | None,
    options: list[str],
    assignments: list[str],
    out: str | None,
    open_report: bool = False,
    formats: Sequence[str] = (),
    measured: str | None = None,
) -> bool:
    """Run one analysis of one machine, its default if none is named; True if it completed.

    A `measured` curve is a setting of those analyses that lay one over theirs.
    """
    from flank.analyses.registry import default_analysis, find_analysis
    from flank.cli.machine import find_machine, short_name
    from flank.io.spec_files import parse_assignments

    named = find_analysis(name) if name is not None else None
    settings, changes = parse_assignments(options), parse_assignments(assignments)
    machine = find_machine(text, changes)
    analysis = named or default_analysis(machine)
    analysis.check_machine(machine)
    if measured is not None:
        settings["measured"] = _checked_curve(analysis, settings, measured)
    folder = folder_of(out, f"{short_name(text)}-{analysis.name}")
    check_writable(folder)
    from flank.report.folder import check_run_folder, write_folder
    from flank.report.text import summary_text

    with writing(folder):
        check_input_file(folder, text, machine)
        check_run_folder(folder, analysis.name, formats)
    checked = analysis.checked_settings(settings)
    with interrupts(kept_in(folder, PAGE_FILE)):
        with shown_progress(analysis.name) as progress:
            result = analysis.run(machine, checked, progress)
        with writing(folder):
            written = write_folder(result, folder, formats, _judged(machine))
        _print(summary_text(result), folder, written, open_report)
    return result.complete


def _checked_curve(analysis: Analysis, settings: Mapping[str, Any], measured: str) -> str:
    """The file of a measured curve; SpecError where nothing could be laid over it."""
    from flank.analyses.registry import ANALYSES

    if "measured" in settings:
        raise SpecError("measured is given twice, by --measured and --option; keep one of them")
    taking = [name for name, each in ANALYSES.items() if "measured" in each.settings.model_fields]
    if analysis.name not in taking:
        raise SpecError(
            f"{analysis.name} lays no measured curve over its own; those that do are "
            f"{', '.join(taking)}"
        )
    return measured


def _judged(machine: Machine) -> Judgement | None:
    from flank.design.verdict import judge
    from flank.report.verdict import judgement_of

    return judgement_of(judge(machine))


def check_input_file(folder: Path, text: str, machine: Machine) -> None:
    """A spec that a run reads stays as it is, unless just the same would be written."""
    from flank.io.spec_files import write_yaml

    spec = folder / SPEC_FILE
    if not (spec.exists() and Path(text).exists() and spec.samefile(text)):
        return
    read = spec.read_bytes().decode("utf-8", "replace")
    if spec_body(read) != write_yaml(machine.spec.to_mapping()):
        raise SpecError(
            f"{spec} is what this run reads, and its spec would be written over it; give another "
            "folder with --out"
        )


def reproduce(
    name: str,
    coarse: bool,
    out: str | None,
    open_report: bool = False,
    formats: Sequence[str] = (),
) -> bool:
    """Redo one published study; True if every computation in it completed."""
    from flank.reproduce.registry import find_reproduction

    reproduction = find_reproduction(name)
    folder = folder_of(out, f"reproduce-{name}")
    check_writable(folder)
    from flank.report.folder import check_folder, write_document
    from flank.report.text import study_text

    with writing(folder):
        check_folder(folder, reproduction.outline, formats)
    with interrupts(kept_in(folder, PAGE_FILE)):
        with shown_progress(f"reproduce-{name}") as progress:
            study = reproduction.run(coarse, progress)
        with writing(folder):
            written = write_document(study.document, folder, formats)
        _print(study_text(study.document), folder, written, open_report)
    return study.complete


def _print(text: str, folder: Path, written: list[Path], open_report: bool) -> None:
    """What came out and where it is, and the report in the browser if it is to be shown."""
    say(text)
    say(f"\nWritten to {folder}{os.sep}: {', '.join(path.name for path in written)}")
    if open_report:
        show(written)
