"""What `flank reproduce` does: redo a published study, print its tables, write its files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from flank.cli.browser import show
from flank.cli.progress import shown_progress
from flank.cli.run import DEFAULT_FOLDER, check_writable, unwritable
from flank.errors import SpecError
from flank.reproduce.registry import find_reproduction

if TYPE_CHECKING:
    from flank.reproduce.study import Study


def reproduce(name: str, coarse: bool, out: Path | None, open_report: bool = False) -> bool:
    """Redo one study; True if every computation in it completed."""
    found = find_reproduction(name)
    folder = out or Path(DEFAULT_FOLDER) / f"reproduce-{name}"
    check_writable(folder)
    with shown_progress(f"reproduce-{name}") as progress:
        study = found.run(coarse, progress)
    written = _write(study, folder)
    _print(study, folder, written)
    if open_report:
        show(written)
    return study.complete


def _write(study: Study, folder: Path) -> list[Path]:
    from flank.reproduce.folder import write_study

    try:
        return write_study(study, folder)
    except OSError as error:
        raise SpecError(unwritable(folder, error.strerror or str(error))) from None


def _print(study: Study, folder: Path, written: list[Path]) -> None:
    from flank.reproduce.text import study_text

    typer.echo(study_text(study))
    typer.echo(f"\nWritten to {folder}{os.sep}: {', '.join(path.name for path in written)}")
