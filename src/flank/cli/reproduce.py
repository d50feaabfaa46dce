"""What `flank reproduce` does: redo a published study, print its tables, write its files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from flank.cli.places import check_writable, folder_of, writing
from flank.cli.terminal import interrupts, kept_in, say, show, shown_progress
from flank.io.ownership import PAGE_FILE
from flank.reproduce.registry import find_reproduction

if TYPE_CHECKING:
    from flank.report.document import Document, Outline


def reproduce(
    name: str,
    coarse: bool,
    out: str | None,
    open_report: bool = False,
    formats: Sequence[str] = (),
) -> bool:
    """Redo one study; True if every computation in it completed."""
    reproduction = find_reproduction(name)
    folder = folder_of(out, f"reproduce-{name}")
    _check_folder(folder, reproduction.outline, formats)
    with interrupts(kept_in(folder, PAGE_FILE)):
        with shown_progress(f"reproduce-{name}") as progress:
            study = reproduction.run(coarse, progress)
        written = _write(study.document, folder, formats)
        _print(study.document, folder, written)
    if open_report:
        show(written)
    return study.complete


def _check_folder(folder: Path, outline: Outline, formats: Sequence[str]) -> None:
    from flank.report.folder import check_folder

    check_writable(folder)
    with writing(folder):
        check_folder(folder, outline, formats)


def _write(document: Document, folder: Path, formats: Sequence[str]) -> list[Path]:
    from flank.report.folder import write_document

    with writing(folder):
        return write_document(document, folder, formats)


def _print(document: Document, folder: Path, written: list[Path]) -> None:
    from flank.report.text import study_text

    say(study_text(document))
    say(f"\nWritten to {folder}{os.sep}: {', '.join(path.name for path in written)}")
