"""What `flank reproduce` does: redo a published study, print its tables, write its files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from flank.cli.places import check_writable, folder_of, writing
from flank.cli.terminal import interrupts, kept_in, say, show, shown_progress
from flank.io.ownership import PAGE_FILE
from flank.reproduce.registry import Reproduction, find_reproduction

if TYPE_CHECKING:
    from flank.reproduce.study import Study


def reproduce(name: str, coarse: bool, out: str | None, open_report: bool = False) -> bool:
    """Redo one study; True if every computation in it completed."""
    found = find_reproduction(name)
    folder = folder_of(out, f"reproduce-{name}")
    _check_folder(folder, found)
    with interrupts(kept_in(folder, PAGE_FILE)):
        with shown_progress(f"reproduce-{name}") as progress:
            study = found.run(coarse, progress)
        written = _write(study, folder)
        _print(study, folder, written)
    if open_report:
        show(written)
    return study.complete


def _check_folder(folder: Path, study: Reproduction) -> None:
    from flank.reproduce.folder import check_study_folder

    check_writable(folder)
    with writing(folder):
        check_study_folder(folder, study.tables, study.pictures)


def _write(study: Study, folder: Path) -> list[Path]:
    from flank.reproduce.folder import write_study

    with writing(folder):
        return write_study(study, folder)


def _print(study: Study, folder: Path, written: list[Path]) -> None:
    from flank.reproduce.text import study_text

    say(study_text(study))
    say(f"\nWritten to {folder}{os.sep}: {', '.join(path.name for path in written)}")
